// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/program/packed_program.hpp>
#include <etch/backend/cpu/simd/transpose.hpp>
#include <etch/backend/cpu/sweep/across.hpp>

/// Sweeps along rows of a few elements (known to the compiler), of which there are many: vectors lie across the rows. What
/// is a row in memory is transposed into a small tile first, all sweeps work there, and results are transposed back.
namespace etch::cpu {

template <class P, int Kept, int Length>
struct sweep_short_rows {
  static constexpr int rank = Kept + 1;
  static constexpr int slots = P::slots();
  using L = lanes_of<P>;
  static constexpr int width = L::count;
  /// Rows in a tile: two cache lines of each column.
  static constexpr int rows = 2 * width;

  ETCH_PART static void run(const nest<rank, slots>& n) noexcept {
    cursor<slots> c;
    for (int s = 0; s < slots; ++s) c.data[s] = n.data[s];
    nest<2, slots> tile;
    tile.extents[0] = rows;
    tile.extents[1] = Length;
    for_each_row<0, Kept - 1>(n, c, [&](cursor<slots> at) ETCH_PARTED {
      for (std::int64_t left = n.extents[Kept - 1]; left > 0; left -= rows) {
        run_tile(n, tile, at, left < rows ? left : rows);
        for (int s = 0; s < slots; ++s) at.data[s] += rows * n.stride[s][Kept - 1];
      }
    });
  }

 private:
  using use = detail::slot_use;
  static constexpr use use_of(int slot) { return detail::use_of_slot<P>(slot); }
  using packed_program = detail::packed_program<P>;

  /// Whole tiles read and write where they are what differs from row to row by one element. The last tile, of fewer rows, has a copy
  /// of that, too: so all vectors are whole, and there is one loop to compile.
  ETCH_PART static void run_tile(const nest<rank, slots>& n, nest<2, slots>& tile, const cursor<slots>& at, std::int64_t count) {
    alignas(64) char memory[slots + 1][Length * rows * 8];
    detail::for_each_slot<slots>([&]<int S>() ETCH_PARTED {
      constexpr use u = use_of(S);
      tile.data[S] = at.data[S];
      tile.stride[S][0] = n.stride[S][Kept - 1];
      tile.stride[S][1] = n.stride[S][Kept];
      if constexpr (u.mode != lane::same) {
        if (u.mode == lane::next && count == rows) return;
        using T = value_type_of<u.type>;
        if constexpr (u.loaded_first) move<T, true>(n, S, count, at.data[S], memory[S]);
        tile.data[S] = memory[S];
        tile.stride[S][0] = sizeof(T);
        tile.stride[S][1] = rows * static_cast<int>(sizeof(T));
      }
    });
    sweep_across<packed_program, 1, 1, Length>::run(tile);
    detail::for_each_slot<slots>([&]<int S>() ETCH_PARTED {
      constexpr use u = use_of(S);
      if constexpr (u.stored && u.mode != lane::same) {
        if (u.mode == lane::next && count == rows) return;
        move<value_type_of<u.type>, false>(n, S, count, at.data[S], memory[S]);
      }
    });
  }

  /// Transposes `count` rows at `from` into the tile, and the last of them again for rows that are not there; or back.
  template <class T, bool In>
  ETCH_PART static void move(const nest<rank, slots>& n, int slot, std::int64_t count, char* from, char* tile) {
    const std::int64_t stride = n.stride[slot][Kept - 1], step = n.stride[slot][Kept];
    T* const columns = reinterpret_cast<T*>(tile);
    if constexpr (has_columns<T> && Length >= 4) {
      if (step == sizeof(T) && count == rows) {
        for (int r = 0; r < rows; r += width)
          for (int j = 0; j < Length; j += 4) {
            const int first = j + 4 <= Length ? j : Length - 4;  // the last four may overlap those before
            move_columns<T, In>(from + r * stride + first * step, stride, columns + first * rows + r, rows);
          }
        return;
      }
    }
    if constexpr (has_columns<T> && Length == 3) {
      if (step == sizeof(T) && stride == 3 * sizeof(T) && count == rows) {
        three<T, In>(from, columns);
        return;
      }
    }
    for (int j = 0; j < (In || step != 0 ? Length : 1); ++j)
      for (std::int64_t r = 0; r < (In ? rows : count); ++r) {
        T& element = *reinterpret_cast<T*>(from + (r < count ? r : count - 1) * stride + j * step);
        if constexpr (In)
          columns[j * rows + r] = element;
        else
          element = columns[j * rows + r];
      }
  }
  /// Rows of three that follow one another, as rows of four: with the first element of the row behind in the first half of the tile,
  /// with the last one of the row before in the other: 64 bodies in three axes take 0.7 of the time that they take element by element
  /// (AVX2). In vectors of 64 bytes a compiler that knows all extents does better by itself: 0.6.
  template <class T, bool In>
  ETCH_PART static void three(char* from, T* columns) {
    if constexpr (sizeof(batch<T>) == 64) {
      T* __restrict const block = reinterpret_cast<T*>(from);
      T* __restrict const tile = columns;
      for (int r = 0; r < rows; ++r)
        for (int j = 0; j < 3; ++j) {
          if constexpr (In)
            tile[j * rows + r] = block[r * 3 + j];
          else
            block[r * 3 + j] = tile[j * rows + r];
        }
      return;
    }
    constexpr std::int64_t stride = 3 * sizeof(T);
    for (int half = 0; half < 2; ++half) {
      batch<T> x[4];
      const int r = half * width;
      char* const at = from + r * stride - half * static_cast<int>(sizeof(T));
      if constexpr (In) {
        load_columns<T>(at, stride, x);
        for (int k = 0; k < 3; ++k) store(columns + k * rows + r, x[k + half]);
      } else {
        for (int k = 0; k < 3; ++k) x[k + half] = load(columns + k * rows + r);
        x[half == 0 ? 3 : 0] = half == 0 ? load(columns + r + 1) : load(columns + 2 * rows + r - 1);
        store_columns<T>(at, stride, x);
      }
    }
  }
};

}  // namespace etch::cpu
