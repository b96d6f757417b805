// SPDX-License-Identifier: MIT
#pragma once
#include "reference/kernel.hpp"
#include <etch/ops.hpp>

/// Elements chosen by integers, position by position.
namespace etch::reference {

/// Index i of `indices`, brought into [0, rows); -1 if there are no rows.
template <class I>
std::int64_t clamped_row(const value& indices, std::int64_t i, std::int64_t rows) {
  const I index = indices.data<I>()[i];
  if (rows == 0) return -1;
  if (index > I(0) && static_cast<std::uint64_t>(index) > INT64_MAX) return rows - 1;
  const auto row = static_cast<std::int64_t>(index);
  return row < 0 ? 0 : row >= rows ? rows - 1 : row;
}

/// Elements of one row: of all axes but the first.
inline std::int64_t row_size(const value& x) {
  std::int64_t n = 1;
  for (int axis = 1; axis < x.rank; ++axis) n *= x.extents[axis];
  return n;
}

/// The result's position is x's in front of the axis, then that of an index, then x's behind the axis.
template <>
struct kernel<struct gather> {
  template <class T, class, class I>
  static void run(const arguments& in, value& out) {
    const value& x = in[0];
    const int axis = static_cast<int>(in.attributes[0]);
    const std::int64_t n = out.count();
    for (std::int64_t i = 0; i < n; ++i) {
      const position p = position_of(out, i);
      position of_index, q;
      for (int k = 0; k < in[1].rank; ++k) of_index[k] = p[axis + k];
      for (int k = 0; k < axis; ++k) q[k] = p[k];
      for (int k = axis + 1; k < x.rank; ++k) q[k] = p[k + in[1].rank - 1];
      q[axis] = clamped_row<I>(in[1], number_of(in[1], of_index), x.extents[axis]);
      if (q[axis] >= 0) out.data<T>()[i] = x.data<T>()[number_of(x, q)];
    }
  }
};

template <>
struct kernel<struct scatter_add> {
  template <class T, class, class I>
  static void run(const arguments& in, value& out) {
    const T* const x = in[0].data<T>();
    const T* const updates = in[2].data<T>();
    std::vector<accumulator<T>> totals(x, x + in[0].count());
    const std::int64_t size = row_size(in[0]);
    const std::int64_t n = in[1].count();
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t row = clamped_row<I>(in[1], i, in[0].extents[0]);
      if (row < 0) return;
      for (std::int64_t k = 0; k < size; ++k)
        totals[static_cast<std::size_t>(row * size + k)] += static_cast<accumulator<T>>(updates[i * size + k]);
    }
    for (std::size_t i = 0; i < totals.size(); ++i) out.data<T>()[i] = static_cast<T>(totals[i]);
  }
};

template <>
struct kernel<struct take_along_axis> {
  template <class T, class, class I>
  static void run(const arguments& in, value& out) {
    const int axis = static_cast<int>(in.attributes[0]);
    const std::int64_t n = out.count();
    for (std::int64_t i = 0; i < n; ++i) {
      position p = position_of(out, i);
      p[axis] = clamped_row<I>(in[1], i, in[0].extents[axis]);
      if (p[axis] >= 0) out.data<T>()[i] = in[0].data<T>()[number_of(in[0], p)];
    }
  }
};

template <>
struct kernel<struct add_along_axis> {
  template <class T, class, class I>
  static void run(const arguments& in, value& out) {
    const int axis = static_cast<int>(in.attributes[0]);
    std::vector<accumulator<T>> totals(static_cast<std::size_t>(out.count()));
    for (std::size_t i = 0; i < totals.size(); ++i) totals[i] = static_cast<accumulator<T>>(in[0].data<T>()[i]);
    const std::int64_t n = in[1].count();
    for (std::int64_t i = 0; i < n; ++i) {
      position p = position_of(in[1], i);
      p[axis] = clamped_row<I>(in[1], i, out.extents[axis]);
      if (p[axis] >= 0) totals[static_cast<std::size_t>(number_of(out, p))] += static_cast<accumulator<T>>(in[2].data<T>()[i]);
    }
    for (std::size_t i = 0; i < totals.size(); ++i) out.data<T>()[i] = static_cast<T>(totals[i]);
  }
};

/// Where in x the element `i` of what positions pick out of it comes from; -1 from nowhere.
template <class I>
std::int64_t picked_number(const value& x, const value& indices, const value& picked, std::int64_t i, int width) {
  const position p = position_of(picked, i);
  position of_index, q;
  for (int k = 0; k + 1 < indices.rank; ++k) of_index[k] = p[k];
  for (int k = 0; k < x.rank; ++k) {
    if (k < width) {
      of_index[indices.rank - 1] = k;
      q[k] = clamped_row<I>(indices, number_of(indices, of_index), x.extents[k]);
      if (q[k] < 0) return -1;
    } else {
      q[k] = p[k - width + indices.rank - 1];
    }
  }
  return number_of(x, q);
}

template <>
struct kernel<nd_gather> {
  template <class T, class, class I>
  static void run(const arguments& in, value& out) {
    const std::int64_t n = out.count();
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t from = picked_number<I>(in[0], in[1], out, i, static_cast<int>(in.attributes[0]));
      if (from >= 0) out.data<T>()[i] = in[0].data<T>()[from];
    }
  }
};

template <>
struct kernel<nd_scatter> {
  template <class T, class, class I>
  static void run(const arguments& in, value& out) {
    out.bytes = in[0].bytes;
    const std::int64_t n = in[2].count(), mode = in.attributes[1];
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t to = picked_number<I>(in[0], in[1], in[2], i, static_cast<int>(in.attributes[0]));
      if (to < 0) continue;
      T& element = out.data<T>()[to];
      const T update = in[2].data<T>()[i];
      if (mode == 0)
        element = update;
      else if (mode == 1)
        element = static_cast<T>(element + update);
      else if (update != update || (mode == 2 ? update < element : update > element))
        element = update;
    }
  }
};

/// x, and over it the elements of the slice.
template <>
struct kernel<with_part> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    out.bytes = in[0].bytes;
    const value& part = in[1];
    const std::int64_t n = part.count();
    for (std::int64_t i = 0; i < n; ++i) {
      position p = position_of(part, i);
      for (int axis = 0; axis < out.rank; ++axis) {
        const std::int64_t step = in.attributes[3 * axis + 2];
        p[axis] = slice.begin_of(out.extents[axis], in.attributes[3 * axis], step) + p[axis] * step;
      }
      out.data<T>()[number_of(out, p)] = part.data<T>()[i];
    }
  }
};

}  // namespace etch::reference
