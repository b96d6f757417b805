// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/simd/bytes.hpp>
#include <etch/base/bfloat16.hpp>

/// Floats that are kept in 16 bits: in memory halves, in registers floats whose value a half can hold. A partial load or store touches
/// nothing beyond its count, and the lanes beyond it are 0.
///
/// Rounding is integer arithmetic on every machine. `vcvtneps2bf16` would be one instruction instead of six, takes subnormals for zero, and
/// what is rounded waits for memory.
namespace etch::cpu {

namespace detail {

/// The upper halves of lanes of 32 bits, which are 0 below. This form is for any machine.
template <class B, int Bits = sizeof(typename B::register_type) * 8>
struct upper_halves {
  static constexpr int count = static_cast<int>(B::size);

  ETCH_INLINE static B load(const void* from, int n = count) {
    std::uint16_t halves[B::size] = {};
    std::memcpy(halves, from, static_cast<std::size_t>(n) * 2);
    alignas(B) std::int32_t elements[B::size];
    for (int i = 0; i < count; ++i) elements[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(halves[i]) << 16);
    return B::load_aligned(elements);
  }
  ETCH_INLINE static void store(void* to, const B& x, int n = count) {
    alignas(B) std::int32_t elements[B::size];
    x.store_aligned(elements);
    std::uint16_t halves[B::size];
    for (int i = 0; i < count; ++i) halves[i] = static_cast<std::uint16_t>(static_cast<std::uint32_t>(elements[i]) >> 16);
    std::memcpy(to, halves, static_cast<std::size_t>(n) * 2);
  }
  ETCH_INLINE static void store_streamed(void* to, const B& x) { store(to, x); }
};

#if defined(__SSE2__)
template <class B>
struct upper_halves<B, 128> {
  ETCH_INLINE static B load(const void* from, int n = 4) {
    const std::uint64_t halves = load_bytes<8>(static_cast<const unsigned char*>(from), 2 * n);
    return B(_mm_unpacklo_epi16(_mm_setzero_si128(), _mm_cvtsi64_si128(static_cast<long long>(halves))));
  }
  ETCH_INLINE static void store(void* to, const B& x, int n = 4) {
    const __m128i halves = _mm_srai_epi32(x.data, 16);
    const long long word = _mm_cvtsi128_si64(_mm_packs_epi32(halves, halves));
    store_bytes<8>(static_cast<unsigned char*>(to), static_cast<std::uint64_t>(word), 2 * n);
  }
  ETCH_INLINE static void store_streamed(void* to, const B& x) { store(to, x); }
};
#endif

#if defined(__AVX2__)
template <class B>
struct upper_halves<B, 256> {
  ETCH_INLINE static B load(const void* from) { return widened(_mm_loadu_si128(static_cast<const __m128i*>(from))); }
  ETCH_INLINE static B load(const void* from, int n) {
    const auto* const bytes = static_cast<const unsigned char*>(from);
    const int low = n < 4 ? n : 4;
    return widened(_mm_set_epi64x(static_cast<long long>(load_bytes<8>(bytes + 8, 2 * (n - low))),
                                  static_cast<long long>(load_bytes<8>(bytes, 2 * low))));
  }
  ETCH_INLINE static void store(void* to, const B& x) { _mm_storeu_si128(static_cast<__m128i*>(to), narrowed(x)); }
  ETCH_INLINE static void store(void* to, const B& x, int n) {
    auto* const bytes = static_cast<unsigned char*>(to);
    const __m128i halves = narrowed(x);
    const int low = n < 4 ? n : 4;
    store_bytes<8>(bytes, static_cast<std::uint64_t>(_mm_cvtsi128_si64(halves)), 2 * low);
    store_bytes<8>(bytes + 8, static_cast<std::uint64_t>(_mm_extract_epi64(halves, 1)), 2 * (n - low));
  }
  ETCH_INLINE static void store_streamed(void* to, const B& x) { _mm_stream_si128(static_cast<__m128i*>(to), narrowed(x)); }

 private:
  ETCH_INLINE static B widened(__m128i halves) { return B(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16)); }
  ETCH_INLINE static __m128i narrowed(const B& x) {
    const __m256i halves = _mm256_srai_epi32(x.data, 16);
    return _mm_packs_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
  }
};
#endif

#if defined(__AVX512BW__) && defined(__AVX512VL__)
template <class B>
struct upper_halves<B, 512> {
  ETCH_INLINE static B load(const void* from) { return widened(_mm256_loadu_si256(static_cast<const __m256i*>(from))); }
  ETCH_INLINE static B load(const void* from, int n) { return widened(_mm256_maskz_loadu_epi16(first(n), from)); }
  ETCH_INLINE static void store(void* to, const B& x) { _mm256_storeu_si256(static_cast<__m256i*>(to), narrowed(x)); }
  ETCH_INLINE static void store(void* to, const B& x, int n) { _mm256_mask_storeu_epi16(to, first(n), narrowed(x)); }
  ETCH_INLINE static void store_streamed(void* to, const B& x) { _mm256_stream_si256(static_cast<__m256i*>(to), narrowed(x)); }

 private:
  // With masks of ones: g++ 12 warns of what the others leave undefined.
  static constexpr __mmask16 all = 0xffff;
  ETCH_INLINE static __mmask16 first(int n) { return static_cast<__mmask16>((1u << n) - 1u); }
  ETCH_INLINE static B widened(__m256i halves) {
    return B(_mm512_maskz_slli_epi32(all, _mm512_maskz_cvtepu16_epi32(all, halves), 16));
  }
  ETCH_INLINE static __m256i narrowed(const B& x) {
    return _mm512_maskz_cvtepi32_epi16(all, _mm512_maskz_srli_epi32(all, x.data, 16));
  }
};
#endif

}  // namespace detail

/// As many numbers as there are lanes of float. count: only so many are there.
template <class T, class Stored, class... Count>
  requires is_storage_number<Stored>
ETCH_INLINE batch<T> load_widened(const Stored* from, Count... count) {
  static_assert(std::is_same_v<Stored, bfloat16> && std::is_same_v<T, float>);
  return detail::reinterpret<T>(detail::upper_halves<batch<detail::integer_like<T>>>::load(from, count...));
}

/// Lanes that a Stored can hold, as what is in memory.
template <class Stored, class T, class A, class... Count>
ETCH_INLINE void store_narrowed(Stored* to, const xsimd::batch<T, A>& x, Count... count) {
  static_assert(std::is_same_v<Stored, bfloat16> && std::is_same_v<T, float>);
  using I = detail::integer_like<T>;
  detail::upper_halves<xsimd::batch<I, A>>::store(to, detail::reinterpret<I>(x), count...);
}

/// The same by non-temporal stores, to memory that is aligned to half a batch.
template <class Stored, class T, class A>
ETCH_INLINE void store_narrowed_streamed(Stored* to, const xsimd::batch<T, A>& x) {
  static_assert(std::is_same_v<Stored, bfloat16> && std::is_same_v<T, float>);
  using I = detail::integer_like<T>;
  detail::upper_halves<xsimd::batch<I, A>>::store_streamed(to, detail::reinterpret<I>(x));
}

/// The nearest numbers that a Stored can hold, halves to even; those beyond the largest are infinite, NaN are quiet.
template <class Stored>
ETCH_INLINE batch<float> rounded_to(const batch<float>& x) {
  static_assert(std::is_same_v<Stored, bfloat16>);
  using I = batch<std::int32_t>;
  const I bits = detail::reinterpret<std::int32_t>(x);
  const I nearest = bits + I(0x7fff) + (detail::shift_right<16>(bits) & I(1));
  const I chosen = detail::blend(mask_cast<std::int32_t>(detail::is_nan(x)), bits | I(0x400000), nearest);
  return detail::reinterpret<float>(chosen & I(static_cast<std::int32_t>(0xffff0000)));
}

}  // namespace etch::cpu
