// SPDX-License-Identifier: MIT
#include "control/effects_inside.hpp"

/// Assignments that only regions need: once a step, and in the branch that is taken; by gradients as often as by values, kept or computed
/// again.
namespace {

using namespace effects;
using etch::cond;
using etch::for_range;

constexpr auto counted = noted<assigns>;

}  // namespace

TEST_CASE("AG-01, AG-06: an assignment in a branch is made where the branch is taken") {
  check_branch_that_is_taken<assigns>();
  check_both_branches<assigns>();
}

TEST_CASE("AG-06: an assignment in a branch in a branch, whose value the outer one reads, too") {
  check_branch_in_a_branch<assigns>();
}

TEST_CASE("AG-06: an assignment in a step is made once a step; what is computed again makes it once") {
  const auto cubes = [](const jet& x) {
    jet t = x;
    for (int i = 0; i < 2; ++i) t = t * t * x;
    return t;
  };
  const auto body = [](auto, auto t) { return t * counted(t * a); };
  check_effects<assigns>(for_range<2>(body, a), cubes, [](double) { return 2; });
  check_effects<assigns>(etch::repeat<2, "block">(body, a), cubes, [](double) { return 2; });
  check_effects<assigns>(etch::repeat<2, "block">(body, a, etch::recompute), cubes, [](double) { return 2; });
  check_effects<assigns>(
      etch::recompute([](auto t) { return t * counted(t * a); }, a), [](const jet& x) { return x * x * x; }, once);
}

TEST_CASE("AG-06: what a step needs in any case is assigned once a step, also where a loop or branch in it reads it") {
  check_loop_in_a_step<assigns>();
  check_effects<assigns>(
      for_range<2>(
          [](auto i, auto t) {
            const auto w = counted(t * t);
            return w + cond(i > 0_c, [=] { return w * a; }, [=] { return t; });
          },
          a),
      [](const jet& x) {
        const jet t = x * x + x;
        return t * t + t * t * x;
      },
      [](double) { return 2; });
}
