// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/simd/exponential.hpp>

/// Logarithms without a branch, subnormal arguments included. The largest errors found are 1 unit in the last place for log
/// and log1p, 1.5 for log2, 1.2 for log10; log2 of powers of 2 and log10 of powers of 10 are exact.
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
    const B rest = simd::polynomial(f, 0x1.5555a4p-2f, -0x1.000046p-2f, 0x1.99695ep-3f, -0x1.54ed82p-3f, 0x1.288458p-3f,
                                    -0x1.0da412p-3f, 0x1.ad06d0p-4f, -0x1.71e246p-5f);
    return square * simd::fma(f, rest, B(T(-0.5)));
  } else {
    // By s = f / (2 + f), log(1 + f) = 2 s + s^3 (...), where f - f^2/2 + s f^2/2 = 2 s.
    const B s = f / (f + B(T(2)));
    const B z = s * s;
    const B rest = z * simd::polynomial(z, 0x1.555555555554fp-1, 0x1.999999999c187p-2, 0x1.24924921e32e6p-2, 0x1.c71c7490db753p-3,
                                        0x1.745c4a958f503p-3, 0x1.3b35c9ff2c7e3p-3, 0x1.0dcaf83db921fp-3, 0x1.1b85ca9059ec1p-3);
    const B half_square = B(T(0.5)) * square;
    return simd::fma(s, half_square + rest, -half_square);
  }
}

/// e ln 2 + log(1 + f); what the rounding of f has lost is added last.
template <class B, class... Lost>
ETCH_INLINE B log_of_parts(const B& e, const B& f, const Lost&... lost) {
  using T = typename B::value_type;
  const B rest = simd::fma(e, B(ln2_low<T>), (simd::log1p_rest(f) + ... + lost));
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

/// A logarithm to another base: 1 / log(base), and log(2) / log(base), each in two parts; the first of the latter has so
/// many zeros at its end that its products with exponents are exact.
template <class T>
struct base_of_logarithm {
  T of_e, of_e_low, of_two, of_two_low;
};
template <class T>
inline constexpr base_of_logarithm<T> base_two =
    is_float<T> ? base_of_logarithm<T>{T(0x1.715476p+0), T(0x1.4ae0cp-26), 1, 0}
                : base_of_logarithm<T>{T(0x1.71547652b82fep+0), T(0x1.777d0ffda0d24p-56), 1, 0};
template <class T>
inline constexpr base_of_logarithm<T> base_ten =
    is_float<T>
        ? base_of_logarithm<T>{T(0x1.bcb7b2p-2), T(-0x1.5b235ep-27), T(0x1.344p-2), T(0x1.3509f8p-18)}
        : base_of_logarithm<T>{T(0x1.bcb7b1526e50ep-2), T(0x1.95355baaafad3p-57), T(0x1.34413509f78p-2), T(0x1.fef311f12b358p-46)};

/// (e log(2) + f + (log(1 + f) - f)) / log(base). The first two terms are summed exactly: their errors would be as large as
/// that of the result.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> log_to_base(const xsimd::batch<T, A>& x, const base_of_logarithm<T>& base) {
  using B = xsimd::batch<T, A>;
  const auto [m, e] = simd::split(x);
  const B f = m - B(T(1)), of_e(base.of_e);
  const B product = f * of_e;
  const B lost = simd::fma(f, B(base.of_e_low), simd::lost_by_product(f, of_e, product));
  const auto sum = simd::exact_sum(e * B(base.of_two), product);
  const B low = simd::fma(simd::log1p_rest(f), of_e, simd::fma(e, B(base.of_two_low), lost));
  const B result = sum.high + (sum.low + low);
  if constexpr (cpu::detail::is_avx512<B>)
    return xsimd::select(xsimd::abs(e) < B(infinity<T>), result, e);
  else
    return simd::log_of_special(x, result);
}

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> log2(const xsimd::batch<T, A>& x) {
  return simd::log_to_base(x, base_two<T>);
}
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> log10(const xsimd::batch<T, A>& x) {
  return simd::log_to_base(x, base_ten<T>);
}

/// log(2^twos (u + low)), where u is no subnormal number and low a part of its last place: f = (m - 1) + low 2^-e. What the
/// rounding of f loses is half a unit in the last place of the result; Exact: it is not lost.
template <bool Exact, class T, class A, class... Twos>
ETCH_INLINE xsimd::batch<T, A> log_of_sum(const xsimd::batch<T, A>& u, const xsimd::batch<T, A>& low, const Twos&... twos) {
  using B = xsimd::batch<T, A>;
  const auto [m, e] = simd::split<false>(u);
  const B leading = m - B(T(1));
  const B exponent = (e + ... + twos);
  const auto log_with = [&](const B& scaled_low) {
    if constexpr (Exact) {
      const auto f = simd::exact_sum(leading, scaled_low);
      return simd::log_of_parts(exponent, f.high, f.low);
    } else {
      return simd::log_of_parts(exponent, leading + scaled_low);
    }
  };
#if defined(__AVX512F__)
  if constexpr (cpu::detail::is_avx512<B>) {
    const B result = log_with(B(cpu::detail::scaled(low.data, (-e).data)));
    return xsimd::select(xsimd::abs(e) < B(infinity<T>), result, e);
  }
#endif
  // Where 2^-e is no normal number it may as well be 0, for `low` is.
  const B lowest(shift_to_integer<T> - T(exponent_bias<T>));
  const B shifted = cpu::detail::greater(lowest, B(shift_to_integer<T>) - e);
  return simd::log_of_special(u, log_with(low * simd::power_of_two(shifted)));
}

/// By u = 1 + x, and what the rounding of u has lost: near 0 that is x itself.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> log1p(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  const B one(T(1));
  const B u = one + x;
  return simd::with_sign(simd::log_of_sum<false>(u, x - (u - one)), x);
}

}  // namespace etch::cpu::simd
