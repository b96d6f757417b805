// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/bfloat16.hpp>
#include <etch/backend/cpu/matmul/amx.hpp>
#include <etch/backend/cpu/matmul/vector.hpp>
#include <etch/backend/cpu/target.hpp>

/// Products of words of two bfloat16, with sums in float: what `byte_dot` is for bytes.
namespace etch::cpu::matmul_detail {

#if defined(__AVX512BF16__) && defined(__AVX512VL__)
ETCH_INLINE __m512 dot_of_pairs(__m512 sum, __m512 a, __m512 b) noexcept {
  return _mm512_dpbf16_ps(sum, __builtin_bit_cast(__m512bh, a), __builtin_bit_cast(__m512bh, b));
}
ETCH_INLINE __m256 dot_of_pairs(__m256 sum, __m256 a, __m256 b) noexcept {
  return _mm256_dpbf16_ps(sum, __builtin_bit_cast(__m256bh, a), __builtin_bit_cast(__m256bh, b));
}
#endif

/// Products are exact, their sums are rounded to nearest; subnormal operands and sums are zero, whatever the thread has set.
struct pair_dot {
  using left_type = bfloat16;
  using right_type = bfloat16;
  using sum_type = float;
  using swapped = pair_dot;
  static constexpr index group = 2;
  static constexpr bool is_available = has_pair_dot;
  static constexpr bool takes_words = true;
#if defined(ETCH_CPU_HAS_AMX)
  static constexpr amx_dot amx = amx_dot::pairs;
#endif
  static constexpr bool moves_right = false;

  template <class V>
  ETCH_INLINE static V moved(const V& right) noexcept {
    return right;
  }
  static constexpr bfloat16 moved_element(bfloat16 x) noexcept { return x; }

  template <class V>
  ETCH_INLINE static V add(const V& left, const V& right, const V& sum) noexcept {
    return V(dot_of_pairs(sum.data, left.data, right.data));
  }
};

}  // namespace etch::cpu::matmul_detail
