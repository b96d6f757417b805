// SPDX-License-Identifier: MIT
#pragma once
#include <functional>

#include <etch/backend/cpu/matmul/micro_kernel.hpp>
#include <etch/backend/cpu/matmul/part.hpp>
#include <etch/backend/cpu/matmul/plain.hpp>
#include <etch/backend/cpu/matmul/team.hpp>
#include <etch/backend/cpu/simd/lanes.hpp>

/// Small matrix products, for extents known to the compiler: straight-line code in the caller.
namespace etch::cpu::matmul_detail {

/// One p of rows i to i + Rows: sum[r, v] += a[i + r, p] * b[p, j + v].
template <int Last, class V, std::size_t Rows, std::size_t Vectors, class T>
ETCH_INLINE void add_small(V (&sum)[Rows][Vectors], const matrix<T>& a, const matrix<T>& b, index i, index j, index p) noexcept {
  constexpr index L = lanes_of<V>;
  const part<V> last(Last);
  const T* const row = b.data + p * b.row_stride + j;
  V right[Vectors];
  ETCH_UNROLL(16)
  for (std::size_t v = 0; v < Vectors; ++v) {
    const T* const from = row + static_cast<index>(v) * L;
    right[v] = Last < L && v + 1 == Vectors ? last.load(from) : V::load_unaligned(from);
    if constexpr (Rows > 1) keep_in_register(right[v]);
  }
  ETCH_UNROLL(16)
  for (std::size_t r = 0; r < Rows; ++r) {
    const V left(*element(a, i + static_cast<index>(r), p));
    ETCH_UNROLL(16)
    for (std::size_t v = 0; v < Vectors; ++v) sum[r][v] = simd::fma(left, right[v], sum[r][v]);
  }
}

/// Rows i to i + Rows of the product, columns from j on that fill `Vectors` registers of type V: the sums.
template <index K, int Last, class V, std::size_t Rows, std::size_t Vectors, class T>
ETCH_INLINE void small_sums(const matrix<T>& a, const matrix<T>& b, index i, index j, V (&sum)[Rows][Vectors]) noexcept {
  // As in `tile`: long sums of few registers wait for themselves.
  constexpr index chains = K <= 16 || Rows * Vectors >= 8 ? 1 : 2;
  ETCH_UNROLL(16)
  for (std::size_t r = 0; r < Rows; ++r) clear_row(sum[r]);
  if constexpr (chains == 1) {
    ETCH_UNROLL(16)
    for (index p = 0; p < K; ++p) add_small<Last>(sum, a, b, i, j, p);
  } else {
    V odd[Rows][Vectors];
    ETCH_UNROLL(16)
    for (std::size_t r = 0; r < Rows; ++r) clear_row(odd[r]);
    ETCH_UNROLL(8)
    for (index p = 0; p + 1 < K; p += 2) {
      add_small<Last>(sum, a, b, i, j, p);
      add_small<Last>(odd, a, b, i, j, p + 1);
    }
    if constexpr (K % 2 == 1) add_small<Last>(sum, a, b, i, j, K - 1);
    ETCH_UNROLL(16)
    for (std::size_t r = 0; r < Rows; ++r) add_row(sum[r], odd[r]);
  }
}

/// A panel of a product whose columns and depth the compiler knows.
template <class T, index N, index J, index Most>
struct small_panel {
  static constexpr panel now = next_panel<T>(N - J, Most);
  static constexpr int last = static_cast<int>(now.columns - (now.registers - 1) * lanes<T>);
  static constexpr auto registers = static_cast<std::size_t>(now.registers);
#if defined(__AVX512F__) && defined(__AVX512VL__)
  using V = std::conditional_t<now.is_half, half_vector<T>, vector<T>>;
#else
  using V = vector<T>;
#endif
  ETCH_INLINE static vector<T> whole(const V& v) noexcept {
    if constexpr (sizeof(V) == sizeof(vector<T>))
      return v;
    else
      return whole_register<T>(v);
  }
};

#if defined(__AVX512F__) && defined(__AVX512VL__)
/// Four rows of a that lie behind one another, times 4 x 4: all in whole registers. By rows it would take 16 broadcasts from
/// memory, twice the time. Intrinsics with whole masks, since g++ 12 warns of those without.
template <class Epilogue>
ETCH_INLINE void four_rows(const matrix<float>& a, const matrix<float>& b, index i, const Epilogue& epilogue) noexcept {
  const __m512 rows = _mm512_loadu_ps(a.data + i * 4);
  const auto row = [&](index p)
                       ETCH_INLINED { return _mm512_maskz_broadcast_f32x4(0xffff, _mm_loadu_ps(b.data + p * b.row_stride)); };
  __m512 sum = _mm512_fmadd_ps(_mm512_maskz_permute_ps(0xffff, rows, 0x00), row(0), _mm512_setzero_ps());
  sum = _mm512_fmadd_ps(_mm512_maskz_permute_ps(0xffff, rows, 0x55), row(1), sum);
  sum = _mm512_fmadd_ps(_mm512_maskz_permute_ps(0xffff, rows, 0xaa), row(2), sum);
  sum = _mm512_fmadd_ps(_mm512_maskz_permute_ps(0xffff, rows, 0xff), row(3), sum);
  if constexpr (requires { epilogue.is_flat(4); })
    if (epilogue.is_flat(4)) return epilogue.template operator()<vector<float>>(i, 0, vector<float>(sum), 16);
  [&]<int... R>(std::integer_sequence<int, R...>) ETCH_INLINED {
    (epilogue.template operator()<vector<float>>(
         i + R, 0,
         vector<float>(_mm512_maskz_insertf32x4(0xffff, _mm512_setzero_ps(), _mm512_maskz_extractf32x4_ps(0xf, sum, R), 0)), 4),
     ...);
  }(std::make_integer_sequence<int, 4>{});
}
template <class T, index M, index N, index K>
inline constexpr bool has_four_rows = has_avx512 && std::is_same_v<T, float> && N == 4 && K == 4 && M > 0 && M % 4 == 0;
#endif

/// Columns from J on, in panels; the rows are known, too, and sums go from registers into the epilogue.
template <index M, index N, index K, index J, class T, class Epilogue>
ETCH_INLINE void small_panels(const matrix<T>& a, const matrix<T>& b, const Epilogue& epilogue) noexcept {
#if defined(__AVX512F__) && defined(__AVX512VL__)
  if constexpr (J == 0 && has_four_rows<T, M, N, K>) {
    if (a.column_stride == 1 && a.row_stride == 4) {
      for (index i = 0; i < M; i += 4) four_rows(a, b, i, epilogue);
      return;
    }
  }
#endif
  if constexpr (J < N) {
    constexpr index high = tile_shape<T>::rows;
    using shape = tile_shape<T>;
    constexpr index single_row = shape::has_32_registers && N - J >= 16 * lanes<T> ? 16 : shape::single_row_vectors;
    // In a template argument nvcc makes of it what g++ takes for no constant expression.
    constexpr index most = M == 1 ? single_row : shape::vectors;
    using panel_type = small_panel<T, N, J, most>;
    using V = typename panel_type::V;
    constexpr std::size_t vectors = panel_type::registers;
    const auto rows = [&]<std::size_t Rows>(index i) ETCH_INLINED {
      V sum[Rows][vectors];
      small_sums<K, panel_type::last>(a, b, i, J, sum);
      ETCH_UNROLL(16)
      for (std::size_t r = 0; r < Rows; ++r) {
        ETCH_UNROLL(16)
        for (std::size_t v = 0; v < vectors; ++v) {
          const int count = v + 1 == vectors ? panel_type::last : static_cast<int>(lanes<T>);
          epilogue.template operator()<vector<T>>(i + static_cast<index>(r), J + static_cast<index>(v) * lanes<T>,
                                                  panel_type::whole(sum[r][v]), count);
        }
      }
    };
    for (index i = 0; i + high <= M; i += high) rows.template operator()<static_cast<std::size_t>(high)>(i);
    if constexpr (M % high > 0) rows.template operator()<static_cast<std::size_t>(M % high)>(M - M % high);
    small_panels<M, N, K, J + panel_type::now.columns>(a, b, epilogue);
  }
}

/// The same for some rows, of which a begins with the first, by fours: a range of them is rows of the whole product where its first is a
/// multiple of 4. The epilogue reads the sums of a few rows from memory: one copy of its code per panel.
template <index N, index K, index J, class T, class Epilogue>
ETCH_INLINE void small_rows(product_shares::range some, matrix<T> a, matrix<T> b, const Epilogue& epilogue) noexcept {
  if constexpr (J < N) {
    using panel_type = small_panel<T, N, J, tile_shape<T>::vectors>;
    using V = typename panel_type::V;
    constexpr std::size_t vectors = panel_type::registers, most = 4;
    const index m = some.size();
    for (index i = 0; i < m;) {
      vector<T> sums[most][vectors];
      const auto rows = [&]<std::size_t Rows>() ETCH_INLINED {
        V sum[Rows][vectors];
        small_sums<K, panel_type::last>(a, b, i, J, sum);
        ETCH_UNROLL(16)
        for (std::size_t r = 0; r < Rows; ++r) {
          ETCH_UNROLL(16)
          for (std::size_t v = 0; v < vectors; ++v) sums[r][v] = panel_type::whole(sum[r][v]);
        }
      };
      const std::size_t count = m - i >= static_cast<index>(most) ? most : 1;
      if (count == most)
        rows.template operator()<most>();
      else
        rows.template operator()<1>();
      ETCH_UNROLL(1)
      for (std::size_t r = 0; r < count; ++r, ++i) {
        ETCH_UNROLL(16)
        for (std::size_t v = 0; v < vectors; ++v) {
          epilogue.template operator()<vector<T>>(some.first + i, J + static_cast<index>(v) * lanes<T>, sums[r][v],
                                                  v + 1 == vectors ? panel_type::last : static_cast<int>(lanes<T>));
        }
      }
    }
    small_rows<N, K, J + panel_type::now.columns>(some, a, b, epilogue);
  }
}

/// A register for sums of K terms: half of one where that is not filled.
template <class T, index K>
#if defined(__AVX512F__) && defined(__AVX512VL__)
using dot_vector = std::conditional_t<(K < lanes<T>), half_vector<T>, vector<T>>;
#else
using dot_vector = vector<T>;
#endif

template <class T, index K>
constexpr bool fills_dot_vector() {
  if constexpr (is_vectorised<T>)
    return K >= lanes_of<dot_vector<T, K>>;
  else
    return false;
}

/// K elements that lie behind one another: those at `from`, or a copy of them in `to`.
template <index K, class T>
ETCH_INLINE const T* in_a_row(const T* from, index stride, T (&to)[K]) noexcept {
  if (stride == 1) return from;
  for (index p = 0; p < K; ++p) to[p] = from[p * stride];
  return to;
}

/// Columns of one element, in registers along the sum, whose additions one by one wait for one another.
template <index M, index K, class T, class Epilogue>
ETCH_INLINE void small_dots(const matrix<T>& a, const matrix<T>& b, const Epilogue& epilogue) noexcept {
  using V = dot_vector<T, K>;
  constexpr index L = lanes_of<V>, whole = K / L, chains = minimum(whole, index{4});
  T right_copy[K], left_copy[K];
  const T* const right = in_a_row<K>(b.data, b.row_stride, right_copy);
  for (index i = 0; i < M; ++i) {
    const T* const left = in_a_row<K>(element(a, i, 0), a.column_stride, left_copy);
    const auto products = [&](index p, const V& sum) ETCH_INLINED {
      return simd::fma(V::load_unaligned(left + p * L), V::load_unaligned(right + p * L), sum);
    };
    V sum[chains];
    clear_row(sum);
    index p = 0;
    for (; p + chains <= whole; p += chains) {
      ETCH_UNROLL(4)
      for (index c = 0; c < chains; ++c) sum[c] = products(p + c, sum[c]);
    }
    ETCH_UNROLL(4)
    for (index c = 0; c < whole % chains; ++c) sum[c] = products(p + c, sum[c]);
    if constexpr (K % L > 0) {
      const part<V> rest(static_cast<int>(K % L));
      sum[chains - 1] = simd::fma(rest.load(left + whole * L), rest.load(right + whole * L), sum[chains - 1]);
    }
    ETCH_UNROLL(4)
    for (index c = 1; c < chains; ++c) sum[0] = sum[0] + sum[c];
    epilogue.template operator()<T>(i, 0, fold_lanes(sum[0], std::plus<>()), 1);
  }
}

template <index M, index N, index K, class T, class Epilogue>
ETCH_INLINE void small_scalars(const matrix<T>& a, const matrix<T>& b, const Epilogue& epilogue) noexcept {
  using S = typename accumulator<T>::type;
  ETCH_UNROLL(16)
  for (index i = 0; i < M; ++i) {
    ETCH_UNROLL(16)
    for (index j = 0; j < N; ++j) {
      S sum(0);
      ETCH_UNROLL(16)
      for (index p = 0; p < K; ++p) sum = math::fma(static_cast<S>(*element(a, i, p)), static_cast<S>(*element(b, p, j)), sum);
      epilogue.template operator()<T>(i, j, static_cast<T>(sum), 1);
    }
  }
}

}  // namespace etch::cpu::matmul_detail
