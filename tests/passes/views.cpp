// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/passes/views.hpp>

#include "graph/sketch.hpp"

/// Movements as strides.
namespace etch {
namespace {

/// Follows a node's movements down to what they move; false where one must be copied.
bool view_of(graph& g, int n, view& v) {
  if (g[n].op->kind != op_kind::movement) {
    v = contiguous(g.extents, g.type(n), n);
    return true;
  }
  view from;
  return view_of(g, g.operand(n, 0), from) && movement_view(g, n, from, v);
}
struct expected {
  extent_value offset;
  extent_value stride[4];
};
bool is(sketch& s, ref r, const expected& e) {
  view v;
  if (!view_of(s.g, r.node, v)) return false;
  bool same = v.offset == e.offset && v.root == 0;
  for (int i = 0; i < r.type().rank; ++i) {
    if (r.type().extents[i] == 1) continue;  // a stride that is never walked
    same = same && v.stride[i] == e.stride[i];
  }
  return same;
}
bool is_copied(sketch& s, ref r) {
  view v;
  return !view_of(s.g, r.node, v);
}

struct block : sketch {
  ref x = placeholder("x", {2, 3, 4});
};

TEST_CASE("OPTG-03: a tensor of its own is walked in row-major order") {
  block s;
  CHECK(is(s, s.x, {0, {12, 4, 1}}));
}

TEST_CASE("OPTG-03: transposes exchange strides") {
  block s;
  CHECK(is(s, transpose(s.x), {0, {1, 4, 12}}));
  CHECK(is(s, transpose(s.x, axis<1, 2, 0>), {0, {4, 1, 12}}));
  CHECK(is(s, transpose(transpose(s.x, axis<1, 2, 0>), axis<2, 0, 1>), {0, {12, 4, 1}}));
}

TEST_CASE("OPTG-03: what is broadcast stands still") {
  block s;
  CHECK(is(s, s.broadcast(s.x, {5, 2, 3, 4}), {0, {0, 12, 4, 1}}));
  sketch t;
  const ref y = t.placeholder("y", {3, 1});
  CHECK(is(t, t.broadcast(y, {3, 7}), {0, {1, 0}}));
}

TEST_CASE("OPTG-03: slices start elsewhere and take larger steps, also backwards") {
  block s;
  CHECK(is(s, slice(s.x, section<1>, section<>, section<1, 4, 2>), {13, {12, 4, 2}}));
  CHECK(is(s, slice(s.x, section<>, section<from_start, to_end, -1>), {8, {12, -4, 1}}));
  CHECK(is(s, slice(s.x, section<>, section<>, section<from_start, to_end, -1>), {3, {12, 4, -1}}));
  CHECK(is(s, slice(s.x, section<>, section<>, section<-1, to_end, -2>), {3, {12, 4, -2}}));
  // Backwards twice is forwards.
  CHECK(is(s, slice(slice(s.x, section<from_start, to_end, -1>), section<from_start, to_end, -1>), {0, {12, 4, 1}}));
  CHECK(is(s, slice(transpose(s.x), section<2>, section<1, 2>), {2 + 4, {1, 4, 12}}));
}

TEST_CASE("OPTG-03: reshapes of what is contiguous cost nothing") {
  block s;
  CHECK(is(s, s.reshape(s.x, {24}), {0, {1}}));
  CHECK(is(s, s.reshape(s.x, {4, 6}), {0, {6, 1}}));
  CHECK(is(s, s.reshape(slice(s.x, section<1>), {12}), {12, {1}}));
}

TEST_CASE("OPTG-03: reshapes by axes of extent 1 keep any strides") {
  block s;
  CHECK(is(s, s.reshape(transpose(s.x), {4, 1, 3, 2}), {0, {1, 0, 4, 12}}));
  CHECK(is(s, s.reshape(slice(s.x, section<0, 1>, section<from_start, to_end, -1>), {3, 4}), {8, {-4, 1}}));
}

TEST_CASE("OPTG-03: other reshapes of what is not contiguous are copies") {
  block s;
  CHECK(is_copied(s, s.reshape(transpose(s.x), {24})));
  CHECK(is_copied(s, s.reshape(slice(s.x, section<>, section<0, 2>), {16})));
  CHECK(is_copied(s, s.reshape(s.broadcast(s.x, {2, 2, 3, 4}), {48})));
  CHECK(is_copied(s, s.reshape(slice(s.x, section<from_start, to_end, -1>), {24})));
}

TEST_CASE("GRA-06: strides of named extents are polynomials") {
  sketch s;
  const extent_value n = s.g.extents.symbol(1, "n"), m = s.g.extents.symbol(2, "m");
  const ref x = s.placeholder("x", {3, n, m});
  CHECK(is(s, x, {0, {s.g.extents.product(n, m), m, 1}}));
  CHECK(is(s, transpose(x), {0, {1, m, s.g.extents.product(n, m)}}));
  CHECK(is(s, s.reshape(x, {s.g.extents.scaled(n, 3), m}), {0, {m, 1}}));
  CHECK(is(s, slice(x, section<>, section<from_start, to_end, -1>),
           {s.g.extents.difference(s.g.extents.product(n, m), m), {s.g.extents.product(n, m), s.g.extents.scaled(m, -1), 1}}));
}

TEST_CASE("OPTG-03: shapes that differ by axes of extent 1") {
  const auto same = [](std::initializer_list<extent_value> a, std::initializer_list<extent_value> b) {
    return same_squeezed(type_of(dtype::float64, a), type_of(dtype::float64, b));
  };
  CHECK(same({2, 3}, {2, 1, 3}));
  CHECK(same({1, 2, 3, 1}, {2, 3}));
  CHECK(same({}, {1, 1}));
  CHECK(same({1}, {}));
  CHECK_FALSE(same({2, 3}, {3, 2}));
  CHECK_FALSE(same({2, 3}, {2}));
  CHECK_FALSE(same({2}, {2, 3}));
  CHECK_FALSE(same({6}, {2, 3}));
}

}  // namespace
}  // namespace etch
