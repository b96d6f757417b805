// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <etch/backend/cpu/simd/arithmetic.hpp>
#include <etch/backend/cpu/simd/memory.hpp>

/// What the matrix product needs from vector registers beyond what all kernels do.
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
using vector = batch<T>;

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

/// The first N lanes of x. Written out, here and below: nvcc loses a pack among the arguments of a builtin.
template <class T, std::size_t N, class Wide>
ETCH_INLINE typename plain_vector<T, N>::type first_lanes(const Wide& x) noexcept {
  static_assert(N == 2 || N == 4 || N == 8);
  if constexpr (N == 2)
    return __builtin_shufflevector(x, x, 0, 1);
  else if constexpr (N == 4)
    return __builtin_shufflevector(x, x, 0, 1, 2, 3);
  else
    return __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7);
}

/// The last N lanes of x, which has 2 * N.
template <class T, std::size_t N, class Wide>
ETCH_INLINE typename plain_vector<T, N>::type last_lanes(const Wide& x) noexcept {
  static_assert(N == 2 || N == 4 || N == 8);
  if constexpr (N == 2)
    return __builtin_shufflevector(x, x, 2, 3);
  else if constexpr (N == 4)
    return __builtin_shufflevector(x, x, 4, 5, 6, 7);
  else
    return __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
}

/// x in the first N lanes of a V, and zeros.
template <class V, class T, std::size_t N>
ETCH_INLINE V widen(const typename plain_vector<T, N>::type& x) noexcept {
  if constexpr (N == V::size) {
    return std::bit_cast<V>(x);
  } else {
    const typename plain_vector<T, N>::type zero = {};
    static_assert(N == 2 || N == 4 || N == 8);
    if constexpr (N == 2)
      return widen<V, T, 4>(__builtin_shufflevector(x, zero, 0, 1, 2, 3));
    else if constexpr (N == 4)
      return widen<V, T, 8>(__builtin_shufflevector(x, zero, 0, 1, 2, 3, 4, 5, 6, 7));
    else
      return widen<V, T, 16>(__builtin_shufflevector(x, zero, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
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
ETCH_INLINE index step_of_columns(const matrix<T>& of) noexcept {
  return of.column_stride;
}

template <class T>
ETCH_INLINE matrix<T> block(const matrix<T>& of, index row, index column) noexcept {
  return {element(of, row, column), of.row_stride, of.column_stride};
}

template <class T>
ETCH_INLINE matrix<T> transposed(const matrix<T>& of) noexcept {
  return {of.data, of.column_stride, of.row_stride};
}

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
