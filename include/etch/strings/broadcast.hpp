// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

#include <etch/core/strided.hpp>

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
  const std::int64_t* strides[Operands];
  for (std::size_t k = 0; k < Operands; ++k) strides[k] = steps[k].along;
  etch::detail::for_each_place(rank, extents, strides, f);
}

}  // namespace etch::strings::detail
