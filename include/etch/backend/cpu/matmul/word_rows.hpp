// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/dot.hpp>
#include <etch/backend/cpu/matmul/plain.hpp>
#include <etch/backend/cpu/matmul/word_pack.hpp>

/// Products of words with few rows: each element of b serves few times, and is read where it lies.
namespace etch::cpu::matmul_detail {

/// For up to so many rows b is read where it lies: a row-major b, and a column-major one; and up to so many columns the transposed
/// product is computed. From 5 and 9 rows on packing pays (5 x 256 x 4096 takes 1.6 times as long unpacked; Zen 4).
inline constexpr index most_rows_across = 4, most_few_rows = 8, most_few_columns = 4;

#if defined(__SSE2__)
/// Rows of a as words, with zeros up to a whole register, and what their sums have too much or too little.
template <class Dot>
struct few_rows {
  using T = typename Dot::sum_type;
  static constexpr index L = lanes<T>;

  index rows, width;
  T* words;
  T correction[most_few_rows] = {};

  few_rows(const left_words<Dot>& a, index m, index k, T* to) noexcept
      : rows(m), width(round_up(divide_up(k, Dot::group), L)), words(to) {
    for (index i = 0; i < m; ++i) a.copy_row(i, width, words + i * width);
    if constexpr (Dot::moves_right)
      for (index i = 0; i < m; ++i) correction[i] = Dot::correction_of(a.sum_of_row(i));
  }
};

/// A row-major b: registers of `group` rows become words of as many columns, whose places in the sums are sorted out once all is
/// summed. Some rows of b are walked at a time, each along all columns, since memory gives pieces of rows that lie apart at a third
/// of its speed: 1 x 4096 x 11008 takes 1.9 ms, which is that of memory; with 32 rows 6.3, with 4 rows 3.8, without software
/// prefetch 2.2 (Zen 4).
template <class Dot>
struct across_columns {
  using T = typename Dot::sum_type;
  using M = typename Dot::right_type;
  using V = vector<T>;
  static constexpr index group = Dot::group, L = lanes<T>;
  static constexpr index strip = group * L;  ///< columns of a register of b
  /// Rows of b that are walked at a time, and how many strips ahead they are prefetched. 1 x 4096 x 4096 bfloat16 take 2.0 ms by 8 rows, 2.7
  /// by 16 (Zen 4).
  static constexpr index depth = 4 * group, ahead = 8;

  const few_rows<Dot>& a;
  const matrix<M>& b;
  index n, k;
  T* sums;  ///< of each row those of whole strips

  /// Strips [first, last), and the epilogue of their columns.
  ETCH_NOINLINE void run(index first, index last, const sink<T>& to) const noexcept {
    for (index p = 0; p < k; p += depth)
      for (index s = first; s < last; ++s) add(p, s);
    for (index s = first; s < last; ++s)
      for (index r = 0; r < a.rows; ++r) give(r, s, to);
  }

 private:
  T* sums_of(index row, index s) const noexcept { return sums + row * round_up(n, strip) + s * strip; }

  ETCH_INLINE void add(index p, index s) const noexcept {
    switch (a.rows) {
      case 1: return add_rows<1>(p, s);
      case 2: return add_rows<2>(p, s);
      case 3: return add_rows<3>(p, s);
      default: return add_rows<4>(p, s);
    }
  }
  template <std::size_t Rows>
  ETCH_NOINLINE void add_rows(index p, index s) const noexcept {
    constexpr auto G = static_cast<std::size_t>(group);
    V sum[Rows][G];
    ETCH_UNROLL(4)
    for (std::size_t r = 0; r < Rows; ++r) {
      ETCH_UNROLL(4)
      for (std::size_t g = 0; g < G; ++g)
        sum[r][g] = p == 0 ? V(T(0)) : V::load_unaligned(sums_of(static_cast<index>(r), s) + static_cast<index>(g) * L);
    }
    const index columns = minimum(n - s * strip, strip) * static_cast<index>(sizeof(M)), past = minimum(p + depth, k);
    for (; p < past; p += group) {
      using words = vector<std::int32_t>;
      decltype(words::data) x[G];
      ETCH_UNROLL(4)
      for (std::size_t q = 0; q < G; ++q) {
        words right(0);
        if (p + static_cast<index>(q) < k) {
          const M* const row = element(b, p + static_cast<index>(q), s * strip);
          __builtin_prefetch(row + ahead * strip);
          right = load_bytes<words>(row, columns);
        }
        x[q] = Dot::moved(right).data;
      }
      interleave(x);
      ETCH_UNROLL(4)
      for (std::size_t r = 0; r < Rows; ++r) {
        const V left(a.words[static_cast<index>(r) * a.width + p / group]);
        ETCH_UNROLL(4)
        for (std::size_t g = 0; g < G; ++g) sum[r][g] = Dot::add(left, cpu::detail::from_register<V>(x[g]), sum[r][g]);
      }
    }
    ETCH_UNROLL(4)
    for (std::size_t r = 0; r < Rows; ++r) {
      ETCH_UNROLL(4)
      for (std::size_t g = 0; g < G; ++g) sum[r][g].store_unaligned(sums_of(static_cast<index>(r), s) + static_cast<index>(g) * L);
    }
  }
  /// Four lanes of each register in turn are the columns in their order.
  void give(index row, index s, const sink<T>& to) const noexcept {
    alignas(64) T sorted[strip];
    const T* const from = sums_of(row, s);
    const V correction(a.correction[row]);
    for (index g = 0; g < group; ++g) {
      alignas(64) T one[L];
      (V::load_unaligned(from + g * L) + correction).store_aligned(one);
      for (index l = 0; l < L; l += 4) std::memcpy(sorted + l * group + g * 4, one + l, 4 * sizeof(T));
    }
    to.give(to.epilogue, row, s * strip, 1, minimum(n - s * strip, strip), sorted, 0);
  }
};

/// A column-major b: products of rows of a and columns of b, of which a register is multiplied at a time.
template <class Dot>
struct along_columns {
  using T = typename Dot::sum_type;
  using M = typename Dot::right_type;
  using V = vector<T>;
  static constexpr index L = lanes<T>;
  static constexpr index columns = 64;  ///< that are given at a time

  const few_rows<Dot>& a;
  const matrix<M>& b;
  index n, k;

  ETCH_NOINLINE void run(index first, index past, const sink<T>& to) const noexcept {
    for (index j = first; j < past; j += columns)
      for (index i = 0; i < a.rows;)
        i += a.rows - i >= 4 ? rows<4>(i, j, minimum(past - j, columns), to) : rows<1>(i, j, minimum(past - j, columns), to);
  }

 private:
  /// In which sums wrap around.
  using number = typename accumulator<T>::type;

  template <std::size_t X>
  ETCH_NOINLINE index rows(index i, index j, index count, const sink<T>& to) const noexcept {
    alignas(64) T sums[X * columns];
    for (index c = 0; c < count; c += dot_columns) {
      V sum[X][dot_columns];
      dots(i, j + c, minimum(count - c, dot_columns), sum);
      ETCH_UNROLL(4)
      for (std::size_t x = 0; x < X; ++x) {
        using narrow = typename plain_vector<number, 4>::type;
        using wide = typename plain_vector<number, static_cast<std::size_t>(L)>::type;
        narrow folded[dot_columns];
        ETCH_UNROLL(4)
        for (std::size_t y = 0; y < dot_columns; ++y)
          folded[y] = fold<number, static_cast<std::size_t>(L)>(std::bit_cast<wide>(sum[x][y]));
        const narrow all = lane_sums(folded) + static_cast<number>(a.correction[i + static_cast<index>(x)]);
        std::memcpy(sums + static_cast<index>(x) * columns + c, &all, sizeof all);
      }
    }
    to.give(to.epilogue, i, j, X, count, sums, columns);
    return X;
  }
  /// Columns beyond those that there are repeat the last.
  template <std::size_t X>
  ETCH_INLINE void dots(index i, index j, index count, V (&sum)[X][dot_columns]) const noexcept {
    const char* right[dot_columns];
    ETCH_UNROLL(4)
    for (index y = 0; y < dot_columns; ++y) right[y] = reinterpret_cast<const char*>(element(b, 0, j + minimum(y, count - 1)));
    ETCH_UNROLL(4)
    for (std::size_t x = 0; x < X; ++x) clear_row(sum[x]);
    const T* const left = a.words + i * a.width;
    const auto add = [&](index p, const auto& load) ETCH_INLINED {
      V l[X];
      ETCH_UNROLL(4)
      for (std::size_t x = 0; x < X; ++x)
        l[x] = V::load_unaligned(left + static_cast<index>(x) * a.width + p / static_cast<index>(sizeof(T)));
      ETCH_UNROLL(4)
      for (std::size_t y = 0; y < dot_columns; ++y) {
        const V r = Dot::moved(load(right[y] + p));
        ETCH_UNROLL(4)
        for (std::size_t x = 0; x < X; ++x) sum[x][y] = Dot::add(l[x], r, sum[x][y]);
      }
    };
    constexpr index bytes = sizeof(V);
    const index size = k * static_cast<index>(sizeof(M)), whole = size / bytes * bytes;
    for (index p = 0; p < whole; p += bytes) add(p, [](const char* at) ETCH_INLINED { return load_bytes<V>(at); });
    if (whole < size) add(whole, [&](const char* at) ETCH_INLINED { return load_bytes<V>(at, size - whole); });
  }
};
#endif

}  // namespace etch::cpu::matmul_detail
