// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/opaque/copying.hpp>
#include <etch/ops.hpp>

/// Arrays between zeros.
namespace etch::cpu {

namespace detail {

/// Fills a result axis by axis: what lies before and behind the operand along an axis with zeros, and what is between by the next axes; along
/// the last that differs at once, however short what lies behind it is: one channel is one element.
/// Nothing is written twice: images of 8 x 56 x 56 x 64 take 0.11 instead of 0.17 ms (Zen 5). But where rows are short all is zeros first, for
/// three pieces of a row take longer than the row.
template <class T>
struct padding_of_rows {
  const tensor_view &to, &from;
  const std::int64_t* begin;                      ///< of the operand, in the result, per axis
  int axes;                                       ///< behind these both lie alike
  static constexpr std::int64_t short_row = 256;  ///< bytes

  void fill(int axis, T* at, const T* source) const {
    if (axes == 0) return copy(0, at, source);
    if (axis + 1 < axes && to.strides[axes - 2] * static_cast<std::int64_t>(sizeof(T)) < short_row) {
      std::int64_t inside = 0;
      for (int i = axis; i < axes; ++i) inside += begin[i] * to.strides[i];
      clear(at, to.extents[axis] * to.strides[axis]);
      return copy(axis, at + inside, source);
    }
    const std::int64_t step = to.strides[axis], first = begin[axis], count = from.extents[axis];
    clear(at, first * step);
    if (axis + 1 == axes) {
      copy(axis, at + first * step, source);
    } else {
      for (std::int64_t i = 0; i < count; ++i) fill(axis + 1, at + (first + i) * step, source + i * from.strides[axis]);
    }
    clear(at + (first + count) * step, (to.extents[axis] - first - count) * step);
  }
  void copy(int axis, T* at, const T* source) const {
    copy_elements(at, to.strides + axis, source, from.strides + axis, to.rank - axis, from.extents + axis);
  }
  static void clear(T* at, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) at[i] = T(0);
  }
};

}  // namespace detail

template <>
struct opaque_kernel<struct pad> {
  template <class T, class>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    T* const to = reinterpret_cast<T*>(v[0].data);
    const T* const from = reinterpret_cast<const T*>(v[1].data);
    std::int64_t offset = 0, begin[max_rank], stride[max_rank];
    int axes = 0;
    bool is_dense = true;
    for (int i = 0; i < v[0].rank; ++i) {
      begin[i] = attributes[3 * i] < 0 ? v[0].extents[i] - 1 : attributes[3 * i];
      offset += begin[i] * v[0].strides[i];
      stride[i] = attributes[3 * i + 2] * v[0].strides[i];
      is_dense = is_dense && (attributes[3 * i + 2] == 1 || v[1].extents[i] == 1);
      if (v[0].extents[i] != v[1].extents[i]) axes = i + 1;
    }
    if (is_dense) return detail::padding_of_rows<T>{v[0], v[1], begin, axes}.fill(0, to, from);
    detail::padding_of_rows<T>::clear(to, v[0].count());
    detail::copy_elements(to + offset, stride, from, v[1].strides, v[1].rank, v[1].extents);
  }
};

}  // namespace etch::cpu
