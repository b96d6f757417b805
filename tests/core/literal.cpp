// SPDX-License-Identifier: MIT
#include <cstdint>
#include <type_traits>

#include <doctest/doctest.h>

#include <etch/graph/build.hpp>

/// Numbers that the compiler sees.
namespace {

using namespace etch::literals;

template <class L>
constexpr double value(L) {
  return L::value;
}
template <class A, class B>
constexpr bool same_type(A, B) {
  return std::is_same_v<A, B>;
}
template <class T, class E>
constexpr bool has_dtype(E) {
  return std::is_same_v<typename E::value_type, T>;
}

TEST_CASE("GRA-04: a literal's value is the nearest double") {
  static_assert(value(2_c) == 2 && value(0_c) == 0);
  static_assert(value(0.1_c) == 0.1 && value(1e-3_c) == 1e-3 && value(2.5e-8_c) == 2.5e-8);
  static_assert(value(1e22_c) == 1e22 && value(1.5e22_c) == 1.5e22 && value(0.7071067811865476_c) == 0.7071067811865476);
  static_assert(value(3.14159265358979_c) == 3.14159265358979);
  static_assert(value(-0.3_c) == -0.3 && value(+0.3_c) == 0.3);
  static_assert(value(1'000'000_c) == 1e6 && value(1E+3_c) == 1e3);
  CHECK(value(0.1_c) == 0.1);
}

TEST_CASE("GRA-04: an integer literal alone is int32, one with a point or an exponent float32") {
  static_assert(has_dtype<std::int32_t>(2_c));
  static_assert(has_dtype<float>(2._c) && has_dtype<float>(0.5_c) && has_dtype<float>(1e3_c));
  static_assert(decltype(2_c)::shape_type::rank == 0);
  CHECK(std::is_same_v<decltype(2_c)::value_type, std::int32_t>);
}

TEST_CASE("GRA-21: one number is one type, however it is written") {
  static_assert(same_type(0.50_c, 0.5_c) && same_type(5e-1_c, 0.5_c) && same_type(.5_c, 0.5_c));
  static_assert(same_type(- -2_c, 2_c));
  static_assert(!same_type(2_c, 2._c));
  CHECK(same_type(1.0_c, 1._c));
}

TEST_CASE("GRA-18: a literal takes the dtype of the operand that it meets") {
  constexpr etch::placeholder<"x", double, 3> x;
  constexpr etch::placeholder<"i", std::uint8_t, 3> i;
  constexpr etch::placeholder<"f", float, 3> f;
  static_assert(has_dtype<double>(x * 2_c) && has_dtype<double>(0.5_c + x));
  static_assert(has_dtype<std::uint8_t>(i + 1_c));
  static_assert(has_dtype<float>(f - 1_c));
  static_assert(has_dtype<double>(x * 2_c * f));
  CHECK(has_dtype<float>(1_c / f));
}

TEST_CASE("GRA-18: two literals make a constant expression node") {
  static_assert(has_dtype<std::int32_t>(etch::add(2_c, 5_c)));
  static_assert(has_dtype<float>(etch::add(2_c, 0.5_c)));
  static_assert(decltype(etch::add(2_c, 5_c))::rank == 0);
  CHECK(has_dtype<std::int32_t>(etch::multiply(2_c, 5_c)));
}

TEST_CASE("GRA-04: a literal as a node of a dtype has that dtype's bits") {
  constexpr auto word = [](auto node) {
    return etch::record_of<decltype(node)::hash>().words[0];
  };
  CHECK(word(decltype(0.1_c)::node<double>()) == etch::constant.encode(etch::scalar::of(0.1)));
  CHECK(word(decltype(0.1_c)::node<float>()) == etch::constant.encode(etch::scalar::of(0.1f)));
  CHECK(word(decltype(7_c)::node<std::int64_t>()) == 7);
  CHECK(word(decltype(-7_c)::node<std::int32_t>()) == -7);
  CHECK(word(decltype(2_c)::node<bool>()) == 1);
  // 2^53 + 1 is no double: an integer literal must not take the way over one.
  CHECK(word(decltype(9007199254740993_c)::node<std::int64_t>()) == 9007199254740993);
}

TEST_CASE("GRA-04: constants are decoded as they were encoded") {
  for (double v : {0.0, -0.0, 1.5, -3e300}) {
    const etch::scalar s = etch::constant.decode(etch::dtype::float64, etch::constant.encode(etch::scalar::of(v)));
    CHECK(s.real == v);
    CHECK(s.type == etch::dtype::float64);
  }
  const etch::scalar big = etch::constant.decode(etch::dtype::int64, etch::constant.encode(etch::scalar::of(INT64_MIN)));
  CHECK(big.integer == INT64_MIN);
  CHECK(etch::scalar::of(true).as<double>() == 1);
  CHECK(etch::scalar::of(0.25).as<bool>());
  CHECK_FALSE(etch::scalar::of(0.0).as<bool>());
  CHECK(etch::scalar::of(-2.7).as<std::int32_t>() == -2);
}

}  // namespace
