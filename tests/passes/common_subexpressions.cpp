// SPDX-License-Identifier: MIT
#include <string>

#include <doctest/doctest.h>

#include <etch/passes/common_subexpressions.hpp>

#include "graph/sketch.hpp"

/// Equal nodes become one.
namespace etch {
namespace {

using namespace etch::literals;

int nodes_after(const sketch& s) { return common_subexpressions(s.g).size(); }

TEST_CASE("OPTG-02: equal nodes become one, and what hangs on them too") {
  sketch s;
  const ref x = s.placeholder("x", {2});
  s.fetch({tanh(exp(x)) + tanh(exp(x))});
  CHECK(to_string(common_subexpressions(s.g)) ==
        "%0 = placeholder \"x\" : float64[2]\n"
        "%1 = exp %0 : float64[2]\n"
        "%2 = tanh %1 : float64[2]\n"
        "%3 = add %2 %2 : float64[2]\n"
        "fetch %3\n");
}

TEST_CASE("OPTG-02: operands of commutative ops in either order are equal") {
  sketch s;
  const ref x = s.placeholder("x", {2}), y = s.placeholder("y", {2});
  s.fetch({x + y, y + x, x * y, y * x, maximum(x, y), maximum(y, x)});
  CHECK(nodes_after(s) == 5);
  CHECK(to_string(common_subexpressions(s.g)).find("fetch %2 %2 %3 %3 %4 %4") != std::string::npos);
  sketch t;
  const ref a = t.placeholder("a", {2}), b = t.placeholder("b", {2});
  t.fetch({a - b, b - a, a < b, b < a, a + a, b + b});
  CHECK(nodes_after(t) == 8);
}

TEST_CASE("OPTG-02: attributes, types and constants tell nodes apart") {
  sketch s;
  const ref x = s.placeholder("x", {3, 3});
  sum(x, axis<0>);
  sum(x, axis<1>);
  sum(x, axis<1>, keep_dims);
  emit<cast>(words(static_cast<int>(dtype::float32)), x);
  emit<cast>(words(static_cast<int>(dtype::int32)), x);
  s.reshape(x, {9});
  s.reshape(x, {1, 9});
  s.constant_of(1);
  s.constant_of(2);
  s.constant_of(1, dtype::float32);
  s.constant_of(0.0);
  s.constant_of(-0.0);
  CHECK(nodes_after(s) == s.g.size());
  s.constant_of(2);
  s.reshape(x, {9});
  CHECK(nodes_after(s) == s.g.size() - 2);
}

TEST_CASE("VAR-01: slots are told apart by what they are, not by their types") {
  sketch s;
  s.placeholder("x", {2});
  s.placeholder("y", {2});
  s.variable("v", {2});
  s.variable("w", {2});
  CHECK(nodes_after(s) == 4);
}

TEST_CASE("FEED-05: two fed nodes without names are two") {
  sketch s;
  append_placeholder(s.g, type_of(dtype::float64, {2}), nullptr, 11);
  append_placeholder(s.g, type_of(dtype::float64, {2}), nullptr, 12);
  CHECK(nodes_after(s) == 2);
}

TEST_CASE("OPTG-02: draws, assignments and what orders them are never merged") {
  sketch s;
  const ref v = s.variable("v", {2});
  const ref a = s.draw(7, {2}), b = s.draw(7, {2});
  const ref p = s.assign(v, a), q = s.assign(v, a);
  s.fetch({a, b, s.after(v, p), s.after(v, p), s.group({p, q}), s.group({p, q})});
  CHECK(nodes_after(s) == s.g.size());
  CHECK(to_string(common_subexpressions(s.g)) == to_string(s.g));
}

TEST_CASE("OPTG-02: what is made of two draws is not merged either") {
  sketch s;
  s.fetch({exp(s.draw(7, {2})) + exp(s.draw(7, {2}))});
  CHECK(nodes_after(s) == 5);
}

TEST_CASE("OPTG-02: the pass changes nothing the second time") {
  sketch s;
  const ref x = s.placeholder("x", {2});
  s.fetch({exp(x * 2_c) + exp(2_c * x)});
  const graph once = common_subexpressions(s.g);
  CHECK(once.size() == 5);
  CHECK(to_string(common_subexpressions(once)) == to_string(once));
}

}  // namespace
}  // namespace etch
