// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/blocked.hpp>
#include <etch/backend/cpu/matmul/cases.hpp>
#include <etch/backend/cpu/matmul/dot.hpp>
#include <etch/backend/cpu/matmul/several_rows.hpp>
#include <etch/backend/cpu/matmul/plain.hpp>
#include <etch/backend/cpu/matmul/small.hpp>

/// The matrix product (GEMM): own kernels on xsimd for float and double, plain loops for other types. No heap, no exceptions; the
/// same shapes and strides give the same bits, however many threads share it.
///
/// An epilogue takes each element of the product once, as pieces of a row, and stores it:
///   epilogue.template operator()<V>(i, j, V value, int count)   // columns j to j + count - 1 of row i
/// V is xsimd::batch<T> of the default architecture, of which the first `count` lanes hold, or T itself with count 1. Pieces come
/// in an unspecified order. Where it has `is_flat(n)` and that is true, rows of n elements lie behind one another in all that it
/// reads and writes, and one piece may run over several of them.
namespace etch::cpu {

/// The elements of T that `matmul` needs as workspace; 0 for small sizes. is_deep: whether a.column_stride is 1.
template <class T>
constexpr index matmul_workspace([[maybe_unused]] index m, [[maybe_unused]] index n, [[maybe_unused]] index k,
                                 [[maybe_unused]] bool is_deep) noexcept {
  if constexpr (matmul_detail::is_vectorised<T>) {
    return matmul_detail::blocked_workspace<T>(m, n, k, is_deep);
  } else {
    return 0;
  }
}

namespace matmul_detail {

/// Whether `unblocked` may serve: for rows of one block of a, and a b that is small.
template <class T>
constexpr bool may_be_unblocked(index m, index n, index k) noexcept {
  return m <= block_shape<T>::rows && n * k <= most_unblocked;
}
/// Whether it does, where rows of b are contiguous.
template <class T>
bool is_unblocked(index m, index n, index k, const matrix<T>& b) noexcept {
  return may_be_unblocked<T>(m, n, k) && (has_masked_loads || n % lanes<T> == 0) && !packs_columns(m, n, k, b);
}
/// Whether `dots` serves where columns of b are contiguous. Of more rows `blocked` packs b in less time than `dots` reads it from L2 for each
/// 4 of them, or 2 with 16 registers: 24 and 32 rows of 1000 x 1000 take 1.05 and 0.9 of the time of dots with AVX-512, 12, 16 and 32
/// rows 1.02, 0.88 and 0.7 with AVX2 (Sapphire Rapids).
template <class T>
constexpr bool has_dots(index m, index k) noexcept {
  constexpr index most = tile_shape<T>::has_32_registers ? 24 : 12;
  return m <= 4 || (m <= most && 8 * m <= k);
}

/// Of a product with few columns most of a register would be idle: the transposed product has few rows instead. It has dots where rows of a
/// are contiguous.
constexpr bool has_few_columns(index m, index n) noexcept { return n <= 4 && m > n; }
template <class T>
bool is_transposed(index m, index n, index k, const matrix<T>& a) noexcept {
  return has_few_columns(m, n) && (a.row_stride == 1 || (a.column_stride == 1 && k >= lanes<T>));
}
/// An only column is contiguous, whatever its stride.
template <class T>
matrix<T> only_column(const matrix<T>& b) noexcept {
  return {b.data, b.row_stride, 1};
}

template <class T, product_cases Cases>
ETCH_INLINE void choose(index m, index n, index k, const matrix<T>& a, const matrix<T>& b, const product_team<T>& team,
                        const sink<T>& to) noexcept {
  if (Cases.contiguous_rows && b.column_stride == 1) {
    if constexpr (Cases.one_row)
      if (!Cases.many_rows || m == 1) return one_row(n, k, a, b, to, team.threads);
    if constexpr (Cases.several_rows)
      if (has_several_rows(m, n, k)) return several_rows(m, n, k, a, b, to, team.threads);
    if constexpr (Cases.many_rows) {
      if (is_unblocked(m, n, k, b)) return unblocked(m, n, k, a, b, to, team.threads);
    }
  } else if constexpr (Cases.other_rows) {
    if (b.row_stride == 1 && has_dots<T>(m, k)) return dots(m, n, k, a, b, to, team.threads);
  }
  if constexpr (Cases.many_rows || Cases.other_rows) blocked(m, n, k, a, b, team, to);
}

template <class T, product_cases Cases>
ETCH_NOINLINE void product(index m, index n, index k, const matrix<T>& a, const matrix<T>& b, product_team<T> team,
                           const sink<T>& to, [[maybe_unused]] typename sink<T>::function give_columns) noexcept {
  if (m == 0 || n == 0) return;
  if constexpr (!Cases.many_rows) {
    if (k == 0) return one_row_of_tiles(n, k, a, b, to);
    if (Cases.few_columns && n == 1)
      return choose<T, product_cases{.many_rows = false, .several_rows = false, .other_rows = false}>(m, n, k, a, only_column(b),
                                                                                                      team, to);
  } else if (k == 0) {
    return unblocked(m, n, k, a, b, to);
  }
  if constexpr (Cases.many_rows || Cases.other_rows)
    if (blocked_workspace<T>(m, n, k, a.column_stride == 1) == 0) team.workspace = nullptr;
  if constexpr (Cases.many_rows && Cases.few_columns) {
    if (is_transposed(m, n, k, a)) {
      const bool is_row = n == 1 && to.direct_row == 1 && to.stores_alone();
      return choose<T, product_cases{}>(n, m, k, transposed(b), transposed(a), team,
                                        sink<T>{to.epilogue, give_columns, is_row ? to.direct : nullptr, 0});
    }
    if (n == 1) return choose<T, product_cases{}>(m, n, k, a, only_column(b), team, to);
  }
  choose<T, Cases>(m, n, k, a, b, team, to);
}

}  // namespace matmul_detail

/// Gives epilogue the m x n sums over p of a[i, p] * b[p, j]. k == 0 gives zeros. Sums are formed in an unspecified order; NaN and
/// infinities come out as in the plain sum.
/// The team's workspaces: matmul_workspace<T>(m, n, k, a.column_stride == 1) elements that overlap no operand; nullptr where that is 0.
template <product_cases Cases = product_cases{}, class T, class Epilogue>
ETCH_INLINE void matmul(index m, index n, index k, matrix<T> a, matrix<T> b, [[maybe_unused]] const product_team<T>& team,
                        const Epilogue& epilogue) noexcept {
  if constexpr (matmul_detail::is_vectorised<T>) {
    typename matmul_detail::sink<T>::function give_columns = nullptr;
    if constexpr (Cases.few_columns) give_columns = &matmul_detail::give_columns<T, Epilogue>;
    matmul_detail::product<T, Cases>(m, n, k, a, b, team, matmul_detail::sink_of<T>(epilogue), give_columns);
  } else {
    matmul_detail::plain_product<T>(m, n, k, a, b, epilogue);
  }
}

namespace matmul_detail {

/// Rows of a share: a multiple of those that `small_rows` takes at a time.
inline constexpr index small_rows_of_share = 1024;

template <index N, index K, class T, class Epilogue>
ETCH_INLINE void all_small_rows(index m, const matrix<T>& a, const matrix<T>& b, const Epilogue& epilogue,
                                executor* threads) noexcept {
  // Not as the only share: 64 x 4 takes 1.1 times as long.
  if (!is_shared(threads, m * N * K)) return small_rows<N, K, 0>({0, m}, a, b, epilogue);
  share_rows(threads, m * N * K, m, small_rows_of_share,
             [&](const product_shares::range& now, int) { small_rows<N, K, 0>(now, block(a, now.first, 0), b, epilogue); });
}

}  // namespace matmul_detail

/// `matmul` of extents known to the compiler (m == M), as straight-line code without workspace; for M = -1 a loop over
/// rows of such code, which threads share. `is_small_product` says where it serves.
template <index M, index N, index K, class T, class Epilogue>
ETCH_INLINE void matmul_small([[maybe_unused]] index m, matrix<T> a, matrix<T> b, const Epilogue& epilogue,
                              [[maybe_unused]] executor* threads = nullptr) noexcept {
  if constexpr (M < 0) {
    matmul_detail::all_small_rows<N, K>(m, a, b, epilogue, threads);
  } else if constexpr (N == 1 && matmul_detail::fills_dot_vector<T, K>()) {
    matmul_detail::small_dots<M, K>(a, b, epilogue);
  } else if constexpr (!matmul_detail::is_vectorised<T> || N == 1) {
    matmul_detail::small_scalars<M, N, K>(a, b, epilogue);
  } else if constexpr (M * N * K > 16 * 16 * 16) {
    matmul_detail::small_panels<M, N, K, 0>(a, b, epilogue);
  } else if (K == 0 || b.column_stride == 1) {
    matmul_detail::small_panels<M, N, K, 0>(a, b, epilogue);
  } else {
    T rows[K == 0 ? 1 : K][N];
    for (index p = 0; p < K; ++p) {
      for (index j = 0; j < N; ++j) rows[p][j] = *matmul_detail::element(b, p, j);
    }
    matmul_detail::small_panels<M, N, K, 0>(a, matrix<T>{rows[0], N, 1}, epilogue);
  }
}

}  // namespace etch::cpu
