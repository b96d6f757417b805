// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include <etch/backend/cpu/opaque/kernel.hpp>
#include <etch/ops.hpp>

/// Elements in order, within the memory of the result: a bound step allocates nothing.
namespace etch::cpu {

namespace detail {

/// Whether a comes before b, for certain or but for equality.
template <bool Descending, class T>
bool comes_before(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>)
    if (a != a || b != b) return a == a;
  return Descending ? a > b : a < b;
}
/// The same, and the negative one of two zeros before the other: there is one order then, whichever way elements are sorted.
template <bool Descending, class T>
bool value_comes_before(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>)
    if (a == b && a == T(0)) return Descending ? std::signbit(b) && !std::signbit(a) : std::signbit(a) && !std::signbit(b);
  return comes_before<Descending>(a, b);
}

/// Calls f(first element of the operand's line, its stride, its count, first of the result's line).
template <class T, class R, class F>
void for_each_last_line(const tensor_view* v, const F& f) {
  const int last = v[1].rank - 1;
  for_each_pair(last, v[1].extents, v[1].strides, v[0].strides, [&](std::int64_t from, std::int64_t to) {
    f(reinterpret_cast<const T*>(v[1].data) + from, v[1].strides[last], v[1].extents[last], reinterpret_cast<R*>(v[0].data) + to);
  });
}

template <bool Descending, class T>
void sort_lines(const tensor_view* v) {
  for_each_last_line<T, T>(v, [](const T* x, std::int64_t stride, std::int64_t n, T* y) {
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[i * stride];
    std::sort(y, y + n, [](const T& a, const T& b) { return value_comes_before<Descending>(a, b); });
  });
}

/// The first `count` positions: a heap holds the best so far, with the worst of them in front.
template <bool Descending, class T>
void order_lines(const tensor_view* v) {
  const std::int64_t count = v[0].extents[v[0].rank - 1];
  for_each_last_line<T, std::int64_t>(v, [count](const T* x, std::int64_t stride, std::int64_t n, std::int64_t* y) {
    const auto before = [x, stride](std::int64_t a, std::int64_t b) {
      const T &first = x[a * stride], &second = x[b * stride];
      return comes_before<Descending>(first, second) || (!comes_before<Descending>(second, first) && a < b);
    };
    for (std::int64_t i = 0; i < count; ++i) y[i] = i;
    if (count < n && count > 0) {
      std::make_heap(y, y + count, before);
      for (std::int64_t i = count; i < n; ++i) {
        if (!before(i, y[0])) continue;
        std::pop_heap(y, y + count, before);
        y[count - 1] = i;
        std::push_heap(y, y + count, before);
      }
    }
    std::sort(y, y + count, before);
  });
}

}  // namespace detail

template <>
struct opaque_kernel<struct sort> {
  template <class T, class>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    if (attributes[0] != 0)
      detail::sort_lines<true, T>(v);
    else
      detail::sort_lines<false, T>(v);
  }
};

template <>
struct opaque_kernel<struct argsort> {
  template <class, class T>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    if (attributes[0] != 0)
      detail::order_lines<true, T>(v);
    else
      detail::order_lines<false, T>(v);
  }
};

}  // namespace etch::cpu
