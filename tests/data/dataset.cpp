// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include <etch/data.hpp>

namespace {

using namespace etch;

template <class Dataset>
std::vector<std::int64_t> all(Dataset&& d) {
  std::vector<std::int64_t> values;
  for (auto v : d) values.push_back(v);
  return values;
}
using numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("DATA-02, AT-20: slices of arrays along the first axis") {
  xt::xtensor<float, 2> x = {{1, 2}, {3, 4}, {5, 6}};
  std::vector<int> y = {7, 8, 9};
  auto d = data::slices(x, y);
  CHECK(d.size() == 3);
  int i = 0;
  for (auto [row, label] : d) {
    CHECK(row.dimension() == 1);
    CHECK(row(0) == x(i, 0));
    CHECK(row(1) == x(i, 1));
    CHECK(label == 7 + i++);
  }
  CHECK(i == 3);
  y.pop_back();
  CHECK_THROWS_WITH_AS(data::slices(x, y), "data::slices: array 0 has 3 slices, array 1 has 2", error);
}
TEST_CASE("DATA-05: batches are consecutive elements along a new axis, the last one smaller") {
  auto d = data::range(10).batch(4);
  std::vector<numbers> batches;
  for (const auto& b : d) batches.emplace_back(b.begin(), b.end());
  CHECK(batches == std::vector<numbers>{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9}});
  CHECK(all(data::range(10).batch(4, true).map([](tensor<std::int64_t, 1> b) { return b(0); })) == numbers{0, 4});
}
TEST_CASE("DATA-06, AT-22: a shuffle's round has each element once, in another order each round") {
  for (const std::int64_t buffer : {1, 3, 10, 100}) {
    auto d = data::range(10).shuffle(buffer, 5);
    auto stream = data::range(10).filter([](std::int64_t) { return true; }).shuffle(buffer, 5);
    for (int turn = 0; turn < 3; ++turn)
      for (numbers values : {all(d), all(stream)}) {
        // An element comes no earlier than when it has got into the buffer.
        for (std::int64_t i = 0; i < 10; ++i) CHECK(values[static_cast<std::size_t>(i)] < i + buffer);
        std::ranges::sort(values);
        CHECK(values == all(data::range(10)));
      }
    CHECK((all(d) == all(d)) == (buffer == 1));
  }
}
TEST_CASE("DATA-08: repeat, take, skip, shard, concatenate, zip, filter, reduce") {
  CHECK(all(data::range(3).repeat(2)) == numbers{0, 1, 2, 0, 1, 2});
  CHECK(all(data::range(3).repeat().take(7)) == numbers{0, 1, 2, 0, 1, 2, 0});
  CHECK(all(data::range(5).skip(2).take(2)) == numbers{2, 3});
  CHECK(all(data::range(5).shard(2, 1)) == numbers{1, 3});
  CHECK(all(data::range(2).concatenate(data::range(7, 9))) == numbers{0, 1, 7, 8});
  CHECK(all(data::range(9).filter([](std::int64_t v) { return v % 3 == 0; })) == numbers{0, 3, 6});
  CHECK(data::range(5).reduce(std::int64_t{0}, [](std::int64_t total, std::int64_t v) { return total + v; }) == 10);
  std::int64_t product = 0;
  for (auto [a, b] : data::zip(data::range(3), data::range(5).filter([](std::int64_t) { return true; }))) product += a * b;
  CHECK(product == 5);
}
TEST_CASE("positions: a loop goes on with the element that would have come") {
  const auto check = [](auto make) {
    auto whole = make();
    std::vector<numbers> rounds;
    for (int r = 0; r < 3; ++r) rounds.push_back(all(whole));
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t n = 0; n <= rounds[r].size(); ++n) {
        auto before = make();
        for (std::size_t k = 0; k < r; ++k) all(before);
        std::size_t seen = 0;
        data::position p = before.position();
        if (n > 0)
          for (auto v : before) {
            (void)v;
            p = before.position();
            if (++seen == n) break;
          }
        auto after = make();
        after.restore(p);
        CHECK(after.position() == p);
        numbers rest = all(after);
        CHECK(rest == numbers(rounds[r].begin() + static_cast<std::ptrdiff_t>(n), rounds[r].end()));
        if (r + 1 < 3) CHECK(all(after) == rounds[r + 1]);
      }
  };
  check([] { return data::range(7); });
  check([] { return data::range(11).shuffle(4, 3); });
  check([] { return data::range(11).shuffle(40, 3).repeat(2); });
  check([] { return data::range(11).filter([](std::int64_t v) { return v != 5; }).shuffle(4, 3).repeat(2).skip(3).shard(2, 1); });
  check([] { return data::range(11).shuffle(4).map([](std::int64_t v) { return v * v; }).concatenate(data::range(3)); });
  check([] { return data::range(11).shuffle(4).batch(3).map([](tensor<std::int64_t, 1> b) { return b(0) * 100 + b.extent(0); }); });
  check([] { return data::range(11).shuffle(4).batch(2).prefetch(3).map([](tensor<std::int64_t, 1> b) { return b(0); }); });
  check([] { return data::range(5).shuffle(4).prefetch().repeat(2).prefetch(); });
  auto d = data::range(5).shuffle(5, 1);
  CHECK_THROWS_WITH_AS(
      d.restore(data::range(6).shuffle(5, 1).position()),
      "data: a position of \"range(0, 6, 1).shuffle(5, seed 1)\" is no position of \"range(0, 5, 1).shuffle(5, seed 1)\"", error);
}

TEST_CASE("DATA-07: prefetch changes nothing of what comes, and what a map throws comes in its turn") {
  CHECK(all(data::range(100).prefetch(7)) == all(data::range(100)));
  auto d = data::range(10)
               .map([](std::int64_t v) {
                 if (v == 6) throw std::runtime_error("six");
                 return v;
               })
               .prefetch(3);
  for (int turn = 0; turn < 2; ++turn) {
    numbers seen;
    const auto loop = [&] {
      for (auto v : d) seen.push_back(v);
    };
    CHECK_THROWS_WITH_AS(loop(), "data: map: element 6: six", error);
    CHECK(seen == numbers{0, 1, 2, 3, 4, 5});
  }
  for (auto v : d)
    if (v == 2) break;
}
