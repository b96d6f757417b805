// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

#include <etch/core/shape.hpp>

/// Loops over the elements of operands that broadcast to one shape.
namespace etch::strings::detail {

/// How far apart an operand's elements lie along the axes of a result that it broadcasts to.
struct element_steps {
  std::int64_t along[max_rank]{};

  element_steps(int result_rank, int rank, const std::int64_t* extents, const std::int64_t* strides) {
    for (int i = 0; i < rank; ++i) along[result_rank - rank + i] = extents[i] == 1 ? 0 : strides[i];
  }
};

/// Calls f(offsets) for each element of the result in row-major order, with the place of each operand's element.
template <std::size_t Operands, class F>
void for_each_element(int rank, const std::int64_t* extents, const std::array<element_steps, Operands>& steps, const F& f) {
  std::int64_t index[max_rank] = {};
  std::array<std::int64_t, Operands> offsets{};
  for (int i = 0; i < rank; ++i)
    if (extents[i] == 0) return;
  while (true) {
    f(offsets);
    int i = rank - 1;
    for (; i >= 0; --i) {
      const bool wraps = ++index[i] == extents[i];
      for (std::size_t k = 0; k < Operands; ++k) offsets[k] += wraps ? -steps[k].along[i] * (extents[i] - 1) : steps[k].along[i];
      if (!wraps) break;
      index[i] = 0;
    }
    if (i < 0) return;
  }
}

}  // namespace etch::strings::detail
