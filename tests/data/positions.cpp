// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include <data/positions.hpp>
#include <etch/data.hpp>

/// Positions that are restored or taken where a loop is in the midst of its round.
namespace {

using namespace etch;

using numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("a loop that is restored in goes on there, and the next loop is a round of its own") {
  auto d = data::range(4);
  data::position p = d.position();
  bool has_restored = false;
  numbers seen;
  for (auto v : d) {
    seen.push_back(v);
    if (v == 1 && !has_restored) p = d.position();
    if (v == 3 && !std::exchange(has_restored, true)) d.restore(p);
  }
  CHECK(seen == numbers{0, 1, 2, 3, 2, 3});
  CHECK(all(d) == numbers{0, 1, 2, 3});
  CHECK(all(d) == numbers{0, 1, 2, 3});
}
TEST_CASE("a loop that is left where it was restored goes on in the next loop") {
  auto d = data::range(4);
  const auto leave_at = [&](std::int64_t last) {
    for (auto v : d)
      if (v == last) return d.position();
    return d.position();
  };
  const data::position p = leave_at(1);
  for (auto v : d)
    if (v == 3) {
      d.restore(p);
      break;
    }
  CHECK(all(d) == numbers{2, 3});
  CHECK(all(d) == numbers{0, 1, 2, 3});
}
TEST_CASE("a loop that is restored to between two rounds has ended") {
  auto d = data::range(100).shuffle(100, 3).filter([](std::int64_t) { return true; });
  all(d);
  const data::position p = d.position();
  const numbers second = all(d);
  numbers seen;
  for (auto v : d) {
    seen.push_back(v);
    if (seen.size() == 2) d.restore(p);
  }
  CHECK(seen.size() == 2);
  CHECK(d.position() == p);
  CHECK(all(d) == second);
}
TEST_CASE("behind a loop that was left the position is within its round, and the next loop is a round of its own") {
  auto d = data::range(10);
  for (auto v : d)
    if (v == 3) break;
  const data::position p = d.position();
  CHECK(all(d) == all(data::range(10)));
  d.restore(p);
  CHECK(all(d) == numbers{4, 5, 6, 7, 8, 9});
}
