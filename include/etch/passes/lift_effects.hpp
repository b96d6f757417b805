// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/computed_outside.hpp>
#include <etch/passes/effects_in_regions.hpp>
#include <etch/passes/loop_order.hpp>
#include <etch/passes/order_effects.hpp>

/// Assignments in the sub-graphs of regions become assignments behind them. A variable that a loop's body or condition assigns is one more
/// state of the loop, which begins as the variable's value and is assigned to it in the end; one that a branch assigns is one more value of
/// the branch, the old one where the sub-graph that runs does not assign it. One that is assigned in what is computed again is one more
/// value of it: gradients compute values again, and assign nothing.
///
/// A condition that assigns has run once more than the body when the loop ends, so it moves into the body, and the body into a branch:
/// `while (c(s)) s = f(s)` becomes `for (goes_on = true; goes_on;) { goes_on = c(s); if (goes_on) s = f(s); }`.
namespace etch {

namespace detail {

class effect_lifter {
 public:
  constexpr explicit effect_lifter(const graph& g)
      : g_(g), numbers_(g), outside_(g), made_of_effect_(nodes_made_of_effects(g)), node_of_(g.size(), -1), loops_(g.size()),
        assignments_(g.size()) {}

  constexpr graph run(effect_failure& failure) {
    out_.adopt(g_);
    for (int n = 0; n < g_.size(); ++n) {
      const bool is_value = g_.is(n, op_role::result) || g_.is(n, op_role::stack);
      if (is_region(n))
        region(n, failure);
      else if (is_value && !assignments_[g_.operand(n, 0)].empty())
        value(n);
      else
        node_of_[n] = out_.push(out_.copy_of(g_, n, mapped(n).data()));
    }
    out_.take_results(g_, node_of_.data());
    return static_cast<graph&&>(out_);
  }

 private:
  /// What is stacked in a loop, nodes of the graph as it was, and what it has become.
  struct lifted_loop {
    vector<int> stacked, values;
  };
  /// A sub-graph without its effects, in nodes of the new graph: its values, and what it leaves in the variables that its region assigns.
  struct pure_part {
    vector<int> values, left;
    bool assigns = false;
  };

  constexpr const vector<int>& mapped(int n) {
    in_.clear();
    for (int k = 0; k < g_[n].count; ++k) in_.push_back(node_of_[g_.operand(n, k)]);
    if (!g_.is(n, op_role::stack)) return in_;
    const lifted_loop& loop = loops_[g_.operand(n, 0)];
    if (const int place = place_of(loop.stacked, g_.operand(n, 1)); place >= 0) in_[1] = loop.values[place];
    return in_;
  }
  /// Who asks for what a region gives has its assignments made.
  constexpr void value(int n) {
    const int made = out_.push(out_.copy_of(g_, n, mapped(n).data()));
    const vector<int>& assigned = assignments_[g_.operand(n, 0)];
    in_.clear();
    in_.push_back(made);
    in_.append(assigned);
    node_of_[n] = out_.push({&info_of<with_effects>, in_.data(), in_.size(), g_[n].type, 0, 0, nullptr, 0});
  }

  constexpr void region(int n, effect_failure& failure) {
    const vector<int> stacked = stacked_in(n);
    vector<int> roots = nodes_of(operands(n, first_value(g_, n), g_[n].count));
    roots.append(nodes_of(stacked));
    happens_outside_ = vector<char>(out_.size(), 0);
    for (int i = 0; i < n && !outside_.of(n).empty(); ++i)
      if (outside_.of(n)[i] != 0 && made_of_effect_[i] != 0) happens_outside_[node_of_[i]] = 1;
    const vector<int> variables = assigned_by(roots);
    const vector<char> reached = reached_from(roots);
    effects_before_.clear();
    for (int i = 0; i < reached.size(); ++i)
      if (reached[i] != 0 && happens_outside(i)) effects_before_.push_back(i);
    if (variables.empty()) {
      node_of_[n] = out_.push(out_.copy_of(g_, n, mapped(n).data()));
      return;
    }
    const int values = g_.is(n, op_role::loop) ? append_loop(n, stacked, variables, failure) : append_parts(n, variables, failure);
    for (int i = 0; i < variables.size(); ++i) {
      const int type = out_[variables[i]].type;
      const int in[] = {variables[i], append_result(node_of_[n], values + i, type)};
      assignments_[n].push_back(out_.push({&info_of<struct assign>, in, 2, type, 0, 0, nullptr, 0}));
    }
  }
  constexpr int append_result(int region, int k, int type) {
    const int number = out_.push_words(words(k));
    return out_.push({&info_of<region_result>, &region, 1, type, number, 1, nullptr, 0});
  }
  static constexpr int place_of(const vector<int>& list, int n) {
    for (int i = 0; i < list.size(); ++i)
      if (list[i] == n) return i;
    return -1;
  }
  constexpr bool is_region(int n) const { return has_sub_graphs(g_[n].op->role); }
  constexpr int given(int region) const { return given_operands(g_, region); }
  constexpr vector<int> operands(int n, int from, int to) const {
    vector<int> r;
    for (int k = from; k < to; ++k) r.push_back(g_.operand(n, k));
    return r;
  }
  constexpr vector<int> stacked_in(int loop) const {
    vector<int> r;
    for (int i = loop + 1; i < g_.size(); ++i)
      if (g_.is(i, op_role::stack) && g_.operand(i, 0) == loop) r.push_back(g_.operand(i, 1));
    return r;
  }
  constexpr vector<int> nodes_of(vector<int> before) const {
    for (int i = 0; i < before.size(); ++i) before[i] = node_of_[before[i]];
    return before;
  }

  /// Whether a node of the new graph has an effect outside of the region that is being lifted, which is given its value.
  constexpr bool happens_outside(int i) const { return i < happens_outside_.size() && happens_outside_[i] != 0; }
  /// Per node of the new graph, whether the region computes it for these, or is given it.
  constexpr vector<char> reached_from(vector<int> stack) const {
    vector<char> reached(out_.size(), 0);
    while (!stack.empty()) {
      const int i = stack.back();
      stack.pop_back();
      if (reached[i] != 0) continue;
      reached[i] = 1;
      for (int k = 0; k < out_[i].count && !happens_outside(i); ++k) stack.push_back(out_.operand(i, k));
    }
    return reached;
  }
  constexpr vector<int> assigned_by(const vector<int>& roots) const {
    const vector<char> reached = reached_from(roots);
    vector<int> variables;
    for (int i = 0; i < reached.size(); ++i) {
      if (reached[i] == 0 || happens_outside(i) || !out_.is(i, op_role::assign)) continue;
      int to = i;  // through assignments before this one
      while (!out_.is(to, op_role::variable) && out_[to].count > 0) to = out_.operand(to, 0);
      if (place_of(variables, to) < 0) variables.push_back(to);
    }
    return variables;
  }

  /// The sub-graph of region n with these roots, which finds in the variables what `before` gives. What neither changes from step to step
  /// nor has an effect in it stays as it is.
  constexpr pure_part purified(int n, const vector<int>& roots, const vector<int>& variables, const vector<int>& before,
                               effect_failure& failure) {
    const vector<char> reached = reached_from(roots);
    vector<char> varies(out_.size(), 0);
    for (int i = 0; i < variables.size(); ++i) varies[variables[i]] = 1;
    for (int k = 0; has_parameters(g_[n].op->role) && k < given(n); ++k) varies[node_of_[g_.operand(n, given(n) + k)]] = 1;
    graph sub;
    sub.adopt(out_);
    vector<int> in_sub(reached.size(), -1);
    for (int i = 0; i < reached.size(); ++i) {
      if (reached[i] == 0) continue;
      if (out_[i].op->kind == op_kind::effect) varies[i] = 1;
      for (int k = 0; k < out_[i].count; ++k) varies[i] = static_cast<char>(varies[i] | varies[out_.operand(i, k)]);
      if (happens_outside(i)) varies[i] = 0;
      if (varies[i] == 0 || out_.is(i, op_role::parameter)) {
        in_sub[i] = sub.push({&info_of<placeholder_op>, nullptr, 0, out_[i].type, 0, 0, nullptr, static_cast<hash_t>(i + 1)});
        continue;
      }
      in_.clear();
      for (int k = 0; k < out_[i].count; ++k) in_.push_back(in_sub[out_.operand(i, k)]);
      in_sub[i] = sub.push(sub.copy_of(out_, i, in_.data()));
    }
    for (int i = 0; i < roots.size(); ++i) sub.fetches.push_back(in_sub[roots[i]]);
    return spliced(order_effects(sub, failure), variables, before);
  }
  /// Appends the nodes of a sub-graph whose effects are gone.
  constexpr pure_part spliced(const graph& pure, const vector<int>& variables, const vector<int>& before) {
    pure_part part;
    part.left = before;
    vector<int> here(pure.size(), -1);
    for (int i = 0; i < pure.size(); ++i) {
      if (pure.is(i, op_role::placeholder)) {
        here[i] = static_cast<int>(pure[i].content) - 1;
        continue;
      }
      if (pure.is(i, op_role::variable)) {
        here[i] = before[place_of_variable(variables, pure[i].content)];
        continue;
      }
      in_.clear();
      for (int k = 0; k < pure[i].count; ++k) in_.push_back(here[pure.operand(i, k)]);
      const words w = pure.words_of(i);
      here[i] = out_.push(*pure[i].op, w, pure.type(i), in_.data(), in_.size(), pure[i].slot, pure[i].content);
    }
    for (int i = 0; i < pure.fetches.size(); ++i) part.values.push_back(here[pure.fetches[i]]);
    for (int i = 0; i < pure.assignments.size(); ++i) {
      part.left[place_of_variable(variables, pure[pure.assignments[i].variable].content)] = here[pure.assignments[i].value];
      part.assigns = true;
    }
    return part;
  }
  constexpr int place_of_variable(const vector<int>& variables, hash_t content) const {
    for (int i = 0; i < variables.size(); ++i)
      if (out_[variables[i]].content == content) return i;
    return -1;
  }

  /// Gives where the variables are among the states.
  constexpr int append_loop(int n, const vector<int>& stacked, const vector<int>& variables, effect_failure& failure) {
    const int level = static_cast<int>(g_.word(n, 0)), states = static_cast<int>(g_.word(n, 1)), all = given(n);
    const int body_ends = 2 * all + states;
    const bool has_condition = g_[n].count > body_ends;
    const vector<int> given_nodes = given_after_effects(n);
    vector<int> first, parameters = nodes_of(operands(n, all, all + states)), before;
    for (int k = 0; k < states; ++k) first.push_back(given_nodes[k]);
    for (int i = 0; i < variables.size(); ++i) {
      const tensor_type type = out_.type(variables[i]);
      before.push_back(append_parameter(out_, level, numbers_, type));
      first.push_back(behind(given_nodes, variables[i]));
    }
    parameters.append(before);
    pure_part condition;
    condition.left = before;
    if (has_condition) condition = purified(n, nodes_of(operands(n, body_ends, g_[n].count)), variables, before, failure);
    vector<int> roots = nodes_of(operands(n, 2 * all, body_ends));
    roots.append(nodes_of(stacked));
    const pure_part body = purified(n, roots, variables, condition.left, failure);

    vector<int> next;
    lifted_loop& lifted = loops_[n];
    lifted.stacked = stacked;
    if (condition.assigns) {
      next = body_where_it_goes_on(condition, body, parameters, states, lifted);
      next.push_back(condition.values[0]);
      first.push_back(append_constant(out_, dtype::boolean, 1).node);
      parameters.push_back(append_parameter(out_, level, numbers_, tensor_type{dtype::boolean}));
      condition.values[0] = parameters.back();
    } else {
      for (int k = 0; k < states; ++k) next.push_back(body.values[k]);
      next.append(body.left);
      for (int k = 0; k < stacked.size(); ++k) lifted.values.push_back(body.values[states + k]);
    }
    vector<int> in = first;
    for (int k = states; k < all; ++k) in.push_back(given_nodes[k]);
    in.append(parameters);
    in.append(nodes_of(operands(n, all + states, 2 * all)));
    in.append(next);
    in.append(condition.values);
    const words w(level, first.size(), g_.word(n, 2), g_.word(n, 3));
    node_of_[n] = out_.push(info_of<region_loop>, w, tensor_type{}, in.data(), in.size());
    return states;
  }
  /// What region n is given first. Effects outside of it whose values its sub-graphs read happen before it begins.
  constexpr vector<int> given_after_effects(int n) {
    vector<int> first = nodes_of(operands(n, 0, given(n)));
    if (effects_before_.empty()) return first;
    in_.clear();
    in_.push_back(first.back());
    in_.append(effects_before_);
    first.back() = out_.push({&info_of<with_effects>, in_.data(), in_.size(), out_[in_[0]].type, 0, 0, nullptr, 0});
    return first;
  }
  /// What a variable holds when a region begins, whose operands may have assigned it. The host's order follows them of itself.
  constexpr int behind(const vector<int>& given_nodes, int variable) {
    if (out_[variable].slot != nullptr && out_[variable].slot->orders_host) return variable;
    vector<int> in;
    in.push_back(variable);
    in.append(given_nodes);
    return out_.push({&info_of<struct after>, in.data(), in.size(), out_[variable].type, 0, 0, nullptr, 0});
  }
  /// The next states of a body that runs in a branch, where the condition is true. Where it is not, all states are what they were, and what
  /// is stacked is 0.
  constexpr vector<int> body_where_it_goes_on(const pure_part& condition, const pure_part& body, const vector<int>& parameters,
                                              int states, lifted_loop& lifted) {
    vector<int> in, next;
    in.push_back(condition.values[0]);
    in.append(body.values);
    in.append(body.left);
    for (int k = 0; k < states; ++k) in.push_back(parameters[k]);
    for (int k = states; k < body.values.size(); ++k) in.push_back(filled(out_, out_.type(body.values[k]), 0).node);
    in.append(condition.left);
    const int values = body.values.size(), count = values + body.left.size();
    const int branch = out_.push(info_of<region_branch>, words(2, count), tensor_type{}, in.data(), in.size());
    for (int k = 0; k < count; ++k) {
      const int made = append_result(branch, k, out_[in[1 + k]].type);
      (k < states || k >= values ? next : lifted.values).push_back(made);
    }
    return next;
  }
  /// A branch, or what is computed again. Gives how many values it has had.
  constexpr int append_parts(int n, const vector<int>& variables, effect_failure& failure) {
    const bool branch = g_.is(n, op_role::branch);
    const int first = first_value(g_, n), regions = branch ? static_cast<int>(g_.word(n, 0)) : 1;
    const int values = (g_[n].count - first) / regions;
    vector<int> in = given_after_effects(n);
    in.append(nodes_of(operands(n, given(n), first)));
    for (int r = 0; r < regions; ++r) {
      const vector<int> roots = nodes_of(operands(n, first + r * values, first + (r + 1) * values));
      pure_part part = {roots, variables, false};
      if (!assigned_by(roots).empty()) part = purified(n, roots, variables, variables, failure);
      in.append(part.values);
      in.append(part.left);
    }
    const words w = branch ? words(regions, values + variables.size()) : g_.words_of(n);
    node_of_[n] = out_.push(*g_[n].op, w, tensor_type{}, in.data(), in.size());
    return values;
  }

  const graph& g_;
  graph out_;
  parameter_numbers numbers_;
  computed_outside outside_;
  vector<char> made_of_effect_;   ///< per node of the graph as it was
  vector<char> happens_outside_;  ///< per node of the new graph when the region that is being lifted was begun
  vector<int> effects_before_;    ///< those of them that it reads
  vector<int> node_of_;
  vector<lifted_loop> loops_;
  vector<vector<int>> assignments_;  ///< per region: what it assigns, behind it
  vector<int> in_;
};

}  // namespace detail

constexpr graph lift_effects(const graph& g, effect_failure& failure) {
  if (!has_effects_in_regions(g)) return g;
  graph in_order = g;
  vector<int> node_of;
  put_loops_in_order(in_order, node_of);
  detail::effect_lifter lifter(in_order);
  return lifter.run(failure);
}

}  // namespace etch
