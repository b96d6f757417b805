// SPDX-License-Identifier: MIT
#include "control/nested.hpp"

/// Loops that keep their states alone, with regions in a step: the backward step computes a region again, and its gradient reads what its
/// bodies have computed, while other rules read what it gives.
namespace {

using namespace nested;

/// A region of that kind, then one of what it gives, and rules that read both.
template <kind First, kind Second, class S>
constexpr auto step(S t) {
  const auto r = around<First>(names_of<First, Second>{}, [=](auto, auto u) { return u * a + t; }, t);
  const auto q = around<Second>(names_of<First, Second, again>{}, [=](auto, auto u) { return u + r; }, r);
  return r * q - t * t;
}
template <kind First, kind Second>
jet step_plainly(const jet& t, const jet& x) {
  const jet r = plainly<First>([&](const jet& u) { return u * x + t; }, t, x);
  const jet q = plainly<Second>([&](const jet& u) { return u + r; }, r, x);
  return r * q - t * t;
}

template <kind First, kind Second>
void check_recomputed() {
  constexpr auto y = etch::scan([](auto t, auto e) { return step<First, Second>(t) + e; }, a, es, etch::recompute);
  constexpr auto first = etch::gradient(y, a);
  constexpr auto second = etch::gradient(first, a);
  const std::string kinds = std::string(name_of[First]) + name_of[Second];
  CAPTURE(kinds);
  etch::session s(y, first, second);
  s.initialize();
  for (const double at : {2., -1., 1.}) {
    CAPTURE(at);
    const jet x = {at, 1, 0};
    jet expected = x;
    for (const double e : {1., -2.}) expected = step_plainly<First, Second>(expected, x) + jet{e};
    const auto [value, slope, curve] = s.run(y, first, second, a = at, es = {1, -2});
    check_equal({value, slope, curve}, expected);
  }
}

}  // namespace

TEST_CASE("AG-03: regions in steps that are recomputed, whose values other rules read, to the second derivative") {
  check_recomputed<counted, branch>();
  check_recomputed<branch, counted>();
  check_recomputed<scanned, bounded>();
  check_recomputed<bounded, again>();
  check_recomputed<again, scanned>();
  check_recomputed<repeated, branch>();
}
