// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/build.hpp>
#include <etch/schedule/loop_nest.hpp>
#include <etch/schedule/sequence.hpp>

/// A cluster of nodes to a step: its program, its accesses, its loop nest.
namespace etch {

/// The cost of ops, in flops, from which on their values are kept between sweeps.
inline constexpr int least_spilled_cost = 8;

namespace detail {

class lowerer {
 public:
  constexpr lowerer(graph& g, const fusion& f, const sequence& s)
      : g_(g), f_(f), s_(s), stored_(s.stored), stored_in_(s.stored_in), state_(g.size()), first_member_(f.clusters.size() + 1), members_(g.size()) {
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
    c_ = &f_.clusters[ci];
    begin(c_->kind, c_->root, c_->space, members_.data() + first_member_[ci], first_member_[ci + 1] - first_member_[ci]);
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
    begin(cluster_kind::copy, to, g_.type(from), nullptr, 0);
    copy(from, to);
    return out_;
  }

 private:
  /// What is known of a node while the step that it belongs to, or that reads it, is lowered.
  struct node_state {
    int element = -1, row = -1;   ///< the register of its value, per element and per row
    int spill = -1;               ///< the node in whose memory its value is kept between sweeps
    int result_slot = -1;         ///< the access that stores it element by element
    int first = -1, last = -1;    ///< the sweeps in which a value per element is needed
    bool spilled = false;         ///< whether it is kept by now
    bool taken = false;           ///< whether another value is kept in its memory
  };
  /// What the program does with an access.
  struct slot_state {
    int loaded = -1;     ///< the register of its last load
    bool written = false;
  };

  constexpr void begin(cluster_kind kind, int node, const tensor_type& space, const int* members, int size) {
    out_.shape = plan_step{};
    out_.code.clear();
    out_.walks.clear();
    slots_.clear();
    out_.shape.kind = kind;
    out_.shape.op = g_[node].op->id;
    out_.shape.op_name = g_[node].op->name;
    out_.shape.draws = g_[node].op->stateful && g_[node].op->kind == op_kind::source;
    out_.shape.first_attribute = g_[node].first_word;
    out_.shape.attribute_count = g_[node].word_count;
    space_ = space;
    own_members_ = members;
    size_ = size;
    for (int i = 0; i < size; ++i) {
      const int n = members[i];
      state_[n] = node_state{};
      const int* const in = g_.operands_of(n);
      for (int k = 0, count = g_[n].count; k < count; ++k)
        if (f_.cluster_of[in[k]] != ci_) state_[in[k]] = node_state{};
    }
  }
  constexpr int at(int i) const { return own_members_[i]; }
  constexpr bool member(int n) const { return f_.cluster_of[n] == ci_; }
  constexpr bool per_row(int n) const { return f_.per_row[n] != 0; }
  constexpr bool reduces(int n) const { return g_[n].op->kind == op_kind::reduction; }
  /// The member that operand o is or reshapes, or -1.
  constexpr int inside(int o) const {
    if (member(o)) return o;
    return f_.transparent[o] != 0 && member(f_.root[o]) ? f_.root[o] : -1;
  }
  constexpr view own_memory(int n) {
    if (s_.has_parts() && stored_in_[n] >= 0 && s_.part[n] >= 0) return part_of(s_.part[n], n);
    return contiguous(g_.extents, g_.type(n), n);
  }
  constexpr int variable_of(int n) const {
    while (g_.is(n, op_role::assign)) n = g_.operand(n, 0);
    return n;
  }
  /// What the assignment of a part writes; `root`: the node whose memory the variable's is.
  constexpr view part_of(int assignment, int root) const {
    return part_view(g_.type(assignment), g_.words_of(assignment), root);
  }

  constexpr void copy(int from, int to) {
    space_ = g_.type(from);
    state_[from] = node_state{};
    const int value = element_operand(from, 0);
    const view target = g_.is(to, op_role::assign) ? part_of(to, variable_of(to)) : contiguous(g_.extents, space_, to);
    store_to(add_walk(element_walk(space_.with(g_.type(to).type), target, space_)), value, g_.type(to).type, 0);
    make_loop_nest(g_.extents, out_, space_, -1);
  }

  /// All members element by element. Every load comes before the first store, which may write in place over what is loaded:
  /// an operand that takes its last use here, or a variable that is assigned.
  constexpr void elements() {
    for (int i = 0; i < size_; ++i) element(at(i), 0);
    for (int i = 0; i < size_; ++i)
      if (stored_[at(i)] != 0 && !s_.lags(at(i))) store_element(at(i), at(i), 0);
  }
  constexpr void map() {
    if (size_ > cluster_limits{}.nodes)
      many_elements();
    else
      elements();
    if (s_.has_parts()) return_parts();
    make_loop_nest(g_.extents, out_, space_, -1);
    if (out_.shape.returned > 0) set_lag(out_);
  }
  /// Each value is stored as soon as it is there: for all of a large kernel there would not be registers enough. What a result may
  /// overwrite is loaded before all else.
  constexpr void many_elements() {
    for (int i = 0; i < size_; ++i) {
      const int* const in = g_.operands_of(at(i));
      for (int k = 0, count = g_[at(i)].count; k < count; ++k) {
        if (!may_be_overwritten(in[k])) continue;
        if (widens_a_load(at(i)))
          element(at(i), 0);
        else
          element_operand(in[k], 0);
      }
    }
    for (int i = 0; i < size_; ++i) {
      element(at(i), 0);
      if (stored_[at(i)] != 0 && !s_.lags(at(i))) store_element(at(i), at(i), 0);
    }
  }
  /// Parts of variables that the step still reads: their own memory is what the last stores write, and behind all other accesses
  /// is where they go from there.
  constexpr void return_parts() {
    for (int i = 0; i < size_; ++i) {
      if (!s_.lags(at(i))) continue;
      store_element(at(i), at(i), 0);
      ++out_.shape.returned;
    }
    for (int i = 0; i < size_; ++i) {
      const int n = at(i);
      if (!s_.lags(n)) continue;
      const view to = part_of(s_.part[n], variable_of(s_.part[n]));
      out_.walks[add_walk(element_walk(g_.type(n), to, space_))].stores = true;
    }
  }
  /// Whether operand o lies in memory that a result of this step may take: a variable's, or another step's result's.
  constexpr bool may_be_overwritten(int o) const {
    const int root = f_.root[o];
    return inside(o) < 0 && (f_.cluster_of[root] >= 0 || g_.is(root, op_role::variable));
  }

  constexpr void contraction() {
    const int root = c_->root;
    const int a = g_.operand(root, 0), b = g_.operand(root, 1);
    add_walk(product_walk(g_.type(a), f_.view_of(g_, a), space_));
    add_walk(product_walk(g_.type(b), f_.view_of(g_, b), space_));
    out_.shape.inner = g_.type(a).extents[g_.type(a).rank - 1];
    instruction i;
    i.code = opcode::accumulator;
    i.type = g_.type(root).type;
    state_[root].element = push(i);
    elements();
    out_.shape.rank = space_.rank;
    for (int axis = 0; axis < space_.rank; ++axis) out_.extents[axis] = space_.extents[axis];
    set_lanes(out_, space_.rank - 1);
  }
  constexpr void opaque() {
    const int n = c_->root;
    out_.shape.rank = g_.type(n).rank;
    add_walk(whole_walk(g_.type(n), own_memory(n), n, true));
    for (int k = 0; k < g_[n].count; ++k) {
      const int o = g_.operand(n, k);
      add_walk(whole_walk(g_.type(o), f_.view_of(g_, o), o, false));
    }
  }

  constexpr void sweep() {
    const int sweeps = count_sweeps();
    plan_spills();
    for (int p = 0; p < sweeps; ++p) {
      forget_elements();
      for (int i = 0; i < size_; ++i) {
        const int n = at(i);
        if (!per_row(n)) {
          if (stored_[n] != 0 && f_.when[n] == p) element(n, p);
        } else if (reduces(n) && f_.when[n] == p + 1) {
          reduce(n, p);
        }
      }
      // After all loads of the sweep, for what a result overwrites may be what another value is made of.
      for (int i = 0; i < size_; ++i)
        if (!per_row(at(i)) && stored_[at(i)] != 0 && f_.when[at(i)] == p) store_element(at(i), at(i), 2 * p);
      for (int i = 0; i < size_; ++i)
        if (per_row(at(i)) && !reduces(at(i)) && f_.when[at(i)] == p + 1) row_value(at(i), p);
      for (int i = 0; i < size_; ++i)
        if (per_row(at(i)) && stored_[at(i)] != 0 && f_.when[at(i)] == p + 1) store_row(at(i), p);
    }
    make_loop_nest(g_.extents, out_, space_, c_->reduced);
  }
  /// Values per element are computed again in each sweep.
  constexpr void forget_elements() {
    for (int i = 0; i < size_; ++i) {
      state_[at(i)].element = -1;
      const int* const in = g_.operands_of(at(i));
      for (int k = 0, count = g_[at(i)].count; k < count; ++k) state_[in[k]].element = -1;
    }
  }
  constexpr void reduce(int n, int p) {
    instruction i;
    i.a = element_operand(g_.operand(n, 0), p);
    i.code = opcode::reduce;
    i.type = g_.type(n).type;
    i.section = 2 * p;
    i.payload = g_[n].op->id;
    state_[n].row = push(i);
  }
  constexpr void row_value(int n, int p) {
    if (widens_a_load(n)) {
      state_[n].row = row_operand(g_.operand(n, 0), n, p, g_.type(n).type);
      return;
    }
    instruction i = apply(n);
    int* const in[] = {&i.a, &i.b, &i.c};
    for (int k = 0; k < g_[n].count; ++k) *in[k] = row_operand(g_.operand(n, k), n, p, g_.type(g_.operand(n, k)).type);
    i.section = 2 * p + 1;
    state_[n].row = push(i);
  }
  constexpr void store_row(int n, int p) {
    const int slot = add_walk(row_walk(g_.type(n), own_memory(n), space_, c_->reduced));
    store_to(slot, state_[n].row, g_.type(n).type, 2 * p + 1);
  }

  constexpr int count_sweeps() const {
    int sweeps = 1;
    for (int i = 0; i < size_; ++i) {
      const int n = at(i);
      const int needed = reduces(n) ? f_.when[n] : stored_[n] != 0 && !per_row(n) ? f_.when[n] + 1 : 0;
      if (needed > sweeps) sweeps = needed;
    }
    return sweeps;
  }

  /// What is costly and needed by several sweeps is kept, by the first of them, in the memory of a result that is written
  /// by the last or later: reading it back is cheaper than exp (1.3 times as fast a softmax, measured on Zen 4).
  constexpr void plan_spills() {
    bool any = false;
    for (int i = 0; i < size_; ++i) any = any || (g_[at(i)].op->cost >= least_spilled_cost && !per_row(at(i)));
    if (!any) return;
    for (int i = size_; i-- > 0;) {
      const int n = at(i);
      const node_state& s = state_[n];
      if (!per_row(n) && stored_[n] != 0) need(n, f_.when[n], f_.when[n]);
      if (!reduces(n) && (per_row(n) || s.first < 0)) continue;
      for (int k = 0; k < g_[n].count; ++k) {
        const int o = inside(g_.operand(n, k));
        if (o < 0 || per_row(o)) continue;
        if (reduces(n))
          need(o, f_.when[n] - 1, f_.when[n] - 1);
        else
          need(o, s.first, s.last);
      }
    }
    for (int i = 0; i < size_; ++i) find_spill(i);
  }
  constexpr void need(int n, int from, int to) {
    node_state& s = state_[n];
    if (s.first < 0 || from < s.first) s.first = from;
    if (to > s.last) s.last = to;
  }
  constexpr void find_spill(int i) {
    node_state& s = state_[at(i)];
    if (s.first == s.last || g_[at(i)].op->cost < least_spilled_cost) return;
    for (int j = i; j < size_; ++j) {
      const int m = at(j);
      // Not in a variable's memory, whose old value later sweeps may read.
      if (per_row(m) || stored_[m] == 0 || stored_in_[m] >= 0 || state_[m].taken) continue;
      if (g_.type(m).type != g_.type(at(i)).type || (j != i && f_.when[m] < s.last)) continue;
      state_[m].taken = true;
      s.spill = m;
      return;
    }
  }

  constexpr instruction apply(int n) const {
    instruction i;
    i.code = opcode::apply;
    i.type = g_.type(n).type;
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
    if (state_[n].spilled) return state_[n].element = load(state_[state_[n].spill].result_slot, g_.type(n).type, 2 * p);
    if (widens_a_load(n)) {
      const int o = g_.operand(n, 0);
      return state_[n].element = outside(o, element_walk(g_.type(o), f_.view_of(g_, o), space_), 2 * p, g_.type(n).type);
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
    if (m >= 0) return per_row(m) ? state_[m].row : element(m, p);
    if (state_[o].element >= 0) return state_[o].element;
    return state_[o].element = outside(o, element_walk(g_.type(o), f_.view_of(g_, o), space_), 2 * p, g_.type(o).type);
  }
  constexpr int row_operand(int o, int consumer, int p, dtype type) {
    const int m = inside(o);
    if (m >= 0) return state_[m].row;
    // Broadcast to the consumer's shape first: that one has the rows' axes.
    const view v = f_.view_of(g_, o);
    const tensor_type& t = g_.type(o);
    const tensor_type& to = g_.type(consumer);
    view broadcast;
    broadcast.root = v.root;
    broadcast.offset = v.offset;
    for (int i = 0; i < t.rank; ++i)
      broadcast.stride[i + to.rank - t.rank] =
          t.extents[i] == 1 && to.extents[i + to.rank - t.rank] != 1 ? 0 : v.stride[i];
    return outside(o, row_walk(to.with(t.type), broadcast, space_, c_->reduced), 2 * p + 1, type);
  }
  /// Whether n is a cast of elements in memory that are too narrow for lanes: they are loaded as what they become.
  constexpr bool widens_a_load(int n) const {
    if (!g_.is(n, op_role::cast)) return false;
    const int o = g_.operand(n, 0);
    return inside(o) < 0 && is_widened(g_.type(o).type, g_.type(n).type) && !g_.is(f_.root[o], op_role::constant) &&
           !g_.is(f_.root[o], op_role::index);
  }
  /// A value from outside the cluster as that dtype: a constant, an index, or a load.
  constexpr int outside(int o, const walk& w, int section, dtype type) {
    const int root = f_.root[o];
    if (g_.is(root, op_role::constant)) {
      instruction i;
      i.code = opcode::immediate;
      i.type = g_.type(o).type;
      i.section = section;
      i.payload = static_cast<std::uint64_t>(g_.word(root, 0));
      return push(i);
    }
    const int slot = slot_of(w);
    slot_state& s = slots_[slot];
    const opcode code = g_.is(root, op_role::index) ? opcode::iota : opcode::load;
    if (s.loaded >= 0 && out_.code[s.loaded].section == section && out_.code[s.loaded].code == code &&
        out_.code[s.loaded].type == type)
      return s.loaded;
    const int loaded = load(slot, type, section);
    out_.code[loaded].code = code;
    out_.code[loaded].memory = g_.type(o).type;
    out_.walks[slot].loads = code == opcode::load;
    return slots_[slot].loaded = loaded;
  }
  constexpr int load(int slot, dtype type, int section) {
    instruction i;
    i.type = i.memory = type;
    i.slot = slot;
    i.section = section;
    return push(i);
  }
  /// Stores node n's value in the memory of node `to`.
  constexpr void store_element(int n, int to, int section) {
    node_state& target = state_[to];
    if (target.result_slot < 0) target.result_slot = add_walk(element_walk(g_.type(to), own_memory(to), space_));
    store_to(target.result_slot, state_[n].element, g_.type(n).type, section);
  }
  constexpr void store_to(int slot, int value, dtype type, int section) {
    instruction i;
    i.code = opcode::store;
    i.type = i.memory = type;
    i.a = value;
    i.slot = slot;
    i.section = section;
    push(i);
    slots_[slot].written = true;
    out_.walks[slot].stores = true;
  }
  constexpr int add_walk(const walk& w) {
    out_.walks.push_back(w);
    slots_.push_back({});
    return slots_.size() - 1;
  }
  /// An access to elements that no store has changed.
  constexpr int slot_of(const walk& w) {
    const int first = out_.shape.kind == cluster_kind::contraction ? 2 : 0;
    for (int s = first; s < slots_.size(); ++s)
      if (out_.walks[s].root == w.root && !slots_[s].written && out_.walks[s].same_elements(w)) return s;
    return add_walk(w);
  }

  graph& g_;
  const fusion& f_;
  const sequence& s_;
  const vector<char>& stored_;    ///< per node: other steps need it in memory
  const vector<int>& stored_in_;  ///< per node: the variable whose memory that is, or -1
  vector<node_state> state_;  ///< per node
  vector<int> first_member_, members_;
  int ci_ = -2;               ///< the cluster that is lowered, its members and their number
  const int* own_members_ = nullptr;
  int size_ = 0;
  const cluster* c_ = nullptr;
  tensor_type space_;
  vector<slot_state> slots_;
  lowered out_;
};

}  // namespace detail

}  // namespace etch
