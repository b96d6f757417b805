// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/common_subexpressions.hpp>
#include <etch/passes/dead_nodes.hpp>
#include <etch/passes/gradient.hpp>
#include <etch/passes/materialise.hpp>
#include <etch/passes/simplify.hpp>
#include <etch/schedule/figures.hpp>
#include <etch/schedule/in_place.hpp>
#include <etch/schedule/lower.hpp>
#include <etch/schedule/task_order.hpp>

/// A graph to a plan: the order of the passes, and the order of the steps.
namespace etch {

/// Everything that makes a graph smaller without changing what it computes.
constexpr graph simplified(const graph& g) {
  return dead_nodes(rewrite(g, rules::fold_constants{}, rules::simplify{}, rules::common_subexpressions{}));
}
/// Two rounds: what common subexpressions uncover is simplified by the second.
constexpr graph tidy(const graph& g) {
  const graph once = simplified(g);
  return simplified(once);
}

namespace detail {

class scheduler {
 public:
  constexpr scheduler(graph& g, const hash_t* fed, int fed_count, int nodes_before) : g_(g), f_(fuse(g)) {
    plan_.nodes_before = nodes_before;
    for (int i = 0; i < fed_count; ++i) plan_.feeds.push_back({fed[i], {}, nullptr, -1});
  }

  constexpr plan run() {
    plan_.nodes = g_.size();
    find_stored();
    make_tasks();
    choose_assignments();
    make_slot_buffers();
    lower();
    share_in_place(plan_);
    add_figures(g_, plan_);
    plan_.extents = g_.extents;
    return static_cast<plan&&>(plan_);
  }

 private:
  /// A step before it is lowered: a cluster, or the copy that an assignment needs.
  struct task {
    int cluster = -1;
    int copy_from = -1, copy_to = -1;  ///< nodes: the value, the variable
    int writes_variable = -1;          ///< the variable's node
    bool reads_after = false;          ///< reads a variable's new value
  };

  constexpr void find_stored() {
    stored_.resize(g_.size(), 0);
    for (int n = 0; n < g_.size(); ++n) {
      const op_kind kind = g_[n].op->kind;
      const int cluster = f_.cluster_of[n];
      if (kind == op_kind::movement && cluster < 0) continue;
      if (kind == op_kind::effect && !g_.is(n, info_of<struct assign>)) continue;
      const int* const in = g_.operands_of(n);
      for (int k = 0, count = g_[n].count; k < count; ++k) {
        const int o = in[k];
        const int root = f_.views[o].root;
        const int home = f_.cluster_of[root];
        if (home >= 0 && (home != cluster || (o != root && f_.transparent[o] == 0))) stored_[root] = 1;
      }
      if (cluster >= 0 && (kind == op_kind::opaque || kind == op_kind::source || kind == op_kind::movement ||
                           kind == op_kind::effect))
        stored_[n] = 1;
    }
    for (int i = 0; i < g_.fetches.size(); ++i) {
      if (g_[g_.fetches[i]].type.type == dtype::none) continue;
      stored_[f_.views[g_.fetches[i]].root] = 1;
    }
  }

  constexpr void make_tasks() {
    task_of_.resize(f_.clusters.size(), -1);
    for (int c = 0; c < f_.clusters.size(); ++c) {
      if (!f_.clusters[c].alive) continue;
      task t;
      t.cluster = c;
      t.reads_after = f_.clusters[c].kind == cluster_kind::copy && g_[f_.clusters[c].root].op->kind == op_kind::effect;
      task_of_[c] = tasks_.size();
      tasks_.push_back(t);
      order_.add_task();
    }
    buffer_of_.resize(g_.size(), -1);
  }

  constexpr bool is_variable(int n) const { return g_.is(n, info_of<variable_op>); }

  /// A task reads a variable's memory; aligned: element by element, in a map.
  struct variable_read {
    int task = -1, variable = -1;
    bool aligned = false;
  };
  constexpr void find_variable_reads() {
    for (int n = 0; n < g_.size(); ++n) {
      const int c = f_.cluster_of[n];
      if (c < 0 || g_[n].op->kind == op_kind::effect) continue;
      const int* const in = g_.operands_of(n);
      for (int k = 0, count = g_[n].count; k < count; ++k) {
        const int o = in[k];
        const int root = f_.views[o].root;
        if (!is_variable(root)) continue;
        const bool aligned = o == root && g_[n].op->kind == op_kind::elementwise &&
                             f_.clusters[c].kind != cluster_kind::sweep && g_[o].type.same_shape(f_.clusters[c].space);
        reads_.push_back({task_of_[c], root, aligned});
      }
    }
  }

  /// An assignment's value is computed straight into the variable where no other step still reads the old one.
  constexpr void choose_assignments() {
    vector<char> taken(g_.size(), 0);
    for (int i = 0; i < g_.fetches.size(); ++i)
      if (g_[g_.fetches[i]].type.type != dtype::none) taken[f_.views[g_.fetches[i]].root] = 1;
    collect_edges();
    find_variable_reads();
    // What reads a variable's new value runs after all that read the old one; the choice below must know it.
    for (int t = 0; t < tasks_.size(); ++t)
      if (tasks_[t].reads_after)
        for (int r = 0; r < reads_.size(); ++r)
          if (reads_[r].variable == g_.operand(f_.clusters[tasks_[t].cluster].root, 0)) order_.add_edge(reads_[r].task, t);
    for (int n = 0; n < g_.size(); ++n) {
      if (!g_.is(n, info_of<struct assign>)) continue;
      const int variable = g_.operand(n, 0), value = g_.operand(n, 1);
      const int root = f_.views[value].root;
      const int c = f_.cluster_of[root];
      bool direct = c >= 0 && (value == root || f_.transparent[value] != 0) && taken[root] == 0 &&
                    f_.clusters[c].kind != cluster_kind::opaque && f_.clusters[c].kind != cluster_kind::copy &&
                    assigned_by(variable) < 0;
      if (direct) {
        const int writing = task_of_[c];
        for (int r = 0; r < reads_.size(); ++r) {
          const variable_read& read = reads_[r];
          if (read.variable != variable || tasks_[read.task].reads_after) continue;
          direct = direct && (read.task == writing ? read.aligned : !order_.depends(read.task, writing));
        }
      }
      if (direct) {
        taken[root] = 1;
        tasks_[task_of_[c]].writes_variable = variable;
        writers_.push_back({variable, task_of_[c], n});
        buffer_of_[root] = -2 - variable;
        // Later assignments must see this order.
        add_edges_from_readers(variable, task_of_[c]);
      } else {
        task t;
        t.copy_from = value;
        t.copy_to = variable;
        t.writes_variable = variable;
        tasks_.push_back(t);
        order_.add_task();
        const int copying = tasks_.size() - 1;
        if (f_.home[value] >= 0) order_.add_edge(task_of_[f_.home[value]], copying);
        for (int w = 0; w < writers_.size(); ++w)
          if (writers_[w].variable == variable) order_.add_edge(writers_[w].task, copying);
        if (is_variable(f_.views[value].root)) reads_.push_back({copying, f_.views[value].root, false});
        add_edges_from_readers(variable, copying);
        writers_.push_back({variable, copying, n});
      }
    }
    // A variable that is read after other operations.
    for (int t = 0; t < tasks_.size(); ++t) {
      if (!tasks_[t].reads_after) continue;
      const int n = f_.clusters[tasks_[t].cluster].root;
      for (int k = 1; k < g_[n].count; ++k) {
        const int d = g_.operand(n, k);
        for (int w = 0; w < writers_.size(); ++w)
          if (writers_[w].assign == d || in_group(d, writers_[w].assign)) order_.add_edge(writers_[w].task, t);
        if (f_.home[d] >= 0 && task_of_[f_.home[d]] != t) order_.add_edge(task_of_[f_.home[d]], t);
      }
    }
  }
  /// What reads a variable's old value runs before the task that overwrites it.
  constexpr void add_edges_from_readers(int variable, int writing) {
    for (int r = 0; r < reads_.size(); ++r)
      if (reads_[r].variable == variable && !tasks_[reads_[r].task].reads_after) order_.add_edge(reads_[r].task, writing);
  }
  constexpr int assigned_by(int variable) const {
    for (int w = 0; w < writers_.size(); ++w)
      if (writers_[w].variable == variable) return w;
    return -1;
  }
  constexpr bool in_group(int group_node, int assign_node) const {
    if (!g_.is(group_node, info_of<struct group>)) return false;
    for (int k = 0; k < g_[group_node].count; ++k)
      if (g_.operand(group_node, k) == assign_node || in_group(g_.operand(group_node, k), assign_node)) return true;
    return false;
  }

  constexpr void collect_edges() {
    for (int n = 0; n < g_.size(); ++n) {
      const int c = f_.cluster_of[n];
      if (c < 0) continue;
      const int* const in = g_.operands_of(n);
      for (int k = 0, count = g_[n].count; k < count; ++k) {
        const int h = f_.home[in[k]];
        if (h >= 0 && h != c) order_.add_edge(task_of_[h], task_of_[c]);
      }
    }
  }
  constexpr const char* name_of(int n) const { return g_[n].slot != nullptr ? g_[n].slot->name : nullptr; }
  constexpr void make_slot_buffers() {
    vector<int> variable_buffer(g_.size(), -1);
    for (int n = 0; n < g_.size(); ++n) {
      if (g_[n].op->kind != op_kind::source) continue;
      buffer b;
      b.type = g_[n].type.type;
      b.elements = rules::element_count(g_.extents, g_[n].type);
      if (g_.is(n, info_of<placeholder_op>)) {
        b.kind = storage::feed;
        for (int i = 0; i < plan_.feeds.size(); ++i) {
          if (plan_.feeds[i].content != g_[n].content) continue;
          b.index = i;
          plan_.feeds[i] = {g_[n].content, g_[n].type, name_of(n), plan_.buffers.size()};
        }
      } else if (is_variable(n)) {
        b.kind = storage::variable;
        b.index = plan_.variables.size();
        plan_.variables.push_back({g_[n].content, g_[n].type, name_of(n), plan_.buffers.size()});
      } else if (g_.is(n, info_of<size_of>)) {
        b.kind = storage::extent;
        b.elements = g_.word(n, 0);
      } else {
        continue;
      }
      variable_buffer[n] = plan_.buffers.size();
      buffer_of_[n] = plan_.buffers.size();
      plan_.buffers.push_back(b);
    }
    for (int i = 0; i < g_.fetches.size(); ++i) {
      const int n = g_.fetches[i];
      port p{g_[n].content, g_[n].type, name_of(n), -1};
      if (g_[n].type.type != dtype::none) {
        buffer b;
        b.kind = storage::fetch;
        b.type = g_[n].type.type;
        b.elements = rules::element_count(g_.extents, g_[n].type);
        b.index = i;
        p.buffer = plan_.buffers.size();
        buffer_of_[f_.views[n].root] = p.buffer;
        plan_.buffers.push_back(b);
      }
      plan_.fetches.push_back(p);
    }
    for (int n = 0; n < g_.size(); ++n) {
      if (buffer_of_[n] <= -2) buffer_of_[n] = variable_buffer[-2 - buffer_of_[n]];
      if (stored_[n] == 0 || buffer_of_[n] >= 0) continue;
      buffer b;
      b.type = g_[n].type.type;
      b.elements = rules::element_count(g_.extents, g_[n].type);
      b.first = -1;
      buffer_of_[n] = plan_.buffers.size();
      plan_.buffers.push_back(b);
    }
    variable_buffer_ = variable_buffer;
  }

  constexpr void lower() {
    lowerer lowering(g_, f_, stored_);
    const vector<int> order = order_.order();
    for (int i = 0; i < order.size(); ++i) {
      const task& t = tasks_[order[i]];
      const lowered& l = t.cluster >= 0 ? lowering.run(t.cluster) : lowering.run_copy(t.copy_from, t.copy_to);
      step s = l.shape;
      s.first_word = plan_.program_words.size();
      for (int k = 0; k < l.code.size(); ++k) {
        plan_.program_words.push_back(l.code[k].word());
        plan_.program_words.push_back(l.code[k].payload);
      }
      s.word_count = 2 * l.code.size();
      s.first_access = plan_.accesses.size();
      s.access_count = l.accesses.size();
      for (int k = 0; k < l.accesses.size(); ++k) {
        access a = l.accesses[k];
        const int root = a.buffer;
        a.buffer = t.cluster < 0 && root == t.copy_to ? variable_buffer_[root] : buffer_of_[root];
        if (g_.is(root, info_of<iota>)) a.buffer = -1;
        plan_.accesses.push_back(a);
        if (a.buffer < 0) continue;
        buffer& b = plan_.buffers[a.buffer];
        if (b.first < 0) b.first = i;
        b.last = i;
      }
      s.first_attribute = plan_.attributes.size();
      s.attribute_count = g_[s.node].word_count;
      for (int k = 0; k < g_[s.node].word_count; ++k) plan_.attributes.push_back(g_.word(s.node, k));
      plan_.steps.push_back(s);
    }
  }

  struct writer {
    int variable = -1, task = -1, assign = -1;
  };

  graph& g_;
  fusion f_;
  plan plan_;
  vector<char> stored_;
  vector<task> tasks_;
  vector<int> task_of_, buffer_of_, variable_buffer_;
  task_order order_;
  vector<writer> writers_;
  vector<variable_read> reads_;
};

}  // namespace detail

/// The plan of a tidy graph for these feeds (contents, in the order in which they will be handed over).
/// `nodes_before` is only reported.
constexpr plan schedule(const graph& tidy_graph, const hash_t* fed, int fed_count, int nodes_before = 0) {
  // Named objects: g++ 12 frees what a temporary with a destructor holds twice in constant expressions.
  graph g = tidy_graph;
  detail::scheduler s(g, fed, fed_count, nodes_before);
  return s.run();
}

}  // namespace etch
