// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include <etch/backend/cpu/simd/xsimd.hpp>

/// What the functions of batches are made of: signs, order, rounding, polynomials. Names are qualified where they are
/// called (`simd::floor`), for xsimd has functions of the same names.
namespace etch::cpu::simd {

template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> abs(const xsimd::batch<T, A>& x) {
#if defined(__AVX512F__)
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T> && cpu::detail::is_avx512<xsimd::batch<T, A>>)
    return cpu::detail::integer_lanes<sizeof(T)>::abs(x.data);
  else
#endif
    return xsimd::abs(x);
}

/// Integers are finite.
template <class T, class A>
ETCH_INLINE xsimd::batch_bool<T, A> isfinite(const xsimd::batch<T, A>& x) {
  if constexpr (std::is_floating_point_v<T>)
    return xsimd::abs(x) < xsimd::batch<T, A>(infinity<T>);
  else
    return x == x;
}
template <class T, class A>
ETCH_INLINE xsimd::batch_bool<T, A> isinf(const xsimd::batch<T, A>& x) {
  if constexpr (std::is_floating_point_v<T>)
    return xsimd::abs(x) == xsimd::batch<T, A>(infinity<T>);
  else
    return cpu::detail::differs(x, x);
}

/// Only the sign bits of floating numbers.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> sign_of(const xsimd::batch<T, A>& x) {
  return x & xsimd::batch<T, A>(T(-0.0));
}

/// xsimd's -x is 0 - x with AVX-512, which gives 0 for 0.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> negative(const xsimd::batch<T, A>& x) {
  if constexpr (std::is_floating_point_v<T>)
    return x ^ xsimd::batch<T, A>(T(-0.0));
  else
    return -x;
}

/// A number that is not negative, with the sign of another.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> with_sign(const xsimd::batch<T, A>& x, const xsimd::batch<T, A>& of) {
  return x | simd::sign_of(of);
}

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> sign(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  if constexpr (std::is_floating_point_v<T>)
    return xsimd::select(xsimd::abs(x) > B(T(0)), simd::with_sign(B(T(1)), x), x);
  else
    return cpu::detail::blend(x > B(T(0)), B(T(1)), cpu::detail::blend(x < B(T(0)), B(T(-1)), B(T(0))));
}

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> sqrt(const xsimd::batch<T, A>& x) {
#if defined(__AVX512F__)
  if constexpr (cpu::detail::is_avx512<xsimd::batch<T, A>>)
    return cpu::detail::root(x.data);
  else
#endif
    return xsimd::sqrt(x);
}

/// 1 / sqrt(x) in two exact roundings; the instruction for it has 12 or 14 bits.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> rsqrt(const xsimd::batch<T, A>& x) {
  return xsimd::batch<T, A>(T(1)) / simd::sqrt(x);
}

// Rounding. Before SSE4.1 there is no instruction for it, and xsimd loses the sign of zero: there, by adding the number
// from which on all floating numbers are integers.
#if defined(__AVX512F__)
#define ETCH_CPU_ROUND(NAME, DIRECTION, OTHERWISE)                   \
  template <class T, class A>                                        \
  ETCH_INLINE xsimd::batch<T, A> NAME(const xsimd::batch<T, A>& x) { \
    if constexpr (cpu::detail::is_avx512<xsimd::batch<T, A>>)        \
      return cpu::detail::rounded<DIRECTION>(x.data);                \
    else                                                             \
      return xsimd::OTHERWISE(x);                                    \
  }
#else
#define ETCH_CPU_ROUND(NAME, DIRECTION, OTHERWISE)                   \
  template <class T, class A>                                        \
  ETCH_INLINE xsimd::batch<T, A> NAME(const xsimd::batch<T, A>& x) { \
    return xsimd::OTHERWISE(x);                                      \
  }
#endif
#if !defined(__SSE2__) || defined(__SSE4_1__)
ETCH_CPU_ROUND(round, 0, nearbyint)  // halves to even
ETCH_CPU_ROUND(floor, 1, floor)
ETCH_CPU_ROUND(ceil, 2, ceil)
ETCH_CPU_ROUND(trunc, 3, trunc)
#else
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> round(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  const B big(static_cast<T>(sizeof(T) == 4 ? 0x1p23 : 0x1p52));
  const B a = xsimd::abs(x);
  return simd::with_sign(xsimd::select(a < big, (a + big) - big, a), x);
}
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> floor(const xsimd::batch<T, A>& x) {
  const auto n = simd::round(x);
  return xsimd::select(n > x, n - xsimd::batch<T, A>(T(1)), n);
}
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> ceil(const xsimd::batch<T, A>& x) {
  const auto n = simd::round(x);
  return simd::with_sign(xsimd::select(n < x, n + xsimd::batch<T, A>(T(1)), n), x);
}
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> trunc(const xsimd::batch<T, A>& x) {
  return simd::with_sign(simd::floor(xsimd::abs(x)), x);
}
#endif
#undef ETCH_CPU_ROUND

/// a * b of integers, which wraps. By the compiler's own vectors, for xsimd multiplies lane by lane what the machine has no
/// instruction for, and as signed numbers.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> wrapping_product(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
  return cpu::detail::from_register<xsimd::batch<T, A>>(cpu::detail::vector_of(cpu::detail::bits(a)) *
                                                        cpu::detail::vector_of(cpu::detail::bits(b)));
}

/// a * b + c; of floating numbers in one rounding where the machine has it.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> fma(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b, const xsimd::batch<T, A>& c) {
  if constexpr (std::is_integral_v<T>) {
    return simd::wrapping_product(a, b) + c;
  } else {
#if defined(__FMA__) || defined(__AVX512F__)
    return cpu::detail::fused(a.data, b.data, c.data);
#else
    return cpu::detail::has_fma ? xsimd::fma(a, b, c) : a * b + c;
#endif
  }
}

/// c - a * b of floating numbers.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> fnma(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b, const xsimd::batch<T, A>& c) {
#if defined(__FMA__) || defined(__AVX512F__)
  return cpu::detail::fused_minus(a.data, b.data, c.data);
#else
  return cpu::detail::has_fma ? xsimd::fnma(a, b, c) : c - a * b;
#endif
}

/// A number with what rounding has lost of it.
template <class B>
struct double_word {
  B high;
  B low;
};

/// a * b - product, where product = a * b rounded. The product's sign is changed in its bits: 0 - product, as xsimd has it for
/// AVX-512, is a difference, and g++ fuses a product that is used in differences only, so that none is rounded.
template <class B>
ETCH_INLINE B lost_by_product(const B& a, const B& b, const B& product) {
  if constexpr (cpu::detail::has_fma) {
    return simd::fma(a, b, simd::negative(product));
  } else {
    // Halves of the mantissas, whose products are exact.
    const B splitter(static_cast<typename B::value_type>(sizeof(typename B::value_type) == 4 ? 0x1p12 + 1 : 0x1p27 + 1));
    const B as = a * splitter, bs = b * splitter;
    const B a1 = as - (as - a), b1 = bs - (bs - b);
    const B a2 = a - a1, b2 = b - b1;
    return ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
  }
}

/// a - quotient * b, which is exact.
template <class B>
ETCH_INLINE B remainder_of_division(const B& a, const B& quotient, const B& b) {
  if constexpr (cpu::detail::has_fma) {
    return simd::fnma(quotient, b, a);
  } else {
    const B product = quotient * b;
    return (a - product) - simd::lost_by_product(quotient, b, product);
  }
}

/// a + b where |a| >= |b|, or a is 0.
template <class B>
ETCH_INLINE double_word<B> exact_sum(const B& a, const B& b) {
  const B sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b whichever is larger (Knuth, The Art of Computer Programming 2, section 4.2.2).
template <class B>
ETCH_INLINE double_word<B> exact_sum_of_any(const B& a, const B& b) {
  const B sum = a + b;
  const B of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

/// c0 + x (c1 + x (c2 + ...)).
template <class B>
ETCH_INLINE B polynomial(const B&, typename B::value_type last) {
  return B(last);
}
template <class B, class... Rest>
ETCH_INLINE B polynomial(const B& x, typename B::value_type first, Rest... rest) {
  return simd::fma(x, simd::polynomial(x, rest...), B(first));
}

}  // namespace etch::cpu::simd
