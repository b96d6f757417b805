// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>
#include <string>

#include "reference/kernel.hpp"
#include <etch/ops.hpp>

/// Elements elsewhere: each result element is looked up where it comes from, or each operand element put where it goes.
namespace etch::reference {

template <>
struct kernel<struct reshape> {
  template <class, class, class>
  static void run(const arguments& in, value& out) {
    out.bytes = in[0].bytes;
  }
};

template <>
struct kernel<struct broadcast_to> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    const std::int64_t n = out.count();
    for (std::int64_t i = 0; i < n; ++i) out.data<T>()[i] = in[0].data<T>()[broadcast_number(in[0], out, position_of(out, i))];
  }
};

template <>
struct kernel<struct transpose> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    const std::int64_t n = out.count();
    for (std::int64_t i = 0; i < n; ++i) {
      const position p = position_of(out, i);
      position q;
      for (int axis = 0; axis < out.rank; ++axis) q[static_cast<int>(in.attributes[axis])] = p[axis];
      out.data<T>()[i] = in[0].data<T>()[number_of(in[0], q)];
    }
  }
};

/// Attributes per axis: begin, end, step. Axes that are not named are whole. The shape says how many elements there
/// are; where a named extent turns out to be too small for them, throws.
template <>
struct kernel<struct slice> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    const value& x = in[0];
    const std::int64_t n = out.count();
    for (std::int64_t i = 0; i < n; ++i) {
      position p = position_of(out, i);
      for (int axis = 0; axis < in.attributes.count / 3; ++axis) {
        const std::int64_t step = in.attributes[3 * axis + 2];
        p[axis] = slice.begin_of(x.extents[axis], in.attributes[3 * axis], step) + p[axis] * step;
        if (p[axis] < 0 || p[axis] >= x.extents[axis])
          throw error("reference: slice: axis " + std::to_string(axis) + " has too few elements");
      }
      out.data<T>()[i] = x.data<T>()[number_of(x, p)];
    }
  }
};

/// Attributes per axis: where the first element goes (-1: to the last place), the zeros after, the distance of two.
template <>
struct kernel<struct pad> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    const value& x = in[0];
    const std::int64_t n = x.count();
    for (std::int64_t i = 0; i < n; ++i) {
      position p = position_of(x, i);
      for (int axis = 0; axis < x.rank; ++axis) {
        const std::int64_t begin = in.attributes[3 * axis] < 0 ? out.extents[axis] - 1 : in.attributes[3 * axis];
        p[axis] = begin + p[axis] * in.attributes[3 * axis + 2];
      }
      out.data<T>()[number_of(out, p)] = x.data<T>()[i];
    }
  }
};

template <>
struct kernel<struct concat> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    const int axis = static_cast<int>(in.attributes[0]);
    std::int64_t before = 0;
    for (int k = 0; k < in.count; ++k) {
      const std::int64_t n = in[k].count();
      for (std::int64_t i = 0; i < n; ++i) {
        position p = position_of(in[k], i);
        p[axis] += before;
        out.data<T>()[number_of(out, p)] = in[k].data<T>()[i];
      }
      before += in[k].extents[axis];
    }
  }
};

template <>
struct kernel<cyclic_shift> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    const int axis = static_cast<int>(in.attributes[0]);
    const std::int64_t n = in[0].count();
    for (std::int64_t i = 0; i < n; ++i) {
      position p = position_of(in[0], i);
      p[axis] = (p[axis] + in.attributes[1] % out.extents[axis] + out.extents[axis]) % out.extents[axis];
      out.data<T>()[number_of(out, p)] = in[0].data<T>()[i];
    }
  }
};

}  // namespace etch::reference
