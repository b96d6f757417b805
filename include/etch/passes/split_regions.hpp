// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/bodies.hpp>
#include <etch/passes/part_of_graph.hpp>

/// Takes the bodies of regions out of a graph: what is left calls them, and each of them is a graph by itself.
namespace etch {

namespace detail {

/// The results of a loop's body that are stacks of what a state is before each step: those lie where the step before has put them, so that
/// the body does not give them. Per result that state, or -1.
constexpr vector<int> stacked_states(const graph& g, int loop) {
  const int body = first_body(g, loop), states = states_of(g, loop);
  vector<int> r(g.result_count(body), -1);
  for (int k = states; k < r.size(); ++k) {
    const int n = g.result(body, k);
    if (g.is(n, op_role::parameter) && g.word(n, 1) < states) r[k] = static_cast<int>(g.word(n, 1));
  }
  return r;
}
constexpr int number_in_call(const graph& g, int result) {
  const int region = g.operand(result, 0), number = static_cast<int>(g.word(result, 0));
  if (!g.is(region, op_role::loop)) return number;
  const vector<int> states = stacked_states(g, region);
  if (states[number] >= 0) return -1 - states[number];
  int left = number;
  for (int k = 0; k < number; ++k) left -= states[k] >= 0 ? 1 : 0;
  return left;
}

constexpr words call_words(const graph& g, int region, int number) {
  const bool loop = g.is(region, op_role::loop), branch = g.is(region, op_role::branch);
  const call_kind kind = branch                       ? call_kind::branch
                         : !loop                      ? call_kind::function
                         : body_count(g, region) == 2 ? call_kind::loop_with_condition
                                                      : call_kind::loop;
  words w(static_cast<int>(kind), number);
  w.push_back(loop ? states_of(g, region) : branch ? 0 : number);
  w.push_back(loop ? sequences_of(g, region) : branch ? static_cast<int>(g.type(g.operand(region, 0)).type) : 0);
  w.push_back(loop ? g.word(region, 3) & loop_mode::reversed : 0);
  w.push_back(body_count(g, region));
  return w;
}

}  // namespace detail

/// The graph in which each region is one call.
constexpr graph without_regions(const graph& g) {
  graph out;
  out.adopt(g);
  int calls = 0;
  vector<int> node_of(g.size(), -1), in;
  for (int n = 0; n < g.size(); ++n) calls += g.is(n, op_role::call) ? 1 : 0;
  for (int n = 0; n < g.size(); ++n) {
    if (g[n].body != 0) continue;
    in.clear();
    for (int k = 0; k < g[n].count; ++k) in.push_back(node_of[g.operand(n, k)]);
    if (detail::is_region(g, n))
      node_of[n] = out.push(info_of<region_call>, detail::call_words(g, n, calls++), tensor_type{}, in.data(), in.size());
    else if (g.is(n, op_role::result) && detail::is_region(g, g.operand(n, 0)))
      node_of[n] = out.push(info_of<region_result>, words(detail::number_in_call(g, n)), g.type(n), in.data(), 1);
    else
      node_of[n] = out.push(out.copy_of(g, n, in.data()));
  }
  out.take_fetches(g, node_of.data());
  return out;
}

/// Body `part` of call `number`, which fetches what that gives. What it is given are placeholders whose contents are their numbers, from 1 on.
constexpr graph region_part(const graph& g, int number, int part) {
  int region = 0;
  for (int left = number + 1; left > 0; ++region) left -= g[region].body == 0 && detail::is_region(g, region) ? 1 : 0;
  --region;
  const int root = detail::first_body(g, region) + part;
  graph out;
  out.extents = g.extents;
  out.groups = g.groups;
  vector<int> body_of(g.bodies.size(), -1), node_of(g.size(), -1), in;
  vector<char> is_there(g.bodies.size(), 0);
  is_there[root] = 1;
  detail::mark_bodies_within(g, is_there);
  out.add_bodies(0);
  for (int b = 0; b < is_there.size(); ++b)
    if (is_there[b] != 0) body_of[b] = b == root ? 0 : out.add_bodies();
  for (int n = 0; n < g.size(); ++n) {
    const node& d = g[n];
    if (body_of[d.body] < 0) continue;
    const int body = body_of[d.body], type = out.type_id(g.type(n));
    if (d.op->role == op_role::parameter && body == 0) {
      const hash_t content = static_cast<hash_t>(g.word(n, 1)) + 1;
      node_of[n] = out.push({&info_of<detail::placeholder_op>, nullptr, 0, type, 0, 0, d.slot, content, 0, 0});
      continue;
    }
    in.clear();
    for (int k = 0; k < d.count; ++k) in.push_back(node_of[g.operand(n, k)]);
    words w = g.words_of(n);
    if (detail::is_region(g, n)) {
      std::int64_t& at = w.at[detail::body_word(*d.op)];
      at = body_of[static_cast<int>(at)];
    }
    node_of[n] = out.push({d.op, in.data(), in.size(), type, out.push_words(w), w.count, d.slot, d.content, d.group, body});
  }
  for (int b = 0; b < body_of.size(); ++b)
    if (body_of[b] > 0) detail::give_as(g, b, out, body_of[b], node_of);
  vector<int> states(g.result_count(root), -1);
  if (g.is(region, op_role::loop) && part == 0) states = detail::stacked_states(g, region);
  for (int k = 0; k < g.result_count(root); ++k)
    if (states[k] < 0) out.fetches.push_back(node_of[g.result(root, k)]);
  detail::number_groups(out);
  return out;
}

}  // namespace etch
