// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/movement.hpp>
#include <etch/passes/bodies.hpp>

/// Values that bodies have of the host, for whoever computes a body again: a call happens once, so the copy is given what it gave.
namespace etch::detail {

/// A node of a body, and what gives its value outside of the region: of a loop a stack, of a branch 0 where another body has run.
struct kept_host_value {
  int body = -1, node = -1, result = -1;
};

class kept_host_values {
 public:
  constexpr kept_host_values(graph& g, body_index& bodies) : g_(g), bodies_(bodies) {}

  constexpr vector<int> nodes_of(int body) { return bodies_.of(body); }

  /// Makes all that a region's bodies have of the host values of the region, those of regions in it included.
  constexpr const vector<kept_host_value>& of(int region) {
    if (made_.size() <= region) {
      made_.resize(region + 1);
      is_made_.resize(region + 1, 0);
    }
    if (is_made_[region] == 0) {
      is_made_[region] = 1;
      const bool loop = g_.is(region, op_role::loop);
      const int first = first_body(g_, region), count = loop ? 1 : body_count(g_, region);
      if (!loop || sequences_of(g_, region) > 0)  // others have no gradient
        for (int b = first; b < first + count; ++b) make_of(region, b);
    }
    return made_[region];
  }

 private:
  constexpr void make_of(int region, int body) {
    const vector<int> nodes = bodies_.of(body);
    for (int i = 0; i < nodes.size(); ++i) {
      const int n = nodes[i];
      if (g_[n].op->stateful && g_[n].op->on_host) give(region, body, n);
      if (!is_region(g_, n)) continue;
      const vector<kept_host_value> inner = of(n);
      for (int k = 0; k < inner.size(); ++k) give(region, body, inner[k].result);
    }
  }
  constexpr void give(int region, int body, int n) {
    const tensor_type type = g_.type(n);
    int result = -1;
    if (g_.is(region, op_role::loop)) {
      if (type.rank == max_rank) return;
      result = append_stack(g_, region, n);
    } else {
      const int first = first_body(g_, region), before = g_.body;
      int number = 0;
      for (int b = first; b < first + body_count(g_, region); ++b) {
        g_.body = b;
        number = g_.add_result(b, b == body ? n : filled(g_, type, 0).node);
      }
      g_.body = before;
      result = append_result(g_, g_[region].body, region, number, type);
    }
    made_[region].push_back({body, n, result});
  }

  graph& g_;
  body_index& bodies_;
  vector<vector<kept_host_value>> made_;  ///< per region
  vector<char> is_made_;
};

/// Copies the nodes of a body into another one, with the bodies of their regions.
class body_copier {
 public:
  constexpr body_copier(graph& g, kept_host_values& values) : g_(g), values_(values), size_(g.size()) {}

  /// Per node what it becomes; of those that have become something already, that.
  constexpr vector<int> copy(int from, int to, vector<int> node_of) { return copy(from, to, node_of, INT32_MAX, 0); }
  /// Of no node of a body what it becomes.
  constexpr vector<int> nothing_of(int body) { return none_of(values_.nodes_of(body), size_); }
  /// With these operands; a region also with what its bodies have had of the host, as `values_.of` lists it.
  constexpr int copy_node(int n, int to, const vector<int>& in, const vector<int>& had) {
    const node d = g_[n];
    if (!is_region(g_, n)) return g_.push({d.op, in.data(), d.count, d.type, d.first_word, d.word_count, d.slot, 0, d.group, to});
    const bool loop = d.op->role == op_role::loop;
    const int place = loop ? given_operands(g_, n) : d.count, count = body_count(g_, n), before = first_body(g_, n),
              first = g_.add_bodies(count);
    const vector<kept_host_value> values = values_.of(n);
    for (int b = 0; b < count; ++b) {
      vector<int> node_of = nothing_of(before + b);
      for (int i = 0; i < values.size(); ++i)
        if (values[i].body == before + b)
          node_of[values[i].node] = append_parameter(g_, first + b, place + i, g_.type(values[i].node));
      node_of = copy(before + b, first + b, node_of, place, values.size());
      give_as(g_, before + b, g_, first + b, node_of);
    }
    words w = g_.words_of(n);
    w.at[body_word(*d.op)] = first;
    if (loop) w.at[2] += values.size();
    vector<int> all;
    for (int k = 0; k < place; ++k) all.push_back(in[k]);
    all.append(had);
    for (int k = place; k < d.count; ++k) all.push_back(in[k]);
    return g_.push({d.op, all.data(), all.size(), d.type, g_.push_words(w), w.count, d.slot, 0, d.group, to});
  }

 private:
  /// Parameters of operands from `place` on stand for operands so much further on.
  constexpr vector<int> copy(int from, int to, vector<int>& node_of, int place, int further) {
    const vector<int> nodes = values_.nodes_of(from);
    vector<int> in, had;
    for (int i = 0; i < nodes.size() && nodes[i] < size_; ++i) {
      const int n = nodes[i];
      if (node_of[n] >= 0) continue;
      if (g_.is(n, op_role::parameter)) {
        const int number = static_cast<int>(g_.word(n, 1));
        node_of[n] = append_parameter(g_, to, number < place ? number : number + further, g_.type(n));
        continue;
      }
      in.clear();
      had.clear();
      for (int k = 0; k < g_[n].count; ++k) in.push_back(node_of[g_.operand(n, k)]);
      if (is_region(g_, n)) {
        const vector<kept_host_value>& values = values_.of(n);
        for (int k = 0; k < values.size(); ++k) had.push_back(node_of[values[k].result]);
      }
      node_of[n] = copy_node(n, to, in, had);
    }
    return node_of;
  }

  graph& g_;
  kept_host_values& values_;
  int size_;
};

}  // namespace etch::detail
