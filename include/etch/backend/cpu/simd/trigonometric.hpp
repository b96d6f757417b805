// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <etch/backend/cpu/simd/exponential.hpp>

/// sin and cos within 2 units in the last place. There is no branch up to |x| = 10^5 (12000 without a fused
/// multiply-add); a batch with a lane beyond is repaired by the C library, which is as accurate and slow.
namespace etch::cpu::simd {

template <class T>
inline constexpr T one_by_pi = static_cast<T>(0x1.45f306dc9c883p-2);
template <class T>
inline constexpr T largest_reducible = static_cast<T>(cpu::detail::has_fma ? 100000 : 12000);

/// a - n pi, where n has at most 16 bits (13 without a fused multiply-add). The parts of pi are such that n times one of
/// them is exact, or fused with the difference, which is; only what is subtracted last makes the result round.
template <class B>
ETCH_INLINE B minus_half_turns(const B& a, const B& n) {
  if constexpr (cpu::detail::has_fma) {
    if constexpr (is_float<typename B::value_type>) {
      const B r = simd::fnma(n, B(-0x1.777a5cp-24f), simd::fnma(n, B(0x1.921fb6p+1f), a));
      return simd::fnma(n, B(-0x1.ee59dap-49f), r);
    } else {
      const B r = simd::fnma(n, B(0x1.1a62633145c07p-53), simd::fnma(n, B(0x1.921fb54442d18p+1), a));
      return simd::fnma(n, B(-0x1.f1976b7ed8fbcp-109), r);
    }
  } else {
    if constexpr (is_float<typename B::value_type>) {
      const B leading = (a - n * B(0x1.92p+1f)) - n * B(0x1.fb4p-11f);
      const B third = n * B(0x1.444p-23f);
      const B r = leading - third;
      const B lost = (leading - r) - third;
      return r + (lost - (n * B(0x1.68cp-38f) + n * B(0x1.1a6264p-53f)));
    } else {
      const B leading = a - n * B(0x1.921fb54442p+1);
      const B second = n * B(0x1.a308d3131ap-40);
      const B r = leading - second;
      const B lost = (leading - r) - second;
      return r + (lost - n * B(-0x1.d747f23e32ed7p-82));
    }
  }
}

/// sin(r), |r| <= pi / 2.
template <class B>
ETCH_INLINE B sin_of_reduced(const B& r) {
  const B z = r * r;
  if constexpr (is_float<typename B::value_type>)
    return simd::fma(r * z, simd::polynomial(z, -0x1.55554cp-3f, 0x1.110ed8p-7f, -0x1.9f7054p-13f, 0x1.5dbddp-19f), r);
  else
    return simd::fma(r * z, simd::polynomial(z, -0x1.5555555555555p-3, 0x1.11111111110c8p-7, -0x1.a01a01a014d54p-13,
                                             0x1.71de3a529f34dp-19, -0x1.ae6454d375511p-26, 0x1.6123ccb54710ap-33,
                                             -0x1.ae436b013d192p-41, 0x1.882f97e2358f8p-49), r);
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
ETCH_INLINE xsimd::batch<T, A> repaired(const xsimd::batch<T, A>& x, const xsimd::batch<T, A>& a,
                                        const xsimd::batch<T, A>& y, T (*function)(T)) {
  using B = xsimd::batch<T, A>;
  if (!xsimd::any(a > B(largest_reducible<T>))) [[likely]] return y;
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

}  // namespace etch::cpu::simd
