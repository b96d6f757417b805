// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include <etch/core/shape.hpp>

/// Values of nodes at run time.
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

}  // namespace etch::debug
