// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

#include <etch/backend/cpu/matmul/part.hpp>
#include <etch/backend/cpu/opaque/kernel.hpp>
#include <etch/backend/cpu/simd/arithmetic.hpp>
#include <etch/backend/cpu/simd/memory.hpp>
#include <etch/backend/cpu/simd/order.hpp>
#include <etch/ops/pooling.hpp>

/// Pools: for each window, the rows of channels of its elements.
namespace etch::cpu {

namespace detail {

/// How an array of images or of windows lies in memory, in elements: three axes, of which an image of fewer has the last.
struct pool_strides {
  static constexpr int axes = 3;
  std::int64_t batch = 0, along[axes] = {}, channel = 0;

  explicit pool_strides(const tensor_view& v) : batch(v.strides[0]), channel(v.strides[v.rank - 1]) {
    for (int i = 1; i < v.rank - 1; ++i) along[axes + 1 + i - v.rank] = v.strides[i];
  }
};

/// A window of two images of one shape.
struct pool_window {
  std::int64_t counts[pool_strides::axes];  ///< of its elements that are no padding
  std::int64_t first[2], steps[2][pool_strides::axes];
  std::int64_t place;  ///< of the window's own number, among windows

  std::int64_t size() const { return counts[0] * counts[1] * counts[2]; }
  /// Calls f(place in the first image, in the second).
  template <class F>
  ETCH_INLINE void for_each_element(const F& f) const {
    std::int64_t a0 = first[0], b0 = first[1];
    for (std::int64_t i = 0; i < counts[0]; ++i, a0 += steps[0][0], b0 += steps[1][0]) {
      std::int64_t a1 = a0, b1 = b0;
      for (std::int64_t j = 0; j < counts[1]; ++j, a1 += steps[0][1], b1 += steps[1][1]) {
        std::int64_t a2 = a1, b2 = b1;
        for (std::int64_t k = 0; k < counts[2]; ++k, a2 += steps[0][2], b2 += steps[1][2]) f(a2, b2);
      }
    }
  }
};

/// Channels one at a time, wherever they lie.
template <class T>
struct one_channel {
  using value = T;
  using mask = bool;
  static constexpr std::int64_t count = 1;
  ETCH_INLINE value load(const T* from) const { return *from; }
  ETCH_INLINE void store(T* to, value x) const { *to = x; }
  ETCH_INLINE static value filled(T x) { return x; }
  ETCH_INLINE static value larger(value a, value b) { return math::maximum(a, b); }
  ETCH_INLINE static value sum(value a, value b) { return static_cast<T>(a + b); }
  ETCH_INLINE static value quotient(value a, T b) { return static_cast<T>(a / b); }
  /// Whether x is what was found: equal, or NaN.
  ETCH_INLINE static mask is(value x, value found) { return (x == found) | is_nan(x); }
  ETCH_INLINE static mask both(mask a, mask b) { return a && b; }
  ETCH_INLINE static mask but(mask a, mask b) { return a && !b; }
  ETCH_INLINE static value chosen(mask m, value a, value b) { return m ? a : b; }
};
/// As many as some registers hold, which share what a loop over a window costs.
template <class T, std::size_t Registers>
struct channels_in_registers {
  using V = batch<T>;
  using M = decltype(V() == V());
  struct value {
    V at[Registers];
  };
  struct mask {
    M at[Registers];
  };
  static constexpr std::int64_t count = static_cast<std::int64_t>(Registers * V::size);

  ETCH_INLINE static value load(const T* from) {
    return each<value>([&](std::size_t i) ETCH_INLINED { return V::load_unaligned(from + i * V::size); });
  }
  ETCH_INLINE static void store(T* to, const value& x) {
    ETCH_UNROLL(4)
    for (std::size_t i = 0; i < Registers; ++i) x.at[i].store_unaligned(to + i * V::size);
  }
  ETCH_INLINE static value filled(T x) {
    return each<value>([&](std::size_t) ETCH_INLINED { return V(x); });
  }
  ETCH_INLINE static value larger(const value& a, const value& b) {
    return each<value>([&](std::size_t i) ETCH_INLINED { return simd::maximum(a.at[i], b.at[i]); });
  }
  ETCH_INLINE static value sum(const value& a, const value& b) {
    return each<value>([&](std::size_t i) ETCH_INLINED { return static_cast<V>(a.at[i] + b.at[i]); });
  }
  ETCH_INLINE static value quotient(const value& a, T b) {
    return each<value>([&](std::size_t i) ETCH_INLINED { return static_cast<V>(a.at[i] / V(b)); });
  }
  ETCH_INLINE static mask is(const value& x, const value& found) {
    return each<mask>([&](std::size_t i) ETCH_INLINED { return (x.at[i] == found.at[i]) | is_nan(x.at[i]); });
  }
  ETCH_INLINE static mask both(const mask& a, const mask& b) {
    return each<mask>([&](std::size_t i) ETCH_INLINED { return a.at[i] & b.at[i]; });
  }
  ETCH_INLINE static mask but(const mask& a, const mask& b) {
    return each<mask>([&](std::size_t i) ETCH_INLINED { return a.at[i] & !b.at[i]; });
  }
  ETCH_INLINE static value chosen(const mask& m, const value& a, const value& b) {
    return each<value>([&](std::size_t i) ETCH_INLINED { return static_cast<V>(xsimd::select(m.at[i], a.at[i], b.at[i])); });
  }

 private:
  template <class R, class F>
  ETCH_INLINE static R each(const F& f) {
    R r;
    ETCH_UNROLL(4)
    for (std::size_t i = 0; i < Registers; ++i) r.at[i] = f(i);
    return r;
  }
};
/// Up to as many as one register holds.
template <class T>
struct some_channels : channels_in_registers<T, 1> {
  using typename channels_in_registers<T, 1>::value;
  matmul_detail::part<batch<T>> some;
  ETCH_INLINE explicit some_channels(std::int64_t left) : some(static_cast<int>(left < this->count ? left : this->count)) {}
  ETCH_INLINE value load(const T* from) const { return {{some.load(from)}}; }
  ETCH_INLINE void store(T* to, const value& x) const { some.store(to, x.at[0]); }
};

/// All windows of two images.
class pool_loops {
  static constexpr int axes = pool_strides::axes;

 public:
  pool_strides a, b, w;
  std::int64_t channels;

  /// Attributes: `words_each` for each axis.
  pool_loops(const tensor_view& first, const tensor_view& second, const tensor_view& windows, const std::int64_t* attributes,
             int words_each)
      : a(first), b(second), w(windows), channels(first.extents[first.rank - 1]), batch_(first.extents[0]) {
    extent_table none;
    inference context{none};
    for (int i = 1; i < first.rank - 1; ++i) {
      const int to = axes + 1 + i - first.rank;
      along_[to] = pooled_axis::of(attributes + words_each * (i - 1));
      along_[to].along.place(context, first.extents[i], along_[to].window);
      extents_[to] = first.extents[i];
      windows_[to] = windows.extents[i];
    }
  }

  /// Whether windows are tiles: no two share an element, and each element is in one.
  bool tiles() const {
    bool all = true;
    for (int d = 0; d < axes; ++d) {
      const window_axis& s = along_[d].along;
      all = all && s.dilation == 1 && s.stride == along_[d].window && s.before == 0 && s.stride * windows_[d] == extents_[d];
    }
    return all;
  }
  /// Calls f(how channels are read, window, its first channel) for each window and all channels; several at a time where they lie side
  /// by side, and the same ones along a row of windows, which stays in L1 until all are done: what is known of them is found once a row.
  /// Against one register at a time, window by window, and the rest one by one, 64 channels take 0.7 to 0.8 of the time, 16 to 125 others
  /// 0.6 to 0.9, 12 channels 0.1 (Emerald Rapids).
  template <class T, class F>
  void for_each(const F& f) const {
    if constexpr (std::is_floating_point_v<T> && xsimd::types::has_simd_register<T, xsimd::default_arch>::value) {
      if (a.channel == 1 && b.channel == 1 && w.channel == 1)
        return for_each_row([&](pool_window& at) ETCH_INLINED {
          using four = channels_in_registers<T, 4>;
          using two = channels_in_registers<T, 2>;
          std::int64_t c = 0;
          for (; c + four::count <= channels; c += four::count) for_each_in_row(at, four{}, c, f);
          for (; c + two::count <= channels; c += two::count) for_each_in_row(at, two{}, c, f);
          for (; c < channels; c += some_channels<T>::count) for_each_in_row(at, some_channels<T>(channels - c), c, f);
        });
    }
    for_each_row([&](pool_window& at) ETCH_INLINED {
      for (std::int64_t c = 0; c < channels; ++c) for_each_in_row(at, one_channel<T>{}, c, f);
    });
  }

 private:
  /// Calls f(window) for each row of windows along the last axis, of which it has what they share.
  template <class F>
  ETCH_INLINE void for_each_row(const F& f) const {
    pool_window at;
    for (int d = 0; d < axes; ++d) {
      at.steps[0][d] = along_[d].along.dilation * a.along[d];
      at.steps[1][d] = along_[d].along.dilation * b.along[d];
    }
    for (std::int64_t n = 0; n < batch_; ++n)
      for (std::int64_t i = 0; i < windows_[0]; ++i) {
        const places x = elements(0, i);
        for (std::int64_t j = 0; j < windows_[1]; ++j) {
          const places y = elements(1, j);
          at.counts[0] = x.count;
          at.counts[1] = y.count;
          at.first[0] = n * a.batch + x.first * a.along[0] + y.first * a.along[1];
          at.first[1] = n * b.batch + x.first * b.along[0] + y.first * b.along[1];
          at.place = n * w.batch + i * w.along[0] + j * w.along[1];
          f(at);
        }
      }
  }
  template <class L, class F>
  ETCH_INLINE void for_each_in_row(const pool_window& row, const L& how, std::int64_t c, const F& f) const {
    pool_window at = row;
    for (std::int64_t k = 0; k < windows_[2]; ++k) {
      const places z = elements(2, k);
      at.counts[2] = z.count;
      at.first[0] = row.first[0] + z.first * a.along[2];
      at.first[1] = row.first[1] + z.first * b.along[2];
      at.place = row.place + k * w.along[2];
      f(how, at, c);
    }
  }
  /// A window's elements along an axis that are no padding.
  struct places {
    std::int64_t first, count;
  };
  ETCH_INLINE places elements(int axis, std::int64_t window) const {
    const window_axis& s = along_[axis].along;
    const std::int64_t begin = window * s.stride - s.before, size = along_[axis].window;
    if (begin >= 0 && begin + s.reach(size) <= extents_[axis]) return {begin, size};
    const std::int64_t before = begin < 0 ? (-begin + s.dilation - 1) / s.dilation : 0;
    const std::int64_t first = begin + before * s.dilation, left = size - before;
    const std::int64_t inside = first < extents_[axis] ? (extents_[axis] - first - 1) / s.dilation + 1 : 0;
    return {first, left < 0 ? 0 : inside < left ? inside : left};
  }

  std::int64_t batch_, extents_[axes] = {1, 1, 1}, windows_[axes] = {1, 1, 1};
  pooled_axis along_[axes];
};

/// The largest elements of a window, of channels that begin at x; NaN where there is one.
template <class L, class T>
ETCH_INLINE typename L::value largest(const L& how, const pool_window& w, const T* x) {
  typename L::value found = how.filled(math::lowest<T>());
  w.for_each_element([&](std::int64_t at, std::int64_t) ETCH_INLINED { found = how.larger(found, how.load(x + at)); });
  return found;
}

/// Whether windows are tiles, which set each element of an image once; otherwise they are added to zeros.
template <class T>
bool sets_all(const pool_loops& p, const tensor_view& image) {
  if (p.tiles()) return true;
  std::memset(image.data, 0, static_cast<std::size_t>(image.count()) * sizeof(T));
  return false;
}

}  // namespace detail

template <>
struct opaque_kernel<struct max_pool> {
  template <class T, class>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    const detail::pool_loops p(v[1], v[1], v[0], attributes, 5);
    const T* const x = reinterpret_cast<const T*>(v[1].data);
    T* const y = reinterpret_cast<T*>(v[0].data);
    p.for_each<T>([&](const auto& how, const detail::pool_window& w, std::int64_t c) ETCH_INLINED {
      how.store(y + w.place + c * p.w.channel, detail::largest(how, w, x + c * p.a.channel));
    });
  }
};

template <>
struct opaque_kernel<struct max_pool_gradient> {
  template <class T, class, class>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    const detail::pool_loops p(v[1], v[0], v[2], attributes, 5);
    const T* const x = reinterpret_cast<const T*>(v[1].data);
    const T* const dy = reinterpret_cast<const T*>(v[2].data);
    T* const dx = reinterpret_cast<T*>(v[0].data);
    const bool adds = !detail::sets_all<T>(p, v[0]);
    p.for_each<T>([&](const auto& how, const detail::pool_window& w, std::int64_t c) ETCH_INLINED {
      const T* const from = x + c * p.a.channel;
      T* const to = dx + c * p.b.channel;
      const auto found = detail::largest(how, w, from), zero = how.filled(T(0));
      auto left = how.load(dy + w.place + c * p.w.channel);  // what is placed is 0 from then on
      w.for_each_element([&](std::int64_t at, std::int64_t there) ETCH_INLINED {
        const auto here = how.is(how.load(from + at), found);
        auto placed = how.chosen(here, left, zero);
        if (adds) placed = how.sum(how.load(to + there), placed);
        how.store(to + there, placed);
        left = how.chosen(here, zero, left);
      });
    });
  }
};

template <>
struct opaque_kernel<struct max_pool_choice> {
  template <class T, class, class>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    const detail::pool_loops p(v[1], v[2], v[0], attributes, 5);
    const T* const x = reinterpret_cast<const T*>(v[1].data);
    const T* const g = reinterpret_cast<const T*>(v[2].data);
    T* const y = reinterpret_cast<T*>(v[0].data);
    p.for_each<T>([&](const auto& how, const detail::pool_window& w, std::int64_t c) ETCH_INLINED {
      const T* const from = x + c * p.a.channel;
      const auto found = detail::largest(how, w, from);
      auto choice = how.filled(T(0));
      auto waits = how.is(choice, choice);
      w.for_each_element([&](std::int64_t at, std::int64_t there) ETCH_INLINED {
        const auto here = how.both(waits, how.is(how.load(from + at), found));
        choice = how.chosen(here, how.load(g + there + c * p.b.channel), choice);
        waits = how.but(waits, here);
      });
      how.store(y + w.place + c * p.w.channel, choice);
    });
  }
};

template <>
struct opaque_kernel<struct average_pool> {
  template <class T, class>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    const detail::pool_loops p(v[1], v[1], v[0], attributes, 5);
    const T* const x = reinterpret_cast<const T*>(v[1].data);
    T* const y = reinterpret_cast<T*>(v[0].data);
    p.for_each<T>([&](const auto& how, const detail::pool_window& w, std::int64_t c) ETCH_INLINED {
      auto sum = how.filled(T(0));
      w.for_each_element([&](std::int64_t at, std::int64_t)
                             ETCH_INLINED { sum = how.sum(sum, how.load(x + at + c * p.a.channel)); });
      how.store(y + w.place + c * p.w.channel, how.quotient(sum, static_cast<T>(w.size())));
    });
  }
};

template <>
struct opaque_kernel<struct average_pool_gradient> {
  template <class T, class>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    const detail::pool_loops p(v[0], v[0], v[1], attributes, 6);
    const T* const dy = reinterpret_cast<const T*>(v[1].data);
    T* const dx = reinterpret_cast<T*>(v[0].data);
    const bool adds = !detail::sets_all<T>(p, v[0]);
    p.for_each<T>([&](const auto& how, const detail::pool_window& w, std::int64_t c) ETCH_INLINED {
      T* const to = dx + c * p.a.channel;
      const auto part = how.quotient(how.load(dy + w.place + c * p.w.channel), static_cast<T>(w.size()));
      w.for_each_element(
          [&](std::int64_t at, std::int64_t) ETCH_INLINED { how.store(to + at, adds ? how.sum(how.load(to + at), part) : part); });
    });
  }
};

}  // namespace etch::cpu
