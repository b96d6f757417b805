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
    const followers after = followers_of_all();
    vector<char> seen(tasks_, 0);
    vector<int> stack;
    stack.push_back(b);
    while (!stack.empty()) {
      const int t = stack.back();
      stack.pop_back();
      if (t == a) return true;
      if (seen[t] != 0) continue;
      seen[t] = 1;
      for (int e = after.begin[t]; e < after.begin[t + 1]; ++e) stack.push_back(after.tasks[e]);
    }
    return false;
  }

  /// Tasks in an order in which each runs after those that it waits for; of those that can run, the first one first.
  constexpr vector<int> order() const {
    const followers after = followers_of_all();
    vector<int> waiting(tasks_, 0);
    const int* const to = after.tasks.data();
    for (int e = 0; e < edges_.size(); ++e) ++waiting[to[e]];
    vector<int> ordered;
    ordered.reserve(tasks_);
    int first = 0;  // no task before it can run
    while (ordered.size() < tasks_) {
      int next = first;
      while (next < tasks_ && waiting[next] != 0) ++next;
      if (next == tasks_) throw "etch: the steps of a plan wait for each other";  // a mistake of a pass, not of the user
      waiting[next] = -1;
      ordered.push_back(next);
      first = next + 1;
      for (int e = after.begin[next], end = after.begin[next + 1]; e < end; ++e)
        if (--waiting[to[e]] == 0 && to[e] < first) first = to[e];
    }
    return ordered;
  }

 private:
  struct edge {
    int from = 0, to = 0;
  };
  /// What waits for task t: `tasks[begin[t]]` to `tasks[begin[t + 1] - 1]`.
  struct followers {
    vector<int> begin, tasks;
  };
  constexpr followers followers_of_all() const {
    followers f;
    f.begin.resize(tasks_ + 1, 0);
    f.tasks.resize(edges_.size(), 0);
    for (int e = 0; e < edges_.size(); ++e) ++f.begin[edges_[e].from + 1];
    for (int t = 0; t < tasks_; ++t) f.begin[t + 1] += f.begin[t];
    vector<int> next = f.begin;
    for (int e = 0; e < edges_.size(); ++e) f.tasks[next[edges_[e].from]++] = edges_[e].to;
    return f;
  }

  int tasks_ = 0;
  vector<edge> edges_;
};

}  // namespace etch::detail
