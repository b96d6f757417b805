// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/loop_order.hpp>
#include <etch/passes/order_effects.hpp>

/// Assignments in the sub-graphs of loops and branches become assignments behind them. A variable that a loop's body assigns is one more
/// state of the loop, which begins as the variable's value and is assigned to it in the end; one that a branch assigns is one more value
/// of the branch, the old one where the sub-graph that runs does not assign it.
namespace etch {

namespace detail {

class effect_lifter {
 public:
  constexpr explicit effect_lifter(const graph& g)
      : g_(g), numbers_(g), node_of_(g.size(), -1), lifted_(g.size(), -1), assignments_(g.size()) {}

  constexpr graph run(effect_failure& failure) {
    out_.adopt(g_);
    for (int n = 0; n < g_.size(); ++n) {
      const bool is_value = g_.is(n, op_role::result) || g_.is(n, op_role::stack);
      if (g_.is(n, op_role::loop) || g_.is(n, op_role::branch))
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
  constexpr const vector<int>& mapped(int n) {
    in_.clear();
    for (int k = 0; k < g_[n].count; ++k) {
      const int o = g_.operand(n, k);
      // A stack holds what the node in its loop has become.
      in_.push_back(g_.is(n, op_role::stack) && k == 1 && lifted_[o] >= 0 ? lifted_[o] : node_of_[o]);
    }
    return in_;
  }
  /// Who asks for what a region gives has its assignments made.
  constexpr void value(int n) {
    const int made = out_.push(out_.copy_of(g_, n, mapped(n).data()));
    const vector<int>& assigned = assignments_[g_.operand(n, 0)];
    in_.clear();
    in_.push_back(made);
    in_.append(assigned);
    node_of_[n] = out_.push({&info_of<with_assignments>, in_.data(), in_.size(), g_[n].type, 0, 0, nullptr, 0});
  }

  /// A sub-graph without its effects: its values, and what it leaves in variables.
  struct pure_part {
    vector<int> values, variables, left;  ///< nodes of the new graph
  };
  constexpr void region(int n, effect_failure& failure) {
    const bool loop = g_.is(n, op_role::loop);
    const int regions = loop ? 1 : static_cast<int>(g_.word(n, 0));
    vector<pure_part> parts(regions);
    vector<int> variables;
    for (int r = 0; r < regions; ++r) {
      parts[r] = purified(n, roots_of(n, r), failure);
      for (int i = 0; i < parts[r].variables.size(); ++i)
        if (place_of(variables, parts[r].variables[i]) < 0) variables.push_back(parts[r].variables[i]);
    }
    if (variables.empty()) {
      node_of_[n] = out_.push(out_.copy_of(g_, n, mapped(n).data()));
      return;
    }
    const int values = loop ? append_loop(n, parts[0], variables) : append_branch(n, parts, variables);
    for (int i = 0; i < variables.size(); ++i) {
      const int type = out_[variables[i]].type, number = out_.push_words(words(values + i));
      const int last = out_.push({&info_of<region_result>, &node_of_[n], 1, type, number, 1, nullptr, 0});
      const int in[] = {variables[i], last};
      assignments_[n].push_back(out_.push({&info_of<struct assign>, in, 2, type, 0, 0, nullptr, 0}));
    }
  }
  static constexpr int place_of(const vector<int>& list, int n) {
    for (int i = 0; i < list.size(); ++i)
      if (list[i] == n) return i;
    return -1;
  }

  /// What a sub-graph gives, nodes of the graph as it was: of a loop the next states, the condition, what is stacked.
  constexpr vector<int> roots_of(int n, int part) const {
    vector<int> roots;
    if (g_.is(n, op_role::branch)) {
      const int values = static_cast<int>(g_.word(n, 1));
      for (int k = 0; k < values; ++k) roots.push_back(g_.operand(n, 1 + part * values + k));
      return roots;
    }
    for (int k = 2 * given(n); k < g_[n].count; ++k) roots.push_back(g_.operand(n, k));
    for (int i = n + 1; i < g_.size(); ++i)
      if (g_.is(i, op_role::stack) && g_.operand(i, 0) == n) roots.push_back(g_.operand(i, 1));
    return roots;
  }
  constexpr int given(int loop) const { return static_cast<int>(g_.word(loop, 1) + g_.word(loop, 2)); }

  /// The variable that something assigns, through assignments before it.
  constexpr int assigned_variable(int n) const {
    while (!out_.is(n, op_role::variable) && out_[n].count > 0) n = out_.operand(n, 0);
    return n;
  }

  constexpr pure_part purified(int n, const vector<int>& roots, effect_failure& failure) {
    pure_part part;
    // Per node of the new graph: whether the sub-graph reaches it, and whether it may change from step to step, or by an effect.
    vector<char> reached(out_.size(), 0), varies(out_.size(), 0);
    vector<int> stack;
    for (int i = 0; i < roots.size(); ++i) stack.push_back(node_of_[roots[i]]);
    bool any = false;
    while (!stack.empty()) {
      const int i = stack.back();
      stack.pop_back();
      if (reached[i] != 0) continue;
      reached[i] = 1;
      if (out_.is(i, op_role::assign)) {
        any = true;
        varies[assigned_variable(i)] = 1;
      }
      for (int k = 0; k < out_[i].count; ++k) stack.push_back(out_.operand(i, k));
    }
    if (!any) return part;
    for (int k = 0; g_.is(n, op_role::loop) && k < given(n); ++k) varies[node_of_[g_.operand(n, given(n) + k)]] = 1;
    graph sub;
    sub.adopt(out_);
    vector<int> in_sub(out_.size(), -1), origin;
    for (int i = 0; i < out_.size(); ++i) {
      if (reached[i] == 0) continue;
      if (out_[i].op->kind == op_kind::effect) varies[i] = 1;
      for (int k = 0; k < out_[i].count; ++k) varies[i] = static_cast<char>(varies[i] | varies[out_.operand(i, k)]);
      if (varies[i] == 0 || out_.is(i, op_role::parameter)) {
        in_sub[i] = sub.push({&info_of<placeholder_op>, nullptr, 0, out_[i].type, 0, 0, nullptr, static_cast<hash_t>(i + 1)});
        continue;
      }
      in_.clear();
      for (int k = 0; k < out_[i].count; ++k) in_.push_back(in_sub[out_.operand(i, k)]);
      in_sub[i] = sub.push(sub.copy_of(out_, i, in_.data()));
    }
    for (int i = 0; i < roots.size(); ++i) sub.fetches.push_back(in_sub[node_of_[roots[i]]]);
    const graph pure = order_effects(sub, failure);
    splice(n, pure, roots, part);
    return part;
  }
  /// Appends the nodes of a sub-graph whose effects are gone. In a loop a variable that it assigns is a state.
  constexpr void splice(int n, const graph& pure, const vector<int>& roots, pure_part& part) {
    vector<int> here(pure.size(), -1);
    for (int i = 0; i < pure.size(); ++i) {
      if (pure.is(i, op_role::placeholder)) {
        here[i] = static_cast<int>(pure[i].content) - 1;
        continue;
      }
      if (pure.is(i, op_role::variable)) {
        here[i] = variable_in(n, pure, i);
        continue;
      }
      in_.clear();
      for (int k = 0; k < pure[i].count; ++k) in_.push_back(here[pure.operand(i, k)]);
      const words w = pure.words_of(i);
      here[i] = out_.push(*pure[i].op, w, pure.type(i), in_.data(), in_.size(), pure[i].slot, pure[i].content);
    }
    for (int i = 0; i < roots.size(); ++i) {
      part.values.push_back(here[pure.fetches[i]]);
      lifted_[roots[i]] = part.values.back();
    }
    for (int i = 0; i < pure.assignments.size(); ++i) {
      part.variables.push_back(outer_variable(pure[pure.assignments[i].variable].content));
      part.left.push_back(here[pure.assignments[i].value]);
    }
  }
  constexpr int outer_variable(hash_t content) const {
    for (int i = 0; i < out_.size(); ++i)
      if (out_.is(i, op_role::variable) && out_[i].content == content) return i;
    return -1;
  }
  constexpr int variable_in(int n, const graph& pure, int variable) {
    const int outside = outer_variable(pure[variable].content);
    if (!g_.is(n, op_role::loop)) return outside;
    const int known = place_of(state_variables_, outside);
    if (known >= 0 && state_of_loop_[known] == n) return state_parameters_[known];
    state_variables_.push_back(outside);
    state_of_loop_.push_back(n);
    state_parameters_.push_back(append_parameter(out_, static_cast<int>(g_.word(n, 0)), numbers_, pure.type(variable)));
    return state_parameters_.back();
  }

  constexpr int append_loop(int n, const pure_part& part, const vector<int>& variables) {
    const int states = static_cast<int>(g_.word(n, 1)), all = given(n);
    vector<int> in;
    for (int k = 0; k < states; ++k) in.push_back(node_of_[g_.operand(n, k)]);
    in.append(variables);
    for (int k = states; k < all; ++k) in.push_back(node_of_[g_.operand(n, k)]);
    for (int k = 0; k < states; ++k) in.push_back(node_of_[g_.operand(n, all + k)]);
    for (int i = 0; i < variables.size(); ++i) {
      int parameter = -1;
      for (int k = 0; k < state_variables_.size(); ++k)
        if (state_variables_[k] == variables[i] && state_of_loop_[k] == n) parameter = state_parameters_[k];
      in.push_back(parameter);
    }
    for (int k = states; k < all; ++k) in.push_back(node_of_[g_.operand(n, all + k)]);
    for (int k = 0; k < states; ++k) in.push_back(part.values[k]);
    in.append(part.left);
    for (int k = states; k < g_[n].count - 2 * all; ++k) in.push_back(part.values[k]);  // the condition
    const words w(g_.word(n, 0), states + variables.size(), g_.word(n, 2), g_.word(n, 3));
    node_of_[n] = out_.push(info_of<region_loop>, w, tensor_type{}, in.data(), in.size());
    return states;
  }
  constexpr int append_branch(int n, const vector<pure_part>& parts, const vector<int>& variables) {
    const int values = static_cast<int>(g_.word(n, 1));
    vector<int> in;
    in.push_back(node_of_[g_.operand(n, 0)]);
    for (int r = 0; r < parts.size(); ++r) {
      const pure_part& p = parts[r];
      for (int k = 0; k < values; ++k) in.push_back(p.values.empty() ? node_of_[g_.operand(n, 1 + r * values + k)] : p.values[k]);
      for (int i = 0; i < variables.size(); ++i) {
        const int place = place_of(p.variables, variables[i]);
        in.push_back(place >= 0 ? p.left[place] : variables[i]);
      }
    }
    node_of_[n] =
        out_.push(info_of<region_branch>, words(parts.size(), values + variables.size()), tensor_type{}, in.data(), in.size());
    return values;
  }

  const graph& g_;
  graph out_;
  parameter_numbers numbers_;
  vector<int> node_of_, lifted_;
  vector<vector<int>> assignments_;  ///< per region: what it assigns, behind it
  vector<int> in_;
  vector<int> state_variables_, state_of_loop_, state_parameters_;  ///< variables that are states of a loop
};

}  // namespace detail

constexpr graph lift_effects(const graph& g, effect_failure& failure) {
  if (!has_regions(g) || !has_effects(g)) return g;
  graph in_order = g;
  vector<int> node_of;
  put_loops_in_order(in_order, node_of);
  detail::effect_lifter lifter(in_order);
  return lifter.run(failure);
}

}  // namespace etch
