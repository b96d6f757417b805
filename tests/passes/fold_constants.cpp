// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include <etch/passes/dead_nodes.hpp>
#include <etch/passes/fold_constants.hpp>

#include "graph/sketch.hpp"

/// What the compiler computes.
namespace etch {
namespace {

using namespace etch::literals;

std::string folded(const sketch& s) { return to_string(dead_nodes(fold_constants(s.g))); }
scalar value_of_fetch(const sketch& s) {
  const graph g = dead_nodes(fold_constants(s.g));
  const int n = detail::constant_behind(g, g.fetches[0]);
  REQUIRE(n >= 0);
  return detail::constant_value(g, n);
}

TEST_CASE("OPTG-01: ops on constants are computed") {
  sketch s;
  s.fetch({multiply(add(s.constant_of(2, dtype::int32), s.constant_of(5, dtype::int32)), s.constant_of(3, dtype::int32))});
  CHECK(folded(s) == "%0 = constant 21 : int32[]\nfetch %0\n");
}

TEST_CASE("OPTG-01: what hangs on a slot stays") {
  sketch s;
  const ref x = s.placeholder("x", {2});
  s.fetch({x * (s.constant_of(2) + s.constant_of(3))});
  CHECK(folded(s) ==
        "%0 = placeholder \"x\" : float64[2]\n"
        "%1 = constant 5 : float64[]\n"
        "%2 = multiply %0 %1 : float64[2]\n"
        "fetch %2\n");
}

TEST_CASE("OPTG-01: constants are folded behind broadcasts and reshapes, and given back in the node's shape") {
  sketch s;
  const ref a = s.reshape(s.broadcast(s.constant_of(2), {2, 3}), {3, 2});
  s.fetch({exp(a * s.broadcast(s.constant_of(0), {3, 1}))});
  CHECK(folded(s) ==
        "%0 = constant 1 : float64[]\n"
        "%1 = broadcast_to %0 : float64[3, 2]\n"
        "fetch %1\n");
}

TEST_CASE("OPTG-01: constants have the precision of their dtype") {
  sketch s;
  s.fetch({s.constant_of(1, dtype::float32) / s.constant_of(3, dtype::float32)});
  CHECK(value_of_fetch(s).real == static_cast<double>(1.f / 3.f));
  sketch d;
  d.fetch({d.constant_of(1) / d.constant_of(3)});
  CHECK(value_of_fetch(d).real == 1.0 / 3.0);
}

TEST_CASE("OPTG-01: casts of constants") {
  const auto converted = [](double from, dtype a, dtype b) {
    sketch s;
    s.fetch({emit<cast>(words(static_cast<int>(b)), s.constant_of(from, a))});
    const scalar r = value_of_fetch(s);
    CHECK(r.type == b);
    return is_floating(b) ? r.real : static_cast<double>(r.integer);
  };
  CHECK(converted(2.75, dtype::float64, dtype::int32) == 2);
  CHECK(converted(-2.75, dtype::float64, dtype::int64) == -2);
  CHECK(converted(0.5, dtype::float64, dtype::boolean) == 1);
  CHECK(converted(300, dtype::int32, dtype::uint8) == 44);
  CHECK(converted(1, dtype::boolean, dtype::float32) == 1);
  CHECK(converted(0.1, dtype::float64, dtype::float32) == static_cast<double>(0.1f));
}

// A float that an integer cannot hold has an unspecified cast, which is no reason to stop compiling.
constexpr bool casts_out_of_range() {
  const double numbers[] = {
      300, -1, 1e30, -1e30, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
  for (double x : numbers)
    for (dtype d : {dtype::uint8, dtype::int32, dtype::int64}) (void)detail::convert({dtype::float64, x, 0}, d);
  return true;
}

TEST_CASE("OPTG-01: a cast out of the integer's range can be folded") {
  static_assert(casts_out_of_range());
  CHECK(casts_out_of_range());
  CHECK(detail::convert({dtype::float64, 255.5, 0}, dtype::uint8).integer == 255);
  CHECK(detail::convert({dtype::float64, -2147483648.5, 0}, dtype::int32).integer == INT32_MIN);
  CHECK(detail::convert({dtype::float64, -9223372036854775808.0, 0}, dtype::int64).integer == INT64_MIN);
}

TEST_CASE("OPTG-01: comparisons give bools; special numbers are kept") {
  sketch s;
  s.fetch({s.constant_of(1) < s.constant_of(2)});
  CHECK(folded(s) == "%0 = constant 1 : bool[]\nfetch %0\n");
  sketch n;
  n.fetch({log(n.constant_of(-1))});
  CHECK(std::isnan(value_of_fetch(n).real));
  sketch m;
  m.fetch({maximum(m.constant_of(std::numeric_limits<double>::quiet_NaN()), m.constant_of(0))});
  CHECK(std::isnan(value_of_fetch(m).real));
  // No constant expression may divide by zero, but what that gives is known.
  sketch i;
  i.fetch({i.constant_of(1) / i.constant_of(0)});
  CHECK(count_of(fold_constants(i.g), info_of<struct divide>) == 0);
  CHECK(value_of_fetch(i).real == std::numeric_limits<double>::infinity());
  sketch z;
  z.fetch({z.constant_of(0) / z.constant_of(-1)});
  CHECK(std::signbit(value_of_fetch(z).real));
}

// Pairs whose sum, difference, product or quotient overflows, or is no number, in float or in double.
constexpr int nodes_left(dtype d) {
  const double inf = std::numeric_limits<double>::infinity(), huge = d == dtype::float32 ? 3e38 : 1.5e308;
  const double pairs[][2] = {{huge, huge}, {huge, -huge}, {huge, 3}, {huge, 1 / huge}, {0, 0}, {1, 0},
                             {inf, inf},   {0, inf},      {inf, 0},  {1, 2},           {0, 3}};
  graph g;
  for (const auto& p : pairs) {
    const ref a = append_constant(g, d, p[0]), b = append_constant(g, d, p[1]);
    g.fetches.push_back((a + b).node);
    g.fetches.push_back((a - b).node);
    g.fetches.push_back((a * b).node);
    g.fetches.push_back((a / b).node);
  }
  const graph folded = fold_constants(g);
  int left = 0;
  for (int i = 0; i < folded.size(); ++i) left += folded[i].op->kind == op_kind::elementwise ? 1 : 0;
  return left;
}

TEST_CASE("OPTG-01: what overflows is left to the run, and compiles; infinities, NaN and divisions by zero are folded") {
  // Left: the sum and the product of (huge, huge), the difference and the product of (huge, -huge), 3 huge, huge / (1 / huge).
  static_assert(nodes_left(dtype::float64) == 6);
  static_assert(nodes_left(dtype::float32) == 6);
  CHECK(nodes_left(dtype::float64) == 6);
}

TEST_CASE("OPTG-01: folded functions are those of the run") {
  const double x = 0.7;
  const auto of = [&](auto op) {
    sketch s;
    s.fetch({op(s.constant_of(x))});
    return value_of_fetch(s).real;
  };
  // Half a unit in the last place at 1 is 1.1e-16; the library's own functions may be off by one unit.
  CHECK(std::abs(of(exp) - std::exp(x)) <= 4.5e-16);
  CHECK(std::abs(of(log) - std::log(x)) <= 1.2e-16);
  CHECK(std::abs(of(tanh) - std::tanh(x)) <= 1.2e-16);
  CHECK(std::abs(of(sin) - std::sin(x)) <= 1.2e-16);
  CHECK(of(sqrt) == std::sqrt(x));
  CHECK(std::abs(of(erf) - std::erf(x)) <= 2.3e-16);
}

TEST_CASE("GRA-06: the number of elements is a constant where it is known, else a named extent") {
  sketch s;
  const ref x = s.placeholder("x", {4, 3});
  s.fetch({emit<size_of>(words(3), x)});
  CHECK(folded(s) == "%0 = constant 12 : float64[]\nfetch %0\n");
  sketch n;
  const extent_value batch = n.g.extents.symbol(1, "batch");
  const ref y = n.placeholder("y", {batch, 3});
  n.fetch({emit<size_of>(words(3), y), emit<size_of>(words(2), y)});
  CHECK(folded(n) ==
        "%0 = size_of 3*batch : float64[]\n"
        "%1 = constant 3 : float64[]\n"
        "fetch %0 %1\n");
  CHECK(to_string(fold_constants(fold_constants(n.g))) == to_string(fold_constants(n.g)));
}

TEST_CASE("RND-01: random draws and assignments are not folded") {
  sketch s;
  const ref v = s.variable("v", {2});
  s.fetch({exp(s.draw(7, {2})), s.assign(v, s.broadcast(s.constant_of(1) + s.constant_of(1), {2}))});
  const graph g = fold_constants(s.g);
  CHECK(count_of(g, info_of<uniform_draw>) == 1);
  CHECK(count_of(g, info_of<struct assign>) == 1);
  CHECK(count_of(g, info_of<struct exp>) == 1);
}

}  // namespace
}  // namespace etch
