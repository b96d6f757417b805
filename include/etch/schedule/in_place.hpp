// SPDX-License-Identifier: MIT
#pragma once
#include <etch/schedule/plan.hpp>

/// Results in the memory of operands.
namespace etch::detail {

/// A map's result takes over the memory of an operand that nothing reads later, if both are walked alike.
constexpr void share_in_place(plan& p) {
  vector<char> taken(p.buffers.size(), 0);
  for (int i = 0; i < p.steps.size(); ++i) {
    const step& s = p.steps[i];
    if (s.kind != cluster_kind::map) continue;
    for (int k = 0; k < s.access_count; ++k) {
      const access& to = p.accesses[s.first_access + k];
      if (to.buffer < 0) continue;
      buffer& result = p.buffers[to.buffer];
      if (result.kind != storage::arena || result.first != i || result.shares >= 0) continue;
      for (int j = 0; j < s.access_count; ++j) {
        const access& from = p.accesses[s.first_access + j];
        if (from.buffer < 0 || from.buffer == to.buffer || taken[from.buffer] != 0) continue;
        const buffer& operand = p.buffers[from.buffer];
        bool alike = operand.kind == storage::arena && operand.last == i && operand.first < i &&
                     operand.elements == result.elements && operand.type == result.type &&
                     from.offset == to.offset;
        for (int d = 0; d < s.rank; ++d) alike = alike && from.stride[d] == to.stride[d];
        // Another access to the operand, along other strides, would see half-written memory.
        for (int o = 0; o < s.access_count; ++o)
          alike = alike && (o == j || p.accesses[s.first_access + o].buffer != from.buffer);
        if (!alike) continue;
        taken[from.buffer] = 1;
        result.shares = from.buffer;
        break;
      }
    }
  }
}

}  // namespace etch::detail
