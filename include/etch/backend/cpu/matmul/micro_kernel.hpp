// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include <etch/backend/cpu/matmul/tile_operands.hpp>
#include <etch/backend/cpu/simd/order.hpp>

/// The innermost loop of the matrix product (register blocking): one tile of the result, held in registers over all of k.
namespace etch::cpu::matmul_detail {

template <class T>
using tile_function = void (*)(const tile_task<T>&) noexcept;

// One row of a tile. By rows, since a program has some 20 tiles, and rows of 4 widths. Loops over registers are unrolled, or the
// registers would be memory.
template <class V, std::size_t Vectors>
ETCH_INLINE void clear_row(V (&sum)[Vectors]) noexcept {
  ETCH_UNROLL(16)
  for (std::size_t v = 0; v < Vectors; ++v) sum[v] = V(typename V::value_type(0));
}
template <class V, std::size_t Vectors>
ETCH_INLINE void add_row(V (&sum)[Vectors], const V (&other)[Vectors]) noexcept {
  ETCH_UNROLL(16)
  for (std::size_t v = 0; v < Vectors; ++v) sum[v] = sum[v] + other[v];
}
template <class V, std::size_t Vectors>
ETCH_INLINE void add_stored_row(V (&sum)[Vectors], const typename V::value_type* from) noexcept {
  ETCH_UNROLL(16)
  for (std::size_t v = 0; v < Vectors; ++v) sum[v] = sum[v] + V::load_unaligned(from + static_cast<index>(v) * lanes_of<V>);
}
template <class V, std::size_t Vectors>
ETCH_INLINE void relu_row(V (&sum)[Vectors]) noexcept {
  ETCH_UNROLL(16)
  for (std::size_t v = 0; v < Vectors; ++v) sum[v] = simd::maximum(sum[v], V(typename V::value_type(0)));
}
template <class V, std::size_t Vectors>
ETCH_INLINE void prefetch_row(const typename V::value_type* to) noexcept {
  ETCH_UNROLL(16)
  for (std::size_t v = 0; v < Vectors; ++v) __builtin_prefetch(to + static_cast<index>(v) * lanes_of<V>, 1);
}
/// In whole registers.
template <class V, std::size_t Vectors>
ETCH_INLINE void store_row(typename V::value_type* to, const V (&sum)[Vectors]) noexcept {
  using T = typename V::value_type;
  ETCH_UNROLL(16)
  for (std::size_t v = 0; v < Vectors; ++v) {
    if constexpr (sizeof(V) == sizeof(vector<T>))
      sum[v].store_unaligned(to + static_cast<index>(v) * lanes_of<V>);
    else
      whole_register<T>(sum[v]).store_unaligned(to + static_cast<index>(v) * lanes_of<V>);
  }
}
/// Of the last register those lanes that are in use.
template <class V, std::size_t Vectors>
ETCH_INLINE void store_row(typename V::value_type* to, const V (&sum)[Vectors], const part<V>& last) noexcept {
  ETCH_UNROLL(16)
  for (std::size_t v = 0; v + 1 < Vectors; ++v) sum[v].store_unaligned(to + static_cast<index>(v) * lanes_of<V>);
  last.store(to + static_cast<index>(Vectors - 1) * lanes_of<V>, sum[Vectors - 1]);
}

/// V: the registers of the tile, whole or half ones; a row of half registers has one.
template <class V, class Dot, std::size_t Rows, std::size_t Vectors,
          template <class, std::size_t, class> class Operands = tile_operands>
ETCH_NOINLINE void tile(const tile_task<typename V::value_type>& task) noexcept {
  using T = typename V::value_type;
  // A sum waits 4 cycles for its previous product, and 1 or 2 registers are multiplied per cycle: a small tile needs
  // several sums per element to stay busy. More than 8 of them, where registers are there, since not all come in time: 2 x 32 x 100
  // takes 0.65 of the time, 4 x 32 x 100 0.88 (Sapphire Rapids).
  constexpr std::size_t busy = has_avx512 ? 16 : 8;
  constexpr std::size_t chains = Rows * Vectors >= busy ? 1 : Rows * Vectors >= busy / 2 ? 2 : 4;
  const part<V> last(task.last);

  V sums[chains][Rows][Vectors];
  ETCH_UNROLL(16)
  for (std::size_t i = 0; i < Rows; ++i) {
    ETCH_UNROLL(16)
    for (std::size_t c = 0; c < chains; ++c) clear_row(sums[c][i]);
    prefetch_row<V, Vectors>(task.out + static_cast<index>(i) * task.out_row);
  }

  Operands<T, Rows, Dot> operands(task);
  index depth = operands.add_pairs(sums[0], task, last);
  for (; depth >= static_cast<index>(chains); depth -= static_cast<index>(chains)) {
    ETCH_UNROLL(16)
    for (std::size_t c = 0; c < chains; ++c) operands.add_products(sums[c], last);
  }
  if constexpr (chains > 1)
    for (; depth > 0; --depth) operands.add_products(sums[0], last);

  auto& sum = sums[0];
  ETCH_UNROLL(16)
  for (std::size_t c = 1; c < chains; ++c) {
    ETCH_UNROLL(16)
    for (std::size_t i = 0; i < Rows; ++i) add_row(sum[i], sums[c][i]);
  }
  if (task.start != nullptr) {
    const T* from = task.start;
    ETCH_UNROLL(16)
    for (std::size_t i = 0; i < Rows; ++i, from += task.start_row) add_stored_row(sum[i], from);
  }
  if (task.added != nullptr) {
    const T* from = task.added;
    ETCH_UNROLL(16)
    for (std::size_t i = 0; i < Rows; ++i, from += task.added_row) add_stored_row(sum[i], from);
  }
  if (task.relu) {
    ETCH_UNROLL(16)
    for (std::size_t i = 0; i < Rows; ++i) relu_row(sum[i]);
  }
  T* to = task.out;
  index row = task.out_row;
  // Or it is read after each row that is stored, which may have to wait for stores a multiple of 4 KiB apart: up to 8 % of 64 x 64 x 64,
  // by where the stack lies.
#if defined(__x86_64__)
  asm("" : "+r"(row));
#endif
  if (has_avx512 && task.is_out_exact) {
    ETCH_UNROLL(16)
    for (std::size_t i = 0; i < Rows; ++i, to += row) store_row(to, sum[i], last);
  } else {
    ETCH_UNROLL(16)
    for (std::size_t i = 0; i < Rows; ++i, to += row) store_row(to, sum[i]);
  }
}

/// The heights of tiles, and the widths of those of one row, are 1, 2, 4 and the largest: each kernel more is 30 ms of
/// compile time, and a tile of 2 x 2 registers is as fast an element as one of 8 x 2.
template <class V, class Dot, std::size_t Vectors>
inline constexpr std::array<tile_function<typename V::value_type>, 4> tiles_by_rows = {
    &tile<V, Dot, 1, Vectors>, &tile<V, Dot, 2, Vectors>, &tile<V, Dot, 4, Vectors>,
    &tile<V, Dot, static_cast<std::size_t>(tile_shape<typename V::value_type>::rows), Vectors>};
template <class V, class Dot>
inline constexpr std::array<tile_function<typename V::value_type>, 4> single_row_tiles = {
    &tile<V, Dot, 1, 1>, &tile<V, Dot, 1, 2>, &tile<V, Dot, 1, 4>,
    &tile<V, Dot, 1, static_cast<std::size_t>(tile_shape<typename V::value_type>::single_row_vectors)>};

/// The largest of 1, 2, 4 and `most` that is no more than n, as a place in those arrays and as a number.
ETCH_INLINE constexpr int size_class(index n, index most) noexcept { return n >= most ? 3 : n >= 4 ? 2 : n >= 2 ? 1 : 0; }
ETCH_INLINE constexpr index size_in_class(int place, index most) noexcept { return place == 3 ? most : index{1} << place; }

/// Of tiles that read a by tables.
template <class V, std::size_t Vectors>
inline constexpr std::array<tile_function<typename V::value_type>, 4> indirect_tiles = {
    &tile<V, multiply_add, 1, Vectors, indirect_operands>, &tile<V, multiply_add, 2, Vectors, indirect_operands>,
    &tile<V, multiply_add, 4, Vectors, indirect_operands>,
    &tile<V, multiply_add, static_cast<std::size_t>(tile_shape<typename V::value_type>::rows), Vectors, indirect_operands>};

/// How a row of a tile lies in registers.
struct panel {
  index columns;
  index registers;
  bool is_half;  ///< one half register
};

/// The next columns of a row, of `left` columns that remain, where a whole panel has `most` registers. Columns that
/// fill no register are a panel of their own.
template <class T>
ETCH_INLINE constexpr panel next_panel(index left, index most) noexcept {
  constexpr index L = lanes<T>;
  const index whole = left / L;
  if (whole == 0) return {left, 1, has_avx512 && left <= L / 2 && most != tile_shape<T>::single_row_vectors};
  const index registers = size_in_class(size_class(whole, most), most);
  return {registers * L, registers, false};
}

/// The registers of a panel of a product. Four are two panels of two: three and one would take 17 cycles where those take 16.
template <class T>
ETCH_INLINE constexpr index panel_registers(index m, index n) noexcept {
  using shape = tile_shape<T>;
  if (m == 1) return shape::single_row_vectors;
  return m < shape::rows || n / lanes<T> == 2 * shape::vectors ? shape::vectors : shape::wide_vectors;
}

/// The kernel for a tile whose height is in a size class, of a panel that is not wide; one copy of each for the whole program.
template <class T, class Dot = multiply_add, bool IsIndirect = false>
ETCH_INLINE tile_function<T> tile_for(int height, const panel& of) noexcept {
  using shape = tile_shape<T>;
  using V = vector<T>;
  const auto row = static_cast<std::size_t>(height);
#if defined(__AVX512F__) && defined(__AVX512VL__)
  if constexpr (has_avx512) {
    if constexpr (IsIndirect) {
      if (of.is_half) return indirect_tiles<half_vector<T>, 1>[row];
    } else {
      if (of.is_half) return tiles_by_rows<half_vector<T>, Dot, 1>[row];
    }
  }
#endif
  if constexpr (IsIndirect) return of.registers == 1 ? indirect_tiles<V, 1>[row] : indirect_tiles<V, 2>[row];
  if (of.registers > shape::vectors || (height == 0 && of.registers == shape::vectors))
    return single_row_tiles<V, Dot>[static_cast<std::size_t>(size_class(of.registers, shape::single_row_vectors))];
  return of.registers == 1 ? tiles_by_rows<V, Dot, 1>[row] : tiles_by_rows<V, Dot, 2>[row];
}

/// One tile of a panel.
template <class T, class Dot, bool IsIndirect>
ETCH_INLINE void multiply_tile(int height, const panel& of, tile_task<T>& task) noexcept {
  using shape = tile_shape<T>;
  if constexpr (!IsIndirect && shape::wide_vectors > shape::vectors) {
    if (of.registers == shape::wide_vectors) {
      if (height == 3)
        return tile<vector<T>, Dot, static_cast<std::size_t>(shape::rows), static_cast<std::size_t>(shape::wide_vectors)>(task);
      constexpr index first = shape::columns, rest = (shape::wide_vectors - shape::vectors) * lanes<T>;
      tile_for<T, Dot>(height, {first, shape::vectors, false})(task);
      const T *const start = task.start, *const added = task.added;
      task.b += first;
      task.out += first;
      if (start != nullptr) task.start += first;
      if (added != nullptr) task.added += first;
      tile_for<T, Dot>(height, {rest, shape::wide_vectors - shape::vectors, false})(task);
      task.b -= first;
      task.out -= first;
      task.start = start;
      task.added = added;
      return;
    }
  }
  tile_for<T, Dot, IsIndirect>(height, of)(task);
}

}  // namespace etch::cpu::matmul_detail
