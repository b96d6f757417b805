// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/amx.hpp>
#include <etch/backend/cpu/matmul/block_sizes.hpp>
#include <etch/backend/cpu/matmul/micro_kernel.hpp>
#include <etch/backend/cpu/matmul/pack.hpp>
#include <etch/backend/cpu/matmul/sink.hpp>

/// The matrix product (GEMM) as loops over tiles: cache blocking, and packing of operands where their layout is slow.
namespace etch::cpu::matmul_detail {

/// Lines of memory that tiles of a panel prefetch, one after the other: each as many as it is deep.
struct wanted_streams {
  static constexpr int most = 12;
  int count = 0;
  stream at[most];  ///< read up to `count`: most panels want nothing

  void add(stream s) noexcept {
    if (count < most) at[count++] = s;
  }
};

#if defined(ETCH_CPU_HAS_AMX)
/// So many rows of a panel as AMX, whose registers are laid out, takes, 32 and 16 at a time, of `rows`, whose number is returned; the task and i go on behind them.
template <class Dot, class T>
ETCH_NOINLINE index multiply_panel_by_amx(tile_task<T>& task, index rows, const panel& of, index& i, index j, bool give,
                                          const sink<T>& to) noexcept {
  using V = vector<T>;
  constexpr index L = lanes<T>;
  static_assert(16 % tile_shape<T>::rows == 0);
  alignas(64) T sums[amx_rows * 2 * L];
  const part<V> last(task.last);
  const index width = of.registers * L;
  index done = 0;
  for (; rows - done >= 16;) {
    const bool two_rows = rows - done >= amx_rows, two_columns = of.registers == 2;
    const index height = two_rows ? amx_rows : 16;
    const bool finishes = give || task.is_out_exact;
    T* const out = finishes ? sums : task.out;
    const index out_row = finishes ? width : task.out_row;
    if (two_rows)
      two_columns ? amx_tile<Dot::amx, true, true>(task, out, out_row) : amx_tile<Dot::amx, true, false>(task, out, out_row);
    else
      two_columns ? amx_tile<Dot::amx, false, true>(task, out, out_row) : amx_tile<Dot::amx, false, false>(task, out, out_row);
    if (give) {
      for (index r = 0; r < height; r += tile_shape<T>::rows)
        to.give(to.epilogue, i + r, j, tile_shape<T>::rows, of.columns, sums + r * width, width);
    } else if (finishes) {
      for (index r = 0; r < height; ++r)
        for (index v = 0; v < of.registers; ++v) {
          V x = V::load_aligned(sums + r * width + v * L);
          if (task.added != nullptr) x = x + V::load_unaligned(task.added + r * task.added_row + v * L);
          if (task.relu) x = simd::maximum(x, V(T(0)));
          T* const at = task.out + r * task.out_row + v * L;
          if (v + 1 < of.registers)
            x.store_unaligned(at);
          else
            last.store(at, x);
        }
    }
    if (!give) task.out += height * task.out_row;
    task.a += height * task.a_row;
    if (task.start != nullptr) task.start += height * task.start_row;
    if (task.added != nullptr) task.added += height * task.added_row;
    i += height;
    done += height;
  }
  return done;
}
#endif

/// One panel of b times all rows of a block of a. i, j: where the product lies in the whole one.
/// ahead: what its tiles prefetch.
/// finish: whether these are the last p, and the sums go to `to`; otherwise they go to task.out. packed: whether task.a are tiles, as
/// `pack_tiles` makes them.
template <class Dot = multiply_add, bool IsIndirect = false, class T>
ETCH_INLINE void multiply_panel(tile_task<T>& task, index rows, const panel& of, index i, index j, bool finish, const sink<T>& to,
                                bool packed = false, const wanted_streams& ahead = {}) noexcept {
  constexpr index L = lanes<T>;
  alignas(64) T sums[tile_shape<T>::elements];
  task.last = static_cast<int>(of.columns - (of.registers - 1) * L);
  task.is_out_exact = finish && to.direct != nullptr && to.high == 0 && ((has_avx512 && to.added == nullptr) || task.last == L);
  const bool give = finish && !task.is_out_exact;
  if (task.is_out_exact) {
    task.out = to.direct + i * to.direct_row + j;
    task.out_row = to.direct_row;
    task.relu = to.relu;
    if (to.added != nullptr) {
      task.added = to.added + i * to.added_row + j;
      task.added_row = to.added_row;
    }
  } else if (finish) {
    task.out = sums;
    task.out_row = of.registers * L;
  }
  const T* const a = task.a;
  const index* const row_offsets = task.row_offsets;
#if defined(ETCH_CPU_HAS_AMX)
  if constexpr (Dot::takes_words)
    if (rows >= 16 && of.registers <= 2 && !of.is_half && may_use_amx())
      rows -= multiply_panel_by_amx<Dot>(task, rows, of, i, j, give, to);
#endif
  for (int number = 0; rows > 0; ++number) {
    const int size = size_class(rows, tile_shape<T>::rows);
    const index height = size_in_class(size, tile_shape<T>::rows);
    if (packed) task.a_column = height;
    task.ahead = number < ahead.count ? ahead.at[number] : stream{nullptr, 0};
    multiply_tile<T, Dot, IsIndirect>(size, of, task);
    rows -= height;
    if (give) {
      to.give(to.epilogue, i, j, height, of.columns, sums, task.out_row);
    } else {
      task.out += height * task.out_row;
    }
    i += height;
    if constexpr (IsIndirect)
      task.row_offsets += height;
    else
      task.a += height * (packed ? task.depth : task.a_row);
    if (task.start != nullptr) task.start += height * task.start_row;
    if (task.added != nullptr) task.added += height * task.added_row;
  }
  task.added = nullptr;
  task.relu = false;
  task.a = a;
  task.row_offsets = row_offsets;
}

/// For operands that are read where they lie: rows of b contiguous, whole registers where loads have no masks.
template <class T>
ETCH_NOINLINE void unblocked(index m, index n, index k, const matrix<T>& a, const matrix<T>& b, const sink<T>& to,
                             executor* threads = nullptr) noexcept {
  const index most = panel_registers<T>(m, n);
  const auto multiply = [&](product_shares::range rows, product_shares::range columns) ETCH_INLINED {
    tile_task<T> task;
    task.depth = k;
    task.a = a.data + rows.first * a.row_stride;
    task.a_row = a.row_stride;
    task.a_column = a.column_stride;
    task.b_row = b.row_stride;
    task.start = nullptr;
    for_each_panel<T>(columns.size(), most, [&](const panel& now, index j) ETCH_INLINED {
      task.b = b.data + columns.first + j;
      multiply_panel(task, rows.size(), now, rows.first, columns.first + j, true, to);
    });
  };
  if (!is_shared(threads, m * n * k)) return multiply({0, m}, {0, n});
  const product_shares shares = share_product(m, n, tile_shape<T>::rows, most * lanes<T>, threads->workers(), 0, 0);
  run_tasks(*threads, shares.count(), [&](int task, int) { multiply(shares.rows_of(task), shares.columns_of(task)); });
}

/// A product of two matrices. Operands are copied where their layout is slow.
template <class T, class Dot>
class blocked_product : public block_loops<T, blocked_product<T, Dot>> {
  using base = block_loops<T, blocked_product<T, Dot>>;
  using base::k_, base::most_, base::n_;
  using typename base::extent, typename base::range, typename base::shape;
  friend base;
  static constexpr index L = lanes<T>;
  static constexpr bool by_amx = has_amx && Dot::takes_words;
  static constexpr index between_rows = by_amx ? L : 0;

 public:
  static constexpr index tile_rows = by_amx ? amx_rows : tile_shape<T>::rows;
  /// Of the team, as `blocked`.
  ETCH_INLINE blocked_product(index m, index n, index k, const matrix<T>& a, const matrix<T>& b, const packed_operands<T>& computed,
                              const product_team<T>& team, const sink<T>& to) noexcept
      : blocked_product(m, n, k, a, b, computed, team, to, computed.right.compute != nullptr || packs_columns(m, n, k, b),
                        computed.left.compute == nullptr && team.workspace != nullptr && a.row_stride == 1 &&
                            packs_rows(m, n, a.column_stride == 1)) {}

 private:
  ETCH_INLINE blocked_product(index m, index n, index k, const matrix<T>& a, const matrix<T>& b, const packed_operands<T>& computed,
                              const product_team<T>& team, const sink<T>& to, bool packs_b, bool packs_a) noexcept
      : base(m, n, k,
             block_depth<T>(m, n, k, a.column_stride == 1, Dot::takes_words || (m == 1 && computed.right.compute != nullptr),
                            b.column_stride == 1),
             by_amx && m >= 16 ? tile_shape<T>::vectors : panel_registers<T>(m, n), team, m,
             {computed.right.compute != nullptr ? base::computing
              : !packs_b                        ? 0
              : b.column_stride == 1            ? base::packing
                                                : base::transposing,
              computed.left.compute != nullptr ? base::computing
              : packs_a                        ? base::packing
                                               : 0}),
        a_(a), b_(b), computed_(computed), to_(to), packs_b_(packs_b), packs_a_(packs_a),
        gives_rows_(team.workspace != nullptr && m * n >= shape::large && to.streams >= shape::streamed) {}

  ETCH_INLINE void work_in(T* workspace, T* stack) noexcept {
    if (workspace == nullptr) {
      packed_b_ = stack;
      return;
    }
    packed_b_ = aligned(workspace);
    packed_a_ = packed_b_ + round_up(packs_b_ ? packed_b_size<T>(n_, k_) : packed_b_size<T>(0, k_), shape::line);
    waiting_ = packed_a_ + packed_a_size<T>(this->m_, k_, between_rows);
    this->partial_ = waiting_ + waiting_size<T>(this->m_, n_);
  }
  ETCH_INLINE void begin_rows(const range&) noexcept {}
  ETCH_INLINE void begin(const extent&) noexcept {}
  ETCH_INLINE bool is_right_computed() const noexcept { return Dot::takes_words || computed_.right.compute != nullptr; }
  /// How many columns of b are packed at a time: some panels, up to 512 bytes of a row, where they stay in L2 together until they are used.
  ETCH_INLINE index packed_columns(const extent& e) const noexcept {
    const index panel = most_ * L, several = minimum(8 * shape::line, (1 << 18) / static_cast<index>(sizeof(T)) / e.depth);
    return b_.column_stride == 1 && several > panel ? round_up(several, panel) : panel;
  }
  /// Those of a block from column j on up to `past`.
  ETCH_INLINE void pack(const extent& e, index j, index past) noexcept {
    const index width = most_ * L, whole = (past - j) / width * width;
    if (whole > 0 && is_right_computed()) {
      computed_.right(e.p, e.depth, e.j + j, whole, width, packed_b_ + j * e.depth);
      j += whole;
    } else if (!Dot::takes_words && b_.column_stride == 1 && whole > width) {
      pack_panels(block(b_, e.p, e.j + j), e.depth, whole, width, packed_b_ + j * e.depth, e.depth * width);
      j += whole;
    }
    for_each_panel<T>(past - j, most_,
                      [&](const panel& now, index c) { pack_right(now, e, j + c, packed_b_ + (j + c) * e.depth); });
  }

  ETCH_INLINE void multiply(const extent& e) noexcept {
    const bool is_last = e.p + e.depth == k_, waits = is_last && gives_rows_, prefetches = prefetches_ahead(e);
    const index most = waits ? shape::waiting_rows : shape::rows;
#if defined(ETCH_CPU_HAS_AMX)
    const amx_registers registers(Dot::takes_words && e.rows >= 16 && may_use_amx());
#endif
    for (index i = 0; i < e.rows; i += most) {
      const index rows = minimum(e.rows - i, most);
      tile_task<T> task;
      task.depth = e.depth;
      read_left(task, e.i + i, rows, e.p);
      for_each_panel<T>(e.columns, most_, [&](const panel& now, index j) ETCH_INLINED {
        read_right(task, now, e, j, i == 0);
        this->keep_sums(task, e, i, j);
        wanted_streams ahead;
        if (prefetches && i == 0) want_next_panel(e, now, j, ahead);
        if (waits && e.depth <= shape::few_rows) want_updated(e, rows, e.i + i, e.j + j, ahead);
        if (waits) {
          task.out = waiting_ + j;
          task.out_row = waiting_row<T>(n_);
        }
        multiply_panel<Dot>(task, rows, now, e.i + i, e.j + j, is_last && !waits, to_, packs_a_, ahead);
      });
      if (waits) give_waiting(e.i + i, rows, e.j, e.columns);
    }
  }
  /// Whether tiles prefetch the next panel of b: where few rows meet much of b, memory would be waited for otherwise. 50 x 3136 x 1024
  /// takes 0.8 of the time (Zen 4); 8 and 16 rows of a network 784-512-512-10, whose weights L2 has no room for, 0.78, 16 of
  /// 1000-1000-1000-10 0.72 (Emerald Rapids).
  ETCH_INLINE bool prefetches_ahead(const extent& e) const noexcept {
    return !is_right_computed() && b_.column_stride == 1 && e.depth <= shape::shallow && n_ * k_ * 4 >= shape::far;
  }
  /// The panel of b that is read, or packed, when all rows have met those that are: in the same block, or in the next. What does not begin
  /// with a cache line has one more.
  ETCH_INLINE void want_next_panel(const extent& e, const panel& now, index j, wanted_streams& to) const noexcept {
    const index each = packs_b_ ? packed_columns(e) : now.columns;
    const bool is_here = j + each < e.columns;
    if (!is_here && e.p + e.depth == k_) return;
    const index first = packs_b_ ? j % each : 0;
    const T* const next = is_here ? element(b_, e.p, e.j + j + each) : element(b_, e.p + e.depth, e.j + first);
    const index past = now.columns + (is_in_lines(b_) ? 0 : shape::line);
    for (index c = 0; c < past; c += now.registers * L)
      to.add({reinterpret_cast<const char*>(next + c), b_.row_stride * static_cast<index>(sizeof(T))});
  }
  /// What the epilogue will read for a panel of rows that wait for it.
  ETCH_NOINLINE void want_updated(const extent& e, index rows, index i, index j, wanted_streams& to) const noexcept {
    for (index r = 0; r < rows; r += e.depth)
      for (index which = 0; which < to_.reads; ++which) to.add(to_.read(to_.epilogue, which, i + r, j));
  }
  ETCH_NOINLINE void give_waiting(index i, index rows, index j, index columns) noexcept {
    const T* sums = waiting_;
    for (index r = 0; r < rows; ++r, sums += waiting_row<T>(n_)) {
      for (index which = 0; which < to_.reads; ++which) {
        const char* const at = to_.read(to_.epilogue, which, i + r + 1, j).at;
        for (index c = 0; c < columns; c += shape::line) __builtin_prefetch(at + c * static_cast<index>(sizeof(T)));
      }
      to_.give(to_.epilogue, i + r, j, 1, columns, sums, 0);
    }
  }
  /// The block of a, packed or where it lies.
  ETCH_INLINE void read_left(tile_task<T>& task, index i, index rows, index p) noexcept {
    matrix<T> left{packed_a_, 1, 0};
    if (Dot::takes_words || computed_.left.compute != nullptr) {
      // Rows of a power of 2 would lie in few sets of L1.
      left = {packed_a_, round_up(task.depth, L) + between_rows, 1};
      computed_.left(i, rows, p, task.depth, left.row_stride, packed_a_);
    } else if (packs_a_) {
      if constexpr (!Dot::takes_words) pack_tiles(block(a_, i, p), rows, task.depth, packed_a_);
    } else {
      left = block(a_, i, p);
    }
    task.a = left.data;
    task.a_row = left.row_stride;
    task.a_column = left.column_stride;
  }
  /// The panel of b from column j of the block on: where it lies, or packed, once for all rows of the block, or each time anew where
  /// only the columns are packed that fill no register.
  ETCH_INLINE void read_right(tile_task<T>& task, const panel& now, const extent& e, index j, bool is_first) noexcept {
    T* const slot = packs_b_ ? packed_b_ + j * task.depth : packed_b_;
    if (!packs_b_) {
      task.b = element(b_, e.p, e.j + j);
      task.b_row = b_.row_stride;
      if (has_masked_loads || now.columns % L == 0) return;
      pack_right(now, e, j, slot);
    } else if (const index each = packed_columns(e); is_first && j % each == 0) {
      pack(e, j, minimum(e.columns, j + each));
    }
    task.b = slot;
    task.b_row = now.registers * L;
  }
  ETCH_INLINE void pack_right(const panel& now, const extent& e, index j, T* slot) noexcept {
    const index width = now.registers * L;
    if (is_right_computed()) return computed_.right(e.p, e.depth, e.j + j, now.columns, width, slot);
    if constexpr (!Dot::takes_words) {
      const matrix<T> right = block(b_, e.p, e.j + j);
      if (b_.column_stride == 1) {
        pack_rows(right, e.depth, now.columns, width, slot, width);
      } else {
        pack_columns(right, e.depth, now.columns, width, slot, width);
      }
    }
  }

  const matrix<T>&a_, &b_;
  const packed_operands<T>& computed_;
  const sink<T>& to_;
  const bool packs_b_, packs_a_, gives_rows_;
  T* packed_b_ = nullptr;  ///< of a block, or of a panel
  T* packed_a_ = nullptr;
  T* waiting_ = nullptr;  ///< rows for the epilogue
};

/// The team's workspaces: of blocked_workspace(m, n, k, a.column_stride == 1) elements, or nullptr where that is 0. computed: operands that
/// are; then there is a workspace.
template <class Dot = multiply_add, class T>
ETCH_NOINLINE void blocked(index m, index n, index k, const matrix<T>& a, const matrix<T>& b, const product_team<T>& team,
                           const sink<T>& to, const packed_operands<T>& computed = {}) noexcept {
  blocked_product<T, Dot>(m, n, k, a, b, computed, team, to).run();
}

}  // namespace etch::cpu::matmul_detail
