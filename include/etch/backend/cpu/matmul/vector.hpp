// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <etch/config.hpp>
#include <type_traits>
#include <utility>
#include <xsimd/xsimd.hpp>

#if defined(__AVX__)
#include <immintrin.h>
#endif

/// What the matrix product needs from SIMD registers, on top of xsimd.
namespace etch::cpu {

using index = std::int64_t;

/// A matrix as it lies in memory; strides in elements. Any strides are right; one of them 1 is fast.
template <class T>
struct matrix {
  const T* data;
  index row_stride;
  index column_stride;
};

namespace matmul_detail {

template <class T>
inline constexpr bool is_float = std::is_same_v<T, float> || std::is_same_v<T, double>;

/// Whether products of T run in SIMD registers; otherwise they run in the loops of `plain.hpp`.
template <class T>
inline constexpr bool is_vectorised = is_float<T> && xsimd::types::has_simd_register<T, xsimd::default_arch>::value;

template <class T>
using vector = xsimd::batch<T>;

template <class V>
inline constexpr index lanes_of = static_cast<index>(V::size);

template <class T>
inline constexpr index lanes = lanes_of<vector<T>>;

#if defined(__AVX512F__) && defined(__AVX512VL__)
inline constexpr bool has_avx512 = sizeof(vector<float>) == 64;
#else
inline constexpr bool has_avx512 = false;
#endif

/// Vectors of the compiler, for shuffles: xsimd 8.1 has no transposition, and its zip_lo and zip_hi have changed.
template <class T, std::size_t N>
struct plain_vector {
  typedef T type __attribute__((vector_size(N * sizeof(T))));
};

/// The first N lanes of x.
template <class T, std::size_t N, class Wide>
ETCH_INLINE typename plain_vector<T, N>::type first_lanes(const Wide& x) noexcept {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return __builtin_shufflevector(x, x, I...);
  }(std::make_index_sequence<N>());
}

/// The last N lanes of x, which has 2 * N.
template <class T, std::size_t N, class Wide>
ETCH_INLINE typename plain_vector<T, N>::type last_lanes(const Wide& x) noexcept {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return __builtin_shufflevector(x, x, (I + N)...);
  }(std::make_index_sequence<N>());
}

/// x in the first N lanes of a V, and zeros.
template <class V, class T, std::size_t N>
ETCH_INLINE V widen(const typename plain_vector<T, N>::type& x) noexcept {
  if constexpr (N == V::size) {
    return std::bit_cast<V>(x);
  } else {
    const typename plain_vector<T, N>::type zero = {};
    return widen<V, T, 2 * N>([&]<std::size_t... I>(std::index_sequence<I...>) {
      return __builtin_shufflevector(x, zero, I...);
    }(std::make_index_sequence<2 * N>()));
  }
}

constexpr index minimum(index a, index b) noexcept { return a < b ? a : b; }
constexpr index divide_up(index a, index b) noexcept { return (a + b - 1) / b; }
constexpr index round_up(index a, index b) noexcept { return divide_up(a, b) * b; }

template <class T>
ETCH_INLINE const T* element(const matrix<T>& of, index row, index column) noexcept {
  return of.data + row * of.row_stride + column * of.column_stride;
}

template <class T>
ETCH_INLINE matrix<T> block(const matrix<T>& of, index row, index column) noexcept {
  return {element(of, row, column), of.row_stride, of.column_stride};
}

template <class T>
ETCH_INLINE matrix<T> transposed(const matrix<T>& of) noexcept {
  return {of.data, of.column_stride, of.row_stride};
}

/// x * y + z. xsimd 8.1 has no fused operation for AVX-512, only x * y + z, which g++ fuses and clang does not: clang
/// reaches 0.70 of the peak without the intrinsics.
template <class V>
ETCH_INLINE V multiply_add(V x, V y, V z) noexcept {
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64) {
    if constexpr (sizeof(typename V::value_type) == 4) {
      return V(_mm512_fmadd_ps(x, y, z));
    } else {
      return V(_mm512_fmadd_pd(x, y, z));
    }
  } else
#endif
    return xsimd::fma(x, y, z);
}

/// Makes the compiler load v once. g++ 12 otherwise repeats the load as the memory operand of every multiplication that
/// uses it: a tile of 4 rows by 2 registers then reaches 0.73 of the peak instead of 1.
template <class V>
ETCH_INLINE void keep_in_register([[maybe_unused]] V& v) noexcept {
#if defined(__x86_64__)
  typename V::register_type r = v;
  asm("" : "+v"(r));
  v = V(r);
#endif
}

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

  /// Lanes from `count` on are 0. AVX-512: measured on Zen 4, masked loads and stores cost what whole ones cost.
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
    if constexpr (has_avx512) {
      return masked_load(from);
    } else {
      if (count_ == lanes_of<V>) return V::load_unaligned(from);
      alignas(V) T padded[lanes_of<V>] = {};
      copy(from, padded);
      return V::load_aligned(padded);
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
      alignas(V) T padded[lanes_of<V>];
      value.store_aligned(padded);
      copy(padded, to);
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

  /// By powers of two: a loop over `count` would become a call of memcpy.
  ETCH_INLINE void copy(const T* from, T* to) const noexcept {
    if constexpr (lanes_of<V> > 8) copy_bit<8>(from, to);
    if constexpr (lanes_of<V> > 4) copy_bit<4>(from, to);
    if constexpr (lanes_of<V> > 2) copy_bit<2>(from, to);
    copy_bit<1>(from, to);
  }
  template <int Bit>
  ETCH_INLINE void copy_bit(const T*& from, T*& to) const noexcept {
    if ((count_ & Bit) == 0) return;
    std::memcpy(to, from, Bit * sizeof(T));
    from += Bit;
    to += Bit;
  }

  int count_;

#if defined(__AVX512F__) && defined(__AVX512VL__)
  using mask = std::conditional_t<lanes_of<V> == 16, __mmask16, __mmask8>;

  ETCH_INLINE V masked_load(const T* from) const noexcept {
    if constexpr (sizeof(V) == 64 && sizeof(T) == 4) return V(_mm512_maskz_loadu_ps(mask_, from));
    if constexpr (sizeof(V) == 64 && sizeof(T) == 8) return V(_mm512_maskz_loadu_pd(mask_, from));
    if constexpr (sizeof(V) == 32 && sizeof(T) == 4) return V(_mm256_maskz_loadu_ps(mask_, from));
    if constexpr (sizeof(V) == 32 && sizeof(T) == 8) return V(_mm256_maskz_loadu_pd(mask_, from));
  }
  ETCH_INLINE void masked_store(T* to, V value) const noexcept {
    if constexpr (sizeof(V) == 64 && sizeof(T) == 4) _mm512_mask_storeu_ps(to, mask_, value);
    if constexpr (sizeof(V) == 64 && sizeof(T) == 8) _mm512_mask_storeu_pd(to, mask_, value);
    if constexpr (sizeof(V) == 32 && sizeof(T) == 4) _mm256_mask_storeu_ps(to, mask_, value);
    if constexpr (sizeof(V) == 32 && sizeof(T) == 8) _mm256_mask_storeu_pd(to, mask_, value);
  }

  mask mask_;
#endif
};

#if defined(__AVX512F__) && defined(__AVX512VL__)
/// Half a register, for columns that fill no more than that: Zen 4 multiplies two of them in the time of a whole one.
template <class T>
using half_vector = xsimd::batch<T, xsimd::fma3<xsimd::avx2>>;
template <class T>
ETCH_INLINE vector<T> whole_register(const half_vector<T>& v) noexcept {
  using half = typename plain_vector<T, half_vector<T>::size>::type;
  return widen<vector<T>, T, half_vector<T>::size>(std::bit_cast<half>(v));
}
#endif

}  // namespace matmul_detail
}  // namespace etch::cpu
