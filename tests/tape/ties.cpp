// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/tape.hpp>

// What docs/ops.md says of equal elements and of bounds, where mathematics does not say it: in graphs and in eager code. Sorts: sorting.cpp.

namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, 5> x;
constexpr float none = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

/// Values as a list; NaN as 1000, which equals itself.
template <class Array>
std::vector<float> listed(const Array& a) {
  std::vector<float> all;
  for (int i = 0; i < 5; ++i) {
    const float e = static_cast<float>(a(static_cast<std::size_t>(i)));
    all.push_back(std::isnan(e) ? 1000.f : e);
  }
  return all;
}
/// What f gives for these numbers, by a session and at once.
template <class F>
void check(F f, const std::vector<float>& of, const std::vector<float>& wanted) {
  constexpr auto graph = f(x);
  session s(graph);
  CHECK(listed(s.run(graph, x = of)) == wanted);
  CHECK(listed(f(tensor<float, 1>(of))) == wanted);
}
/// The same of f's gradient.
template <class F>
void check_gradient(F f, const std::vector<float>& of, const std::vector<float>& wanted) {
  constexpr auto graph = gradient(f(x), x);
  session s(graph);
  CHECK(listed(s.run(graph, x = of)) == wanted);
  const tensor<float, 1> t = of;
  tape records;
  CHECK(listed(records.gradient(f(t), t)) == wanted);
}

}  // namespace

TEST_CASE("law: equal extremes get equal parts of the gradient") {
  check_gradient([](auto v) { return max(v); }, {1, 4, 4, 2, 4}, {0, 1 / 3.f, 1 / 3.f, 0, 1 / 3.f});
  check_gradient([](auto v) { return min(v); }, {-1, 4, -1, 2, 4}, {0.5f, 0, 0.5f, 0, 0});
  check_gradient([](auto v) { return max(v); }, {inf, 0, 0, 0, inf}, {0.5f, 0, 0, 0, 0.5f});
  check_gradient([](auto v) { return max(v); }, {-0.f, 0, -1, -1, -1}, {0.5f, 0.5f, 0, 0, 0});
}

TEST_CASE("law: the gradient of clip at a bound is that beyond it, and NaN stays NaN") {
  check([](auto v) { return clip(v, -1_c, 2_c); }, {-3, -1, none, 2, 5}, {-1, -1, 1000, 2, 2});
  check_gradient([](auto v) { return sum(clip(v, -1_c, 2_c)); }, {-3, -1, 0.5f, 2, 5}, {0, 0, 1, 0, 0});
}

TEST_CASE("law: several NaN come last in sorts, in the order in which they stand") {
  check([](auto v) { return argsort(v); }, {1, none, 1, none, 0}, {4, 0, 2, 1, 3});
  check([](auto v) { return argsort(v, axis<0>, descending); }, {1, none, 1, none, 0}, {0, 2, 4, 1, 3});
}
