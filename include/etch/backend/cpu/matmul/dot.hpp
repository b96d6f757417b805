// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <etch/backend/cpu/matmul/micro_kernel.hpp>
#include <etch/backend/cpu/program/prefetch.hpp>
#include <etch/backend/cpu/matmul/sink.hpp>
#include <etch/backend/cpu/matmul/team.hpp>

/// Products of few rows with columns of b that are contiguous (GEMV of a transposed matrix, and GEMM of few rows): there each element of b serves
/// few times, and packing it costs more than the product.
namespace etch::cpu::matmul_detail {

/// Adds the upper half of a vector to the lower one until 16 bytes remain.
template <class T, std::size_t N, class Wide>
ETCH_INLINE auto fold(const Wide& x) noexcept {
  if constexpr (N * sizeof(T) == 16) {
    return x;
  } else {
    return fold<T, N / 2>(first_lanes<T, N / 2>(x) + last_lanes<T, N / 2>(x));
  }
}

/// The sums of all lanes of so many registers of 16 bytes as they have lanes.
template <class Narrow>
ETCH_INLINE Narrow lane_sums(const Narrow (&x)[4]) noexcept {
  const auto low = __builtin_shufflevector(x[0], x[1], 0, 4, 1, 5) + __builtin_shufflevector(x[0], x[1], 2, 6, 3, 7);
  const auto high = __builtin_shufflevector(x[2], x[3], 0, 4, 1, 5) + __builtin_shufflevector(x[2], x[3], 2, 6, 3, 7);
  return __builtin_shufflevector(low, high, 0, 1, 4, 5) + __builtin_shufflevector(low, high, 2, 3, 6, 7);
}
template <class Narrow>
ETCH_INLINE Narrow lane_sums(const Narrow (&x)[2]) noexcept {
  return __builtin_shufflevector(x[0], x[1], 0, 2) + __builtin_shufflevector(x[0], x[1], 1, 3);
}

/// out[x, y] (+)= sum over p of left[x, p] * right[y, p] for y < count. Rows of left and right are contiguous in p.
/// Columns of out up to the next multiple of `dot_columns` are written.
template <class T>
struct dot_task {
  index depth;
  const T* left;
  index left_row;
  const T* right;
  index right_row;
  index count;
  T* out;
  index out_row;
  bool adds;
};

/// Rows of right that share a load of left.
inline constexpr index dot_columns = 4;

template <class T, std::size_t X>
ETCH_NOINLINE void dot_rows(const dot_task<T>& task) noexcept {
  using V = vector<T>;
  constexpr index L = lanes<T>;
  constexpr std::size_t Y = dot_columns;
  constexpr std::size_t group = 16 / sizeof(T);
  static_assert(Y % group == 0);
  constexpr index page = page_bytes / static_cast<index>(sizeof(T));
  const index depth = task.depth;
  const index whole = depth / L * L;
  const bool prefetches = depth >= page;
  const part<V> rest(static_cast<int>(depth - whole));
  const T* left[X];
  ETCH_UNROLL(16)
  for (std::size_t x = 0; x < X; ++x) left[x] = task.left + static_cast<index>(x) * task.left_row;
  const index row = task.right_row;
  const T* first = task.right;
  T* out = task.out;
  for (index count = task.count; count > 0; count -= dot_columns, first += dot_columns * row, out += dot_columns) {
    const T* const right[Y] = {first, first + (count > 1 ? row : 0), first + (count > 2 ? 2 * row : 0),
                               first + (count > 3 ? 3 * row : 0)};
    V sum[X][Y];
    ETCH_UNROLL(16)
    for (std::size_t x = 0; x < X; ++x) {
      ETCH_UNROLL(16)
      for (std::size_t y = 0; y < Y; ++y) sum[x][y] = V(T(0));
    }
    for (index p = 0; p < whole; p += L) {
      if (prefetches && p % page == 0) {
        ETCH_UNROLL(16)
        for (std::size_t y = 0; y < Y; ++y) prefetch_next_page(right[y] + p, page_bytes);
      }
      V l[X];
      ETCH_UNROLL(16)
      for (std::size_t x = 0; x < X; ++x) {
        l[x] = V::load_unaligned(left[x] + p);
        keep_in_register(l[x]);
      }
      ETCH_UNROLL(16)
      for (std::size_t y = 0; y < Y; ++y) {
        V r = V::load_unaligned(right[y] + p);
        if constexpr (X > 1) keep_in_register(r);
        ETCH_UNROLL(16)
        for (std::size_t x = 0; x < X; ++x) sum[x][y] = simd::fma(l[x], r, sum[x][y]);
      }
    }
    if (whole < depth) {
      V l[X];
      ETCH_UNROLL(16)
      for (std::size_t x = 0; x < X; ++x) l[x] = rest.load(left[x] + whole);
      ETCH_UNROLL(16)
      for (std::size_t y = 0; y < Y; ++y) {
        const V r = rest.load(right[y] + whole);
        ETCH_UNROLL(16)
        for (std::size_t x = 0; x < X; ++x) sum[x][y] = simd::fma(l[x], r, sum[x][y]);
      }
    }
    ETCH_UNROLL(16)
    for (std::size_t x = 0; x < X; ++x) {
      ETCH_UNROLL(16)
      for (std::size_t y = 0; y < Y; y += group) {
        using narrow = typename plain_vector<T, group>::type;
        using wide = typename plain_vector<T, static_cast<std::size_t>(L)>::type;
        narrow folded[group];
        ETCH_UNROLL(16)
        for (std::size_t g = 0; g < group; ++g) {
          folded[g] = fold<T, static_cast<std::size_t>(L)>(std::bit_cast<wide>(sum[x][y + g]));
        }
        narrow sums = lane_sums(folded);
        T* const to = out + static_cast<index>(x) * task.out_row + static_cast<index>(y);
        if (task.adds) {
          narrow before;
          std::memcpy(&before, to, sizeof before);
          sums += before;
        }
        std::memcpy(to, &sums, sizeof sums);
      }
    }
  }
}

/// For few rows of a, and b with contiguous columns (b.row_stride 1): each sum runs along registers, in an order that depends on k and a.column_stride.
/// some_rows, some_columns: of the product; a begins with the first of these rows, b with the first of these columns.
template <class T>
ETCH_NOINLINE void dots_between(product_shares::range some_rows, product_shares::range some_columns, index k, const matrix<T>& a,
                                const matrix<T>& b, const sink<T>& to) noexcept {
  constexpr index most = tile_shape<T>::has_32_registers ? 4 : 2;  // rows of a that share a load of b
  constexpr index block_columns = 64;                              // columns of b that stay in L2 for the next rows of a
  constexpr index depth = 512;                                     // of a copy of rows of a
  alignas(64) T sums[most * block_columns];
  alignas(64) T copy[most * depth];
  const bool is_contiguous = a.column_stride == 1;
  const index step = is_contiguous ? k : depth;
  dot_task<T> task;
  task.out = sums;
  task.out_row = block_columns;
  task.right_row = b.column_stride;
  const index m = some_rows.size(), n = some_columns.size();
  for (index j = 0; j < n; j += block_columns) {
    task.count = minimum(n - j, block_columns);
    for (index i = 0; i < m;) {
      const index left = m - i;
      const index rows = left <= most ? left : left < 2 * most ? left / 2 : most;
      for (index p = 0; p < k; p += step) {
        task.depth = minimum(k - p, step);
        task.adds = p != 0;
        task.left = element(a, i, p);
        task.left_row = a.row_stride;
        if (!is_contiguous) {
          for (index r = 0; r < rows; ++r) {
            for (index q = 0; q < task.depth; ++q) copy[r * depth + q] = *element(a, i + r, p + q);
          }
          task.left = copy;
          task.left_row = depth;
        }
        task.right = element(b, p, j);
        switch (rows) {
          case 1: dot_rows<T, 1>(task); break;
          case 2: dot_rows<T, 2>(task); break;
          case 3:
            if constexpr (most > 2) dot_rows<T, 3>(task);
            break;
          default:
            if constexpr (most > 2) dot_rows<T, 4>(task);
            break;
        }
      }
      to.give(to.epilogue, some_rows.first + i, some_columns.first + j, rows, task.count, sums, block_columns);
      i += rows;
    }
  }
}

template <class T>
ETCH_INLINE void dots(index m, index n, index k, const matrix<T>& a, const matrix<T>& b, const sink<T>& to,
                      executor* threads) noexcept {
  share_columns(threads, m * n * k, n, dot_columns, 1,
                [&](index from, index past) { dots_between({0, m}, {from, past}, k, a, block(b, 0, from), to); });
}

}  // namespace etch::cpu::matmul_detail
