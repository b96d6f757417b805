// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/build.hpp>
#include <etch/ops/regions.hpp>

/// Regions and their bodies in graphs.
namespace etch::detail {

constexpr bool is_region(const graph& g, int n) { return has_sub_graphs(g[n].op->role); }
constexpr int first_body(const graph& g, int region) { return static_cast<int>(g.word(region, body_word(*g[region].op))); }
/// How many bodies a region has: of a loop the steps', and the condition.
constexpr int body_count(const graph& g, int region) {
  if (g.is(region, op_role::branch)) return static_cast<int>(g.word(region, 0));
  return g.is(region, op_role::loop) && (g.word(region, 3) & loop_mode::has_condition) != 0 ? 2 : 1;
}
constexpr int states_of(const graph& g, int loop) { return static_cast<int>(g.word(loop, 1)); }
constexpr int sequences_of(const graph& g, int loop) { return static_cast<int>(g.word(loop, 2)); }
/// How many operands a region is given by the program; the others its bodies have captured.
constexpr int given_to(const graph& g, int region) {
  switch (g[region].op->role) {
    case op_role::loop: return states_of(g, region) + sequences_of(g, region);
    case op_role::recompute: return static_cast<int>(g.word(region, 1));
    default: return 1;
  }
}

/// The nodes of a body, in order.
constexpr vector<int> nodes_of_body(const graph& g, int body) {
  vector<int> r;
  for (int n = 0; n < g.size(); ++n)
    if (g[n].body == body) r.push_back(n);
  return r;
}
/// The node that stands in a body for operand k of its region, for each k; -1 where the body does not read it.
constexpr vector<int> parameters_of_body(const graph& g, int body, int operands) {
  vector<int> r(operands, -1);
  for (int n = 0; n < g.size(); ++n)
    if (g[n].body == body && g.is(n, op_role::parameter) && g.word(n, 1) >= 0) r[static_cast<int>(g.word(n, 1))] = n;
  return r;
}
/// Puts `node` into a body of the graph.
constexpr int append_to_body(graph& g, int body, const op_info& op, const words& w, const tensor_type type, const int* in,
                             int count) {
  const int type_id = g.type_id(type);
  return g.push({&op, in, count, type_id, w.count == 0 ? 0 : g.push_words(w), w.count, nullptr, 0, -1, body});
}
/// number: of an operand, or -1 where that is not known yet, or never.
constexpr int append_parameter(graph& g, int body, int number, const tensor_type type) {
  return append_to_body(g, body, info_of<region_parameter>, words(0, number), type, nullptr, 0);
}
constexpr int append_result(graph& g, int body, int region, int number, const tensor_type type) {
  return append_to_body(g, body, info_of<region_result>, words(number), type, &region, 1);
}

/// The type of what a loop gives in all steps.
constexpr tensor_type stacked_type(const graph& g, int loop, const tensor_type& of_step) {
  tensor_type t = of_step;
  t.rank = of_step.rank + 1;
  for (int i = 0; i < of_step.rank; ++i) t.extents[i + 1] = of_step.extents[i];
  t.extents[0] = g.type(g.operand(loop, states_of(g, loop))).extents[0];
  return t;
}
/// A stack of what node n of the loop's body is in each step.
constexpr int append_stack(graph& g, int loop, int n) {
  const int body = first_body(g, loop);
  int number = states_of(g, loop);
  while (number < g.result_count(body) && g.result(body, number) != n) ++number;
  if (number == g.result_count(body)) g.add_result(body, n);
  return append_result(g, g[loop].body, loop, number, stacked_type(g, loop, g.type(n)));
}

}  // namespace etch::detail
