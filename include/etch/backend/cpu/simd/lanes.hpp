// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <etch/backend/cpu/simd/arithmetic.hpp>

/// Across the lanes of a batch: their numbers, their sum, product, maximum and minimum; and conversions between types of
/// one width.
namespace etch::cpu {

namespace detail {

/// Lane i gets lane i xor Distance.
template <int Distance, class B, int... I>
ETCH_INLINE B exchange(const B& x, std::integer_sequence<int, I...>) {
  const auto v = detail::vector_of(x);
  return detail::from_register<B>(__builtin_shufflevector(v, v, (I ^ Distance)...));
}

/// Combines halves until all lanes are the same: an order that depends on nothing but the number of lanes.
template <int Distance, class B, class F>
ETCH_INLINE typename B::value_type fold(const B& x, F combine) {
  if constexpr (Distance == 0)
    return detail::vector_of(x)[0];
  else
    return detail::fold<Distance / 2>(
        combine(x, detail::exchange<Distance>(x, std::make_integer_sequence<int, static_cast<int>(B::size)>())), combine);
}

struct adds {
  template <class B>
  ETCH_INLINE B operator()(const B& a, const B& b) const {
    return a + b;
  }
};
struct multiplies {
  template <class B>
  ETCH_INLINE B operator()(const B& a, const B& b) const {
    return a * b;
  }
};
struct takes_maximum {
  template <class B>
  ETCH_INLINE B operator()(const B& a, const B& b) const {
    return simd::maximum(a, b);
  }
};
struct takes_minimum {
  template <class B>
  ETCH_INLINE B operator()(const B& a, const B& b) const {
    return simd::minimum(a, b);
  }
};

}  // namespace detail

/// 0, 1, 2, ...
template <class T>
ETCH_INLINE batch<T> iota() {
  alignas(batch<T>) T numbers[lanes<T>];
  for (int i = 0; i < lanes<T>; ++i) numbers[i] = static_cast<T>(i);
  return batch<T>::load_aligned(numbers);
}

/// The sum of the lanes: first of lanes half a batch apart, then a quarter, and so on.
template <class T>
ETCH_INLINE T reduce_add(const batch<T>& x) {
  return detail::fold<lanes<T> / 2>(x, detail::adds());
}
template <class T>
ETCH_INLINE T reduce_mul(const batch<T>& x) {
  return detail::fold<lanes<T> / 2>(x, detail::multiplies());
}
/// NaN if a lane is.
template <class T>
ETCH_INLINE T reduce_max(const batch<T>& x) {
  return detail::fold<lanes<T> / 2>(x, detail::takes_maximum());
}
/// NaN if a lane is.
template <class T>
ETCH_INLINE T reduce_min(const batch<T>& x) {
  return detail::fold<lanes<T> / 2>(x, detail::takes_minimum());
}

namespace detail {

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> floating_of(const xsimd::batch<integer_like<T>, A>& x) {
#if defined(__AVX512DQ__)
  if constexpr (is_avx512<xsimd::batch<T, A>>) {
    if constexpr (sizeof(T) == 4)
      return floating_of_int32(x.data);
    else
      return floating_of_int64(x.data);
  } else
#endif
    return xsimd::to_float(x);
}

/// To int64 before AVX-512: the upper and the lower 32 bits are exact differences of doubles.
template <class T, class A>
ETCH_INLINE xsimd::batch<integer_like<T>, A> integer_of(const xsimd::batch<T, A>& x) {
#if defined(__AVX512DQ__)
  if constexpr (is_avx512<xsimd::batch<T, A>>)
    return truncated(x.data);
  else
#endif
  if constexpr (sizeof(T) == 4) {
    return xsimd::to_int(x);
  } else {
    using B = xsimd::batch<double, A>;
    using I = xsimd::batch<std::int64_t, A>;
    const B whole = simd::trunc(x);
    const B upper = simd::floor(whole * B(0x1p-32));
    const B lower = simd::fnma(upper, B(0x1p32), whole);
    const I upper_bits = reinterpret<std::int64_t>(upper + B(0x1.8p52));
    const I lower_bits = reinterpret<std::int64_t>(lower + B(0x1p52)) & I((std::int64_t(1) << 52) - 1);
    return shift_left<32>(upper_bits) + lower_bits;
  }
}

}  // namespace detail

/// The lanes as another type of the same width. Floating numbers are truncated; of NaN, and of what the integer cannot
/// hold, the result is unspecified.
template <class To, class From>
ETCH_INLINE batch<To> convert_to(const batch<From>& x) {
  static_assert(sizeof(To) == sizeof(From), "convert_to: the types have lanes of different widths");
  if constexpr (std::is_same_v<To, From>)
    return x;
  else if constexpr (std::is_floating_point_v<To>)
    return detail::floating_of<To>(x);
  else
    return detail::integer_of(x);
}

}  // namespace etch::cpu
