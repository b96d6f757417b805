// SPDX-License-Identifier: MIT
#pragma once
#include "reference/kernel.hpp"
#include <etch/ops/pooling.hpp>

/// Pools and their gradients: window by window, element by element.
namespace etch::reference {

/// Calls f(window, elements) for each window and channel: its position among windows, and those of its elements in the image, in their
/// order. `words_each`: attributes of an axis.
template <class F>
void for_each_window(const value& image, const value& windows, const words& attributes, int words_each, const F& f) {
  const int axes = image.rank - 2;
  pooled_axis axis[max_rank];
  extent_table none;
  inference context{none};
  for (int i = 0; i < axes; ++i) {
    axis[i] = pooled_axis::of(attributes.at + words_each * i);
    axis[i].along.place(context, image.extents[1 + i], axis[i].window);
  }
  std::int64_t places = 1;
  for (int i = 0; i < axes; ++i) places *= axis[i].window;
  for (std::int64_t n = 0; n < windows.count(); ++n) {
    const position window = position_of(windows, n);
    std::vector<position> elements;
    for (std::int64_t place = 0; place < places; ++place) {
      position p = window;
      std::int64_t rest = place;
      bool inside = true;
      for (int i = axes; i-- > 0; rest /= axis[i].window) {
        p[1 + i] = window[1 + i] * axis[i].along.stride + rest % axis[i].window * axis[i].along.dilation - axis[i].along.before;
        inside = inside && p[1 + i] >= 0 && p[1 + i] < image.extents[1 + i];
      }
      if (inside) elements.push_back(p);
    }
    f(window, elements);
  }
}

/// The first of the largest elements, or of those that are not a number; -1 of none.
template <class T>
int place_of_largest(const value& x, const std::vector<position>& elements) {
  int best = -1;
  for (int k = 0; k < static_cast<int>(elements.size()); ++k) {
    const T element = x.data<T>()[number_of(x, elements[static_cast<std::size_t>(k)])];
    if (element != element) return k;
    if (best < 0 || element > x.data<T>()[number_of(x, elements[static_cast<std::size_t>(best)])]) best = k;
  }
  return best;
}

template <>
struct kernel<struct max_pool> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    for_each_window(in[0], out, in.attributes, 5, [&](const position& window, const std::vector<position>& elements) {
      T largest = math::lowest<T>();
      for (const position& p : elements) largest = math::maximum(largest, in[0].data<T>()[number_of(in[0], p)]);
      out.data<T>()[number_of(out, window)] = largest;
    });
  }
};
template <>
struct kernel<struct max_pool_gradient> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    for (std::int64_t i = 0; i < out.count(); ++i) out.data<T>()[i] = T(0);
    for_each_window(in[0], in[1], in.attributes, 5, [&](const position& window, const std::vector<position>& elements) {
      const int best = place_of_largest<T>(in[0], elements);
      if (best < 0) return;
      T& to = out.data<T>()[number_of(out, elements[static_cast<std::size_t>(best)])];
      to = static_cast<T>(to + in[1].data<T>()[number_of(in[1], window)]);
    });
  }
};
template <>
struct kernel<struct max_pool_choice> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    for_each_window(in[0], out, in.attributes, 5, [&](const position& window, const std::vector<position>& elements) {
      const int best = place_of_largest<T>(in[0], elements);
      out.data<T>()[number_of(out, window)] =
          best < 0 ? T(0) : in[1].data<T>()[number_of(in[1], elements[static_cast<std::size_t>(best)])];
    });
  }
};
template <>
struct kernel<struct average_pool> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    for_each_window(in[0], out, in.attributes, 5, [&](const position& window, const std::vector<position>& elements) {
      accumulator<T> sum = 0;
      for (const position& p : elements) sum += static_cast<accumulator<T>>(in[0].data<T>()[number_of(in[0], p)]);
      out.data<T>()[number_of(out, window)] = static_cast<T>(sum / static_cast<accumulator<T>>(elements.size()));
    });
  }
};
template <>
struct kernel<struct average_pool_gradient> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    for (std::int64_t i = 0; i < out.count(); ++i) out.data<T>()[i] = T(0);
    for_each_window(out, in[0], in.attributes, 6, [&](const position& window, const std::vector<position>& elements) {
      const T part = in[0].data<T>()[number_of(in[0], window)] / static_cast<T>(elements.size());
      for (const position& p : elements) out.data<T>()[number_of(out, p)] += part;
    });
  }
};

}  // namespace etch::reference
