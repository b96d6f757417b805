// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/simd/arithmetic.hpp>

/// exp, exp2, expm1, sigmoid and tanh without a branch. Results that underflow become subnormal as they should. The largest
/// errors found are 1.8 units in the last place for float, 2.6 for double (tanh; the others 1.7).
namespace etch::cpu::simd {

template <class T>
inline constexpr bool is_float = sizeof(T) == 4;

template <class T>
inline constexpr T log2_of_e = static_cast<T>(0x1.71547652b82fep+0);
/// ln 2 in two parts; the first has so many zeros at its end that n times it is exact.
template <class T>
inline constexpr T ln2_high = static_cast<T>(is_float<T> ? 0x1.62e4p-1 : 0x1.62e42fefap-1);
template <class T>
inline constexpr T ln2_low = static_cast<T>(is_float<T> ? 0x1.7f7d1cf79abcap-20 : 0x1.cf79abc9e3b39p-40);

template <class T>
inline constexpr int mantissa_bits = is_float<T> ? 23 : 52;
template <class T>
inline constexpr int exponent_bias = is_float<T> ? 127 : 1023;
/// A number this far out has no bits below 1: what is added to it is rounded to an integer, whose bits are the lowest of
/// the sum. They are counted from twice the exponent bias, so that they are not negative.
template <class T>
inline constexpr T shift_to_integer = static_cast<T>(is_float<T> ? 0x1.8p23 + 254 : 0x1.8p52 + 2046);

/// x = n ln 2 + r, |r| <= ln 2 / 2. (Flat: g++ keeps a structure in a structure in memory.)
template <class B>
struct reduced {
  B n;
  B shifted;  ///< n + shift_to_integer, whose lowest bits are those of n
  B r;
};

template <class B>
ETCH_INLINE reduced<B> reduce(const B& x) {
  using T = typename B::value_type;
  const B shifted = simd::fma(x, B(log2_of_e<T>), B(shift_to_integer<T>));
  const B n = shifted - B(shift_to_integer<T>);
  return {n, shifted, simd::fnma(n, B(ln2_low<T>), simd::fnma(n, B(ln2_high<T>), x))};
}

/// (exp(r) - 1 - r) / r^2 on the range of `reduce`, by Remez' algorithm.
template <class B>
ETCH_INLINE B exponential_rest(const B& r) {
  if constexpr (is_float<typename B::value_type>)
    return simd::polynomial(r, 0x1.fffffep-2f, 0x1.5554a8p-3f, 0x1.555796p-5f, 0x1.122e1ep-7f, 0x1.6ac16ep-10f);
  else
    return simd::polynomial(r, 0x1.0000000000005p-1, 0x1.5555555555539p-3, 0x1.5555555552188p-5, 0x1.11111111192a3p-7,
                            0x1.6c16c17f2fc30p-10, 0x1.a01a017451efcp-13, 0x1.a019a6628719dp-16, 0x1.71de88f57d650p-19,
                            0x1.28a2f8c05cbedp-22, 0x1.ae6ba44f1f9cep-26);
}

/// The number with this exponent, counted from the bias, and nothing else.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> from_exponent(const xsimd::batch<cpu::detail::unsigned_like<T>, A>& biased) {
  return cpu::detail::reinterpret<T>(cpu::detail::shift_left<mantissa_bits<T>>(biased));
}

/// 2^n for an n that is an exponent, from n + shift_to_integer.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> power_of_two(const xsimd::batch<T, A>& shifted) {
  const auto biased_twice = cpu::detail::bits(shifted);
  return simd::from_exponent<T>(biased_twice - decltype(biased_twice)(exponent_bias<T>));
}

/// x 2^n, from n and n + shift_to_integer, with one rounding, also where the result is subnormal or infinite.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> scale(const xsimd::batch<T, A>& x, [[maybe_unused]] const xsimd::batch<T, A>& n,
                                     const xsimd::batch<T, A>& shifted) {
#if defined(__AVX512F__)
  if constexpr (cpu::detail::is_avx512<xsimd::batch<T, A>>) return cpu::detail::scaled(x.data, n.data);
#endif
  // In two steps, for n itself may be no exponent.
  const auto biased_twice = cpu::detail::bits(shifted);
  const auto half = cpu::detail::shift_right<1>(biased_twice);
  return x * simd::from_exponent<T>(half) * simd::from_exponent<T>(biased_twice - half);
}

/// The same where z = r^2 is needed anyway: by Estrin's scheme, which waits for fewer of its own sums.
template <class B>
ETCH_INLINE B exponential_rest(const B& r, const B& z) {
  if constexpr (is_float<typename B::value_type>)
    return simd::fma(z, simd::fma(z, B(0x1.6ac16ep-10f), simd::fma(r, B(0x1.122e1ep-7f), B(0x1.555796p-5f))),
                     simd::fma(r, B(0x1.5554a8p-3f), B(0x1.fffffep-2f)));
  else
    return simd::exponential_rest(r);
}

/// exp(r) - 1.
template <class B>
ETCH_INLINE B expm1_of_reduced(const B& r) {
  const B z = r * r;
  return simd::fma(z, simd::exponential_rest(r, z), r);
}

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> exp(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  constexpr T low = static_cast<T>(is_float<T> ? -104 : -746);
  constexpr T high = static_cast<T>(is_float<T> ? 89 : 710);
  const auto [n, shifted, r] = simd::reduce(cpu::detail::clamp(x, low, high));
  const B one(T(1));
  return simd::scale(simd::fma(r, simd::fma(r, simd::exponential_rest(r), one), one), n, shifted);
}

/// 2^n exp(r ln 2) with x = n + r: exact where x is an integer.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> exp2(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  constexpr T low = static_cast<T>(is_float<T> ? -151 : -1076);
  constexpr T high = static_cast<T>(is_float<T> ? 129 : 1025);
  const B inside = cpu::detail::clamp(x, low, high);
  const B shifted = inside + B(shift_to_integer<T>);
  const B n = shifted - B(shift_to_integer<T>);
  const B r = (inside - n) * B(static_cast<T>(0x1.62e42fefa39efp-1));
  const B one(T(1));
  return simd::scale(simd::fma(r, simd::fma(r, simd::exponential_rest(r), one), one), n, shifted);
}

/// By parts: 2^n (exp(r) - 1) + (2^n - 1).
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> expm1(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  constexpr T low = static_cast<T>(is_float<T> ? -20 : -40);
  constexpr T high = static_cast<T>(is_float<T> ? 89 : 710);
  const auto [n, shifted, r] = simd::reduce(cpu::detail::clamp(x, low, high));
  // The last power of two is infinite: there half of it, doubled afterwards.
  const B last(shift_to_integer<T> + T(exponent_bias<T>));
  const B power = simd::power_of_two(cpu::detail::smaller(last, shifted));
  const B y = simd::fma(power, simd::expm1_of_reduced(r), power - B(T(1)));
  return simd::with_sign(y * xsimd::select(shifted > last, B(T(2)), B(T(1))), x);
}

/// a = r - n ln 2, so exp(a) = exp(r) / 2^n, for a >= 0.
template <class B>
ETCH_INLINE reduced<B> reduce_as_quotient(const B& a) {
  using T = typename B::value_type;
  const B shifted = simd::fnma(a, B(log2_of_e<T>), B(shift_to_integer<T>));
  const B n = shifted - B(shift_to_integer<T>);
  return {n, shifted, simd::fma(n, B(ln2_low<T>), simd::fma(n, B(ln2_high<T>), a))};
}

/// y = s / (1 + s + (exp(r) - 1)) for negative x, s = 2^n; 1 - y for positive. What is lost of 1 + s counts where s is about the last bit.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> sigmoid(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  constexpr T high = static_cast<T>(is_float<T> ? 104 : 746);
  const B one(T(1));
  const auto [n, shifted, r] = simd::reduce_as_quotient(cpu::detail::smaller(B(high), xsimd::abs(x)));
  const B s = simd::scale(one, n, shifted);
  const B sum = one + s;
  const B lost = s - (sum - one);
  const B z = r * r;
  const B y = s / (sum + simd::fma(z, simd::exponential_rest(r, z), r + lost));
  return xsimd::select(x < B(T(0)), y, one - y);
}

/// tanh(a) for 0.55 <= a <= 10, as 1 - 2 s / (1 + s + (exp(r) - 1)) where 2 a = n ln 2 + r and s = 2^-n. One product takes n ln 2 from 2 a: what
/// float's ln 2 is off, 2^-29, counts n times, of which exp(-2 a) is left. Short chains, for which one register waits.
template <class B>
ETCH_INLINE B tanh_far(const B& a) {
  const B shifted = simd::fnma(a, B(2 * log2_of_e<float>), B(shift_to_integer<float>));
  const B n = shifted - B(shift_to_integer<float>);
  const B r = simd::fma(n, B(static_cast<float>(0x1.62e42fefa39efp-1)), a + a);
  const B s = simd::power_of_two(shifted);
  const B z = r * r;
  return simd::fnma(B(2.0f), s / simd::fma(z, simd::exponential_rest(r, z), (B(1.0f) + s) + r), B(1.0f));
}

/// (exp(2 a) - 1) / (exp(2 a) + 1). For float, where that is not accurate enough, by sigmoid(2 a) and, near 0, by a
/// polynomial.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> tanh(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  constexpr T one_from_here = static_cast<T>(is_float<T> ? 10 : 20);
  const B a = cpu::detail::smaller(B(one_from_here), xsimd::abs(x));
  if constexpr (is_float<T>) {
    const B z = a * a;
    const B rest = simd::polynomial(z, -0x1.555452p-2f, 0x1.10cefcp-3f, -0x1.af7d36p-5f, 0x1.0d5174p-6f);
    return simd::with_sign(xsimd::select(a < B(0.55f), simd::fma(a * z, rest, a), simd::tanh_far(a)), x);
  } else {
    const B one(T(1));
    const auto [n, shifted, r] = simd::reduce_as_quotient(a + a);
    const B s = simd::power_of_two(shifted), p = simd::expm1_of_reduced(r);
    return simd::with_sign(((one - s) + p) / ((one + s) + p), x);
  }
}

}  // namespace etch::cpu::simd
