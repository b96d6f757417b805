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

/// Whether all that a map reads is there, as far as extents are numbers.
constexpr bool reads_inside(const index_map& m, const tensor_type& operand, const tensor_type& result) {
  if (m.keeps_order) {
    std::int64_t elements[2] = {1, 1};
    for (int i = 0; i < operand.rank; ++i) elements[0] *= is_static(operand.extents[i]) ? operand.extents[i] : 0;
    for (int i = 0; i < result.rank; ++i) elements[1] *= is_static(result.extents[i]) ? result.extents[i] : 0;
    return elements[0] == 0 || elements[1] == 0 || elements[0] == elements[1];
  }
  for (int i = 0; i < result.rank; ++i)
    if (result.extents[i] == 0) return true;
  for (int axis = 0; axis < operand.rank; ++axis) {
    if (!is_static(operand.extents[axis]) || !is_static(m.begin[axis])) continue;
    std::int64_t first = m.begin[axis], last = m.begin[axis];
    bool known = true;
    for (int k = 0; k < m.count; ++k) {
      const index_map::term& t = m.terms[k];
      if (t.result_axis < 0 || t.result_axis >= result.rank || t.operand_axis < 0 || t.operand_axis >= operand.rank) return false;
      if (t.operand_axis != axis) continue;
      known = known && is_static(result.extents[t.result_axis]);
      (t.step < 0 ? first : last) += known ? t.step * (result.extents[t.result_axis] - 1) : 0;
    }
    if (known && (first < 0 || last >= operand.extents[axis])) return false;
  }
  return true;
}

}  // namespace etch
