// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/blocked.hpp>
#include <etch/backend/cpu/matmul/cases.hpp>
#include <etch/backend/cpu/matmul/dot.hpp>
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

/// The same where operands are computed while they are packed: never 0. computed: which, by bit.
template <class T>
constexpr index packed_matmul_workspace(index m, index n, index k, bool is_deep, int computed) noexcept {
  return matmul_detail::blocked_workspace<T>(m, n, k, is_deep, computed);
}

namespace matmul_detail {

template <class T, product_cases Cases>
ETCH_INLINE void choose(index m, index n, index k, const matrix<T>& a, const matrix<T>& b, const product_team<T>& team,
                        const sink<T>& to) noexcept {
  if (Cases.contiguous_rows && b.column_stride == 1) {
    if constexpr (Cases.one_row)
      if (!Cases.many_rows || m == 1) return one_row(n, k, a, b, to, team.threads);
    if constexpr (Cases.many_rows) {
      const bool is_small = m <= block_shape<T>::rows && n * k <= 65536 && !packs_columns(m, n, k, b);
      if (is_small && (has_masked_loads || n % lanes<T> == 0)) return unblocked(m, n, k, a, b, to, team.threads);
    }
  } else if constexpr (Cases.other_rows) {
    if (b.row_stride == 1 && (m <= 4 || (m <= 64 && 8 * m <= k))) return dots(m, n, k, a, b, to, team.threads);
  }
  if constexpr (Cases.many_rows || Cases.other_rows) blocked(m, n, k, a, b, team, to);
}

template <class T, product_cases Cases>
ETCH_NOINLINE void product(index m, index n, index k, const matrix<T>& a, const matrix<T>& b, product_team<T> team,
                           const sink<T>& to, [[maybe_unused]] typename sink<T>::function give_columns) noexcept {
  if (m == 0 || n == 0) return;
  if constexpr (!Cases.many_rows) {
    if (k == 0) return one_row_of_tiles(n, k, a, b, to);
    // The only column, whatever its stride.
    if (Cases.few_columns && n == 1)
      return choose<T, product_cases{.many_rows = false, .other_rows = false}>(m, n, k, a, matrix<T>{b.data, b.row_stride, 1}, team,
                                                                               to);
  } else if (k == 0) {
    return unblocked(m, n, k, a, b, to);
  }
  if constexpr (Cases.many_rows || Cases.other_rows)
    if (blocked_workspace<T>(m, n, k, a.column_stride == 1) == 0) team.workspace = nullptr;
  if constexpr (Cases.many_rows && Cases.few_columns) {
    // Of a product with few columns most of a register would be idle: the transposed product has few rows instead.
    if (n <= 4 && m > n && (a.row_stride == 1 || (a.column_stride == 1 && k >= lanes<T>))) {
      const bool is_row = n == 1 && to.direct_row == 1 && to.stores_alone();
      return choose<T, product_cases{}>(n, m, k, transposed(b), transposed(a), team,
                                        sink<T>{to.epilogue, give_columns, is_row ? to.direct : nullptr, 0});
    }
    if (n == 1) return choose<T, product_cases{}>(m, n, k, a, matrix<T>{b.data, b.row_stride, 1}, team, to);
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

/// Of one row that is computed, and a second operand that is not: the bits of a row in memory, which takes other code than several. False where
/// the workspace has no room for it, or the product would pack the second operand there.
template <class T>
ETCH_NOINLINE bool product_of_computed_row(index n, index k, const matrix<T>& b, const packed_operands<T>& computed,
                                           const product_team<T>& team, const sink<T>& to) noexcept {
  if (k + 2 * block_shape<T>::line > blocked_workspace<T>(1, n, k, true, 1)) return false;
  if (n > 1 && b.column_stride != 1 && b.row_stride != 1) return false;
  T* const row = aligned(team.workspace_of(0));
  computed.left(0, 1, 0, k, round_up(k, lanes<T>), row);
  choose<T, product_cases{.many_rows = false, .few_columns = false}>(1, n, k, {row, 0, 1},
                                                                     n == 1 ? matrix<T>{b.data, b.row_stride, 1} : b, team, to);
  return true;
}

}  // namespace matmul_detail

/// `matmul` of operands of which one or both are computed; the strides of those are no matter. The team's workspaces:
/// packed_matmul_workspace<T>(m, n, k, a.column_stride == 1 or a is computed, which are).
template <class T, class Epilogue>
ETCH_INLINE void packed_matmul(index m, index n, index k, matrix<T> a, matrix<T> b, const packed_operands<T>& computed,
                               const product_team<T>& team, const Epilogue& epilogue) noexcept {
  if (m == 0 || n == 0) return;
  const matmul_detail::sink<T> to = matmul_detail::sink_of<T>(epilogue);
  if (k == 0) return matmul_detail::unblocked(m, n, k, a, b, to);
  if (m == 1 && computed.right.compute == nullptr && matmul_detail::product_of_computed_row(n, k, b, computed, team, to)) return;
  if (computed.left.compute != nullptr) a = {nullptr, 0, 1};
  if (computed.right.compute != nullptr) b = {nullptr, 0, 1};
  matmul_detail::blocked(m, n, k, a, b, team, to, computed);
}

/// The same for extents known to the compiler (m == M), as straight-line code without workspace; for M = -1 a loop over
/// rows of such code. `is_small_product` says where it serves.
template <index M, index N, index K, class T, class Epilogue>
ETCH_INLINE void matmul_small([[maybe_unused]] index m, matrix<T> a, matrix<T> b, const Epilogue& epilogue) noexcept {
  if constexpr (M < 0) {
    matmul_detail::small_rows<N, K, 0>(m, a, b, epilogue);
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
