// SPDX-License-Identifier: MIT
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include <etch/passes/dead_nodes.hpp>
#include <etch/passes/simplify.hpp>

#include "graph/sketch.hpp"

/// Algebra on graphs, a rule a line.
namespace etch {
namespace {

using namespace etch::literals;

std::string simplified(const sketch& s) { return to_string(dead_nodes(simplify(s.g))); }

/// The simplified graph of f(x) with x of shape (2, 3), without the line of x.
template <class F>
std::string of(const F& f, dtype d = dtype::float64) {
  sketch s;
  const ref x = s.placeholder("x", {2, 3}, d);
  s.fetch({f(s, x)});
  const std::string text = simplified(s), slot = std::string("%0 = placeholder \"x\" : ") + name_of_dtype(d) + "[2, 3]\n";
  return text.substr(0, slot.size()) == slot ? text.substr(slot.size()) : text;
}

const std::string x_itself = "fetch %0\n";

TEST_CASE("OPTG-08: neutral elements go") {
  CHECK(of([](sketch& s, ref x) { return x + s.constant_of(-0.0); }) == x_itself);
  CHECK(of([](sketch& s, ref x) { return s.constant_of(-0.0) + x; }) == x_itself);
  CHECK(of([](sketch&, ref x) { return x - 0_c; }) == x_itself);
  CHECK(of([](sketch&, ref x) { return x - 0_c; }, dtype::int32) == x_itself);
  CHECK(of([](sketch&, ref x) { return x * 1_c; }) == x_itself);
  CHECK(of([](sketch&, ref x) { return 1_c * x; }) == x_itself);
  CHECK(of([](sketch&, ref x) { return x / 1_c; }) == x_itself);
  CHECK(of([](sketch&, ref x) { return pow(x, 1_c); }) == x_itself);
  CHECK(of([](sketch&, ref x) { return x + 0_c; }, dtype::int32) == x_itself);
  CHECK(of([](sketch& s, ref x) { return x - s.broadcast(s.constant_of(0), {2, 3}); }) == x_itself);
}

TEST_CASE("OPTG-08: a neutral element that broadcasts leaves a broadcast") {
  CHECK(of([](sketch& s, ref x) { return x * s.broadcast(s.constant_of(1), {4, 2, 3}); }) ==
        "%1 = broadcast_to %0 : float64[4, 2, 3]\nfetch %1\n");
}

TEST_CASE("OPTG-08: what is not neutral stays") {
  for (const std::string& text : {of([](sketch&, ref x) { return x * 0_c; }),  // NaN and inf times 0 are NaN
                                  of([](sketch&, ref x) { return 0_c - x; }),  // -x has another zero
                                  of([](sketch&, ref x) { return x + 0_c; }),  // -0 + 0 is 0
                                  of([](sketch& s, ref x) { return x - s.constant_of(-0.0); }),
                                  of([](sketch&, ref x) { return 1_c / x; }), of([](sketch&, ref x) { return x - x; }),
                                  of([](sketch&, ref x) { return x / x; }), of([](sketch&, ref x) { return x + 1_c; })})
    CHECK(text != x_itself);
  CHECK(of([](sketch&, ref x) { return x * 0_c; }) ==
        "%1 = constant 0 : float64[]\n%2 = multiply %0 %1 : float64[2, 3]\nfetch %2\n");
  CHECK(of([](sketch&, ref x) { return x - x; }) == "%1 = subtract %0 %0 : float64[2, 3]\nfetch %1\n");
}

TEST_CASE("OPTG-08: powers by small constants") {
  CHECK(of([](sketch&, ref x) { return pow(x, 2_c); }) == "%1 = multiply %0 %0 : float64[2, 3]\nfetch %1\n");
  CHECK(of([](sketch&, ref x) { return pow(x, 0_c); }) ==
        "%0 = constant 1 : float64[]\n%1 = broadcast_to %0 : float64[2, 3]\nfetch %1\n");
  CHECK(of([](sketch&, ref x) { return pow(x, -1_c); }) ==
        "%1 = constant 1 : float64[]\n%2 = divide %1 %0 : float64[2, 3]\nfetch %2\n");
  CHECK(of([](sketch&, ref x) { return pow(x, 3_c); }).find("pow") != std::string::npos);
  CHECK(of([](sketch&, ref x) { return pow(x, 2_c); }, dtype::int32) == "%1 = multiply %0 %0 : int32[2, 3]\nfetch %1\n");
  CHECK(of([](sketch&, ref x) { return pow(x, -1_c); }, dtype::int32).find("pow") != std::string::npos);
}

TEST_CASE("OPTG-08: negations cancel") {
  CHECK(of([](sketch&, ref x) { return -(-x); }) == x_itself);
  CHECK(of([](sketch& s, ref x) { return x + -s.placeholder("y", {3}); }).find("subtract %0 %1") != std::string::npos);
  CHECK(of([](sketch& s, ref x) { return x - -s.placeholder("y", {3}); }).find("add %0 %1") != std::string::npos);
  CHECK(of([](sketch&, ref x) { return logical_not(logical_not(x)); }, dtype::boolean) == x_itself);
}

TEST_CASE("OPTG-08: casts to the same dtype and stops of the gradient go") {
  CHECK(of([](sketch&, ref x) { return emit<cast>(words(static_cast<int>(dtype::float64)), x); }) == x_itself);
  CHECK(of([](sketch&, ref x) { return stop_gradient(x); }) == x_itself);
  // Through int32 and back is another number.
  CHECK(of([](sketch&, ref x) {
          return emit<cast>(words(static_cast<int>(dtype::float64)), emit<cast>(words(static_cast<int>(dtype::int32)), x));
        }) == "%1 = cast %0 : int32[2, 3]\n%2 = cast %1 : float64[2, 3]\nfetch %2\n");
}

TEST_CASE("OPTG-08: movements in a row become one, or none") {
  CHECK(of([](sketch& s, ref x) { return s.reshape(s.reshape(x, {6}), {2, 3}); }) == x_itself);
  CHECK(of([](sketch& s, ref x) { return s.reshape(s.reshape(x, {6}), {3, 2}); }) == "%1 = reshape %0 : float64[3, 2]\nfetch %1\n");
  CHECK(of([](sketch&, ref x) { return transpose(transpose(x)); }) == x_itself);
  CHECK(of([](sketch&, ref x) { return transpose(x, axis<0, 1>); }) == x_itself);
  CHECK(of([](sketch& s, ref x) { return transpose(transpose(s.reshape(x, {1, 2, 3}), axis<1, 2, 0>), axis<1, 2, 0>); }) ==
        "%1 = reshape %0 : float64[1, 2, 3]\n%2 = transpose (2,0,1) %1 : float64[3, 1, 2]\nfetch %2\n");
  CHECK(of([](sketch& s, ref x) { return s.broadcast(s.broadcast(x, {4, 2, 3}), {5, 4, 2, 3}); }) ==
        "%1 = broadcast_to %0 : float64[5, 4, 2, 3]\nfetch %1\n");
}

TEST_CASE("OPTG-08: broadcasts of an elementwise op's operands go, or move behind it") {
  CHECK(of([](sketch& s, ref x) { return x * s.broadcast(s.placeholder("b", {3}), {2, 3}); }) ==
        "%1 = placeholder \"b\" : float64[3]\n%2 = multiply %0 %1 : float64[2, 3]\nfetch %2\n");
  CHECK(of([](sketch& s, ref x) { return exp(s.broadcast(x, {4, 2, 3})); }) ==
        "%1 = exp %0 : float64[2, 3]\n%2 = broadcast_to %1 : float64[4, 2, 3]\nfetch %2\n");
}

TEST_CASE("OPTG-08: reductions over axes of extent 1 are reshapes") {
  CHECK(of([](sketch& s, ref x) { return sum(s.reshape(x, {2, 1, 3}), axis<1>); }) == x_itself);
  CHECK(of([](sketch& s, ref x) { return max(s.reshape(x, {2, 1, 3}), axis<1>, keep_dims); }) ==
        "%1 = reshape %0 : float64[2, 1, 3]\nfetch %1\n");
  CHECK(of([](sketch&, ref x) { return sum(x, axis<0>); }) == "%1 = sum axis=0 %0 : float64[3]\nfetch %1\n");
}

TEST_CASE("GRA-06: a named extent is not taken for 1") {
  sketch s;
  const extent_value n = s.g.extents.symbol(1, "n");
  s.fetch({sum(s.placeholder("x", {n, 1}), axis<0>)});
  CHECK(simplified(s).find("sum axis=0") != std::string::npos);
}

TEST_CASE("VAR-03: effects and draws are not simplified") {
  sketch s;
  const ref v = s.variable("v", {3});
  const ref a = s.assign(v, v - 0_c);
  s.fetch({s.group({a}), s.after(v, a), s.draw(3, {3}) * 1_c});
  CHECK(simplified(s) ==
        "%0 = variable \"v\" : float64[3]\n"
        "%1 = assign %0 %0 : float64[3]\n"
        "%2 = group %1 : none\n"
        "%3 = after %0 %1 : float64[3]\n"
        "%4 = random_uniform (3) : float64[3]\n"
        "fetch %2 %3 %4\n");
}

TEST_CASE("OPTG-08: the pass changes nothing the second time") {
  sketch s;
  const ref x = s.placeholder("x", {2, 3});
  s.fetch({exp(s.broadcast(pow(x, 2_c) - 0_c, {4, 2, 3})) * s.broadcast(s.placeholder("b", {3}), {2, 3})});
  const graph once = dead_nodes(simplify(s.g));
  CHECK(to_string(dead_nodes(simplify(once))) == to_string(once));
}

}  // namespace
}  // namespace etch
