// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/passes/dead_nodes.hpp>

#include "graph/sketch.hpp"

/// What no fetch needs is not there.
namespace etch {
namespace {

TEST_CASE("SES-08: nodes that no fetch needs go; the others keep their order") {
  sketch s;
  const ref x = s.placeholder("x", {2}), y = s.placeholder("y", {2});
  exp(y);
  const ref h = tanh(x);
  sum(h);
  s.fetch({h * x, x});
  CHECK(to_string(dead_nodes(s.g)) ==
        "%0 = placeholder \"x\" : float64[2]\n"
        "%1 = tanh %0 : float64[2]\n"
        "%2 = multiply %1 %0 : float64[2]\n"
        "fetch %2 %0\n");
}

TEST_CASE("GRA-14: what a step's group names is needed, without being used") {
  sketch s;
  const ref v = s.variable("v", {2}), w = s.variable("w", {2});
  const ref p = s.assign(v, s.draw(1, {2})), q = s.assign(w, s.draw(2, {2}));
  s.fetch({s.group({p, q})});
  CHECK(to_string(dead_nodes(s.g)) == to_string(s.g));
}

TEST_CASE("GRA-14: what a value comes after is needed") {
  sketch s;
  const ref v = s.variable("v", {2});
  s.fetch({s.after(s.placeholder("x", {2}), s.assign(v, s.draw(1, {2})))});
  CHECK(dead_nodes(s.g).size() == s.g.size());
}

TEST_CASE("SES-08: attributes and slots move with their nodes") {
  sketch s;
  sum(s.placeholder("unused", {2, 3}), axis<0>);
  const ref x = s.placeholder("x", {2, 3});
  s.fetch({sum(x, axis<1>, keep_dims)});
  const graph g = dead_nodes(s.g);
  CHECK(to_string(g) ==
        "%0 = placeholder \"x\" : float64[2, 3]\n"
        "%1 = sum axis=1 keep_dims %0 : float64[2, 1]\n"
        "fetch %1\n");
  CHECK(g[0].content == hash_of("x"));
}

TEST_CASE("SES-08: no fetches need no nodes") {
  sketch s;
  s.placeholder("x", {2});
  CHECK(dead_nodes(s.g).size() == 0);
}

}  // namespace
}  // namespace etch
