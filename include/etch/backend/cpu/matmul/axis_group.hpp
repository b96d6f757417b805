// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/vector.hpp>

/// Matrices whose rows or columns are several axes of an array.
namespace etch::cpu {

/// Axes that count as one, the last of them fastest. Extents and strides in elements.
struct axis_group {
  static constexpr int most = 8;
  int count = 0;
  index extents[most]{};
  index strides[most]{};

  /// Behind the others; as one with the last where both make one stride.
  void add(index extent, index stride) noexcept {
    if (count > 0 && strides[count - 1] == extent * stride) {
      extents[count - 1] *= extent;
      strides[count - 1] = stride;
    } else {
      extents[count] = extent;
      strides[count++] = stride;
    }
  }
  index size() const noexcept {
    index n = 1;
    for (int d = 0; d < count; ++d) n *= extents[d];
    return n;
  }
  /// Whether places along the last axis lie behind one another.
  bool is_contiguous() const noexcept { return strides[count - 1] == 1; }
  /// Where place i lies.
  index offset(index i) const noexcept {
    index at = 0;
    for (int d = count; d-- > 0; i /= extents[d]) at += i % extents[d] * strides[d];
    return at;
  }
  /// Calls f(first, length, offset) for each run of places along the last axis, of `length` places from `from` on; `first` counts from there.
  template <class F>
  ETCH_INLINE void for_each_run(index from, index length, const F& f) const noexcept {
    index at[most] = {}, offset = 0;
    for (index d = count, i = from; d-- > 0; i /= extents[d]) {
      at[d] = i % extents[d];
      offset += at[d] * strides[d];
    }
    const int last = count - 1;
    for (index first = 0; first < length;) {
      const index run = matmul_detail::minimum(extents[last] - at[last], length - first);
      f(first, run, offset);
      first += run;
      offset -= at[last] * strides[last];
      at[last] = 0;
      for (int d = last; d-- > 0;) {
        offset += strides[d];
        if (++at[d] < extents[d]) break;
        offset -= at[d] * strides[d];
        at[d] = 0;
      }
    }
  }
  /// Calls f(i, offset) for each of `length` places from `from` on; i counts from there.
  template <class F>
  ETCH_INLINE void for_each_offset(index from, index length, const F& f) const noexcept {
    for_each_run(from, length, [&](index first, index run, index offset) ETCH_INLINED {
      const index stride = strides[count - 1];
      for (index i = 0; i < run; ++i) f(first + i, offset + i * stride);
    });
  }
  /// Where each of them lies.
  void offsets(index from, index length, index* to) const noexcept {
    for_each_offset(from, length, [&](index i, index offset) ETCH_INLINED { to[i] = offset; });
  }
};

/// A matrix whose element (i, p) is data[rows.offset(i) + columns.offset(p)].
template <class T>
struct grouped_matrix {
  const T* data;
  axis_group rows, columns;
};

namespace matmul_detail {

/// A matrix of so many rows and columns as one whose axes are groups.
template <class T>
grouped_matrix<T> grouped(const matrix<T>& of, index rows, index columns) noexcept {
  grouped_matrix<T> made{of.data, {}, {}};
  made.rows.add(rows, of.row_stride);
  made.columns.add(columns, of.column_stride);
  return made;
}

template <class T>
const T* element(const grouped_matrix<T>& of, index row, index column) noexcept {
  return of.data + of.rows.offset(row) + of.columns.offset(column);
}

/// Of one whose columns are one axis.
template <class T>
index step_of_columns(const grouped_matrix<T>& of) noexcept {
  return of.columns.strides[0];
}

}  // namespace matmul_detail

}  // namespace etch::cpu
