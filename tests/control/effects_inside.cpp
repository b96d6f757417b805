// SPDX-License-Identifier: MIT
#include "control/effects_inside.hpp"

/// Calls that only regions need: once a step, and in the branch that is taken; by gradients as often as by values.
namespace {

using namespace effects;
using etch::cond;
using etch::for_range;
using etch::switch_case;
using etch::while_loop;

constexpr auto v = inner<calls>;

}  // namespace

TEST_CASE("AG-01, AG-06: a call in a branch happens where the branch is taken, once, and none where it is not") {
  check_branch_that_is_taken<calls>();
  check_effects<calls>(
      cond(
          a > 3_c, [] { return a * 2_c; }, [] { return v * v; }),
      [](const jet& x) { return x.value > 3 ? x * jet{2} : x * x * x * x; }, [](double x) { return x > 3 ? 0 : 1; });
}

TEST_CASE("AG-01, AG-06: what both branches read of a call, or some cases and what stands outside, happens once") {
  check_both_branches<calls>();
  check_effects<calls>(
      v + switch_case(
              etch::astype<int>(a) - 1_c, [] { return a; }, [] { return v * a; }, [] { return v * v; }),
      [](const jet& x) { return x * x + (x.value == 2 ? x * x * x : x * x * x * x); }, once);
}

TEST_CASE("AG-06: a call in a branch in a branch, which the outer one reads, too") { check_branch_in_a_branch<calls>(); }

TEST_CASE("AG-06: a call in a loop happens once a step, also where a gradient reads what comes after it") {
  check_effects<calls>(
      for_range<3>([](auto, auto t) { return t * noted<calls>(t * a); }, a),
      [](jet x) {
        jet t = x;
        for (int i = 0; i < 3; ++i) t = t * t * x;
        return t;
      },
      [](double) { return 3; });
  // 2: 2, 6, 14, 30, 62; 4: 4, 20, 84; -1: until the bound.
  check_effects<calls>(
      while_loop<5>([](auto t) { return t < 60_c; }, [](auto t) { return noted<calls>(t * a) + a; }, a),
      [](const jet& x) {
        jet t = x;
        for (int i = 0; i < 5 && t.value < 60; ++i) t = t * x + x;
        return t;
      },
      [](double x) { return x == 2   ? 4
                            : x == 4 ? 2
                                     : 5; });
  check_effects<calls>(
      etch::repeat<2, "block">([](auto, auto t) { return noted<calls>(t * t) + a; }, a),
      [](const jet& x) {
        jet t = x;
        for (int i = 0; i < 2; ++i) t = t * t + x;
        return t;
      },
      [](double) { return 2; });
}

TEST_CASE("AG-06: a call in a branch in a loop happens in the steps that take it") {
  // The second and the third.
  check_effects<calls>(
      for_range<3>([](auto i, auto t) { return cond(i > 0_c, [=] { return noted<calls>(t * a); }, [=] { return t + a; }); }, a),
      [](const jet& x) { return (x + x) * x * x; }, [](double) { return 2; });
}

TEST_CASE("AG-06: what a step needs in any case happens once a step, also where a loop in it reads it") {
  check_loop_in_a_step<calls>();
}

TEST_CASE("AG-06: a condition that reads a call happens once where it is needed outside, else as often as it is asked") {
  const auto plain = [](bool also) {
    return [=](const jet& x) {
      jet t = x;
      for (int i = 0; i < 3 && t.value < 10 + x.value * x.value; ++i) t = t * jet{2} + x;
      return also ? t + x * x : t;
    };
  };
  constexpr auto loop = while_loop<3>([](auto t) { return t < v + 10_c; }, [](auto t) { return t * 2_c + a; }, a);
  check_effects<calls>(loop + v, plain(true), once);
  // 2: 2, 6, 14 stops, asked three times; 4: 4, 12, 28 stops; -1: three steps, not asked again.
  check_effects<calls>(loop, plain(false), [](double) { return 3; });
}
