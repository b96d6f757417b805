// SPDX-License-Identifier: MIT
#pragma once
#include <tuple>

#include <etch/passes/reverse_mode.hpp>

/// Reverse-mode differentiation: replaces every `gradient` node by the nodes that compute it.
namespace etch {

/// The derivative of the sum of y with respect to x, in x's shape. Operands: y, x. Replaced by the pass `gradient`.
struct gradient_op : op_defaults {
  static constexpr const char* name = "gradient";
  static constexpr op_role role = op_role::gradient;
  static constexpr op_kind kind = op_kind::meta;
  static constexpr int arity = 2;
  static constexpr bool differentiable = false;
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words&) { return in[1]; }
};

namespace detail {

/// How y depends on the nodes before it.
struct dependences {
  vector<char> by_floats;             ///< through floats only
  vector<const op_info*> blocked_by;  ///< else the op nearest to the node on a way to y whose result is no float, or null
};
constexpr dependences find_dependences(const graph& g, int y) {
  dependences d;
  vector<char> reached(y + 1, 0);
  d.by_floats.resize(y + 1, 0);
  d.blocked_by.resize(y + 1, nullptr);
  reached[y] = d.by_floats[y] = 1;
  for (int i = y; i >= 0; --i) {
    if (reached[i] == 0) continue;
    const bool is_float = carries_gradients(g, i);
    for (int k = 0; k < g[i].count; ++k) {
      const int o = g.operand(i, k);
      reached[o] = 1;
      if (is_float && d.by_floats[i] != 0) d.by_floats[o] = 1;
      if (!is_float || d.blocked_by[i] != nullptr) d.blocked_by[o] = is_float ? d.blocked_by[i] : g[i].op;
    }
  }
  return d;
}

/// What y is made of in its body, operands first, in an order that follows from y alone: so an adjoint is summed up in one order whatever
/// else is fetched.
constexpr vector<int> postorder(const graph& g, int y) {
  struct started {
    int node = -1, left = 0;
  };
  vector<char> seen(y + 1, 0);
  vector<int> order;
  vector<started> stack;
  seen[y] = 1;
  stack.push_back({y, g[y].count});
  while (!stack.empty()) {
    started& now = stack.back();
    if (now.left == 0) {
      order.push_back(now.node);
      stack.pop_back();
      continue;
    }
    const int n = g.operand(now.node, --now.left);
    if (seen[n] != 0 || g[n].body != g[y].body) continue;
    seen[n] = 1;
    stack.push_back({n, g[n].count});
  }
  return order;
}

/// One sweep from y back to all of `targets`, in that group; writes the gradient node of each, or -1 where none is reached.
template <class Regions>
constexpr void differentiate(graph& g, int y, int group, const vector<int>& targets, vector<int>& gradients,
                             gradient_failure& failure) {
  reverse_mode<Regions> mode(g, failure, group);
  const vector<int> nodes = postorder(g, y);
  vector<int> of_body;  // of which y is not made of all
  if constexpr (Regions::any) of_body = mode.bodies.of(g[y].body);
  reverse_sweep<Regions> sweep(y + 1, of_body);
  sweep.to = g.body = g[y].body;
  for (int t = 0; t < targets.size(); ++t)
    if (targets[t] <= y) sweep.active[targets[t]] = 1;
  for (int i = 0; i <= y; ++i)
    if (carries_gradients(g, i))
      for (int k = 0; k < g[i].count && sweep.active[i] == 0; ++k) sweep.active[i] = sweep.active[g.operand(i, k)];
  if (sweep.active[y] != 0) sweep.adjoint[y] = filled(g, g.type(y), 1).node;
  mode.run(sweep, nodes);
  for (int t = 0; t < targets.size(); ++t) {
    const bool is_here = targets[t] <= y && g[targets[t]].body == g[y].body;
    gradients.push_back(is_here ? sweep.adjoint[targets[t]] : -1);
  }
}

}  // namespace detail

/// Replaces gradient nodes, innermost first; all gradients of one y share one backward sweep.
template <class Regions = detail::no_regions>
constexpr graph expand_gradients(const graph& g, gradient_failure& failure) {
  graph out;
  out.adopt(g);
  out.add_empty_bodies(g.bodies.size());
  vector<int> map(g.size(), -1);
  vector<int> in, sharing, targets, results;
  for (int i = 0; i < g.size(); ++i) {
    if (map[i] >= 0) continue;
    if (!g.is(i, op_role::gradient)) {
      in.clear();
      for (int k = 0; k < g[i].count; ++k) in.push_back(map[g.operand(i, k)]);
      map[i] = out.push(out.copy_of(g, i, in.data()));
      if constexpr (Regions::any) Regions::take_bodies(g, i, out, map);
      continue;
    }
    const int y = g.operand(i, 0);
    sharing.clear();
    targets.clear();
    results.clear();
    for (int j = i; j < g.size(); ++j)
      if (g.is(j, op_role::gradient) && g.operand(j, 0) == y && map[g.operand(j, 1)] >= 0) {
        sharing.push_back(j);
        targets.push_back(map[g.operand(j, 1)]);
      }
    detail::differentiate<Regions>(out, map[y], g[i].group, targets, results, failure);
    detail::dependences on;
    for (int j = 0; j < sharing.size(); ++j) {
      map[sharing[j]] = results[j];
      if (results[j] >= 0) continue;
      // The gradient is 0 of what is reached only through ops whose gradient is zero everywhere (floor, sign, stop_gradient), and of what
      // y has depended on before gradients in it were replaced (the slope of 3 x is a constant); so it is, for want of a better, of what
      // is not reached.
      const int target = g.operand(sharing[j], 1);
      if (on.by_floats.empty()) on = detail::find_dependences(g, y);
      const bool is_reached = target <= y && on.by_floats[target] != 0;
      if (!is_reached && !failure) failure = {target <= y ? on.blocked_by[target] : nullptr, g[target].content};
      map[sharing[j]] = filled(out, out.type(map[target]), 0).node;
    }
  }
  out.body = 0;
  out.take_fetches(g, map.data());
  return out;
}

/// The gradient of the sum of y with respect to x, as an expression.
template <expression Y, expression X>
constexpr auto gradient(Y, X) {
  if constexpr (is_floating(dtype_of<typename Y::value_type>) && is_floating(dtype_of<typename X::value_type>)) {
    return make_node_of<gradient_op, typename X::value_type, typename X::shape_type, attributes<>>(Y{}, X{});
  } else {
    raise<only_floats_have_gradients_cast_first, in_op<gradient_op>, shown<Y>, shown<X>>();
    return X{};
  }
}

ETCH_REFUSE_CALLS(gradient, this_call_has_the_wrong_arguments, "gradient($, w)")

/// The gradients of y with respect to each x, as a tuple of expressions.
template <expression Y, expression... X>
constexpr auto gradients(Y y, X... x) {
  return std::tuple{gradient(y, x)...};
}
ETCH_REFUSE_CALLS(gradients, this_call_has_the_wrong_arguments, "gradients($, w, b)")

}  // namespace etch
