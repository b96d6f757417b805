// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "graph/sketch.hpp"

/// Op objects called on nodes: what passes and gradient rules do.
namespace etch {
namespace {

using namespace etch::literals;

TEST_CASE("GRA-18: an op called on nodes appends one node of the inferred type") {
  sketch s;
  const ref x = s.placeholder("x", {2, 1}), y = s.placeholder("y", {3});
  const ref z = x * y;
  CHECK(s.g.size() == 3);
  CHECK(z.type() == type_of(dtype::float64, {2, 3}));
  CHECK(s.g.operand(z.node, 0) == x.node);
  CHECK(s.g.operand(z.node, 1) == y.node);
  CHECK((x < y).type() == type_of(dtype::boolean, {2, 3}));
  CHECK(is_ordered(s.g));
}

TEST_CASE("GRA-18: a literal beside a node takes its dtype") {
  sketch s;
  const ref x = s.placeholder("x", {2}, dtype::float32), i = s.placeholder("i", {2}, dtype::int64);
  x * 0.1_c;
  3_c - i;
  CHECK(to_string(s.g) ==
        "%0 = placeholder \"x\" : float32[2]\n"
        "%1 = placeholder \"i\" : int64[2]\n"
        "%2 = constant 0.1 : float32[]\n"
        "%3 = multiply %0 %2 : float32[2]\n"
        "%4 = constant 3 : int64[]\n"
        "%5 = subtract %4 %1 : int64[2]\n"
        "fetch\n");
}

TEST_CASE("GRA-18: nodes of two dtypes meet in the common one, by casts") {
  sketch s;
  const ref i = s.placeholder("i", {2}, dtype::int32), x = s.placeholder("x", {2}, dtype::float32);
  i + x;
  where(i == i, i, x);
  CHECK(to_string(s.g) ==
        "%0 = placeholder \"i\" : int32[2]\n"
        "%1 = placeholder \"x\" : float32[2]\n"
        "%2 = cast %0 : float32[2]\n"
        "%3 = add %2 %1 : float32[2]\n"
        "%4 = equal %0 %0 : bool[2]\n"
        "%5 = cast %0 : float32[2]\n"
        "%6 = where %4 %5 %1 : float32[2]\n"
        "fetch\n");
}

TEST_CASE("GRA-17: reductions, products and movements infer their types") {
  sketch s;
  const ref x = s.placeholder("x", {2, 3, 4});
  CHECK(sum(x, axis<1>).type() == type_of(dtype::float64, {2, 4}));
  CHECK(max(x, axis<0, -1>, keep_dims).type() == type_of(dtype::float64, {1, 3, 1}));
  CHECK(matmul(x, s.placeholder("w", {4, 5})).type() == type_of(dtype::float64, {2, 3, 5}));
  CHECK(transpose(x).type() == type_of(dtype::float64, {4, 3, 2}));
  CHECK(matrix_transpose(x).type() == type_of(dtype::float64, {2, 4, 3}));
  CHECK(slice(x, section<>, section<0, to_end, 2>).type() == type_of(dtype::float64, {2, 2, 4}));
  CHECK(emit<struct argmax>(words(2, 0), x).type() == type_of(dtype::int64, {2, 4}));
  CHECK(pad(x, padding<1, 2>, padding<0>, padding<0>).type() == type_of(dtype::float64, {5, 3, 4}));
  CHECK(reshape.to(x, x.type()).node == x.node);
}

TEST_CASE("GRA-06: types with named extents are inferred in the graph's own table") {
  sketch s;
  const extent_value n = s.g.extents.symbol(1, "n");
  const ref x = s.placeholder("x", {n, 4});
  CHECK(sum(x, axis<1>).type() == type_of(dtype::float64, {n}));
  CHECK((x + s.placeholder("b", {4})).type() == type_of(dtype::float64, {n, 4}));
  CHECK(emit<struct concat>(words(0), x, x).type() == type_of(dtype::float64, {s.g.extents.scaled(n, 2), 4}));
}

TEST_CASE("GRA-01: a frozen graph thaws to the same graph") {
  static constexpr auto make = [] {
    graph g;
    const slot_info* const no_slot = nullptr;
    tensor_type t;
    t.type = dtype::float64;
    t.rank = 1;
    t.extents[0] = 3;
    const ref x = append_placeholder(g, t, no_slot, 7);
    g.fetches.push_back(sum(exp(x) * 2_c).node);
    return g;
  };
  static constexpr graph_sizes size = sizes_of(make());
  static constexpr frozen_graph<size> frozen(make());
  static_assert(size.nodes == 5 && size.fetches == 1);
  const graph g = frozen.thaw();
  CHECK(to_string(g) == to_string(make()));
  CHECK(g[0].content == 7);
  CHECK(is_ordered(g));
}

}  // namespace
}  // namespace etch
