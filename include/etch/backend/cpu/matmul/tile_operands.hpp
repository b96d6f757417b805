// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/part.hpp>
#include <etch/backend/cpu/matmul/sink.hpp>

/// A tile of a matrix product: how large it is, what it multiplies, and where it stands in its operands.
namespace etch::cpu::matmul_detail {

/// Extents of a tile: sums, one row of b and a broadcast of a stay in registers, 8 * 3 + 3 + 1 of 32 or 6 * 2 + 2 + 1 of 16. With operands
/// in L1 every shape on AVX-512 from 4 x 1 and 4 x 2 to 14 x 2 runs at 0.98 of the peak or more. But a tile of three registers loads 11 for
/// 24 products where one of two loads 10 for 16, which leaves time for what comes from L2 or begins within a cache line: 48 x 48 x 48
/// takes 0.91 of the time, 256 x 256 x 256 0.96, 192 x 192 x 192 of such rows 0.95 (Sapphire Rapids). And 8 rows are as many as L1 has ways:
/// rows of a that lie a multiple of 4 KiB apart stay in L1 unpacked, where 12 rows lose 5 % (n = 1024, Zen 4).
template <class T>
struct tile_shape {
  static constexpr bool has_32_registers = has_avx512 || std::is_base_of_v<xsimd::neon64, xsimd::default_arch>;
  static constexpr index rows = has_32_registers ? 8 : 6;
  static constexpr index vectors = 2;
  /// Of full rows only: fewer rows of so many registers are two tiles, one of `vectors` and one of the rest.
  static constexpr index wide_vectors = has_32_registers ? 3 : 2;
  /// A product of one row has no other row to share a load of b with; more sums hide the latency.
  static constexpr index single_row_vectors = 8;
  static constexpr index columns = vectors * lanes<T>;
  static constexpr index elements = rows * wide_vectors * lanes<T>;
  static_assert(single_row_vectors <= rows * vectors);
};

/// Where an indirect tile finds both operands at one p, in elements. One table of both, and offsets of b that need no product: with two
/// tables and rows of b the addresses do not fit into registers, and a tile of 8 x 2 runs at 0.92 of the peak instead of 0.99 (Zen 4).
struct tile_step {
  index a, b;
};

/// out[i, j] = start[i, j] + sum over p of a[i, p] * b[p, j]. Strides in elements; columns of b, start and out are
/// contiguous.
template <class T>
struct tile_task {
  index depth;  ///< how many p
  const T* a;
  index a_row;
  index a_column;
  /// Of an indirect tile: a[i, p] is at a + row_offsets[i] + steps[p].a, b[p] at b + steps[p].b; there is no a_row, a_column and b_row.
  const index* row_offsets = nullptr;
  const tile_step* steps = nullptr;
  const T* b;
  index b_row;
  /// What a tile of all rows prefetches at each p, for later, as wide as itself. No indirect tile does.
  stream ahead = {nullptr, 0};
  const T* start;  ///< whole registers; nullptr: zeros
  index start_row;
  T* out;
  index out_row;
  /// The used lanes of the last register of a row of b. No others are read where a row is one register and loads have masks; elsewhere
  /// all are: masked loads of 512 bits cost a tile of 8 x 2 registers 4 % (Zen 4).
  int last;
  /// With AVX-512 whether `last` holds for out, too; otherwise out is written in whole registers.
  bool is_out_exact;
  /// Of tiles that finish: as of the sink. Whole registers.
  const T* added = nullptr;
  index added_row = 0;
  bool relu = false;
};

/// A row of b.
template <class V, std::size_t Vectors>
ETCH_INLINE void load_right(V (&right)[Vectors], const typename V::value_type* b, const part<V>& last, bool keeps) noexcept {
  ETCH_UNROLL(16)
  for (std::size_t v = 0; v < Vectors; ++v) {
    const typename V::value_type* const from = b + static_cast<index>(v) * lanes_of<V>;
    const bool in_part = has_masked_loads && Vectors == 1;
    right[v] = in_part ? last.load(from) : V::load_unaligned(from);
    if (keeps) keep_in_register(right[v]);
  }
}

/// What a tile makes of an element of a, one of b, and their sum so far: the product and its sum, or, where elements are words of several
/// narrow ones, the sum of those products (`byte_dot.hpp`).
struct multiply_add {
  /// Whether elements are such words, which are always computed from others while they are packed.
  static constexpr bool takes_words = false;
  template <class V>
  ETCH_INLINE static V add(const V& left, const V& right, const V& sum) noexcept {
    return simd::fma(left, right, sum);
  }
};

/// Whether a tile has all rows, and as many registers in each that it is worth a loop of its own.
template <class T, std::size_t Rows, std::size_t Vectors>
inline constexpr bool is_large_tile =
    Rows == static_cast<std::size_t>(tile_shape<T>::rows) && Vectors >= static_cast<std::size_t>(tile_shape<T>::vectors);

/// Where a tile stands in its operands: at one p.
template <class T, std::size_t Rows, class Dot>
class tile_operands {
 public:
  ETCH_INLINE explicit tile_operands(const tile_task<T>& task) noexcept
      : b_(task.b), ahead_(task.ahead.at == nullptr ? reinterpret_cast<const char*>(task.b) : task.ahead.at), a_row_(task.a_row),
        a_column_(task.a_column), b_row_(task.b_row), ahead_row_(task.ahead.row) {
    ETCH_UNROLL(16)
    for (std::size_t g = 0; g < groups; ++g) a_[g] = task.a + static_cast<index>(3 * g) * task.a_row;
  }

  /// sum[i, v] += a[i] * b[v], and on to the next p.
  template <class V, std::size_t Vectors>
  ETCH_INLINE void add_products(V (&sum)[Rows][Vectors], const part<V>& last) noexcept {
    V right[Vectors];
    load_right(right, b_, last, Rows > 1);
    ETCH_UNROLL(16)
    for (std::size_t i = 0; i < Rows; ++i) {
      const V left(a_[i / 3][static_cast<index>(i % 3) * a_row_]);
      ETCH_UNROLL(16)
      for (std::size_t v = 0; v < Vectors; ++v) sum[i][v] = Dot::add(left, right[v], sum[i][v]);
    }
    ETCH_UNROLL(16)
    for (std::size_t g = 0; g < groups; ++g) a_[g] += a_column_;
    b_ += b_row_;
    if constexpr (is_large_tile<T, Rows, Vectors>) {
      ETCH_UNROLL(4)
      for (std::size_t c = 0; c < Vectors * sizeof(V); c += 64) __builtin_prefetch(ahead_ + c, 0, 2);
      ahead_ += ahead_row_;
    }
  }

  /// The same at `depth` p, two at a time, of large tiles that prefetch nothing; how many are left. Multiply-adds of 512 bits share their two
  /// ports with integer additions, which take their place: a tile of 8 x 3 with 7 of them and 3 prefetches at each p runs at 0.88 of the
  /// peak, with 2 or 3 at 0.96; 512 x 512 x 512 takes 0.94 of the time (Granite Rapids). Four p at a time leave g++ too few registers.
  template <class V, std::size_t Vectors>
  ETCH_INLINE index add_pairs(V (&sum)[Rows][Vectors], const tile_task<T>& task, const part<V>& last) noexcept {
    if constexpr (has_avx512 && is_large_tile<T, Rows, Vectors>) {
      if (task.ahead.at != nullptr) return task.depth;
      if (a_column_ == 1) return add_pairs<false>(sum, task.depth, last);
      if (a_row_ == 1) return add_pairs<true>(sum, task.depth, last);
    }
    return task.depth;
  }

 private:
  /// A pointer of which g++ does not know how it was made, or it adds each offset to it beforehand, and has no registers for the sums.
  static const T* hidden(const T* p) noexcept {
    asm("" : "+r"(p));
    return p;
  }
  /// by_columns: whether columns of a are contiguous, rather than rows.
  template <bool ByColumns, class V, std::size_t Vectors>
  ETCH_INLINE index add_pairs(V (&sum)[Rows][Vectors], index depth, const part<V>& last) noexcept {
    for (; depth >= 2; depth -= 2) {
      ETCH_UNROLL(2)
      for (std::size_t p = 0; p < 2; ++p) {
        V right[Vectors];
        load_right(right, b_ + static_cast<index>(p) * b_row_, last, true);
        ETCH_UNROLL(16)
        for (std::size_t i = 0; i < Rows; ++i) {
          const V left(ByColumns ? a_[0][i] : a_[i / 3][static_cast<index>(i % 3) * a_row_ + static_cast<index>(p)]);
          ETCH_UNROLL(16)
          for (std::size_t v = 0; v < Vectors; ++v) sum[i][v] = Dot::add(left, right[v], sum[i][v]);
        }
        if (ByColumns) a_[0] = hidden(a_[0] + a_column_);
      }
      ETCH_UNROLL(16)
      for (std::size_t g = ByColumns ? 1 : 0; g < groups; ++g) a_[g] += 2 * a_column_;
      b_ += 2 * b_row_;
    }
    return depth;
  }

  /// One pointer for three rows of a: offsets of 0, 1 and 2 strides make addresses that x86 has, and three pointers for 8
  /// rows leave registers for the rest.
  static constexpr std::size_t groups = (Rows + 2) / 3;
  const T* a_[groups];
  const T* b_;
  const char* ahead_;
  /// a_column_ is a variable: the same code reads a by rows, transposed and packed.
  const index a_row_, a_column_, b_row_, ahead_row_;
};

/// The same where a table says where both lie.
template <class T, std::size_t Rows, class Dot>
class indirect_operands {
 public:
  ETCH_INLINE explicit indirect_operands(const tile_task<T>& task) noexcept : b_(task.b), step_(task.steps) {
    ETCH_UNROLL(16)
    for (std::size_t i = 0; i < Rows; ++i) a_[i] = task.a + task.row_offsets[i];
  }

  template <class V, std::size_t Vectors>
  ETCH_INLINE void add_products(V (&sum)[Rows][Vectors], const part<V>& last) noexcept {
    V right[Vectors];
    load_right(right, b_ + step_->b, last, Rows > 1);
    const index at = step_++->a;
    ETCH_UNROLL(16)
    for (std::size_t i = 0; i < Rows; ++i) {
      const V left(a_[i][at]);
      ETCH_UNROLL(16)
      for (std::size_t v = 0; v < Vectors; ++v) sum[i][v] = Dot::add(left, right[v], sum[i][v]);
    }
  }

  /// As of tile_operands.
  template <class V, std::size_t Vectors>
  ETCH_INLINE index add_pairs(V (&sum)[Rows][Vectors], const tile_task<T>& task, const part<V>& last) noexcept {
    index depth = task.depth;
    if constexpr (has_avx512 && is_large_tile<T, Rows, Vectors>)
      for (; depth >= 2; depth -= 2) {
        add_products(sum, last);
        add_products(sum, last);
      }
    return depth;
  }

 private:
  const T* a_[Rows];
  const T* b_;
  const tile_step* step_;
};

}  // namespace etch::cpu::matmul_detail
