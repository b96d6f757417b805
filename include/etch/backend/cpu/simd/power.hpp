// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/simd/logarithm.hpp>

/// pow without a branch: exp(y log x), where the logarithm is a sum of two numbers, for its error is multiplied by as
/// much as 88 (float) or 709 (double). Within 1.5 units in the last place; special cases as in C.
namespace etch::cpu::simd {

/// The series in s^2 after 2/3 of (log((1 + s) / (1 - s)) - 2 s) / s^3.
template <class B>
ETCH_INLINE B log_series(const B& z) {
  if constexpr (is_float<typename B::value_type>)
    return z * simd::polynomial(z, 0x1.999aa2p-2f, 0x1.2419a6p-2f, 0x1.e8fda4p-3f);
  else
    return z * simd::polynomial(z, 0x1.9999999999967p-2, 0x1.2492492498f14p-2, 0x1.c71c71bc4f1afp-3, 0x1.745d1bd13a144p-3,
                                0x1.3b12964254853p-3, 0x1.113a54c4845d3p-3, 0x1.dac95a8c7dce0p-4, 0x1.019334ae70168p-3);
}

/// log((1 + s) / (1 - s)) - 2 s, the product of s^3 and its series in double words.
template <class B>
ETCH_INLINE double_word<B> log_rest(const double_word<B>& s) {
  using T = typename B::value_type;
  constexpr T two_thirds = static_cast<T>(is_float<T> ? 0x1.555556p-1 : 0x1.5555555555555p-1);
  constexpr T lost_of_it = static_cast<T>(is_float<T> ? -0x1.555556p-26 : 0x1.5555555555555p-55);
  const B z = s.high * s.high;
  const B z_low = simd::fma(s.high + s.high, s.low, simd::lost_by_product(s.high, s.high, z));
  const B cube = s.high * z;
  const B cube_low = simd::fma(s.high, z_low, simd::fma(s.low, z, simd::lost_by_product(s.high, z, cube)));
  const auto series = simd::exact_sum(B(two_thirds), simd::log_series(z));
  const B rest = cube * series.high;
  const B lost = simd::lost_by_product(cube, series.high, rest);
  return {rest, simd::fma(cube, series.low + B(lost_of_it), simd::fma(cube_low, series.high, lost))};
}

/// log(a) for a > 0.
template <class B>
ETCH_INLINE double_word<B> log_in_double_words(const B& a) {
  using T = typename B::value_type;
  const B one(T(1));
  const auto [m, e] = simd::split(a);
  // s = (m - 1) / (m + 1) and the remainder of the division.
  const B f = m - one;
  const B d = m + one;
  const B d_low = m - (d - one);
  const B reciprocal = one / d;
  double_word<B> s;
  s.high = f * reciprocal;
  s.low = reciprocal * simd::fnma(s.high, d_low, simd::remainder_of_division(f, s.high, d));

  const auto rest = simd::log_rest(s);
  const auto sum = simd::exact_sum(e * B(ln2_high<T>), s.high + s.high);
  const auto total = simd::exact_sum(sum.high, rest.high);
  return {total.high, (sum.low + total.low) + simd::fma(e, B(ln2_low<T>), (s.low + s.low) + rest.low)};
}

/// |x|^y for a finite |x| > 0 and any y.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> power_of_magnitude(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& y) {
  using B = xsimd::batch<T, A>;
  constexpr T low = static_cast<T>(is_float<T> ? -104 : -746);
  constexpr T high = static_cast<T>(is_float<T> ? 89 : 710);
  // Beyond this every power other than that of 1 is 0 or infinite, and nothing overflows before it should.
  constexpr T largest_exponent = static_cast<T>(is_float<T> ? 0x1p32 : 0x1p64);
  const auto log = simd::log_in_double_words(a);
  const B exponent = cpu::detail::clamp(y, -largest_exponent, largest_exponent);
  const B product = exponent * log.high;
  const B product_low = simd::fma(exponent, log.low, simd::lost_by_product(exponent, log.high, product));
  const B inside = cpu::detail::clamp(product, low, high);
  const auto [n, shifted, reduced_product] = simd::reduce(inside);
  const B r = reduced_product + xsimd::select(inside == product, product_low, B(T(0)));
  return simd::scale(simd::expm1_of_reduced(r) + B(T(1)), n, shifted);
}

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> pow(const xsimd::batch<T, A>& x, const xsimd::batch<T, A>& y) {
  using B = xsimd::batch<T, A>;
  const B zero(T(0)), one(T(1)), inf(infinity<T>);
  const B a = xsimd::abs(x);
  B result = simd::power_of_magnitude(a, y);

  const auto a_is_zero = a == zero;
  const auto a_is_infinite = a == inf;
  result = xsimd::select(a_is_infinite, xsimd::select(y < zero, zero, inf), result);
  result = xsimd::select(a_is_zero, xsimd::select(y < zero, inf, zero), result);

  const B half = y * B(T(0.5));
  const auto is_integer = simd::round(y) == y;
  const auto is_odd = is_integer & (!(simd::round(half) == half));
  result = result | (simd::sign_of(x) & xsimd::select(is_odd, B(T(-0.0)), zero));
  const auto undefined = (x < zero) & !is_integer & !a_is_infinite;
  result =
      xsimd::select(undefined | cpu::detail::is_nan(x) | cpu::detail::is_nan(y), B(std::numeric_limits<T>::quiet_NaN()), result);
  return xsimd::select((x == one) | (y == zero), one, result);
}

}  // namespace etch::cpu::simd
