// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <etch/backend/cpu/opaque/kernel.hpp>
#include <etch/backend/cpu/opaque/radix_sort.hpp>
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

/// Calls f(first element of the operand's line, its stride, its count, first of the result's line).
template <class T, class R, class F>
void for_each_last_line(const tensor_view* v, const F& f) {
  const int last = v[1].rank - 1;
  for_each_pair(last, v[1].extents, v[1].strides, v[0].strides, [&](std::int64_t from, std::int64_t to) {
    f(reinterpret_cast<const T*>(v[1].data) + from, v[1].strides[last], v[1].extents[last], reinterpret_cast<R*>(v[0].data) + to);
  });
}

/// As words, which lie where the result will.
template <bool Descending, class T>
void sort_lines(const tensor_view* v) {
  using key = sort_key<Descending, T>;
  using word [[gnu::may_alias]] = typename key::word;
  for_each_last_line<T, T>(v, [](const T* x, std::int64_t stride, std::int64_t n, T* y) {
    word* const words = reinterpret_cast<word*>(y);
    for (std::int64_t i = 0; i < n; ++i) words[i] = key::of(x[i * stride]);
    radix_sort(words, n);
    for (std::int64_t i = 0; i < n; ++i) y[i] = key::value(words[i]);
  });
}

/// All positions, of elements of at most 4 bytes: the key above the position.
template <bool Descending, class T>
void order_small_elements(const T* x, std::int64_t stride, std::int64_t n, std::int64_t* y) {
  auto* const words = reinterpret_cast<std::uint64_t*>(y);
  for (std::int64_t i = 0; i < n; ++i) {
    const T element = x[i * stride];
    words[i] = std::uint64_t{sort_key<Descending, T>::of(element == T(0) ? T(0) : element)} << 32 | static_cast<std::uint64_t>(i);
  }
  radix_sort(words, n);
  for (std::int64_t i = 0; i < n; ++i) words[i] &= 0xffffffff;
}

/// The first `count` positions: a heap holds the best so far, with the worst of them in front.
template <bool Descending, class T>
void order_lines(const tensor_view* v) {
  const std::int64_t count = v[0].extents[v[0].rank - 1];
  for_each_last_line<T, std::int64_t>(v, [count](const T* x, std::int64_t stride, std::int64_t n, std::int64_t* y) {
    if constexpr (sizeof(T) <= 4)
      if (count == n && n <= std::int64_t{1} << 32) return order_small_elements<Descending>(x, stride, n, y);
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
