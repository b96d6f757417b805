// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/clustering.hpp>

/// Prologues of matrix products, which compute operands while they are packed: casts, scales, whatever else is one cheap value for each element
/// and needed by nothing else. They are neither written to memory nor read back.
namespace etch::detail {

class packed_operand_clustering : protected clustering {
 protected:
  using clustering::clustering;

  /// A product; the clusters of such operands become its own.
  constexpr void product_node(int n) {
    int own = -1;
    for (int k = 0; k < 2; ++k) {
      const int c = is_packed(n, k) ? f_.home_of(g_.operand(n, k)) : -1;
      if (c < 0 || !can_take(n, k, c, own)) continue;
      mark(n, k, c);
      if (own < 0)
        own = c;
      else
        merge(own, c);
    }
    if (own < 0) return start(n, cluster_kind::contraction);
    cluster& c = f_.clusters[own];
    c.kind = cluster_kind::contraction;
    c.space = g_.type(n);
    c.shape = shape_of(n);
    c.root = n;
    c.lane_bytes = lanes_[n];
    join(n, own);
  }

 private:
  constexpr bool is_packed(int n, int k) const {
    if (target_.operands.elements == 0 || !g_.is(n, op_role::product) || lane_bytes_of(g_.type(n).type) <= 0) return false;
    if (!is_floating(g_.type(n).type) || !is_plain(n, k)) return false;
    const int o = g_.operand(n, k), h = f_.home_of(o);
    if (f_[o].cluster < 0 || h < 0 || f_[o].root != o || uses_[o] != 1) return false;
    const cluster& c = f_.clusters[h];
    return c.kind == cluster_kind::map && c.open == 1 && c.shape == shape_of(o) && g_.type(o).may_have(target_.operands.elements) &&
           are_cheap(n, o, h, c.size);
  }
  /// A matrix, of a product whose rows are one axis.
  constexpr bool is_plain(int n, int k) const {
    if (g_.type(g_.operand(n, k)).rank != 2) return false;
    if (g_.type(n).rank == 2) return true;
    const int left = g_.operand(n, 0);
    return k == 1 && f_[left].view < 0;
  }
  /// The members of cluster c, so many, of which o is the last.
  constexpr bool are_cheap(int n, int o, int c, int size) const {
    for (int i = 0; i < g_.assignments.size(); ++i)
      if (f_.home_of(g_.assignments[i].value) == c) return false;
    int cost = 0;
    bool reads = false;
    for (int m = o; size > 0; --m) {
      if (f_[m].cluster < 0 || f_.order.find(f_[m].cluster) != c) continue;
      --size;
      cost += g_[m].op->cost;
      if (!has_lanes_of(n, g_.type(m).type)) return false;
      for (int k = 0; k < g_[m].count; ++k) {
        const int x = g_.operand(m, k);
        if (f_.home_of(x) == c && f_[f_[x].root].cluster >= 0) continue;
        if (!can_load(n, m, x)) return false;
        reads = reads || !g_.is(f_[x].root, op_role::constant);
      }
    }
    return reads && cost <= target_.operands.cost;
  }
  constexpr bool has_lanes_of(int n, dtype d) const {
    const int lanes = lane_bytes_of(d);
    return lanes == 0 || lanes == lane_bytes_of(g_.type(n).type);
  }
  /// Elements that lie side by side along the last axis, or are the same.
  constexpr bool can_load(int n, int m, int x) const {
    const int root = f_[x].root;
    if (g_.is(root, op_role::index)) return false;
    const tensor_type& t = g_.type(x);
    if (!has_lanes_of(n, t.type) && !(g_.is(m, op_role::cast) && is_widened(t.type, g_.type(m).type))) return false;
    if (f_[x].view < 0 || t.rank == 0) return true;
    const view& v = f_.views[f_[x].view];
    return t.extents[t.rank - 1] == 1 || v.stride[t.rank - 1] == 1;
  }

  /// Whether operand k can be computed with the product, which other operands have to be there for.
  constexpr bool can_take(int n, int k, int c, int own) {
    const cluster& operand = f_.clusters[c];
    const int size = operand.size + (own < 0 ? 0 : f_.clusters[own].size),
              reads = operand.reads + (own < 0 ? 1 : f_.clusters[own].reads);
    if (size >= limits_.nodes || reads > limits_.reads) return false;
    const int other = f_.home_of(g_.operand(n, 1 - k));
    if (own >= 0) return f_.order.independent(own, c);
    return other < 0 || other == c || f_.order.allows(other, c);
  }
  constexpr void mark(int n, int k, int c) {
    int left = f_.clusters[c].size;
    for (int m = g_.operand(n, k); left > 0; --m) {
      if (f_[m].cluster < 0 || f_.order.find(f_[m].cluster) != c) continue;
      f_[m].operand = static_cast<std::int8_t>(k + 1);
      --left;
    }
  }
};

}  // namespace etch::detail
