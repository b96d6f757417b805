// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/verify_regions.hpp>

/// Whether a graph is one: the invariants that every pass relies on and keeps. Constant expressions and tests ask alike; what
/// single passes promise beyond it is in `passes/verify.hpp`.
namespace etch {

enum class graph_invariant : std::uint8_t {
  none,
  types_have_a_dtype_and_at_most_8_axes,
  extents_are_counts_or_in_the_table,
  each_type_is_there_once,
  nodes_have_ops,
  operands_lie_in_their_pool,
  words_lie_in_their_pool,
  types_are_in_the_table,
  operands_come_before_users,
  ops_have_as_many_operands_as_they_take,
  ops_have_as_many_words_as_they_name,
  attributes_are_in_range,
  only_groups_and_regions_have_no_value,
  regions_are_sound,
  bodies_read_nothing_else,
  slots_have_content,
  types_are_what_the_op_infers,
  assignments_are_of_variables,
  fetches_are_nodes,
  values_are_assigned_to_variables_of_their_type,
  // Of single passes.
  no_gradient_is_left,
  every_node_is_needed,
  equal_nodes_are_one,
  no_effect_is_left,
  operands_of_kernels_lie_in_memory,
  no_region_is_left,
  parameters_stay_in_their_loops,
  fetches_are_computed_once
};

/// What is broken, and where: a node, a type, or a fetch, by its number.
struct graph_fault {
  graph_invariant broken = graph_invariant::none;
  int at = -1;
  constexpr explicit operator bool() const { return broken != graph_invariant::none; }
};

namespace detail {

/// A count, or a reference to what the table has; unknown only where the table had no room, which is refused elsewhere.
constexpr bool is_extent(const extent_table& table, extent_value e, bool may_be_negative = false) {
  if (is_static(e)) return may_be_negative || e >= 0;
  if (e == unknown_extent) return table.exhausted();
  return INT64_MIN / 2 - e < table.polynomial_count();
}

/// Asks each node's op once, so a graph is verified in time that grows with its size.
class graph_verifier {
 public:
  constexpr explicit graph_verifier(const graph& g) : g_(g), extents_(g.extents), regions_(g), variable_of_(g.size(), -1) {}

  constexpr graph_fault run() {
    for (int t = 0; t < g_.types.size(); ++t) {
      const graph_invariant broken = check_type(g_.types[t], t);
      if (broken != graph_invariant::none) return {broken, t};
    }
    for (int n = 0; n < g_.size(); ++n) {
      graph_invariant broken = check_places(g_[n], n);
      if (broken == graph_invariant::none) broken = check_node(g_[n], n);
      if (broken != graph_invariant::none) return {broken, n};
    }
    for (int i = 0; i < g_.fetches.size(); ++i)
      if (g_.fetches[i] < 0 || g_.fetches[i] >= g_.size()) return {graph_invariant::fetches_are_nodes, i};
    for (int i = 0; i < g_.assignments.size(); ++i)
      if (!is_assignment(g_.assignments[i])) return {graph_invariant::values_are_assigned_to_variables_of_their_type, i};
    return {};
  }

 private:
  constexpr graph_invariant check_type(const tensor_type& t, int at) {
    if (t.rank < 0 || t.rank > max_rank || t.type > dtype::none) return graph_invariant::types_have_a_dtype_and_at_most_8_axes;
    hash_t h = static_cast<hash_t>(t.type) + 0x51ull;
    for (int i = 0; i < t.rank; ++i) {
      if (!is_extent(g_.extents, t.extents[i])) return graph_invariant::extents_are_counts_or_in_the_table;
      h = (h + static_cast<hash_t>(t.extents[i])) * 0xd6e8feb86659fd93ull;
      h ^= h >> 32;
    }
    h *= 0xd6e8feb86659fd93ull;
    const int same = types_.find(h);
    if (same >= 0 && g_.types[same] == t) return graph_invariant::each_type_is_there_once;
    if (same < 0) types_.insert(h, at);
    return graph_invariant::none;
  }
  /// What must hold before anything else of a node can be read.
  constexpr graph_invariant check_places(const node& d, int n) const {
    if (d.op == nullptr) return graph_invariant::nodes_have_ops;
    if (d.count < 0 || d.first_operand < 0 || d.first_operand + d.count > g_.operands.size())
      return graph_invariant::operands_lie_in_their_pool;
    if (d.word_count < 0 || d.word_count > words::capacity || d.first_word < 0 || d.first_word + d.word_count > g_.pool.size())
      return graph_invariant::words_lie_in_their_pool;
    if (d.type < 0 || d.type >= g_.types.size()) return graph_invariant::types_are_in_the_table;
    for (int k = 0; k < d.count; ++k)
      if (g_.operand(n, k) < 0 || g_.operand(n, k) >= n) return graph_invariant::operands_come_before_users;
    for (int k = 0; k < d.count; ++k)
      if (g_[g_.operand(n, k)].body != d.body) return graph_invariant::bodies_read_nothing_else;
    return graph_invariant::none;
  }
  constexpr graph_invariant check_node(const node& d, int n) {
    const op_info& op = *d.op;
    if (op.arity >= 0 && d.count != op.arity && !(op.role == op_role::extent && d.count == 0))
      return graph_invariant::ops_have_as_many_operands_as_they_take;
    const attribute_names& names = *op.names;
    if (names.count > 0 && (names.per_axis ? d.word_count % names.count != 0 : d.word_count != names.count))
      return graph_invariant::ops_have_as_many_words_as_they_name;
    for (int k = 0; k < d.word_count && names.count > 0; ++k)
      if (!is_in_range(d, n, names.at[names.per_axis ? k % names.count : k].kind, g_.word(n, k)))
        return graph_invariant::attributes_are_in_range;
    const bool is_region = has_sub_graphs(op.role) || op.role == op_role::call;
    if ((g_.types[d.type].type == dtype::none) != (op.role == op_role::group || is_region))
      return graph_invariant::only_groups_and_regions_have_no_value;
    if (op.kind == op_kind::region || op.role == op_role::parameter)
      return regions_.is_sound(n) ? graph_invariant::none : graph_invariant::regions_are_sound;
    if ((op.role == op_role::placeholder && d.content == 0) || (op.role == op_role::variable && d.slot == nullptr))
      return graph_invariant::slots_have_content;
    if (op.kind == op_kind::effect) {
      // Of a variable that is fed the user is told by `order_effects`.
      const int first = d.count > 0 ? g_.operand(n, 0) : -1;
      const bool is_slot = first >= 0 && (g_.is(first, op_role::variable) || g_.is(first, op_role::placeholder));
      if (op.role != op_role::group && first >= 0) variable_of_[n] = is_slot ? first : variable_of_[first];
      if (op.role == op_role::assign && variable_of_[n] < 0) return graph_invariant::assignments_are_of_variables;
    }
    return has_its_type(d, n) ? graph_invariant::none : graph_invariant::types_are_what_the_op_infers;
  }

  constexpr bool is_in_range(const node& d, int n, attribute_kind kind, std::int64_t word) const {
    const tensor_type& type = g_.types[d.type];
    if (d.op->role == op_role::index) return word >= 0 && word < type.rank;
    if (d.op->role == op_role::extent && d.count == 0) return is_extent(g_.extents, word);
    switch (kind) {
      case attribute_kind::axes: return word >= 0 && d.count > 0 && word >> g_.type(g_.operand(n, 0)).rank == 0;
      case attribute_kind::flag: return word == 0 || word == 1;
      case attribute_kind::type: return word >= 0 && word < dtype_count;
      case attribute_kind::extent: return is_extent(g_.extents, word, true);
      case attribute_kind::scalar:
        switch (type.type) {
          case dtype::boolean: return word == 0 || word == 1;
          case dtype::uint8: return word >= 0 && word <= UINT8_MAX;
          case dtype::int32: return word >= INT32_MIN && word <= INT32_MAX;
          default: return true;
        }
      default: return true;
    }
  }

  constexpr bool is_assignment(const assignment& a) {
    if (a.variable < 0 || a.variable >= g_.size() || a.value < 0 || a.value >= g_.size()) return false;
    const node& v = g_[a.variable];
    if (v.op->role != op_role::variable && v.op->role != op_role::placeholder) return false;
    if (a.first_word < 0 || a.word_count < 0 || a.first_word + a.word_count > g_.pool.size()) return false;
    const tensor_type &to = g_.types[v.type], &type = g_.type(a.value);
    if (a.word_count == 0) return to == type;
    return a.word_count == 3 * to.rank && is_part(to, type, g_.words_at(a.first_word, a.word_count));
  }

  /// Whether a node's type is what the op's rule gives. Of some movements the caller gives the type: then whether the rule
  /// allows it.
  constexpr bool has_its_type(const node& d, int n) {
    const tensor_type& type = g_.types[d.type];
    const op_role role = d.op->role;
    if (role == op_role::constant || (role == op_role::extent && d.count == 0)) return type.rank == 0;
    if (d.count == 0) return true;
    const tensor_type& x = g_.type(g_.operand(n, 0));
    if (d.op->is(info_of<struct reshape>))
      return x.type == type.type && may_equal(rules::element_count(extents_, x), rules::element_count(extents_, type));
    inference context{extents_};
    if (role == op_role::broadcast)
      return x.type == type.type && rules::broadcast(context, x, type).same_shape(type) && context.failure == reason::none;
    const words w = g_.words_of(n);
    tensor_type few[3];
    tensor_type given;
    if (d.count <= 3) {
      for (int k = 0; k < d.count; ++k) few[k] = g_.type(g_.operand(n, k));
      given = d.op->infer(context, few, d.count, w);
    } else {
      vector<tensor_type> in(d.count);
      for (int k = 0; k < d.count; ++k) in[k] = g_.type(g_.operand(n, k));
      given = d.op->infer(context, in.data(), d.count, w);
    }
    if (context.failure == reason::none && is_given(given, type)) return true;
    if (d.op->is(info_of<struct slice>)) return is_part(x, type, w);
    return d.op->is(info_of<struct pad>) && is_placed(x, type, w);
  }
  constexpr bool may_equal(extent_value a, extent_value b) const {
    return a == b || (extents_.exhausted() && !(is_static(a) && is_static(b)));
  }
  constexpr bool is_given(const tensor_type& given, const tensor_type& type) const {
    if (given.type != type.type || given.rank != type.rank) return false;
    for (int i = 0; i < type.rank; ++i)
      if (!may_equal(given.extents[i], type.extents[i])) return false;
    return true;
  }
  /// A slice that reads back what a `pad` has placed, up to the end or fewer; or between two named extents. Of a named axis that
  /// has too few elements is told when it is fed.
  constexpr bool is_part(const tensor_type& x, const tensor_type& type, const words& w) {
    if (x.type != type.type || x.rank != type.rank || w.count > 3 * x.rank) return false;
    for (int i = 0; i < x.rank; ++i) {
      const extent_value n = x.extents[i], left = type.extents[i];
      if (3 * i >= w.count) {
        if (!may_equal(n, left)) return false;
        continue;
      }
      const std::int64_t begin = w[3 * i], end = w[3 * i + 1], step = w[3 * i + 2];
      if (step == 0) return false;
      if (!is_static(begin) || !is_static(end)) {
        if (!may_equal(left, extents_.difference(end == to_end ? n : end, begin))) return false;
      } else if (is_static(n)) {
        const std::int64_t most = slice.count_of(n, begin, end, step);
        if (left != most && !(end == to_end && is_static(left) && left < most)) return false;
      } else if (end == to_end && step == -1 && begin == -1) {
        if (!may_equal(left, n)) return false;
      } else if (is_static(left)) {
        if (begin < 0 || step < 0) return false;
      } else if (end != to_end ? begin != 0 || end < 0 : begin < 0 || step != 1) {
        return false;
      } else if (const extent_value behind = extents_.difference(n, left); is_static(behind) && behind < begin) {
        return false;
      }
    }
    return true;
  }
  /// The gradient of a slice: each element of x has its place in the result.
  constexpr bool is_placed(const tensor_type& x, const tensor_type& type, const words& w) {
    if (x.type != type.type || x.rank != type.rank || w.count != 3 * x.rank) return false;
    for (int i = 0; i < x.rank; ++i) {
      const extent_value n = x.extents[i], all = type.extents[i];
      const std::int64_t first = w[3 * i], after = w[3 * i + 1], step = w[3 * i + 2];
      if (first >= 0 && after >= 0 && may_equal(all, extents_.sum(n, first + after))) continue;
      if (is_static(n) && is_static(all)) {
        if (n == 0) continue;
        const std::int64_t last = first + (n - 1) * step;
        if (step == 0 || first < 0 || first >= all || last < 0 || last >= all) return false;
      } else if (first == -1 && step == -1) {
        if (!may_equal(n, all)) return false;
      } else if (first < 0 || step <= 0 || (!is_static(n) && step != 1)) {
        return false;
      } else if (const extent_value behind = extents_.difference(all, n); step == 1 && is_static(behind) && behind < first) {
        return false;
      }
    }
    return true;
  }

  const graph& g_;
  extent_table extents_;  ///< a copy: rules may ask for sums and products that the graph does not have
  region_verifier regions_;
  vector<int> variable_of_;  ///< per effect: the slot whose value it is
  hash_index types_;
};

}  // namespace detail

/// What is broken in a graph as such, first by types, then by nodes.
constexpr graph_fault verify(const graph& g) {
  detail::graph_verifier v(g);
  return v.run();
}

}  // namespace etch
