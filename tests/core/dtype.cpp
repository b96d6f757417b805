// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>
#include <type_traits>

#include <doctest/doctest.h>

#include <etch/core/dtype.hpp>

/// Element types and their promotion, the whole table.
namespace {

using etch::dtype;
using etch::dtype_of;
using etch::dtype_set;

constexpr dtype all[] = {dtype::boolean, dtype::uint8, dtype::int32, dtype::int64, dtype::float32, dtype::float64};

TEST_CASE("GRA-18: what two dtypes give when they meet") {
  constexpr dtype b = dtype::boolean, u = dtype::uint8, i = dtype::int32, l = dtype::int64, f = dtype::float32,
                  d = dtype::float64;
  constexpr dtype expected[etch::dtype_count][etch::dtype_count] = {
      {b, u, i, l, f, d},  // bool
      {u, u, i, l, f, d},  // uint8
      {i, i, i, l, f, d},  // int32
      {l, l, l, l, f, d},  // int64
      {f, f, f, f, f, d},  // float32: an integer takes the float's width
      {d, d, d, d, d, d},  // float64
  };
  for (int row = 0; row < etch::dtype_count; ++row)
    for (int column = 0; column < etch::dtype_count; ++column) {
      CAPTURE(etch::name_of_dtype(all[row]));
      CAPTURE(etch::name_of_dtype(all[column]));
      CHECK(etch::promote(all[row], all[column]) == expected[row][column]);
    }
}

TEST_CASE("GRA-18: promotion does not depend on the order of many operands") {
  for (dtype a : all)
    for (dtype b : all)
      for (dtype c : all) CHECK(etch::promote(etch::promote(a, b), c) == etch::promote(a, etch::promote(b, c)));
}

TEST_CASE("GRA-17: C++ types and dtypes name each other") {
  static_assert(dtype_of<bool> == dtype::boolean);
  static_assert(dtype_of<std::uint8_t> == dtype::uint8);
  static_assert(dtype_of<std::int32_t> == dtype::int32);
  static_assert(dtype_of<long> == dtype::int64 && dtype_of<long long> == dtype::int64);
  static_assert(dtype_of<float> == dtype::float32);
  static_assert(dtype_of<double> == dtype::float64);
  static_assert(dtype_of<void> == dtype::none);
  static_assert(std::is_same_v<etch::value_type_of<dtype::uint8>, std::uint8_t>);
  static_assert(std::is_same_v<etch::value_type_of<dtype::none>, void>);
  static_assert(etch::element<float> && !etch::element<long double> && !etch::element<short> && !etch::element<char>);
  CHECK(dtype_of<etch::value_type_of<dtype::int64>> == dtype::int64);
}

TEST_CASE("GRA-17: names and sizes") {
  const char* const names[] = {"bool", "uint8", "int32", "int64", "float32", "float64"};
  const int sizes[] = {1, 1, 4, 8, 4, 8};
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
  CHECK(members(dtype_set::any) == "xxxxxx");
  CHECK(members(dtype_set::numeric) == ".xxxxx");
  CHECK(members(dtype_set::floating) == "....xx");
  CHECK(members(dtype_set::integer) == ".xxx..");
  CHECK(members(dtype_set::discrete) == "xxxx..");
  CHECK(members(dtype_set::boolean) == "x.....");
  CHECK_FALSE(etch::contains(dtype_set::any, dtype::none));
}

}  // namespace
