// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/build.hpp>
#include <etch/passes/taken.hpp>

/// The backward sweep of differentiation: from a node's adjoint to those of what it is made of, by each op's own rule; of a loop by a
/// loop in the other direction, of a branch by a branch.
namespace etch {

/// Why differentiation failed: the op without a gradient; the node that y does not depend on, or only through that op.
struct gradient_failure {
  const op_info* op = nullptr;
  hash_t unreached = 0;
  bool too_many_axes = false;  ///< of what is kept for it, values of loops in one another
  constexpr explicit operator bool() const { return op != nullptr || unreached != 0 || too_many_axes; }
};

namespace detail {

/// dx summed over the axes along which the operand was broadcast.
template <handle V>
constexpr V unbroadcast(V dx, const tensor_type to) {
  const tensor_type from = dx.type();
  if (from.same_shape(to)) return dx;
  const int extra = from.rank - to.rank;
  std::int64_t mask = 0;
  for (int i = 0; i < from.rank; ++i)
    if (i < extra || (to.extents[i - extra] == 1 && from.extents[i] != 1)) mask |= std::int64_t{1} << i;
  if (extra < 0 || mask == 0) return broadcast_to.to(dx, to);
  return reshape.to(emit<struct sum>(words(mask, 1), dx), to);
}

constexpr bool carries_gradients(const graph& g, int n) { return carries_gradients(*g[n].op, g.type(n).type); }

/// What passes know of loops and branches where there are none. `all_regions` (passes/all_regions.hpp) knows them; a program that has some
/// has included control.hpp, and with it that.
struct no_regions {
  static constexpr bool any = false;
  using handle = ref;
  struct forward_values {};
  struct body_index {
    constexpr explicit body_index(const graph&) {}
  };
};
struct all_regions;

/// Masks in graphs: nodes as all else.
template <handle V>
struct handle_masks {
  using bools = V;
  using mask = taken_mask<V>;
  constexpr V bools_of(const mask& m) const { return detail::bools_of(m); }
  constexpr mask mask_of(V holds) const { return detail::mask_of(holds); }
  constexpr mask chosen(const mask& m, V condition, bool is_negated, const tensor_type& to) const {
    return unbroadcast(chosen_within(m, condition, is_negated), to);
  }
  constexpr mask unbroadcast(const mask& m, const tensor_type& to) const { return unbroadcast_any(m, to); }
  constexpr V select(V holds, V x) const { return where(holds, x, 0_c); }
  constexpr V numbers(V holds, V beside) const {
    return broadcast_to.to(emit<cast>(words(static_cast<int>(beside.type().type)), holds), beside.type());
  }
  constexpr V is_not_zero(V moved) const { return moved != 0_c; }
  constexpr V any_behind(const mask_facts& op, const words& w, V holds, const tensor_type& y, const tensor_type* x, int k) const {
    return detail::any_behind(op, w, holds, y, x, k);
  }
};

/// A sweep over the nodes of a body.
template <class Regions>
struct reverse_sweep {
  /// By a name that depends, as all that concerns masks does: clang compiles what does not where it is written, for each program.
  using mask_type = taken_mask<typename Regions::handle>;
  /// Of so many nodes of the graph these are swept, a body's; where there are no regions all are.
  constexpr reverse_sweep(int size, const vector<int>& nodes) : active(vector<char>::defaults(size)) {
    if constexpr (Regions::any) {
      adjoint = Regions::none_of(nodes, size);
      waiting = vector<char>::defaults(size);
    } else {
      adjoint.resize(size, -1);
    }
  }

  /// What a product of a step adds to the gradient of what a loop's body has captured: the transpose of u, times v.
  struct product {
    int to = -1, u = -1, v = -1;
  };
  /// The adjoint of a region's value.
  struct region_adjoint {
    int region = -1, value = -1, adjoint = -1;
    int taken = -1;  ///< the bools of its mask; -1: every element counts
  };

  vector<int> adjoint;  ///< per node: the node of its adjoint so far, or -1
  /// Per node, where any has one: the number of its adjoint's mask and 1 more; 0: every element counts.
  vector<int> mask;
  vector<mask_type> masks;
  vector<char> active;   ///< per node: whether its adjoint is wanted
  vector<char> waiting;  ///< per region: whether one of its values has an adjoint
  vector<region_adjoint> of_regions;
  int to = 0;                                           ///< the body that the adjoints are nodes of
  typename Regions::forward_values* forward = nullptr;  ///< where that is another one: what nodes of the first are in the second
  bool adds_products = false;                           ///< whether there is a list of these:
  vector<product> products;                             ///< of a loop's steps, which are added up behind it
};

template <class Regions>
class reverse_mode {
 public:
  using sweep = reverse_sweep<Regions>;
  using handle = typename Regions::handle;
  using mask_type = typename sweep::mask_type;

  /// Group: that of what the sweep adds; 0: of each call's gradient a group of its own.
  constexpr reverse_mode(graph& g, gradient_failure& failure, int group) : bodies(g), g_(g), failure_(failure), group_(group) {}

  typename Regions::body_index bodies;

  /// Backwards through the sweep's nodes.
  constexpr void run(sweep& s, const vector<int>& nodes) {
    const int group = g_.group, body = g_.body;
    g_.body = s.to;
    for (int i = nodes.size(); i-- > 0;) visit(s, nodes[i]);
    g_.group = group;
    g_.body = body;
  }

  /// Adds to the adjoint of a node, unless nobody wants it.
  constexpr void add(sweep& s, int to, ref dx, const mask_type& mask = {}) {
    if (s.active[to] == 0 || !is_floating(g_.type(to).type)) return;
    if constexpr (Regions::any)
      if (s.adds_products && (mask.is_all() ? s.forward->is_captured(to) : s.forward->is_captured_leaf(to)) &&
          g_.is(dx.node, op_role::product) && is_sum_over_rows(dx.node, to))
        return s.products.push_back({to, g_.operand(g_.operand(dx.node, 0), 0), g_.operand(dx.node, 1)});
    const ref part = unbroadcast(dx, g_.type(to));
    if (!s.masks.empty() || !mask.is_all()) add_mask(s, to, mask);
    s.adjoint[to] = s.adjoint[to] < 0 ? part.node
                    : g_.groups > 0   ? sum_of(to, s.adjoint[to], part)
                                      : plain_sum(s.adjoint[to], part);
  }
  /// The bools of the mask of a node's adjoint, of the node's shape; -1 where every element counts.
  constexpr int taken(const sweep& s, int n) {
    if (s.mask.empty() || s.mask[n] == 0) return -1;
    return broadcast_to.to(bools_of(s.masks[s.mask[n] - 1]), g_.type(n).with(dtype::boolean)).node;
  }
  constexpr mask_type mask_of_taken(int bools) { return bools < 0 ? mask_type{} : mask_of(handle{&g_, bools}); }

 private:
  constexpr void visit(sweep& s, int n) {
    if (g_.groups > 0) g_.group = backward_group(g_[n].group);
    if (!is_of_region(s, n) && s.adjoint[n] >= 0) node_rule(s, n);
  }
  /// Of what the rule of a node of that group adds.
  constexpr int backward_group(int forward) {
    if (group_ != 0 || forward == 0) return group_;
    if (backward_.size() <= forward) backward_.resize(forward + 1, 0);
    if (backward_[forward] == 0) backward_[forward] = ++g_.groups;
    return backward_[forward];
  }
  constexpr int plain_sum(int before, ref part) { return (ref{&g_, before} + part).node; }
  /// What several calls add to the adjoint of a node outside of them is added up outside, what one of them adds several times within it:
  /// so equal calls have equal gradients.
  constexpr int sum_of(int to, int before, ref part) {
    const int group = g_.group;
    if (group == group_ || g_[before].group == group || backward_group(g_[to].group) == group) return plain_sum(before, part);
    const bool again = g_.is(before, info_of<struct add>) && g_[g_.operand(before, 1)].group == group;
    if (again) part = ref{&g_, plain_sum(g_.operand(before, 1), part)};
    g_.group = group_;
    const int sum = plain_sum(again ? g_.operand(before, 0) : before, part);
    g_.group = group;
    return sum;
  }
  /// Before the adjoint of node `to` has what the mask belongs to. Of several calls masks come together outside, as `sum_of` has it.
  constexpr void add_mask(sweep& s, int to, const mask_type& mask) {
    if (s.mask.empty()) s.mask = vector<int>::defaults(s.adjoint.size());
    const int group = g_.group;
    if (g_.groups > 0 && backward_group(g_[to].group) != group) g_.group = group_;
    const bool has_all = s.adjoint[to] >= 0 && s.mask[to] == 0;
    const mask_type sum = has_all ? mask_type{} : s.adjoint[to] < 0 ? mask : either(s.masks[s.mask[to] - 1], mask);
    g_.group = group;
    if (!sum.is_all()) s.masks.push_back(sum);
    s.mask[to] = sum.is_all() ? 0 : s.masks.size();
  }
  /// Whether node i is a region, or a value of one; then all is done for it.
  constexpr bool is_of_region(sweep& s, int i) {
    if constexpr (Regions::any) {
      if (s.waiting[i] != 0) {
        Regions::differentiate(*this, g_, s, i, failure_);
        return true;
      }
      if (s.adjoint[i] >= 0 && g_.is(i, op_role::result)) {
        const int region = g_.operand(i, 0);
        s.of_regions.push_back({region, i, s.adjoint[i], taken(s, i)});
        s.waiting[region] = s.active[region];
        return true;
      }
    }
    return false;
  }
  /// The node that has the value of node n where the backward pass is.
  constexpr int value_of(sweep& s, int n) {
    if constexpr (Regions::any)
      if (s.forward != nullptr) return s.forward->at(n);
    return n;
  }
  constexpr void node_rule(sweep& s, int i) {
    const int count = g_[i].count, first = g_[i].first_operand;
    const op_info& op = *g_[i].op;
    bool onward = false;
    for (int k = 0; k < count; ++k) onward = onward || s.active[g_.operands[first + k]] != 0;
    if (!onward) return;
    if (op.vjp == nullptr) {
      if (failure_.op == nullptr) failure_.op = &op;
      return;
    }
    vector<ref> of_operands = vector<ref>::defaults(count), of_gradients = vector<ref>::defaults(count);
    ref *const x = of_operands.data(), *const dx = of_gradients.data();
    // By number: a value from within a loop is appended, which moves what is there.
    for (int k = 0; k < count; ++k) x[k] = {&g_, value_of(s, g_.operands[first + k])};
    const ref y{&g_, value_of(s, i)};
    const words w = g_.words_of(i);
    const gradient_rule<ref> rule{w, x, count, y, ref{&g_, s.adjoint[i]}, dx};
    const bool has_mask = !s.mask.empty() && s.mask[i] != 0;
    if (has_mask || op.slope == slope_kind::chosen) {
      masked_rule(s, i, rule, has_mask ? s.masks[s.mask[i] - 1] : mask_type{});
      return;
    }
    op.vjp(rule);
    for (int k = 0; k < count; ++k)
      if (dx[k].valid()) add(s, g_.operand(i, k), dx[k]);
  }
  constexpr void masked_rule(sweep& s, int i, const gradient_rule<ref>& rule, const mask_type& mask) {
    const op_info& op = *g_[i].op;
    vector<wanted_part> wanted(rule.count, wanted_part::nothing);
    vector<char> is_variable(rule.count, 0);
    vector<mask_type> masks(rule.count);
    for (int k = 0; k < rule.count; ++k) {
      const int to = g_.operand(i, k);
      is_variable[k] = g_.is(to, op_role::variable);
      if (s.active[to] == 0) continue;
      const bool is_leaf = g_[to].count == 0 && !g_.is(to, op_role::parameter);
      wanted[k] = is_leaf ? wanted_part::gradient : wanted_part::gradient_and_mask;
    }
    run_masked(handle_masks<handle>{}, {op.kind, op.role, op.slope, op.batch, op.axes}, mask, rule, wanted.data(),
               is_variable.data(), op.vjp, op.reach, masks.data());
    for (int k = 0; k < rule.count; ++k)
      if (rule.dx[k].valid()) add(s, g_.operand(i, k), rule.dx[k], masks[k]);
  }

  /// Whether a product is the transpose of a matrix, times another, and of the type of node `to`.
  constexpr bool is_sum_over_rows(int product, int to) const {
    const int a = g_.operand(product, 0);
    return g_.type(product).same_shape(g_.type(to)) && g_.type(a).rank == 2 && g_.type(g_.operand(product, 1)).rank == 2 &&
           g_.is(a, info_of<struct transpose>);
  }

  graph& g_;
  gradient_failure& failure_;
  int group_;
  vector<int> backward_;  ///< by groups
};

}  // namespace detail

}  // namespace etch
