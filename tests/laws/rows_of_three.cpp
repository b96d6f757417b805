// SPDX-License-Identifier: MIT
#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include <etch/etch.hpp>

/// Rows of three elements, many at a time: what is a row in memory is moved to columns and back, in blocks and at their ends. Results
/// per element overlap nothing behind the last row, and nothing is read there.
namespace etch {
namespace {

using namespace etch::literals;

template <class T, int Rows>
void check_rows() {
  constexpr placeholder<"x", T, Rows, 3> x;
  constexpr auto total = sum(x * x, axis<1>, keep_dims);
  constexpr auto scaled = x * total - max(x, axis<1>, keep_dims);
  // The same rows inside of a larger array, so that they do not follow one another.
  constexpr placeholder<"y", T, Rows, 5> y;
  constexpr auto part = slice(y, section<>, section<1, 4>);
  constexpr auto scaled_part = part * sum(part * part, axis<1>, keep_dims) - max(part, axis<1>, keep_dims);
  static_assert(plan_of(scaled, x).kernel_count == 1);

  std::mt19937 generator(Rows);
  // In a vector of exactly that size: a sanitizer sees what lies beyond.
  std::vector<T> values(3 * Rows), wide(5 * Rows);
  for (std::size_t i = 0; i < Rows; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      wide[5 * i + 1 + k] = values[3 * i + k] = static_cast<T>(static_cast<int>(generator() % 19) - 9);
  session s(scaled, total, scaled_part);
  s.initialize();
  const auto [got, totals] = s.run(scaled, total, x = values);
  const auto got_part = s.run(scaled_part, y = wide);
  for (std::size_t i = 0; i < Rows; ++i) {
    const T* const row = values.data() + 3 * i;
    const T square = row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
    T most = row[0];
    for (int k = 1; k < 3; ++k) most = row[k] > most ? row[k] : most;
    CAPTURE(i);
    CHECK(totals(i, 0) == square);
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(got(i, k) == row[k] * square - most);
      CHECK(got_part(i, k) == row[k] * square - most);
    }
  }
}

TEST_CASE_TEMPLATE("law: rows of three elements", T, float, double, std::int32_t, std::int64_t) {
  check_rows<T, 16>();
  check_rows<T, 31>();
  check_rows<T, 32>();
  check_rows<T, 64>();
  check_rows<T, 67>();
  check_rows<T, 200>();
}

}  // namespace
}  // namespace etch
