// SPDX-License-Identifier: MIT
#include "elementwise.hpp"

using laws::fitting;

TEST_CASE_TEMPLATE("law: elementwise ops of floats are those of the reference", T, float, double) {
  laws::check_unary_ops<T>(fitting<T, 1>(etch::elementwise_ops{}));
  laws::check_binary_ops<T>(fitting<T, 2>(etch::elementwise_ops{}));
}

TEST_CASE_TEMPLATE("law: floats are read the same from memory of any layout", T, float, double) { laws::check_layouts<T>(); }

TEST_CASE_TEMPLATE("law: casts of floats are those of the reference", T, float, double) {
  laws::check_casts<T, std::uint8_t, std::int32_t, std::int64_t, std::conditional_t<std::is_same_v<T, float>, double, float>>();
}
