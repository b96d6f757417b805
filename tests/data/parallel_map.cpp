// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include <data/positions.hpp>
#include <etch/data.hpp>
#include <etch/thread_pool.hpp>
#include <etch/data/text_lines.hpp>
#include <format/files.hpp>

namespace {

using namespace etch;
using numbers = std::vector<std::int64_t>;

constexpr auto squared = [](std::int64_t v) { return v * v; };
constexpr auto all_of_them = [](std::int64_t) { return true; };

}  // namespace

TEST_CASE("DATA-13: a parallel map gives what a map gives, in its order, whatever is around it") {
  for (const int workers : {1, 2, 5}) {
    thread_pool pool(workers);
    const auto check = [&](auto make) {
      CHECK(all(make([](auto d, auto f) { return d.map(f); })) == all(make([&](auto d, auto f) { return d.map(f, pool); })));
    };
    check([](auto map) { return map(data::range(1000), squared); });
    check([](auto map) { return map(data::range(1000).filter(all_of_them), squared); });
    check([](auto map) { return map(data::range(300), squared).shuffle(300, 2).take(250); });
    check([](auto map) { return map(data::range(300), squared).shuffle(20, 2).skip(3).shard(2, 1); });
    check([](auto map) { return map(data::range(300).shuffle(50), squared).batch(7).unbatch(); });
    check([](auto map) {
      return map(map(data::range(100), squared), squared).concatenate(map(data::range(99), squared)).shuffle(200);
    });
    check([](auto map) {
      return data::zip(map(data::range(100), squared), map(data::range(70).skip(2), squared)).map([](auto a, auto b) {
        return a - b;
      });
    });
    check([](auto map) {
      return map(data::range(100), squared).map([](std::int64_t v) { return v + 1; }).shuffle(9).prefetch(3).repeat(2);
    });
    check([](auto map) {
      return map(data::range(100), squared).window(3).map([](const tensor<std::int64_t, 1>& w) { return w(0); });
    });
    check([](auto map) { return map(data::range(0), squared); });
  }
}
TEST_CASE("DATA-13: parallel maps beside sources and maps that want other numbers of elements ahead") {
  thread_pool one(1), three(3);
  const xt::xtensor<std::int64_t, 1> squares = xt::arange<std::int64_t>(300) * xt::arange<std::int64_t>(300);
  const auto difference = [](std::int64_t a, std::int64_t b) { return a - b; };
  const auto check = [&](auto d) {
    for (int round = 0; round < 2; ++round) CHECK(all(d) == numbers(300));
  };
  for (thread_pool* pool : {&one, &three}) {
    const auto mapped = data::range(300).map(squared, *pool);
    check(data::zip(data::slices(squares), mapped).map(difference));
    check(data::zip(mapped, data::slices(squares)).shuffle(300, 4).map(difference));
    check(data::zip(data::range(300).map(squared, one), data::range(300).map(squared, three)).shuffle(70).map(difference));
    check(data::zip(data::range(300).map(squared, three).take(300), mapped.map([](std::int64_t v) { return v; }, one))
              .map(difference));
    for (const std::int64_t size : {1, 3, 7, 100}) {
      auto windows = mapped.window(size, 2).map([](const tensor<std::int64_t, 1>& w) { return w(w.extent(0) - 1); });
      auto plain =
          data::range(300).map(squared).window(size, 2).map([](const tensor<std::int64_t, 1>& w) { return w(w.extent(0) - 1); });
      CHECK(all(windows) == all(plain));
      CHECK(all(windows.shuffle(40, 1)) == all(plain.shuffle(40, 1)));
    }
  }
}
TEST_CASE("DATA-13: positions of parallel maps are those of maps") {
  thread_pool pool(2);
  check_positions([&] { return data::range(40).map(squared, pool).shuffle(30, 1); });
  check_positions([&] { return data::range(40).shuffle(30, 1).map(squared, pool); });
  check_positions([&] { return data::range(40).shuffle(30, 1).filter(all_of_them).map(squared, pool).prefetch(2); });
  auto parallel = data::range(40).map(squared, pool).shuffle(30, 1);
  auto serial = data::range(40).map(squared).shuffle(30, 1);
  const auto check = [whole = all(data::range(40).map(squared).shuffle(30, 1))](auto& from, auto& to) {
    int i = 0;
    for ([[maybe_unused]] auto v : from)
      if (++i == 17) break;
    to.restore(from.position());
    CHECK(all(to) == numbers(whole.begin() + 17, whole.end()));
  };
  check(parallel, serial);
  auto serial_first = data::range(40).map(squared).shuffle(30, 1);
  auto parallel_then = data::range(40).map(squared, pool).shuffle(30, 1);
  check(serial_first, parallel_then);

  // Without numbers of elements: a parallel map has read its source up to 32 elements ahead.
  const auto stream = data::range(100).shuffle(20, 1).filter(all_of_them);
  const numbers whole = all(stream.map(squared));
  for (const std::int64_t count : {1, 17, 32, 33, 99, 100}) {
    const auto check_rest = [&](auto from, auto to) {
      std::int64_t i = 0;
      for ([[maybe_unused]] auto v : from)
        if (++i == count) break;
      to.restore(from.position());
      CHECK(all(to) == numbers(whole.begin() + count, whole.end()));
    };
    check_rest(stream.map(squared, pool), stream.map(squared));
    check_rest(stream.map(squared), stream.map(squared, pool));
    check_rest(stream.map(squared), stream.map(squared));
  }
}
TEST_CASE("DATA-13: several threads are at work, each with a copy of the function") {
  thread_pool pool(3);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::atomic<int> waiting = 0;
  // Two calls that wait for one another.
  const auto f = [&](std::int64_t v) {
    {
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    }
    if (v < 2) {
      ++waiting;
      while (waiting < 2) std::this_thread::yield();
    }
    return v;
  };
  CHECK(all(data::range(64).map(f, pool)) == all(data::range(64)));
  CHECK(threads.size() >= 2);
}
TEST_CASE("DATA-13: what a parallel map throws comes once, in its element's turn") {
  thread_pool pool(3);
  const auto f = [](std::int64_t v) {
    if (v == 21 || v == 23) throw std::runtime_error("no " + std::to_string(v));
    return v;
  };
  const auto check = [](auto d) {
    for (int turn = 0; turn < 2; ++turn) {
      numbers seen;
      const auto loop = [&] {
        for (auto v : d) seen.push_back(v);
      };
      CHECK_THROWS_WITH_AS(loop(), "data: map: element 21: no 21", error);
      CHECK(seen == all(data::range(21)));
    }
    for (auto v : d)
      if (v == 3) break;
  };
  check(data::range(100).map(f, pool));
  check(data::range(100).filter(all_of_them).map(f, pool));
  check(data::range(100).map(f, pool).prefetch(4));
  // What the source throws comes behind what it has given.
  const auto source = data::range(100).filter([](std::int64_t v) {
    if (v == 5) throw std::runtime_error("five");
    return true;
  });
  numbers seen;
  const auto loop = [&] {
    for (auto v : source.map(squared, pool)) seen.push_back(v);
  };
  CHECK_THROWS_WITH_AS(loop(), "data: filter: element 5: five", error);
  CHECK(seen == numbers{0, 1, 4, 9, 16});
}
TEST_CASE("DATA-13: workers read files by themselves, and two loops share a pool") {
  const files::folder here("parallel_map");
  std::string text;
  for (int i = 0; i < 500; ++i) text += std::to_string(i) + "\n";
  files::write(here / "lines.txt", text);
  thread_pool pool(4);
  auto d = data::text_lines(here / "lines.txt").map([](const std::string& s) { return std::int64_t{std::stoll(s)}; }, pool);
  CHECK(all(d) == all(data::range(500)));
  std::vector<std::thread> loops;
  std::vector<numbers> seen(3);
  for (std::size_t t = 0; t < 3; ++t) loops.emplace_back([&, t] { seen[t] = all(d.shuffle(500, 1)); });
  for (std::thread& t : loops) t.join();
  CHECK(seen[0] == seen[1]);
  CHECK(seen[0] == seen[2]);
}
