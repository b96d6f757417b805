// SPDX-License-Identifier: MIT
#include <string>
#include <type_traits>

#include <doctest/doctest.h>

#include <etch/core/shape.hpp>

/// Shapes as types and as values, and the way back.
namespace user {
inline constexpr struct batch : etch::extent {
} batch;
}  // namespace user

namespace {

using etch::any;
using etch::canonical_shape;
using etch::dtype;
using etch::extent_table;
using etch::extent_value;
using etch::shape;
using etch::shape_from;
using etch::tensor_type;
using etch::typed_shape;
using user::batch;

TEST_CASE("GRA-17: rank and extents are in the type") {
  static_assert(shape<>::rank == 0 && shape<>::is_static);
  static_assert(shape<2, 3>::rank == 2 && shape<2, 3>::is_static);
  static_assert(!canonical_shape<batch, 3>::is_static);
  static_assert(etch::extent_along<1>(shape<2, 3>{}) == 3);
  static_assert(etch::extent_along<-1>(shape<2, 3>{}) == 3);
  static_assert(etch::extent_along<-2>(shape<2, 3>{}) == 2);
  extent_table table;
  const tensor_type t = shape<2, 3>::value(table, dtype::int32);
  CHECK(t.type == dtype::int32);
  CHECK(t.rank == 2);
  CHECK(t.extents[0] == 2);
  CHECK(t.extents[1] == 3);
  CHECK(t.is_static());
}

TEST_CASE("GRA-06: every spelling of an extent gives the same type") {
  static_assert(std::is_same_v<canonical_shape<2, 3L, 4u>, shape<2, 3, 4>>);
  static_assert(std::is_same_v<canonical_shape<any<"n">, 3>, canonical_shape<any<"n">, 3L>>);
  static_assert(!std::is_same_v<canonical_shape<any<"n">>, canonical_shape<any<"m">>>);
  static_assert(std::is_same_v<canonical_shape<batch>, canonical_shape<user::batch>>);
  static_assert(std::is_same_v<canonical_shape<5000000000>, shape<5000000000>>);
  static_assert(std::is_same_v<canonical_shape<-5000000000>, shape<-5000000000>>);
  CHECK(canonical_shape<any<"n">, 3>::rank == 2);
}

TEST_CASE("GRA-06: named extents are symbols of the table, by their names") {
  extent_table table;
  const tensor_type t = canonical_shape<any<"n">, batch, any<"n">, 4>::value(table, dtype::float32);
  CHECK(t.extents[0] == t.extents[2]);
  CHECK(t.extents[0] != t.extents[1]);
  CHECK(t.extents[3] == 4);
  CHECK_FALSE(t.is_static());
  CHECK(std::string(table.symbol_at(0).name) == "n");
  CHECK(std::string(table.symbol_at(1).name) == "batch");
  CHECK(canonical_shape<any<"n">>::value(table, dtype::float32).extents[0] == t.extents[0]);
}

struct mixed {
  static constexpr typed_shape value = [] {
    typed_shape s;
    const extent_value n = canonical_shape<any<"n">>::value(s.table, dtype::none).extents[0];
    const extent_value b = canonical_shape<batch>::value(s.table, dtype::none).extents[0];
    s.type.rank = 8;
    s.type.extents[0] = 3;
    s.type.extents[1] = n;
    s.type.extents[2] = s.table.product(2, n);
    s.type.extents[3] = s.table.product(n, b);
    s.type.extents[4] = s.table.sum(s.table.product(s.table.product(n, n), 3), s.table.sum(b, 7));
    s.type.extents[5] = s.table.difference(n, 1);
    s.type.extents[6] = 5000000000;
    // Coefficients that an int has no room for.
    s.type.extents[7] = s.table.sum(s.table.product(3000000000, n), s.table.difference(5000000000, s.table.product(4000000000, b)));
    return s;
  }();
};

TEST_CASE("GRA-06: a value becomes a type, and the type the value again") {
  using type = shape_from<mixed>;
  static_assert(type::rank == 8 && !type::is_static);
  static_assert(etch::extent_along<0>(type{}) == 3);
  static_assert(etch::extent_along<1>(type{}) == any<"n">);
  static_assert(etch::extent_along<6>(type{}) == 5000000000);
  extent_table table = mixed::value.table;
  const tensor_type again = type::value(table, dtype::none);
  for (int i = 0; i < 8; ++i) {
    CAPTURE(i);
    CHECK(again.extents[i] == mixed::value.type.extents[i]);
  }
}

TEST_CASE("GRA-17: types are equal by dtype and shape") {
  extent_table table;
  const tensor_type a = shape<2, 3>::value(table, dtype::float32);
  CHECK(a == shape<2, 3>::value(table, dtype::float32));
  CHECK_FALSE(a == shape<2, 3>::value(table, dtype::float64));
  CHECK(a.same_shape(a.with(dtype::boolean)));
  CHECK_FALSE(a.same_shape(shape<3, 2>::value(table, dtype::float32)));
  CHECK_FALSE(a.same_shape(shape<2>::value(table, dtype::float32)));
  CHECK_FALSE(shape<2>::value(table, dtype::float32).same_shape(a));
  CHECK(shape<>::value(table, dtype::float32).same_shape(shape<>::value(table, dtype::float32)));
}

}  // namespace
