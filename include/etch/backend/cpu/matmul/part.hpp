// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/vector.hpp>

/// Loads and stores of fewer lanes than a register has.
namespace etch::cpu::matmul_detail {

/// Whether the tile kernel reads the last register of a row in part. AVX2: only where that is the only register of the
/// panel, because the mask takes one of 16 registers.
#if defined(__AVX2__)
inline constexpr bool has_masked_loads = sizeof(vector<float>) >= 32;
#else
inline constexpr bool has_masked_loads = false;
#endif

/// The first `count` lanes of a register, 1 <= count <= lanes. Reads and writes nothing beyond them.
template <class V>
class part {
  using T = typename V::value_type;

 public:
#if defined(__AVX512F__) && defined(__AVX512VL__)
  ETCH_INLINE explicit part(int count) noexcept : count_(count), mask_(static_cast<mask>((1U << count) - 1U)) {}
#else
  ETCH_INLINE explicit part(int count) noexcept : count_(count) {}
#endif

  /// Lanes from `count` on are 0.
  ETCH_INLINE V load(const T* from) const noexcept {
    if (is_known<lanes_of<V>>()) return V::load_unaligned(from);
    if constexpr (lanes_of<V> > 8) {
      if (is_known<8>()) return load_low<8>(from);
    }
    if constexpr (lanes_of<V> > 4) {
      if (is_known<4>()) return load_low<4>(from);
    }
    if constexpr (lanes_of<V> > 2) {
      if (is_known<2>()) return load_low<2>(from);
    }
    if constexpr (has_masked_loads) {
      return masked_load(from);
    } else {
      return count_ == lanes_of<V> ? V::load_unaligned(from) : load_rest(from, count_);
    }
  }

  ETCH_INLINE void store(T* to, V value) const noexcept {
    if (is_known<lanes_of<V>>()) return value.store_unaligned(to);
    if constexpr (lanes_of<V> > 8) {
      if (is_known<8>()) return store_low<8>(to, value);
    }
    if constexpr (lanes_of<V> > 4) {
      if (is_known<4>()) return store_low<4>(to, value);
    }
    if constexpr (lanes_of<V> > 2) {
      if (is_known<2>()) return store_low<2>(to, value);
    }
    if constexpr (has_avx512) {
      masked_store(to, value);
    } else {
      if (count_ == lanes_of<V>) return value.store_unaligned(to);
      store_rest(to, value, count_);
    }
  }

 private:
  /// Counts that the compiler knows get loads and stores of their own width: a masked store delays loads from anywhere
  /// in the register's width, which made a product of 4 x 4 x 4 next to its operands 4 times slower.
  template <index N>
  ETCH_INLINE bool is_known() const noexcept {
    return __builtin_constant_p(count_ == N) && count_ == N;
  }
  template <std::size_t N>
  ETCH_INLINE static V load_low(const T* from) noexcept {
    typename plain_vector<T, N>::type low;
    std::memcpy(&low, from, sizeof low);
    return widen<V, T, N>(low);
  }
  template <std::size_t N>
  ETCH_INLINE static void store_low(T* to, V value) noexcept {
    using wide = typename plain_vector<T, static_cast<std::size_t>(lanes_of<V>)>::type;
    const auto low = first_lanes<T, N>(std::bit_cast<wide>(value));
    std::memcpy(to, &low, sizeof low);
  }

  /// One copy for all edges of all products; a product with few rows has dozens.
  ETCH_NOINLINE static V load_rest(const T* from, int count) noexcept { return load_partial<T>(from, count); }
  ETCH_NOINLINE static void store_rest(T* to, V value, int count) noexcept { store_partial<T>(to, value, count); }

  int count_;

#if defined(__AVX512F__) && defined(__AVX512VL__)
  using mask = std::conditional_t<lanes_of<V> == 16, __mmask16, __mmask8>;

  ETCH_INLINE V masked_load(const T* from) const noexcept {
    if constexpr (sizeof(V) == 64 && std::is_same_v<T, std::int32_t>) return V(_mm512_maskz_loadu_epi32(mask_, from));
    if constexpr (sizeof(V) == 32 && std::is_same_v<T, std::int32_t>) return V(_mm256_maskz_loadu_epi32(mask_, from));
    if constexpr (sizeof(V) == 64 && std::is_same_v<T, float>) return V(_mm512_maskz_loadu_ps(mask_, from));
    if constexpr (sizeof(V) == 64 && std::is_same_v<T, double>) return V(_mm512_maskz_loadu_pd(mask_, from));
    if constexpr (sizeof(V) == 32 && std::is_same_v<T, float>) return V(_mm256_maskz_loadu_ps(mask_, from));
    if constexpr (sizeof(V) == 32 && std::is_same_v<T, double>) return V(_mm256_maskz_loadu_pd(mask_, from));
  }
  ETCH_INLINE void masked_store(T* to, V value) const noexcept {
    if constexpr (sizeof(V) == 64 && std::is_same_v<T, std::int32_t>) _mm512_mask_storeu_epi32(to, mask_, value);
    if constexpr (sizeof(V) == 32 && std::is_same_v<T, std::int32_t>) _mm256_mask_storeu_epi32(to, mask_, value);
    if constexpr (sizeof(V) == 64 && std::is_same_v<T, float>) _mm512_mask_storeu_ps(to, mask_, value);
    if constexpr (sizeof(V) == 64 && std::is_same_v<T, double>) _mm512_mask_storeu_pd(to, mask_, value);
    if constexpr (sizeof(V) == 32 && std::is_same_v<T, float>) _mm256_mask_storeu_ps(to, mask_, value);
    if constexpr (sizeof(V) == 32 && std::is_same_v<T, double>) _mm256_mask_storeu_pd(to, mask_, value);
  }

  mask mask_;
#elif defined(__AVX2__)
  ETCH_INLINE V masked_load(const T* from) const noexcept { return load_partial<T>(from, count_); }
#endif
};

}  // namespace etch::cpu::matmul_detail
