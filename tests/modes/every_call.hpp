// SPDX-License-Identifier: MIT
#pragma once
#include "every_call/operands.hpp"
#include "modes/mode.hpp"

/// "Every op and every function of ops, written once, gives the same values and gradients in all modes, of random operands, and of NaN,
/// infinities and zeros."
namespace etch::modes {

/// Whether gradients of e with respect to the slot pass by floats.
template <class E, class Slot>
constexpr bool is_reached(E, Slot) {
  return etch::detail::reached_by_floats(etch::detail::record_address<E::hash>).find(Slot::hash) >= 0;
}

template <every_call::kind Kind, class F>
void check(const char* text, F f) {
  namespace slots = every_call::slots;
  constexpr auto e = F{}(slots::x, slots::y, slots::b, slots::i, slots::rows, slots::labels);
  // With respect to x, and to y where it has a part in it.
  constexpr int gradients = Kind == every_call::kind::value ? 0 : is_reached(e, slots::y) ? 2 : 1;
  const auto check_of = [&](const every_call::arrays& a, const std::string& which) {
    check_modes<gradients, in_a_session, probed, at_once, as_a_function>(
        text + which, f, operand<decltype(slots::x)>{a.x}, operand<decltype(slots::y)>{a.y}, operand<decltype(slots::b)>{a.b},
        operand<decltype(slots::i)>{a.i}, operand<decltype(slots::rows)>{a.rows}, operand<decltype(slots::labels)>{a.labels});
  };
  for (const unsigned seed : {1u, 2u, 3u, 4u})
    // Inside of what nearly every op is defined for, and beyond.
    check_of(seed % 2 == 1 ? every_call::random_arrays(seed, 0.05f, 0.95f) : every_call::random_arrays(seed, -4, 4),
             ", seed " + std::to_string(seed));
  if (Kind != every_call::kind::finite_gradient) check_of(every_call::wild_arrays(), ", beyond");
}

}  // namespace etch::modes
