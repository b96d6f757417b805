// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <vector>

#include <data/positions.hpp>
#include <etch/data.hpp>
#include <etch/data/cache_file.hpp>
#include <format/files.hpp>

/// What is expected of unbatch, window, interleave, padded_batch, bucket_by_length and enumerate was printed by tf.data 2.21.
namespace {

using namespace etch;
using numbers = std::vector<std::int64_t>;

template <class Dataset>
std::vector<numbers> rows(Dataset&& d) {
  std::vector<numbers> all;
  for (auto r : d) all.emplace_back(r.begin(), r.end());
  return all;
}
/// The same numbers without an index.
auto stream(std::int64_t count) {
  return data::range(count).filter([](std::int64_t) { return true; });
}
/// i times the number i.
constexpr auto repeated = [](std::int64_t i) {
  return xt::xtensor<std::int64_t, 1>(xt::ones<std::int64_t>({static_cast<std::size_t>(i)}) * i);
};
constexpr auto length = [](const tensor<std::int64_t, 1>& v) { return v.extent(0); };

}  // namespace

TEST_CASE("unbatch: rows of batches") {
  CHECK(all(data::range(10).batch(4).unbatch()) == all(data::range(10)));
  CHECK(all(data::range(4).flat_map([](std::int64_t i) { return data::range(i).batch(9); }).unbatch()) ==
        numbers{0, 0, 1, 0, 1, 2});
  CHECK(all(data::range(0).batch(4).unbatch()).empty());
  const xt::xtensor<float, 3> x = xt::arange<float>(0, 24).reshape({2, 3, 4});
  const xt::xtensor<int, 2> y = {{1, 2, 3}, {4, 5, 6}};
  int n = 0;
  for (auto [row, label] : data::slices(x, y).unbatch()) {
    CHECK(row(3) == static_cast<float>(4 * n + 3));
    CHECK(label == ++n);
  }
  CHECK(n == 6);
  const auto loop = [](auto d) {
    for ([[maybe_unused]] auto e : d) {
    }
  };
  CHECK_THROWS_WITH_AS(loop(data::zip(data::range(6).batch(3), data::range(5).batch(3)).unbatch()),
                       "data: unbatch: element 1: component 0 has 3 rows, component 1 has 2", error);
}
TEST_CASE("window: consecutive elements, shifted, with strides") {
  const auto check = [](std::int64_t n, std::int64_t size, std::int64_t shift, std::int64_t stride, bool drop,
                        const std::vector<numbers>& expected) {
    auto d = data::range(n).window(size, shift, stride, drop);
    CHECK(rows(d) == expected);
    CHECK(d.size() == static_cast<std::int64_t>(expected.size()));
    CHECK(rows(stream(n).window(size, shift, stride, drop)) == expected);
  };
  check(10, 3, 2, 1, false, {{0, 1, 2}, {2, 3, 4}, {4, 5, 6}, {6, 7, 8}, {8, 9}});
  check(10, 3, 2, 2, true, {{0, 2, 4}, {2, 4, 6}, {4, 6, 8}});
  check(10, 3, 5, 2, true, {{0, 2, 4}, {5, 7, 9}});
  check(10, 4, 0, 1, false, {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9}});
  check(7, 2, 3, 3, false, {{0, 3}, {3, 6}, {6}});
  check(3, 4, 1, 1, true, {});
  check(0, 4, 1, 1, false, {});
  check(10, 3, INT64_MAX, 1, false, {{0, 1, 2}});
  check(10, 3, INT64_MAX - 1, 2, true, {{0, 2, 4}});
  // Shuffled by number, without the elements.
  auto shuffled = rows(data::range(10).window(3, 2).shuffle(9, 4));
  std::ranges::sort(shuffled);
  CHECK(shuffled == rows(data::range(10).window(3, 2)));
}
TEST_CASE("interleave and flat_map: datasets of elements") {
  const auto of_ten = [](std::int64_t i) { return data::range(i * 10, i * 10 + 6); };
  CHECK(all(data::range(1, 6).interleave(of_ten, 2, 4)) == numbers{10, 11, 12, 13, 20, 21, 22, 23, 14, 15, 24, 25, 30, 31, 32,
                                                                   33, 40, 41, 42, 43, 34, 35, 44, 45, 50, 51, 52, 53, 54, 55});
  const auto growing = [](std::int64_t i) { return data::range(i * 10, i * 10 + i); };
  CHECK(all(data::range(1, 6).interleave(growing, 3, 2)) == numbers{10, 20, 21, 30, 31, 40, 41, 32, 42, 43, 50, 51, 52, 53, 54});
  CHECK(all(data::range(4).interleave([](std::int64_t i) { return data::range(3 - i); }, 4)) == numbers{0, 0, 0, 1, 1, 2});
  CHECK(all(data::range(1, 4).flat_map([](std::int64_t i) { return data::range(i); })) == numbers{0, 0, 1, 0, 1, 2});
  CHECK(all(data::range(0).interleave(of_ten, 2)).empty());
}
TEST_CASE("interleave: what is by chance is another in each dataset, turn and round") {
  const auto shuffled = [](std::int64_t i) { return data::range(20).shuffle(20).map([i](std::int64_t v) { return 100 * i + v; }); };
  auto d = data::range(2).repeat(3).flat_map(shuffled);
  std::vector<numbers> orders;
  for (int round = 0; round < 2; ++round) {
    const numbers values = all(d);
    REQUIRE(values.size() == 120);
    for (auto from = values.begin(); from != values.end(); from += 20) {
      numbers order(from, from + 20);
      for (std::int64_t& v : order) v %= 100;
      CHECK(std::ranges::find(orders, order) == orders.end());
      orders.push_back(order);
      std::ranges::sort(order);
      CHECK(order == all(data::range(20)));
    }
  }
  // Two loops have the same rounds.
  CHECK(all(data::range(2).repeat(3).flat_map(shuffled)) == all(data::range(2).repeat(3).flat_map(shuffled)));
}
TEST_CASE("padded_batch: filled up to the longest") {
  using batches = std::vector<numbers>;
  CHECK(rows(data::range(1, 6).map(repeated).padded_batch(2, -1)) ==
        batches{{1, -1, 2, 2}, {3, 3, 3, -1, 4, 4, 4, 4}, {5, 5, 5, 5, 5}});
  CHECK(rows(data::range(1, 6).map(repeated).padded_batch(2, -1, true)) == batches{{1, -1, 2, 2}, {3, 3, 3, -1, 4, 4, 4, 4}});
  const auto squares = data::range(1, 4).map(
      [](std::int64_t i) { return std::tuple(xt::xtensor<std::int64_t, 2>(xt::ones<std::int64_t>({i, 4 - i}) * i), i); });
  for (auto [a, b] : squares.padded_batch(3)) {
    CHECK(numbers(a.begin(), a.end()) == numbers{1, 1, 1, 0, 0, 0, 0, 0, 0, 2, 2, 0, 2, 2, 0, 0, 0, 0, 3, 0, 0, 3, 0, 0, 3, 0, 0});
    CHECK(a.shape() == std::array<std::size_t, 3>{3, 3, 3});
    CHECK(numbers(b.begin(), b.end()) == numbers{1, 2, 3});
  }
  for (auto [a, b] : squares.padded_batch(3, {7, 0})) CHECK(a(0, 1, 0) == 7);
}
TEST_CASE("bucket_by_length: batches of similar lengths") {
  using batches = std::vector<numbers>;
  CHECK(rows(data::range(1, 8).map(repeated).bucket_by_length(length, {3, 5}, {2, 2, 2})) ==
        batches{{1, 0, 2, 2}, {3, 3, 3, 0, 4, 4, 4, 4}, {5, 5, 5, 5, 5, 0, 6, 6, 6, 6, 6, 6}, {7, 7, 7, 7, 7, 7, 7}});
  const auto mixed = data::range(10).map([](std::int64_t i) { return repeated(i * 7 % 10); });
  batches expected{{7, 7, 7, 7, 7, 7, 7, 0, 8, 8, 8, 8, 8, 8, 8, 8},
                   {4, 4, 4, 4, 0, 5, 5, 5, 5, 5},
                   {9, 9, 9, 9, 9, 9, 9, 9, 9, 6, 6, 6, 6, 6, 6, 0, 0, 0},
                   {2, 2, 0, 3, 3, 3},
                   {0, 1}};
  CHECK(rows(mixed.bucket_by_length(length, {2, 6}, {3, 2, 2})) == expected);
  expected.pop_back();
  CHECK(rows(mixed.bucket_by_length(length, {2, 6}, {3, 2, 2}, 0, true)) == expected);
}
TEST_CASE("padding is part of positions and caches") {
  const files::folder here("data_padding");
  const auto lists = data::range(1, 6).map(repeated);
  const data::cache_file file(here / "file");
  CHECK(rows(lists.padded_batch(2, -1).cache(file))[0] == numbers{1, -1, 2, 2});
  CHECK_THROWS_AS(lists.padded_batch(2, 0).cache(file), error);
  CHECK(rows(lists.padded_batch(2, -1).cache(file))[0] == numbers{1, -1, 2, 2});
  const auto text = [](auto d) { return d.position().dataset; };
  CHECK(text(lists.padded_batch(2)) == "range(1, 6, 1).map(f).padded_batch(2)");
  CHECK(text(lists.padded_batch(2, -1, true)) == "range(1, 6, 1).map(f).padded_batch(2, padding -1, drop_remainder)");
  CHECK(text(lists.bucket_by_length(length, {3}, {2, 1}, 7)) == "range(1, 6, 1).map(f).bucket_by_length(f, 3; 2, 1; padding 7)");
  const auto several =
      data::range(3).map([](std::int64_t) { return std::tuple(0.1f, -0., std::string("a\n"), true, bfloat16(2.f)); });
  CHECK(text(several.padded_batch(2, {0.1f, -0., "a\n", true, bfloat16(2.f)})) ==
        "range(0, 3, 1).map(f).padded_batch(2, padding 0.1, -0, \"a\\x0a\", 1, 2)");
}
TEST_CASE("enumerate: elements with their numbers") {
  numbers seen;
  for (auto [i, v] : data::range(5, 8).enumerate(10)) seen.insert(seen.end(), {i, v});
  CHECK(seen == numbers{10, 5, 11, 6, 12, 7});
  seen.clear();
  for (auto [i, v] : stream(2).enumerate()) seen.insert(seen.end(), {i, v});
  CHECK(seen == numbers{0, 0, 1, 1});
  CHECK(data::range(9).enumerate().size() == 9);
}
TEST_CASE("positions: windows, rows, interleaved datasets, buckets") {
  static constexpr auto first = [](const tensor<std::int64_t, 1>& b) { return 100 * b(0) + b.extent(0); };
  check_positions([] { return data::range(11).shuffle(4).batch(3).unbatch(); });
  check_positions([] { return data::range(6).map(repeated).shuffle(9).unbatch().shuffle(3); });
  check_positions([] { return data::range(2).batch(8).unbatch().concatenate(data::range(5).batch(2).unbatch()); });
  check_positions([] { return data::range(11).window(3, 2).map(first).shuffle(4); });
  check_positions([] { return data::range(11).shuffle(11).window(3, 2, 2).map(first); });
  check_positions(
      [] { return data::range(5).shuffle(5).interleave([](std::int64_t i) { return data::range(i).shuffle(3); }, 2, 2); });
  check_positions(
      [] { return data::range(5).batch(2).unbatch().flat_map([](std::int64_t i) { return data::range(i).batch(2).unbatch(); }); });
  check_positions([] {
    return data::range(3).shuffle(3).repeat(2).interleave([](std::int64_t i) { return data::range(i + 2).shuffle(3).repeat(2); },
                                                          2);
  });
  check_positions([] {
    return data::range(1, 9).map(repeated).shuffle(8).padded_batch(3).map([](const tensor<std::int64_t, 2>& b) { return b(0, 0); });
  });
  check_positions([] {
    return data::range(1, 9)
        .map(repeated)
        .shuffle(8)
        .bucket_by_length(length, {3, 6}, {2, 3, 1})
        .map([](const tensor<std::int64_t, 2>& b) { return 100 * b(0, 0) + b.extent(0); });
  });
  check_positions(
      [] { return data::range(7).shuffle(7).enumerate().map([](std::int64_t i, std::int64_t v) { return 10 * i + v; }); });
}
TEST_CASE("ranges and numbers up to the ends of int64") {
  constexpr std::int64_t least = INT64_MIN, most = INT64_MAX;
  CHECK(data::range(0, most).size() == most);
  CHECK(data::range(most, 0, -1).size() == most);
  CHECK(all(data::range(most - 3, most, 2)) == numbers{most - 3, most - 1});
  CHECK(all(data::range(least + 2, least, -1)) == numbers{least + 2, least + 1});
  CHECK(all(data::range(0, most, most - 1)) == numbers{0, most - 1});
  CHECK(data::range(most, least).size() == 0);
  CHECK(data::range(0, most, 2).position().dataset == "range(0, -9223372036854775808, 2)");
  CHECK_THROWS_WITH_AS(data::range(least, most),
                       "data::range: from -9223372036854775808 to 9223372036854775807 by 1: numbers are at most 2^63 - 1 apart",
                       error);
  CHECK_THROWS_AS(data::range(0, -5, least), error);
  CHECK(data::range(3).enumerate(7).position().dataset == "zip(range(7, 9223372036854775807, 1), range(0, 3, 1))");
  for (auto [i, v] : data::range(1).enumerate(least)) CHECK(i == least);
  CHECK(data::range(9).enumerate(most - 2).size() == 2);
}
TEST_CASE("bad input to these: sentences") {
  CHECK_THROWS_WITH_AS(data::range(3).window(0), "data: window: size, shift and stride are at least 1, not 0, 0 and 1", error);
  CHECK_THROWS_WITH_AS(data::range(3).window(INT64_MAX, 1, 2),
                       "data: window: size times stride is at most 2^40, not 9223372036854775807 times 2", error);
  CHECK_THROWS_WITH_AS(data::range(3).map(repeated).bucket_by_length(length, {3}, {2}),
                       "data: bucket_by_length: 1 boundaries make 2 buckets, given are the rows of 1", error);
  CHECK_THROWS_WITH_AS(data::range(3).map(repeated).bucket_by_length(length, {3, 3}, {2, 2, 2}),
                       "data: bucket_by_length: boundary 1, 3, is not above 3", error);
  CHECK_THROWS_WITH_AS(data::range(3).interleave([](std::int64_t i) { return data::range(i); }, 0),
                       "data: interleave: cycle and block have at least 1 element, not 0 and 1", error);
  const auto ragged = data::range(1, 5).map(repeated).window(2, 1);
  const auto loop = [](auto d) {
    for ([[maybe_unused]] auto e : d) {
    }
  };
  CHECK_THROWS_WITH_AS(loop(ragged), "data: window: component 0 of element 1 has the shape [2], those before it in the window [1]",
                       error);
  const auto thrower = data::range(5).interleave(
      [](std::int64_t i) {
        if (i == 3) throw std::runtime_error("three");
        return data::range(i);
      },
      2);
  CHECK_THROWS_WITH_AS(loop(thrower), "data: interleave: element 3: three", error);
}
