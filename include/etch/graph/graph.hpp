// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/vector.hpp>
#include <etch/ops.hpp>

/// A graph as a value: a flat table of nodes in topological order. What passes read and return.
namespace etch {

/// One row of the table. Operands and attribute words lie in the graph's pools.
struct node {
  const op_info* op = nullptr;
  tensor_type type;
  int first_operand = 0;
  int count = 0;
  int first_word = 0;
  int word_count = 0;
  const slot_info* slot = nullptr;  ///< placeholders and variables
  hash_t content = 0;               ///< of the expression that the node came from; 0 for nodes that passes made
};

class graph {
 public:
  vector<node> nodes;
  vector<int> operands;
  vector<std::int64_t> pool;
  vector<int> fetches;  ///< nodes, in the order in which they were asked for
  extent_table extents;

  constexpr int size() const { return nodes.size_; }
  constexpr const node& operator[](int i) const { return nodes.values_[i]; }
  constexpr int operand(int n, int k) const { return operands.values_[nodes.values_[n].first_operand + k]; }
  constexpr const int* operands_of(int n) const { return operands.values_ + nodes.values_[n].first_operand; }
  constexpr std::int64_t word(int n, int k) const { return pool.values_[nodes.values_[n].first_word + k]; }
  constexpr words words_of(int n) const {
    words w;
    for (int k = 0; k < nodes[n].word_count; ++k) w.push_back(word(n, k));
    return w;
  }
  constexpr bool is(int n, const op_info& op) const { return nodes.values_[n].op->id == op.id; }

  /// Appends a node; its operands must be there already.
  constexpr int push(const op_info& op, const words& w, const tensor_type& type, const int* in, int count,
                     const slot_info* slot = nullptr, hash_t content = 0) {
    node n;
    n.op = &op;
    n.type = type;
    n.first_operand = operands.size();
    n.count = count;
    n.first_word = pool.size();
    n.word_count = w.count;
    n.slot = slot;
    n.content = content;
    for (int k = 0; k < count; ++k) operands.push_back(in[k]);
    for (int k = 0; k < w.count; ++k) pool.push_back(w[k]);
    nodes.push_back(n);
    return nodes.size() - 1;
  }
};

struct graph_sizes {
  int nodes = 0, operands = 0, words = 0, fetches = 0;

  constexpr bool fit(const graph_sizes& capacity) const {
    return nodes <= capacity.nodes && operands <= capacity.operands && words <= capacity.words &&
           fetches <= capacity.fetches;
  }
};
constexpr graph_sizes sizes_of(const graph& g) {
  return {g.nodes.size(), g.operands.size(), g.pool.size(), g.fetches.size()};
}

/// A finished graph in arrays, so that it can be a static constant.
template <int Nodes, int Operands, int Words, int Fetches>
struct frozen_graph {
  node nodes[Nodes + 1]{};
  int operands[Operands + 1]{};
  std::int64_t pool[Words + 1]{};
  int fetches[Fetches + 1]{};
  extent_table extents;

  /// For arrays of exactly the graph's size.
  constexpr graph thaw() const {
    graph g;
    g.nodes.reserve(Nodes);
    for (int i = 0; i < Nodes; ++i) g.nodes.push_back(nodes[i]);
    g.operands.reserve(Operands);
    for (int i = 0; i < Operands; ++i) g.operands.push_back(operands[i]);
    g.pool.reserve(Words);
    for (int i = 0; i < Words; ++i) g.pool.push_back(pool[i]);
    for (int i = 0; i < Fetches; ++i) g.fetches.push_back(fetches[i]);
    g.extents = extents;
    return g;
  }
};

/// Copies a graph, or a frozen one, of these sizes.
template <graph_sizes Capacity, class Graph>
constexpr auto freeze(const Graph& g, const graph_sizes& size) {
  frozen_graph<Capacity.nodes, Capacity.operands, Capacity.words, Capacity.fetches> f;
  for (int i = 0; i < size.nodes; ++i) f.nodes[i] = g.nodes[i];
  for (int i = 0; i < size.operands; ++i) f.operands[i] = g.operands[i];
  for (int i = 0; i < size.words; ++i) f.pool[i] = g.pool[i];
  for (int i = 0; i < size.fetches; ++i) f.fetches[i] = g.fetches[i];
  f.extents = g.extents;
  return f;
}

}  // namespace etch
