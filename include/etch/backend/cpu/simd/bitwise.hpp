// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/simd/xsimd.hpp>

/// The bits of integers. By the compiler's own vectors, for xsimd 8 shifts all lanes by one number.
namespace etch::cpu::simd {

#define ETCH_CPU_BITWISE(NAME, SYMBOL)                                                                                 \
  template <class T, class A>                                                                                          \
  ETCH_INLINE xsimd::batch<T, A> NAME(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {                      \
    return cpu::detail::from_register<xsimd::batch<T, A>>(cpu::detail::vector_of(a) SYMBOL cpu::detail::vector_of(b)); \
  }
ETCH_CPU_BITWISE(bitwise_and, &)
ETCH_CPU_BITWISE(bitwise_or, |)
ETCH_CPU_BITWISE(bitwise_xor, ^)
#undef ETCH_CPU_BITWISE

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> bitwise_not(const xsimd::batch<T, A>& x) {
  return cpu::detail::from_register<xsimd::batch<T, A>>(~cpu::detail::vector_of(x));
}

/// The lanes that are from 0 to the width of T in bits, exclusive: counts that a shift of C++ is defined for.
template <class T, class A>
ETCH_INLINE xsimd::batch_bool<T, A> within_width(const xsimd::batch<T, A>& count) {
  constexpr T outside = static_cast<T>(~static_cast<T>(8 * sizeof(T) - 1));
  return simd::bitwise_and(count, xsimd::batch<T, A>(outside)) == xsimd::batch<T, A>(T(0));
}

/// a 2^count modulo 2^width; 0 where the count is negative or not below the width.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> left_shift(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& count) {
  using B = xsimd::batch<T, A>;
  const B some = simd::bitwise_and(count, B(static_cast<T>(8 * sizeof(T) - 1)));
  const auto bits = cpu::detail::vector_of(cpu::detail::bits(a)) << cpu::detail::vector_of(cpu::detail::bits(some));
  return cpu::detail::blend(simd::within_width(count), cpu::detail::from_register<B>(bits), B(T(0)));
}

/// floor(a / 2^count); where the count is negative or not below the width every bit is that of the sign.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> right_shift(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& count) {
  using B = xsimd::batch<T, A>;
  const B some = cpu::detail::blend(simd::within_width(count), count, B(static_cast<T>(8 * sizeof(T) - 1)));
  return cpu::detail::from_register<B>(cpu::detail::vector_of(a) >> cpu::detail::vector_of(some));
}

}  // namespace etch::cpu::simd
