// SPDX-License-Identifier: MIT
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>

#include <doctest/doctest.h>

#include <etch/core/dtype.hpp>

/// Element types and their promotion, the whole table.
namespace {

using etch::dtype;
using etch::dtype_of;
using etch::dtype_set;

constexpr dtype all[] = {dtype::boolean, dtype::int8,   dtype::int16,  dtype::int32,   dtype::int64,   dtype::uint8,
                         dtype::uint16,  dtype::uint32, dtype::uint64, dtype::float32, dtype::float64, dtype::bfloat16};
static_assert(std::size(all) == etch::dtype_count);

/// Of integers with integers this is what NumPy's `result_type` says, but for uint64 with signed ones, where that says float64.
TEST_CASE("GRA-18: what two dtypes give when they meet") {
  using enum dtype;
  constexpr dtype b = boolean, i8 = int8, i16 = int16, i32 = int32, i64 = int64, u8 = uint8, u16 = uint16, u32 = uint32,
                  u64 = uint64, f32 = float32, f64 = float64, bf = bfloat16, no = none;
  constexpr dtype expected[etch::dtype_count][etch::dtype_count] = {
      {b, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, bf},       // bool
      {i8, i8, i16, i32, i64, i16, i32, i64, no, f32, f64, bf},      // int8
      {i16, i16, i16, i32, i64, i16, i32, i64, no, f32, f64, bf},    // int16
      {i32, i32, i32, i32, i64, i32, i32, i64, no, f32, f64, bf},    // int32: a float keeps its width
      {i64, i64, i64, i64, i64, i64, i64, i64, no, f32, f64, bf},    // int64
      {u8, i16, i16, i32, i64, u8, u16, u32, u64, f32, f64, bf},     // uint8
      {u16, i32, i32, i32, i64, u16, u16, u32, u64, f32, f64, bf},   // uint16
      {u32, i64, i64, i64, i64, u32, u32, u32, u64, f32, f64, bf},   // uint32
      {u64, no, no, no, no, u64, u64, u64, u64, f32, f64, bf},       // uint64: no dtype holds it and a signed one
      {f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f64, f32},  // float32
      {f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64},  // float64
      {bf, bf, bf, bf, bf, bf, bf, bf, bf, f32, f64, bf},            // bfloat16: no integer, as in JAX
  };
  for (int row = 0; row < etch::dtype_count; ++row)
    for (int column = 0; column < etch::dtype_count; ++column) {
      CAPTURE(etch::name_of_dtype(all[row]));
      CAPTURE(etch::name_of_dtype(all[column]));
      CHECK(etch::promote(all[row], all[column]) == expected[row][column]);
      CHECK(etch::promote(all[column], all[row]) == expected[row][column]);
    }
  CHECK(etch::promote(none, int32) == none);
  CHECK(etch::promote(float64, none) == none);
}

TEST_CASE("GRA-18: promotion does not depend on the order of many operands") {
  for (dtype a : all)
    for (dtype b : all)
      for (dtype c : all) {
        const dtype orders[][3] = {{a, b, c}, {a, c, b}, {b, a, c}, {b, c, a}, {c, a, b}, {c, b, a}};
        for (const auto& order : orders) CHECK(etch::promote(order, 3) == etch::promote(orders[0], 3));
      }
  const dtype with_a_float[] = {dtype::int8, dtype::uint64, dtype::float32};
  CHECK(etch::promote(with_a_float, 3) == dtype::float32);
  CHECK(etch::promote(with_a_float, 2) == dtype::none);
  CHECK(etch::promote(with_a_float, 1) == dtype::int8);
}

/// As NumPy's sums, but for int32, which stays.
TEST_CASE("GRA-18: what sums of a dtype are") {
  using enum dtype;
  const dtype expected[] = {int64, int64, int64, int32, int64, int64, int64, uint32, uint64, float32, float64, bfloat16};
  for (int i = 0; i < etch::dtype_count; ++i) {
    CAPTURE(etch::name_of_dtype(all[i]));
    CHECK(etch::dtype_of_sums(all[i]) == expected[i]);
    CHECK(etch::dtype_of_sums(expected[i]) == expected[i]);
  }
}

TEST_CASE("GRA-17: C++ types and dtypes name each other") {
  static_assert(dtype_of<bool> == dtype::boolean);
  static_assert(dtype_of<std::int8_t> == dtype::int8 && dtype_of<short> == dtype::int16);
  static_assert(dtype_of<std::uint8_t> == dtype::uint8 && dtype_of<unsigned short> == dtype::uint16);
  static_assert(dtype_of<std::int32_t> == dtype::int32 && dtype_of<unsigned> == dtype::uint32);
  static_assert(dtype_of<long> == dtype::int64 && dtype_of<long long> == dtype::int64);
  static_assert(dtype_of<unsigned long> == dtype::uint64 && dtype_of<unsigned long long> == dtype::uint64);
  static_assert(dtype_of<float> == dtype::float32);
  static_assert(dtype_of<double> == dtype::float64);
  static_assert(dtype_of<etch::bfloat16> == dtype::bfloat16);
  static_assert(dtype_of<void> == dtype::none);
  static_assert(std::is_same_v<etch::value_type_of<dtype::uint8>, std::uint8_t>);
  static_assert(std::is_same_v<etch::value_type_of<dtype::none>, void>);
  static_assert(etch::element<float> && !etch::element<long double> && !etch::element<wchar_t> && !etch::element<char>);
  CHECK(dtype_of<etch::value_type_of<dtype::int64>> == dtype::int64);
}

TEST_CASE("GRA-17: names and sizes") {
  const char* const names[] = {"bool",   "int8",   "int16",  "int32",   "int64",   "uint8",
                               "uint16", "uint32", "uint64", "float32", "float64", "bfloat16"};
  const int sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 2};
  for (int i = 0; i < etch::dtype_count; ++i) {
    CHECK(std::string(etch::name_of_dtype(all[i])) == names[i]);
    CHECK(etch::size_of_dtype(all[i]) == sizes[i]);
  }
  CHECK(std::string(etch::name_of_dtype(dtype::none)) == "none");
  CHECK(etch::size_of_dtype(dtype::none) == 0);
}

TEST_CASE("GRA-17: sets of dtypes") {
  const auto members = [](dtype_set set) {
    std::string text;
    for (dtype d : all) text += etch::contains(set, d) ? 'x' : '.';
    return text;
  };
  CHECK(members(dtype_set::any) == "xxxxxxxxxxxx");
  CHECK(members(dtype_set::computed) == "xxxxxxxxxxx.");
  CHECK(members(dtype_set::numeric) == ".xxxxxxxxxx.");
  CHECK(members(dtype_set::floating) == ".........xx.");
  CHECK(members(dtype_set::integer) == ".xxxxxxxx...");
  CHECK(members(dtype_set::discrete) == "xxxxxxxxx...");
  CHECK(members(dtype_set::boolean) == "x...........");
  CHECK_FALSE(etch::contains(dtype_set::any, dtype::none));
}

TEST_CASE("GRA-17: dtypes of storage are floats of two bytes") {
  for (dtype d : all) CHECK(etch::is_storage(d) == (d == dtype::bfloat16));
  CHECK(etch::is_floating(dtype::bfloat16));
  CHECK(etch::lane_bytes_of(dtype::bfloat16) == 4);
}

}  // namespace
