// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/simd/xsimd.hpp>

/// Masks: what comparing batches gives and `select` takes. Types of the same width (float and int32, double and int64)
/// have masks of one form, and `mask_cast` between them costs nothing.
namespace etch::cpu {

/// The same lanes for another type of the same width.
template <class To, class From>
ETCH_INLINE mask<To> mask_cast(const mask<From>& m) {
  static_assert(sizeof(To) == sizeof(From), "mask_cast: the types have lanes of different widths");
  using to = typename mask<To>::register_type;
  return mask<To>(__builtin_bit_cast(to, m.data));
}

template <class T>
ETCH_INLINE mask<T> logical_and(const mask<T>& a, const mask<T>& b) {
  return a & b;
}
template <class T>
ETCH_INLINE mask<T> logical_or(const mask<T>& a, const mask<T>& b) {
  return a | b;
}
template <class T>
ETCH_INLINE mask<T> logical_xor(const mask<T>& a, const mask<T>& b) {
  // The ^ of xsimd 8 is an "or" for AVX-512.
  if constexpr (detail::is_avx512<batch<T>>)
    return mask<T>(static_cast<typename mask<T>::register_type>(a.data ^ b.data));
  else
    return a ^ b;
}
template <class T>
ETCH_INLINE mask<T> logical_not(const mask<T>& m) {
  return !m;
}

template <class T>
ETCH_INLINE bool any(const mask<T>& m) {
  return xsimd::any(m);
}
template <class T>
ETCH_INLINE bool all(const mask<T>& m) {
  return xsimd::all(m);
}

/// A bit for each lane, the first lowest.
template <class T>
ETCH_INLINE unsigned lane_bits(const mask<T>& m) {
  if constexpr (detail::is_avx512<batch<T>>) {
    return static_cast<unsigned>(m.data);
  } else {
#if defined(__SSE2__)
    if constexpr (sizeof(T) == 4)
      return static_cast<unsigned>(detail::sign_bits(mask_cast<float>(m).data));
    else
      return static_cast<unsigned>(detail::sign_bits(mask_cast<double>(m).data));
#else
    bool lane[lanes<T>];
    m.store_unaligned(lane);
    unsigned bits = 0;
    for (int i = 0; i < lanes<T>; ++i) bits |= static_cast<unsigned>(lane[i]) << i;
    return bits;
#endif
  }
}

/// Lanes that are not 0; NaN is not 0.
template <class T>
ETCH_INLINE mask<T> to_mask(const batch<T>& x) {
  return detail::differs(x, batch<T>(T(0)));
}

/// 1 where the mask is true, else 0.
template <class T>
ETCH_INLINE batch<T> from_mask(const mask<T>& m) {
  if constexpr (detail::is_avx512<batch<T>>)
    return detail::blend(m, batch<T>(T(1)), batch<T>(T(0)));
  else
    return detail::from_register<batch<T>>(m.data) & batch<T>(T(1));
}

namespace detail {
/// The mask of the lanes that are -1, for integers that are -1 or 0.
template <class T>
ETCH_INLINE mask<T> mask_of_ones(const batch<integer_like<T>>& x) {
  if constexpr (is_avx512<batch<T>>) {
    return mask_cast<T>(x < batch<integer_like<T>>(0));
  } else {
    using to = typename mask<T>::register_type;
    return mask<T>(__builtin_bit_cast(to, x.data));
  }
}
}  // namespace detail

}  // namespace etch::cpu
