// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/build.hpp>
#include <etch/schedule/joined_parts.hpp>
#include <etch/schedule/loop_nest.hpp>
#include <etch/schedule/tasks.hpp>

/// The instructions of one step, as they are appended: values in registers, and where they are loaded and stored.
namespace etch::detail {

class step_emitter {
 protected:
  constexpr step_emitter(graph& g, const fusion& f, const sequence& s)
      : g_(g), f_(f), s_(s), stored_(s.stored), stored_in_(s.stored_in), state_(g.size()) {}

  /// What is known of a node while the step that it belongs to, or that reads it, is lowered.
  struct node_state {
    int element = -1, row = -1;  ///< the register of its value, per element and per row
    int spill = -1;              ///< the node in whose memory its value is kept between sweeps
    int result_slot = -1;        ///< the access that stores it element by element
    int first = -1, last = -1;   ///< the sweeps in which a value per element is needed
    bool spilled = false;        ///< whether it is kept by now
    bool taken = false;          ///< whether another value is kept in its memory
  };
  /// What the program does with an access.
  struct slot_state {
    int loaded = -1;  ///< the register of its last load
    bool written = false;
  };

  constexpr void begin(cluster_kind kind, int node, const tensor_type& space, const int* members, int size) {
    out_.shape = plan_step{};
    out_.code.clear();
    out_.walks.clear();
    slots_.clear();
    out_.shape.kind = kind;
    const etch::node& d = g_[node];
    out_.shape.op = d.op->id;
    out_.shape.op_name = d.op->name;
    out_.shape.draws = d.op->stateful && d.op->kind == op_kind::source;
    out_.shape.on_host = d.op->on_host;
    if (kind == cluster_kind::opaque) {
      out_.shape.batch = d.op->batch(g_.words_of(node), g_.type(node).rank);
      out_.shape.changes_operand = d.op->adds_updates != nullptr;
    }
    out_.shape.first_attribute = d.first_word;
    out_.shape.attribute_count = d.word_count;
    space_ = space;
    packed_ = nullptr;
    own_members_ = members;
    size_ = size;
    const node_place* const places = f_.places.data();
    node_state* const states = state_.data();
    for (int i = 0; i < size; ++i) {
      const int n = members[i];
      const etch::node& own = g_[n];
      states[n] = node_state{};
      if (places[n].operand == 0) out_.shape.work += own.op->cost;
      const int* const in = g_.operands_of(n);
      for (int k = 0; k < own.count; ++k)
        if (places[in[k]].cluster != ci_) states[in[k]] = node_state{};
    }
  }
  constexpr int at(int i) const { return own_members_[i]; }
  constexpr bool member(int n) const { return f_[n].cluster == ci_; }
  constexpr bool per_row(int n) const { return f_[n].per_row; }
  constexpr bool reduces(int n) const { return g_[n].op->kind == op_kind::reduction; }
  /// The member that operand o is or reshapes, or -1.
  constexpr int inside(int o) const {
    if (member(o)) return o;
    return f_[o].transparent && member(f_[o].root) ? f_[o].root : -1;
  }
  constexpr view own_memory(int n) {
    if (s_.has_parts() && stored_in_[n] >= 0 && s_.part[n] >= 0) return part_of(s_.part[n], n);
    if (s_.is_joined(n)) return memory_in_join(n);
    return contiguous(g_.extents, g_.type(n), n);
  }
  constexpr view memory_in_join(int n) {
    const int join = s_.joined[n];
    int k = 0;
    while (g_.operand(join, k) != n) ++k;
    view v = part_of_join(g_, join, k, own_memory(join));
    v.root = n;
    return v;
  }
  /// What an assignment of a part writes; `root`: the node whose memory the variable's is.
  constexpr view part_of(int assignment, int root) const { return part_view(g_, g_.assignments[assignment], root); }

  constexpr instruction apply(int n) const { return {.code = opcode::apply, .type = g_.type(n).type, .payload = g_[n].op->id}; }
  constexpr int push(const instruction& i) {
    out_.code.push_back(i);
    return out_.code.size() - 1;
  }

  /// The register of member n's value per element in sweep p; recomputed in each sweep that needs it, or kept.
  constexpr int element(int n, int p) {
    if (state_[n].element >= 0) return state_[n].element;
    if (state_[n].spilled) return state_[n].element = load(state_[state_[n].spill].result_slot, g_.type(n).type, 2 * p);
    if (widens_a_load(n)) {
      const int o = g_.operand(n, 0);
      return state_[n].element = outside(o, walk_of_elements(o), 2 * p, g_.type(n).type);
    }
    instruction i = apply(n);
    int* const in[] = {&i.a, &i.b, &i.c};
    const int* const operands = g_.operands_of(n);
    for (int k = 0, count = g_[n].count; k < count; ++k) *in[k] = element_operand(operands[k], p);
    i.section = 2 * p;
    if (g_[n].op->kind == op_kind::scan) {
      i.code = opcode::scan;
      i.c = static_cast<int>(g_.word(n, 1));
    }
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
    return state_[o].element = outside(o, walk_of_elements(o), 2 * p, g_.type(o).type);
  }
  constexpr walk walk_of_elements(int o) {
    const walk w = element_walk(g_.type(o), f_.view_of(g_, o), space_);
    return packed_ == nullptr ? w : product_walk(g_.extents, space_.with(w.type), view_of_walk(w), *packed_);
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
      broadcast.stride[i + to.rank - t.rank] = t.extents[i] == 1 && to.extents[i + to.rank - t.rank] != 1 ? 0 : v.stride[i];
    return outside(o, row_walk(to.with(t.type), broadcast, space_, c_->reduced), 2 * p + 1, type);
  }
  /// Whether n is a cast of elements in memory that are too narrow for lanes: they are loaded as what they become.
  constexpr bool widens_a_load(int n) const {
    if (!g_.is(n, op_role::cast)) return false;
    const int o = g_.operand(n, 0);
    return inside(o) < 0 && is_widened(g_.type(o).type, g_.type(n).type) && !g_.is(f_[o].root, op_role::constant) &&
           !g_.is(f_[o].root, op_role::index);
  }
  /// A value from outside the cluster as that dtype: a constant, an index, or a load.
  constexpr int outside(int o, const walk& w, int section, dtype type) {
    const int root = f_[o].root;
    if (g_.is(root, op_role::constant)) {
      return push({.code = opcode::immediate,
                   .type = g_.type(o).type,
                   .section = section,
                   .payload = static_cast<std::uint64_t>(g_.word(root, 0))});
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
    return push({.type = type, .memory = type, .section = section, .slot = slot});
  }
  /// Stores node n's value in the memory of node `to`.
  constexpr void store_element(int n, int to, int section) {
    node_state& target = state_[to];
    if (target.result_slot < 0) target.result_slot = add_walk(element_walk(g_.type(to), own_memory(to), space_));
    store_to(target.result_slot, state_[n].element, g_.type(n).type, section);
  }
  constexpr void store_to(int slot, int value, dtype type, int section) {
    push({.code = opcode::store, .type = out_.code[value].type, .memory = type, .section = section, .a = value, .slot = slot});
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
    if (packed_ != nullptr && out_.walks[packed_slot_].root < 0) {
      out_.walks[packed_slot_] = w;
      return packed_slot_;
    }
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
  vector<node_state> state_;      ///< per node
  int ci_ = -2;                   ///< the cluster that is lowered, its members and their number
  const int* own_members_ = nullptr;
  int size_ = 0;
  const cluster* c_ = nullptr;
  tensor_type space_;
  const index_map* packed_ = nullptr;  ///< of a product's operand that is computed now: where the nest has its elements
  int packed_slot_ = 0;                ///< that of its first access
  vector<slot_state> slots_;
  lowered out_;
};

}  // namespace etch::detail
