// SPDX-License-Identifier: MIT
#pragma once
#include <etch/config.hpp>

// With SSE alone not immintrin.h: 42,000 lines, 0.45 s and 100 MB of g++ 12, of instructions that the target lacks.
#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE4_1__)
#include <smmintrin.h>
#elif defined(__SSSE3__)
#include <tmmintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Instructions of x86 by the type of register, where xsimd 8 says something else: it has no fused multiply-add for
/// AVX-512, its `!=` is false for NaN, and its minimum is another one than that of xsimd 14. With AVX-512 also what it
/// lacks, and what it writes with intrinsics that g++ 12 warns about, taking the operand they leave undefined for an
/// uninitialised variable; with a mask of ones there is no such operand, and the instruction is the same.
#if defined(__SSE2__)
namespace etch::cpu::detail {

// smaller and greater: the second operand where either is NaN or both are zero. In order: of both orders the zero that they have in common
// is that without a sign, the two together have it, and are NaN where one is.
#define ETCH_CPU_X86_ORDER(REGISTER, PREFIX, SUFFIX)                                                                              \
  ETCH_INLINE REGISTER smaller(REGISTER a, REGISTER b) { return PREFIX##_min_##SUFFIX(a, b); }                                    \
  ETCH_INLINE REGISTER greater(REGISTER a, REGISTER b) { return PREFIX##_max_##SUFFIX(a, b); }                                    \
  ETCH_INLINE REGISTER smaller_in_order(REGISTER a, REGISTER b) { return PREFIX##_or_##SUFFIX(smaller(a, b), smaller(b, a)); }    \
  ETCH_INLINE REGISTER smaller_of_numbers(REGISTER a, REGISTER b) { return smaller_in_order(a, b); }                              \
  ETCH_INLINE REGISTER greater_of_numbers(REGISTER a, REGISTER b) { return PREFIX##_and_##SUFFIX(greater(a, b), greater(b, a)); } \
  ETCH_INLINE REGISTER greater_in_order(REGISTER a, REGISTER b) {                                                                 \
    return PREFIX##_or_##SUFFIX(greater_of_numbers(a, b), unordered(a, b));                                                       \
  }
ETCH_INLINE __m128 unordered(__m128 a, __m128 b) { return _mm_cmpunord_ps(a, b); }
ETCH_INLINE __m128d unordered(__m128d a, __m128d b) { return _mm_cmpunord_pd(a, b); }
ETCH_CPU_X86_ORDER(__m128, _mm, ps)
ETCH_CPU_X86_ORDER(__m128d, _mm, pd)
ETCH_INLINE int sign_bits(__m128 x) { return _mm_movemask_ps(x); }
ETCH_INLINE int sign_bits(__m128d x) { return _mm_movemask_pd(x); }
ETCH_INLINE __m128 differs(__m128 a, __m128 b) { return _mm_cmpneq_ps(a, b); }
ETCH_INLINE __m128d differs(__m128d a, __m128d b) { return _mm_cmpneq_pd(a, b); }
#if defined(__AVX__)
ETCH_INLINE int sign_bits(__m256 x) { return _mm256_movemask_ps(x); }
ETCH_INLINE int sign_bits(__m256d x) { return _mm256_movemask_pd(x); }
ETCH_INLINE __m256 unordered(__m256 a, __m256 b) { return _mm256_cmp_ps(a, b, _CMP_UNORD_Q); }
ETCH_INLINE __m256d unordered(__m256d a, __m256d b) { return _mm256_cmp_pd(a, b, _CMP_UNORD_Q); }
ETCH_CPU_X86_ORDER(__m256, _mm256, ps)
ETCH_CPU_X86_ORDER(__m256d, _mm256, pd)
ETCH_INLINE __m256 differs(__m256 a, __m256 b) { return _mm256_cmp_ps(a, b, _CMP_NEQ_UQ); }
ETCH_INLINE __m256d differs(__m256d a, __m256d b) { return _mm256_cmp_pd(a, b, _CMP_NEQ_UQ); }
#endif
#undef ETCH_CPU_X86_ORDER

// Products of the lower halves of lanes of 64 bits.
ETCH_INLINE __m128i low_product(__m128i a, __m128i b) { return _mm_mul_epu32(a, b); }
#if defined(__AVX2__)
ETCH_INLINE __m256i low_product(__m256i a, __m256i b) { return _mm256_mul_epu32(a, b); }
#elif defined(__AVX__)
ETCH_INLINE __m256i low_product(__m256i a, __m256i b) {
  const __m128i high = _mm_mul_epu32(_mm256_extractf128_si256(a, 1), _mm256_extractf128_si256(b, 1));
  return _mm256_insertf128_si256(_mm256_castsi128_si256(_mm_mul_epu32(_mm256_castsi256_si128(a), _mm256_castsi256_si128(b))), high,
                                 1);
}
#endif
#if defined(__AVX512F__)
ETCH_INLINE __m512i low_product(__m512i a, __m512i b) { return _mm512_maskz_mul_epu32(0xff, a, b); }
#endif

// a * b + c and c - a * b in one rounding.
#define ETCH_CPU_X86_FUSED(REGISTER, PREFIX, SUFFIX)                                                          \
  ETCH_INLINE REGISTER fused(REGISTER a, REGISTER b, REGISTER c) { return PREFIX##_fmadd_##SUFFIX(a, b, c); } \
  ETCH_INLINE REGISTER fused_minus(REGISTER a, REGISTER b, REGISTER c) { return PREFIX##_fnmadd_##SUFFIX(a, b, c); }
#if defined(__FMA__)
ETCH_CPU_X86_FUSED(__m128, _mm, ps)
ETCH_CPU_X86_FUSED(__m128d, _mm, pd)
ETCH_CPU_X86_FUSED(__m256, _mm256, ps)
ETCH_CPU_X86_FUSED(__m256d, _mm256, pd)
#endif
#if defined(__AVX512F__)
ETCH_CPU_X86_FUSED(__m512, _mm512, ps)
ETCH_CPU_X86_FUSED(__m512d, _mm512, pd)
#endif
#undef ETCH_CPU_X86_FUSED

#if defined(__AVX512F__)

// rounded: to nearest even (0), down (1), up (2), to zero (3). scaled: x 2^n. exponent_of and mantissa_of: x = m 2^e,
// 1 <= m < 2 for the exponent, 0.75 <= m < 1.5 and NaN of negative numbers for the mantissa.
#define ETCH_CPU_AVX512(REGISTER, MASK, SUFFIX)                                                                             \
  ETCH_INLINE REGISTER smaller(REGISTER a, REGISTER b) { return _mm512_maskz_min_##SUFFIX(static_cast<MASK>(-1), a, b); }   \
  ETCH_INLINE REGISTER greater(REGISTER a, REGISTER b) { return _mm512_maskz_max_##SUFFIX(static_cast<MASK>(-1), a, b); }   \
  ETCH_INLINE MASK differs(REGISTER a, REGISTER b) { return _mm512_cmp_##SUFFIX##_mask(a, b, _CMP_NEQ_UQ); }                \
  ETCH_INLINE REGISTER root(REGISTER x) { return _mm512_maskz_sqrt_##SUFFIX(static_cast<MASK>(-1), x); }                    \
  template <int Direction>                                                                                                  \
  ETCH_INLINE REGISTER rounded(REGISTER x) {                                                                                \
    return _mm512_maskz_roundscale_##SUFFIX(static_cast<MASK>(-1), x, Direction | _MM_FROUND_NO_EXC);                       \
  }                                                                                                                         \
  ETCH_INLINE REGISTER scaled(REGISTER x, REGISTER n) { return _mm512_maskz_scalef_##SUFFIX(static_cast<MASK>(-1), x, n); } \
  ETCH_INLINE REGISTER exponent_of(REGISTER x) { return _mm512_maskz_getexp_##SUFFIX(static_cast<MASK>(-1), x); }           \
  ETCH_INLINE REGISTER mantissa_of(REGISTER x) {                                                                            \
    return _mm512_maskz_getmant_##SUFFIX(static_cast<MASK>(-1), x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);               \
  }
ETCH_CPU_AVX512(__m512, __mmask16, ps)
ETCH_CPU_AVX512(__m512d, __mmask8, pd)
#undef ETCH_CPU_AVX512

#if defined(__AVX512DQ__)
// In order: the instruction orders zeros, and gives the number beside a NaN; there the sum.
#define ETCH_CPU_AVX512(REGISTER, MASK, SUFFIX)                                                                 \
  ETCH_INLINE MASK unordered(REGISTER a, REGISTER b) { return _mm512_cmp_##SUFFIX##_mask(a, b, _CMP_UNORD_Q); } \
  ETCH_INLINE REGISTER smaller_of_numbers(REGISTER a, REGISTER b) {                                             \
    return _mm512_maskz_range_##SUFFIX(static_cast<MASK>(-1), a, b, 4);                                         \
  }                                                                                                             \
  ETCH_INLINE REGISTER greater_of_numbers(REGISTER a, REGISTER b) {                                             \
    return _mm512_maskz_range_##SUFFIX(static_cast<MASK>(-1), a, b, 5);                                         \
  }                                                                                                             \
  ETCH_INLINE REGISTER smaller_in_order(REGISTER a, REGISTER b) {                                               \
    return _mm512_mask_add_##SUFFIX(smaller_of_numbers(a, b), unordered(a, b), a, b);                           \
  }                                                                                                             \
  ETCH_INLINE REGISTER greater_in_order(REGISTER a, REGISTER b) {                                               \
    return _mm512_mask_add_##SUFFIX(greater_of_numbers(a, b), unordered(a, b), a, b);                           \
  }
ETCH_CPU_AVX512(__m512, __mmask16, ps)
ETCH_CPU_AVX512(__m512d, __mmask8, pd)
#undef ETCH_CPU_AVX512
#endif

// All integers have one register type, so the width of a lane is a parameter; for conversions the type of the other side
// says it. low_bytes and from_bytes: between lanes and the bytes of a quarter or an eighth of the register.
#define ETCH_CPU_AVX512(BYTES, MASK, SUFFIX)                                                                                    \
  template <>                                                                                                                   \
  struct integer_lanes<BYTES> {                                                                                                 \
    ETCH_INLINE static __m512i smaller(__m512i a, __m512i b) { return _mm512_maskz_min_##SUFFIX(static_cast<MASK>(-1), a, b); } \
    ETCH_INLINE static __m512i greater(__m512i a, __m512i b) { return _mm512_maskz_max_##SUFFIX(static_cast<MASK>(-1), a, b); } \
    ETCH_INLINE static __m512i abs(__m512i x) { return _mm512_maskz_abs_##SUFFIX(static_cast<MASK>(-1), x); }                   \
    ETCH_INLINE static __m128i low_bytes(__m512i x) { return _mm512_maskz_cvt##SUFFIX##_epi8(static_cast<MASK>(-1), x); }       \
    ETCH_INLINE static __m512i from_bytes(__m128i x) { return _mm512_maskz_cvtepu8_##SUFFIX(static_cast<MASK>(-1), x); }        \
    ETCH_INLINE static MASK first_bits(int count) { return static_cast<MASK>((1u << count) - 1u); }                             \
  };
template <int Bytes>
struct integer_lanes;
ETCH_CPU_AVX512(4, __mmask16, epi32)
ETCH_CPU_AVX512(8, __mmask8, epi64)
#undef ETCH_CPU_AVX512

ETCH_INLINE __m512 floating_of_int32(__m512i x) { return _mm512_maskz_cvtepi32_ps(static_cast<__mmask16>(-1), x); }
ETCH_INLINE __m512i truncated(__m512 x) { return _mm512_maskz_cvttps_epi32(static_cast<__mmask16>(-1), x); }
#if defined(__AVX512DQ__)
ETCH_INLINE __m512d floating_of_int64(__m512i x) { return _mm512_maskz_cvtepi64_pd(static_cast<__mmask8>(-1), x); }
ETCH_INLINE __m512i truncated(__m512d x) { return _mm512_maskz_cvttpd_epi64(static_cast<__mmask8>(-1), x); }
#endif

#endif
}  // namespace etch::cpu::detail
#endif
