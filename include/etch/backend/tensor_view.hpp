// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <etch/core/shape.hpp>
#include <etch/core/strided.hpp>

namespace etch {

/// An operand or result of a kernel that is neither elementwise, a reduction nor a contraction: strides in elements.
struct tensor_view {
  char* data = nullptr;
  int rank = 0;
  std::int64_t extents[max_rank]{};
  std::int64_t strides[max_rank]{};
  std::int64_t first = 0;  ///< of a slice: how much of the first axis lies before it

  std::int64_t count() const {
    std::int64_t n = 1;
    for (int i = 0; i < rank; ++i) n *= extents[i];
    return n;
  }
  template <class T>
  strided<T> as() const {
    return {reinterpret_cast<T*>(data), rank, extents, strides};
  }
};

}  // namespace etch
