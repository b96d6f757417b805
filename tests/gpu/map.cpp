// SPDX-License-Identifier: MIT
#include "compare.hpp"

using namespace etch::literals;
using gpu_tests::error_of;
using gpu_tests::numbers;

namespace {

constexpr etch::placeholder<"matrix", float, etch::any<"rows">, etch::any<"columns">> matrix;
constexpr etch::placeholder<"row", float, etch::any<"columns">> row;
constexpr etch::placeholder<"column", float, etch::any<"rows">, 1> column;
constexpr etch::placeholder<"cube", double, 3, 4, 5> cube;
constexpr etch::placeholder<"integers", std::int32_t, 3, 7> integers;
constexpr etch::placeholder<"bytes", std::uint8_t, 300> bytes;

}  // namespace

TEST_CASE("gpu: arithmetic broadcasts as on the CPU, bit for bit") {
  constexpr auto result = (matrix + row) * column - 0.25_c;
  for (int rows : {1, 3, 64})
    for (int columns : {1, 5, 67})
      CHECK(error_of(result, matrix = numbers<float>(rows, columns), row = numbers<float>(columns),
                     column = numbers<float>(rows, 1)) == 0);
}

TEST_CASE("gpu: a map over no elements gives an array without elements") {
  etch::gpu::session session(-row);
  const auto result = session.run(-row, row = numbers<float>(0));
  CHECK(result.size() == 0);
}

// The CPU's vectors are within 2 ulp of the true value, the standard library within 1, CUDA's functions within 2: a chain
// of three stays below 1e-6 in float.
TEST_CASE("gpu: functions of floats") {
  constexpr auto result = etch::tanh(row) * etch::exp(-etch::abs(row)) + etch::sin(row) / (etch::sqrt(row * row) + 1_c);
  CHECK(error_of(result, row = numbers<float>(1003)) < 1e-6);
}

TEST_CASE("gpu: where, comparisons and logic") {
  constexpr auto condition = etch::logical_and(row > 0_c, etch::logical_not(row > 1_c));
  CHECK(error_of(etch::where(condition, row, -row), row = numbers<float>(257)) == 0);
  CHECK(error_of(condition, row = numbers<float>(257)) == 0);
}

TEST_CASE("gpu: casts between all kinds of dtypes") {
  const auto x = numbers<std::int32_t>(3, 7);
  CHECK(error_of(etch::astype<float>(integers) / 4_c, integers = x) == 0);
  CHECK(error_of(etch::astype<std::uint8_t>(integers * integers), integers = x) == 0);
  CHECK(error_of(etch::astype<bool>(integers), integers = x) == 0);
  CHECK(error_of(etch::astype<std::int64_t>(integers) * 3000000000_c, integers = x) == 0);
  xt::xtensor<std::uint8_t, 1> all = xt::xtensor<std::uint8_t, 1>::from_shape({300});
  for (std::size_t i = 0; i < 300; ++i) all(i) = static_cast<std::uint8_t>(i);
  CHECK(error_of(etch::astype<double>(bytes + bytes), bytes = all) == 0);
}

TEST_CASE("gpu: integers divide towards minus infinity, by zero to zero") {
  const auto x = numbers<std::int32_t>(3, 7);
  CHECK(error_of(etch::floor_divide(integers, integers + 3_c), integers = x) == 0);
}

TEST_CASE("gpu: what moves elements") {
  const auto x = numbers<double>(3, 4, 5);
  CHECK(error_of(etch::transpose(cube) + 1_c, cube = x) == 0);
  CHECK(error_of(etch::flip(cube, etch::axis<1>) * 2_c, cube = x) == 0);
  CHECK(error_of(etch::reshape(etch::transpose(cube), etch::shape<5, 12>{}), cube = x) == 0);
  CHECK(error_of(etch::slice(cube, etch::section<1>, etch::section<0, 4, 2>) + 1_c, cube = x) == 0);
}

TEST_CASE("gpu: iota") {
  constexpr auto positions = etch::arange<std::int32_t>(etch::shape<7>{});
  CHECK(error_of(integers * positions, integers = numbers<std::int32_t>(3, 7)) == 0);
  etch::gpu::session session(positions);
  CHECK(session.run(positions) == xt::xtensor<std::int32_t, 1>{0, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("gpu: indices that need more than 32 bits divide as others do") {
  CHECK(etch::gpu::detail::quotient(7, 3) == 2);
  CHECK(etch::gpu::detail::quotient(0xffffffff, 1) == 0xffffffff);
  CHECK(etch::gpu::detail::quotient(std::int64_t{10} << 32, 10) == std::int64_t{1} << 32);
  CHECK(etch::gpu::detail::quotient(5, std::int64_t{1} << 32) == 0);
}

TEST_CASE("gpu: bfloat16 in memory is rounded and moved as on the CPU") {
  constexpr etch::placeholder<"halves", etch::bfloat16, 3, 20> halves;
  constexpr etch::placeholder<"floats", float, 3, 20> floats;
  constexpr auto stored = etch::astype<etch::bfloat16>(etch::astype<float>(halves) * 2_c + floats);
  constexpr auto turned = etch::transpose(halves);
  etch::gpu::session session(stored, turned);
  xt::xtensor<etch::bfloat16, 2> a({3, 20});
  xt::xtensor<float, 2> b({3, 20});
  for (std::size_t i = 0; i < a.size(); ++i) {
    a.data()[i] = etch::bfloat16(static_cast<float>(i) * 0.3f);
    b.data()[i] = static_cast<float>(i) * 0.001f;
  }
  const auto [s, t] = session.run(stored, turned, halves = a, floats = b);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 20; ++j) {
      CHECK(s(i, j).bits == etch::bfloat16(float(a(i, j)) * 2 + b(i, j)).bits);
      CHECK(t(j, i).bits == a(i, j).bits);
    }
}
