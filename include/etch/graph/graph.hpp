// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/hash_index.hpp>
#include <etch/base/vector.hpp>
#include <etch/ops.hpp>

/// A graph as a value: a flat table of nodes in topological order. What passes read and return.
namespace etch {

/// One row of the table: numbers and addresses only, since compilers copy them whole. Operands, attribute words and types lie
/// in the graph's pools. No initialisers, as `polynomial` has none.
struct node {
  const op_info* op;
  const slot_info* slot;  ///< placeholders and variables
  hash_t content;         ///< of the expression that the node came from; 0 for nodes that passes made
  int type;               ///< in the graph's types
  int first_operand;
  int count;
  int first_word;
  int word_count;
  int group;  ///< the call of a function that the node is of, or of its gradient; 0 where it is of none
  int body;   ///< the sub-graph of a region that the node is of; 0: the graph itself
};

/// What a region's sub-graph gives: some of its nodes, in the graph's `results`. Its nodes have its number as their `body`, read nothing but
/// one another, and stand in topological order; what it is given are nodes `parameter`, whose numbers are those of the region's operands.
struct body_results {
  int first, count;
};

/// What a run leaves in a variable: a node's value, in all of it or, where there are words, in that slice of it.
struct assignment {
  int variable = -1, value = -1;       ///< nodes
  int first_word = 0, word_count = 0;  ///< the slice's, per axis, in the graph's pool
};

/// A node that is about to be appended: operands are nodes of the graph, words lie in its pool.
struct candidate {
  const op_info* op = nullptr;
  const int* operands = nullptr;
  int count = 0;
  int type = 0;
  int first_word = 0;
  int word_count = 0;
  const slot_info* slot = nullptr;
  hash_t content = 0;
  int group = -1;  ///< -1: the graph's
  int body = -1;   ///< -1: the graph's
};

class graph {
 public:
  vector<node> nodes;
  vector<int> operands;
  vector<std::int64_t> pool;
  vector<tensor_type> types;  ///< each once
  vector<int> fetches;        ///< nodes, in the order in which they were asked for
  /// What stays behind in variables when all nodes have been computed, in this order.
  vector<assignment> assignments;
  vector<body_results> bodies;  ///< of regions, by number; the first is the graph's own, which fetches. Empty where there are none
  vector<int> results;          ///< of bodies: nodes
  extent_table extents;
  /// What `append` asks before it appends: gives the node to use instead, or -1. Set by passes that simplify as they build.
  int (*rule)(graph&, const candidate&) = nullptr;
  hash_index shared;  ///< for such a rule: nodes by their content
  int groups = 0;     ///< the highest number of one
  int group = 0;      ///< of nodes that are appended
  int body = 0;       ///< of nodes that are appended

  constexpr int size() const { return nodes.size_; }
  constexpr const node& operator[](int i) const { return nodes.values_[i]; }
  constexpr const tensor_type& type(int n) const { return types.values_[nodes.values_[n].type]; }
  constexpr int operand(int n, int k) const { return operands.values_[nodes.values_[n].first_operand + k]; }
  constexpr const int* operands_of(int n) const { return operands.values_ + nodes.values_[n].first_operand; }
  constexpr std::int64_t word(int n, int k) const { return pool.values_[nodes.values_[n].first_word + k]; }
  constexpr const std::int64_t* attributes_of(int n) const { return pool.values_ + nodes.values_[n].first_word; }
  constexpr words words_of(int n) const { return words_at(nodes[n].first_word, nodes[n].word_count); }
  constexpr words words_at(int first, int count) const {
    words w;
    for (int k = 0; k < count; ++k) w.push_back(pool[first + k]);
    return w;
  }
  /// Of any node.
  constexpr int most_operands() const {
    int most = 0;
    for (int n = 0; n < nodes.size_; ++n)
      if (nodes.values_[n].count > most) most = nodes.values_[n].count;
    return most;
  }
  constexpr bool is(int n, const op_info& op) const { return nodes.values_[n].op->id == op.id; }
  constexpr bool is(int n, op_role role) const { return nodes.values_[n].op->role == role; }

  /// The place of a type among `types`.
  constexpr int type_id(const tensor_type& t) {
    hash_t h = static_cast<hash_t>(t.type) + 1;
    for (int i = 0; i < t.rank; ++i) h = (h ^ static_cast<hash_t>(t.extents[i])) * 0x9e3779b97f4a7c15ull + 1;
    h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9ull;
    const int found = type_index_.find(h);
    if (found >= 0 && types[found] == t) return found;
    for (int i = 0; found >= 0 && i < types.size(); ++i)  // another type has this hash
      if (types[i] == t) return i;
    type_index_.insert(h, types.size());
    types.push_back(t);
    return types.size() - 1;
  }
  /// Takes over another graph's types, names of extents and words: nodes that are copied keep their places in them.
  constexpr void adopt(const graph& other) {
    extents = other.extents;
    groups = other.groups;
    pool.append(other.pool);
    types.reserve(other.types.size() + 16);
    for (int i = 0; i < other.types.size(); ++i) type_id(other.types[i]);
    nodes.reserve(other.nodes.size() + 16);
    operands.reserve(other.operands.size() + 32);
  }

  /// Appends a node; its operands must be there already. Written out, since `append` and `push_back` are four calls, and this is called most.
  constexpr int push(const candidate& c) {
    const int first = operands.size_;
    if (first + c.count > operands.capacity_) operands.reserve(first + c.count);
    for (int k = 0; k < c.count; ++k) operands.values_[first + k] = c.operands[k];
    operands.size_ = first + c.count;
    if (nodes.size_ == nodes.capacity_) nodes.reserve(nodes.size_ + 8);
    nodes.values_[nodes.size_] = {c.op,
                                  c.slot,
                                  c.content,
                                  c.type,
                                  first,
                                  c.count,
                                  c.first_word,
                                  c.word_count,
                                  c.group < 0 ? group : c.group,
                                  c.body < 0 ? body : c.body};
    return nodes.size_++;
  }
  /// Leaves out the nodes whose mark is 0, which nothing that stays needs. Operands lie in the order of their nodes, so each moves down
  /// to where it has been read already.
  constexpr void keep_nodes(const char* marks) {
    vector<int> places = vector<int>::defaults(nodes.size_);
    int* const place = places.values_;
    int kept = 0, used = 0;
    for (int i = 0; i < nodes.size_; ++i) {
      place[i] = marks[i] != 0 ? kept : -1;
      if (marks[i] == 0) continue;
      node d = nodes.values_[i];
      const int before = d.first_operand;
      d.first_operand = used;
      for (int k = 0; k < d.count; ++k) operands.values_[used++] = place[operands.values_[before + k]];
      nodes.values_[kept++] = d;
    }
    nodes.size_ = kept;
    operands.size_ = used;
    shared = {};
    for (int i = 0; i < fetches.size_; ++i) fetches.values_[i] = place[fetches.values_[i]];
    for (int i = 0; i < results.size_; ++i) results.values_[i] = place[results.values_[i]];
    for (int i = 0; i < assignments.size_; ++i) {
      assignment& a = assignments.values_[i];
      a.variable = place[a.variable];
      a.value = place[a.value];
    }
  }
  constexpr int push(const op_info& op, const words& w, const tensor_type& type, const int* in, int count,
                     const slot_info* slot = nullptr, hash_t content = 0) {
    return push({&op, in, count, type_id(type), push_words(w), w.count, slot, content});
  }
  constexpr int push_words(const words& w) {
    const int first = pool.size_;
    for (int k = 0; k < w.count; ++k) pool.push_back(w.at[k]);
    return first;
  }
  /// A copy of node n of `other`, whose types and words this graph has adopted; `in`: its operands here.
  constexpr candidate copy_of(const graph& other, int n, const int* in) const {
    const node& d = other.nodes.values_[n];
    return {d.op, in, d.count, d.type, d.first_word, d.word_count, d.slot, d.content, d.group, d.body};
  }
  /// A body without results. `first` of several that belong to one region.
  constexpr int add_bodies(int count = 1) {
    if (bodies.empty()) bodies.push_back({});
    const int first = bodies.size();
    for (int k = 0; k < count; ++k) bodies.push_back({results.size(), 0});
    return first;
  }
  /// As many bodies as another graph has.
  constexpr void add_empty_bodies(int count) { bodies.resize(count); }
  constexpr int result(int of_body, int k) const { return results.values_[bodies.values_[of_body].first + k]; }
  constexpr int result_count(int of_body) const { return bodies.values_[of_body].count; }
  constexpr void set_results(int of_body, const vector<int>& nodes_of_body) {
    bodies[of_body] = {results.size(), nodes_of_body.size()};
    results.append(nodes_of_body);
  }
  /// One more result of a body: its number.
  constexpr int add_result(int of_body, int n) {
    const body_results before = bodies[of_body];
    if (before.first + before.count < results.size()) {
      bodies[of_body].first = results.size();
      for (int k = 0; k < before.count; ++k) results.push_back(int(results[before.first + k]));
    }
    results.push_back(n);
    return bodies[of_body].count++;
  }
  /// Fetches and assigns what `other` does; `node_of`: the node here that stands for each of its nodes.
  constexpr void take_fetches(const graph& other, const int* node_of) {
    for (int i = 0; i < other.fetches.size(); ++i) fetches.push_back(node_of[other.fetches[i]]);
    for (int i = 0; i < other.assignments.size(); ++i) {
      const assignment& a = other.assignments[i];
      assignments.push_back({node_of[a.variable], node_of[a.value], a.first_word, a.word_count});
    }
  }
  /// The same, and what the bodies give.
  constexpr void take_results(const graph& other, const int* node_of) {
    take_fetches(other, node_of);
    bodies.append(other.bodies);
    for (int i = 0; i < other.results.size(); ++i) results.push_back(node_of[other.results[i]]);
  }
  /// Per node: by how many operands and fetches it is read.
  constexpr vector<int> count_reads() const {
    vector<int> reads = vector<int>::defaults(nodes.size_);
    for (int i = 0; i < operands.size_; ++i) ++reads.values_[operands.values_[i]];
    for (int i = 0; i < fetches.size_; ++i) ++reads.values_[fetches.values_[i]];
    return reads;
  }
  /// The nodes that fetches and assignments need, as a mark for each node.
  constexpr vector<char> find_results() const {
    vector<char> wanted = vector<char>::defaults(nodes.size_);
    for (int i = 0; i < fetches.size(); ++i) wanted[fetches[i]] = 1;
    for (int i = 0; i < assignments.size(); ++i) wanted[assignments[i].variable] = wanted[assignments[i].value] = 1;
    return wanted;
  }

 private:
  hash_index type_index_;
};

struct graph_sizes {
  int nodes = 0, operands = 0, words = 0, types = 0, fetches = 0, assignments = 0, bodies = 0, results = 0;

  constexpr bool fit(const graph_sizes& capacity) const {
    return nodes <= capacity.nodes && operands <= capacity.operands && words <= capacity.words && types <= capacity.types &&
           fetches <= capacity.fetches && assignments <= capacity.assignments && bodies <= capacity.bodies &&
           results <= capacity.results;
  }
};
constexpr graph_sizes sizes_of(const graph& g) {
  return {g.nodes.size(),   g.operands.size(),    g.pool.size(),   g.types.size(),
          g.fetches.size(), g.assignments.size(), g.bodies.size(), g.results.size()};
}

/// A finished graph in arrays, so that it can be a static constant. They may be larger than what is in them.
template <graph_sizes Capacity>
struct frozen_graph {
  graph_sizes size;
  node nodes[Capacity.nodes + 1]{};
  int operands[Capacity.operands + 1]{};
  std::int64_t pool[Capacity.words + 1]{};
  tensor_type types[Capacity.types + 1]{};
  int fetches[Capacity.fetches + 1]{};
  assignment assignments[Capacity.assignments + 1]{};
  body_results bodies[Capacity.bodies + 1]{};
  int results[Capacity.results + 1]{};
  extent_table extents;
  int groups = 0;

  constexpr frozen_graph() = default;
  /// Where the arrays are too small, it is only counted. A constructor, since clang copies what a function returns from a variable.
  constexpr explicit frozen_graph(const graph& g) : size(sizes_of(g)) {
    if (!size.fit(Capacity)) return;
    detail::copy(g.nodes, size.nodes, nodes);
    detail::copy(g.operands, size.operands, operands);
    detail::copy(g.pool, size.words, pool);
    detail::copy(g.types, size.types, types);
    detail::copy(g.fetches, size.fetches, fetches);
    detail::copy(g.assignments, size.assignments, assignments);
    detail::copy(g.bodies, size.bodies, bodies);
    detail::copy(g.results, size.results, results);
    extents = g.extents;
    groups = g.groups;
  }

  constexpr const tensor_type& type(int n) const { return types[nodes[n].type]; }
  constexpr const int* operands_of(int n) const { return operands + nodes[n].first_operand; }
  constexpr const std::int64_t* words_of(int n) const { return pool + nodes[n].first_word; }

  constexpr graph thaw() const {
    graph g;
    g.extents = extents;
    g.groups = groups;
    g.nodes.append(nodes, size.nodes);
    g.operands.append(operands, size.operands);
    g.pool.append(pool, size.words);
    for (int i = 0; i < size.types; ++i) g.type_id(types[i]);
    g.fetches.append(fetches, size.fetches);
    g.assignments.append(assignments, size.assignments);
    g.bodies.append(bodies, size.bodies);
    g.results.append(results, size.results);
    return g;
  }
};

}  // namespace etch
