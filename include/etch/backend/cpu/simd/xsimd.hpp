// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <type_traits>

#include <xsimd/xsimd.hpp>

#include <etch/backend/cpu/simd/x86.hpp>
#include <etch/config.hpp>

/// Batches of numbers, and what the versions of xsimd (8 to 14) say differently or not at all: the bits of a batch,
/// shifts, minimum and maximum with a defined answer to NaN. The only file that includes xsimd.
namespace etch::cpu {

/// A register of T: as wide as the machine that is compiled for.
template <class T>
using batch = xsimd::batch<T>;

/// What comparing batches of T gives. Types of one width have masks of one form: see `mask_cast`.
template <class T>
using mask = xsimd::batch_bool<T>;

/// Elements in a batch of T.
template <class T>
inline constexpr int lanes = static_cast<int>(batch<T>::size);

namespace detail {

template <int Bytes>
struct integer_of_size;
template <>
struct integer_of_size<4> {
  using type = std::int32_t;
};
template <>
struct integer_of_size<8> {
  using type = std::int64_t;
};
/// The signed integer as wide as T.
template <class T>
using integer_like = typename integer_of_size<sizeof(T)>::type;
/// The unsigned integer as wide as T.
template <class T>
using unsigned_like = std::make_unsigned_t<integer_like<T>>;

/// Whether B is a 512 bit register of AVX-512, whose masks are bits.
template <class B>
inline constexpr bool is_avx512 = false;
#if defined(__AVX512F__)
template <class T, class A>
inline constexpr bool is_avx512<xsimd::batch<T, A>> = sizeof(typename xsimd::batch<T, A>::register_type) == 64;
#endif

/// Whether B is a 256 bit register of AVX2.
template <class B>
inline constexpr bool is_avx2 = false;
#if defined(__AVX2__)
template <class T, class A>
inline constexpr bool is_avx2<xsimd::batch<T, A>> = sizeof(typename xsimd::batch<T, A>::register_type) == 32;
#endif

/// Whether a * b + c has one rounding.
#if defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__)
inline constexpr bool has_fma = true;
#else
inline constexpr bool has_fma = false;
#endif

/// A batch from a register of the same width and any element type.
template <class B, class Register>
ETCH_INLINE B from_register(const Register& x) {
  using to = typename B::register_type;
  return B(__builtin_bit_cast(to, x));
}

/// The same bits as a batch of another type.
template <class To, class T, class A>
ETCH_INLINE xsimd::batch<To, A> reinterpret(const xsimd::batch<T, A>& x) {
  return detail::from_register<xsimd::batch<To, A>>(x.data);
}

template <class T, class A>
ETCH_INLINE xsimd::batch<unsigned_like<T>, A> bits(const xsimd::batch<T, A>& x) {
  return detail::reinterpret<unsigned_like<T>>(x);
}

/// The register of a batch with elements the compiler knows of.
template <class T, class A>
ETCH_INLINE auto vector_of(const xsimd::batch<T, A>& x) {
  typedef T vector __attribute__((vector_size(sizeof(typename xsimd::batch<T, A>::register_type))));
  return __builtin_bit_cast(vector, x.data);
}

template <int Count, class T, class A>
ETCH_INLINE xsimd::batch<T, A> shift_left(const xsimd::batch<T, A>& x) {
  return detail::from_register<xsimd::batch<T, A>>(detail::vector_of(x) << Count);
}
template <int Count, class T, class A>
ETCH_INLINE xsimd::batch<T, A> shift_right(const xsimd::batch<T, A>& x) {
  return detail::from_register<xsimd::batch<T, A>>(detail::vector_of(x) >> Count);
}

/// The smaller of floating numbers; b where either is NaN.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> smaller(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
#if defined(__SSE2__)
  return detail::smaller(a.data, b.data);
#else
  return xsimd::select(a < b, a, b);
#endif
}

/// The greater of floating numbers; b where either is NaN.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> greater(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
#if defined(__SSE2__)
  return detail::greater(a.data, b.data);
#else
  return xsimd::select(a > b, a, b);
#endif
}

// Instructions that know the order of zeros. With AVX-512 without DQ by selection, as elsewhere than on x86.
#if defined(__AVX512DQ__) || (defined(__SSE2__) && !defined(__AVX512F__))
#define ETCH_CPU_HAS_ORDER
#endif

/// The smaller and the greater of numbers, of zeros -0 and 0; any number where either is NaN.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> smaller_of_numbers(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
#if defined(ETCH_CPU_HAS_ORDER)
  return detail::smaller_of_numbers(a.data, b.data);
#else
  return detail::smaller(a, b) | detail::smaller(b, a);
#endif
}
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> greater_of_numbers(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
#if defined(ETCH_CPU_HAS_ORDER)
  return detail::greater_of_numbers(a.data, b.data);
#else
  return detail::greater(a, b) & detail::greater(b, a);
#endif
}

/// Where either is NaN.
template <class T, class A>
ETCH_INLINE xsimd::batch_bool<T, A> unordered(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
#if defined(ETCH_CPU_HAS_ORDER)
  return detail::unordered(a.data, b.data);
#else
  return (a != a) | (b != b);
#endif
}

/// The smaller and the greater, of zeros -0 and 0; NaN where either is.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> smaller_in_order(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
#if defined(ETCH_CPU_HAS_ORDER)
  return detail::smaller_in_order(a.data, b.data);
#else
  return smaller_of_numbers(a, b);
#endif
}
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> greater_in_order(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
#if defined(ETCH_CPU_HAS_ORDER)
  return detail::greater_in_order(a.data, b.data);
#else
  return xsimd::select((a == a) & (b == b), greater_of_numbers(a, b), a + b);
#endif
}
#undef ETCH_CPU_HAS_ORDER

/// a != b; true where either is NaN.
template <class T, class A>
ETCH_INLINE xsimd::batch_bool<T, A> differs(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
#if defined(__SSE2__)
  if constexpr (std::is_floating_point_v<T>)
    return detail::differs(a.data, b.data);
  else
#endif
    return a != b;
}

/// a where m, else b. Of integers xsimd 8.1 has none for AVX-512 that compiles without optimisation: there g++'s intrinsics
/// are macros, which take registers and no batches.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> blend(const xsimd::batch_bool<T, A>& m, const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
#if defined(__AVX512F__)
  if constexpr (std::is_integral_v<T> && sizeof(typename xsimd::batch<T, A>::register_type) == 64 && sizeof(T) >= 4) {
    const auto yes = __builtin_bit_cast(__m512i, a.data), no = __builtin_bit_cast(__m512i, b.data);
    if constexpr (sizeof(T) == 4)
      return xsimd::batch<T, A>(_mm512_mask_blend_epi32(m.data, no, yes));
    else
      return xsimd::batch<T, A>(_mm512_mask_blend_epi64(m.data, no, yes));
  } else
#endif
    return xsimd::select(m, a, b);
}

template <class T, class A>
ETCH_INLINE xsimd::batch_bool<T, A> is_nan(const xsimd::batch<T, A>& x) {
  if constexpr (std::is_floating_point_v<T>)
    return detail::differs(x, x);
  else
    return xsimd::batch_bool<T, A>(false);
}
template <class T>
  requires std::is_arithmetic_v<T>
ETCH_INLINE bool is_nan(T x) {
  return x != x;
}

/// x between two bounds; NaN stays NaN.
template <class B, class T = typename B::value_type>
ETCH_INLINE B clamp(const B& x, T low, T high) {
  return detail::smaller(B(high), detail::greater(B(low), x));
}

}  // namespace detail
}  // namespace etch::cpu
