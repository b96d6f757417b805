// SPDX-License-Identifier: MIT
#pragma once
#include <etch/schedule/compile.hpp>

/// Parts of axes whose extents have names, and windows along them: how many elements must be there, which is known only when data is fed.
namespace etch::detail {

/// `extent` must be at least `least`, since some slice or window reaches that far.
struct section_reach {
  extent_value extent = 0;
  std::int64_t least = 0;
  int axis = 0;
  const char* op = "slice";
};

/// None of a sub-graph's plan: those of the whole graph are checked before it runs.
template <class Plan>
struct section_reaches {
  static constexpr int count = 0;
  struct table {
    section_reach at[1]{};
  };
  static constexpr table value{};
};
/// The reaches of a plan's movements: what their index maps read.
template <class Plan>
  requires requires { typename Plan::simplified; }
struct section_reaches<Plan> {
  using nodes = kept_graph<typename Plan::simplified>;

  /// Calls `found(reach)` for each.
  template <class Found>
  static constexpr void visit(Found found) {
    if (nodes::value.extents.symbol_count() == 0) return;
    extent_table table = nodes::value.extents;
    for (int i = 0; i < nodes::size.nodes; ++i) {
      const node& n = nodes::value.nodes[i];
      if (n.op->role == op_role::convolution || n.op->role == op_role::pool) visit_windows(table, i, found);
      if (n.op->kind != op_kind::movement) continue;
      const tensor_type& from = nodes::value.type(nodes::value.operands_of(i)[0]);
      if (from.is_static()) continue;
      words w;
      for (int k = 0; k < n.word_count; ++k) w.push_back(nodes::value.words_of(i)[k]);
      index_map m;
      const tensor_type& to = nodes::value.type(i);
      n.op->map(table, from, to, w, m);
      for (int k = 0; k < m.count; ++k) {
        const index_map::term& t = m.terms[k];
        const extent_value begin = m.begin[t.operand_axis], left = to.extents[t.result_axis];
        if (is_static(from.extents[t.operand_axis]) || !is_static(begin) || begin < 0 || t.step < 0) continue;
        const std::int64_t least = !is_static(left) ? begin : left == 0 ? 0 : begin + (left - 1) * t.step + 1;
        if (least > 0) found(section_reach{from.extents[t.operand_axis], least, t.operand_axis});
      }
    }
  }
  /// There is a window where the axis is so much longer than the number of windows, and one element more. With as many zeros around it, as of
  /// `same_padding`, there are as many windows as elements, also of none.
  template <class Found>
  static constexpr void visit_windows(extent_table& table, int i, Found found) {
    const tensor_type &from = nodes::value.type(nodes::value.operands_of(i)[0]), &to = nodes::value.type(i);
    for (int axis = 1; axis < to.rank - 1; ++axis) {
      const extent_value longer = table.difference(from.extents[axis], to.extents[axis]);
      if (is_static(from.extents[axis]) || !is_static(longer) || longer <= zeros_around(table, i, axis)) continue;
      found(section_reach{from.extents[axis], longer + 1, axis, nodes::value.nodes[i].op->name});
    }
  }
  /// How many elements a pad in front of node i adds to an axis.
  static constexpr std::int64_t zeros_around(extent_table& table, int i, int axis) {
    const int x = nodes::value.operands_of(i)[0];
    if (!nodes::value.nodes[x].op->is(info_of<struct pad>)) return 0;
    const extent_value added =
        table.difference(nodes::value.type(x).extents[axis], nodes::value.type(nodes::value.operands_of(x)[0]).extents[axis]);
    return is_static(added) && added > 0 ? added : 0;
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
    if constexpr (count > 0) visit([&](const section_reach& r) { t.at[c++] = r; });
    return t;
  }();
};

}  // namespace etch::detail
