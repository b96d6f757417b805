// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/product/matmul.hpp>

/// The matrix product of operands that have no memory of their own: what they are computed from is read while they are packed. Where the
/// same operands in memory would not be packed, blocks of a computed one are computed before they are multiplied, and then read as if they
/// lay in memory: so sums have the order, and the time, of the product of operands in memory. 4 x 700 x 60 with a transposed right operand
/// takes 0.21 of the time that packing it takes, 60 x 700 x 3 0.44 (Sapphire Rapids).
namespace etch::cpu {

namespace matmul_detail {

/// Elements of an operand that are computed before they are multiplied, at most: 1 MiB of floats for each worker.
inline constexpr index most_computed = 1 << 18;
/// Rows of a left operand that are computed at a time, where the product has few columns or the compiler knows all but its rows: one block
/// of `dots_between`. And so many at least, where `dots_between` copies the few columns each time.
inline constexpr index computed_rows = 64, least_computed_rows = 16;

/// Elements of so many computed rows, which `aligned` may begin a line later. A register behind the last is written as well.
template <class T>
constexpr index computed_size(index rows, index row) noexcept {
  return rows * row + 2 * block_shape<T>::line;
}
/// How many of m rows are computed at a time: a multiple of `dot_columns` or all, and 0 where they would be too few.
constexpr index rows_at_a_time(index m, index k, index most, index least) noexcept {
  const index all = minimum(m, most), some = m * k <= most_computed ? all : most_computed / k / dot_columns * dot_columns;
  return some < minimum(m, least) ? 0 : minimum(some, all);
}
constexpr index rows_of_few_columns(index m, index n, index k) noexcept {
  return rows_at_a_time(m, k, computed_rows, n == 1 ? dot_columns : least_computed_rows);
}
/// Whether all of a left operand is computed before.
template <class T>
constexpr bool may_compute_left(index m, index n, index k) noexcept {
  return m * k <= most_computed && (m == 1 || has_several_rows(m, n, k) || may_be_unblocked<T>(m, n, k));
}
/// The same of a right one. Not for one row, for which it would be written for one use.
template <class T>
constexpr bool may_compute_right(index m, index n, index k) noexcept {
  return m > 1 && n * k <= most_computed && (has_few_columns(m, n) || has_several_rows(m, n, k) || may_be_unblocked<T>(m, n, k));
}

/// Elements for rows of a left operand: of the largest number of them that are computed at a time.
template <class T>
constexpr index computed_left_size(index m, index n, index k) noexcept {
  index rows = may_compute_left<T>(m, n, k) ? m : 0;
  const auto add = [&](index some) { rows = some > rows ? some : rows; };
  if (has_few_columns(m, n)) add(rows_of_few_columns(m, n, k));
  if (has_dots<T>(m, k)) add(rows_at_a_time(m, k, m, dot_columns));
  const index size = rows * round_up(k, lanes<T>), small = minimum(m * k, most_small_left);
  return computed_size<T>(1, size > small ? size : small);
}

/// Operands of which the left one is computed, and the right one lies in memory: false where `blocked` computes it.
template <class T>
bool product_of_computed_rows(index m, index n, index k, const matrix<T>& b, const packed_operand<T>& left,
                              const product_team<T>& team, const sink<T>& to, typename sink<T>::function give_columns) noexcept {
  const index row = round_up(k, lanes<T>);
  const auto rows = [&](index i, index count, int worker) {
    T* const computed = aligned(team.workspace_of(worker));
    left(i, count, 0, k, row, computed);
    return matrix<T>{computed, row, 1};
  };
  if (is_transposed(m, n, k, matrix<T>{nullptr, k, 1})) {
    const index some = rows_of_few_columns(m, n, k);
    if (some == 0) return false;
    const sink<T> flipped{to.epilogue, give_columns, nullptr, 0};
    share_rows(team.threads, 4 * m * k, m, some, [&](const product_shares::range& now, int worker) {
      dots_between({0, n}, now, k, transposed(b), transposed(rows(now.first, now.size(), worker)), flipped);
    });
    return true;
  }
  if (b.column_stride != 1) {
    const index some = rows_at_a_time(m, k, m, dot_columns);
    if (b.row_stride != 1 || !has_dots<T>(m, k) || some == 0) return false;
    for (index i = 0; i < m; i += some) {
      const index count = minimum(m - i, some);
      const matrix<T> a = rows(i, count, 0);
      share_columns(team.threads, count * n * k, n, dot_columns, 1,
                    [&](index from, index past) { dots_between({i, i + count}, {from, past}, k, a, block(b, 0, from), to); });
    }
    return true;
  }
  if (!may_compute_left<T>(m, n, k) || (m > 1 && !has_several_rows(m, n, k) && !is_unblocked(m, n, k, b))) return false;
  const matrix<T> a = rows(0, m, 0);
  choose<T, product_cases{.other_rows = false}>(m, n, k, a, b, team, to);
  return true;
}

/// All of a right operand, and what is left of the workspaces behind it.
template <class T>
matrix<T> computed_right(index n, index k, const packed_operand<T>& right, product_team<T>& team) noexcept {
  T* const to = aligned(team.workspace);
  right(0, k, 0, n, n, to);
  team.workspace += computed_size<T>(k, n);
  return {to, n, 1};
}

template <class T>
ETCH_NOINLINE void packed_product(index m, index n, index k, matrix<T> a, matrix<T> b, packed_operands<T> computed,
                                  product_team<T> team, const sink<T>& to, typename sink<T>::function give_columns) noexcept {
  if (k == 0) return unblocked(m, n, k, a, b, to);
  const bool is_left = computed.left.compute != nullptr;
  if (is_left) a = {nullptr, k, 1};
  if (computed.right.compute != nullptr) {
    b = {nullptr, n, 1};
    // Not where the left one is computed by `blocked` all the same, behind which there is no workspace.
    const bool fits = is_transposed(m, n, k, a)
                          ? !is_left || rows_of_few_columns(m, n, k) > 0
                          : (has_several_rows(m, n, k) || is_unblocked(m, n, k, b)) && (!is_left || may_compute_left<T>(m, n, k));
    if (fits && may_compute_right<T>(m, n, k)) {
      b = computed_right(n, k, computed.right, team);
      computed.right = {};
      if (!is_left) return product<T, product_cases{}>(m, n, k, a, b, team, to, give_columns);
    }
  }
  if (n == 1) b = only_column(b);
  if (computed.right.compute == nullptr && product_of_computed_rows(m, n, k, b, computed.left, team, to, give_columns)) return;
  blocked(m, n, k, a, b, team, to, computed);
}

}  // namespace matmul_detail

/// The elements of T that `packed_matmul` needs as workspace, never 0. is_deep: whether a.column_stride is 1, or a is computed. computed:
/// which operands are, by bit.
template <class T>
constexpr index packed_matmul_workspace(index m, index n, index k, bool is_deep, int computed) noexcept {
  const index packed = matmul_detail::blocked_workspace<T>(m, n, k, is_deep, true, m == 1);
  index whole = (computed & 1) == 0 ? matmul_workspace<T>(m, n, k, is_deep) : matmul_detail::computed_left_size<T>(m, n, k);
  if ((computed & 2) != 0) whole = matmul_detail::may_compute_right<T>(m, n, k) ? whole + matmul_detail::computed_size<T>(k, n) : 0;
  return packed > whole ? packed : whole;
}

/// `matmul` of operands of which one or both are computed; the strides of those are no matter. The team's workspaces:
/// packed_matmul_workspace elements.
/// Sums have the order that they have of operands in memory where no computed one has more than `most_computed` elements, nor the right one
/// is computed for one row.
template <bool MayHaveFewColumns = true, class T, class Epilogue>
ETCH_INLINE void packed_matmul(index m, index n, index k, matrix<T> a, matrix<T> b, const packed_operands<T>& computed,
                               const product_team<T>& team, const Epilogue& epilogue) noexcept {
  if (m == 0 || n == 0) return;
  typename matmul_detail::sink<T>::function give_columns = nullptr;
  if constexpr (MayHaveFewColumns) give_columns = &matmul_detail::give_columns<T, Epilogue>;
  matmul_detail::packed_product<T>(m, n, k, a, b, computed, team, matmul_detail::sink_of<T>(epilogue), give_columns);
}

/// `matmul_small` of such operands: more than one row, where the right one is computed. The team's workspaces: as `packed_matmul`.
template <index M, index N, index K, class T, class Epilogue>
ETCH_INLINE void packed_matmul_small(index m, matrix<T> a, matrix<T> b, const packed_operands<T>& computed, product_team<T> team,
                                     const Epilogue& epilogue) noexcept {
  if (computed.right.compute != nullptr) b = matmul_detail::computed_right(N, K, computed.right, team);
  if (computed.left.compute == nullptr) return matmul_small<M, N, K>(m, a, b, epilogue, team.threads);
  if constexpr (M < 0) {
    constexpr index some = matmul_detail::computed_rows;
    static_assert(some * K <= most_small_left);
    matmul_detail::share_rows(team.threads, m * N * K, m, some, [&](const matmul_detail::product_shares::range& now, int worker) {
      T* const rows = matmul_detail::aligned(team.workspace_of(worker));
      computed.left(now.first, now.size(), 0, K, K, rows);
      matmul_detail::small_rows<N, K, 0>(now, {rows, K, 1}, b, epilogue);
    });
  } else {
    static_assert(M * K <= most_small_left);
    T* const rows = matmul_detail::aligned(team.workspace);
    computed.left(0, M, 0, K, K, rows);
    matmul_small<M, N, K>(M, {rows, K, 1}, b, epilogue);
  }
}

}  // namespace etch::cpu
