// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/simd/logarithm.hpp>

/// sinh, cosh and their inverses without a branch; tanh is in exponential.hpp. The largest errors found are 1.7 units in the
/// last place for acosh (double, near 1), 1.3 for the others.
namespace etch::cpu::simd {

/// (sinh(r) - r) / r^3 and (cosh(r) - 1) / r^2 on the range of `reduce`, by tools/polynomials.py sinh cosh.
template <class B>
ETCH_INLINE B sinh_rest(const B& z) {
  if constexpr (is_float<typename B::value_type>)
    return simd::polynomial(z, 0x1.555556p-3f, 0x1.110fbep-7f, 0x1.a2e31p-13f);
  else
    return simd::polynomial(z, 0x1.5555555555559p-3, 0x1.111111110f624p-7, 0x1.a01a01b0250cfp-13, 0x1.71ddf79e12389p-19,
                            0x1.af601c8430d08p-26);
}
template <class B>
ETCH_INLINE B cosh_rest(const B& z) {
  if constexpr (is_float<typename B::value_type>)
    return simd::polynomial(z, 0x1p-1f, 0x1.5554e6p-5f, 0x1.6d4f3cp-10f);
  else
    return simd::polynomial(z, 0x1.000000000000bp-1, 0x1.555555555025fp-5, 0x1.6c16c1853f432p-10, 0x1.a019978d3da91p-16,
                            0x1.28af787bbfa08p-22);
}

/// sinh or cosh of a = n ln 2 + r >= 0, by sinh(a) = sinh(n ln 2) cosh(r) + cosh(n ln 2) sinh(r), and likewise cosh: both of
/// n ln 2 are 2^n (1 -+ 4^-n) / 2, and their sum with the first term of sinh(r) is exact.
template <bool Odd, class B>
ETCH_INLINE B hyperbolic(const B& a) {
  using T = typename B::value_type;
  const auto [n, shifted, r] = simd::reduce(cpu::detail::smaller(B(T(is_float<T> ? 90 : 711)), a));
  const B quarters = cpu::detail::smaller(n, B(T(is_float<T> ? 30 : 100)));  // 4^-n of more adds nothing to 1
  const B half_power = simd::power_of_two(B(shift_to_integer<T> - T(1)) - (quarters + quarters));
  const B half(T(0.5));
  const auto of_cosh = simd::exact_sum(half, Odd ? simd::negative(half_power) : half_power);
  const B of_sinh = Odd ? half + half_power : half - half_power;

  const B z = r * r;
  const B product = of_sinh * r;
  const B lost = simd::lost_by_product(of_sinh, r, product);
  const B rest = simd::fma(of_cosh.high, simd::cosh_rest(z), product * simd::sinh_rest(z));
  const auto sum = simd::exact_sum(of_cosh.high, product);
  return simd::scale(sum.high + simd::fma(z, rest, (sum.low + of_cosh.low) + lost), n, shifted);
}

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> sinh(const xsimd::batch<T, A>& x) {
  return simd::with_sign(simd::hyperbolic<true>(xsimd::abs(x)), x);
}
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> cosh(const xsimd::batch<T, A>& x) {
  return simd::hyperbolic<false>(xsimd::abs(x));
}

/// From here on the inverses are log(2 x): what is left out is below 1 / (2 x)^2.
template <class T>
inline constexpr T logarithmic_from = static_cast<T>(is_float<T> ? 0x1p14 : 0x1p30);

/// log(1 + (high + low)) for a sum of two that is not negative, log(2 a) where a is large.
template <class B>
ETCH_INLINE B log_of_one_and(const double_word<B>& sum, const B& a) {
  using T = typename B::value_type;
  const B one(T(1)), zero(T(0));
  const auto large = a > B(logarithmic_from<T>);
  const B u = one + sum.high;
  const B low = (sum.high - (u - one)) + sum.low;
  const B twos = xsimd::select(large, one, zero);
  return simd::log_of_sum<true>(xsimd::select(large, a, u), xsimd::select(large, zero, low), twos);
}

/// log(1 + a + (sqrt(1 + a^2) - 1)), where the difference is a^2 / (sqrt(1 + a^2) + 1).
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> asinh(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  const B one(T(1));
  const B a = xsimd::abs(x);
  const B inside = cpu::detail::smaller(B(logarithmic_from<T>), a);
  const B square = inside * inside;
  const auto sum = simd::exact_sum(inside, square / (one + simd::sqrt(one + square)));
  return simd::with_sign(simd::log_of_one_and(sum, a), x);
}

/// log(1 + y + sqrt(y (y + 2))), where y = x - 1 is exact. NaN below 1.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> acosh(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  const B one(T(1));
  const B y = cpu::detail::smaller(B(logarithmic_from<T>), x) - one;
  const auto sum = simd::exact_sum(simd::sqrt(simd::fma(y, y, y + y)), y);
  return xsimd::select(x < one, B(std::numeric_limits<T>::quiet_NaN()), simd::log_of_one_and(sum, x));
}

/// log(1 + 2 a / (1 - a)) / 2; the quotient as a sum of two.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> atanh(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  const B one(T(1));
  const B a = xsimd::abs(x), twice = a + a;
  const auto difference = simd::exact_sum(one, -a);
  const B reciprocal = one / difference.high;
  const B quotient = twice * reciprocal;
  const B rest = simd::remainder_of_division(twice, quotient, difference.high);
  const B low = simd::fnma(quotient, difference.low, rest) * reciprocal;
  const B u = one + quotient;
  return simd::with_sign(B(T(0.5)) * simd::log_of_sum<true>(u, (quotient - (u - one)) + low), x);
}

}  // namespace etch::cpu::simd
