// SPDX-License-Identifier: MIT
#include "control/effects_read_by_gradients.hpp"

/// Calls whose values gradients of branches read: once where the branch is taken, whether the value, the gradient or both are asked for.
namespace {

using namespace effects;
using etch::cond;
using etch::for_range;

}  // namespace

TEST_CASE("AG-06: the gradient of a branch reads what a call in it has given") {
  check_effects<calls>(
      cond(
          a > 3_c, [] { return tripled(a) * a * a; }, [] { return a * 2_c; }),
      [](const jet& x) { return x.value > 3 ? factor(x) * x * x : x * jet{2}; }, [](double x) { return x > 3 ? 1 : 0; });
}

TEST_CASE("AG-06: the gradient of a branch in a loop, and of a loop in a branch") {
  check_effects<calls>(
      for_range<3>([](auto i, auto t) { return cond(i > 0_c, [=] { return tripled(t) * t; }, [=] { return t * a; }); }, a),
      [](const jet& x) {
        jet t = x * x;
        for (int i = 1; i < 3; ++i) t = factor(t) * t;
        return t;
      },
      [](double) { return 2; });
  check_effects<calls>(
      cond(
          a > 3_c, [] { return for_range<2>([](auto, auto t) { return tripled(t) * t; }, a); }, [] { return a * a; }),
      [](const jet& x) {
        if (x.value <= 3) return x * x;
        jet t = x;
        for (int i = 0; i < 2; ++i) t = factor(t) * t;
        return t;
      },
      [](double x) { return x > 3 ? 2 : 0; });
}
