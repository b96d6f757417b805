// SPDX-License-Identifier: MIT
#include "control/effects_needed_outside.hpp"

/// Assignments that only regions need: once a step, and in the branch that is taken; by gradients as often as by values, kept or computed
/// again.
namespace {

using namespace effects;
using etch::after;
using etch::assign_add;
using etch::cond;
using etch::for_range;

constexpr auto counted = [](auto x) { return after(x, assign_add(count, 1_c)); };
constexpr auto v = after_effect<assigns>(a * a);

}  // namespace

TEST_CASE("AG-01, AG-06: an assignment in a branch is made where the branch is taken") {
  check_effects<assigns>(
      cond(
          a > 3_c, [] { return v * a; }, [] { return a * 2_c; }),
      [](const jet& x) { return x.value > 3 ? x * x * x : x * jet{2}; }, [](double x) { return x > 3 ? 1 : 0; });
  check_effects<assigns>(
      cond(
          a > 3_c, [] { return v * a; }, [] { return v - a; }),
      [](const jet& x) { return x.value > 3 ? x * x * x : x * x - x; }, once);
}

TEST_CASE("AG-06: an assignment in a branch in a branch, whose value the outer one reads, too") {
  check_effects<assigns>(
      cond(
          a > 0_c, [] { return v * cond(a > 3_c, [] { return v * a; }, [] { return a; }); }, [] { return a * 3_c; }),
      [](const jet& x) {
        const jet w = x * x;
        return x.value > 3 ? w * w * x : x.value > 0 ? w * x : x * jet{3};
      },
      [](double x) { return x > 0 ? 1 : 0; });
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
  check_effects<assigns>(
      for_range<2>(
          [](auto, auto t) {
            const auto w = counted(t * t);
            return w + for_range<3>([=](auto, auto u) { return u + w; }, a);
          },
          a),
      [](const jet& x) {
        jet t = x;
        for (int i = 0; i < 2; ++i) t = jet{4} * t * t + x;
        return t;
      },
      [](double) { return 2; });
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
