// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <stdexcept>

#include <data/positions.hpp>
#include <etch/data.hpp>
#include <etch/data/generator.hpp>
#include <etch/thread_pool.hpp>

/// Positions where a loop ended with an exception, and where a position could not be restored.
namespace {

using namespace etch;
using numbers = std::vector<std::int64_t>;

/// make(f) is a dataset of numbers that calls f with 0 to 11. What came before f threw, and what comes behind the position that
/// there was then, in the same dataset and in another, is the whole round.
template <class Make>
void check_behind_failures(Make make) {
  const auto same = [](std::int64_t v) { return v; };
  const numbers whole = all(make(same));
  const numbers second = all(make(same).repeat(2));
  for (std::int64_t thrower = 0; thrower < 12; ++thrower) {
    CAPTURE(thrower);
    // Parallel maps copy it.
    auto is_failing = std::make_shared<bool>(true);
    const auto f = [thrower, is_failing](std::int64_t v) {
      if (v == thrower && *is_failing) throw std::runtime_error("once");
      return v;
    };
    auto d = make(f);
    numbers seen;
    const auto loop = [&] {
      for (auto v : d) seen.push_back(v);
    };
    CHECK_THROWS_AS(loop(), error);
    const data::position p = d.position();
    *is_failing = false;
    auto other = make(f);
    for (auto* resumed : {&other, &d}) {
      resumed->restore(p);
      CHECK(resumed->position() == p);
      numbers both = seen;
      for (auto v : *resumed) both.push_back(v);
      CHECK(both == whole);
      for (auto v : *resumed) both.push_back(v);
      CHECK(both == second);
    }
  }
}
constexpr auto first = [](const tensor<std::int64_t, 1>& b) { return 100 * b(0) + b.extent(0); };
/// The same numbers without an index.
auto stream(std::int64_t count) {
  return data::range(count).filter([](std::int64_t) { return true; });
}

}  // namespace

TEST_CASE("positions: where a map threw, behind the element before") {
  check_behind_failures([](auto f) { return data::range(12).map(f); });
  check_behind_failures([](auto f) { return stream(12).map(f); });
  check_behind_failures([](auto f) { return data::range(12).map(f).shuffle(5, 1); });
  check_behind_failures([](auto f) { return stream(12).map(f).shuffle(5, 1); });
  check_behind_failures([](auto f) { return stream(12).map(f).batch(5).map(first); });
  check_behind_failures([](auto f) { return data::range(12).shuffle(12).map(f).batch(5).unbatch().skip(1); });
  check_behind_failures([](auto f) { return stream(12).map(f).padded_batch(5).map(first); });
  check_behind_failures([](auto f) { return stream(12).map(f).window(3, 2).map(first); });
  check_behind_failures([](auto f) { return stream(12).map(f).prefetch(3); });
  check_behind_failures(
      [](auto f) { return stream(12).interleave([f](std::int64_t i) { return data::range(i, i + 1).map(f); }, 3); });
  check_behind_failures([](auto f) { return stream(12).filter([f](std::int64_t v) { return f(v) != 4; }).batch(2).map(first); });
  check_behind_failures([](auto f) {
    return data::generator(
               [f] { return [f, i = std::int64_t{0}]() mutable { return i < 12 ? std::optional(f(i++)) : std::nullopt; }; })
        .batch(5)
        .map(first);
  });
}
TEST_CASE("positions: where a parallel map threw, or its source") {
  thread_pool pool(2);
  const auto same = [](std::int64_t v) { return v; };
  check_behind_failures([&](auto f) { return data::range(12).map(f, pool); });
  check_behind_failures([&](auto f) { return stream(12).map(f, pool); });
  check_behind_failures([&](auto f) { return stream(12).map(f, pool).batch(5).map(first); });
  check_behind_failures([&](auto f) { return stream(12).map(f).map(same, pool); });
  // Elements that threw stand where a parallel map begins with others: it makes 32 at a time.
  auto is_failing = std::make_shared<bool>(true);
  const auto make = [&] {
    return stream(100)
        .map([is_failing](std::int64_t v) {
          if (v == 32 && *is_failing) throw std::runtime_error("once");
          return v;
        })
        .map(same, pool);
  };
  auto d = make();
  numbers seen;
  const auto loop = [&] {
    for (auto v : d) seen.push_back(v);
  };
  CHECK_THROWS_AS(loop(), error);
  CHECK(seen == all(data::range(32)));
  auto resumed = make();
  resumed.restore(d.position());
  *is_failing = false;
  CHECK(all(resumed) == all(data::range(32, 100)));
}
TEST_CASE("positions: a round that could not begin, or be restored, is none") {
  bool is_failing = true;
  auto d = data::generator([&] {
    if (is_failing) throw std::runtime_error("no file");
    return [i = std::int64_t{0}]() mutable { return i < 3 ? std::optional(i++) : std::nullopt; };
  });
  const data::position before = d.position();
  CHECK_THROWS_AS(all(d), std::runtime_error);
  CHECK(d.position() == before);
  is_failing = false;
  CHECK(all(d) == numbers{0, 1, 2});

  auto shuffled = data::range(10).shuffle(10, 1);
  const numbers round = all(data::range(10).shuffle(10, 1));
  data::position good;
  for (int i = 0; [[maybe_unused]] auto v : shuffled)
    if (++i == 7) {
      good = shuffled.position();
      break;
    }
  auto resumed = data::range(10).shuffle(10, 1);
  resumed.restore(good);
  for (const std::vector<std::int64_t>& state : {numbers{1, 1}, numbers{1, 1, 11}, numbers{1, 1, 3, 3}}) {
    data::position bad = good;
    bad.state = state;
    resumed.restore(good);
    CHECK_THROWS_AS(resumed.restore(bad), error);
    CHECK(resumed.position().state[1] == 0);
    resumed.restore(good);
    CHECK(all(resumed) == numbers(round.begin() + 7, round.end()));
  }
  CHECK_THROWS_AS(resumed.restore({good.dataset, {1, 1}}), error);
  CHECK(all(resumed).size() == 10);
}
