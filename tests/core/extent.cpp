// SPDX-License-Identifier: MIT
#include <cstdint>

#include <doctest/doctest.h>

#include <etch/core/extent.hpp>

/// Polynomials in named extents: equal extents are equal numbers, and what cannot be said is unknown, never wrong.
namespace {

using etch::extent_table;
using etch::extent_value;
using etch::is_static;
using etch::unknown_extent;

struct named {
  extent_table table;
  extent_value b = table.symbol(1, "batch");
  extent_value t = table.symbol(2, "time");
  std::int64_t values[2] = {5, 7};
  std::int64_t at(extent_value e) const { return table.evaluate(e, values); }
};

TEST_CASE("GRA-06: a name is one extent, whoever says it") {
  named n;
  CHECK_FALSE(is_static(n.b));
  CHECK(n.b != n.t);
  CHECK(n.table.symbol(1, "batch") == n.b);
  CHECK(n.table.symbol_count() == 2);
  CHECK(n.table.symbol_index(n.b) == 0);
  CHECK(n.table.symbol_index(n.t) == 1);
  CHECK(n.table.symbol_index(3) == -1);
  CHECK(n.table.symbol_index(unknown_extent) == -1);
  CHECK(n.table.symbol_index(n.table.product(n.b, n.b)) == -1);
  CHECK(n.table.symbol_index(n.table.scaled(n.b, 2)) == -1);
}

TEST_CASE("GRA-06: numbers stay numbers, negative ones (of strides) too") {
  named n;
  CHECK(n.table.sum(2, 3) == 5);
  CHECK(n.table.difference(3, 5) == -2);
  CHECK(n.table.product(4, -1) == -4);
  CHECK(n.table.scaled(6, -2) == -12);
  CHECK(n.table.quotient(12, 4) == 3);
  for (std::int64_t e : {-1, -2, -3, -1000}) {
    CHECK(is_static(e));
    CHECK(n.at(e) == e);
    CHECK(n.table.difference(n.table.sum(n.b, e), n.b) == e);
  }
}

TEST_CASE("GRA-06: sums and products in any order are the same extent") {
  named n;
  extent_table& x = n.table;
  CHECK(x.sum(n.b, n.t) == x.sum(n.t, n.b));
  CHECK(x.product(n.b, n.t) == x.product(n.t, n.b));
  CHECK(x.product(x.sum(n.b, 1), n.t) == x.sum(x.product(n.b, n.t), n.t));
  CHECK(x.sum(n.b, n.b) == x.product(2, n.b));
  CHECK(x.sum(n.b, n.b) == x.scaled(n.b, 2));
  CHECK(x.difference(x.sum(n.b, n.t), n.t) == n.b);
  CHECK(x.difference(n.b, n.b) == 0);
  CHECK(x.product(n.b, 0) == 0);
  CHECK(x.product(1, n.b) == n.b);
  CHECK(x.sum(n.b, 0) == n.b);
}

TEST_CASE("GRA-06: evaluation gives the count") {
  named n;
  extent_table& x = n.table;
  CHECK(n.at(n.b) == 5);
  CHECK(n.at(12) == 12);
  CHECK(n.at(x.sum(x.product(n.b, n.t), 3)) == 38);
  CHECK(n.at(x.product(x.sum(n.b, 1), x.difference(n.t, 2))) == 30);
  CHECK(n.at(x.product(n.b, x.product(n.b, n.b))) == 125);
  CHECK(n.at(x.difference(n.b, n.t)) == -2);
}

TEST_CASE("GRA-06: a quotient is exact or unknown") {
  named n;
  extent_table& x = n.table;
  const extent_value bt = x.product(n.b, n.t);
  CHECK(x.quotient(bt, n.b) == n.t);
  CHECK(x.quotient(bt, bt) == 1);
  CHECK(x.quotient(x.scaled(bt, 6), x.scaled(n.t, 2)) == x.scaled(n.b, 3));
  CHECK(x.quotient(x.sum(bt, x.scaled(n.b, 3)), n.b) == x.sum(n.t, 3));
  CHECK(x.quotient(x.scaled(n.b, 6), 3) == x.scaled(n.b, 2));
  CHECK(x.quotient(7, 2) == unknown_extent);
  CHECK(x.quotient(7, 0) == unknown_extent);
  CHECK(x.quotient(n.b, 2) == unknown_extent);
  CHECK(x.quotient(n.b, n.t) == unknown_extent);
  CHECK(x.quotient(4, n.b) == unknown_extent);
  CHECK(x.quotient(n.b, 0) == unknown_extent);
  CHECK(x.quotient(x.sum(n.b, 1), n.b) == unknown_extent);
  CHECK(x.quotient(bt, x.sum(n.b, 1)) == unknown_extent);  // only one term divides
}

TEST_CASE("GRA-06: unknown stays unknown") {
  named n;
  extent_table& x = n.table;
  CHECK_FALSE(is_static(unknown_extent));
  CHECK(x.sum(unknown_extent, n.b) == unknown_extent);
  CHECK(x.sum(1, unknown_extent) == unknown_extent);
  CHECK(x.difference(n.b, unknown_extent) == unknown_extent);
  CHECK(x.product(unknown_extent, 1) == unknown_extent);
  CHECK(x.product(1, unknown_extent) == unknown_extent);
  CHECK(x.quotient(unknown_extent, 2) == unknown_extent);
  CHECK(x.scaled(unknown_extent, 3) == unknown_extent);
}

TEST_CASE("GRA-06: more terms than fit are unknown") {
  extent_table x;
  extent_value s[4], four = 0;
  for (unsigned i = 0; i < 4; ++i) {
    s[i] = x.symbol(i + 1, "n");
    four = x.sum(four, s[i]);
  }
  CHECK(four != unknown_extent);
  CHECK(x.sum(four, 1) == unknown_extent);
  CHECK(x.sum(four, s[0]) != unknown_extent);
  CHECK(x.product(x.sum(s[0], s[1]), x.sum(s[2], s[3])) != unknown_extent);            // four terms
  CHECK(x.product(x.sum(s[0], x.sum(s[1], 1)), x.sum(s[2], s[3])) == unknown_extent);  // six
  // Terms that cancel on the way must not count, whatever their order.
  CHECK(x.difference(x.sum(x.difference(four, s[0]), 1), 1) == x.difference(four, s[0]));
}

TEST_CASE("GRA-06: more names or polynomials than fit are unknown") {
  extent_table names;
  for (unsigned i = 0; i < 8; ++i) CHECK(names.symbol(i + 1, "n") != unknown_extent);
  CHECK(names.symbol(9, "n") == unknown_extent);
  CHECK(names.symbol(8, "n") != unknown_extent);

  extent_table many;
  const extent_value n = many.symbol(1, "n");
  int made = 0;
  while (made < 1000 && many.sum(n, made + 1) != unknown_extent) ++made;
  CHECK(made == extent_table::max_polynomials - 1);
  CHECK(many.sum(n, 1) != unknown_extent);  // those that are there stay
}

TEST_CASE("GRA-06: exponents above 255 are unknown, and no other name's") {
  named n;
  extent_value power = n.b;  // batch^128
  for (int i = 0; i < 7; ++i) power = n.table.product(power, power);
  const extent_value lower = n.table.quotient(power, n.b);  // batch^127
  const extent_value highest = n.table.product(power, lower);
  CHECK_FALSE(n.table.exhausted());
  CHECK(highest != unknown_extent);
  CHECK(n.table.quotient(highest, lower) == power);
  CHECK(n.table.product(highest, n.t) != unknown_extent);
  CHECK_FALSE(n.table.exhausted());
  CHECK(n.table.product(power, power) == unknown_extent);  // batch^256 would be time
  CHECK(n.table.exhausted());
  named last;
  extent_value all = last.t;
  for (int i = 0; i < 7; ++i) all = last.table.product(all, all);
  CHECK(last.table.product(all, all) == unknown_extent);
}

constexpr std::int64_t in_a_constant_expression() {
  extent_table x;
  const extent_value n = x.symbol(1, "n");
  const std::int64_t values[] = {3};
  return x.evaluate(x.product(x.sum(n, 2), x.sum(n, -2)), values);
}

TEST_CASE("GRA-06: extents are computed at compile time") {
  static_assert(in_a_constant_expression() == 5);
  CHECK(in_a_constant_expression() == 5);
}

}  // namespace
