// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <reference/run.hpp>

// Gradients of gradients of loops of arrays that may end early: of what a `where` has taken there are masks, which a step that is not made
// leaves as they are: a choice between two masks, in lanes. (Found by a random program, seed 22080.)

namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", double> x;
constexpr placeholder<"v", double, 11> v;

/// Loops of up to Most steps while the sum is below 1.5.
template <int Most, class Inner>
constexpr auto value(Inner inner) {
  const auto t = while_loop<Most>([](auto s) { return sum(s) < 1.5_c; },
                                  [=](auto s) { return s + etch::sqrt(1_c + square(inner(s))) * 0.4_c; }, v);
  return sum(sigmoid(t)) + sum(t * x) + etch::sin(x);
}

template <int Most, class Inner>
void check(Inner) {
  CAPTURE(Most);
  constexpr auto y = value<Most>(Inner{});
  constexpr auto first = gradient(y, x);
  constexpr auto second = gradient(first, x);
  etch::session s(y, first, second);
  auto given = xt::xtensor<double, 1>::from_shape({11});
  for (std::size_t i = 0; i < 11; ++i) given(i) = static_cast<double>(i * 7 % 11) * 0.2 - 0.9;
  for (const double at : {-1.357, 0.71, 40.0}) {
    CAPTURE(at);
    const double step = 1e-5;
    const auto slope = [&](const auto& f) {
      return (s.run(f, x = at + step, v = given) - s.run(f, x = at - step, v = given)) / (2 * step);
    };
    const auto [together, once] = s.run(second, first, x = at, v = given);
    CHECK(once == doctest::Approx(slope(y)).epsilon(1e-6));
    CHECK(together == doctest::Approx(slope(first)).epsilon(1e-6));
    CHECK(s.run(second, x = at, v = given) == doctest::Approx(together).epsilon(1e-12));
    CHECK(reference::run(second, x = at, v = given) == doctest::Approx(together).epsilon(1e-10));
  }
}

}  // namespace

TEST_CASE("a choice within a loop of arrays that may end early") {
  const auto by_number = [](auto s) {
    return where(sum(s) > -0.5_c, concat(axis<0>, slice(x + v, section<1, 11>), slice(sum(s) + v, section<0, 1>)), x * 0.5_c);
  };
  check<1>(by_number);
  check<3>(by_number);
  const auto by_element = [](auto s) {
    return where(s > 0.2_c, s * x, concat(axis<0>, slice(v, section<10, 11>), slice(s, section<0, 10>)));
  };
  check<2>(by_element);
  const auto of_choices = [](auto s) {
    return where(s > 0.2_c, where(v > 0.1_c, s * s, etch::sqrt(1_c + s * s)), roll<1>(s * x, axis<0>));
  };
  check<3>(of_choices);
}
