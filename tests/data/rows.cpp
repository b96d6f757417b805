// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <xtensor/xtensor.hpp>

#include <data/positions.hpp>
#include <etch/data.hpp>

/// Rows of arrays in memory, which are prefetched while others are copied: lengths around lines, and counts around what is drawn ahead.
namespace {

using namespace etch;

template <class T>
xt::xtensor<T, 2> numbered_rows(std::size_t rows, std::size_t length) {
  xt::xtensor<T, 2> a = xt::zeros<T>({rows, length});
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < length; ++k) a(i, k) = static_cast<T>(i * 31 + k * 7);
  return a;
}

/// Every row comes once, whole and with its number.
template <class Batches>
void check_rows(Batches batches, std::int64_t rows, std::int64_t length) {
  for (int round = 0; round < 2; ++round) {
    std::vector<int> times(static_cast<std::size_t>(rows));
    bool are_equal = true;
    for (auto [x, number] : batches)
      for (std::size_t r = 0; r < number.size(); ++r) {
        const auto i = static_cast<std::size_t>(number(r));
        ++times[i];
        using T = std::remove_cvref_t<decltype(x(0, 0))>;
        for (std::size_t k = 0; k < static_cast<std::size_t>(length); ++k) are_equal &= x(r, k) == static_cast<T>(i * 31 + k * 7);
      }
    CHECK(are_equal);
    CHECK(std::ranges::all_of(times, [](int t) { return t == 1; }));
  }
}
template <class T>
void check_length(std::int64_t length) {
  for (const std::int64_t rows : {1, 2, 15, 16, 17, 63, 64, 65, 130}) {
    INFO(rows << " rows of " << length << " of " << sizeof(T) << " bytes");
    const auto values = numbered_rows<T>(static_cast<std::size_t>(rows), static_cast<std::size_t>(length));
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(rows));
    std::iota(numbers.begin(), numbers.end(), 0);
    const auto slices = data::slices(values, numbers);
    check_rows(slices.batch(7), rows, length);
    check_rows(slices.shuffle(rows, 5).batch(7), rows, length);
    check_rows(slices.shuffle(10, 5).batch(64), rows, length);
    check_rows(data::zip(data::slices(values), data::slices(numbers)).shuffle(rows, 5).batch(7), rows, length);
    check_rows(slices.take(rows).shuffle(rows, 5).take(rows).repeat(1).batch(7), rows, length);
  }
}

}  // namespace

TEST_CASE("rows of every length are copied whole, shuffled or not") {
  for (const std::int64_t length : {0, 1, 63, 64, 65, 784, 8191, 8192, 8193, 9000}) check_length<std::uint8_t>(length);
  for (const std::int64_t length : {1, 15, 16, 17, 784, 2049}) check_length<float>(length);
  for (const std::int64_t length : {1, 7, 8, 9, 1100}) check_length<double>(length);
}
TEST_CASE("texts are shuffled and put into batches") {
  std::vector<std::string> words;
  for (int i = 0; i < 100; ++i) words.push_back(std::string(static_cast<std::size_t>(i), 'a'));
  std::vector<int> times(words.size());
  for (auto batch : data::slices(words).shuffle(100, 1).batch(8))
    for (const std::string& word : batch) ++times[word.size()];
  CHECK(std::ranges::all_of(times, [](int t) { return t == 1; }));
}
TEST_CASE("positions of shuffled slices, whose numbers are drawn ahead") {
  std::vector<std::int64_t> numbers(70);
  std::iota(numbers.begin(), numbers.end(), 0);
  check_positions([&] { return data::slices(numbers).shuffle(70, 3); });
  check_positions([&] { return data::slices(numbers).shuffle(9, 3).batch(1).unbatch(); });
}
