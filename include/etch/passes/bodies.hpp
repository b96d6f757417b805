// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/build.hpp>
#include <etch/graph/levels.hpp>
#include <etch/ops/regions.hpp>

/// Regions and their bodies in graphs.
namespace etch::detail {

constexpr bool is_region(const graph& g, int n) { return has_sub_graphs(g[n].op->role); }
constexpr int first_body(const graph& g, int region) { return static_cast<int>(g.word(region, body_word(*g[region].op))); }
constexpr int body_count(const graph& g, int region) { return body_count(*g[region].op, g.attributes_of(region)); }
constexpr int states_of(const graph& g, int loop) { return static_cast<int>(g.word(loop, 1)); }
constexpr int sequences_of(const graph& g, int loop) { return static_cast<int>(g.word(loop, 2)); }

/// Per body the region that has it, -1 where none does.
constexpr vector<int> regions_of_bodies(const graph& g) {
  vector<int> r(g.bodies.size(), -1);
  for (int n = 0; n < g.size(); ++n)
    for (int k = 0; is_region(g, n) && k < body_count(g, n); ++k) r[first_body(g, n) + k] = n;
  return r;
}
/// Marks the bodies of regions in marked ones too. A body has a higher number than the one around it.
constexpr void mark_bodies_within(const graph& g, vector<char>& marks) {
  const vector<int> region_of = regions_of_bodies(g);
  for (int b = 1; b < marks.size(); ++b)
    if (region_of[b] >= 0 && marks[g[region_of[b]].body] != 0) marks[b] = 1;
}
/// Body `to` of a graph gives what body `from` of another one does; `node_of`: what nodes of the other one are there.
constexpr void give_as(const graph& other, int from, graph& g, int to, const vector<int>& node_of) {
  vector<int> gives;
  for (int k = 0; k < other.result_count(from); ++k) gives.push_back(node_of[other.result(from, k)]);
  g.set_results(to, gives);
}

/// The nodes of bodies, of a graph that grows. Each node is looked at once, however many bodies there are: to look through the whole graph for
/// the nodes of each, second gradients of three regions in one another took more constexpr steps than clang allows (random program 9).
class body_index {
 public:
  constexpr explicit body_index(const graph& g) : g_(g) {}

  /// In order, those that there are by now.
  constexpr vector<int> of(int body) {
    last_.resize(g_.bodies.size() > body ? g_.bodies.size() : body + 1, -1);
    for (int n = before_.size(); n < g_.size(); ++n) {
      int& last = last_[g_[n].body];
      before_.push_back(last);
      last = n;
    }
    int count = 0;
    for (int n = last_[body]; n >= 0; n = before_[n]) ++count;
    vector<int> nodes = vector<int>::defaults(count);
    for (int n = last_[body]; n >= 0; n = before_[n]) nodes[--count] = n;
    return nodes;
  }
  /// The node that stands in a body for operand k of its region, for each k; -1 where the body does not read it.
  constexpr vector<int> parameters_of(int body, int operands) {
    vector<int> r(operands, -1);
    const vector<int> nodes = of(body);
    for (int i = 0; i < nodes.size(); ++i)
      if (g_.is(nodes[i], op_role::parameter) && g_.word(nodes[i], 1) >= 0 && g_.word(nodes[i], 1) < operands)
        r[static_cast<int>(g_.word(nodes[i], 1))] = nodes[i];
    return r;
  }

 private:
  const graph& g_;
  vector<int> before_;  ///< per node: the one before it in its body, or -1
  vector<int> last_;    ///< per body
};
/// A number per node of a graph of that size, -1 for the given nodes: the others of the graph are not theirs to read.
constexpr vector<int> none_of(const vector<int>& nodes, int size) {
  vector<int> r = vector<int>::defaults(size);
  for (int i = 0; i < nodes.size(); ++i)
    if (nodes[i] < size) r[nodes[i]] = -1;
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
