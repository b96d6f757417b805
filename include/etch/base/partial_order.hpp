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

  /// A new vertex; vertices are numbers from 0.
  constexpr int add() {
    level_.push_back(0);
    first_.push_back(-1);
    last_.push_back(-1);
    alias_.push_back(alias_.size());
    seen_.push_back(0);
    return alias_.size() - 1;
  }
  constexpr int size() const { return alias_.size(); }
  /// The vertex that v is or has been merged into.
  constexpr int find(int v) const {
    while (alias_[v] != v) v = alias_[v];
    return v;
  }
  constexpr int level(int v) const { return level_[v]; }

  /// Whether `a` can be put before `b`: whether no way leads from b to a. May be false where none does but that is hard to say.
  constexpr bool allows(int a, int b) { return level_[a] <= level_[b] ? a != b : !leads(b, a); }
  /// Whether neither comes before the other.
  constexpr bool independent(int a, int b) {
    if (level_[a] == level_[b]) return a != b;
    return level_[a] < level_[b] ? !leads(a, b) : !leads(b, a);
  }
  /// Puts `a` before `b`, which must be allowed.
  constexpr void put(int a, int b) {
    if (first_[a] >= 0 && find(edges_[last_[a]].to) == b) return;
    edges_.push_back({b, -1});
    link(a, edges_.size() - 1, edges_.size() - 1);
    if (level_[b] <= level_[a]) raise(b, level_[a] + 1);
  }
  /// Makes b part of a; they must be independent.
  constexpr void merge(int a, int b) {
    alias_[b] = a;
    if (first_[b] >= 0) link(a, first_[b], last_[b]);
    raise(a, level_[a] < level_[b] ? level_[b] : level_[a]);
  }

  /// All vertices that are not merged into others, each after those that come before it; of those that could be next, the one
  /// with the smallest number.
  constexpr vector<int> sorted() const {
    vector<int> waiting(size(), 0);
    for (int v = 0; v < size(); ++v)
      for (int e = first_[v]; alias_[v] == v && e >= 0; e = edges_[e].next) ++waiting[find(edges_[e].to)];
    vector<int> ready, order;  // a heap, smallest first
    order.reserve(size());
    for (int v = 0; v < size(); ++v)
      if (alias_[v] == v && waiting[v] == 0) push(ready, v);
    while (!ready.empty()) {
      const int v = pop(ready);
      order.push_back(v);
      for (int e = first_[v]; e >= 0; e = edges_[e].next) {
        const int to = find(edges_[e].to);
        if (--waiting[to] == 0) push(ready, to);
      }
    }
    return order;
  }

 private:
  struct edge {
    int to = -1, next = -1;
  };

  constexpr void link(int v, int first, int last) {
    if (first_[v] < 0)
      first_[v] = first;
    else
      edges_[last_[v]].next = first;
    last_[v] = last;
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
      for (int e = first_[v]; e >= 0; e = edges_[e].next) {
        const int to = find(edges_[e].to);
        if (to == b) return true;
        if (level_[to] >= level_[b] || seen_[to] == epoch_) continue;
        seen_[to] = epoch_;
        if (++visits > most_visits) return true;
        stack_.push_back(to);
      }
    }
    return false;
  }
  constexpr void raise(int v, int level) {
    level_[v] = level;
    stack_.clear();
    stack_.push_back(v);
    while (!stack_.empty()) {
      const int a = stack_.back();
      stack_.pop_back();
      for (int e = first_[a]; e >= 0; e = edges_[e].next) {
        const int to = find(edges_[e].to);
        if (level_[to] > level_[a]) continue;
        level_[to] = level_[a] + 1;
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

  vector<int> level_, first_, last_, alias_, seen_;
  vector<edge> edges_;
  vector<int> stack_;
  int epoch_ = 0;
};

}  // namespace etch
