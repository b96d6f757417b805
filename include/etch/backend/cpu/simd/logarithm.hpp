// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/simd/exponential.hpp>

/// log and log1p without a branch, subnormal arguments included; errors are at most 1 unit in the last place.
namespace etch::cpu::simd {

/// x = m 2^e, 0.75 <= m < 1.5, for x > 0.
template <class B>
struct split_number {
  B m;
  B e;
};

/// With AVX-512 also: m = 1 and an infinite e for 0 and infinity, NaN for NaN and for what is negative. Elsewhere these
/// give something, and `log_of_special` puts it right.
template <bool MaybeSubnormal = true, class T, class A>
ETCH_INLINE split_number<xsimd::batch<T, A>> split(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
#if defined(__AVX512F__)
  if constexpr (cpu::detail::is_avx512<B>) {
    const B m(cpu::detail::mantissa_of(x.data));
    return {m, B(cpu::detail::exponent_of(x.data)) - B(cpu::detail::exponent_of(m.data))};
  }
#endif
  using U = xsimd::batch<cpu::detail::unsigned_like<T>, A>;
  using unsigned_type = cpu::detail::unsigned_like<T>;
  constexpr T smallest_normal = std::numeric_limits<T>::min();
  constexpr T shift = static_cast<T>(is_float<T> ? 0x1p23 : 0x1p52);
  constexpr unsigned_type bits_of_shift = __builtin_bit_cast(unsigned_type, shift);
  constexpr unsigned_type bits_of_one = __builtin_bit_cast(unsigned_type, T(1));
  constexpr unsigned_type bits_of_base = __builtin_bit_cast(unsigned_type, T(0.75));
  constexpr unsigned_type bits_of_mantissa = (unsigned_type(1) << mantissa_bits<T>)-1;

  B normal = x;
  B bias(shift + T(exponent_bias<T>));
  if constexpr (MaybeSubnormal) {
    const auto subnormal = x < B(smallest_normal);
    normal = xsimd::select(subnormal, x * B(shift), x);
    bias = xsimd::select(subnormal, B(shift + T(exponent_bias<T> + mantissa_bits<T>)), bias);
  }
  const auto from_base = cpu::detail::bits(normal) + U(bits_of_one - bits_of_base);
  // The exponent becomes a number as the last bits of `shift`.
  return {cpu::detail::reinterpret<T>((from_base & U(bits_of_mantissa)) + U(bits_of_base)),
          cpu::detail::reinterpret<T>(cpu::detail::shift_right<mantissa_bits<T>>(from_base) | U(bits_of_shift)) - bias};
}

/// log(1 + f) - f for -0.25 <= f <= 0.5.
template <class B>
ETCH_INLINE B log1p_rest(const B& f) {
  using T = typename B::value_type;
  const B square = f * f;
  if constexpr (is_float<T>) {
    const B rest = simd::polynomial(f, 0x1.5555a4p-2f, -0x1.000046p-2f, 0x1.99695ep-3f, -0x1.54ed82p-3f,
                                    0x1.288458p-3f, -0x1.0da412p-3f, 0x1.ad06d0p-4f, -0x1.71e246p-5f);
    return square * simd::fma(f, rest, B(T(-0.5)));
  } else {
    // By s = f / (2 + f), log(1 + f) = 2 s + s^3 (...), where f - f^2/2 + s f^2/2 = 2 s.
    const B s = f / (f + B(T(2)));
    const B z = s * s;
    const B rest = z * simd::polynomial(z, 0x1.555555555554fp-1, 0x1.999999999c187p-2, 0x1.24924921e32e6p-2,
                                        0x1.c71c7490db753p-3, 0x1.745c4a958f503p-3, 0x1.3b35c9ff2c7e3p-3,
                                        0x1.0dcaf83db921fp-3, 0x1.1b85ca9059ec1p-3);
    const B half_square = B(T(0.5)) * square;
    return simd::fma(s, half_square + rest, -half_square);
  }
}

/// e ln 2 + log(1 + f).
template <class B>
ETCH_INLINE B log_of_parts(const B& e, const B& f) {
  using T = typename B::value_type;
  const B rest = simd::fma(e, B(ln2_low<T>), simd::log1p_rest(f));
  return simd::fma(e, B(ln2_high<T>), f + rest);
}

/// The result where x is positive and finite; else -infinity of zero, infinity of infinity, NaN.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> log_of_special(const xsimd::batch<T, A>& x, const xsimd::batch<T, A>& result) {
  using B = xsimd::batch<T, A>;
  const B zero(T(0));
  const B low = xsimd::select(x == zero, B(-infinity<T>), B(std::numeric_limits<T>::quiet_NaN()));
  return xsimd::select(x > zero, xsimd::select(x < B(infinity<T>), result, x), low);
}

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> log(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  const auto [m, e] = simd::split(x);
  const B result = simd::log_of_parts(e, m - B(T(1)));
  if constexpr (cpu::detail::is_avx512<B>)
    return result;
  else
    return simd::log_of_special(x, result);
}

/// By u = 1 + x, and what the rounding of u has lost: f = (m - 1) + (x - (u - 1)) 2^-e, which is x itself near 0.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> log1p(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  const B one(T(1));
  const B u = one + x;
  const auto [m, e] = simd::split<false>(u);
  const B lost = x - (u - one);
#if defined(__AVX512F__)
  if constexpr (cpu::detail::is_avx512<B>) {
    const B result = simd::log_of_parts(e, (m - one) + B(cpu::detail::scaled(lost.data, (-e).data)));
    return simd::with_sign(xsimd::select(xsimd::abs(e) < B(infinity<T>), result, e), x);
  }
#endif
  // Where 2^-e is no normal number it may as well be 0, for `lost` is.
  const B lowest(shift_to_integer<T> - T(exponent_bias<T>));
  const B shifted = cpu::detail::greater(lowest, B(shift_to_integer<T>) - e);
  const B result = simd::log_of_parts(e, simd::fma(lost, simd::power_of_two(shifted), m - one));
  return simd::with_sign(simd::log_of_special(u, result), x);
}

}  // namespace etch::cpu::simd
