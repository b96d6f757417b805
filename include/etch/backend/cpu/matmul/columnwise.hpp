// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/blocked.hpp>
#include <etch/backend/cpu/matmul/columnwise_tile.hpp>
#include <etch/backend/cpu/matmul/place_bounds.hpp>

/// A product whose columns both operands have: each column of the result is made of one column of either, so that vectors lie along
/// columns of both, and nothing is packed. Tiles find both operands by tables of offsets.
namespace etch::cpu {
namespace matmul_detail {

/// Elements of a worker's workspace: sums of rows that wait for what is summed next.
template <class T>
constexpr index columnwise_workspace(index m, index n, index k) noexcept {
  return k <= columnwise_shape<T>::depth ? 0
                                         : minimum(m, block_shape<T>::outer_rows) * round_up(n, lanes<T>) + block_shape<T>::line;
}

template <class T>
class columnwise_product {
  using shape = columnwise_shape<T>;
  using range = product_shares::range;
  static constexpr index L = lanes<T>;

 public:
  ETCH_INLINE columnwise_product(const grouped_matrix<T>& a, const grouped_matrix<T>& b, const place_bounds& bounds,
                                 const sink<T>& to) noexcept
      : a_(a), b_(b), bounds_(bounds), to_(to), k_(b.rows.size()) {
    for (int d = 0; d < bounds.count; ++d) {
      whole_rows_[d] = bounds.at[d].inside_with(bounds.at[d].inner);
      whole_inner_[d] = bounds.at[d].inside_with(bounds.at[d].rows);
    }
  }

  /// Those rows and columns; the range of columns begins at a multiple of a tile's.
  ETCH_NOINLINE void multiply(range rows, range columns, T* workspace) const noexcept {
    const index outer = k_ > shape::depth ? block_shape<T>::outer_rows : rows.last - rows.first;
    for (index i = rows.first; i < rows.last; i += outer)
      for (index p = 0; p == 0 || p < k_; p += shape::depth)
        add({i, minimum(rows.last - i, outer), columns.first, columns.last - columns.first, p, minimum(k_ - p, shape::depth)},
            workspace == nullptr ? nullptr : aligned(workspace));
  }

 private:
  /// Where tiles find both operands.
  struct table {
    index depth = 0;
    tile_step steps[shape::depth];
  };
  /// Places of rows and of what is summed, along the axes that are bounded.
  struct places {
    index rows[place_bounds::most][shape::block_rows], inner[place_bounds::most][shape::depth];
  };
  /// Whether sums begin at what is stored, and whether they are given or stored.
  struct stage {
    bool continues, gives;
  };

  ETCH_INLINE void add(const block_extent& e, T* partial) const noexcept {
    table all;
    all.depth = e.depth;
    if (e.depth > 0) {
      a_.columns.for_each_offset(e.p, e.depth, [&](index p, index offset) ETCH_INLINED { all.steps[p].a = offset; });
      b_.rows.for_each_offset(e.p, e.depth, [&](index p, index offset) ETCH_INLINED { all.steps[p].b = offset; });
    }
    const stage now{e.p > 0, e.p + e.depth == k_};
    if (bounds_.count == 0)
      add_rows(e, all, nullptr, now, partial);
    else
      add_bounded(e, all, now, partial);
  }
  ETCH_NOINLINE void add_bounded(const block_extent& e, const table& all, const stage& now, T* partial) const noexcept {
    places at;
    for (int k = 0; k < bounds_.count && e.depth > 0; ++k) bounds_.at[k].inner.offsets(e.p, e.depth, at.inner[k]);
    if (k_ <= shape::depth) return add_rows(e, all, &at, now, partial);
    // What is inside for all rows is summed for them together, then the rest of each. The same for each share of the rows.
    table whole, others;
    for (index p = 0; p < e.depth; ++p) {
      bool is_whole = true;
      for (int k = 0; k < bounds_.count; ++k) is_whole = is_whole && whole_inner_[k].has(at.inner[k][p]);
      table& to = is_whole ? whole : others;
      for (int k = 0; k < bounds_.count && !is_whole; ++k) at.inner[k][others.depth] = at.inner[k][p];
      to.steps[to.depth++] = all.steps[p];
    }
    add_rows(e, whole, nullptr, {now.continues, false}, partial);
    add_rows(e, others, &at, {true, now.gives}, partial);
  }
  ETCH_NOINLINE void add_rows(const block_extent& e, const table& of, places* at, const stage& now, T* partial) const noexcept {
    // Whole lines of places, where they fit: then few tiles are cut.
    const axis_group& lines = bounds_.count > 0 ? bounds_.at[bounds_.count - 1].rows : a_.rows;
    const index line = lines.extents[lines.count - 1];
    const index most = line <= shape::block_rows ? shape::block_rows / line * line : shape::block_rows;
    index row_offsets[shape::block_rows];
    for (index i = 0; i < e.rows; i += most) {
      const index rows = minimum(e.rows - i, most);
      a_.rows.offsets(e.i + i, rows, row_offsets);
      if (at == nullptr)
        add_alike(e, i, rows, of, row_offsets, now, partial);
      else
        add_by_places(e, i, rows, of, *at, row_offsets, now, partial);
    }
  }
  /// Rows in groups that have the same places inside.
  ETCH_NOINLINE void add_by_places(const block_extent& e, index first, index rows, const table& of, places& at,
                                   const index* row_offsets, const stage& now, T* partial) const noexcept {
    index is_whole[shape::block_rows];
    for (index i = 0; i < rows; ++i) is_whole[i] = 1;
    for (int k = 0; k < bounds_.count; ++k) {
      bounds_.at[k].rows.offsets(e.i + first, rows, at.rows[k]);
      const place_bounds::range whole = whole_rows_[k];
      for (index i = 0; i < rows; ++i)
        is_whole[i] &= static_cast<index>(at.rows[k][i] >= whole.least) & static_cast<index>(at.rows[k][i] <= whole.most);
    }
    for (index i = 0; i < rows;) {
      index next = i + 1;
      if (is_whole[i] != 0) {
        while (next < rows && is_whole[next] != 0) ++next;
        add_alike(e, first + i, next - i, of, row_offsets + i, now, partial);
      } else {
        while (next < rows && are_alike(at, i, next)) ++next;
        add_alike(e, first + i, next - i, those_inside(of, at, i), row_offsets + i, now, partial);
      }
      i = next;
    }
  }
  bool are_alike(const places& at, index row, index other) const noexcept {
    for (int k = 0; k < bounds_.count; ++k) {
      const index* const place = at.rows[k];
      if (place[row] != place[other] && !(whole_rows_[k].has(place[row]) && whole_rows_[k].has(place[other]))) return false;
    }
    return true;
  }
  table those_inside(const table& all, const places& at, index row) const noexcept {
    index own[place_bounds::most];
    const index* inner[place_bounds::most];
    for (int k = 0; k < bounds_.count; ++k) {
      own[k] = at.rows[k][row];
      inner[k] = at.inner[k];
    }
    table some;
    some.depth = bounds_.inside_of(own, inner, all.steps, all.depth, some.steps);
    return some;
  }

  /// Rows from `first` of a block on that sum the same places, in panels of columns: of short sums all that a tile's rows have is computed
  /// together, for then places are read in the order in which they lie. A part of a register ends where the columns do, if there are columns before
  /// it, which are then computed twice.
  ETCH_NOINLINE void add_alike(const block_extent& e, index first, index rows, const table& of, const index* row_offsets,
                               const stage& now, T* partial) const noexcept {
    constexpr index wide = shape::vectors * L, row_of_buffer = shape::panel + 2 * L;
    alignas(64) T buffer[shape::rows * row_of_buffer];
    const index most = of.depth <= shape::short_depth ? shape::panel : wide, start_row = round_up(e.columns, L);
    const bool is_direct = now.gives && to_.direct != nullptr;
    columnwise_task<T> task;
    task.depth = of.depth;
    task.steps = of.steps;
    task.start_row = start_row;
    for (index from = 0; from < e.columns; from += most) {
      const index to = minimum(from + most, e.columns), column = e.j + from;
      for (index i = 0; i < rows;) {
        const index row = e.i + first + i;
        const std::size_t height = rows - i >= shape::rows ? 3 : static_cast<std::size_t>(minimum(rows - i, index{3}) - 1);
        T* const own = partial == nullptr ? nullptr : partial + (first + i) * start_row + from;
        task.row_offsets = row_offsets + i;
        task.a = a_.data + column;
        task.b = b_.data + column;
        task.start = now.continues ? own : nullptr;
        task.out = now.gives ? buffer + L : own;
        task.out_row = now.gives ? row_of_buffer : start_row;
        if (is_direct) {
          task.out = to_.direct + row * to_.direct_row + column;
          task.out_row = to_.direct_row;
          task.added = to_.added == nullptr ? nullptr : to_.added + row * to_.added_row + column;
          task.added_row = to_.added_row;
          task.relu = to_.relu;
          task.high = to_.high;
        }
        index left = to - from;
        const auto whole = [&](index width, void (*tile)(const columnwise_task<T>&) noexcept) ETCH_INLINED {
          for (; left >= width; left -= width) {
            tile(task);
            task.a += width;
            task.b += width;
            task.out += width;
            if (task.start != nullptr) task.start += width;
            if (task.added != nullptr) task.added += width;
          }
        };
        // Single rows have more registers, so that sums do not wait for one another.
        if (height == 0) whole(shape::single_row_vectors * L, &columnwise_tile<T, 1, shape::single_row_vectors, false>);
        whole(wide, columnwise_tiles<T, shape::vectors, false>[height]);
        whole(L, columnwise_tiles<T, 1, false>[height]);
        if (left > 0) {
          const index again = e.j + to >= L ? L - left : 0;
          task.a -= again;
          task.b -= again;
          if (is_direct) {
            task.out = buffer + L;
            task.out_row = row_of_buffer;
            task.added = nullptr;
            task.relu = false;
            task.high = 0;
          }
          if (now.gives) task.out -= again;
          task.last = static_cast<int>(left);
          (again > 0 ? columnwise_tiles<T, 1, false> : columnwise_tiles<T, 1, true>)[height](task);
        }
        const index done = is_direct ? to - from - left : 0, tall = columnwise_heights<T>[height];
        if (now.gives && done < to - from)
          to_.give(to_.epilogue, row, column + done, tall, to - from - done, buffer + L, row_of_buffer);
        i += tall;
      }
    }
  }

  const grouped_matrix<T>&a_, &b_;
  const place_bounds& bounds_;
  const sink<T>& to_;
  const index k_;
  place_bounds::range whole_rows_[place_bounds::most], whole_inner_[place_bounds::most];
};

/// Columns of both operands have a stride of 1.
template <class T>
ETCH_NOINLINE void columnwise(const grouped_matrix<T>& a, const grouped_matrix<T>& b, const place_bounds& bounds,
                              const product_team<T>& team, const sink<T>& to) noexcept {
  using shape = columnwise_shape<T>;
  const index m = a.rows.size(), n = b.columns.size(), k = b.rows.size();
  if (m == 0 || n == 0) return;
  const columnwise_product<T> product(a, b, bounds, to);
  if (!is_shared(team.threads, m * n * k, true)) return product.multiply({0, m}, {0, n}, team.workspace);
  const product_shares shares = share_product(m, n, shape::rows, shape::vectors * lanes<T>, team.threads->workers(), 0, 0);
  run_tasks(*team.threads, shares.count(), [&](int task, int worker) {
    product.multiply(shares.rows_of(task), shares.columns_of(task), team.workspace_of(worker));
  });
}

}  // namespace matmul_detail
}  // namespace etch::cpu
