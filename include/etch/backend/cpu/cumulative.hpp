// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/opaque_kernel.hpp>
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
    // Along the last axis one line's steps wait for one another: 8 lines hide that. Along others what lies side by side in
    // memory is taken in pieces of 1 to 2 kB.
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
        lines<256>(at);
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
    for (std::int64_t first = 0; first < count; first += Tile) {
      const std::int64_t width = count - first < Tile ? count - first : Tile;
      T state[Tile];
      for (std::int64_t l = 0; l < width; ++l) state[l] = start;
      for (std::int64_t i = 0; i < n; ++i) {
        T* row[views];
        for (int k = 0; k < views; ++k)
          row[k] = reinterpret_cast<T*>(v[k].data) + at[k] + first * side[k] + (reverse ? n - 1 - i : i) * v[k].strides[axis];
        if (adjacent)
          step<true>(width, state, row, side, std::make_integer_sequence<int, Operands>{});
        else
          step<false>(width, state, row, side, std::make_integer_sequence<int, Operands>{});
      }
    }
  }
  template <bool Adjacent, int... K>
  void step(std::int64_t width, T* ETCH_RESTRICT state, T* const* row, const std::int64_t* side, std::integer_sequence<int, K...>) {
    T* ETCH_RESTRICT const to = row[0];
    for (std::int64_t l = 0; l < width; ++l) {
      const T before = state[l], after = next(before, row[K + 1][Adjacent ? l : l * side[K + 1]]...);
      to[Adjacent ? l : l * side[0]] = Exclusive ? before : after;
      state[l] = after;
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
