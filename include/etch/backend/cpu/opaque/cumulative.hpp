// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

#include <etch/backend/cpu/opaque/kernel.hpp>
#include <etch/backend/cpu/simd/transpose.hpp>
#include <etch/ops.hpp>

/// What comes together along an axis: a state per line, which every element changes.
namespace etch::cpu {

namespace detail {

/// Takes the lines along `axis` of v[0] (the result) and v[1] ... v[Operands], which have one shape. Each line's state is `start`
/// at first; the result is the state before (Exclusive) or after next(state, elements...).
template <class T, int Operands, bool Exclusive, class Next>
struct scan {
  static constexpr int views = Operands + 1;
  const tensor_view* v;
  int axis;
  bool reverse;
  T start;
  Next next;
  int across = -1;  ///< the axis along which lines lie side by side

  void run() {
    const int last = v[0].rank - 1;
    // Along the last axis one line's steps wait for one another: several lines hide that. Along others what lies side by side in
    // memory is taken in long pieces, as memory likes it, of which three still have room in the first cache.
    if (axis != last)
      across = last;
    else if (last > 0)
      across = last - 1;
    if (v[0].count() == 0) return;
    std::int64_t index[max_rank] = {}, at[views] = {};
    for (;;) {
      if (axis == last)
        lines<8>(at);
      else
        lines<8192 / sizeof(T)>(at);
      int i = last;
      for (; i >= 0; --i) {
        if (i == axis || i == across) continue;
        const bool goes_on = ++index[i] < v[0].extents[i];
        if (!goes_on) index[i] = 0;
        for (int k = 0; k < views; ++k) at[k] += (goes_on ? 1 : 1 - v[0].extents[i]) * v[k].strides[i];
        if (goes_on) break;
      }
      if (i < 0) return;
    }
  }

 private:
  static constexpr std::int64_t most_columns = 64;  ///< of a tile

  /// All lines that lie side by side, Tile at a time.
  template <int Tile>
  void lines(const std::int64_t* at) {
    const std::int64_t count = across < 0 ? 1 : v[0].extents[across], n = v[0].extents[axis];
    std::int64_t side[views] = {};
    bool adjacent = true;
    for (int k = 0; k < views && across >= 0; ++k) {
      side[k] = v[k].strides[across];
      adjacent = adjacent && side[k] == 1;
    }
    for (std::int64_t first = lines_in_registers(at, side, count, n); first < count; first += Tile) {
      const std::int64_t width = count - first < Tile ? count - first : Tile;
      T state[Exclusive ? Tile : 1];
      for (std::int64_t i = 0; i < n; ++i) {
        T* row[views];
        for (int k = 0; k < views; ++k)
          row[k] = reinterpret_cast<T*>(v[k].data) + at[k] + first * side[k] + (reverse ? n - 1 - i : i) * v[k].strides[axis];
        if (adjacent)
          step<true>(i, width, state, row, side);
        else
          step<false>(i, width, state, row, side);
      }
    }
  }
  /// As many lines as registers hold side by side, where each lies in one piece of memory: tiles are transposed, a step is one operation
  /// for all lines, and tiles are transposed back. How many lines that were. 512 x 1024 floats take 230 us (Zen 5); one element at a time
  /// they take 280 or 830, by where operand and result lie: 8 lines 4 KiB apart, and those of the result, are more than a set of the cache has.
  std::int64_t lines_in_registers(const std::int64_t* at, const std::int64_t* side, std::int64_t count, std::int64_t n) {
    if constexpr (has_columns<T>) {
      constexpr std::int64_t height = lanes<T>, most = most_columns;
      bool contiguous = n >= 4 && count >= height;
      for (int k = 0; k < views; ++k) contiguous = contiguous && v[k].strides[axis] == 1;
      if (!contiguous) return 0;
      alignas(64) T tile[views][most * height];
      std::int64_t first = 0;
      for (; first + height <= count; first += height) {
        T state[height];
        for (T& of_line : state) of_line = start;
        for (std::int64_t done = 0, width = 0; done < n; done += width) {
          const std::int64_t left = n - done;
          width = left <= most ? left : left < most + 4 ? most - 4 : most;  // none of fewer than 4 columns
          const std::int64_t begin = reverse ? left - width : done;
          const auto place = [&](int k) { return reinterpret_cast<T*>(v[k].data) + at[k] + first * side[k] + begin; };
          for (int k = 1; k < views; ++k) move_tile<true>(place(k), side[k], tile[k], width);
          for (std::int64_t i = 0; i < width; ++i)
            step_registers(state, tile, (reverse ? width - 1 - i : i) * height, std::make_integer_sequence<int, Operands>{});
          move_tile<false>(place(0), side[0], tile[0], width);
        }
      }
      return first;
    } else {
      return 0;
    }
  }
  template <std::size_t Height, std::size_t Size, int... K>
  ETCH_INLINE void step_registers(T (&state)[Height], T (&tile)[views][Size], std::int64_t column,
                                  std::integer_sequence<int, K...>) {
    T* const to = tile[0] + column;
    // No array of results, copied when all are there: of AVX2's g++ 12 copied it in words, which the next step's load of a whole register
    // waited for, and 512 x 1024 floats took 1.1 ms, not 0.5 (Zen 3).
    ETCH_UNROLL(1)  // or g++ makes 64 scalar additions of it before it looks for vectors
    for (std::size_t l = 0; l < Height; ++l) {
      const T after = next(state[l], tile[K + 1][column + static_cast<std::int64_t>(l)]...);
      to[l] = Exclusive ? state[l] : after;
      state[l] = after;
    }
  }
  /// Between lines that lie `stride` apart and their copy as columns; the last four columns may be moved again. By a copy of the lines: those
  /// that lie a multiple of 4 KiB apart share a set of the first cache, which must have them whole.
  template <bool In>
  static void move_tile(T* lines, std::int64_t stride, T* columns, std::int64_t width) {
    constexpr std::int64_t height = lanes<T>;
    const auto bytes = static_cast<std::size_t>(width) * sizeof(T);
    alignas(64) T copy[height * most_columns];
    if constexpr (In)
      for (std::int64_t l = 0; l < height; ++l) std::memcpy(copy + l * most_columns, lines + l * stride, bytes);
    for (std::int64_t j = 0; j < width; j += 4) {
      const std::int64_t first = j + 4 <= width ? j : width - 4;
      move_columns<T, In>(reinterpret_cast<char*>(copy + first), most_columns * static_cast<std::int64_t>(sizeof(T)),
                          columns + first * height, height);
    }
    if constexpr (!In)
      for (std::int64_t l = 0; l < height; ++l) std::memcpy(lines + l * stride, copy + l * most_columns, bytes);
  }
  /// Element i of so many lines. What is inclusive has its states in the result: 512 x 1024 floats take 0.6 of the time that a copy
  /// of them in `state` takes, for a second store per element is what costs.
  template <bool Adjacent>
  void step(std::int64_t i, std::int64_t width, T* state, T* const* row, const std::int64_t* side) {
    const auto all = std::make_integer_sequence<int, Operands>{};
    const std::int64_t to = Adjacent ? 1 : side[0];
    if (i == 0)
      each<Adjacent>(width, row, side, state, [&](std::int64_t) { return start; }, all);
    else if constexpr (Exclusive)
      each<Adjacent>(width, row, side, state, [&](std::int64_t l) { return state[l]; }, all);
    else
      each<Adjacent>(
          width, row, side, state,
          [apart = to, before = row[0] + (reverse ? 1 : -1) * v[0].strides[axis]](std::int64_t l) { return before[l * apart]; },
          all);
  }
  template <bool Adjacent, class Before, int... K>
  ETCH_INLINE void each(std::int64_t width, T* const* row, const std::int64_t* side, [[maybe_unused]] T* ETCH_RESTRICT state,
                        const Before& before, std::integer_sequence<int, K...>) {
    T* ETCH_RESTRICT const to = row[0];
    for (std::int64_t l = 0; l < width; ++l) {
      const T old = before(l), after = next(old, row[K + 1][Adjacent ? l : l * side[K + 1]]...);
      to[Adjacent ? l : l * side[0]] = Exclusive ? old : after;
      if constexpr (Exclusive) state[l] = after;
    }
  }
};

template <class T, int Operands, bool Exclusive, class Next>
void scan_lines(const tensor_view* v, const std::int64_t* attributes, T start, const Next& next) {
  scan<T, Operands, Exclusive, Next>{v, static_cast<int>(attributes[0]), (attributes[1] & 1) != 0, start, next}.run();
}

template <class Op>
struct cumulative_kernel {
  template <class T, class>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    const auto next = [](const T& state, const T& x) { return Op::combine(state, x); };
    if ((attributes[1] & 2) != 0)
      scan_lines<T, 1, true>(v, attributes, Op::template identity<T>(), next);
    else
      scan_lines<T, 1, false>(v, attributes, Op::template identity<T>(), next);
  }
};

}  // namespace detail

template <>
struct opaque_kernel<struct cumsum> : detail::cumulative_kernel<struct cumsum> {};
template <>
struct opaque_kernel<struct cumprod> : detail::cumulative_kernel<struct cumprod> {};
template <>
struct opaque_kernel<struct logcumsumexp> : detail::cumulative_kernel<struct logcumsumexp> {};

template <>
struct opaque_kernel<struct linear_recurrence> {
  template <class T, class, class>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    const auto next = [](const T& state, const T& a, const T& b) { return math::fma(a, state, b); };
    detail::scan_lines<T, 2, true>(v, attributes, T(0), next);
  }
};

}  // namespace etch::cpu
