// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <etch/passes/gradient.hpp>

#include "graph/sketch.hpp"
#include "passes/interpreter.hpp"

/// Reverse mode on graphs.
namespace etch {
namespace {

using namespace etch::literals;
using interpreter::environment;
using interpreter::tensor;

ref gradient_of(ref y, ref x) { return emit<gradient_op>(words(), y, x); }

std::string expanded(const sketch& s) {
  gradient_failure failure;
  const graph expanded = expand_gradients(s.g, failure);
  const graph g = tidy(expanded);
  CHECK_FALSE(failure);
  return to_string(g);
}
std::vector<double> value_at(const sketch& s, const environment& e) {
  gradient_failure failure;
  const graph g = expand_gradients(s.g, failure);
  CHECK_FALSE(failure);
  CHECK(is_ordered(g));
  CHECK(count_of(g, info_of<gradient_op>) == 0);
  const graph t = tidy(g);
  CHECK(interpreter::close(interpreter::evaluate(t, e), interpreter::evaluate(g, e)));
  return interpreter::evaluate(g, e).fetches.at(0).data;
}
gradient_failure failure_of(const sketch& s) {
  gradient_failure failure;
  expand_gradients(s.g, failure);
  return failure;
}

environment at(std::vector<double> x, std::vector<std::int64_t> extents) {
  environment e;
  e.feeds[hash_of("x")] = {extents, x};
  return e;
}

TEST_CASE("TAPE-03: the gradient of a product") {
  sketch s;
  const ref x = s.placeholder("x", {3}), y = s.placeholder("y", {3});
  const ref z = x * y;
  s.fetch({gradient_of(z, x), gradient_of(z, y)});
  CHECK(expanded(s) ==
        "%0 = placeholder \"x\" : float64[3]\n"
        "%1 = placeholder \"y\" : float64[3]\n"
        "fetch %1 %0\n");
}

TEST_CASE("TAPE-03: several uses of a node add up") {
  sketch s;
  const ref x = s.placeholder("x", {3});
  s.fetch({gradient_of(x * x + sin(x), x)});
  const std::vector<double> v = {0.5, -2, 3}, g = value_at(s, at(v, {3}));
  for (std::size_t i = 0; i < 3; ++i) CHECK(interpreter::close(g[i], 2 * v[i] + std::cos(v[i])));
}

TEST_CASE("TAPE-03: an operand that was broadcast gets the sum") {
  sketch s;
  const ref x = s.placeholder("x", {3, 1}), w = s.placeholder("w", {2, 1, 4});
  const ref g = gradient_of(x * w, x);
  CHECK(g.type() == type_of(dtype::float64, {3, 1}));
  s.fetch({g});
  environment e = at({1, 2, 3}, {3, 1});
  e.feeds[hash_of("w")] = {{2, 1, 4}, {1, 2, 3, 4, 5, 6, 7, 8}};
  CHECK(value_at(s, e) == std::vector<double>{36, 36, 36});
}

TEST_CASE("TAPE-03: the gradient of y by itself is 1") {
  sketch s;
  const ref x = s.placeholder("x", {2});
  s.fetch({gradient_of(x, x)});
  CHECK(value_at(s, at({5, 6}, {2})) == std::vector<double>{1, 1});
}

TEST_CASE("TAPE-03: the gradient by a node between is that of what follows it") {
  sketch s;
  const ref x = s.placeholder("x", {2});
  const ref h = x * 3_c;
  s.fetch({gradient_of(h * h, h)});
  CHECK(value_at(s, at({5, 6}, {2})) == std::vector<double>{30, 36});
}

TEST_CASE("TAPE-03: gradients of one y share one backward sweep") {
  sketch s;
  const ref x = s.placeholder("x", {4}), w = s.placeholder("w", {4});
  const ref y = sum(exp(x * w));
  s.fetch({gradient_of(y, x), gradient_of(y, w)});
  gradient_failure failure;
  const graph g = expand_gradients(s.g, failure);
  // The adjoint of exp, of sum and of the product each once: two multiplications by x and w at the end.
  CHECK(count_of(g, info_of<struct exp>) == 1);
  CHECK(count_of(g, info_of<struct multiply>) == 1 + 1 + 2);
}

TEST_CASE("TAPE-05: the gradient of a gradient is the second derivative") {
  sketch s;
  const ref x = s.placeholder("x", {3});
  const ref first = gradient_of(x * x * x, x);
  s.fetch({gradient_of(first, x)});
  CHECK(value_at(s, at({1, -2, 3}, {3})) == std::vector<double>{6, -12, 18});
}

TEST_CASE("TAPE-05: the third derivative, and mixed ones") {
  sketch s;
  const ref x = s.placeholder("x", {1});
  s.fetch({gradient_of(gradient_of(gradient_of(sin(x), x), x), x)});
  CHECK(interpreter::close(value_at(s, at({0.7}, {1}))[0], -std::cos(0.7)));

  sketch t;
  const ref a = t.placeholder("x", {1}), b = t.placeholder("b", {1});
  t.fetch({gradient_of(gradient_of(a * a * b * b, a), b)});
  environment e = at({3}, {1});
  e.feeds[hash_of("b")] = {{1}, {5}};
  CHECK(value_at(t, e) == std::vector<double>{60});
}

/// Sums of functions that have kinks nowhere near the points they are tried at.
template <class F>
void check_against_differences(const F& f) {
  const std::vector<double> point = {0.3, -1.1, 0.8, 1.7, -0.4, 0.9};
  sketch s;
  const ref x = s.placeholder("x", {2, 3});
  const ref y = f(s, x);
  s.fetch({gradient_of(y, x)});
  sketch t;
  t.fetch({sum(f(t, t.placeholder("x", {2, 3})))});
  const std::vector<double> g = value_at(s, at(point, {2, 3}));
  REQUIRE(g.size() == point.size());
  const double h = 6e-6;  // the cube root of the rounding: truncation and rounding are both near 1e-11
  for (std::size_t i = 0; i < point.size(); ++i) {
    std::vector<double> above = point, below = point;
    above[i] += h;
    below[i] -= h;
    const double difference = (interpreter::evaluate(t.g, at(above, {2, 3})).fetches[0].data[0] -
                               interpreter::evaluate(t.g, at(below, {2, 3})).fetches[0].data[0]) /
                              (2 * h);
    CAPTURE(i);
    CHECK(g[i] == doctest::Approx(difference).epsilon(1e-8));
  }
}

TEST_CASE("TAPE-03: composed functions against central differences") {
  check_against_differences([](sketch&, ref x) { return tanh(x) * exp(-(x * x)); });
  check_against_differences([](sketch&, ref x) { return softmax(x) * sin(x); });
  check_against_differences([](sketch&, ref x) { return log_softmax(x) * cos(x); });
  check_against_differences([](sketch&, ref x) { return prod(x, axis<1>) / sum(exp(x), axis<1>); });
  check_against_differences([](sketch&, ref x) { return matmul(x, transpose(x)) * matmul(x, transpose(tanh(x))); });
  check_against_differences([](sketch& s, ref x) {
    return exp(slice(x, section<from_start, to_end, -1>, section<1>)) * s.reshape(slice(x, section<>, section<0, 2>), {2, 2});
  });
  check_against_differences([](sketch&, ref x) { return max(x, axis<0>) * min(x, axis<0>); });
  check_against_differences([](sketch&, ref x) { return where(x > 0.5_c, x * x, sin(x)); });
  check_against_differences([](sketch&, ref x) { return emit<struct cumsum>(words(1, 0), x) * x; });
  check_against_differences([](sketch&, ref x) { return emit<struct concat>(words(0), x, x * x) * 2_c; });
  check_against_differences([](sketch&, ref x) { return sum(pad(x, padding<1, 0>, padding<0, 2>) + 2_c) * sum(x); });
  check_against_differences([](sketch&, ref x) { return maximum(x, x * x) + abs(x) + pow(abs(x), 1.5_c); });
}

TEST_CASE("TAPE-03: zero through what is constant almost everywhere, and through a stop") {
  sketch s;
  const ref x = s.placeholder("x", {2});
  s.fetch({gradient_of(floor(x), x)});
  CHECK(value_at(s, at({1.5, 2.5}, {2})) == std::vector<double>{0, 0});
  sketch t;
  const ref y = t.placeholder("x", {2});
  t.fetch({gradient_of(stop_gradient(y) * y, y)});
  CHECK(value_at(t, at({3, 4}, {2})) == std::vector<double>{3, 4});
}

TEST_CASE("GRA-22: an op without a gradient is named") {
  sketch s;
  const ref x = s.placeholder("x", {2});
  s.fetch({gradient_of(floor_divide(x, 2_c), x)});
  const gradient_failure f = failure_of(s);
  CHECK(f);
  CHECK(f.op == &info_of<struct floor_divide>);
}

TEST_CASE("GRA-22: a node that y does not depend on is named") {
  sketch s;
  const ref x = s.placeholder("x", {2}), w = s.placeholder("w", {2});
  s.fetch({gradient_of(x * x, w)});
  CHECK(failure_of(s).unreached == hash_of("w"));
}

TEST_CASE("GRA-22: a node that y does not depend on is named also beside one that it depends on") {
  sketch s;
  const ref x = s.placeholder("x", {2}), w = s.placeholder("w", {2});
  const ref y = x * x;
  s.fetch({gradient_of(y, x), gradient_of(y, w)});
  CHECK(failure_of(s).unreached == hash_of("w"));
}

TEST_CASE("TAPE-03: an op without a gradient in a branch that x does not reach is no failure") {
  sketch s;
  const ref x = s.placeholder("x", {2}), w = s.placeholder("w", {2});
  s.fetch({gradient_of(x * floor_divide(w, 2_c), x)});
  CHECK_FALSE(failure_of(s));
}

TEST_CASE("RND-01: a draw that the backward sweep needs is the forward one") {
  sketch s;
  const ref x = s.placeholder("x", {4});
  const ref keep = s.draw(5, {4});
  s.fetch({gradient_of(exp(x * keep), x)});
  gradient_failure failure;
  CHECK(count_of(expand_gradients(s.g, failure), info_of<uniform_draw>) == 1);
}

}  // namespace
}  // namespace etch
