// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <etch/backend/cpu/simd/exponential.hpp>

/// sin, cos and tan within 2 units in the last place. There is no branch up to |x| = 10^5 (12000 without a fused
/// multiply-add); a batch with a lane beyond is repaired by the C library, which is as accurate and slow.
namespace etch::cpu::simd {

/// pi in parts. Multiples of them with few bits are exact, or fused with a difference that is.
template <class T>
struct parts_of_pi {
  T first, second, third, fourth, fifth;
};
template <class T>
inline constexpr parts_of_pi<T> pi_in_parts =
    cpu::detail::has_fma
        ? (is_float<T> ? parts_of_pi<T>{T(0x1.921fb6p+1), T(-0x1.777a5cp-24), T(-0x1.ee59dap-49), 0, 0}
                       : parts_of_pi<T>{T(0x1.921fb54442d18p+1), T(0x1.1a62633145c07p-53), T(-0x1.f1976b7ed8fbcp-109), 0, 0})
        : (is_float<T> ? parts_of_pi<T>{T(0x1.92p+1), T(0x1.fb4p-11), T(0x1.444p-23), T(0x1.68cp-38), T(0x1.1a6264p-53)}
                       : parts_of_pi<T>{T(0x1.921fb54442p+1), T(0x1.a308d3131ap-40), T(-0x1.d747f23e32ed7p-82), 0, 0});
template <class T>
inline constexpr T one_by_pi = static_cast<T>(0x1.45f306dc9c883p-2);
template <class T>
inline constexpr T largest_reducible = static_cast<T>(cpu::detail::has_fma ? 100000 : 12000);

/// a - n pi, where n has at most 16 bits (13 without a fused multiply-add). Only what is subtracted last makes the result
/// round.
template <class B>
ETCH_INLINE B minus_half_turns(const B& a, const B& n) {
  using T = typename B::value_type;
  constexpr auto pi = pi_in_parts<T>;
  if constexpr (cpu::detail::has_fma) {
    return simd::fnma(n, B(pi.third), simd::fnma(n, B(pi.second), simd::fnma(n, B(pi.first), a)));
  } else if constexpr (is_float<T>) {
    const B leading = (a - n * B(pi.first)) - n * B(pi.second);
    const B third = n * B(pi.third);
    const B r = leading - third;
    const B lost = (leading - r) - third;
    return r + (lost - (n * B(pi.fourth) + n * B(pi.fifth)));
  } else {
    const B leading = a - n * B(pi.first);
    const B second = n * B(pi.second);
    const B r = leading - second;
    const B lost = (leading - r) - second;
    return r + (lost - n * B(pi.third));
  }
}

/// The same as a sum of two.
template <class B>
ETCH_INLINE double_word<B> minus_half_turns_exactly(const B& a, const B& n) {
  using T = typename B::value_type;
  constexpr auto pi = pi_in_parts<T>;
  if constexpr (cpu::detail::has_fma) {
    const B second = n * B(pi.second);
    const auto r = simd::exact_sum_of_any(simd::fnma(n, B(pi.first), a), simd::negative(second));
    return {r.high, simd::fnma(n, B(pi.third), r.low - simd::lost_by_product(n, B(pi.second), second))};
  } else if constexpr (is_float<T>) {
    const auto r = simd::exact_sum_of_any((a - n * B(pi.first)) - n * B(pi.second), simd::negative(n * B(pi.third)));
    return {r.high, r.low - (n * B(pi.fourth) + n * B(pi.fifth))};
  } else {
    const auto r = simd::exact_sum_of_any(a - n * B(pi.first), simd::negative(n * B(pi.second)));
    return {r.high, r.low - n * B(pi.third)};
  }
}

/// sin(r), |r| <= pi / 2.
template <class B>
ETCH_INLINE B sin_of_reduced(const B& r) {
  const B z = r * r;
  if constexpr (is_float<typename B::value_type>)
    return simd::fma(r * z, simd::polynomial(z, -0x1.55554cp-3f, 0x1.110ed8p-7f, -0x1.9f7054p-13f, 0x1.5dbddp-19f), r);
  else
    return simd::fma(r * z,
                     simd::polynomial(z, -0x1.5555555555555p-3, 0x1.11111111110c8p-7, -0x1.a01a01a014d54p-13, 0x1.71de3a529f34dp-19,
                                      -0x1.ae6454d375511p-26, 0x1.6123ccb54710ap-33, -0x1.ae436b013d192p-41, 0x1.882f97e2358f8p-49),
                     r);
}

/// The sign bit for an odd n.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> sign_of_parity(const xsimd::batch<T, A>& shifted) {
  return cpu::detail::reinterpret<T>(cpu::detail::shift_left<8 * sizeof(T) - 1>(cpu::detail::bits(shifted)));
}

/// The lanes whose argument is too large, by a function of the C library.
template <class T>
ETCH_NOINLINE void repair(const T* x, T* result, int count, T (*function)(T)) {
  for (int i = 0; i < count; ++i)
    if (std::fabs(x[i]) > largest_reducible<T>) result[i] = function(x[i]);
}

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> repaired(const xsimd::batch<T, A>& x, const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& y,
                                        T (*function)(T)) {
  using B = xsimd::batch<T, A>;
  if (!xsimd::any(a > B(largest_reducible<T>))) [[likely]]
    return y;
  alignas(B) T arguments[B::size];
  alignas(B) T results[B::size];
  x.store_aligned(arguments);
  y.store_aligned(results);
  simd::repair(arguments, results, static_cast<int>(B::size), function);
  return B::load_aligned(results);
}

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> sin(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  const B a = xsimd::abs(x);
  const B shifted = simd::fma(a, B(one_by_pi<T>), B(shift_to_integer<T>));
  const B r = simd::minus_half_turns(a, shifted - B(shift_to_integer<T>));
  const B y = simd::sin_of_reduced(r) ^ (simd::sign_of_parity(shifted) ^ simd::sign_of(x));
  return simd::repaired(x, a, y, static_cast<T (*)(T)>(std::sin));
}

/// a = r + (n + 1/2) pi, cos(a) = sin(r + (n + 1) pi).
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> cos(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  const B half(T(0.5));
  const B a = xsimd::abs(x);
  const B shifted = simd::fma(a, B(one_by_pi<T>), B(T(-0.5))) + B(shift_to_integer<T>);
  const B r = simd::minus_half_turns(a, (shifted - B(shift_to_integer<T>)) + half);
  const B y = simd::sin_of_reduced(-r) ^ simd::sign_of_parity(shifted);
  return simd::repaired(x, a, y, static_cast<T (*)(T)>(std::cos));
}

/// (tan(r) - r) / r^3, |r| <= pi / 4, by tools/polynomials.py tan.
template <class B>
ETCH_INLINE B tan_rest(const B& z) {
  if constexpr (is_float<typename B::value_type>)
    return simd::polynomial(z, 0x1.55556p-2f, 0x1.110d9ep-3f, 0x1.bad9c2p-5f, 0x1.5cc0d4p-6f, 0x1.62cadcp-7f, 0x1.9cafdp-14f,
                            0x1.1e8f5cp-8f);
  else
    return simd::polynomial(z, 0x1.55555555554f2p-2, 0x1.11111111182c8p-3, 0x1.ba1ba1b46c09ep-5, 0x1.664f49a850617p-6,
                            0x1.226e125d89e57p-7, 0x1.d6d93349a6daep-9, 0x1.7d5b61cf4d09cp-10, 0x1.37fa5ec444185p-11,
                            0x1.d272d9dc998f6p-13, 0x1.1e24bcf27812ap-13, -0x1.b8c664591200cp-16, 0x1.76c128d67e703p-14,
                            -0x1.77fbf09d4d5f8p-15, 0x1.5dcdae1942702p-16);
}

/// a = r + n pi / 2: tan(r) for an even n, -1 / tan(r) for an odd one. The angle and its tangent are sums of two, for the
/// errors of the reduction and of the quotient would add up.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> tan(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  const B half(T(0.5)), one(T(1));
  const B a = xsimd::abs(x);
  const B shifted = simd::fma(a, B(T(2) * one_by_pi<T>), B(shift_to_integer<T>));
  const auto r = simd::minus_half_turns_exactly(a, (shifted - B(shift_to_integer<T>)) * half);
  const B z = r.high * r.high;
  const B rest = simd::fma(r.high * z, simd::tan_rest(z), simd::fma(r.low, z, r.low));
  const auto tangent = simd::exact_sum(r.high, rest);
  const B quotient = one / tangent.high;
  const B lost = simd::fnma(quotient, tangent.low, simd::remainder_of_division(one, quotient, tangent.high));
  const B parity = simd::sign_of_parity(shifted);
  const B y = xsimd::select(simd::with_sign(one, parity) < B(T(0)), simd::fma(quotient, lost, quotient), tangent.high);
  return simd::repaired(x, a, y ^ (parity ^ simd::sign_of(x)), static_cast<T (*)(T)>(std::tan));
}

}  // namespace etch::cpu::simd
