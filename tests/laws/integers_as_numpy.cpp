// SPDX-License-Identifier: MIT
#include "compare.hpp"

#include <etch/eager.hpp>
#include <etch/eager/xtensor.hpp>

/// Narrow and unsigned integers wrap around as NumPy's do: its results (of NumPy 2), in a session, at once, and folded.
namespace {

using namespace etch;

template <class T>
struct numpy;
template <>
struct numpy<std::int8_t> {
  using T = std::int8_t;
  using wide = std::int64_t;
  static constexpr T a[] = {-128, 127, 3, 126, 7, 100};
  static constexpr T b[] = {127, 1, 127, 127, 2, 3};
  static constexpr T counts[] = {1, 1, 7, 2, 1, 30};
  static constexpr T exponents[] = {2, 2, 3, 3, 20, 4};
  static constexpr T sums[] = {-1, -128, -126, -3, 9, 103};
  static constexpr T differences[] = {1, 126, -124, -1, 5, 97};
  static constexpr T products[] = {-128, 127, 125, -126, 14, 44};
  static constexpr T negatives[] = {-128, -127, -3, -126, -7, -100};
  static constexpr T quotients[] = {-2, 127, 0, 0, 3, 33};
  static constexpr T remainders[] = {126, 0, 3, 126, 1, 1};
  static constexpr T largest[] = {127, 127, 127, 127, 7, 100};
  static constexpr T absolute[] = {-128, 127, 3, 126, 7, 100};
  static constexpr T inverted[] = {127, -128, -4, -127, -8, -101};
  static constexpr T shifted_left[] = {0, -2, -128, -8, 14, 0};
  static constexpr T shifted_right[] = {-64, 63, 0, 31, 3, 0};
  static constexpr T powers[] = {0, 1, 27, -8, -31, 0};
  static constexpr T signs[] = {-1, 1, 1, 1, 1, 1};
  static constexpr bool less[] = {true, false, true, true, false, false};
  static constexpr wide sum = 235, prod = -4301337600, running[] = {-128, -1, 2, 128, 135, 235};
  static constexpr T matrix[] = {-121, -118, -61, 35};
  static constexpr double doubles[] = {-128.0, 127.0, 3.0, 126.0, 7.0, 100.0};
};
template <>
struct numpy<std::int16_t> {
  using T = std::int16_t;
  using wide = std::int64_t;
  static constexpr T a[] = {-32768, 32767, 3, 32766, 7, 100};
  static constexpr T b[] = {32767, 1, 32767, 32767, 2, 3};
  static constexpr T counts[] = {1, 1, 7, 2, 1, 30};
  static constexpr T exponents[] = {2, 2, 3, 3, 20, 4};
  static constexpr T sums[] = {-1, -32768, -32766, -3, 9, 103};
  static constexpr T differences[] = {1, 32766, -32764, -1, 5, 97};
  static constexpr T products[] = {-32768, 32767, 32765, -32766, 14, 300};
  static constexpr T negatives[] = {-32768, -32767, -3, -32766, -7, -100};
  static constexpr T quotients[] = {-2, 32767, 0, 0, 3, 33};
  static constexpr T remainders[] = {32766, 0, 3, 32766, 1, 1};
  static constexpr T largest[] = {32767, 32767, 32767, 32767, 7, 100};
  static constexpr T absolute[] = {-32768, 32767, 3, 32766, 7, 100};
  static constexpr T inverted[] = {32767, -32768, -4, -32767, -8, -101};
  static constexpr T shifted_left[] = {0, -2, 384, -8, 14, 0};
  static constexpr T shifted_right[] = {-16384, 16383, 0, 8191, 3, 0};
  static constexpr T powers[] = {0, 1, 27, -8, 5857, -7936};
  static constexpr T signs[] = {-1, 1, 1, 1, 1, 1};
  static constexpr bool less[] = {true, false, true, true, false, false};
  static constexpr wide sum = 32875, prod = -73880416950681600, running[] = {-32768, -1, 2, 32768, 32775, 32875};
  static constexpr T matrix[] = {-32761, -32758, 195, 291};
  static constexpr double doubles[] = {-32768.0, 32767.0, 3.0, 32766.0, 7.0, 100.0};
};
template <>
struct numpy<std::uint16_t> {
  using T = std::uint16_t;
  using wide = std::int64_t;
  static constexpr T a[] = {0, 65535, 3, 65534, 7, 100};
  static constexpr T b[] = {65535, 1, 65535, 65535, 2, 3};
  static constexpr T counts[] = {1, 1, 7, 2, 1, 30};
  static constexpr T exponents[] = {2, 2, 3, 3, 20, 4};
  static constexpr T sums[] = {65535, 0, 2, 65533, 9, 103};
  static constexpr T differences[] = {1, 65534, 4, 65535, 5, 97};
  static constexpr T products[] = {0, 65535, 65533, 2, 14, 300};
  static constexpr T negatives[] = {0, 1, 65533, 2, 65529, 65436};
  static constexpr T quotients[] = {0, 65535, 0, 0, 3, 33};
  static constexpr T remainders[] = {0, 0, 3, 65534, 1, 1};
  static constexpr T largest[] = {65535, 65535, 65535, 65535, 7, 100};
  static constexpr T absolute[] = {0, 65535, 3, 65534, 7, 100};
  static constexpr T inverted[] = {65535, 0, 65532, 1, 65528, 65435};
  static constexpr T shifted_left[] = {0, 65534, 384, 65528, 14, 0};
  static constexpr T shifted_right[] = {0, 32767, 0, 16383, 3, 0};
  static constexpr T powers[] = {0, 1, 27, 65528, 5857, 57600};
  static constexpr T signs[] = {0, 1, 1, 1, 1, 1};
  static constexpr bool less[] = {true, false, true, true, false, false};
  static constexpr wide sum = 131179, prod = 0, running[] = {0, 65535, 65538, 131072, 131079, 131179};
  static constexpr T matrix[] = {7, 10, 195, 291};
  static constexpr double doubles[] = {0.0, 65535.0, 3.0, 65534.0, 7.0, 100.0};
};
template <>
struct numpy<std::uint32_t> {
  using T = std::uint32_t;
  using wide = std::uint32_t;
  static constexpr T a[] = {0, 4294967295, 3, 4294967294, 7, 100};
  static constexpr T b[] = {4294967295, 1, 4294967295, 4294967295, 2, 3};
  static constexpr T counts[] = {1, 1, 7, 2, 1, 30};
  static constexpr T exponents[] = {2, 2, 3, 3, 20, 4};
  static constexpr T sums[] = {4294967295, 0, 2, 4294967293, 9, 103};
  static constexpr T differences[] = {1, 4294967294, 4, 4294967295, 5, 97};
  static constexpr T products[] = {0, 4294967295, 4294967293, 2, 14, 300};
  static constexpr T negatives[] = {0, 1, 4294967293, 2, 4294967289, 4294967196};
  static constexpr T quotients[] = {0, 4294967295, 0, 0, 3, 33};
  static constexpr T remainders[] = {0, 0, 3, 4294967294, 1, 1};
  static constexpr T largest[] = {4294967295, 4294967295, 4294967295, 4294967295, 7, 100};
  static constexpr T absolute[] = {0, 4294967295, 3, 4294967294, 7, 100};
  static constexpr T inverted[] = {4294967295, 0, 4294967292, 1, 4294967288, 4294967195};
  static constexpr T shifted_left[] = {0, 4294967294, 384, 4294967288, 14, 0};
  static constexpr T shifted_right[] = {0, 2147483647, 0, 1073741823, 3, 0};
  static constexpr T powers[] = {0, 1, 27, 4294967288, 3095271137, 100000000};
  static constexpr T signs[] = {0, 1, 1, 1, 1, 1};
  static constexpr bool less[] = {true, false, true, true, false, false};
  static constexpr wide sum = 107, prod = 0, running[] = {0, 4294967295, 2, 0, 7, 107};
  static constexpr T matrix[] = {7, 10, 195, 291};
  static constexpr double doubles[] = {0.0, 4294967295.0, 3.0, 4294967294.0, 7.0, 100.0};
};
template <>
struct numpy<std::uint64_t> {
  using T = std::uint64_t;
  using wide = std::uint64_t;
  static constexpr T a[] = {0, 18446744073709551615u, 3, 18446744073709551614u, 7, 100};
  static constexpr T b[] = {18446744073709551615u, 1, 18446744073709551615u, 18446744073709551615u, 2, 3};
  static constexpr T counts[] = {1, 1, 7, 2, 1, 30};
  static constexpr T exponents[] = {2, 2, 3, 3, 20, 4};
  static constexpr T sums[] = {18446744073709551615u, 0, 2, 18446744073709551613u, 9, 103};
  static constexpr T differences[] = {1, 18446744073709551614u, 4, 18446744073709551615u, 5, 97};
  static constexpr T products[] = {0, 18446744073709551615u, 18446744073709551613u, 2, 14, 300};
  static constexpr T negatives[] = {0, 1, 18446744073709551613u, 2, 18446744073709551609u, 18446744073709551516u};
  static constexpr T quotients[] = {0, 18446744073709551615u, 0, 0, 3, 33};
  static constexpr T remainders[] = {0, 0, 3, 18446744073709551614u, 1, 1};
  static constexpr T largest[] = {
      18446744073709551615u, 18446744073709551615u, 18446744073709551615u, 18446744073709551615u, 7, 100};
  static constexpr T absolute[] = {0, 18446744073709551615u, 3, 18446744073709551614u, 7, 100};
  static constexpr T inverted[] = {18446744073709551615u, 0, 18446744073709551612u, 1, 18446744073709551608u,
                                   18446744073709551515u};
  static constexpr T shifted_left[] = {0, 18446744073709551614u, 384, 18446744073709551608u, 14, 107374182400};
  static constexpr T shifted_right[] = {0, 9223372036854775807, 0, 4611686018427387903, 3, 0};
  static constexpr T powers[] = {0, 1, 27, 18446744073709551608u, 79792266297612001, 100000000};
  static constexpr T signs[] = {0, 1, 1, 1, 1, 1};
  static constexpr bool less[] = {true, false, true, true, false, false};
  static constexpr wide sum = 107, prod = 0, running[] = {0, 18446744073709551615u, 2, 0, 7, 107};
  static constexpr T matrix[] = {7, 10, 195, 291};
  static constexpr double doubles[] = {0.0, 1.8446744073709552e+19, 3.0, 1.8446744073709552e+19, 7.0, 100.0};
};

/// Many times over, so that vectors are filled.
template <class T, std::size_t N>
xt::xtensor<T, 1> repeated(const T (&values)[N]) {
  auto x = xt::xtensor<T, 1>::from_shape({7 * N});
  for (std::size_t i = 0; i < x.size(); ++i) x(i) = values[i % N];
  return x;
}

/// What the compiler makes of constants. Where int64 (or uint64) overflows on the way it leaves them to the run.
template <class Op, class T, class R>
void check_folded(const scalar& folded, R result) {
  const bool left = sizeof(T) >= 4 && folded.type == dtype::none;
  laws::check_that(left || (folded.as<R>() == result && folded.type == dtype_of<R>), std::string(Op::name).append(" folded"));
}

template <class Op, class R, class T, std::size_t N>
void check_unary(Op, const T (&a)[N], const R (&results)[N]) {
  constexpr placeholder<"x", T, any<"n">> x;
  session s(Op{}(x));
  const auto in = repeated(a);
  std::string where;
  laws::check_that(laws::agree(s.run(Op{}(x), x = in), repeated(results), 0, where), Op::name + (": " + where));
  laws::check_that(laws::agree(laws::copied(Op{}(tensor(in))), repeated(results), 0, where), Op::name + (" at once: " + where));
  for (std::size_t i = 0; i < N; ++i) {
    const scalar operands[] = {scalar::of(a[i])};
    const scalar folded = info_of<Op>.fold(operands, dtype_of<T>);
    check_folded<Op, T>(folded, results[i]);
  }
}

template <class Op, class R, class T, std::size_t N>
void check_binary(Op, const T (&a)[N], const T (&b)[N], const R (&results)[N]) {
  constexpr placeholder<"x", T, any<"n">> x;
  constexpr placeholder<"y", T, any<"n">> y;
  session s(Op{}(x, y));
  const auto left = repeated(a), right = repeated(b);
  std::string where;
  laws::check_that(laws::agree(s.run(Op{}(x, y), x = left, y = right), repeated(results), 0, where), Op::name + (": " + where));
  laws::check_that(laws::agree(laws::copied(Op{}(tensor(left), tensor(right))), repeated(results), 0, where),
                   Op::name + (" at once: " + where));
  for (std::size_t i = 0; i < N; ++i) {
    const scalar operands[] = {scalar::of(a[i]), scalar::of(b[i])};
    const scalar folded = info_of<Op>.fold(operands, dtype_of<T>);
    check_folded<Op, T>(folded, results[i]);
  }
}

}  // namespace

#define NARROW_AND_UNSIGNED std::int8_t, std::int16_t, std::uint16_t, std::uint32_t, std::uint64_t

TEST_CASE_TEMPLATE("law: elementwise ops of narrow and unsigned integers are NumPy's", T, NARROW_AND_UNSIGNED) {
  using e = numpy<T>;
  check_binary(add, e::a, e::b, e::sums);
  check_binary(subtract, e::a, e::b, e::differences);
  check_binary(multiply, e::a, e::b, e::products);
  check_binary(floor_divide, e::a, e::b, e::quotients);
  check_binary(etch::remainder, e::a, e::b, e::remainders);
  check_binary(maximum, e::a, e::b, e::largest);
  check_binary(less, e::a, e::b, e::less);
  check_binary(left_shift, e::a, e::counts, e::shifted_left);
  check_binary(right_shift, e::a, e::counts, e::shifted_right);
  check_binary(etch::pow, e::a, e::exponents, e::powers);
  check_unary(negative, e::a, e::negatives);
  check_unary(etch::abs, e::a, e::absolute);
  check_unary(sign, e::a, e::signs);
  check_unary(bitwise_not, e::a, e::inverted);
}

TEST_CASE_TEMPLATE("law: reductions of narrow and unsigned integers are NumPy's, and sums are wide", T, NARROW_AND_UNSIGNED) {
  using e = numpy<T>;
  using wide = typename e::wide;
  constexpr placeholder<"x", T, 6> x;
  constexpr placeholder<"y", T, 6> y;
  constexpr auto total = sum(x);
  constexpr auto product = prod(x);
  constexpr auto running = cumsum(x, axis<0>);
  constexpr auto matrix = reshape(matmul(reshape(x, shape<2, 3>{}), reshape(y, shape<3, 2>{})), shape<4>{});
  constexpr auto doubles = astype<double>(x);
  constexpr auto flags = astype<bool>(x);
  static_assert(std::is_same_v<typename decltype(total)::value_type, wide>);
  session s(total, product, running, max(x), min(x), argmax(x, axis<0>), matrix, doubles, flags);
  xt::xtensor<T, 1> a = xt::xtensor<T, 1>::from_shape({6}), b = a;
  std::copy(std::begin(e::a), std::end(e::a), a.begin());
  std::copy(std::begin(e::b), std::end(e::b), b.begin());
  const auto r = s.run(total, product, running, max(x), min(x), argmax(x, axis<0>), matrix, doubles, flags, x = a, y = b);
  CHECK(std::get<0>(r) == e::sum);
  CHECK(std::get<1>(r) == e::prod);
  CHECK(std::equal(std::get<2>(r).begin(), std::get<2>(r).end(), e::running));
  CHECK(std::get<3>(r) == std::numeric_limits<T>::max());
  CHECK(std::get<4>(r) == std::numeric_limits<T>::min());
  CHECK(std::get<5>(r) == 1);
  CHECK(std::equal(std::get<6>(r).begin(), std::get<6>(r).end(), e::matrix));
  CHECK(std::equal(std::get<7>(r).begin(), std::get<7>(r).end(), e::doubles));
  for (std::size_t i = 0; i < 6; ++i) CHECK(std::get<8>(r)(i) == (e::a[i] != 0));
  CHECK(sum(tensor(a)).item() == e::sum);
  CHECK(max(tensor(a)).item() == std::numeric_limits<T>::max());
}

TEST_CASE("law: what integers of two dtypes give when they meet is what it is of the wider one") {
  constexpr placeholder<"a", std::int8_t, 3> a;
  constexpr placeholder<"b", std::uint8_t, 3> b;
  constexpr placeholder<"c", std::uint32_t, 3> c;
  constexpr placeholder<"d", std::uint64_t, 3> d;
  const xt::xtensor<std::int8_t, 1> va{-128, -1, 127};
  const xt::xtensor<std::uint8_t, 1> vb{255, 255, 255};
  const xt::xtensor<std::uint32_t, 1> vc{4294967295u, 0, 1};
  const xt::xtensor<std::uint64_t, 1> vd{18446744073709551615u, 1, 0};
  session s(a + b, a * c, a < c, b + d, where(a < 0_c, b, d));
  const auto [sums, products, smaller, large, chosen] =
      s.run(a + b, a * c, a < c, b + d, where(a < 0_c, b, d), a = va, b = vb, c = vc, d = vd);
  CHECK(sums == xt::xtensor<std::int16_t, 1>{127, 254, 382});
  CHECK(products == xt::xtensor<std::int64_t, 1>{-549755813760, 0, 127});
  CHECK(smaller == xt::xtensor<bool, 1>{true, true, false});
  CHECK(large == xt::xtensor<std::uint64_t, 1>{254, 256, 255});
  CHECK(chosen == xt::xtensor<std::uint64_t, 1>{255, 255, 0});
  CHECK((tensor(va) + tensor(vb)).array() == sums);
  // An index beyond the last row, and of int64, is the last row.
  CHECK(etch::gather(tensor(va), tensor(vd)).array() == xt::xtensor<std::int8_t, 1>{127, -1, -128});
}

TEST_CASE("law: constants of unsigned integers keep their highest bit") {
  constexpr auto highest = astype<std::uint64_t>(-1_c);
  constexpr auto real = astype<double>(floor_divide(highest, 2_c)) + astype<float>(highest);
  session s(highest, real);
  const auto [a, b] = s.run(highest, real);
  CHECK(a == 18446744073709551615u);
  CHECK(b == 9223372036854775808.0 + 18446744073709551616.0);
}
