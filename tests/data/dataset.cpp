// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <data/positions.hpp>
#include <etch/data.hpp>

namespace {

using namespace etch;

using numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("DATA-01, DATA-02: slices of arrays along the first axis") {
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
TEST_CASE("DATA-08, DATA-10: repeat, take, skip, shard, concatenate, zip, filter, reduce") {
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
  const auto check = [](auto make) { check_positions(make); };
  check([] { return data::range(7); });
  check([] { return data::range(11).shuffle(4, 3); });
  check([] { return data::range(11).shuffle(40, 3).repeat(2); });
  check([] { return data::range(11).filter([](std::int64_t v) { return v != 5; }).shuffle(4, 3).repeat(2).skip(3).shard(2, 1); });
  check([] { return data::range(11).shuffle(4).map([](std::int64_t v) { return v * v; }).concatenate(data::range(3)); });
  check([] { return data::range(11).shuffle(4).batch(3).map([](tensor<std::int64_t, 1> b) { return b(0) * 100 + b.extent(0); }); });
  check([] { return data::range(11).shuffle(4).batch(2).prefetch(3).map([](tensor<std::int64_t, 1> b) { return b(0); }); });
  check([] { return data::range(5).shuffle(4).prefetch().repeat(2).prefetch(); });
  auto large = data::range(1'000'000).shuffle(1'000'000).batch(100);
  int batches = 0;
  for ([[maybe_unused]] auto b : large)
    if (++batches == 50) break;
  CHECK(large.position().dataset.size() + sizeof(std::int64_t) * large.position().state.size() < 200);
  auto d = data::range(5).shuffle(5, 1);
  CHECK_THROWS_WITH_AS(
      d.restore(data::range(6).shuffle(5, 1).position()),
      "data: a position of \"range(0, 6, 1).shuffle(5, seed 1)\" is no position of \"range(0, 5, 1).shuffle(5, seed 1)\"", error);
}
TEST_CASE("positions: between two turns of a repeat without end") {
  const auto check = [](auto make) {
    const numbers whole = all(make().take(12));
    for (std::size_t n = 1; n <= 9; ++n) {
      auto before = make();
      auto i = before.begin();
      for (std::size_t k = 1; k < n; ++k) ++i;
      auto resumed = make();
      resumed.restore(before.position());
      numbers rest;
      for (auto v : resumed) {
        rest.push_back(v);
        if (rest.size() == 3) break;
      }
      CHECK(rest == numbers(whole.begin() + static_cast<std::ptrdiff_t>(n), whole.begin() + static_cast<std::ptrdiff_t>(n) + 3));
    }
  };
  const auto first = [](const tensor<std::int64_t, 1>& b) { return 100 * b(0) + b.extent(0); };
  check([] { return data::range(4).repeat(); });
  check([&] { return data::range(4).shuffle(4).repeat().batch(2).map(first); });
  check([&] { return data::range(4).shuffle(4).batch(2).repeat().map(first); });
  auto nothing = data::range(0).repeat();
  auto p = nothing.position();
  p.state = {1, 1, 0, 0};
  nothing.restore(p);
  CHECK(all(nothing).empty());
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
TEST_CASE("the order of a shuffle is the same with every compiler, library and machine") {
  auto d = data::range(10).shuffle(10, 42), window = data::range(10).shuffle(3, 42);
  CHECK(all(d) == numbers{6, 8, 9, 5, 1, 7, 0, 4, 2, 3});
  CHECK(all(d) == numbers{0, 1, 8, 9, 5, 7, 2, 6, 4, 3});
  CHECK(all(window) == numbers{1, 2, 4, 5, 0, 7, 8, 3, 6, 9});
}
TEST_CASE("two shuffles of one seed draw by themselves") {
  const auto check = [](auto d) {
    std::vector<int> counts(2);
    for (int turn = 0; turn < 1000; ++turn) ++counts[static_cast<std::size_t>(all(d)[0])];
    for (const int count : counts) CHECK(std::abs(count - 500) < 80);  // five standard deviations
  };
  const auto stream = data::range(2).filter([](std::int64_t) { return true; });
  const auto same = [](std::int64_t v) { return v; };
  check(data::range(2).shuffle(2).shuffle(2));
  check(stream.shuffle(2, 7).shuffle(2, 7));
  check(data::range(2).shuffle(2).map(same).prefetch().shuffle(2).shuffle(2));
  check(data::zip(data::range(2).shuffle(2), stream).map([](std::int64_t v, std::int64_t) { return v; }).shuffle(2));
  check(data::range(1).concatenate(data::range(1, 2)).shuffle(2).concatenate(data::range(0)).shuffle(2));
  // Side by side they go together.
  for (auto [a, b] : data::zip(data::range(50).shuffle(50), data::range(50).shuffle(50))) CHECK(a == b);
}
TEST_CASE("AT-22: each order of a whole buffer is equally frequent, and batches with their labels stay together") {
  std::vector<int> counts(24);
  auto d = data::range(4).shuffle(4, 9);
  for (int turn = 0; turn < 24'000; ++turn) {
    const numbers v = all(d);
    int order = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      int smaller = 0;
      for (std::size_t k = i + 1; k < 4; ++k) smaller += v[k] < v[i] ? 1 : 0;
      order = order * static_cast<int>(4 - i) + smaller;
    }
    ++counts[static_cast<std::size_t>(order)];
  }
  for (const int count : counts) CHECK(std::abs(count - 1000) < 160);  // five standard deviations

  xt::xtensor<float, 2> images = xt::zeros<float>({103, 3});
  std::vector<std::int32_t> labels(103);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = static_cast<std::int32_t>(i);
    for (std::size_t k = 0; k < 3; ++k) images(i, k) = static_cast<float>(10 * i + k);
  }
  for (const std::int64_t rows : {1, 10, 103, 200}) {
    std::vector<int> seen(103);
    const float* first = nullptr;
    for (auto [x, y] : data::slices(images, labels).shuffle(50).batch(rows)) {
      REQUIRE(x.shape()[0] == y.size());
      if (first == nullptr) first = x.data();
      CHECK(x.data() == first);  // batches lie in one buffer
      for (std::size_t i = 0; i < y.size(); ++i) {
        ++seen.at(static_cast<std::size_t>(y(i)));
        for (std::size_t k = 0; k < 3; ++k) CHECK(x(i, k) == static_cast<float>(10 * y(i) + static_cast<int>(k)));
      }
    }
    CHECK(std::ranges::count(seen, 1) == 103);
  }
}
TEST_CASE("bad input: sentences") {
  CHECK_THROWS_WITH_AS(data::range(3).batch(0), "data: batch: a batch has at least 1 element, not 0", error);
  CHECK_THROWS_WITH_AS(data::range(3).shuffle(0), "data: shuffle: a buffer has at least 1 element, not 0", error);
  CHECK_THROWS_WITH_AS(data::range(3).shard(2, 2), "data: shard: number 2 of 2", error);
  CHECK_THROWS_WITH_AS(all(data::range(3).batch(4, true).map([](tensor<std::int64_t, 1> b) { return b(0); })),
                       "data: batch: of 3 elements no batch of 4 is made, and the remainder is dropped", error);
  const auto ragged = data::range(4).map([](std::int64_t n) { return xt::xtensor<float, 1>(xt::zeros<float>({n < 2 ? 2 : 3})); });
  const auto loop = [](auto d) {
    for ([[maybe_unused]] auto b : d) {
    }
  };
  CHECK_THROWS_WITH_AS(loop(ragged.batch(3)),
                       "data: batch: component 0 of element 2 has the shape [3], those before it in the batch [2]", error);
  CHECK_NOTHROW(loop(ragged.batch(2)));
  xt::xtensor<float, 2, xt::layout_type::column_major> columns({3, 2});
  CHECK_THROWS_WITH_AS(data::slices(columns),
                       "data::slices: an array of shape [3, 2] does not lie row by row: its stride along axis 1 is 3, not 1",
                       error);
  auto empty = data::range(0).repeat();
  CHECK(all(empty).empty());
  auto d = data::range(5).shuffle(5, 1);
  data::position p = d.position();
  p.state = {1, 1, 6};
  CHECK_THROWS_WITH_AS(d.restore(p), "data: number 2 of a position is 6, it must be 0 to 5", error);
  p.state = {1, 1};
  CHECK_THROWS_WITH_AS(d.restore(p), "data: a position ends after 2 numbers", error);
  p.state = {1, 1, 2, 3};
  CHECK_THROWS_AS(d.restore(p), error);
}

TEST_CASE("DATA-09: an iterator that is moved by hand, and a dataset as a range of C++20") {
  auto d = data::range(3);
  static_assert(std::ranges::input_range<decltype(d)>);
  auto i = d.begin();
  CHECK(*i == 0);
  ++i;
  CHECK(*i == 1);
  CHECK(i != d.end());
  i++;
  ++i;
  CHECK(i == d.end());
}
TEST_CASE("a dataset whose functions capture something is assigned, and begins with round 0") {
  const auto scaled = [](std::int64_t scale, const std::string& name) {
    return data::range(10)
        .map([scale, name](std::int64_t v) { return v * scale + static_cast<std::int64_t>(name.size()); })
        .filter([scale](std::int64_t v) { return v != scale; })
        .batch(4);
  };
  const auto sum_of = [](auto& d) {
    std::int64_t total = 0;
    for (auto batch : d)
      for (const std::int64_t v : batch) total += v;
    return total;
  };
  auto d = scaled(1, "");
  CHECK(sum_of(d) == 44);
  d = scaled(2, "a longer name than fits into a string");
  CHECK(sum_of(d) == 90 + 37 * 10);
  const auto third = scaled(3, "");
  d = third;
  CHECK(d.position().state[0] == 0);
  CHECK(sum_of(d) == 132);
  auto& same = d;
  d = same;
  CHECK(sum_of(d) == 132);
}
