// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/vector.hpp>

/// Which step of a plan waits for which.
namespace etch::detail {

class task_order {
 public:
  /// Tasks are numbers, from 0.
  constexpr void add_task() { ++tasks_; }
  constexpr void add_edge(int from, int to) {
    if (from != to) edges_.push_back({from, to});
  }
  /// Whether task a must run after task b.
  constexpr bool depends(int a, int b) const {
    vector<char> seen(tasks_, 0);
    vector<int> stack;
    stack.push_back(b);
    while (!stack.empty()) {
      const int t = stack.back();
      stack.pop_back();
      if (t == a) return true;
      if (seen[t] != 0) continue;
      seen[t] = 1;
      for (int e = 0; e < edges_.size(); ++e)
        if (edges_[e].from == t) stack.push_back(edges_[e].to);
    }
    return false;
  }

  /// Tasks in an order in which each runs after those that it waits for; of those that can run, the first one first.
  constexpr vector<int> order() const {
    vector<int> ordered;
    vector<int> waiting(tasks_, 0);
    for (int e = 0; e < edges_.size(); ++e) ++waiting[edges_[e].to];
    vector<char> done(tasks_, 0);
    for (int round = 0; round < tasks_; ++round) {
      int next = -1;
      for (int t = 0; t < tasks_ && next < 0; ++t)
        if (done[t] == 0 && waiting[t] == 0) next = t;
      if (next < 0) throw "etch: the steps of a plan wait for each other";  // a mistake of a pass, not of the user
      done[next] = 1;
      ordered.push_back(next);
      for (int e = 0; e < edges_.size(); ++e)
        if (edges_[e].from == next) --waiting[edges_[e].to];
    }
    return ordered;
  }

 private:
  struct edge {
    int from = 0, to = 0;
  };

  int tasks_ = 0;
  vector<edge> edges_;
};

}  // namespace etch::detail
