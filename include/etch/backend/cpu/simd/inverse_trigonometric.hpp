// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/simd/exponential.hpp>

/// asin, acos, atan and atan2 without a branch. Multiples of pi / 4 are added in two parts, the sum with the first is exact.
/// The largest errors found are 1.1 units in the last place, 0.7 for atan; 1.8 where atan2 is subnormal, without a fused
/// multiply-add.
namespace etch::cpu::simd {

/// pi / 4; up to four times the first part is exact.
template <class T>
inline constexpr T eighth_turn = static_cast<T>(is_float<T> ? 0x1.921fb8p-1 : 0x1.921fb54442d18p-1);
template <class T>
inline constexpr T eighth_turn_low = static_cast<T>(is_float<T> ? -0x1.5dde98p-24 : 0x1.1a62633145c07p-55);

/// (asin(r) - r) / r^3, |r| <= 1/2, by tools/polynomials.py asin.
template <class B>
ETCH_INLINE B asin_rest(const B& z) {
  if constexpr (is_float<typename B::value_type>)
    return simd::polynomial(z, 0x1.5555c8p-3f, 0x1.330204p-4f, 0x1.747bbap-5f, 0x1.8c3e2ap-6f, 0x1.595c8cp-5f);
  else
    return simd::polynomial(z, 0x1.5555555555577p-3, 0x1.333333332e131p-4, 0x1.6db6db7212678p-5, 0x1.f1c71a94f3366p-6,
                            0x1.6e8bdee035429p-6, 0x1.1c49f05db6131p-6, 0x1.ca1f8d5aae271p-7, 0x1.75858a6090481p-7,
                            0x1.613c880cee16dp-7, 0x1.e5f5d40d68641p-9, 0x1.639c56f8a1a4fp-6, -0x1.57fd4e3b5c717p-6,
                            0x1.0b46ac812b72bp-5);
}

/// (atan(t) - t) / t^3, |t| <= 1/2, by tools/polynomials.py atan.
template <class B>
ETCH_INLINE B atan_rest(const B& z) {
  if constexpr (is_float<typename B::value_type>)
    return simd::polynomial(z, -0x1.555552p-2f, 0x1.999744p-3f, -0x1.24503p-3f, 0x1.c07268p-4f, -0x1.480d4p-4f, 0x1.3fd554p-5f);
  else
    return simd::polynomial(z, -0x1.5555555555552p-2, 0x1.99999999990d6p-3, -0x1.2492492453658p-3, 0x1.c71c71aaf0092p-4,
                            -0x1.745d138f57ad3p-4, 0x1.3b1360b120595p-4, -0x1.110c712a4fbe4p-4, 0x1.e182d826af113p-5,
                            -0x1.ac72b503292bap-5, 0x1.77fc3e74d333ap-5, -0x1.301d78c18131dp-5, 0x1.83a9b83bde26bp-6,
                            -0x1.123df619df274p-7);
}

/// eighths pi / 4 + t + rest, where |t| is at most the first term, or that is 0.
template <class B>
ETCH_INLINE B angle_of_parts(const B& eighths, const B& t, const B& rest) {
  using T = typename B::value_type;
  const auto sum = simd::exact_sum(eighths * B(eighth_turn<T>), t);
  return sum.high + (sum.low + simd::fma(eighths, B(eighth_turn_low<T>), rest));
}

/// asin(a) is pi / 2 - 2 asin(sqrt((1 - a) / 2)): the angle r, and what the series adds to it. NaN for a > 1, whose root is.
template <class B>
struct arc {
  B near;  ///< r: a up to 1/2, the root beyond
  B rest;  ///< asin(r) - r
};
template <class B>
ETCH_INLINE arc<B> arc_of_sine(const B& a, const typename B::batch_bool_type& far) {
  using T = typename B::value_type;
  const B half(T(0.5));
  const B z = xsimd::select(far, simd::fnma(half, a, half), a * a);
  const B r = xsimd::select(far, simd::sqrt(z), a);
  return {r, r * z * simd::asin_rest(z)};
}

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> asin(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  const B a = xsimd::abs(x);
  const auto far = a > B(T(0.5));
  const auto [near, rest] = simd::arc_of_sine(a, far);
  const B times = xsimd::select(far, B(T(-2)), B(T(1)));
  return simd::with_sign(simd::angle_of_parts(xsimd::select(far, B(T(2)), B(T(0))), times * near, times * rest), x);
}

/// pi / 2 - asin(x); for |x| > 1/2 the double of the small angle, or pi minus that.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> acos(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  const B zero(T(0)), one(T(1)), two(T(2));
  const B a = xsimd::abs(x);
  const auto far = a > B(T(0.5)), below = x < zero;
  const auto [near, rest] = simd::arc_of_sine(a, far);
  const B eighths = xsimd::select(far, xsimd::select(below, B(T(4)), zero), two);
  const B sign = xsimd::select(below, one, -one);
  const B times = xsimd::select(far, -(sign + sign), sign);
  return simd::angle_of_parts(eighths, times * near, times * rest);
}

/// The angle of the direction (b, a) in the first quadrant, the longer coordinate of which is in [2^-52, 2^64]: that of the
/// ratio r of the two where r is at most 1/2, else of (r - 1) / (r + 1), which is pi / 4 less. Mirrored: pi minus that.
template <class B>
ETCH_INLINE B angle_of_direction(const B& a, const B& b, const typename B::batch_bool_type& mirrored) {
  using T = typename B::value_type;
  const B zero(T(0)), one(T(1));
  const auto steep = a > b;
  const B longer = xsimd::select(steep, a, b), shorter = xsimd::select(steep, b, a);
  const auto diagonal = shorter + shorter > longer;
  const B numerator = xsimd::select(diagonal, shorter - longer, shorter);
  const auto denominator = simd::exact_sum(longer, xsimd::select(diagonal, shorter, zero));
  const B reciprocal = one / denominator.high;
  const B t = numerator * reciprocal;
  const B remainder = simd::remainder_of_division(numerator, t, denominator.high);
  const B low = simd::fnma(t, denominator.low, remainder) * reciprocal;
  const B z = t * t;
  const B rest = simd::fma(t * z, simd::atan_rest(z), simd::fnma(low, z, low));

  B eighths = xsimd::select(diagonal, one, zero), sign = one;
  eighths = xsimd::select(steep, B(T(2)) - eighths, eighths);
  sign = xsimd::select(steep, -sign, sign);
  eighths = xsimd::select(mirrored, B(T(4)) - eighths, eighths);
  sign = xsimd::select(mirrored, -sign, sign);
  return simd::angle_of_parts(eighths, sign * t, sign * rest);
}

/// From 2^64 (float: 2^30) on the result is pi / 2.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> atan(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  const B one(T(1));
  const B a = cpu::detail::smaller(B(static_cast<T>(is_float<T> ? 0x1p30 : 0x1p64)), xsimd::abs(x));
  return simd::with_sign(simd::angle_of_direction(a, one, one < B(T(0))), x);
}

/// The angle of (x, y), from -pi to pi; the special cases of C. Both are divided by the power of two in the longer one, and
/// infinities are replaced by what stands in the same ratio.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> atan2(const xsimd::batch<T, A>& y, const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  using U = xsimd::batch<cpu::detail::unsigned_like<T>, A>;
  const B zero(T(0)), one(T(1)), inf(infinity<T>);
  const B a = xsimd::abs(y), b = xsimd::abs(x);
  const B longer = xsimd::select(a > b, a, b);
  constexpr T largest_power = static_cast<T>(is_float<T> ? 0x1p126 : 0x1p1022);
  constexpr auto twice_the_bias = static_cast<cpu::detail::unsigned_like<T>>(2 * exponent_bias<T>) << mantissa_bits<T>;
  const auto power = cpu::detail::bits(cpu::detail::smaller(B(largest_power), longer)) & cpu::detail::bits(inf);
  const B scale = cpu::detail::reinterpret<T>(U(twice_the_bias) - power);

  const auto infinite = longer == inf;
  const B opposite = xsimd::select(infinite, xsimd::select(a == inf, one, zero), a * scale);
  const B adjacent = xsimd::select(infinite, xsimd::select(b == inf, one, zero), b * scale);
  const auto nowhere = longer == zero;
  const auto mirrored = simd::with_sign(one, x) < zero;
  const B angle = simd::angle_of_direction(opposite, xsimd::select(nowhere, one, adjacent), mirrored);
  const auto undefined = cpu::detail::is_nan(x) | cpu::detail::is_nan(y);
  return xsimd::select(undefined, B(std::numeric_limits<T>::quiet_NaN()), simd::with_sign(angle, y));
}

}  // namespace etch::cpu::simd
