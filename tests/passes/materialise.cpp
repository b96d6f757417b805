// SPDX-License-Identifier: MIT
#include <string>

#include <doctest/doctest.h>

#include <etch/passes/materialise.hpp>
#include <etch/passes/order_effects.hpp>

#include "graph/sketch.hpp"

/// The copies without which a kernel or a caller would have no memory to read.
namespace etch {
namespace {

using namespace etch::literals;

graph ordered(const sketch& s) {
  effect_failure failure;
  return order_effects(s.g, failure);
}
std::string materialised(const sketch& s) { return to_string(materialise(ordered(s))); }

TEST_CASE("FEED-09: a fetched slot or constant is copied into the caller's memory") {
  sketch s;
  s.fetch({s.placeholder("x", {2}), s.constant_of(3), s.variable("v", {2})});
  CHECK(materialised(s) ==
        "%0 = placeholder \"x\" : float64[2]\n"
        "%1 = constant 3 : float64[]\n"
        "%2 = variable \"v\" : float64[2]\n"
        "%3 = copy %0 : float64[2]\n"
        "%4 = copy %1 : float64[]\n"
        "%5 = copy %2 : float64[2]\n"
        "fetch %3 %4 %5\n");
}

TEST_CASE("OPTG-03: what a kernel writes is fetched where it is, once") {
  sketch s;
  const ref x = s.placeholder("x", {2, 2});
  const ref y = exp(x);
  s.fetch({y, sum(y), matmul(y, y), y, transpose(y)});
  const graph g = materialise(s.g);
  CHECK(count_of(g, info_of<copy_of>) == 2);  // the second y, and the transposed one, which is a view
  CHECK(g.fetches[0] == y.node);
  CHECK(g.fetches[3] != y.node);
}

TEST_CASE("OPTG-03: a draw is fetched where it is") {
  sketch s;
  s.fetch({s.draw(1, {3})});
  CHECK(count_of(materialise(s.g), info_of<copy_of>) == 0);
}

TEST_CASE("GRA-04: constants get memory where a kernel reads memory") {
  sketch s;
  const ref x = s.placeholder("x", {2, 2});
  const ref ones = s.broadcast(s.constant_of(1), {2, 2});
  s.fetch({matmul(x, ones), x + ones, emit<struct cumsum>(words(0, 0), ones)});
  const graph g = materialise(s.g);
  CHECK(count_of(g, info_of<copy_of>) == 1);  // for the product, not for sums
}

TEST_CASE("VAR-03: an assigned constant, or what is read from a variable that is overwritten as well, is copied, nothing else") {
  sketch s;
  const ref v = s.variable("v", {2, 2}), w = s.variable("w", {2, 2}), u = s.variable("u", {2, 2}), x = s.placeholder("x", {2, 2});
  const auto copies = [&] { return count_of(materialise(ordered(s)), info_of<copy_of>); };
  s.fetch({s.assign(v, exp(v))});
  CHECK(copies() == 0);  // the value is the fetch's
  s.fetch({s.group({s.assign(w, transpose(x))})});
  CHECK(copies() == 0);
  s.fetch({s.group({s.assign(u, transpose(w))})});
  CHECK(copies() == 1);
  const ref z = s.variable("z", {2, 2});
  s.fetch({s.group({s.assign(z, s.broadcast(s.constant_of(0), {2, 2}))})});
  CHECK(copies() == 2);
}

TEST_CASE("VAR-03: a step's group is fetched as nothing") {
  sketch s;
  const ref v = s.variable("v", {2});
  s.fetch({s.group({s.assign(v, v * 2_c)})});
  CHECK(materialised(s) ==
        "%0 = variable \"v\" : float64[2]\n"
        "%1 = constant 2 : float64[]\n"
        "%2 = multiply %0 %1 : float64[2]\n"
        "%3 = group : none\n"
        "assign %0 %2\n"
        "fetch %3\n");
}

TEST_CASE("VAR-03: parts of a variable that nothing else reads are assigned one after another, others as a whole") {
  sketch s;
  const ref v = s.variable("v", {6}), x = s.placeholder("x", {2});
  const words first = words(0, 2, 1), second = words(4, 6, 1);
  const ref a = s.assign(v, first, x);
  s.fetch({s.after(s.assign(v, second, exp(x)), a)});
  const graph parts = materialise(ordered(s));
  REQUIRE(parts.assignments.size() == 1);  // it is fetched
  s.g.fetches.clear();
  s.fetch({s.group({s.after(s.assign(v, second, exp(x)), a)})});
  const graph in_place = materialise(ordered(s));
  REQUIRE(in_place.assignments.size() == 2);
  CHECK(in_place.pool[in_place.assignments[0].first_word] == 0);
  CHECK(in_place.pool[in_place.assignments[1].first_word] == 4);
  CHECK(count_of(in_place, info_of<with_part>) == 0);
}

}  // namespace
}  // namespace etch
