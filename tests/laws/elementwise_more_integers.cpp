// SPDX-License-Identifier: MIT
#include "elementwise.hpp"

using laws::fitting;

TEST_CASE_TEMPLATE("law: elementwise ops of narrow and unsigned integers are those of the reference", T, std::int8_t, std::int16_t,
                   std::uint16_t, std::uint32_t, std::uint64_t) {
  laws::check_unary_ops<T>(fitting<T, 1>(etch::elementwise_ops{}));
  laws::check_binary_ops<T>(fitting<T, 2>(etch::elementwise_ops{}));
}

// Loads are the same for all dtypes of a size: elementwise_integer.cpp has the other sizes.
TEST_CASE("law: integers of two bytes are read the same from memory of any layout") { laws::check_layouts<std::uint16_t>(); }

TEST_CASE("law: casts of and to narrow and unsigned integers are those of the reference") {
  using namespace std;
  laws::check_casts<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float, double>();
  laws::check_casts<int16_t, int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float, double>();
  laws::check_casts<uint16_t, int8_t, int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t, float, double>();
  laws::check_casts<uint32_t, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t, float, double>();
  laws::check_casts<uint64_t, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, float, double>();
  laws::check_casts<int32_t, int8_t, int16_t, uint16_t, uint32_t, uint64_t>();
  laws::check_casts<float, int8_t, int16_t, uint16_t, uint32_t, uint64_t>();
  laws::check_casts<double, int8_t, int16_t, uint16_t, uint32_t, uint64_t>();
}
