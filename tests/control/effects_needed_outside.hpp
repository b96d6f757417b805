// SPDX-License-Identifier: MIT
#pragma once
#include <sstream>

#include <etch/host_call.hpp>
#include <etch/print.hpp>

#include "control/nested.hpp"

/// Values with an effect that regions read: how often the effect happens, for each kind of region.
namespace effects {

using namespace etch::literals;
using nested::a;
using nested::jet;
using nested::kind;

enum effect { calls, assigns, prints };

inline int called = 0;
inline constexpr auto note = [](double) { ++called; };
constexpr auto count = etch::variable<"count">(etch::literal<0>, etch::not_trainable);

/// e after an effect.
template <effect E, class X>
constexpr auto after_effect(X e) {
  if constexpr (E == calls)
    return etch::after(e, etch::host_call<"note">(note, a));
  else if constexpr (E == assigns)
    return etch::after(e, etch::assign_add(count, 1_c));
  else
    return etch::after(e, etch::print<"{}">(a));
}

/// Runs what it is given; how often the effect has happened in that.
template <effect E, class Session, class Run>
int effects_of(Session& s, const Run& run) {
  if constexpr (E == calls) {
    called = 0;
    run();
    return called;
  } else if constexpr (E == assigns) {
    s.set(count, 0);
    run();
    return s.get(count);
  } else {
    std::ostringstream lines;
    std::ostream* const before = etch::print_to(&lines);
    run();
    etch::print_to(before);
    int n = 0;
    for (const char c : lines.str()) n += c == '\n' ? 1 : 0;
    return n;
  }
}

/// Checks y and its derivative against plain code, and that the effect happens as often as `times` says of x, in a run of y, of the
/// derivative, and of both.
template <effect E, class Y, class Plain, class Times>
void check_effects(Y, const Plain& in_plain, const Times& times) {
  constexpr Y y;
  constexpr auto slope = etch::gradient(y, a);
  etch::session s(y, slope, count, etch::sum(nested::es));
  s.initialize();
  for (const double at : {2., 4., -1.}) {
    CAPTURE(at);
    const jet expected = in_plain(jet{at, 1, 0});
    const int n = times(at);
    double value = 0, derivative = 0;
    CHECK(effects_of<E>(s, [&] { value = s.run(y, a = at, nested::es = {1, -2}); }) == n);
    CHECK(value == expected.value);
    CHECK(effects_of<E>(s, [&] { derivative = s.run(slope, a = at, nested::es = {1, -2}); }) == n);
    CHECK(derivative == expected.first);
    CHECK(effects_of<E>(s, [&] { std::tie(value, derivative) = s.run(y, slope, a = at, nested::es = {1, -2}); }) == n);
    CHECK(value == expected.value);
    CHECK(derivative == expected.first);
  }
}
constexpr auto once = [](double) { return 1; };

/// A region of that kind that reads v, which is needed outside of it, too.
template <effect E, kind K>
void check_needed_outside() {
  CAPTURE(std::string(nested::name_of[K]));
  const auto v = after_effect<E>(a * a);
  const auto y = v * a + nested::around<K>(nested::names_of<K>{}, [=](auto, auto t) { return t * v + a; }, a);
  check_effects<E>(
      y,
      [](const jet& x) {
        const jet w = x * x;
        return w * x + nested::plainly<K>([&](const jet& t) { return t * w + x; }, x, x);
      },
      once);
}
template <effect E>
void check_needed_outside_of_all() {
  check_needed_outside<E, nested::branch>();
  check_needed_outside<E, nested::counted>();
  check_needed_outside<E, nested::scanned>();
  check_needed_outside<E, nested::bounded>();
  check_needed_outside<E, nested::repeated>();
  check_needed_outside<E, nested::again>();
}

/// A region in another, both of which read v, which is needed outside of both.
template <effect E, kind Outer, kind Inner>
void check_needed_outside_of_two() {
  CAPTURE(std::string(nested::name_of[Outer]));
  CAPTURE(std::string(nested::name_of[Inner]));
  const auto v = after_effect<E>(a * a);
  const auto inner = [=](auto in, auto t) { return nested::around<Inner>(in, [=](auto, auto u) { return u * v + t; }, t) + v; };
  const auto y = v * a + nested::around<Outer>(nested::names_of<Outer, Inner>{}, inner, a);
  check_effects<E>(
      y,
      [](const jet& x) {
        const jet w = x * x;
        return w * x +
               nested::plainly<Outer>(
                   [&](const jet& t) { return nested::plainly<Inner>([&](const jet& u) { return u * w + t; }, t, x) + w; }, x, x);
      },
      once);
}

template <effect E>
void check_needed_outside_of_pairs() {
  using namespace nested;
  check_needed_outside_of_two<E, branch, branch>();
  check_needed_outside_of_two<E, branch, counted>();
  check_needed_outside_of_two<E, counted, branch>();
  check_needed_outside_of_two<E, scanned, bounded>();
  check_needed_outside_of_two<E, repeated, again>();
}

}  // namespace effects
