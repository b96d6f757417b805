// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/cluster.hpp>
#include <etch/passes/materialise.hpp>
#include <etch/schedule/joined_parts.hpp>
#include <etch/schedule/tasks.hpp>

/// The steps of a run in order: the clusters, and copies into variables whose new value no cluster can write in place.
namespace etch {
namespace detail {

class sequencer {
 public:
  constexpr sequencer(const graph& g, fusion& f) : g_(g), f_(f) {
    s_.stored.resize(g.size(), 0);
    s_.stored_in.resize(g.size(), -1);
    taken_.resize(g.size(), 0);
    first_read_.resize(g.size(), -1);
    writer_.resize(g.size(), -1);
  }

  constexpr sequence run() {
    bool parts = false;
    for (int i = 0; i < g_.assignments.size(); ++i) parts = parts || g_.assignments[i].word_count > 0;
    if (parts) s_.part.resize(g_.size(), -1);
    const bool joins = has_concat(g_);
    if (parts || joins) needs_.resize(g_.size(), 0);
    find_stored();
    if (joins) join_in_place();
    if (!g_.assignments.empty()) {
      last_.resize(g_.size(), -1);
      assignments_of_.resize(g_.size(), 0);
      for (int i = 0; i < g_.assignments.size(); ++i) ++assignments_of_[g_.assignments[i].variable];
      find_reads();
      for (int i = 0; i < g_.assignments.size(); ++i) place(i);
    }
    const vector<int> order = f_.order.sorted();
    for (int i = 0; i < order.size(); ++i) {
      const int copy = order[i] - f_.clusters.size();
      if (copy >= 0)
        s_.tasks.push_back(copies_[copy]);
      else if (const cluster& c = f_.clusters[order[i]]; c.kind == cluster_kind::opaque && s_.is_in_parts(g_, c.root))
        copy_to_join(c.root);
      else
        s_.tasks.push_back({order[i], -1});
    }
    return static_cast<sequence&&>(s_);
  }

 private:
  /// Node `by` of vertex `vertex` reads the memory of a variable.
  struct read {
    int vertex = -1, by = -1;
    int next = -1;
  };

  constexpr void find_stored() {
    const node_place* const places = f_.places.data();
    char* const stored = s_.stored.data();
    for (int n = 0, size = g_.size(); n < size; ++n) {
      const node& d = g_[n];
      const op_kind kind = d.op->kind;
      const int cluster = places[n].cluster;
      if (kind == op_kind::movement && cluster < 0) continue;
      const int* const in = g_.operands_of(n);
      for (int k = 0; k < d.count; ++k) {
        const node_place& operand = places[in[k]];
        const int root = operand.root;
        const int home = places[root].cluster;
        if (home >= 0 && (home != cluster || (in[k] != root && !operand.transparent))) {
          stored[root] = 1;
          if (!needs_.empty()) ++needs_[root];
        }
      }
      if (cluster >= 0 &&
          (kind == op_kind::opaque || kind == op_kind::source || kind == op_kind::movement || d.op->role == op_role::result))
        stored[n] = 1;
    }
    for (int i = 0; i < g_.assignments.size(); ++i) {
      const int root = f_[g_.assignments[i].value].root;
      if (f_[root].cluster < 0) continue;
      s_.stored[root] = 1;
      if (!needs_.empty()) ++needs_[root];
    }
    for (int i = 0; i < g_.fetches.size(); ++i) {
      const int f = g_.fetches[i];
      if (g_.type(f).type == dtype::none) continue;
      s_.stored[f_[f].root] = taken_[f_[f].root] = 1;
    }
  }

  /// What nothing but a join needs in memory is computed straight into that.
  constexpr void join_in_place() {
    s_.joined.resize(g_.size(), -1);
    for (int n = 0; n < g_.size(); ++n) {
      if (!g_.is(n, info_of<struct concat>) || !is_static_join(g_, n)) continue;
      for (int k = 0; k < g_[n].count; ++k) {
        const int o = g_.operand(n, k);
        if (f_[o].root != o || needs_[o] != 1 || taken_[o] != 0 || !lies_in_long_rows(g_, n, k) || !may_join(o)) continue;
        s_.joined[o] = n;
        taken_[o] = 1;
      }
    }
  }
  /// Whether its step can write it anywhere; joins that are made in parts are no steps of their own.
  constexpr bool may_join(int o) const {
    if (f_[o].cluster < 0) return false;
    const cluster_kind kind = f_.clusters[f_[o].cluster].kind;
    return (kind != cluster_kind::opaque && kind != cluster_kind::copy && kind != cluster_kind::call) || s_.is_in_parts(g_, o);
  }
  constexpr void copy_to_join(int join) {
    for (int k = 0; k < g_[join].count; ++k)
      if (s_.joined[g_.operand(join, k)] != join) s_.tasks.push_back({-1, -1, join, k});
  }

  constexpr bool is_variable(int n) const { return g_.is(n, op_role::variable); }

  constexpr void add_read(int variable, int vertex, int by) {
    reads_.push_back({vertex, by, first_read_[variable]});
    first_read_[variable] = reads_.size() - 1;
  }
  constexpr void find_reads() {
    const node_place* const places = f_.places.data();
    for (int n = 0, size = g_.size(); n < size; ++n) {
      const int c = places[n].cluster;
      if (c < 0) continue;
      const int* const in = g_.operands_of(n);
      for (int k = 0, count = g_[n].count; k < count; ++k)
        if (const int root = places[in[k]].root; is_variable(root)) add_read(root, c, n);
    }
  }
  /// What reads a value that lies in the variable's memory: the next assignment waits for it.
  constexpr void find_reads_of(int value_root, int variable, int writer) {
    for (int n = 0; n < g_.size(); ++n) {
      const int c = f_[n].cluster;
      if (c < 0 || c == writer) continue;
      for (int k = 0; k < g_[n].count; ++k)
        if (f_[g_.operand(n, k)].root == value_root) add_read(variable, c, n);
    }
  }

  /// An assignment's value is computed straight into the variable where all that reads the old one can run before; else it is
  /// computed somewhere else and copied.
  constexpr void place(int i) {
    const assignment& a = g_.assignments[i];
    const int variable = a.variable, value = a.value;
    const int root = f_[value].root;
    const int before = writer_[variable];
    const bool part = a.word_count > 0;
    if (last_[variable] >= 0) {
      const int previous = f_[g_.assignments[last_[variable]].value].root;
      if (s_.stored_in[previous] == variable) find_reads_of(previous, variable, before);
    }
    last_[variable] = i;
    int writer = f_[root].cluster, first_writer = -1;
    if (!is_overwritten(i, root) && can_write(writer, root, value, variable, before, part ? i : -1, false)) {
      // Of nodes that change the variable one after another all lie in it.
      const int first = first_change(root, variable);
      first_writer = f_[first].cluster;
      for (int n = root;; n = g_.operand(n, 0)) {
        taken_[n] = 1;
        s_.stored_in[n] = variable;
        if (n == first) break;
      }
      if (part) s_.part[root] = i;
    } else if (part && can_write(writer, root, value, variable, before, i, true)) {
      taken_[root] = 1;
      s_.part[root] = i;
    } else {
      writer = f_.order.add();
      copies_.push_back({-1, i});
      const int home = f_[value].home;
      if (home >= 0) f_.order.put(home, writer);
      if (s_.stored_in[root] >= 0) add_read(s_.stored_in[root], writer, value);
      if (is_variable(root)) add_read(root, writer, value);
    }
    if (first_writer < 0) first_writer = writer;
    int left = -1;
    for (int r = first_read_[variable], next = -1; r >= 0; r = next) {
      next = reads_[r].next;
      if (part && !reads_part(reads_[r].by, i)) {
        reads_[r].next = left;
        left = r;
      } else if (reads_[r].vertex != writer && !(first_writer != writer && is_changed_by(root, reads_[r].by))) {
        f_.order.put(reads_[r].vertex, first_writer);
      }
    }
    if (before >= 0) f_.order.put(before, first_writer);
    first_read_[variable] = left;
    writer_[variable] = writer;
  }
  /// Whether another assignment takes the value of assignment i, and a later one writes over it in the variable.
  constexpr bool is_overwritten(int i, int root) const {
    const int variable = g_.assignments[i].variable;
    if (assignments_of_[variable] < 2) return false;
    bool is_taken_again = false, is_last = true;
    for (int j = 0; j < g_.assignments.size(); ++j) {
      is_last = is_last && (j <= i || g_.assignments[j].variable != variable);
      is_taken_again = is_taken_again || (j != i && f_[g_.assignments[j].value].root == root);
    }
    return is_taken_again && !is_last;
  }
  /// Whether node `by` may read, of the variable, elements of the part that assignment i writes.
  constexpr bool reads_part(int by, int i) const {
    const assignment& a = g_.assignments[i];
    const words written = g_.words_at(a.first_word, a.word_count);
    for (int k = 0; k < g_[by].count; ++k) {
      const int o = g_.operand(by, k), root = f_[o].root;
      if (s_.stored_in[root] == a.variable) return true;
      if (root != a.variable) continue;
      if (!g_.is(o, info_of<struct slice>) || g_.operand(o, 0) != a.variable) return true;
      if (!are_apart(g_.type(a.variable), g_.words_of(o), g_.type(o), written, g_.type(a.value))) return true;
    }
    return false;
  }
  /// `part`: the assignment, where it is one of a part, else -1. `lagging`: whether rows are kept until they can be stored.
  constexpr bool can_write(int writer, int root, int value, int variable, int before, int part, bool lagging) {
    if (writer < 0 || taken_[root] != 0 || (value != root && (!f_[value].transparent || part >= 0))) return false;
    const cluster& c = f_.clusters[writer];
    if (c.kind == cluster_kind::copy || c.kind == cluster_kind::call) return false;
    const bool opaque = c.kind == cluster_kind::opaque;
    if (opaque && (part >= 0 || value != root || root != c.root || g_[root].op->adds_updates == nullptr)) return false;
    // Others would look for it in memory of its own.
    if (part >= 0 && needs_[root] != 1) return false;
    view to;
    if (part >= 0) to = part_view(g_, g_.assignments[part], variable);
    if (lagging && (c.kind != cluster_kind::map || !has_rows(g_.type(root), to))) return false;
    const int first = first_change(root, variable), first_writer = f_[first].cluster;
    if (before >= 0 && (before == writer || before == first_writer || !f_.order.allows(before, first_writer))) return false;
    for (int r = first_read_[variable]; r >= 0; r = reads_[r].next) {
      const read& a = reads_[r];
      if (part >= 0 && !reads_part(a.by, part)) continue;
      if (opaque && is_changed_by(root, a.by)) {
        if (!changes(a.by, variable)) return false;
      } else if (a.vertex != writer ? a.vertex == first_writer || !f_.order.allows(a.vertex, first_writer)
                 : part >= 0        ? c.kind != cluster_kind::map || !reads_like(a.by, variable, to, c, lagging)
                                    : !reads_what_it_overwrites(a.by, root, variable, c)) {
        return false;
      }
    }
    return true;
  }
  /// Whether a node's memory is the variable's: it itself, or a value that was assigned to it before.
  constexpr bool lies_in(int root, int variable) const { return root == variable || s_.stored_in[root] == variable; }
  /// Whether a node with a kernel of its own changes the variable where it lies, and reads it by no other operand.
  constexpr bool changes(int n, int variable) const {
    for (int k = 1; k < g_[n].count; ++k)
      if (lies_in(f_[g_.operand(n, k)].root, variable)) return false;
    return g_.operand(n, 0) == variable;
  }
  /// The node by which a change of the variable begins that others go on with up to `root`, where nothing else needs what is between; `root`
  /// where there is no such one.
  constexpr int first_change(int root, int variable) {
    for (int n = root; g_[n].op->adds_updates != nullptr; n = g_.operand(n, 0)) {
      if (changes(n, variable)) return n;
      const int o = g_.operand(n, 0);
      if (uses_.empty()) uses_ = count_uses(g_);
      if (uses_[o] != 1 || taken_[o] != 0 || f_[o].root != o || f_[o].cluster < 0) break;
    }
    return root;
  }
  /// Whether n is `root`, or one of the nodes that changed before what it changes.
  constexpr bool is_changed_by(int root, int n) const {
    for (; root != n; root = g_.operand(root, 0))
      if (g_[root].op->adds_updates == nullptr) return false;
    return true;
  }
  /// Whether there are rows, and memory is walked upwards.
  static constexpr bool has_rows(const tensor_type& t, const view& to) {
    int axes = 0;
    for (int i = 0; i < t.rank; ++i) {
      if (t.extents[i] != 1) ++axes;
      if (to.stride[i] < 0) return false;
    }
    return axes > 1;
  }
  /// Whether node n of cluster c walks the variable as `to` does; `elsewhere`: perhaps from another element on.
  constexpr bool reads_like(int n, int variable, const view& to, const cluster& c, bool elsewhere) const {
    if (g_[n].op->kind != op_kind::elementwise) return false;
    const int* const in = g_.operands_of(n);
    for (int k = 0, count = g_[n].count; k < count; ++k) {
      const int root = f_[in[k]].root;
      if (!lies_in(root, variable)) continue;
      // Of what was assigned to a part views say places within the part.
      if (!g_.type(root).same_shape(g_.type(variable)) || f_[in[k]].view < 0 || !g_.type(in[k]).same_shape(c.space)) return false;
      const view& v = f_.views[f_[in[k]].view];
      if (!elsewhere && v.offset != to.offset) return false;
      for (int i = 0; i < c.space.rank; ++i)
        if (c.space.extents[i] != 1 && v.stride[i] != to.stride[i]) return false;
    }
    return true;
  }
  /// Whether node n of cluster c reads each element of the variable only where, and before, `root` is written in its place: what an
  /// operand of a product is computed from, all its rows or columns need.
  constexpr bool reads_what_it_overwrites(int n, int root, int variable, const cluster& c) const {
    if ((g_[n].op->kind != op_kind::elementwise && g_[n].op->kind != op_kind::scan) || f_[n].operand != 0) return false;
    const int* const in = g_.operands_of(n);
    for (int k = 0, count = g_[n].count; k < count; ++k)
      if (lies_in(f_[in[k]].root, variable) && in[k] != f_[in[k]].root) return false;
    if (c.kind != cluster_kind::sweep) return g_.type(variable).same_shape(c.space);
    if (f_[root].per_row) return f_[n].per_row && f_[n].when <= f_[root].when && same_squeezed(g_.type(variable), g_.type(n));
    // A value per element may be recomputed in every sweep: the last one writes.
    return !f_[n].per_row && f_[root].when == c.sweeps - 1 && g_.type(variable).same_shape(c.space);
  }

  const graph& g_;
  fusion& f_;
  sequence s_;
  vector<int> uses_;            ///< per node, where changes of a variable follow one another
  vector<int> needs_;           ///< per node, where parts are assigned or joined: how often it is wanted in memory
  vector<char> taken_;          ///< per node: its memory is a fetch's or a variable's
  vector<int> assignments_of_;  ///< per variable: how many
  vector<read> reads_;
  vector<int> first_read_;  ///< per variable: a list in `reads_` of what reads its present value
  vector<int> writer_;      ///< per variable: the vertex that wrote its present value, or -1
  vector<int> last_;        ///< per variable: its assignment so far, or -1
  vector<task> copies_;     ///< vertices after those of the clusters
};

}  // namespace detail

/// `f.order` is extended by what variables demand.
constexpr sequence order_steps(const graph& g, fusion& f) {
  detail::sequencer s(g, f);
  return s.run();
}

}  // namespace etch
