// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/opaque/kernel.hpp>
#include <etch/backend/cpu/simd.hpp>
#include <etch/backend/cpu/simd/transpose.hpp>
#include <etch/ops/argmax.hpp>

/// Where the extremes of lines are: argmax and argmin. The first NaN where there is one, else the first of equal ones.
namespace etch::cpu {

namespace detail {

/// The extremes of Op, of elements and of registers; of NaN and a number NaN. Which zero does not matter, since they are compared then.
template <class Op>
struct extreme {
  template <class V>
  ETCH_INLINE static V of(const V& a, const V& b) {
    if constexpr (std::is_arithmetic_v<V>)
      return std::is_same_v<Op, struct argmax> ? math::maximum(a, b) : math::minimum(a, b);
    else if constexpr (!std::is_floating_point_v<typename V::value_type>)
      return std::is_same_v<Op, struct argmax> ? simd::maximum(a, b) : simd::minimum(a, b);
    else
      return xsimd::select(is_nan(a), a, std::is_same_v<Op, struct argmax> ? greater(a, b) : smaller(a, b));
  }
};

template <class T>
inline constexpr bool compares_in_vectors = (std::is_floating_point_v<T> || std::is_same_v<T, std::int32_t>) && lanes<T> > 1;

/// Of n >= 1 elements side by side; NaN where there is one.
template <class Op, class T>
T extreme_of_block(const T* x, std::int64_t n) {
  T found = x[0];
  std::int64_t i = 0;
  if constexpr (compares_in_vectors<T>) {
    constexpr std::int64_t width = lanes<T>;
    if (n >= 4 * width) {
      batch<T> most[4];
      for (int k = 0; k < 4; ++k) most[k] = load(x + k * width);
      for (i = 4 * width; i + 4 * width <= n; i += 4 * width)
        for (int k = 0; k < 4; ++k) most[k] = extreme<Op>::of(most[k], load(x + i + k * width));
      T each[4 * width];
      for (int k = 0; k < 4; ++k) store(each + k * width, most[k]);
      for (const T& e : each) found = extreme<Op>::of(found, e);
    }
  }
  for (; i < n; ++i) found = extreme<Op>::of(found, x[i]);
  return found;
}

/// Where of n elements side by side the first is that equals `found`, or is NaN where that is; one does.
template <class T>
std::int64_t find_first(const T* x, std::int64_t n, T found) {
  std::int64_t i = 0;
  const bool wants_nan = is_nan(found);
  if constexpr (compares_in_vectors<T>) {
    constexpr std::int64_t width = lanes<T>;
    const batch<T> wanted(found);
    for (; i + width <= n; i += width) {
      const batch<T> y = load(x + i);
      if (any(wants_nan ? is_nan(y) : y == wanted)) break;
    }
  }
  while (i + 1 < n && !(wants_nan ? is_nan(x[i]) : x[i] == found)) ++i;
  return i;
}

/// Along n >= 1 elements side by side. The extreme is found first, and then its place within the block that has it: each element is read
/// once, but for those of one block, and nothing waits for a comparison.
template <class Op, class T>
std::int64_t place_along(const T* x, std::int64_t n) {
  constexpr std::int64_t block = 2048;
  T best = x[0];
  std::int64_t at = 0;
  for (std::int64_t b = 0; b < n; b += block) {
    const T found = extreme_of_block<Op>(x + b, n - b < block ? n - b : block);
    if (!is_nan(found) && b > 0 && !Op::better(found, best)) continue;
    best = found;
    at = b;
    if (is_nan(found)) break;
  }
  return at + find_first(x + at, n - at < block ? n - at : block, best);
}

/// Of `count` lines that lie side by side, element i of which is at x + i * stride: their places, `to_stride` apart.
template <class Op, class T>
void places_across(const T* x, std::int64_t stride, std::int64_t n, std::int64_t count, std::int64_t* to, std::int64_t to_stride) {
  constexpr std::int64_t width = lanes<T>, vectors = 4, tile = vectors * width;
  /// Numbers of elements are kept as T, which a mask of T chooses; those of a float are exact so far.
  constexpr std::int64_t most = std::int64_t{1} << 22;
  for (; count >= tile; count -= tile, x += tile, to += tile * to_stride) {
    for (std::int64_t begin = 0; begin < n; begin += most) {
      const T* const first = x + begin * stride;
      const std::int64_t past = n - begin < most ? n - begin : most;
      batch<T> best[vectors], at[vectors];
      for (int k = 0; k < vectors; ++k) {
        best[k] = load(first + k * width);
        at[k] = batch<T>(T(0));
      }
      for (std::int64_t i = 1; i < past; ++i) {
        const batch<T> number(static_cast<T>(i));
        for (int k = 0; k < vectors; ++k) {
          const batch<T> y = load(first + i * stride + k * width);
          const auto wins = (Op::better(y, best[k]) | is_nan(y)) & (best[k] == best[k]);
          best[k] = blend(wins, y, best[k]);
          at[k] = blend(wins, number, at[k]);
        }
      }
      T number[tile], value[tile];
      for (int k = 0; k < vectors; ++k) {
        store(number + k * width, at[k]);
        store(value + k * width, best[k]);
      }
      for (std::int64_t l = 0; l < tile; ++l) {
        std::int64_t& place = to[l * to_stride];
        const T before = begin == 0 ? T(0) : x[place * stride + l];
        if (begin == 0 || (before == before && (Op::better(value[l], before) || value[l] != value[l])))
          place = begin + static_cast<std::int64_t>(number[l]);
      }
    }
  }
}

/// Of `count` lines of a few elements side by side, which lie `stride` apart: as many lines as fill some registers are transposed.
template <class Op, class T, int Most>
std::int64_t places_of_short(const T* x, std::int64_t n, std::int64_t stride, std::int64_t count, std::int64_t* to,
                             std::int64_t to_stride) {
  constexpr std::int64_t width = lanes<T>, tile = 4 * width;
  alignas(64) T columns[Most * tile];
  std::int64_t done = 0;
  for (; count - done >= tile; done += tile) {
    for (std::int64_t r = 0; r < tile; r += width)
      for (std::int64_t j = 0; j < n; j += 4) {
        const std::int64_t first = j + 4 <= n ? j : n - 4;  // the last four may overlap those before
        batch<T> four[4];
        load_columns<T>(reinterpret_cast<const char*>(x + (done + r) * stride + first),
                        stride * static_cast<std::int64_t>(sizeof(T)), four);
        for (int k = 0; k < 4; ++k) store(columns + (first + k) * tile + r, four[k]);
      }
    places_across<Op>(columns, tile, n, tile, to + done * to_stride, to_stride);
  }
  return done;
}

template <class Op>
struct arg_kernel {
  template <class, class T>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    const tensor_view &x = v[1], &y = v[0];
    const int axis = static_cast<int>(attributes[0]);
    const std::int64_t n = x.extents[axis], step = x.strides[axis];
    // The other axes, those side by side in memory last.
    std::int64_t extents[max_rank] = {}, from[max_rank] = {}, to[max_rank] = {};
    int rank = 0;
    for (int i = 0; i < x.rank; ++i) {
      if (i == axis) continue;
      extents[rank] = x.extents[i];
      from[rank] = x.strides[i];
      to[rank++] = y.strides[i < axis ? i : i - 1];
    }
    for (int i = 0; i + 1 < rank; ++i)
      if (from[i] == 1 && extents[i] > 1) {
        std::swap(extents[i], extents[rank - 1]);
        std::swap(from[i], from[rank - 1]);
        std::swap(to[i], to[rank - 1]);
      }
    const std::int64_t count = rank > 0 ? extents[rank - 1] : 1;
    const std::int64_t side = rank > 0 ? from[rank - 1] : 0, to_side = rank > 0 ? to[rank - 1] : 0;
    for_each_pair(rank > 0 ? rank - 1 : 0, extents, from, to, [&](std::int64_t a, std::int64_t b) {
      const T* const first = reinterpret_cast<const T*>(x.data) + a;
      std::int64_t* const place = reinterpret_cast<std::int64_t*>(y.data) + b;
      std::int64_t done = 0;
      if constexpr (compares_in_vectors<T>) {
        constexpr std::int64_t tile = 4 * lanes<T>;
        if (side == 1 && n > 0) {
          places_across<Op>(first, step, n, count, place, to_side);
          done = count / tile * tile;
        }
        if constexpr (has_columns<T>)
          if (step == 1 && n >= 4 && n <= 32) done = places_of_short<Op, T, 32>(first, n, side, count, place, to_side);
      }
      for (; done < count; ++done) place[done * to_side] = place_in_line(first + done * side, n, step);
    });
  }

 private:
  template <class T>
  static std::int64_t place_in_line(const T* x, std::int64_t n, std::int64_t step) {
    if (step == 1 && n > 16) return place_along<Op>(x, n);
    std::int64_t best = 0;
    for (std::int64_t i = 1; i < n && x[best * step] == x[best * step]; ++i) {
      const T value = x[i * step];
      if (Op::better(value, x[best * step]) || value != value) best = i;
    }
    return best;
  }
};

}  // namespace detail

template <>
struct opaque_kernel<struct argmax> : detail::arg_kernel<struct argmax> {};
template <>
struct opaque_kernel<struct argmin> : detail::arg_kernel<struct argmin> {};

}  // namespace etch::cpu
