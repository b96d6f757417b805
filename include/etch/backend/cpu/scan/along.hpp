// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

#include <etch/backend/cpu/program/packed_program.hpp>
#include <etch/backend/cpu/scan/states.hpp>
#include <etch/backend/cpu/simd/transpose.hpp>

/// Scans along the innermost axis. As many rows as a vector has lanes are transposed into tiles, in which lanes are rows, and back; of what
/// rows are left vectors lie along the axis, and scans take their lanes one after another.
namespace etch::cpu {

namespace detail {

/// Of an access that lies in a tile of columns, lanes next to one another. A count has a stride of its own.
constexpr lane mode_in_columns(const instruction& i) { return i.code == opcode::iota ? lane::strided : lane::next; }
template <class P>
using transposed_program = typename with_modes<P, mode_in_columns>::type;

/// Whether a scan has the same bits in vectors and one element at a time: one of a few additions and multiplications.
template <class Op>
inline constexpr bool is_exact_scan = Op::cost <= 4;

}  // namespace detail

template <class P, int Kept>
struct scan_along {
  static constexpr int rank = Kept + 1;
  static constexpr int slots = P::slots();
  using L = lanes_of<P>;
  static constexpr int width = L::count;
  static constexpr bool backwards = scans_of<P>::value.backwards;

  ETCH_PART static void run(const nest<rank, slots>& n) noexcept {
    cursor<slots> c = start_of<Kept>(n);
    if constexpr (Kept == 0) {
      line(c, n.extents[0]);
    } else {
      for_each_row<0, Kept - 1>(n, c, [&](cursor<slots> at) ETCH_PARTED {
        std::int64_t left = n.extents[Kept - 1];
        if constexpr (width > 1) {
          if (n.extents[Kept] >= 4)
            for (; left >= width; left -= width) {
              lines_in_tiles(n, at);
              move_on(n, at, width);
            }
        }
        for (; left > 0; --left) {
          line(at, n.extents[Kept]);
          move_on(n, at, 1);
        }
      });
    }
  }

 private:
  ETCH_PART static void move_on(const nest<rank, slots>& n, cursor<slots>& at, std::int64_t rows) {
    for (int s = 0; s < slots; ++s) at.data[s] += rows * n.stride[s][Kept - 1];
  }

  using use = detail::slot_use;
  static constexpr use use_of(int slot) { return detail::use_of_slot<P>(slot); }
  static constexpr bool has_memory(int slot) { return use_of(slot).loaded_first || use_of(slot).stored; }
  /// Columns of a tile: as many as leave all tiles in the first cache.
  static constexpr std::int64_t columns = [] {
    std::int64_t bytes = 0;
    for (int s = 0; s < slots; ++s)
      if (has_memory(s)) bytes += width * size_of_dtype(use_of(s).type);
    const std::int64_t fitting = (std::int64_t{16} << 10) / bytes / 4 * 4;
    return fitting > 64 ? 64 : fitting < 8 ? 8 : fitting;
  }();

  /// As many lines as a register has lanes. 512 x 1024 floats take 230 us (Zen 5); one element at a time they take 280 or 830, by where
  /// operand and result lie: 8 lines 4 KiB apart, and those of the result, are more than a set of the cache has.
  ETCH_PART static void lines_in_tiles(const nest<rank, slots>& n, const cursor<slots>& lines) {
    using Q = detail::transposed_program<P>;
    alignas(64) char tiles[slots + 1][columns * width * 8];
    const std::int64_t length = n.extents[Kept];
    registers<Q, L> r;
    scan_states<Q, L> states;
    states.clear();
    cursor<slots> start;
    std::int64_t pitch[slots + 1];
    detail::for_each_slot<slots>([&]<int S>() ETCH_PARTED {
      constexpr use u = use_of(S);
      start.data[S] = lines.data[S];
      start.stride[S] = n.stride[S][Kept - 1];
      pitch[S] = n.stride[S][Kept];
      if constexpr (has_memory(S)) {
        start.data[S] = tiles[S];
        pitch[S] = u.mode == lane::same ? 0 : width * size_of_dtype(u.type);
        if constexpr (u.mode == lane::same) move<S, true>(n, lines.data[S], tiles[S], 1);
      }
    });
    evaluate_section<Q, L, 0, true, false>(r, start, 0, width);
    for (std::int64_t done = 0, count = 0; done < length; done += count) {
      const std::int64_t left = length - done;
      count = left <= columns ? left : left < columns + 4 ? columns - 4 : columns;  // none of fewer than 4
      const std::int64_t first = backwards ? left - count : done;
      detail::for_each_slot<slots>([&]<int S>() ETCH_PARTED {
        constexpr use u = use_of(S);
        if constexpr (u.loaded_first && u.mode != lane::same)
          move<S, true>(n, lines.data[S] + first * n.stride[S][Kept], tiles[S], count);
      });
      cursor<slots> c = start;
      for (int s = 0; s < slots; ++s) c.data[s] += (backwards ? count - 1 : 0) * pitch[s] + (has_memory(s) ? 0 : first * pitch[s]);
      for (std::int64_t j = 0; j < count; ++j) {
        scan_element<Q, L, false>(r, states, c, 0, width);
        for (int s = 0; s < slots; ++s) c.data[s] += backwards ? -pitch[s] : pitch[s];
      }
      detail::for_each_slot<slots>([&]<int S>() ETCH_PARTED {
        constexpr use u = use_of(S);
        if constexpr (u.stored) move<S, false>(n, lines.data[S] + first * n.stride[S][Kept], tiles[S], count);
      });
    }
  }
  /// Transposes `count` elements of the lines that begin at `at` into a tile, or back.
  template <int S, bool In>
  ETCH_PART static void move(const nest<rank, slots>& n, char* at, char* tile, std::int64_t count) {
    using T = value_type_of<use_of(S).type>;
    const std::int64_t row = n.stride[S][Kept - 1], step = n.stride[S][Kept];
    if (step == static_cast<std::int64_t>(sizeof(T)) && count >= 4)
      move_contiguous<T, In>(at, row, reinterpret_cast<T*>(tile), count);
    else
      move_elements<T, In>(at, row, step, reinterpret_cast<T*>(tile), count);
  }
  /// By a copy of the lines: those that lie a multiple of 4 KiB apart share a set of the first cache, which must have them whole. The last
  /// four columns may be moved again.
  template <class T, bool In>
  ETCH_PART static void move_contiguous(char* lines, std::int64_t row, T* tile, std::int64_t count) {
    constexpr std::int64_t size = sizeof(T), apart = columns * size;
    const std::int64_t bytes = count * size;
    alignas(64) char copy[width * apart];
    if constexpr (In)
      for (std::int64_t l = 0; l < width; ++l) copy_piece(copy + l * apart, lines + l * row, bytes);
    if constexpr (has_columns<T>)
      for (std::int64_t j = 0; j < count; j += 4) {
        const std::int64_t first = j + 4 <= count ? j : count - 4;
        move_columns<T, In>(copy + first * size, apart, tile + first * width, width);
      }
    else
      move_elements<T, In>(copy, apart, size, tile, count);
    if constexpr (!In)
      for (std::int64_t l = 0; l < width; ++l) copy_piece(lines + l * row, copy + l * apart, bytes);
  }
  /// Of a few hundred bytes, by registers; the last may be written again. Of memcpy g++ makes a loop over 8 bytes, from whose stores no
  /// register can be forwarded: (512, 1024) floats took 1.5 of the time by where the stack lay (Xeon, AVX-512).
  ETCH_PART static void copy_piece(char* to, const char* from, std::int64_t bytes) {
    using piece = char __attribute__((vector_size(32)));
    const auto copy = [&](std::int64_t at) ETCH_PARTED {
      piece x;
      std::memcpy(&x, from + at, sizeof x);
      std::memcpy(to + at, &x, sizeof x);
    };
    constexpr std::int64_t size = sizeof(piece);
    if (bytes < size) return static_cast<void>(std::memcpy(to, from, static_cast<std::size_t>(bytes)));
    for (std::int64_t at = 0; at + size < bytes; at += size) copy(at);
    copy(bytes - size);
  }
  template <class T, bool In>
  ETCH_PART static void move_elements(char* lines, std::int64_t row, std::int64_t step, T* tile, std::int64_t count) {
    for (std::int64_t j = 0; j < count; ++j)
      for (std::int64_t l = 0; l < width; ++l) {
        T& element = *reinterpret_cast<T*>(lines + l * row + j * step);
        if constexpr (In)
          tile[j * width + l] = element;
        else
          element = tile[j * width + l];
      }
  }

  /// One line, in vectors along it.
  ETCH_PART static void line(const cursor<slots> c, std::int64_t length) {
    registers<P, L> r;
    lane_states s;
    s.clear();
    evaluate_section<P, L, 0, true, false>(r, c, 0, width);
    if constexpr (backwards) {
      std::int64_t i = length;
      for (; i >= width; i -= width) vector<false>(r, s, c, i - width, width);
      if constexpr (width > 1)
        if (i > 0) vector<true>(r, s, c, 0, static_cast<int>(i));
    } else {
      std::int64_t i = 0;
      for (; i + width <= length; i += width) vector<false>(r, s, c, i, width);
      if constexpr (width > 1)
        if (i < length) vector<true>(r, s, c, i, static_cast<int>(length - i));
    }
  }
  using lane_states = scan_states<P, scalar_lanes>;

  template <bool Partial>
  ETCH_PART static void vector(registers<P, L>& r, lane_states& s, const cursor<slots>& c, std::int64_t i, int count) {
    vector_each<Partial>(r, s, c, i, count, selected<P, 0, choice::varying>{});
  }
  template <bool Partial, int... I>
  ETCH_PART static void vector_each(registers<P, L>& r, lane_states& s, const cursor<slots>& c, std::int64_t i, int count,
                                    std::integer_sequence<int, I...>) {
    (instruction_of_vector<Partial, I>(r, s, c, i, count), ...);
  }
  template <bool Partial, int I>
  ETCH_PART static void instruction_of_vector(registers<P, L>& r, lane_states& s, const cursor<slots>& c, std::int64_t i,
                                              int count) {
    if constexpr (decoded<P>::at(I).code == opcode::scan)
      take_lanes<I>(r, s.template get<I>(), Partial ? count : width);
    else
      evaluate<P, L, I, (Partial && detail::touches_memory<P, I>), false>(r, c, i, count);
  }
  /// Takes the first `count` lanes one after another.
  template <int I>
  ETCH_PART static void take_lanes(registers<P, L>& r, typename detail::scan_at<P, I>::T& state, int count) {
    using scan = detail::scan_at<P, I>;
    using T = typename scan::T;
    if constexpr (width == 1) {
      const T after = scan::template after<L>(r, state);
      r.template get<I>() = scan::exclusive ? state : after;
      state = after;
    } else {
      alignas(64) T x[width], y[width];
      constexpr dtype type = scan::in.type;
      const auto put = [](T* to, const auto& lanes) ETCH_INLINED {
        detail::store_lanes<L, type, lane::next, false, false>(reinterpret_cast<char*>(to), 0, lanes, width);
      };
      put(x, r.template get<scan::in.a>());
      if constexpr (scan::op::arity == 2) put(y, r.template get<scan::in.b>());
      T running = state;
      for (int k = 0; k < count; ++k) {
        const int l = backwards ? count - 1 - k : k;
        const T after = next<I>(running, x[l], y[l]);
        x[l] = scan::exclusive ? running : after;  // lanes that are not taken stay what they are
        running = after;
      }
      state = running;
      r.template get<I>() = detail::load_lanes<L, type, lane::next, false>(reinterpret_cast<const char*>(x), 0, width);
    }
  }
  template <int I, class T>
  ETCH_INLINE static T next(const T& state, const T& x, [[maybe_unused]] const T& y) {
    using op = typename detail::scan_at<P, I>::op;
    using V = typename L::template value<dtype_of<T>>;
    if constexpr (op::arity == 2)
      return op::combine(state, x, y);
    else if constexpr (detail::is_exact_scan<op>)
      return op::combine(state, x);
    else
      return op::combine(V(state), V(x)).get(0);
  }
};

}  // namespace etch::cpu
