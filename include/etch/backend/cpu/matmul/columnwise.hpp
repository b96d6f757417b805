// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/axis_group.hpp>
#include <etch/backend/cpu/matmul/blocked.hpp>
#include <etch/backend/cpu/matmul/plain.hpp>

/// A product whose columns both operands have: each column of the result is made of one column of either, so that vectors lie along
/// columns of both, and nothing is packed. Tiles find both operands by tables of offsets.
namespace etch::cpu::matmul_detail {

/// Sums for some rows and some registers of columns: out[i] = start[i] + sum over p of a[row_offsets[i] + a_offsets[p]] * b[b_offsets[p]].
template <class T>
struct columnwise_task {
  index depth;
  const T *a, *b;
  const index *row_offsets, *a_offsets, *b_offsets;
  const T* start;  ///< nullptr: zeros
  T* out;
  index start_row, out_row;
  int last;  ///< lanes in use, where a tile has part of a register
};

template <class T>
struct columnwise_shape {
  /// Rows of a tile, each of which loads the register of b that all share. 9, for windows of 3 x 3 are 9 rows of a kernel's gradient.
  static constexpr index rows = tile_shape<T>::has_32_registers ? 9 : 5;
  static constexpr index vectors = 2;
  /// What is summed at a time, by tables on the stack. What so many places of windows need stays in L2 for the next columns.
  static constexpr index depth = 512;
  /// Rows whose places in the image stay in L1 for as many registers as a tile has.
  static constexpr index block_rows = 96;
};

template <class T, std::size_t Rows, std::size_t Vectors, bool IsPart>
ETCH_NOINLINE void columnwise_tile(const columnwise_task<T>& task) noexcept {
  using V = vector<T>;
  static_assert(!IsPart || Vectors == 1);
  const part<V> last(IsPart ? task.last : static_cast<int>(lanes<T>));
  const auto load = [&](const T* from) ETCH_INLINED {
    if constexpr (IsPart)
      return last.load(from);
    else
      return V::load_unaligned(from);
  };
  V sum[Rows][Vectors];
  const T* a[Rows];
  ETCH_UNROLL(16)
  for (std::size_t i = 0; i < Rows; ++i) {
    clear_row(sum[i]);
    a[i] = task.a + task.row_offsets[i];
  }
  for (index p = 0; p < task.depth; ++p) {
    const T* const b = task.b + task.b_offsets[p];
    const index at = task.a_offsets[p];
    V right[Vectors];
    ETCH_UNROLL(16)
    for (std::size_t v = 0; v < Vectors; ++v) right[v] = load(b + static_cast<index>(v) * lanes<T>);
    ETCH_UNROLL(16)
    for (std::size_t i = 0; i < Rows; ++i) {
      ETCH_UNROLL(16)
      for (std::size_t v = 0; v < Vectors; ++v)
        sum[i][v] = simd::fma(load(a[i] + at + static_cast<index>(v) * lanes<T>), right[v], sum[i][v]);
    }
  }
  ETCH_UNROLL(16)
  for (std::size_t i = 0; i < Rows; ++i) {
    const auto row = static_cast<index>(i);
    if (task.start != nullptr) add_stored_row(sum[i], task.start + row * task.start_row);
    store_row(task.out + row * task.out_row, sum[i]);
  }
}

/// By rows: 1, 3, as many as a tile has.
template <class T, std::size_t Vectors, bool IsPart>
inline constexpr std::array<void (*)(const columnwise_task<T>&) noexcept, 3> columnwise_tiles = {
    &columnwise_tile<T, 1, Vectors, IsPart>, &columnwise_tile<T, 3, Vectors, IsPart>,
    &columnwise_tile<T, static_cast<std::size_t>(columnwise_shape<T>::rows), Vectors, IsPart>};

/// Elements of a worker's workspace: sums of rows that wait for what is summed next.
template <class T>
constexpr index columnwise_workspace(index m, index n, index k) noexcept {
  return k <= columnwise_shape<T>::depth ? 0 : minimum(m, block_shape<T>::outer_rows) * round_up(n, lanes<T>) + block_shape<T>::line;
}

template <class T>
class columnwise_product {
  using shape = columnwise_shape<T>;
  using range = product_shares::range;
  static constexpr index L = lanes<T>;

 public:
  ETCH_INLINE columnwise_product(const grouped_matrix<T>& a, const grouped_matrix<T>& b, const sink<T>& to) noexcept
      : a_(a), b_(b), to_(to), n_(b.columns.size()), k_(b.rows.size()) {}

  /// Those rows and columns; the range of columns begins at a multiple of a tile's.
  ETCH_NOINLINE void multiply(range rows, range columns, T* workspace) const noexcept {
    const index outer = k_ > shape::depth ? block_shape<T>::outer_rows : rows.last - rows.first;
    for (index i = rows.first; i < rows.last; i += outer)
      for (index p = 0; p == 0 || p < k_; p += shape::depth)
        add({i, minimum(rows.last - i, outer), columns.first, columns.last - columns.first, p, minimum(k_ - p, shape::depth)},
            workspace == nullptr ? nullptr : aligned(workspace));
  }

 private:
  ETCH_INLINE void add(const block_extent& e, T* partial) const noexcept {
    index a_offsets[shape::depth], b_offsets[shape::depth], row_offsets[shape::block_rows];
    if (e.depth > 0) {
      a_.columns.offsets(e.p, e.depth, a_offsets);
      b_.rows.offsets(e.p, e.depth, b_offsets);
    }
    columnwise_task<T> task;
    task.depth = e.depth;
    task.a_offsets = a_offsets;
    task.b_offsets = b_offsets;
    const index row = round_up(e.columns, L);
    task.start_row = row;
    for (index i = 0; i < e.rows; i += shape::block_rows) {
      const index rows = minimum(e.rows - i, shape::block_rows);
      a_.rows.offsets(e.i + i, rows, row_offsets);
      for (index j = 0; j < e.columns;) {
        const index left = e.columns - j, width = left >= shape::vectors * L ? shape::vectors * L : minimum(left, L);
        T* const sums = k_ > shape::depth ? partial + i * row + j : nullptr;
        add_columns(task, e, {i, rows, j, width, 0, 0}, row_offsets, sums);
        j += width;
      }
    }
  }
  /// Columns [now.j, now.j + now.columns) of rows whose offsets are known. A part of a register ends where the columns do, where there
  /// are columns before it, which are then computed twice.
  ETCH_INLINE void add_columns(columnwise_task<T>& task, const block_extent& e, const block_extent& now, const index* row_offsets,
                               T* sums) const noexcept {
    alignas(64) T buffer[(shape::rows + 1) * shape::vectors * L];
    const index j = e.j + now.j, again = now.columns < L && j + now.columns >= L ? L - now.columns : 0;
    const bool is_part = now.columns < L && again == 0, is_last = e.p + e.depth == k_;
    const bool is_direct = is_last && to_.direct != nullptr && now.columns >= L;
    task.a = a_.data + (j - again);
    task.b = b_.data + (j - again);
    task.last = static_cast<int>(now.columns);
    for (index i = 0; i < now.rows;) {
      const index left = now.rows - i;
      const std::size_t height = left >= shape::rows ? 2 : left >= 3 ? 1 : 0;
      const index rows = height == 2 ? shape::rows : height == 1 ? 3 : 1;
      task.row_offsets = row_offsets + i;
      task.start = e.p == 0 ? nullptr : sums + i * task.start_row;
      task.out = is_direct ? to_.direct + (e.i + now.i + i) * to_.direct_row + j : is_last ? buffer : sums + i * task.start_row;
      task.out_row = is_direct ? to_.direct_row : is_last ? shape::vectors * L : task.start_row;
      (is_part ? columnwise_tiles<T, 1, true> : now.columns > L ? columnwise_tiles<T, 2, false> : columnwise_tiles<T, 1, false>)
          [height](task);
      if (is_last && !is_direct)
        to_.give(to_.epilogue, e.i + now.i + i, j, rows, now.columns, buffer + again, shape::vectors * L);
      i += rows;
    }
  }

  const grouped_matrix<T>&a_, &b_;
  const sink<T>& to_;
  const index n_, k_;
};

/// For types that have no SIMD path here.
template <class T, class Epilogue>
ETCH_NOINLINE void plain_columnwise(const grouped_matrix<T>& a, const grouped_matrix<T>& b, const Epilogue& epilogue) noexcept {
  using S = typename accumulator<T>::type;
  const index m = a.rows.size(), n = b.columns.size(), k = b.rows.size();
  for (index i = 0; i < m; ++i) {
    for (index j = 0; j < n; ++j) {
      S sum(0);
      for (index p = 0; p < k; ++p) sum += static_cast<S>(element(a, i, p)[j]) * static_cast<S>(element(b, p, j)[0]);
      epilogue.template operator()<T>(i, j, static_cast<T>(sum), 1);
    }
  }
}

/// Columns of both operands lie side by side.
template <class T>
ETCH_NOINLINE void columnwise(const grouped_matrix<T>& a, const grouped_matrix<T>& b, const product_team<T>& team,
                              const sink<T>& to) noexcept {
  using shape = columnwise_shape<T>;
  const index m = a.rows.size(), n = b.columns.size(), k = b.rows.size();
  if (m == 0 || n == 0) return;
  const columnwise_product<T> product(a, b, to);
  if (!is_shared(team.threads, m * n * k)) return product.multiply({0, m}, {0, n}, team.workspace);
  // Some tasks for each worker: by rows, and by columns where there are few rows.
  constexpr index width = shape::vectors * lanes<T>;
  const index wanted = 4 * team.threads->workers(), tiles = divide_up(m, shape::rows), blocks = divide_up(n, width);
  const index row_shares = minimum(tiles, wanted), column_shares = minimum(blocks, divide_up(wanted, row_shares));
  run_tasks(*team.threads, static_cast<int>(row_shares * column_shares), [&](int task, int worker) {
    const product_shares::range rows = product_shares::part(task % row_shares, row_shares, tiles);
    const product_shares::range columns = product_shares::part(task / row_shares, column_shares, blocks);
    product.multiply({rows.first * shape::rows, minimum(m, rows.last * shape::rows)},
                     {columns.first * width, minimum(n, columns.last * width)}, team.workspace_of(worker));
  });
}

}  // namespace etch::cpu::matmul_detail
