// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include "reference/kernel.hpp"
#include <etch/ops.hpp>

/// Elements in order: each goes to the place whose number is how many come before it.
namespace etch::reference {

/// Writes element i of each line by `place(line's first element, i, its place)`. An element comes before another if it is a number
/// and that is none, if it is smaller (or larger), if it is -0 and that is 0 where `Signs`, and else if it stands before it.
template <class X, bool Signs, class Place>
void order_lines(const value& x, bool from_the_largest, const Place& place) {
  const std::int64_t n = x.extents[x.rank - 1];
  const std::int64_t lines = n == 0 ? 0 : x.count() / n;
  for (std::int64_t l = 0; l < lines; ++l) {
    const X* const line = x.data<X>() + l * n;
    for (std::int64_t i = 0; i < n; ++i) {
      std::int64_t before = 0;
      for (std::int64_t k = 0; k < n; ++k) {
        const X a = line[k], b = line[i];
        const bool a_is_number = a == a, b_is_number = b == b;
        bool same = !a_is_number && !b_is_number, first = a_is_number && !b_is_number;
        if (a_is_number && b_is_number) {
          same = a == b;
          first = from_the_largest ? a > b : a < b;
          if constexpr (Signs && std::is_floating_point_v<X>) {
            if (same && std::signbit(a) != std::signbit(b)) {
              same = false;
              first = std::signbit(a) != from_the_largest;
            }
          }
        }
        if (first || (same && k < i)) ++before;
      }
      place(l, i, before);
    }
  }
}

template <>
struct kernel<struct sort> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    const std::int64_t n = out.extents[out.rank - 1];
    order_lines<T, true>(in[0], in.attributes[0] != 0, [&](std::int64_t line, std::int64_t i, std::int64_t place) {
      out.data<T>()[line * n + place] = in[0].data<T>()[line * n + i];
    });
  }
};

template <>
struct kernel<struct argsort> {
  template <class, class X, class>
  static void run(const arguments& in, value& out) {
    const std::int64_t count = out.extents[out.rank - 1];
    order_lines<X, false>(in[0], in.attributes[0] != 0, [&](std::int64_t line, std::int64_t i, std::int64_t place) {
      if (place < count) out.data<std::int64_t>()[line * count + place] = i;
    });
  }
};

}  // namespace etch::reference
