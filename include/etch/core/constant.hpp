// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstdint>

#include <etch/core/expression.hpp>

/// Scalars in a graph whose value is known to the compiler.
namespace etch {

/// A scalar in a graph. Its one attribute word holds the bits of a double where the dtype is floating, else the integer.
inline constexpr struct constant : source_defaults {
  static constexpr const char* name = "constant";
  static constexpr op_role role = op_role::constant;
  static constexpr attribute_names names = {{"value", attribute_kind::scalar}};

  static constexpr std::int64_t encode(const scalar& s) {
    return is_floating(s.type) ? std::bit_cast<std::int64_t>(s.real) : s.integer;
  }
  static constexpr scalar decode(dtype type, std::int64_t word) {
    if (is_floating(type)) return {type, std::bit_cast<double>(word), 0};
    return {type, 0, word};
  }
} constant;

/// A scalar constant in a graph under construction.
constexpr ref append_constant(graph& owner, const scalar& value);
constexpr ref emit_constant(const ref& beside, const scalar& value);

}  // namespace etch
