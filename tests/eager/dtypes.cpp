// SPDX-License-Identifier: MIT
#include <random>

#include <doctest/doctest.h>
#include <xtensor/xtensor.hpp>

#include <etch/eager.hpp>

// Ops of every dtype, of sizes with and without tails, against loops of plain C++.

using namespace etch::literals;

namespace {

template <class T>
xt::xtensor<T, 2> numbers(std::size_t rows, std::size_t columns, std::uint32_t seed) {
  std::minstd_rand random(seed + 1);
  auto v = xt::xtensor<T, 2>::from_shape({rows, columns});
  for (T& x : v) x = static_cast<T>(random() % 5 + 1);
  return v;
}

template <class T>
void check_dtype() {
  CAPTURE(etch::name_of_dtype(etch::dtype_of<T>));
  using sum_type = etch::value_type_of<etch::dtype_of_sums(etch::dtype_of<T>)>;
  for (const std::size_t columns : {0u, 1u, 3u, 16u, 67u}) {
    CAPTURE(columns);
    const std::size_t rows = 5;
    const auto a = numbers<T>(rows, columns, 1), b = numbers<T>(rows, columns, 2);
    const etch::tensor<T, 2> x = a, y = b;
    const auto total = x * y + x - 1_c;
    const auto column_sums = etch::sum(x, etch::axis<0>);
    const auto row_sums = etch::sum(x, etch::axis<1>);
    const auto beside = x + y[0];
    const auto turned = etch::transpose(x);
    const auto product = etch::matmul(x, etch::transpose(y));
    const auto wide = etch::astype<double>(x);
    bool right = true;
    for (std::size_t i = 0; i < rows; ++i) {
      sum_type row = 0;
      for (std::size_t j = 0; j < columns; ++j) {
        const auto p = static_cast<int>(i), q = static_cast<int>(j);
        row = static_cast<sum_type>(row + static_cast<sum_type>(a(i, j)));
        right = right && total(p, q) == static_cast<T>(a(i, j) * b(i, j) + a(i, j) - T(1));
        right = right && beside(p, q) == static_cast<T>(a(i, j) + b(0, j));
        right = right && turned(q, p) == a(i, j) && wide(p, q) == static_cast<double>(a(i, j));
      }
      right = right && row_sums(static_cast<int>(i)) == row;
      for (std::size_t k = 0; k < rows; ++k) {
        T sum = 0;
        for (std::size_t j = 0; j < columns; ++j) sum = static_cast<T>(sum + a(i, j) * b(k, j));
        right = right && product(static_cast<int>(i), static_cast<int>(k)) == sum;
      }
    }
    for (std::size_t j = 0; j < columns; ++j) {
      sum_type column = 0;
      for (std::size_t i = 0; i < rows; ++i) column = static_cast<sum_type>(column + static_cast<sum_type>(a(i, j)));
      right = right && column_sums(static_cast<int>(j)) == column;
    }
    CHECK(right);
  }
}

}  // namespace

TEST_CASE("EAG-02: arithmetic, sums, products and moves of every dtype") {
  check_dtype<float>();
  check_dtype<double>();
  check_dtype<std::int8_t>();
  check_dtype<std::int16_t>();
  check_dtype<std::int32_t>();
  check_dtype<std::int64_t>();
  check_dtype<std::uint8_t>();
  check_dtype<std::uint16_t>();
  check_dtype<std::uint32_t>();
  check_dtype<std::uint64_t>();
}

TEST_CASE("EAG-02: operands of different dtypes meet in the one that holds both") {
  const etch::tensor<std::int8_t, 1> narrow = {-1, 2};
  const etch::tensor<std::uint8_t, 1> bytes = {255, 1};
  const etch::tensor<float, 1> floats = {0.5f, 0.25f};
  const auto both = narrow + bytes;
  static_assert(std::is_same_v<decltype(both)::value_type, std::int16_t>);
  CHECK(both(0) == 254);
  const auto scaled = narrow * floats;
  static_assert(std::is_same_v<decltype(scaled)::value_type, float>);
  CHECK(scaled(0) == -0.5f);
  const auto chosen = etch::where(narrow > 0, bytes, floats);
  static_assert(std::is_same_v<decltype(chosen)::value_type, float>);
  CHECK(chosen(0) == 0.5f);
}
