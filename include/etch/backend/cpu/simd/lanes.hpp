// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/simd/arithmetic.hpp>

/// Across the lanes of a batch: their numbers, and what they combine to; and conversions between types of
/// one width.
namespace etch::cpu {

/// Combines the halves of a batch until one lane is left: an order that depends on nothing but the number of lanes. On
/// x86 by ever smaller registers, which `combine` must take too; elsewhere in memory.
template <class T, class A, class F>
ETCH_INLINE T fold_lanes(const xsimd::batch<T, A>& x, const F& combine) {
  using B = xsimd::batch<T, A>;
  constexpr std::size_t bytes = sizeof(typename B::register_type);
#if defined(__AVX512F__)
  if constexpr (bytes == 64) {
    using half = xsimd::batch<T, xsimd::avx2>;
    const auto whole = __builtin_bit_cast(__m512i, x.data);
    return fold_lanes(combine(detail::from_register<half>(_mm512_maskz_extracti64x4_epi64(0xff, whole, 0)),
                              detail::from_register<half>(_mm512_maskz_extracti64x4_epi64(0xff, whole, 1))),
                      combine);
  } else
#endif
#if defined(__AVX__)
      if constexpr (bytes == 32) {
    using half = xsimd::batch<T, xsimd::sse4_2>;
    const auto whole = __builtin_bit_cast(__m256i, x.data);
    return fold_lanes(combine(detail::from_register<half>(_mm256_castsi256_si128(whole)),
                              detail::from_register<half>(_mm256_extractf128_si256(whole, 1))),
                      combine);
  } else
#endif
#if defined(__SSE2__)
      if constexpr (bytes == 16) {
    const B high = detail::from_register<B>(_mm_shuffle_epi32(__builtin_bit_cast(__m128i, x.data), 0x4e));
    const B two = combine(x, high);
    if constexpr (sizeof(T) == 8) return detail::vector_of(two)[0];
    const B second = detail::from_register<B>(_mm_shuffle_epi32(__builtin_bit_cast(__m128i, two.data), 0xb1));
    return detail::vector_of(combine(two, second))[0];
  } else
#endif
  {
    alignas(B) T elements[B::size];
    x.store_aligned(elements);
    for (std::size_t half = B::size / 2; half > 0; half /= 2)
      for (std::size_t i = 0; i < half; ++i) {
        const B a(elements[i]), b(elements[i + half]);
        elements[i] = combine(a, b).get(0);
      }
    return elements[0];
  }
}

/// 0, 1, 2, ...
template <class T>
ETCH_INLINE batch<T> iota() {
  alignas(batch<T>) T numbers[lanes<T>];
  for (int i = 0; i < lanes<T>; ++i) numbers[i] = static_cast<T>(i);
  return batch<T>::load_aligned(numbers);
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

namespace detail {

template <class T>
ETCH_INLINE batch<T> sums_of_counts(std::int64_t first, std::int64_t step) {
  return batch<T>(static_cast<T>(first)) + iota<T>() * batch<T>(static_cast<T>(step));
}
/// To 2^48: two floats that are exact, whose sum is rounded. Inlined: in front of a branch to a call, registers would be stored.
ETCH_INLINE batch<float> far_counts(std::int64_t first, std::int64_t step) {
  constexpr std::int64_t low = (std::int64_t{1} << 24) - 1;
  using numbers = batch<std::int32_t>;
  const numbers lows = sums_of_counts<std::int32_t>(first & low, step & low);
  const numbers highs = sums_of_counts<std::int32_t>(first >> 24, step >> 24) + shift_right<24>(lows);
  return convert_to<float>(highs) * batch<float>(0x1p24f) + convert_to<float>(lows & numbers(static_cast<std::int32_t>(low)));
}

}  // namespace detail

/// first, first + step, first + 2 * step, ..., as each is converted alone: floats to 2^48, doubles to 2^52; of an integer the
/// lowest bits.
template <class T>
ETCH_INLINE batch<T> counts(std::int64_t first, std::int64_t step) {
  if constexpr (std::is_same_v<T, float>) {
    // Sums of integers, for a float's first is rounded beyond 2^24, and each sum again.
    constexpr std::int64_t bound = std::int64_t{1} << 30, most_step = bound / lanes<T>;
    if (static_cast<std::uint64_t>(first + bound) >= 2 * bound || static_cast<std::uint64_t>(step + most_step) >= 2 * most_step)
        [[unlikely]]
      return detail::far_counts(first, step);
    return convert_to<T>(detail::sums_of_counts<std::int32_t>(first, step));
  } else {
    return detail::sums_of_counts<T>(first, step);
  }
}

}  // namespace etch::cpu
