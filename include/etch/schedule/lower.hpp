// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/target.hpp>
#include <etch/schedule/emit.hpp>
#include <etch/schedule/product_nest.hpp>

/// Lowers a cluster of nodes to a step: its program, its accesses, its loop nest.
namespace etch {

namespace detail {

class lowerer : step_emitter {
 public:
  constexpr lowerer(graph& g, const fusion& f, const sequence& s, const target_description& target)
      : step_emitter(g, f, s), target_(target), first_member_(f.clusters.size() + 1), members_(g.size()) {
    // Members of each cluster, in order: counts, where each begins, then the nodes.
    const node_place* const places = f.places.data();
    int *const first = first_member_.data(), *const members = members_.data();
    const int nodes = g.size(), clusters = f.clusters.size();
    for (int n = 0; n < nodes; ++n)
      if (places[n].cluster >= 0) ++first[places[n].cluster + 1];
    for (int c = 0; c < clusters; ++c) first[c + 1] += first[c];
    vector<int> places_of_next = first_member_;
    int* const next = places_of_next.data();
    for (int n = 0; n < nodes; ++n)
      if (places[n].cluster >= 0) members[next[places[n].cluster]++] = n;
  }

  /// Lowers a cluster.
  constexpr const lowered& run(int ci) {
    ci_ = ci;
    c_ = &f_.clusters[ci];
    begin(c_->kind, c_->root, c_->space, members_.data() + first_member_[ci], first_member_[ci + 1] - first_member_[ci]);
    switch (c_->kind) {
      case cluster_kind::map: map(); break;
      case cluster_kind::scan: scan(); break;
      case cluster_kind::sweep: sweep(); break;
      case cluster_kind::contraction: contraction(); break;
      case cluster_kind::copy: copy(g_.operand(c_->root, 0), packed(g_.operand(c_->root, 0), c_->root)); break;
      case cluster_kind::opaque: opaque(); break;
      case cluster_kind::call: call(); break;
    }
    return out_;
  }
  /// A step that writes what an assignment assigns to the variable.
  constexpr const lowered& run_assignment(int i) {
    const assignment& a = g_.assignments[i];
    ci_ = -2;
    begin(cluster_kind::copy, a.variable, g_.type(a.value), nullptr, 0);
    copy(a.value, a.word_count > 0 ? part_of(i, a.variable) : packed(a.value, a.variable));
    return out_;
  }
  /// A step that writes an operand of a join where it lies in that.
  constexpr const lowered& run_join(int join, int k) {
    const int o = g_.operand(join, k);
    ci_ = -2;
    begin(cluster_kind::copy, join, g_.type(o), nullptr, 0);
    view to = part_of_join(g_, join, k, own_memory(join));
    to.root = join;
    copy(o, to);
    return out_;
  }

 private:
  /// A node's elements in row-major order in the memory of another.
  constexpr view packed(int from, int to) { return contiguous(g_.extents, g_.type(from), to); }
  constexpr void copy(int from, const view& to) {
    space_ = g_.type(from);
    state_[from] = node_state{};
    const int value = element_operand(from, 0);
    const dtype type = g_.type(to.root).type;
    store_to(add_walk(element_walk(space_.with(type), to, space_)), value, type, 0);
    make_loop_nest(g_.extents, out_, space_, -1, target_.short_row);
  }

  /// All members element by element. Every load comes before the first store, which may write in place over what is loaded:
  /// an operand that takes its last use here, or a variable that is assigned.
  constexpr void elements() {
    for (int i = 0; i < size_; ++i)
      if (f_[at(i)].operand == 0) element(at(i), 0);
    for (int i = 0; i < size_; ++i)
      if (stored_[at(i)] != 0 && !s_.lags(at(i))) store_element(at(i), at(i), 0);
  }
  constexpr void map() {
    if (size_ > target_.limits.nodes)
      many_elements();
    else
      elements();
    if (s_.has_parts()) return_parts();
    make_loop_nest(g_.extents, out_, space_, -1, target_.short_row);
    if (out_.shape.returned > 0) set_lag(out_, stored_in_);
  }
  constexpr void scan() {
    elements();
    make_loop_nest(g_.extents, out_, space_, c_->reduced, target_.short_row);
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
      const view to = part_of(s_.part[n], g_.assignments[s_.part[n]].variable);
      out_.walks[add_walk(element_walk(g_.type(n), to, space_))].stores = true;
    }
  }
  /// Whether operand o lies in memory that a result of this step may take: a variable's, or another step's result's.
  constexpr bool may_be_overwritten(int o) const {
    const int root = f_[o].root;
    return inside(o) < 0 && (f_[root].cluster >= 0 || g_.is(root, op_role::variable));
  }

  constexpr void contraction() {
    const int root = c_->root;
    const product_axes axes = axes_of(g_, root);
    for (int k = 0; k < 2; ++k) {
      const int o = g_.operand(root, k);
      add_walk(member(o) ? walk{} : product_walk(g_.extents, g_.type(o), f_.view_of(g_, o), axes.operand[k]));
    }
    state_[root].element = push({.code = opcode::accumulator, .type = g_.type(root).type});
    elements();
    for (int k = 0; k < 2; ++k)
      if (member(g_.operand(root, k))) packed_operand(k, axes.operand[k]);
    if (axes.outside != 0) bound(g_.type(g_.operand(root, 0)), axes);
    out_.shape.type = g_.type(root).type;
    product_nest(g_.extents, out_, c_->space, axes).make();
  }
  /// The section that computes an operand; its last instruction gives the element.
  constexpr void packed_operand(int k, const index_map& places) {
    out_.shape.packed |= 1 << k;
    space_ = g_.type(g_.operand(c_->root, k));
    packed_ = &places;
    packed_slot_ = k;
    for (int i = 0; i < size_; ++i) {
      if (f_[at(i)].operand != k + 1) continue;
      for (int j = 0; j < g_[at(i)].count; ++j)
        if (const int o = g_.operand(at(i), j); inside(o) < 0) state_[o].element = -1;
    }
    for (int i = 0; i < size_; ++i)
      if (f_[at(i)].operand == k + 1) element(at(i), k + 1);
    packed_ = nullptr;
  }
  /// Counts places of a product's first operand, and the last that it has.
  constexpr void bound(const tensor_type& t, const product_axes& axes) {
    const index_map& m = axes.operand[0];
    for (int i = 0; i < t.rank; ++i) {
      if ((axes.outside >> i & 1) == 0) continue;
      walk place, last;
      place.type = last.type = dtype::int64;
      place.rank = last.rank = max_nest_rank;
      place.offset = m.begin[i];
      last.offset = g_.extents.difference(t.extents[i], 1);
      for (int k = 0; k < m.count; ++k)
        if (m.terms[k].operand_axis == i) place.stride[m.terms[k].result_axis] = m.terms[k].step;
      out_.walks.push_back(place);
      out_.walks.push_back(last);
      ++out_.shape.bounded;
    }
  }
  constexpr void opaque() {
    const int n = c_->root;
    out_.shape.rank = g_.type(n).rank;
    for (int i = 0; i < out_.shape.rank; ++i) out_.extents[i] = g_.type(n).extents[i];
    add_walk(whole_walk(g_.type(n), own_memory(n), n, true));
    for (int k = 0; k < g_[n].count; ++k) {
      const int o = g_.operand(n, k);
      add_walk(whole_walk(g_.type(o), f_.view_of(g_, o), o, false));
    }
  }

  /// What it reads, then its results.
  constexpr void call() {
    for (int i = 0; i < size_; ++i) {
      const int n = at(i);
      for (int k = 0; n == c_->root && k < g_[n].count; ++k) {
        const int o = g_.operand(n, k);
        add_walk(whole_walk(g_.type(o), f_.view_of(g_, o), o, false));
      }
      if (n != c_->root) add_walk(whole_walk(g_.type(n), own_memory(n), n, true));
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
          if (stored_[n] != 0 && f_[n].when == p) element(n, p);
        } else if (reduces(n) && f_[n].when == p + 1) {
          reduce(n, p);
        }
      }
      // After all loads of the sweep, for what a result overwrites may be what another value is made of.
      for (int i = 0; i < size_; ++i)
        if (!per_row(at(i)) && stored_[at(i)] != 0 && f_[at(i)].when == p) store_element(at(i), at(i), 2 * p);
      for (int i = 0; i < size_; ++i)
        if (per_row(at(i)) && !reduces(at(i)) && f_[at(i)].when == p + 1) row_value(at(i), p);
      for (int i = 0; i < size_; ++i)
        if (per_row(at(i)) && stored_[at(i)] != 0 && f_[at(i)].when == p + 1) store_row(at(i), p);
    }
    make_loop_nest(g_.extents, out_, space_, c_->reduced, short_row());
  }
  constexpr int short_row() const {
    for (int i = 0; i < size_ && c_->lane_bytes == 4; ++i)
      if (reduces(at(i)) && g_[at(i)].op->gives_indices) return target_.short_row_to_indices;
    return target_.short_row;
  }
  /// Values per element are recomputed in each sweep.
  constexpr void forget_elements() {
    for (int i = 0; i < size_; ++i) {
      state_[at(i)].element = -1;
      const int* const in = g_.operands_of(at(i));
      for (int k = 0, count = g_[at(i)].count; k < count; ++k) state_[in[k]].element = -1;
    }
  }
  constexpr void reduce(int n, int p) {
    const int x = g_.operand(n, 0), element = element_operand(x, p);
    state_[n].row =
        push({.code = opcode::reduce, .type = g_.type(x).type, .section = 2 * p, .a = element, .payload = g_[n].op->id});
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
      const int needed = reduces(n) ? f_[n].when : stored_[n] != 0 && !per_row(n) ? f_[n].when + 1 : 0;
      if (needed > sweeps) sweeps = needed;
    }
    return sweeps;
  }

  /// What is costly and needed by several sweeps is kept, by the first of them, in the memory of a result that is written
  /// by the last or later.
  constexpr void plan_spills() {
    bool any = false;
    for (int i = 0; i < size_; ++i) any = any || (g_[at(i)].op->cost >= target_.kept_cost && !per_row(at(i)));
    if (!any) return;
    for (int i = size_; i-- > 0;) {
      const int n = at(i);
      const node_state& s = state_[n];
      if (!per_row(n) && stored_[n] != 0) need(n, f_[n].when, f_[n].when);
      if (!reduces(n) && (per_row(n) || s.first < 0)) continue;
      for (int k = 0; k < g_[n].count; ++k) {
        const int o = inside(g_.operand(n, k));
        if (o < 0 || per_row(o)) continue;
        if (reduces(n))
          need(o, f_[n].when - 1, f_[n].when - 1);
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
    if (s.first == s.last || g_[at(i)].op->cost < target_.kept_cost) return;
    for (int j = i; j < size_; ++j) {
      const int m = at(j);
      // Not in a variable's memory, whose old value later sweeps may read.
      if (per_row(m) || stored_[m] == 0 || stored_in_[m] >= 0 || s_.is_joined(m) || state_[m].taken) continue;
      if (g_.type(m).type != g_.type(at(i)).type || (j != i && f_[m].when < s.last)) continue;
      state_[m].taken = true;
      s.spill = m;
      return;
    }
  }

  const target_description& target_;
  vector<int> first_member_, members_;  ///< of each cluster
};

}  // namespace detail

}  // namespace etch
