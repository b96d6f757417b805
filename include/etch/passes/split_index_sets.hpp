// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/rewrite.hpp>
#include <etch/passes/dead_nodes.hpp>
#include <etch/passes/index_set.hpp>
#include <etch/passes/materialise.hpp>
#include <etch/passes/simplify.hpp>

/// Index set splitting: an elementwise value of joined arrays is the join of such values of their parts. An array with a margin is then never
/// made: the interior is computed from what was padded, where it lies, and its edges are loops of their own.
namespace etch {

namespace detail {

class index_set_splitting {
 public:
  constexpr index_set_splitting(const graph& g, std::int64_t least_elements)
      : g_(g), least_elements_(least_elements), uses_(count_uses(g)), goes_(g.size(), 0), has_join_(g.size(), 0),
        splits_(g.size(), 0), node_of_(g.size(), -1) {
    find_parts();
    for (int n = 0; n < g.size(); ++n) {
      if (goes_[n] == 0 && splits_[n] == 0) continue;
      has_join_[n] = goes_[n] != 0 && is_static_join(g, n);
      for (int k = 0; k < g[n].count; ++k)
        if (goes_[g.operand(n, k)] != 0) has_join_[n] |= has_join_[g.operand(n, k)];
      splits_[n] = splits_[n] != 0 && has_join_[n] != 0 && pays(n);
    }
    find_sums_of_joins();
  }

  constexpr graph run() {
    if (!splits_any()) return g_;
    graph out;
    out.shared.reserve(g_.size());
    rebuild(g_, out, [&](graph& to, int i, int* in) {
      if (splits_[i] == 0) return node_of_[i] = rules::common_subexpressions(to, to.copy_of(g_, i, in));
      root_ = i;
      to.rule = &rules::tidy;
      const int made = joined(to, i, index_set(g_.type(i)), 0).node;
      to.rule = nullptr;
      return node_of_[i] = made;
    });
    return dead_nodes(static_cast<graph&&>(out));
  }

 private:
  /// Those of three axes with a margin at each end.
  static constexpr int most_parts = 27;

  constexpr bool splits_any() const {
    for (int n = 0; n < g_.size(); ++n)
      if (splits_[n] != 0) return true;
    return false;
  }
  constexpr bool may_go(int n) const {
    return g_[n].op->kind == op_kind::elementwise || g_.is(n, op_role::broadcast) || is_static_join(g_, n) ||
           is_static_slice(g_, n);
  }
  /// What goes: that which only elementwise values read that are split. Those are wanted in memory. What a slice reads beside others is
  /// computed once, in memory.
  constexpr void find_parts() {
    vector<char> stays = g_.find_results(), is_wanted = stays;
    for (int n = g_.size(); n-- > 0;) {
      const op_kind kind = g_[n].op->kind;
      goes_[n] = uses_[n] > 0 && stays[n] == 0 && may_go(n);
      splits_[n] = goes_[n] == 0 && kind == op_kind::elementwise && is_wanted[n] != 0 && g_.type(n).rank > 0;
      const bool is_inside = goes_[n] != 0 || splits_[n] != 0,
                 is_computed = kind == op_kind::elementwise || kind == op_kind::reduction;
      for (int k = 0; k < g_[n].count; ++k) {
        const int o = g_.operand(n, k);
        const bool is_read_elsewhere = kind != op_kind::elementwise && uses_[o] > 1 && g_[o].op->kind == op_kind::elementwise;
        if (!is_inside || is_read_elsewhere) stays[o] = 1;
        if ((!is_inside && !is_computed) || is_read_elsewhere) is_wanted[o] = 1;
      }
    }
  }
  /// Of a value of nothing but joins its parts take less memory than they do, however few their elements: the gradient of a variable of which
  /// slices are read is a sum of such slices between zeros.
  constexpr void find_sums_of_joins() {
    vector<int> joins(g_.size(), 0);  // per node: of which it is made
    vector<char> is_inner(g_.size(), 0);
    for (int n = 0; n < g_.size(); ++n) {
      if (is_static_join(g_, n)) joins[n] = 1;
      if (g_[n].op->kind != op_kind::elementwise || g_[n].count < 2) continue;
      int found = 0;
      for (int k = 0; k < g_[n].count; ++k) {
        const int o = g_.operand(n, k);
        const bool joins_only = joins[o] > 0 && uses_[o] == 1 && g_.type(o).same_shape(g_.type(n));
        found = joins_only && found >= 0 ? found + joins[o] : -1;
      }
      if (found < 0) continue;
      joins[n] = found;
      for (int k = 0; k < g_[n].count; ++k) is_inner[g_.operand(n, k)] = 1;
    }
    for (int n = g_.size(); n-- > 0;) {
      if (splits_[n] != 0 || joins[n] == 0 || g_[n].op->kind != op_kind::elementwise) continue;
      if (is_inner[n] != 0) continue;
      mark_inner(n);
      int parts = 0;
      root_ = n;
      count_parts(n, index_set(g_.type(n)), 0, parts);
      splits_[n] = parts > 1 && parts <= joins[n] + 1 && parts <= most_parts;
    }
  }
  constexpr void mark_inner(int n) {
    has_join_[n] = 1;
    if (is_static_join(g_, n)) return;
    for (int k = 0; k < g_[n].count; ++k) {
      goes_[g_.operand(n, k)] = 1;
      mark_inner(g_.operand(n, k));
    }
  }
  constexpr bool pays(int root) {
    root_ = root;
    const std::int64_t count = static_count(g_.type(root));
    int parts = 0;
    count_parts(root, index_set(g_.type(root)), 0, parts);
    return parts > 1 && parts <= most_parts && (count < 0 || count >= parts * least_elements_);
  }
  static constexpr std::int64_t static_count(const tensor_type& t) {
    std::int64_t n = 1;
    for (int i = 0; i < t.rank; ++i) {
      if (!is_static(t.extents[i])) return -1;
      n *= t.extents[i];
    }
    return n;
  }

  /// Places along an axis where a part ends and the next begins, in order.
  struct cuts {
    int count = 0;
    std::int64_t at[most_parts + 1]{};

    constexpr void add(std::int64_t place) {
      int i = count;
      while (i > 0 && at[i - 1] > place) --i;
      if ((i > 0 && at[i - 1] == place) || count > most_parts) return;
      for (int k = count++; k > i; --k) at[k] = at[k - 1];
      at[i] = place;
    }
  };
  struct visit {
    int node, result;
    std::int64_t shift;
    index_set set;
  };
  /// What was found of that before, or a place for it.
  constexpr int& result_of(int n, const index_set& set, std::int64_t shift = 0) {
    for (int i = 0; i < visits_.size(); ++i)
      if (visits_[i].node == n && visits_[i].set == set && visits_[i].shift == shift) return visits_[i].result;
    visits_.push_back({n, -1, shift, set});
    return visits_.back().result;
  }

  /// Where along an axis `set` of node n is cut; `shift`: where the first element of n would lie in the root.
  constexpr void find_cuts(int n, const index_set& set, int axis, std::int64_t shift, cuts& to) {
    if (has_join_[n] == 0) return;
    int& found = result_of(n, set, shift);
    if (found >= 0) return;
    found = 0;
    const bool is_joined = is_static_join(g_, n) && (joined_axes(g_, n) >> axis & 1) != 0;
    for (int k = 0; k < g_[n].count; ++k) {
      const int o = g_.operand(n, k);
      const operand_set of = read_set(g_, n, k, set);
      const int own = axis - of.missing;
      if (own < 0) continue;
      if (is_joined) {
        const std::int64_t ends[] = {of.shift[own], of.shift[own] + g_.type(o).extents[own]};
        for (const std::int64_t end : ends)
          if (end > set.begin[axis] && end < set.begin[axis] + set.extents[axis]) to.add(end + shift);
      }
      const bool repeats = of.set.extents[own] != set.extents[axis] && !is_joined;
      if (!of.is_empty && !repeats && goes_[o] != 0) find_cuts(o, of.set, own, shift + of.shift[own], to);
    }
  }
  constexpr cuts cuts_of(int root, const index_set& set, int axis) {
    cuts found;
    if (!is_static(set.extents[axis])) return found;
    visits_.clear();
    find_cuts(root, set, axis, 0, found);
    return found;
  }
  /// Calls f for each part of `set` between cuts along an axis.
  template <class F>
  static constexpr void for_each_part(const cuts& c, const index_set& set, int axis, const F& f) {
    index_set part = set;
    for (int i = 0; i <= c.count; ++i) {
      const std::int64_t end = i < c.count ? c.at[i] : set.begin[axis] + set.extents[axis];
      if (c.count > 0) part.extents[axis] = end - part.begin[axis];
      f(part);
      part.begin[axis] = end;
    }
  }

  constexpr void count_parts(int root, const index_set& set, int axis, int& parts) {
    if (axis == g_.type(root).rank) {
      ++parts;
      return;
    }
    for_each_part(cuts_of(root, set, axis), set, axis, [&](const index_set& part) {
      if (parts <= most_parts) count_parts(root, part, axis + 1, parts);
    });
  }
  constexpr ref joined(graph& to, int root, const index_set& set, int axis) {
    if (axis == g_.type(root).rank) {
      visits_.clear();
      return part_of(to, root, set);
    }
    const cuts found = cuts_of(root, set, axis);
    ref parts[most_parts + 2];
    int count = 0;
    for_each_part(found, set, axis, [&](const index_set& part) { parts[count++] = joined(to, root, part, axis + 1); });
    if (count == 1) return parts[0];
    return append(info_of<struct concat>, words(axis), set.type(g_.type(root)), parts, count);
  }

  /// Elements of node n of g, between cuts, as a node of `to`.
  constexpr ref part_of(graph& to, int n, const index_set& set) {
    const int known = result_of(n, set);
    if (known >= 0) return {&to, known};
    const ref made = goes_[n] != 0 || n == root_ ? computed(to, n, set) : read(to, n, set);
    result_of(n, set) = made.node;
    return made;
  }
  constexpr ref read(graph& to, int n, const index_set& set) const {
    const ref whole{&to, node_of_[n]};
    const tensor_type& t = g_.type(n);
    if (set.is_all(t)) return whole;
    words w;
    for (int i = 0; i < t.rank; ++i) {
      const bool is_all = set.extents[i] == t.extents[i];
      w.push_back(is_all ? 0 : set.begin[i]);
      w.push_back(is_all ? to_end : set.begin[i] + set.extents[i]);
      w.push_back(1);
    }
    return append(info_of<struct slice>, w, set.type(t), &whole, 1);
  }
  constexpr ref computed(graph& to, int n, const index_set& set) {
    const tensor_type type = set.type(g_.type(n));
    const bool is_elementwise = g_[n].op->kind == op_kind::elementwise;
    ref in[3];
    for (int k = 0; k < g_[n].count; ++k) {
      const operand_set of = read_set(g_, n, k, set);
      if (of.is_empty) continue;
      const ref x = part_of(to, g_.operand(n, k), of.set);
      if (!is_elementwise) return g_.is(n, op_role::broadcast) ? broadcast_to.to(x, type) : x;
      in[k] = x;
    }
    if (!is_elementwise) return filled(to, type, 0);  // what `pad` puts around its operand
    return append(*g_[n].op, g_.words_of(n), type, in, g_[n].count);
  }

  const graph& g_;
  std::int64_t least_elements_;
  int root_ = -1;          ///< what is split now
  vector<int> uses_;       ///< per node: how often it is read
  vector<char> goes_;      ///< per node: it is computed in the parts of those that are split only
  vector<char> has_join_;  ///< per node of these: a join goes, of which it is made
  vector<char> splits_;    ///< per node: it becomes a join
  vector<int> node_of_;    ///< per node, in what is made
  vector<visit> visits_;   ///< of a search for cuts, or of a part
};

/// Whether a graph has a join that an elementwise op, or a slice, reads.
template <class Graph>
constexpr bool may_split_index_sets(const Graph& g) {
  for (int n = 0; n < g.size.nodes; ++n) {
    const node& d = g.nodes[n];
    if (d.op->kind != op_kind::elementwise && !d.op->is(info_of<struct slice>)) continue;
    for (int k = 0; k < d.count; ++k) {
      const op_info& o = *g.nodes[g.operands_of(n)[k]].op;
      if (o.is(info_of<struct pad>) || o.is(info_of<struct concat>)) return true;
    }
  }
  return false;
}

}  // namespace detail

/// `%1 = pad x; %2 = tanh %1` becomes `%1 = tanh x; %2 = concat (tanh 0) %1 (tanh 0)`. Of values whose parts have so many elements each, as a
/// mean: below 512 the calls of nine kernels and of as many copies take longer than two copies of the whole (Sapphire Rapids).
constexpr graph split_index_sets(const graph& g, std::int64_t least_elements = 512) {
  detail::index_set_splitting s(g, least_elements);
  return s.run();
}

}  // namespace etch
