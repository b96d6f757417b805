// SPDX-License-Identifier: MIT
#include <string>

#include <doctest/doctest.h>

#include <base/decimal_comma.hpp>

#include "graph/sketch.hpp"

/// Graphs as text: what golden files compare, so it may not depend on anything but the graph.
namespace etch {
namespace {

TEST_CASE("GRA-12: a graph of three nodes reads like this") {
  sketch s;
  const ref x = s.placeholder("x", {2, 3}, dtype::float32);
  s.fetch({add(x, s.constant_of(0.5, dtype::float32))});
  CHECK(to_string(s.g) ==
        "%0 = placeholder \"x\" : float32[2, 3]\n"
        "%1 = constant 0.5 : float32[]\n"
        "%2 = add %0 %1 : float32[2, 3]\n"
        "fetch %2\n");
}

TEST_CASE("GRA-12: a graph reads the same where the program's language has a decimal comma") {
  const decimal_comma comma;
  if (!comma) return;
  sketch s;
  s.fetch({s.constant_of(-0.25, dtype::float32)});
  CHECK(to_string(s.g) == "%0 = constant -0.25 : float32[]\nfetch %0\n");
}

TEST_CASE("GRA-12: attributes are printed as they read best") {
  sketch s;
  const ref x = s.placeholder("x", {2, 3}, dtype::float32);
  const ref v = s.variable("w", {3}, dtype::int64);
  sum(x, axis<0>, keep_dims);
  sum(x);
  transpose(x);
  slice(x, section<0, 2>, section<1>);
  emit<cast>(words(static_cast<int>(dtype::boolean)), v);
  s.constant_of(-3, dtype::int32);
  s.constant_of(1, dtype::boolean);
  emit<size_of>(words(2), x);
  emit<struct concat>(words(1), x, x);
  s.call(info_of<struct group>, {v, x});
  CHECK(to_string(s.g) ==
        "%0 = placeholder \"x\" : float32[2, 3]\n"
        "%1 = variable \"w\" : int64[3]\n"
        "%2 = sum axis=0 keep_dims %0 : float32[1, 3]\n"
        "%3 = sum axis=0,1 %0 : float32[]\n"
        "%4 = transpose (1,0) %0 : float32[3, 2]\n"
        "%5 = slice (0,2,1,1,end,1) %0 : float32[2, 2]\n"
        "%6 = cast %1 : bool[3]\n"
        "%7 = constant -3 : int32[]\n"
        "%8 = constant 1 : bool[]\n"
        "%9 = size_of axis=1 %0 : float32[]\n"
        "%10 = concat (1) %0 %0 : float32[2, 6]\n"
        "%11 = group %1 %0 : none\n"
        "fetch\n");
}

TEST_CASE("GRA-12: special numbers, and numbers with many digits") {
  sketch s;
  s.constant_of(0.1);
  s.constant_of(1.0 / 3);
  s.constant_of(1e300);
  s.constant_of(-math::highest<double>());
  s.constant_of(-0.0);
  CHECK(to_string(s.g) ==
        "%0 = constant 0.1 : float64[]\n"
        "%1 = constant 0.333333333 : float64[]\n"
        "%2 = constant 1e+300 : float64[]\n"
        "%3 = constant -inf : float64[]\n"
        "%4 = constant -0 : float64[]\n"
        "fetch\n");
}

TEST_CASE("GRA-06: named extents are printed by name, their polynomials highest power first") {
  extent_table t;
  const extent_value n = t.symbol(1, "n"), m = t.symbol(2, "m");
  CHECK(to_string(t, n) == "n");
  CHECK(to_string(t, 7) == "7");
  CHECK(to_string(t, unknown_extent) == "?");
  CHECK(to_string(t, t.sum(n, -1)) == "n-1");
  CHECK(to_string(t, t.difference(1, n)) == "-1*n+1");
  CHECK(to_string(t, t.sum(t.product(n, t.product(n, m)), t.scaled(n, 3))) == "n*n*m+3*n");
  CHECK(to_string(t, type_of(dtype::uint8, {n, 4})) == "uint8[n, 4]");
  CHECK(to_string(t, type_of(dtype::float64, {})) == "float64[]");
  CHECK(to_string(t, type_of(dtype::none, {})) == "none");
}

}  // namespace
}  // namespace etch
