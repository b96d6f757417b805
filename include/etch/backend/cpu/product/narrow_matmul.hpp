// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/blocked.hpp>
#include <etch/backend/cpu/matmul/pair_dot.hpp>
#include <etch/backend/cpu/matmul/plain.hpp>
#include <etch/backend/cpu/matmul/word_rows.hpp>

/// The product of matrices whose elements are narrower than the sums of their products: bytes, with sums in int32. Elements that
/// are adjacent along the inner axis are one word of the size of a sum, and the product is one of words, in the blocks, panels and
/// tiles of those of float.
namespace etch::cpu {

namespace matmul_detail {

/// Takes sums that lack a number for each row.
template <class T>
struct corrected_sums {
  const sink<T>& to;
  const T* corrections;

  sink<T> taking() const noexcept { return {this, &give, nullptr, 0}; }

 private:
  static void give(const void* from, index i, index j, index rows, index columns, const T* sums, index row) noexcept {
    const corrected_sums& c = *static_cast<const corrected_sums*>(from);
    using V = vector<T>;
    constexpr index L = lanes<T>;
    alignas(64) T corrected[tile_shape<T>::elements];
    const index width = round_up(columns, L);
    for (index r = 0; r < rows; ++r) {
      const V correction(c.corrections[i + r]);
      for (index v = 0; v < width; v += L)
        (V::load_unaligned(sums + r * row + v) + correction).store_unaligned(corrected + r * width + v);
    }
    c.to.give(c.to.epilogue, i, j, rows, columns, corrected, width);
  }
};

#if defined(__SSE2__)
template <class Dot>
ETCH_NOINLINE void blocked_words(index m, index n, index k, const left_words<Dot>& left, const right_words<Dot>& right,
                                 product_team<typename Dot::sum_type> team, sink<typename Dot::sum_type> to) noexcept {
  using T = typename Dot::sum_type;
  T* const corrections = team.workspace;
  corrected_sums<T> corrected{to, corrections};
  if constexpr (Dot::moves_right) {
    for (index i = 0; i < m; ++i) corrections[i] = Dot::correction_of(left.sum_of_row(i));
    team.workspace += round_up(m, block_shape<T>::line);
  }
  const matrix<T> none{nullptr, 0, 1};
  blocked<Dot>(m, n, divide_up(k, Dot::group), none, none, team, Dot::moves_right ? corrected.taking() : to,
               {left.packed(), right.packed()});
}

template <class Dot>
ETCH_NOINLINE void words_along(index m, index n, index k, const left_words<Dot>& left, const matrix<typename Dot::right_type>& b,
                               const product_team<typename Dot::sum_type>& team, const sink<typename Dot::sum_type>& to) noexcept {
  using along = along_columns<Dot>;
  const few_rows<Dot> a(left, m, k, team.workspace);
  const along all{a, b, n, k};
  share_columns(team.threads, m * n * k, n, along::columns, 1, [&](index first, index past) { all.run(first, past, to); });
}
template <class Dot>
ETCH_NOINLINE void words_across(index m, index n, index k, const left_words<Dot>& left, const matrix<typename Dot::right_type>& b,
                                const product_team<typename Dot::sum_type>& team, const sink<typename Dot::sum_type>& to) noexcept {
  using across = across_columns<Dot>;
  const few_rows<Dot> a(left, m, k, team.workspace);
  const across all{a, b, n, k, team.workspace + m * a.width};
  share_columns(team.threads, m * n * k, n, across::strip, page_columns<typename Dot::right_type>,
                [&](index first, index past) { all.run(first / across::strip, divide_up(past, across::strip), to); });
}

template <class Dot>
ETCH_NOINLINE void product_of_words(index m, index n, index k, const grouped_matrix<typename Dot::left_type>& a,
                                    const matrix<typename Dot::right_type>& b, const product_team<typename Dot::sum_type>& team,
                                    const sink<typename Dot::sum_type>& to,
                                    typename sink<typename Dot::sum_type>::function give_columns) noexcept {
  const left_words<Dot> left(a, k);
  if (b.row_stride == 1 && m <= (k < 256 ? most_few_rows / 2 : most_few_rows)) return words_along<Dot>(m, n, k, left, b, team, to);
  if (b.column_stride == 1 && m <= most_rows_across) return words_across<Dot>(m, n, k, left, b, team, to);
  if (n <= most_few_columns && a.rows.count == 1 && a.columns.strides[0] == 1) {
    // Of a product with few columns most of a register would be idle: the transposed product has few rows instead.
    using other = typename Dot::swapped;
    const grouped_matrix<typename other::left_type> rows = grouped(transposed(b), n, k);
    const matrix<typename other::right_type> columns{a.data, 1, a.rows.strides[0]};
    return words_along<other>(n, m, k, left_words<other>(rows, k), columns, team, {to.epilogue, give_columns, nullptr, 0});
  }
  blocked_words<Dot>(m, n, k, left, right_words<Dot>(b, k), team, to);
}
#endif

}  // namespace matmul_detail

/// The words that `narrow_matmul` needs as workspace for operands of which `group` elements are a word of four bytes: the blocks of words are
/// those of float.
constexpr index narrow_matmul_workspace(index m, index n, index k, index group) noexcept {
  constexpr index L = matmul_detail::lanes<float>;
  const index terms = matmul_detail::divide_up(k, group), words = matmul_detail::round_up(terms, L);
  // Blocks of more terms may be less deep, and take less.
  const auto blocks = [&](index of) { return matmul_detail::blocked_workspace<float>(m, n, of, true, true, true); };
  const index blocked = (blocks(terms) > blocks(words) ? blocks(terms) : blocks(words)) +
                        matmul_detail::round_up(m, matmul_detail::block_shape<float>::line);
  index rows = m > matmul_detail::most_few_rows ? 0 : m * words;
  if (m <= matmul_detail::most_rows_across) rows += m * matmul_detail::round_up(n, L * group);
  if (n <= matmul_detail::most_few_columns && rows < n * words) rows = n * words;
  return blocked > rows ? blocked : rows;
}

namespace detail {
/// How products of such operands and their sums are made.
template <class Left, class Right, class Sum>
struct dot_of;
template <class Left, class Right>
  requires(sizeof(Left) == 1 && sizeof(Right) == 1)
struct dot_of<Left, Right, std::int32_t> {
  using type = matmul_detail::byte_dot<Left, Right>;
};
template <>
struct dot_of<bfloat16, bfloat16, float> {
  using type = matmul_detail::pair_dot;
};
}  // namespace detail

/// Gives epilogue, as `matmul` does, the sums over p of a[i, p] * b[p, j] as Dot makes them. a.columns: one axis.
/// The team's workspaces: narrow_matmul_workspace elements that overlap no operand.
template <class Dot, class Epilogue>
void narrow_matmul(index m, index n, index k, const grouped_matrix<typename Dot::left_type>& a,
                   const matrix<typename Dot::right_type>& b, [[maybe_unused]] const product_team<typename Dot::sum_type>& team,
                   const Epilogue& epilogue) noexcept {
  using T = typename Dot::sum_type;
  if (m == 0 || n == 0) return;
#if defined(__SSE2__)
  if constexpr (Dot::is_available) {
    if (k > 0)
      return matmul_detail::product_of_words<Dot>(m, n, k, a, b, team, matmul_detail::sink_of<T>(epilogue),
                                                  &matmul_detail::give_columns<T, Epilogue>);
  }
#endif
  matmul_detail::plain_product<T>(m, n, k, a, matmul_detail::grouped(b, k, n), epilogue);
}

}  // namespace etch::cpu
