// SPDX-License-Identifier: MIT
#pragma once
#include "control/effects_needed_outside.hpp"

/// Calls whose values gradients read as factors.
namespace effects {

inline constexpr auto third = [](double x) {
  ++called;
  return 3 * x;
};
/// Three times x, which the compiler cannot see.
inline constexpr auto tripled = [](auto x) { return etch::stop_gradient(etch::host_call<"third", double>(third, x)); };
/// The same of a jet: a factor, not a function of x.
inline jet factor(const jet& x) { return jet{3 * x.value}; }

}  // namespace effects
