// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/vector.hpp>

namespace etch {

/// What must come before what: vertices with edges that never form a cycle, asked before each edge. Every vertex has a level
/// above those of all that come before it (as in Pearce and Kelly's dynamic topological order, 2006), so most questions are
/// answered by comparing two numbers; the others search forward between two levels, and give up after `most_visits` vertices
/// with the careful answer. So each question and each edge costs a bounded number of steps, however large the graph.
class partial_order {
 public:
  static constexpr int most_visits = 128;

  struct vertex {
    int level = 0;
    int first = -1, last = -1;  ///< a list of edges
    int alias = -1;             ///< what it has been merged into; itself if it has not
    int seen = 0;
  };
  struct edge {
    int to = -1, next = -1;
  };

  /// A new vertex; vertices are numbers from 0.
  constexpr int add() {
    vertices_.push_back({0, -1, -1, vertices_.size(), 0});
    return vertices_.size() - 1;
  }
  constexpr int size() const { return vertices_.size(); }
  /// The vertex that v is or has been merged into.
  constexpr int find(int v) const {
    const vertex* const all = vertices_.values_;
    while (all[v].alias != v) v = all[v].alias;
    return v;
  }
  constexpr int level(int v) const { return vertices_.values_[v].level; }

  /// Whether `a` can be put before `b`: whether no way leads from b to a. May be false where none does but that is hard to say.
  constexpr bool allows(int a, int b) { return vertices_.values_[a].level <= vertices_.values_[b].level ? a != b : !leads(b, a); }
  /// Whether neither comes before the other.
  constexpr bool independent(int a, int b) {
    if (vertices_.values_[a].level == vertices_.values_[b].level) return a != b;
    return vertices_.values_[a].level < vertices_.values_[b].level ? !leads(a, b) : !leads(b, a);
  }
  /// Puts `a` before `b`, which must be allowed.
  constexpr void put(int a, int b) {
    if (vertices_.values_[a].first >= 0 && find(edges_.values_[vertices_.values_[a].last].to) == b) return;
    edges_.push_back({b, -1});
    link(a, edges_.size() - 1, edges_.size() - 1);
    if (vertices_.values_[b].level <= vertices_.values_[a].level) raise(b, vertices_.values_[a].level + 1);
  }
  /// Makes b part of a; they must be independent.
  constexpr void merge(int a, int b) {
    vertices_.values_[b].alias = a;
    if (vertices_.values_[b].first >= 0) link(a, vertices_.values_[b].first, vertices_.values_[b].last);
    raise(a, vertices_.values_[a].level < vertices_.values_[b].level ? vertices_.values_[b].level : vertices_.values_[a].level);
  }

  constexpr const vector<vertex>& vertices() const { return vertices_; }
  constexpr const vector<edge>& edges() const { return edges_; }
  constexpr void restore(const vertex* vertices, int vertex_count, const edge* edges, int edge_count) {
    vertices_.append(vertices, vertex_count);
    edges_.append(edges, edge_count);
    for (int v = 0; v < vertex_count; ++v) vertices_.values_[v].seen = 0;
  }

  /// All vertices that are not merged into others, each after those that come before it; of those that could be next, the one
  /// with the smallest number.
  constexpr vector<int> sorted() const {
    vector<int> waiting(size(), 0);
    for (int v = 0; v < size(); ++v)
      for (int e = vertices_.values_[v].first; vertices_.values_[v].alias == v && e >= 0; e = edges_.values_[e].next)
        ++waiting[find(edges_.values_[e].to)];
    vector<int> ready, order;  // a heap, smallest first
    order.reserve(size());
    for (int v = 0; v < size(); ++v)
      if (vertices_.values_[v].alias == v && waiting[v] == 0) push(ready, v);
    while (!ready.empty()) {
      const int v = pop(ready);
      order.push_back(v);
      for (int e = vertices_.values_[v].first; e >= 0; e = edges_.values_[e].next) {
        const int to = find(edges_.values_[e].to);
        if (--waiting[to] == 0) push(ready, to);
      }
    }
    return order;
  }

 private:
  constexpr void link(int v, int first, int last) {
    if (vertices_.values_[v].first < 0)
      vertices_.values_[v].first = first;
    else
      edges_.values_[vertices_.values_[v].last].next = first;
    vertices_.values_[v].last = last;
  }
  /// Whether a way leads from a to b, whose level is higher. Nothing of b's level or above lies between.
  constexpr bool leads(int a, int b) {
    ++epoch_;
    int visits = 0;
    stack_.clear();
    stack_.push_back(a);
    while (!stack_.empty()) {
      const int v = stack_.back();
      stack_.pop_back();
      for (int e = vertices_.values_[v].first; e >= 0; e = edges_.values_[e].next) {
        const int to = find(edges_.values_[e].to);
        if (to == b) return true;
        if (vertices_.values_[to].level >= vertices_.values_[b].level || vertices_.values_[to].seen == epoch_) continue;
        vertices_.values_[to].seen = epoch_;
        if (++visits > most_visits) return true;
        stack_.push_back(to);
      }
    }
    return false;
  }
  constexpr void raise(int v, int level) {
    vertices_.values_[v].level = level;
    stack_.clear();
    stack_.push_back(v);
    while (!stack_.empty()) {
      const int a = stack_.back();
      stack_.pop_back();
      for (int e = vertices_.values_[a].first; e >= 0; e = edges_.values_[e].next) {
        const int to = find(edges_.values_[e].to);
        if (vertices_.values_[to].level > vertices_.values_[a].level) continue;
        vertices_.values_[to].level = vertices_.values_[a].level + 1;
        stack_.push_back(to);
      }
    }
  }
  static constexpr void push(vector<int>& heap, int v) {
    int at = heap.size();
    heap.push_back(v);
    while (at > 0 && heap[(at - 1) / 2] > v) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = v;
  }
  static constexpr int pop(vector<int>& heap) {
    const int smallest = heap[0], v = heap.back();
    heap.pop_back();
    const int size = heap.size();
    int at = 0;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && heap[child + 1] < heap[child]) ++child;
      if (heap[child] >= v) break;
      heap[at] = heap[child];
      at = child;
    }
    if (size > 0) heap[at] = v;
    return smallest;
  }

  vector<vertex> vertices_;
  vector<edge> edges_;
  vector<int> stack_;
  int epoch_ = 0;
};

}  // namespace etch
