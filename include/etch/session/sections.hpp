// SPDX-License-Identifier: MIT
#pragma once
#include <etch/schedule/compile.hpp>

/// Slices of axes whose extents have names: how many elements must be there, which is known only when data is fed.
namespace etch::detail {

/// `extent` must be at least `least`, since some slice reaches that far.
struct section_reach {
  extent_value extent = 0;
  std::int64_t least = 0;
  int axis = 0;
};

/// The reaches of a plan's slices.
template <class Plan>
struct section_reaches {
  using nodes = kept_graph<typename Plan::simplified>;

  /// Calls `found(reach)` for each.
  template <class Found>
  static constexpr void visit(Found found) {
    for (int i = 0; i < nodes::size.nodes; ++i) {
      const node& n = nodes::value.nodes[i];
      if (n.op != &info_of<struct slice>) continue;
      const tensor_type& from = nodes::value.nodes[nodes::value.operands[n.first_operand]].type;
      for (int axis = 0; axis < n.word_count / 3; ++axis) {
        const std::int64_t* w = nodes::value.pool + n.first_word + 3 * axis;
        const std::int64_t begin = w[0], step = w[2], left = n.type.extents[axis];
        if (is_static(from.extents[axis]) || begin < 0) continue;  // all of it backwards; from a named extent on
        const std::int64_t least = !is_static(left) ? begin : left == 0 ? 0 : begin + (left - 1) * step + 1;
        if (least > 0) found(section_reach{from.extents[axis], least, axis});
      }
    }
  }
  static constexpr int count = [] {
    int c = 0;
    visit([&](const section_reach&) { ++c; });
    return c;
  }();
  struct table {
    section_reach at[count + 1]{};
  };
  static constexpr table value = [] {
    table t;
    int c = 0;
    visit([&](const section_reach& r) { t.at[c++] = r; });
    return t;
  }();
};

}  // namespace etch::detail
