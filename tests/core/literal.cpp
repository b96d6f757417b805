// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <doctest/doctest.h>

#include <etch/graph/build.hpp>
#include <etch/ops.hpp>

/// Numbers that the compiler sees.
namespace {

using namespace etch::literals;

template <class L>
constexpr auto value(L) {
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

#define ETCH_SAME_AS_IN_CPP(number) \
  static_assert(std::bit_cast<std::uint64_t>(value(number##_c)) == std::bit_cast<std::uint64_t>(number))

TEST_CASE("GRA-04: a literal of 17 digits and any exponent is the double that C++ makes of it") {
  ETCH_SAME_AS_IN_CPP(0.79788456080286536);
  ETCH_SAME_AS_IN_CPP(0.12345678901234567);
  ETCH_SAME_AS_IN_CPP(3.1415926535897932);
  ETCH_SAME_AS_IN_CPP(2.7182818284590452);
  ETCH_SAME_AS_IN_CPP(0.70710678118654752);
  ETCH_SAME_AS_IN_CPP(1.4142135623730950);
  ETCH_SAME_AS_IN_CPP(0.69314718055994531);
  ETCH_SAME_AS_IN_CPP(9007199254740991.);
  ETCH_SAME_AS_IN_CPP(9007199254740993.);
  ETCH_SAME_AS_IN_CPP(9007199254740995.);
  ETCH_SAME_AS_IN_CPP(900719925474099.35);
  ETCH_SAME_AS_IN_CPP(99999999999999999.);
  ETCH_SAME_AS_IN_CPP(1e-22);
  ETCH_SAME_AS_IN_CPP(1e-23);
  ETCH_SAME_AS_IN_CPP(1e-24);
  ETCH_SAME_AS_IN_CPP(6.62607015e-34);
  ETCH_SAME_AS_IN_CPP(1.380649e-23);
  ETCH_SAME_AS_IN_CPP(6.02214076e23);
  ETCH_SAME_AS_IN_CPP(1e23);
  ETCH_SAME_AS_IN_CPP(1e30);
  ETCH_SAME_AS_IN_CPP(3.4028234663852886e38);
  ETCH_SAME_AS_IN_CPP(1.1754943508222875e-38);
  ETCH_SAME_AS_IN_CPP(1e-300);
  ETCH_SAME_AS_IN_CPP(1e300);
  ETCH_SAME_AS_IN_CPP(1.7976931348623157e308);
  ETCH_SAME_AS_IN_CPP(2.2250738585072014e-308);
  ETCH_SAME_AS_IN_CPP(2.2250738585072011e-308);
  ETCH_SAME_AS_IN_CPP(1e-310);
  ETCH_SAME_AS_IN_CPP(4.9406564584124654e-324);
  ETCH_SAME_AS_IN_CPP(0e400);
  ETCH_SAME_AS_IN_CPP(1e1'0);
  CHECK(value(0.79788456080286536_c) == 0.79788456080286536);
}

TEST_CASE("GRA-18: the largest float is a value of float, and smaller numbers than doubles have are 0") {
  constexpr etch::placeholder<"x", float, 3> x;
  static_assert(has_dtype<float>(x * 3.4028234663852886e38_c));
  static_assert(value(1e-400_c) == 0 && value(1e-999999999999_c) == 0);
  CHECK(decltype(3.4028234663852886e38_c)::as<float>() == std::numeric_limits<float>::max());
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

TEST_CASE("GRA-18: literals among themselves are computed in double and in int64, and take a dtype where they meet one") {
  constexpr etch::placeholder<"x", double, 3> x;
  static_assert(value(1.0_c / 3.0_c) == 1.0 / 3.0 && value(1.0_c / 3.0_c) != value(etch::literal<1.0f / 3.0f>));
  static_assert(same_type((1.0_c / 3.0_c) * x, etch::literal<1.0 / 3.0> * x));
  static_assert(same_type(etch::astype<double>(0.1_c), decltype(0.1_c)::node<double>()));
  static_assert(value(0.1_c + 0.2_c) == 0.1 + 0.2 && value(1_c - 0.9_c) == 1 - 0.9);
  // An integer that meets a float is a double; a comparison is a bool.
  static_assert(value(1_c / 4.0_c) == 0.25 && has_dtype<float>(1_c / 4.0_c) && has_dtype<std::int32_t>(2_c * 3_c));
  static_assert(has_dtype<bool>(1_c < 1.5_c) && value(1_c < 1.5_c) && !value(1_c == 1.5_c));
  static_assert(value(etch::pow(2_c, 40_c)) == 1099511627776 && value(1'000'000_c * 1'000'000_c) == 1'000'000'000'000);
  static_assert(value(etch::where(1_c < 2_c, 0.5_c, 3_c)) == 0.5 && value(!(1_c < 2_c) || 2_c == 2_c));
  static_assert(value(-7_c % 3_c) == 2 && value(etch::floor_divide(-7_c, 2_c)) == -4 && value(~5_c) == -6);
  static_assert(value(1_c << 62_c) == std::int64_t{1} << 62 && value(-8_c >> 1_c) == -4);
  static_assert(value(etch::maximum(3_c, 2.5_c)) == 3 && value(etch::sqrt(2.0_c)) == 1.4142135623730951);
  // What no number is, is there as in IEEE 754: only what overflows is refused.
  static_assert(value(1.0_c / 0.0_c) == std::numeric_limits<double>::infinity() && value(etch::log(0.0_c)) < -1e308);
  CHECK(std::signbit(value(-0.0_c)));
  CHECK(std::signbit(value(1_c / -(1.0_c / 0.0_c))));
  CHECK(std::isnan(value(0.0_c / 0.0_c)));
}

TEST_CASE("GRA-04: arithmetic that is checked says where it was out of range") {
  using I = etch::checked<std::int64_t>;
  using D = etch::checked<double>;
  using integers = etch::math::functions<I>;
  using reals = etch::math::functions<D>;
  constexpr I most = INT64_MAX, least = INT64_MIN;
  static_assert((most + I(1)).overflows && !(most + I(-1)).overflows && (least - I(1)).overflows && (I(0) - least).overflows);
  static_assert((most * I(2)).overflows && (least * I(-1)).overflows && !(most * I(-1)).overflows && (-least).overflows);
  static_assert(integers::abs(least).overflows && !integers::abs(most).overflows && integers::abs(I(-3)).value == 3);
  static_assert(integers::floor_divide(least, I(-1)).overflows && integers::floor_divide(I(-7), I(-1)).value == 7);
  static_assert(integers::pow(I(3), I(40)).overflows && integers::pow(I(3), I(39)).value == 4052555153018976267);
  static_assert(integers::pow(I(-2), I(63)).value == INT64_MIN && !integers::pow(I(-2), I(63)).overflows);
  static_assert(integers::pow(I(-2), I(64)).overflows && !integers::pow(I(1), most).overflows);
  static_assert(integers::left_shift(I(1), I(63)).overflows && integers::left_shift(I(1), I(64)).overflows);
  static_assert(!integers::left_shift(I(-1), I(63)).overflows && !integers::left_shift(I(0), I(99)).overflows);
  constexpr D huge = 1.5e308;
  static_assert((huge + huge).overflows && (-huge - huge).overflows && !(huge - huge).overflows && (huge * D(2)).overflows);
  static_assert((huge / D(0.1)).overflows && !(huge / D(0)).overflows && !(huge / D(10)).overflows);
  static_assert(reals::exp(D(710)).overflows && !reals::exp(D(709)).overflows && reals::pow(D(10), D(309)).overflows);
  static_assert(reals::floor_divide(huge, D(0.1)).overflows && reals::hypot(huge, huge).overflows);
  static_assert(!reals::exp(D(std::numeric_limits<double>::infinity())).overflows);
  static_assert((most + I(1) - I(1)).overflows && (huge * huge - huge).overflows);
  CHECK((most + I(1)).overflows);
}

template <class T>
constexpr T rate = T(0.25);

TEST_CASE("GRA-04: a constant of C++ as a literal") {
  static_assert(same_type(etch::literal<3>, 3_c) && same_type(etch::literal<std::uint8_t{3}>, 3_c));
  static_assert(same_type(etch::literal<0.1>, 0.1_c) && same_type(etch::literal<rate<float>>, 0.25_c));
  static_assert(value(etch::literal<0.1f>) == 0.1f && value(etch::literal<0.1f>) != 0.1);
  static_assert(value(etch::literal<INT64_MIN>) == INT64_MIN && value(etch::literal<0.30000000000000004>) == 0.1 + 0.2);
  static_assert(value(etch::literal<true>) == value(1_c == 1_c) && has_dtype<bool>(etch::literal<true>));
  constexpr etch::placeholder<"x", float, 3> x;
  constexpr etch::placeholder<"b", bool, 3> b;
  static_assert(has_dtype<float>(x * etch::literal<3>) && has_dtype<bool>(b && etch::literal<true>));
  static_assert(same_type(x * etch::literal<rate<double>>, x * 0.25_c));
  CHECK(value(etch::literal<0.5>) == 0.5);
}

TEST_CASE("GRA-18: which literals are values of a dtype") {
  const auto fits = []<class T>(auto l, T) { return decltype(l)::template fits<T>(); };
  static_assert(fits(255_c, std::uint8_t{}) && !fits(256_c, std::uint8_t{}) && !fits(-1_c, std::uint8_t{}));
  static_assert(fits(2.0_c, 0) && !fits(2.5_c, 0) && !fits(1e10_c, 0) && fits(1e10_c, std::int64_t{}));
  static_assert(!fits(1e19_c, std::int64_t{}) && fits(etch::literal<INT64_MIN>, std::int64_t{}));
  static_assert(fits(3e38_c, 0.f) && !fits(4e38_c, 0.f) && fits(1.0_c / 0_c, 0.f) && fits(0.1_c, 0.f));
  static_assert(fits(7_c, true) && !fits(0.5_c, true) && fits(1_c == 1_c, 0.f));
  CHECK(fits(0_c, std::uint8_t{}));
}

TEST_CASE("GRA-04: a literal as a node of a dtype has that dtype's bits") {
  constexpr auto word = [](auto node) { return etch::record_of<decltype(node)::hash>().words[0]; };
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
