// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <thread>

#include <data/positions.hpp>
#include <etch/data.hpp>
#include <etch/data/cache_file.hpp>
#include <etch/thread_pool.hpp>
#include <format/damage.hpp>

namespace {

using namespace etch;
using numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("cache: nothing before it is read again") {
  const files::folder here("cache");
  int calls = 0, turn = 0;
  const auto counted = [&](std::int64_t v) {
    ++calls;
    return v + 1000 * turn;
  };
  const auto check = [&](auto d, std::size_t size) {
    calls = turn = 0;
    const numbers first = all(d);
    CHECK(first.size() == size);
    const int once = calls;
    turn = 1;
    numbers second = all(d), copy = all(decltype(d)(d));
    CHECK(calls == once);
    for (numbers* other : {&second, &copy}) std::ranges::sort(*other);
    numbers sorted = first;
    std::ranges::sort(sorted);
    CHECK(second == sorted);
    CHECK(copy == sorted);
  };
  check(data::range(50).map(counted).cache(), 50);
  check(data::range(50).map(counted).cache().shuffle(50), 50);
  check(data::range(50).shuffle(9).map(counted).filter([](auto v) { return v % 2 == 0; }).cache(), 25);
  check(data::range(50).map(counted).cache(data::cache_file(here / "a")), 50);
  check(data::range(50).map(counted).cache(data::cache_file(here / "b")).shuffle(50), 50);
  check(data::range(50).shuffle(9).map(counted).filter([](auto v) { return v % 2 == 0; }).cache(data::cache_file(here / "c")), 25);
  // Another run of the program.
  calls = 0;
  turn = 2;
  CHECK(all(data::range(50).map(counted).cache(data::cache_file(here / "a"))) == all(data::range(50)));
  CHECK(calls == 0);
}
TEST_CASE("cache: a round that is left early, and elements in the order of the first round") {
  const files::folder here("cache");
  const auto check = [](auto d) {
    for (auto v : d)
      if (v >= 4) break;
    const numbers first = all(d);
    CHECK(first != all(data::range(10)));
    CHECK(all(d) == first);
  };
  check(data::range(10).shuffle(10).cache());
  check(data::range(10).shuffle(10).cache(data::cache_file(here / "d")));
  check_positions([] { return data::range(10).shuffle(10).cache().map([](auto v) { return v; }); });
  check_positions([] { return data::range(10).cache().shuffle(10).batch(3).unbatch(); });
  check_positions([&] { return data::range(10).shuffle(10).cache(data::cache_file(here / "e")).shuffle(4); });
}
TEST_CASE("cache: what throws once leaves no gap") {
  const files::folder here("cache");
  const auto check = [](auto kept) {
    int failures = 2;
    auto d = kept(data::range(8).filter([](std::int64_t) { return true; }).map([&](std::int64_t v) {
      if (v == 3 && failures-- > 0) throw std::runtime_error("three");
      return v;
    }));
    for (int turn = 0; turn < 2; ++turn) CHECK_THROWS_WITH_AS(all(d), "data: map: element 3: three", error);
    for (int turn = 0; turn < 2; ++turn) CHECK(all(d) == all(data::range(8)));
  };
  check([](auto d) { return d.cache(); });
  check([&](auto d) { return d.cache(data::cache_file(here / "gap")); });
  check([](auto d) { return d.cache().prefetch(2); });
  check([](auto d) { return d.shuffle(1).cache(); });
}
TEST_CASE("cache: a file that could not be put in its place is written by the next round") {
  const files::folder here("cache");
  const auto check = [&](auto source, const char* name) {
    auto d = source.cache(data::cache_file(here / name));
    // A folder of the file's name.
    std::filesystem::create_directory(here / name);
    CHECK_THROWS_AS(all(d), error);
    CHECK_THROWS_AS(all(d), error);
    std::filesystem::remove(here / name);
    for (int turn = 0; turn < 2; ++turn) CHECK(all(d) == all(data::range(8)));
    CHECK(std::filesystem::is_regular_file(here / name));
    CHECK(all(source.cache(data::cache_file(here / name))) == all(data::range(8)));
  };
  check(data::range(8).filter([](std::int64_t) { return true; }), "stream");
  check(data::range(8), "numbered");
}
TEST_CASE("cache: arrays without values in a file") {
  const files::folder here("cache");
  auto d = data::range(3)
               .map([](std::int64_t i) {
                 return std::tuple(xt::xtensor<float, 2>(xt::zeros<float>({std::int64_t{100}, i})), std::string());
               })
               .cache(data::cache_file(here / "empty"));
  for (int turn = 0; turn < 2; ++turn) {
    std::size_t i = 0;
    for (auto [x, text] : d) CHECK(x.shape() == std::array<std::size_t, 2>{100, i++});
    CHECK(i == 3);
  }
}
TEST_CASE("cache: several threads use one, and a parallel map behind it") {
  thread_pool pool(3);
  std::atomic<int> calls = 0;
  auto d = data::range(200)
               .map(
                   [&](std::int64_t v) {
                     ++calls;
                     return v;
                   },
                   pool)
               .cache();
  auto doubled = d.map([](std::int64_t v) { return 2 * v; }, pool);
  CHECK(doubled.reduce(std::int64_t{0}, [](auto total, auto v) { return total + v; }) == 199 * 200);
  CHECK(calls == 200);
  std::vector<std::thread> loops;
  for (int t = 0; t < 3; ++t)
    loops.emplace_back([d, t] { CHECK(all(d.shuffle(200, static_cast<std::uint64_t>(t))).size() == 200); });
  for (std::thread& t : loops) t.join();
  CHECK(calls == 200);
}
TEST_CASE("cache: windows that overlap compute an element once, by several threads, too") {
  const files::folder here("cache");
  thread_pool pool(2);
  std::atomic<int> calls = 0;
  const auto source = data::range(100).map(
      [&](std::int64_t v) {
        ++calls;
        return v;
      },
      pool);
  const auto check = [&](auto d, int most) {
    calls = 0;
    for (int turn = 0; turn < 2; ++turn) {
      std::int64_t first = 0;
      for (auto w : d) {
        REQUIRE(w.size() == std::min<std::size_t>(5, static_cast<std::size_t>(100 - first)));
        for (std::size_t i = 0; i < w.size(); ++i) CHECK(w(i) == first + static_cast<std::int64_t>(i));
        ++first;
      }
      CHECK(first == 100);
    }
    CHECK(calls <= most);
  };
  check(source.cache().window(5, 1), 100);
  check(source.window(5, 1).cache(), 490);
  // A file has them when it has all.
  check(source.cache(data::cache_file(here / "windows")).window(5, 1), 490);
}
TEST_CASE("cache: arrays and strings in a file, and a file of something else") {
  const files::folder here("cache");
  const auto make = [](std::int64_t n) {
    return data::range(n).map([](std::int64_t i) {
      return std::tuple(xt::xtensor<float, 2>(xt::ones<float>({i, std::int64_t{3}}) * static_cast<float>(i)),
                        std::string(static_cast<std::size_t>(i), 'x'), i % 2 == 0);
    });
  };
  const auto read = [&](std::int64_t n) {
    auto d = make(n).cache(data::cache_file(here / "f"));
    for (int turn = 0; turn < 2; ++turn) {
      std::int64_t i = 0;
      for (auto [x, text, even] : d) {
        CHECK(x.shape() == std::array<std::size_t, 2>{static_cast<std::size_t>(i), 3});
        if (i > 0) CHECK(x(i - 1, 2) == static_cast<float>(i));
        CHECK(text == std::string(static_cast<std::size_t>(i), 'x'));
        CHECK(even == (i % 2 == 0));
        ++i;
      }
      CHECK(i == n);
    }
  };
  read(5);
  read(5);
  const std::string path = (here / "f").string();
  CHECK_THROWS_WITH_AS(
      read(6),
      (path + ": it is no cache of this dataset: it begins with \"etch dataset cache of range(0, 5, 1).map(f): float32 of "
              "2 axes, string of 0 axes, bool of 0 axes\", expected is \"etch dataset cache of range(0, 6, 1).map(f): "
              "float32 of 2 axes, string of 0 axes, bool of 0 axes\"")
          .c_str(),
      error);
  const files::bytes whole = files::bytes_at(here / "f");
  files::check_damaged(whole, path, true, [&](const files::bytes& bytes) {
    files::write(here / "f", std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    read(5);
  });
}
