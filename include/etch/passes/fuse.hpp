// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/clustering.hpp>
#include <etch/passes/packed_operands.hpp>

/// Which nodes share a kernel. Elementwise trees, reductions with what comes before and after them along the same rows,
/// and contractions with what follows them become one cluster each; values inside a cluster need no memory.
namespace etch {

namespace detail {

/// Walks the nodes in order.
class fuser : packed_operand_clustering {
 public:
  using packed_operand_clustering::packed_operand_clustering;

  constexpr fusion run() {
    for (int n = 0, size = g_.size(); n < size; ++n) visit(n);
    for (int n = 0, size = g_.size(); n < size; ++n) {
      node_place& at = f_[n];
      if (at.cluster >= 0) at.cluster = f_.order.find(at.cluster);
      if (at.home >= 0) at.home = f_.order.find(at.home);
    }
    return static_cast<fusion&&>(f_);
  }

 private:
  constexpr void visit(int n) {
    const node& d = g_[n];
    lanes_[n] = lanes_of_node(n);
    f_[n].root = n;
    switch (d.op->kind) {
      case op_kind::source:
        if (d.op->role == op_role::index) {
          view v;
          v.root = n;
          v.stride[g_.word(n, 0)] = 1;
          keep_view(n, v);
        } else if (d.op->stateful) {
          start(n, cluster_kind::opaque);
        }
        break;
      case op_kind::elementwise: elementwise_node(n, false); break;
      case op_kind::scan: elementwise_node(n, true); break;
      case op_kind::reduction: reduction_node(n); break;
      case op_kind::contraction: product_node(n); break;
      case op_kind::movement: movement_node(n); break;
      case op_kind::effect: break;
      case op_kind::region:
        if (d.op->role == op_role::call)
          start(n, cluster_kind::call);
        else
          join(n, f_[g_.operand(n, 0)].cluster);
        break;
      default: start(n, cluster_kind::opaque); break;
    }
  }

  constexpr void keep_view(int n, const view& v) {
    f_[n].view = f_.views.size();
    f_.views.push_back(v);
    f_[n].root = v.root;
  }

  constexpr void movement_node(int n) {
    const int o = g_.operand(n, 0);
    view v;
    if (!movement_view(g_, n, f_.view_of(g_, o), v)) {
      start(n, cluster_kind::copy);
      return;
    }
    keep_view(n, v);
    f_[n].home = f_[o].home;
    const bool of_a_value = f_[o].transparent || f_[o].cluster >= 0;
    f_[n].transparent = of_a_value && has_the_strides_of(n, o) && same_squeezed(g_.type(o), g_.type(n));
  }
  /// Whether a movement only adds or takes away axes of extent 1.
  constexpr bool has_the_strides_of(int n, int o) {
    const view a = f_.view_of(g_, n), b = f_.view_of(g_, o);
    const tensor_type &t = g_.type(n), &s = g_.type(o);
    if (a.offset != b.offset) return false;
    for (int i = 0, j = 0; i < t.rank; ++i) {
      if (t.extents[i] == 1) continue;
      while (j < s.rank && s.extents[j] == 1) ++j;
      if (j == s.rank || a.stride[i] != b.stride[j++]) return false;
    }
    return true;
  }

  constexpr void elementwise_node(int n, bool scans) {
    int joined = -1;
    const int* const in = g_.operands_of(n);
    const int count = g_[n].count;
    // Later clusters first: what was computed last is what this node continues.
    for (int k = 0; k < count; ++k) {
      const int c = f_.home_of(in[k]);
      if (c > joined && can_join(n, c) && (!scans || scans_alike(n, c))) joined = c;
    }
    if (joined < 0) {
      start(n, cluster_kind::map);
      if (scans) make_scan(f_.clusters.size() - 1, n);
      return;
    }
    if (scans) make_scan(joined, n);
    // The other operands' clusters come along where nothing lies between: one kernel updates all state of an optimizer.
    for (int k = 0; k < count; ++k) {
      const int other = f_.home_of(in[k]);
      if (other >= 0 && other != joined && can_merge(joined, other) && can_join(n, other)) merge(joined, other);
    }
    f_[n].per_row = shape_of(n) != f_.clusters[joined].shape;
    join(n, joined);
  }

  constexpr void reduction_node(int n) {
    const int o = g_.operand(n, 0);
    const int c = f_[o].cluster < 0 ? -1 : f_.order.find(f_[o].cluster);
    f_[n].per_row = true;
    if (c >= 0 && can_reduce(n, c)) {
      f_.clusters[c].kind = cluster_kind::sweep;
      f_.clusters[c].reduced = g_.word(n, 0);
      join(n, c);
      return;
    }
    start(n, cluster_kind::sweep);
    cluster& made = f_.clusters.back();
    made.space = g_.type(o);
    made.shape = shape_of(o);
    made.reduced = g_.word(n, 0);
    made.lane_bytes = lanes_[n];
  }
};

}  // namespace detail

/// Groups the nodes of a tidy graph. Dependencies between clusters have no cycle.
constexpr fusion fuse(graph& g, const target_description& target) {
  detail::fuser f(g, target);
  return f.run();
}

}  // namespace etch
