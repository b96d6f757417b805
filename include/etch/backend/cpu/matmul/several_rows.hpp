// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/block_sizes.hpp>
#include <etch/backend/cpu/matmul/micro_kernel.hpp>
#include <etch/backend/cpu/matmul/sink.hpp>
#include <etch/backend/cpu/matmul/team.hpp>

/// Products of few rows with rows of b that are contiguous (GEMV, and GEMM of few rows): b is read once, row by row, and sums go to L1 and back.
namespace etch::cpu::matmul_detail {

/// y[j] (+)= sum over r < Rows of x[r] * b[r, j]; x at any stride, rows of b contiguous, y in whole aligned registers.
template <std::size_t Rows, class T>
ETCH_NOINLINE void add_rows(const T* x, index x_stride, const T* b, index b_row, index columns, T* y, bool adds) noexcept {
  using V = vector<T>;
  constexpr index L = lanes<T>;
  V factor[Rows];
  const T* row[Rows];
  ETCH_UNROLL(8)
  for (std::size_t r = 0; r < Rows; ++r) {
    row[r] = b + static_cast<index>(r) * b_row;
    factor[r] = V(x[static_cast<index>(r) * x_stride]);
  }
  const index whole = columns / L * L;
  for (index j = 0; j < whole; j += L) {
    V even = adds ? V::load_aligned(y + j) : V(T(0));
    V odd(T(0));
    ETCH_UNROLL(8)
    for (std::size_t r = 0; r < Rows; ++r) {
      V& sum = r % 2 == 0 ? even : odd;
      sum = simd::fma(factor[r], V::load_unaligned(row[r] + j), sum);
    }
    (even + odd).store_aligned(y + j);
  }
  if (whole < columns) {
    const part<V> rest(static_cast<int>(columns - whole));
    V sum = adds ? V::load_aligned(y + whole) : V(T(0));
    ETCH_UNROLL(8)
    for (std::size_t r = 0; r < Rows; ++r) sum = simd::fma(factor[r], rest.load(row[r] + whole), sum);
    sum.store_aligned(y + whole);
  }
}

/// For one row and b with contiguous rows. Several rows of b at a time, from one end to the other: at n = 2048 a panel
/// of 8 registers, which jumps from row to row, takes 1.4 times as long.
template <class T>
ETCH_NOINLINE void one_row_between(index from, index n, index k, const matrix<T>& a, const matrix<T>& b,
                                   const sink<T>& to) noexcept {
  constexpr index block_columns = 2048;
  alignas(64) T sums[block_columns];
  for (index j = from; j < n; j += block_columns) {
    const index columns = minimum(n - j, block_columns);
    index p = 0;
    for (; p + 8 <= k; p += 8) {
      add_rows<8>(element(a, 0, p), a.column_stride, element(b, p, j), b.row_stride, columns, sums, p != 0);
    }
    for (; p + 2 <= k; p += 2) {
      add_rows<2>(element(a, 0, p), a.column_stride, element(b, p, j), b.row_stride, columns, sums, p != 0);
    }
    if (p < k) add_rows<1>(element(a, 0, p), a.column_stride, element(b, p, j), b.row_stride, columns, sums, p != 0);
    to.give(to.epilogue, 0, j, 1, columns, sums, block_columns);
  }
}

/// The same of so few columns, or of so few p, that their sums stay in registers.
template <class T>
ETCH_NOINLINE void one_row_of_tiles(index n, index k, const matrix<T>& a, const matrix<T>& b, const sink<T>& to) noexcept {
  alignas(64) T sums[tile_shape<T>::single_row_vectors * lanes<T>];
  tile_task<T> task;
  task.depth = k;
  task.a = a.data;
  task.a_row = a.row_stride;
  task.a_column = a.column_stride;
  task.b_row = b.row_stride;
  task.start = nullptr;
  task.out = sums;
  task.out_row = 0;
  task.is_out_exact = false;
  for_each_panel<T>(n, tile_shape<T>::single_row_vectors, [&](const panel& now, index j) ETCH_INLINED {
    task.b = b.data + j;
    task.last = static_cast<int>(now.columns - (now.registers - 1) * lanes<T>);
    const auto place = static_cast<std::size_t>(size_class(now.registers, tile_shape<T>::single_row_vectors));
    single_row_tiles<vector<T>, multiply_add>[place](task);
    to.give(to.epilogue, 0, j, 1, now.columns, sums, 0);
  });
}

template <class T>
ETCH_INLINE void one_row(index n, index k, const matrix<T>& a, const matrix<T>& b, const sink<T>& to, executor* threads) noexcept {
  const bool is_narrow = n <= tile_shape<T>::single_row_vectors * lanes<T> && (has_masked_loads || n % lanes<T> == 0);
  if (is_narrow || k == 0) return one_row_of_tiles(n, k, a, b, to);
  share_columns(threads, n * k, n, 2 * 64 / static_cast<index>(sizeof(T)), page_columns<T>,
                [&](index from, index past) { one_row_between(from, past, k, a, b, to); });
}

/// y[x, j] (+)= sum over r < 4 of a[x, r] * b[r, j] for two x and whole registers of columns; rows of b contiguous, those of y aligned. Four products
/// for each that is stored, and 8 factors, which 16 registers have room for.
template <class T>
ETCH_NOINLINE void add_to_two_rows(const T* a, index a_row, index a_column, const T* b, index b_row, index columns, T* y,
                                   index y_row, bool adds) noexcept {
  using V = vector<T>;
  constexpr index L = lanes<T>;
  V factor[2][4];
  const T* row[4];
  ETCH_UNROLL(4)
  for (index r = 0; r < 4; ++r) {
    row[r] = b + r * b_row;
    factor[0][r] = V(a[r * a_column]);
    factor[1][r] = V(a[a_row + r * a_column]);
  }
  for (index j = 0; j < columns; j += L) {
    V even = adds ? V::load_aligned(y + j) : V(T(0)), odd = adds ? V::load_aligned(y + y_row + j) : V(T(0));
    ETCH_UNROLL(4)
    for (index r = 0; r < 4; ++r) {
      V right = V::load_unaligned(row[r] + j);
      keep_in_register(right);
      even = simd::fma(factor[0][r], right, even);
      odd = simd::fma(factor[1][r], right, odd);
    }
    even.store_aligned(y + j);
    odd.store_aligned(y + y_row + j);
  }
}

/// Two rows at a time, of which the second two find what they read of b in L1; a last one, and what fills no register, alone.
template <class T>
ETCH_NOINLINE void several_rows_between(index from, index n, index m, index k, const matrix<T>& a, const matrix<T>& b,
                                        const sink<T>& to) noexcept {
  constexpr index block_columns = 512;
  alignas(64) T sums[most_several_rows * block_columns];
  for (index j = from; j < n; j += block_columns) {
    const index columns = minimum(n - j, block_columns), whole = columns / lanes<T> * lanes<T>;
    index p = 0;
    for (; p + 8 <= k; p += 8) {
      for (index i = 0; i + 2 <= m; i += 2)
        for (index q = p; q < p + 8; q += 4)
          add_to_two_rows(element(a, i, q), a.row_stride, a.column_stride, element(b, q, j), b.row_stride, whole,
                          sums + i * block_columns, block_columns, q != 0);
      for (index i = 0; i < m; ++i)
        if (const index done = i < m / 2 * 2 ? whole : 0; done < columns)
          add_rows<8>(element(a, i, p), a.column_stride, element(b, p, j + done), b.row_stride, columns - done,
                      sums + i * block_columns + done, p != 0);
    }
    for (; p < k; ++p)
      for (index i = 0; i < m; ++i)
        add_rows<1>(element(a, i, p), a.column_stride, element(b, p, j), b.row_stride, columns, sums + i * block_columns, p != 0);
    to.give(to.epilogue, 0, j, m, columns, sums, block_columns);
  }
}

template <class T>
ETCH_NOINLINE void several_rows(index m, index n, index k, const matrix<T>& a, const matrix<T>& b, const sink<T>& to,
                                executor* threads) noexcept {
  share_columns(threads, m * n * k, n, 2 * 64 / static_cast<index>(sizeof(T)), page_columns<T>,
                [&](index from, index past) { several_rows_between(from, past, m, k, a, b, to); });
}

}  // namespace etch::cpu::matmul_detail
