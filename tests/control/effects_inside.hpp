// SPDX-License-Identifier: MIT
#pragma once
#include "control/effects_needed_outside.hpp"

/// Programs whose effects only regions need, for each kind of effect.
namespace effects {

/// e after an effect: of a call with e as its argument.
template <effect E>
constexpr auto noted = [](auto e) {
  if constexpr (E == calls)
    return etch::after(e, etch::host_call<"note">(note, e));
  else
    return etch::after(e, etch::assign_add(count, 1_c));
};
/// What only bodies read.
template <effect E>
constexpr auto inner = after_effect<E>(a * a);

template <effect E>
void check_branch_that_is_taken() {
  check_effects<E>(
      etch::cond(
          a > 3_c, [] { return inner<E> * a; }, [] { return a * 2_c; }),
      [](const jet& x) { return x.value > 3 ? x * x * x : x * jet{2}; }, [](double x) { return x > 3 ? 1 : 0; });
}
template <effect E>
void check_both_branches() {
  check_effects<E>(
      etch::cond(
          a > 3_c, [] { return inner<E> * a; }, [] { return inner<E> - a; }),
      [](const jet& x) { return x.value > 3 ? x * x * x : x * x - x; }, once);
}
template <effect E>
void check_branch_in_a_branch() {
  check_effects<E>(
      etch::cond(
          a > 0_c, [] { return inner<E> * etch::cond(a > 3_c, [] { return inner<E> * a; }, [] { return a; }); },
          [] { return a * 3_c; }),
      [](const jet& x) {
        const jet w = x * x;
        return x.value > 3 ? w * w * x : x.value > 0 ? w * x : x * jet{3};
      },
      [](double x) { return x > 0 ? 1 : 0; });
}
/// A step's value that a loop in it reads.
template <effect E>
void check_loop_in_a_step() {
  check_effects<E>(
      etch::for_range<2>(
          [](auto, auto t) {
            const auto w = noted<E>(t * t);
            return w + etch::for_range<3>([=](auto, auto u) { return u + w; }, a);
          },
          a),
      [](const jet& x) {
        jet t = x;
        for (int i = 0; i < 2; ++i) t = jet{4} * t * t + x;
        return t;
      },
      [](double) { return 2; });
}

}  // namespace effects
