// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/micro_kernel.hpp>
#include <etch/backend/cpu/matmul/plain.hpp>

/// The matrix product for extents known to the compiler: straight-line code in the caller.
namespace etch::cpu::matmul_detail {

/// Rows `Row` to `Row + Rows` of the product, columns from `Column` on that fill `Vectors` registers of type V.
template <class V, std::size_t Rows, std::size_t Vectors, index K, int Last, class T, class Epilogue>
ETCH_INLINE void small_tile(const matrix<T>& a, const matrix<T>& b, index i, index j,
                            const Epilogue& epilogue) noexcept {
  constexpr index L = lanes_of<V>;
  const part<V> last(Last);
  V sum[Rows][Vectors];
#pragma GCC unroll 16
  for (std::size_t r = 0; r < Rows; ++r) {
#pragma GCC unroll 16
    for (std::size_t v = 0; v < Vectors; ++v) sum[r][v] = V(T(0));
  }
#pragma GCC unroll 16
  for (index p = 0; p < K; ++p) {
    const T* const row = b.data + p * b.row_stride + j;
    V right[Vectors];
#pragma GCC unroll 16
    for (std::size_t v = 0; v < Vectors; ++v) {
      const T* const from = row + static_cast<index>(v) * L;
      right[v] = Last < L && v + 1 == Vectors ? last.load(from) : V::load_unaligned(from);
      if constexpr (Rows > 1) keep_in_register(right[v]);
    }
#pragma GCC unroll 16
    for (std::size_t r = 0; r < Rows; ++r) {
      const V left(*element(a, i + static_cast<index>(r), p));
#pragma GCC unroll 16
      for (std::size_t v = 0; v < Vectors; ++v) sum[r][v] = multiply_add(left, right[v], sum[r][v]);
    }
  }
#pragma GCC unroll 16
  for (std::size_t r = 0; r < Rows; ++r) {
#pragma GCC unroll 16
    for (std::size_t v = 0; v < Vectors; ++v) {
      const int count = v + 1 == Vectors ? Last : static_cast<int>(L);
      const index row = i + static_cast<index>(r);
      const index column = j + static_cast<index>(v) * L;
      if constexpr (sizeof(V) == sizeof(vector<T>)) {
        epilogue.template operator()<V>(row, column, sum[r][v], count);
      } else {
        epilogue.template operator()<vector<T>>(row, column, whole_register<T>(sum[r][v]), count);
      }
    }
  }
}

/// Columns from J on, in panels.
template <index M, index N, index K, index J, class T, class Epilogue>
ETCH_INLINE void small_panels(const matrix<T>& a, const matrix<T>& b, const Epilogue& epilogue) noexcept {
  constexpr index L = lanes<T>;
  if constexpr (J < N) {
    constexpr panel now = next_panel<T>(N - J, tile_shape<T>::vectors);
    constexpr int last = static_cast<int>(now.columns - (now.registers - 1) * L);
    constexpr index high = tile_shape<T>::rows;
    constexpr auto registers = static_cast<std::size_t>(now.registers);
    constexpr auto rest = static_cast<std::size_t>(M % high);
#if defined(__AVX512F__) && defined(__AVX512VL__)
    using V = std::conditional_t<now.is_half, half_vector<T>, vector<T>>;
#else
    using V = vector<T>;
#endif
    for (index i = 0; i + high <= M; i += high) {
      small_tile<V, static_cast<std::size_t>(high), registers, K, last>(a, b, i, J, epilogue);
    }
    if constexpr (rest > 0) small_tile<V, rest, registers, K, last>(a, b, M - M % high, J, epilogue);
    small_panels<M, N, K, J + now.columns>(a, b, epilogue);
  }
}

template <index M, index N, index K, class T, class Epilogue>
ETCH_INLINE void small_scalars(const matrix<T>& a, const matrix<T>& b, const Epilogue& epilogue) noexcept {
  using S = typename accumulator<T>::type;
#pragma GCC unroll 16
  for (index i = 0; i < M; ++i) {
#pragma GCC unroll 16
    for (index j = 0; j < N; ++j) {
      S sum(0);
#pragma GCC unroll 16
      for (index p = 0; p < K; ++p) sum += static_cast<S>(*element(a, i, p)) * static_cast<S>(*element(b, p, j));
      epilogue.template operator()<T>(i, j, static_cast<T>(sum), 1);
    }
  }
}

}  // namespace etch::cpu::matmul_detail
