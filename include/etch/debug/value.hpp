// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <etch/core/shape.hpp>

/// Values of nodes at run time, and how their elements are numbered. Written to be checked by reading, not to be fast.
namespace etch::debug {

/// A tensor: dtype, counts along its axes (outermost first), and its elements in row-major order. `rank` < 0: a flat
/// range that was fed, whose shape follows from the slot it is fed to.
struct value {
  dtype type = dtype::none;
  int rank = 0;
  std::int64_t extents[max_rank]{};
  std::vector<std::byte> bytes;

  std::int64_t count() const {
    std::int64_t n = 1;
    for (int i = 0; i < rank; ++i) n *= extents[i];
    return n;
  }
  /// Makes room for all elements, each 0.
  void allocate() { bytes.assign(static_cast<std::size_t>(count() * size_of_dtype(type)), std::byte{0}); }

  template <class T>
  T* data() {
    return reinterpret_cast<T*>(bytes.data());
  }
  template <class T>
  const T* data() const {
    return reinterpret_cast<const T*>(bytes.data());
  }
};

/// Where an element stands: one index per axis.
struct position {
  std::int64_t at[max_rank]{};
  std::int64_t& operator[](int axis) { return at[axis]; }
  std::int64_t operator[](int axis) const { return at[axis]; }
};

/// The position of element number i.
inline position position_of(const value& v, std::int64_t i) {
  position p;
  for (int axis = v.rank - 1; axis >= 0; --axis) {
    p[axis] = i % v.extents[axis];
    i /= v.extents[axis];
  }
  return p;
}

/// The number of the element at a position.
inline std::int64_t number_of(const value& v, const position& p) {
  std::int64_t i = 0;
  for (int axis = 0; axis < v.rank; ++axis) i = i * v.extents[axis] + p[axis];
  return i;
}

/// The element of v that NumPy's broadcasting brings to position p of `result`: axes are aligned at the last, and an
/// axis of extent 1 repeats.
inline std::int64_t broadcast_number(const value& v, const value& result, const position& p) {
  position q;
  for (int axis = 0; axis < v.rank; ++axis) q[axis] = v.extents[axis] == 1 ? 0 : p[result.rank - v.rank + axis];
  return number_of(v, q);
}

}  // namespace etch::debug
