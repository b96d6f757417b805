// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/fold_constants.hpp>
#include <etch/schedule/accesses.hpp>
#include <etch/schedule/loop_nest.hpp>

/// A cluster of nodes to a step: its program, its accesses, its loop nest.
namespace etch {

/// The cost of ops, in flops, from which on their values are kept between sweeps.
inline constexpr int least_spilled_cost = 8;

namespace detail {

class lowerer {
 public:
  /// `stored` says which nodes other steps need in memory.
  constexpr lowerer(graph& g, const fusion& f, const vector<char>& stored)
      : g_(g), f_(f), stored_(stored), state_(g.size()), first_member_(f.clusters.size() + 1), members_(g.size()) {
    // Members of each cluster, in order: counts, where each begins, then the nodes.
    for (int n = 0; n < g.size(); ++n)
      if (f.cluster_of[n] >= 0) ++first_member_[f.cluster_of[n] + 1];
    for (int c = 0; c < f.clusters.size(); ++c) first_member_[c + 1] += first_member_[c];
    vector<int> next = first_member_;
    for (int n = 0; n < g.size(); ++n)
      if (f.cluster_of[n] >= 0) members_[next[f.cluster_of[n]]++] = n;
  }

  /// Lowers a cluster.
  constexpr const lowered& run(int ci) {
    ci_ = ci;
    size_ = first_member_[ci + 1] - first_member_[ci];
    own_members_ = members_.data() + first_member_[ci];
    out_ = lowered{};
    first_slot_ = 0;
    c_ = &f_.clusters[ci];
    out_.shape.kind = c_->kind;
    name_op(c_->root);
    out_.shape.node = c_->root;
    switch (c_->kind) {
      case cluster_kind::map: map(); break;
      case cluster_kind::sweep: sweep(); break;
      case cluster_kind::contraction: contraction(); break;
      case cluster_kind::copy: copy(g_.operand(c_->root, 0), c_->root); break;
      case cluster_kind::opaque: opaque(); break;
    }
    return out_;
  }

  /// A step that writes node `from`'s elements, in row-major order, to the memory of node `to`.
  constexpr const lowered& run_copy(int from, int to) {
    ci_ = -2;
    size_ = 0;
    out_ = lowered{};
    first_slot_ = 0;
    out_.shape.kind = cluster_kind::copy;
    name_op(to);
    out_.shape.node = to;
    copy(from, to);
    return out_;
  }

 private:
  constexpr void name_op(int node) {
    out_.shape.op = g_[node].op->id;
    out_.shape.op_name = g_[node].op->name;
    out_.shape.draws = g_[node].op->stateful;
  }
  /// What is known of a node while the step that it belongs to, or that reads it, is lowered.
  struct node_state {
    int element = -1, row = -1;      ///< the register of its value, per element and per row
    int spill = -1;                  ///< the node in whose memory its value is kept between sweeps
    int result_slot = -1;            ///< the access that stores it element by element
    int when = 0;                    ///< the sweep in which a value per element is first there, after which one per row is
    int first = -1, last = -1;       ///< the sweeps in which a value per element is needed
    bool spilled = false;            ///< whether it is kept by now
    bool taken = false;              ///< whether another value is kept in its memory
  };
  constexpr void begin(const tensor_type& space) {
    space_ = space;
    for (int i = 0; i < size_; ++i) {
      const int n = own_members_[i];
      state_[n] = node_state{};
      const int* const in = g_.operands_of(n);
      for (int k = 0, count = g_[n].count; k < count; ++k)
        if (f_.cluster_of[in[k]] != ci_) state_[in[k]] = node_state{};
    }
  }
  /// Members of the cluster.
  constexpr int size() const { return size_; }
  constexpr int at(int i) const { return own_members_[i]; }
  constexpr bool member(int n) const { return f_.cluster_of[n] == ci_; }
  /// The member that operand o is or reshapes, or -1.
  constexpr int inside(int o) const {
    if (member(o)) return o;
    return f_.transparent[o] != 0 && member(f_.views[o].root) ? f_.views[o].root : -1;
  }

  constexpr void copy(int from, int to) {
    begin(g_[from].type);
    state_[from] = node_state{};
    out_.shape.kind = cluster_kind::copy;
    const int value = element_operand(from, 0);
    store(value, g_[to].type.type, element_access(space_.with(g_[to].type.type), contiguous(g_.extents, space_, to), space_), 0);
    make_loop_nest(g_.extents, out_, space_, -1);
  }

  /// All members element by element. Every load comes before the first store, which may write in place over what is loaded:
  /// an operand that takes its last use here, or a variable that is assigned.
  constexpr void elements() {
    for (int i = 0; i < size(); ++i) element(at(i), 0);
    for (int i = 0; i < size(); ++i)
      if (stored_[at(i)] != 0) store_element(at(i), 0);
  }

  constexpr void map() {
    begin(c_->space);
    elements();
    make_loop_nest(g_.extents, out_, space_, -1);
  }

  constexpr void contraction() {
    begin(c_->space);
    const int root = c_->root;
    const int a = g_.operand(root, 0), b = g_.operand(root, 1);
    out_.accesses.push_back(product_access(g_[a].type, f_.views[a], space_));
    out_.accesses.push_back(product_access(g_[b].type, f_.views[b], space_));
    first_slot_ = 2;
    out_.shape.inner = g_[a].type.extents[g_[a].type.rank - 1];
    instruction i;
    i.code = opcode::accumulator;
    i.type = g_[root].type.type;
    state_[root].element = push(i);
    elements();
    out_.shape.rank = space_.rank;
    for (int i2 = 0; i2 < space_.rank; ++i2) out_.shape.extents[i2] = space_.extents[i2];
    set_lanes(out_, space_.rank - 1, 2);
  }
  constexpr void opaque() {
    const int n = c_->root;
    out_.shape.rank = g_[n].type.rank;
    out_.accesses.push_back(whole_access(g_[n].type, f_.views[n]));
    for (int k = 0; k < g_[n].count; ++k)
      out_.accesses.push_back(whole_access(g_[g_.operand(n, k)].type, f_.views[g_.operand(n, k)]));
  }
  constexpr void sweep() {
    begin(c_->space);
    const int sweeps = count_sweeps();
    plan_spills();
    for (int p = 0; p < sweeps; ++p) {
      for (int i = 0; i < size(); ++i) {
        const int n = at(i);
        state_[n].element = -1;
        for (int k = 0; k < g_[n].count; ++k) state_[g_.operand(n, k)].element = -1;
      }
      for (int i = 0; i < size(); ++i) {
        const int n = at(i);
        if (f_.per_row[n] == 0) {
          if (stored_[n] != 0 && state_[n].when == p) element(n, p);
        } else if (g_[n].op->kind == op_kind::reduction && state_[n].when == p + 1) {
          instruction in;
          in.a = element_operand(g_.operand(n, 0), p);
          in.code = opcode::reduce;
          in.type = g_[n].type.type;
          in.section = 2 * p;
          in.payload = g_[n].op->id;
          state_[n].row = push(in);
        }
      }
      // After all loads of the sweep, for what a result overwrites may be what another value is made of.
      for (int i = 0; i < size(); ++i)
        if (f_.per_row[at(i)] == 0 && stored_[at(i)] != 0 && state_[at(i)].when == p) store_element(at(i), 2 * p);
      for (int i = 0; i < size(); ++i) per_row_value(at(i), p);
    }
    make_loop_nest(g_.extents, out_, space_, c_->reduced);
  }
  constexpr void per_row_value(int n, int p) {
    if (f_.per_row[n] == 0 || state_[n].when != p + 1) return;
    if (g_[n].op->kind != op_kind::reduction) {
      instruction i = apply(n);
      int* const in[] = {&i.a, &i.b, &i.c};
      for (int k = 0; k < g_[n].count; ++k) *in[k] = row_operand(g_.operand(n, k), n, p);
      i.section = 2 * p + 1;
      state_[n].row = push(i);
    }
    if (stored_[n] != 0)
      store(state_[n].row, g_[n].type.type, row_access(g_[n].type, contiguous(g_.extents, g_[n].type, n), space_, c_->reduced),
            2 * p + 1);
  }

  constexpr int count_sweeps() {
    int sweeps = 1;
    for (int i = 0; i < size(); ++i) {
      const int n = at(i);
      int when = 0;
      for (int k = 0; k < g_[n].count; ++k) {
        const int o = inside(g_.operand(n, k));
        if (o >= 0 && state_[o].when > when) when = state_[o].when;
      }
      const bool ends_sweep = g_[n].op->kind == op_kind::reduction;
      if (ends_sweep) ++when;
      state_[n].when = when;
      const bool stored_element = stored_[n] != 0 && f_.per_row[n] == 0;
      if (ends_sweep && when > sweeps) sweeps = when;
      if (stored_element && when + 1 > sweeps) sweeps = when + 1;
    }
    return sweeps;
  }

  /// What is costly and needed by several sweeps is kept, by the first of them, in the memory of a result that is written
  /// by the last or later: reading it back is cheaper than exp (1.3 times as fast a softmax, measured on Zen 4).
  constexpr void plan_spills() {
    for (int i = size(); i-- > 0;) {
      const int n = at(i);
      const node_state& s = state_[n];
      if (f_.per_row[n] == 0 && stored_[n] != 0) need(n, s.when, s.when);
      const bool reduces = g_[n].op->kind == op_kind::reduction;
      if (!reduces && (f_.per_row[n] != 0 || s.first < 0)) continue;
      for (int k = 0; k < g_[n].count; ++k) {
        const int o = inside(g_.operand(n, k));
        if (o < 0 || f_.per_row[o] != 0) continue;
        if (reduces)
          need(o, s.when - 1, s.when - 1);
        else
          need(o, s.first, s.last);
      }
    }
    for (int i = 0; i < size(); ++i) {
      node_state& s = state_[at(i)];
      if (s.first == s.last || g_[at(i)].op->cost < least_spilled_cost) continue;
      for (int j = i; j < size() && s.spill < 0; ++j) {
        const int m = at(j);
        if (f_.per_row[m] != 0 || stored_[m] == 0 || state_[m].taken) continue;
        if (g_[m].type.type != g_[at(i)].type.type || (j != i && state_[m].when < s.last)) continue;
        state_[m].taken = true;
        s.spill = m;
      }
    }
  }
  constexpr void need(int n, int from, int to) {
    node_state& s = state_[n];
    if (s.first < 0 || from < s.first) s.first = from;
    if (to > s.last) s.last = to;
  }

  constexpr instruction apply(int n) const {
    instruction i;
    i.code = opcode::apply;
    i.type = g_[n].type.type;
    i.payload = g_[n].op->id;
    return i;
  }
  constexpr int push(const instruction& i) {
    out_.code.push_back(i);
    return out_.code.size() - 1;
  }

  /// The register of member n's value per element in sweep p; computed again in each sweep that needs it, or kept.
  constexpr int element(int n, int p) {
    if (state_[n].element >= 0) return state_[n].element;
    if (state_[n].spilled) {
      instruction i;
      i.type = g_[n].type.type;
      i.slot = state_[state_[n].spill].result_slot;
      i.section = 2 * p;
      return state_[n].element = push(i);
    }
    instruction i = apply(n);
    int* const in[] = {&i.a, &i.b, &i.c};
    const int* const operands = g_.operands_of(n);
    for (int k = 0, count = g_[n].count; k < count; ++k) *in[k] = element_operand(operands[k], p);
    i.section = 2 * p;
    state_[n].element = push(i);
    const int m = state_[n].spill;
    if (m >= 0) {
      if (m != n) store_element(n, m, 2 * p);
      state_[n].spilled = true;
    }
    return state_[n].element;
  }
  constexpr int element_operand(int o, int p) {
    const int m = inside(o);
    if (m >= 0) return f_.per_row[m] != 0 ? state_[m].row : element(m, p);
    if (state_[o].element >= 0) return state_[o].element;
    return state_[o].element = outside(o, element_access(g_[o].type, f_.views[o], space_), 2 * p);
  }
  constexpr int row_operand(int o, int consumer, int p) {
    const int m = inside(o);
    if (m >= 0) return state_[m].row;
    // Broadcast to the consumer's shape first: that one has the rows' axes.
    view v = f_.views[o];
    const tensor_type& t = g_[o].type;
    const tensor_type& to = g_[consumer].type;
    view broadcast;
    broadcast.root = v.root;
    broadcast.offset = v.offset;
    for (int i = 0; i < t.rank; ++i)
      broadcast.stride[i + to.rank - t.rank] =
          t.extents[i] == 1 && to.extents[i + to.rank - t.rank] != 1 ? 0 : v.stride[i];
    return outside(o, row_access(to.with(t.type), broadcast, space_, c_->reduced), 2 * p + 1);
  }
  /// A value from outside the cluster: a constant, an index, or a load.
  constexpr int outside(int o, const access& a, int section) {
    instruction i;
    i.type = g_[o].type.type;
    i.section = section;
    const int constant = constant_behind(g_, f_.views[o].root);
    if (constant >= 0) {
      i.code = opcode::immediate;
      i.payload = static_cast<std::uint64_t>(g_.word(constant, 0));
      return push(i);
    }
    i.code = g_.is(f_.views[o].root, info_of<iota>) ? opcode::iota : opcode::load;
    i.slot = slot(a);
    for (int k = 0; k < out_.code.size(); ++k)
      if (out_.code[k].code == i.code && out_.code[k].slot == i.slot && out_.code[k].section == section) return k;
    return push(i);
  }
  constexpr void store_element(int n, int section) { store_element(n, n, section); }
  /// Stores node n's value in the memory of node `to`.
  constexpr void store_element(int n, int to, int section) {
    if (state_[to].result_slot < 0) {
      out_.accesses.push_back(element_access(g_[to].type, contiguous(g_.extents, g_[to].type, to), space_));
      state_[to].result_slot = out_.accesses.size() - 1;
    }
    store_to(state_[to].result_slot, state_[n].element, g_[n].type.type, section);
  }
  constexpr void store(int value, dtype type, const access& a, int section) {
    out_.accesses.push_back(a);
    store_to(out_.accesses.size() - 1, value, type, section);
  }
  constexpr void store_to(int slot, int value, dtype type, int section) {
    instruction i;
    i.code = opcode::store;
    i.type = type;
    i.a = value;
    i.slot = slot;
    i.section = section;
    push(i);
  }
  constexpr int slot(const access& a) {
    for (int s = first_slot_; s < out_.accesses.size(); ++s) {
      const access& b = out_.accesses[s];
      bool same = a.buffer == b.buffer && a.offset == b.offset && a.type == b.type;
      for (int i = 0; i < max_rank; ++i) same = same && a.stride[i] == b.stride[i];
      if (same && !written(s)) return s;
    }
    out_.accesses.push_back(a);
    return out_.accesses.size() - 1;
  }
  constexpr bool written(int s) const {
    for (int i = 0; i < out_.code.size(); ++i)
      if (out_.code[i].code == opcode::store && out_.code[i].slot == s) return true;
    return false;
  }

  graph& g_;
  const fusion& f_;
  const vector<char>& stored_;
  vector<node_state> state_;           ///< per node
  vector<int> first_member_, members_;
  int ci_ = -2;                        ///< the cluster that is lowered, its number of members, and those
  int size_ = 0;
  const int* own_members_ = nullptr;
  int first_slot_ = 0;
  const cluster* c_ = nullptr;
  tensor_type space_;
  lowered out_;
};

}  // namespace detail

}  // namespace etch
