// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/map/interleaved.hpp>
#include <etch/backend/cpu/map/map.hpp>
#include <etch/backend/cpu/program/packed_program.hpp>
#include <etch/backend/cpu/simd/transpose.hpp>

/// Elementwise kernels with operands, or results, that are not contiguous along the innermost axis: those of a transposed array
/// (cache blocking). A tile of these is transposed into memory that stays in L1, so that each cache line is read once.
namespace etch::cpu {

/// MayStream: whether the extents can be so large that stores had better be non-temporal (streaming).
template <class P, int Rank, bool MayStream>
struct tiled_map_kernel {
  static_assert(Rank >= 2);
  static constexpr int slots = P::slots();
  using use = detail::slot_use;
  static constexpr use use_of(int slot) { return detail::use_of_slot<P>(slot); }
  static constexpr bool is_copied(int slot) { return use_of(slot).mode == lane::strided; }
  static constexpr std::int64_t columns = 32;
  /// Rows of which there are so few that their tiles are longer: the colours of pixels.
  static constexpr std::int64_t few_rows = 4;
  /// Of what is read, pieces of four cache lines: 2048 x 2048 floats take 0.4 of the time of one line (Zen 3). Fewer where many are
  /// read so, whose copies should stay in L1.
  static constexpr std::int64_t rows = [] {
    std::int64_t bytes = 0;
    for (int s = 0; s < slots; ++s)
      if (is_copied(s)) bytes += columns * size_of_dtype(use_of(s).type);
    const std::int64_t fitting = (std::int64_t{32} << 10) / bytes / 4 * 4;
    return fitting > 64 ? 64 : fitting < 8 ? 8 : fitting;
  }();

  /// Rows whose stores are streams that the processor's prefetcher follows; those of a whole tile where it makes no difference. With 16 rows
  /// 1000 x 300 floats take 0.5 of the time, 2000 x 2000 0.2 (Granite Rapids, whose stores wait for L3); Zen 3 to 5 are ahead of others with 64.
#if defined(__AMX_TILE__)
  static constexpr std::int64_t followed_rows = 16;
#else
  static constexpr std::int64_t followed_rows = rows;
#endif

  ETCH_KERNEL static void run(const nest<Rank, slots>& whole) noexcept {
    if constexpr (is_host_pass) {
      nest<Rank, slots> n = whole;
      bring_inside(n);
      if constexpr (streamed_bytes > 0)
        if (const std::int64_t first = elements_before_streaming(n); first >= 0) {
          run_tiles<true>(n, first);
          return finish_streamed();
        }
      run_tiles<false>(n, 0);
    }
  }

 private:
  using tile_map = map_kernel<detail::packed_program<P>, 2, lanes_of<P>, MayStream>;
  /// Bytes touched per element if stores can be non-temporal, else 0.
  static constexpr std::int64_t streamed_bytes = [] {
    for (int s = 0; s < slots; ++s)
      if (is_copied(s) && use_of(s).stored) return std::int64_t{0};
    return tile_map::streamed_bytes;
  }();
  /// Lines of a result lie in as many pages as a tile has rows, and are read before they are written, unless stores are non-temporal: 2048 x
  /// 2048 floats take 0.7 of the time then (Zen 4). -1: they do not.
  static std::int64_t elements_before_streaming(const nest<Rank, slots>& n) {
    std::int64_t bytes = streamed_bytes;
    for (int d = 0; d < Rank; ++d) bytes *= n.extents[d];
    return bytes < least_streamed_bytes ? -1 : map_kernel<P, Rank, lanes_of<P>, MayStream>::elements_before_streaming(n);
  }
  /// first: so many columns make the first tile of each row of tiles, if any.
  template <bool Streamed>
  ETCH_PART static void run_tiles(const nest<Rank, slots>& n, std::int64_t first) {
    cursor<slots> c;
    for (int s = 0; s < slots; ++s) c.data[s] = n.data[s];
    const bool is_long = n.extents[Rank - 2] <= few_rows;
    const bool is_short = !Streamed && followed_rows < rows && stays_near(n);
    const std::int64_t height = is_long    ? few_rows
                                : is_short ? followed_rows
                                           : rows,
                       width = is_long ? rows * columns / few_rows : columns;
    for_each_row<0, Rank - 2>(n, c, [&](const cursor<slots>& at) ETCH_PARTED {
      for (std::int64_t i = 0; i < n.extents[Rank - 2]; i += height)
        for (std::int64_t j = 0, past = first > 0 ? first : width; j < n.extents[Rank - 1]; j = past, past += width)
          run_tile<Streamed>(n, at, i, j, height, past - j, width);
    });
  }

  /// Where the copy for a slot begins, in bytes; of slots that have none, where it would.
  static constexpr std::int64_t place_of(int slot) {
    std::int64_t bytes = 0;
    for (int s = 0; s < slot; ++s)
      if (is_copied(s)) bytes += rows * columns * size_of_dtype(use_of(s).type);
    return bytes;
  }

  /// Whether what the columns of a row of tiles read stays in L2 for the next rows, which lie in the same cache lines: in 1 MiB, two lines a
  /// column, that do not share sets, as those a multiple of 2 KiB apart would: 2048 x 2048 floats take 1.4 times as long by 16 rows.
  static bool stays_near(const nest<Rank, slots>& n) {
    bool is_near = n.extents[Rank - 1] <= 8192;
    for (int s = 0; s < slots; ++s)
      if (is_copied(s)) is_near = is_near && n.stride[s][Rank - 1] % 2048 != 0;
    return is_near;
  }

  /// The outer axis along which what is copied lies closest together becomes the last of them.
  static void bring_inside(nest<Rank, slots>& n) {
    int best = Rank - 2;
    std::int64_t least = -1;
    for (int d = Rank - 2; d >= 0; --d) {
      std::int64_t distance = 0;
      for (int s = 0; s < slots; ++s)
        if (is_copied(s)) distance += n.stride[s][d] < 0 ? -n.stride[s][d] : n.stride[s][d];
      if (n.extents[d] == 1 || distance == 0 || (least >= 0 && distance >= least)) continue;
      least = distance;
      best = d;
    }
    if (best == Rank - 2) return;
    swap(n.extents[best], n.extents[Rank - 2]);
    for (int s = 0; s < slots; ++s) swap(n.stride[s][best], n.stride[s][Rank - 2]);
  }
  static void swap(std::int64_t& a, std::int64_t& b) {
    const std::int64_t before = a;
    a = b;
    b = before;
  }

  /// `apart`: between two rows of the copies, in elements.
  template <bool Streamed>
  ETCH_PART static void run_tile(const nest<Rank, slots>& n, const cursor<slots>& at, std::int64_t i, std::int64_t j,
                                 std::int64_t height, std::int64_t width, std::int64_t apart) {
    alignas(64) char memory[place_of(slots)];
    nest<2, slots> tile;
    tile.extents[0] = n.extents[Rank - 2] - i < height ? n.extents[Rank - 2] - i : height;
    tile.extents[1] = n.extents[Rank - 1] - j < width ? n.extents[Rank - 1] - j : width;
    char* places[slots + 1];
    detail::for_each_slot<slots>([&]<int S>() ETCH_PARTED {
      constexpr use u = use_of(S);
      tile.stride[S][0] = n.stride[S][Rank - 2];
      tile.stride[S][1] = n.stride[S][Rank - 1];
      places[S] = at.data[S] + i * tile.stride[S][0] + j * tile.stride[S][1];
      tile.data[S] = places[S];
      if constexpr (is_copied(S)) {
        using T = value_type_of<u.type>;
        if constexpr (u.loaded_first) move<T, true>(tile, S, places[S], memory + place_of(S), apart);
        tile.data[S] = memory + place_of(S);
        tile.stride[S][0] = apart * static_cast<std::int64_t>(sizeof(T));
        tile.stride[S][1] = sizeof(T);
      }
    });
    if constexpr (Streamed)
      tile_map::run_streamed_rows(tile);
    else
      tile_map::run_inline(tile);
    detail::for_each_slot<slots>([&]<int S>() ETCH_PARTED {
      constexpr use u = use_of(S);
      if constexpr (is_copied(S) && u.stored) {
        tile.stride[S][0] = n.stride[S][Rank - 2];
        tile.stride[S][1] = n.stride[S][Rank - 1];
        move<value_type_of<u.type>, false>(tile, S, places[S], memory + place_of(S), apart);
      }
    });
  }

  /// Whole vectors of each row of the copy, from four contiguous rows at a time, or back. At the ends those before are moved again.
  template <class T, bool In>
  ETCH_PART static void transpose(std::int64_t height, std::int64_t width, char* place, std::int64_t along, T* copy,
                                  std::int64_t apart) {
    for (std::int64_t column = 0; column < width; column += lanes<T>)
      for (std::int64_t row = 0; row < height; row += 4) {
        const std::int64_t i = row + 4 <= height ? row : height - 4;
        const std::int64_t j = column + lanes<T> <= width ? column : width - lanes<T>;
        move_columns<T, In>(place + i * static_cast<std::int64_t>(sizeof(T)) + j * along, along, copy + i * apart + j, apart);
      }
  }
  /// Groups of two or three elements, which lie one behind the other, as rows of the copy: four elements of each column are read, but for the
  /// last, behind which there may be none. Returns how many columns.
  template <class T>
  ETCH_PART static std::int64_t move_groups(std::int64_t width, char* place, std::int64_t along, T* copy, std::int64_t apart) {
    std::int64_t j = 0;
    for (; j + lanes<T> < width; j += lanes<T>) move_columns<T, true>(place + j * along, along, copy + j, apart);
    return j;
  }

  /// Copies a tile's elements in, or back out.
  template <class T, bool In>
  ETCH_NOINLINE static void move(const nest<2, slots>& tile, int slot, char* place, char* memory, std::int64_t apart) {
    const std::int64_t down = tile.stride[slot][0], along = tile.stride[slot][1];
    T* const copy = reinterpret_cast<T*>(memory);
    const std::int64_t height = tile.extents[0], width = tile.extents[1];
    std::int64_t j = 0;
    if constexpr (has_columns<T>) {
      constexpr std::int64_t lane_count = lanes<T>;
      if (down == sizeof(T) && height >= 4 && width >= lane_count)
        return transpose<T, In>(height, width, place, along, copy, apart);
      if constexpr (In)
        if (down == sizeof(T) && height > 1 && height < 4 && along == height * down)
          j = move_groups<T>(width, place, along, copy, apart);
    }
    if constexpr (In && sizeof(T) == 1)
      if (down == 1 && along == height) {
        const auto* from = reinterpret_cast<const unsigned char*>(place);
        auto* to = reinterpret_cast<unsigned char*>(memory);
        if (height == 3) return detail::deinterleave_bytes<3>(from, to, apart, width);
        if (height == 4) return detail::deinterleave_bytes<4>(from, to, apart, width);
        if (height == 2) return detail::deinterleave_bytes<2>(from, to, apart, width);
      }
    for (; j < width; ++j)
      for (std::int64_t i = 0; i < height; ++i) {
        T& element = *reinterpret_cast<T*>(place + i * down + j * along);
        if constexpr (In)
          copy[i * apart + j] = element;
        else
          element = copy[i * apart + j];
      }
  }
};

}  // namespace etch::cpu
