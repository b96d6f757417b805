// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

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

/// Channels one at a time, and as many as a register holds.
template <class T>
struct one_channel {
  using value = T;
  using mask = bool;
  static constexpr std::int64_t count = 1;
  ETCH_INLINE static value load(const T* from) { return *from; }
  ETCH_INLINE static void store(T* to, value x) { *to = x; }
  ETCH_INLINE static value larger(value a, value b) { return math::maximum(a, b); }
  ETCH_INLINE static value chosen(mask m, value a, value b) { return m ? a : b; }
};
template <class T>
struct register_of_channels {
  using value = batch<T>;
  using mask = decltype(value() == value());
  static constexpr std::int64_t count = static_cast<std::int64_t>(value::size);
  ETCH_INLINE static value load(const T* from) { return value::load_unaligned(from); }
  ETCH_INLINE static void store(T* to, const value& x) { x.store_unaligned(to); }
  ETCH_INLINE static value larger(const value& a, const value& b) { return simd::maximum(a, b); }
  ETCH_INLINE static value chosen(const mask& m, const value& a, const value& b) { return xsimd::select(m, a, b); }
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

  /// Whether each element of the images is in one window.
  bool tiles() const {
    bool all = true;
    for (int d = 0; d < axes; ++d) {
      const window_axis& s = along_[d].along;
      all = all && s.dilation == 1 && s.stride == along_[d].window && s.before == 0 && s.stride * windows_[d] == extents_[d];
    }
    return all;
  }
  /// Calls f(how channels are read, window, its first channel) for each window until all channels are done; several at a time where they
  /// lie side by side.
  template <class T, class F>
  void for_each(const F& f) const {
    for_each_window([&](const pool_window& at) ETCH_INLINED {
      std::int64_t c = 0;
      if constexpr (std::is_floating_point_v<T> && xsimd::types::has_simd_register<T, xsimd::default_arch>::value) {
        using several = register_of_channels<T>;
        if (a.channel == 1 && b.channel == 1 && w.channel == 1)
          for (; c + several::count <= channels; c += several::count) f(several{}, at, c);
      }
      for (; c < channels; ++c) f(one_channel<T>{}, at, c);
    });
  }

 private:
  template <class F>
  ETCH_INLINE void for_each_window(const F& f) const {
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
          for (std::int64_t k = 0; k < windows_[2]; ++k) {
            const places z = elements(2, k);
            at.counts[0] = x.count;
            at.counts[1] = y.count;
            at.counts[2] = z.count;
            at.first[0] = n * a.batch + x.first * a.along[0] + y.first * a.along[1] + z.first * a.along[2];
            at.first[1] = n * b.batch + x.first * b.along[0] + y.first * b.along[1] + z.first * b.along[2];
            at.place = n * w.batch + i * w.along[0] + j * w.along[1] + k * w.along[2];
            f(at);
          }
        }
      }
  }
  /// A window's elements along an axis that are no padding.
  struct places {
    std::int64_t first, count;
  };
  places elements(int axis, std::int64_t window) const {
    const window_axis& s = along_[axis].along;
    const std::int64_t begin = window * s.stride - s.before;
    const std::int64_t before = begin < 0 ? (-begin + s.dilation - 1) / s.dilation : 0;
    const std::int64_t first = begin + before * s.dilation, left = along_[axis].window - before;
    const std::int64_t inside = first < extents_[axis] ? (extents_[axis] - first - 1) / s.dilation + 1 : 0;
    return {first, left < 0 ? 0 : inside < left ? inside : left};
  }

  std::int64_t batch_, extents_[axes] = {1, 1, 1}, windows_[axes] = {1, 1, 1};
  pooled_axis along_[axes];
};

/// The largest elements of a window, of channels that begin at x; NaN where there is one.
template <class L, class T>
ETCH_INLINE typename L::value largest(const pool_window& w, const T* x) {
  typename L::value found(math::lowest<T>());
  w.for_each_element([&](std::int64_t at, std::int64_t) ETCH_INLINED { found = L::larger(found, L::load(x + at)); });
  return found;
}
/// Whether x is what was found: equal, or NaN.
template <class V>
ETCH_INLINE auto is_found(const V& x, const V& found) {
  return (x == found) | is_nan(x);
}

}  // namespace detail

template <>
struct opaque_kernel<struct max_pool> {
  template <class T, class>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    const detail::pool_loops p(v[1], v[1], v[0], attributes, 5);
    const T* const x = reinterpret_cast<const T*>(v[1].data);
    T* const y = reinterpret_cast<T*>(v[0].data);
    p.for_each<T>([&]<class L>(L, const detail::pool_window& w, std::int64_t c) ETCH_INLINED {
      L::store(y + w.place + c * p.w.channel, detail::largest<L>(w, x + c * p.a.channel));
    });
  }
};

template <>
struct opaque_kernel<struct max_pool_gradient> {
  template <class T, class, class>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    const detail::pool_loops p(v[1], v[0], v[2], attributes, 5);
    if (p.tiles()) return place<T, true>(p, v);
    std::memset(v[0].data, 0, static_cast<std::size_t>(v[0].count()) * sizeof(T));
    place<T, false>(p, v);
  }

 private:
  /// Tiles: no two windows share an element, and each element is in one.
  template <class T, bool Tiles>
  static void place(const detail::pool_loops& p, const tensor_view* v) {
    const T* const x = reinterpret_cast<const T*>(v[1].data);
    const T* const dy = reinterpret_cast<const T*>(v[2].data);
    T* const dx = reinterpret_cast<T*>(v[0].data);
    p.for_each<T>([&]<class L>(L, const detail::pool_window& w, std::int64_t c) ETCH_INLINED {
      using V = typename L::value;
      const T* const from = x + c * p.a.channel;
      T* const to = dx + c * p.b.channel;
      const V found = detail::largest<L>(w, from), zero(T(0));
      V left = L::load(dy + w.place + c * p.w.channel);  // what is placed is 0 from then on
      w.for_each_element([&](std::int64_t at, std::int64_t there) ETCH_INLINED {
        const auto here = detail::is_found(L::load(from + at), found);
        const V placed = L::chosen(here, left, zero);
        L::store(to + there, Tiles ? placed : static_cast<V>(L::load(to + there) + placed));
        left = L::chosen(here, zero, left);
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
    p.for_each<T>([&]<class L>(L, const detail::pool_window& w, std::int64_t c) ETCH_INLINED {
      using V = typename L::value;
      const T* const from = x + c * p.a.channel;
      const V found = detail::largest<L>(w, from);
      V choice(T(0));
      typename L::mask waits = choice == choice;
      w.for_each_element([&](std::int64_t at, std::int64_t there) ETCH_INLINED {
        const typename L::mask here = waits & detail::is_found(L::load(from + at), found);
        choice = L::chosen(here, L::load(g + there + c * p.b.channel), choice);
        waits = waits & !here;
      });
      L::store(y + w.place + c * p.w.channel, choice);
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
    p.for_each<T>([&]<class L>(L, const detail::pool_window& w, std::int64_t c) ETCH_INLINED {
      using V = typename L::value;
      V sum(T(0));
      w.for_each_element([&](std::int64_t at, std::int64_t) ETCH_INLINED { sum = sum + L::load(x + at + c * p.a.channel); });
      L::store(y + w.place + c * p.w.channel, sum / V(static_cast<T>(w.size())));
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
    std::memset(v[0].data, 0, static_cast<std::size_t>(v[0].count()) * sizeof(T));
    p.for_each<T>([&]<class L>(L, const detail::pool_window& w, std::int64_t c) ETCH_INLINED {
      using V = typename L::value;
      T* const to = dx + c * p.a.channel;
      const V part = L::load(dy + w.place + c * p.w.channel) / V(static_cast<T>(w.size()));
      w.for_each_element([&](std::int64_t at, std::int64_t) ETCH_INLINED { L::store(to + at, L::load(to + at) + part); });
    });
  }
};

}  // namespace etch::cpu
