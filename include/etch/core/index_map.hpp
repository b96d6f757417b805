// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/shape.hpp>

namespace etch {

/// Where a movement op's result finds its elements. Element (i, j, ...) of the result is the operand's element whose index
/// along operand axis a is begin[a] + the sum of step * (index along result axis) over the terms of a. A result axis without a
/// term repeats; an operand axis may have several terms (windows), a result axis several operand axes (a diagonal).
struct index_map {
  static constexpr int max_terms = 2 * max_rank;
  struct term {
    int operand_axis = 0;
    int result_axis = 0;
    std::int64_t step = 1;
  };

  /// The operand's elements in their order, under another shape: then terms and begins say nothing.
  bool keeps_order = false;
  extent_value begin[max_rank]{};
  int count = 0;
  term terms[max_terms]{};

  constexpr void add(int operand_axis, int result_axis, std::int64_t step = 1) {
    terms[count++] = {operand_axis, result_axis, step};
  }
};

}  // namespace etch
