// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/fold_constants.hpp>
#include <etch/schedule/plan.hpp>

/// A cluster of nodes to a step: its program, its accesses, its loop nest.
namespace etch {

/// The cost of ops, in flops, from which on their values are kept between sweeps.
inline constexpr int least_spilled_cost = 8;

/// Rows of up to this many elements are swept many at a time: measured on Zen 4.
inline constexpr int longest_short_row = 16;

/// What lowering a cluster gives. Accesses name nodes, not buffers yet.
struct lowered {
  step shape;
  vector<instruction> code;
  vector<access> accesses;
};

namespace detail {

class lowerer {
 public:
  /// `stored` says which nodes other steps need in memory.
  constexpr lowerer(graph& g, const fusion& f, const vector<char>& stored) : g_(g), f_(f), stored_(stored) {}

  constexpr void run(int ci) {
    ci_ = ci;
    c_ = &f_.clusters[ci];
    out_.shape.kind = c_->kind;
    out_.shape.op = g_[c_->root].op;
    out_.shape.node = c_->root;
    switch (c_->kind) {
      case cluster_kind::map: map(); break;
      case cluster_kind::sweep: sweep(); break;
      case cluster_kind::contraction: contraction(); break;
      case cluster_kind::copy: copy(g_.operand(c_->root, 0), c_->root); break;
      case cluster_kind::opaque: opaque(); break;
    }
  }

  /// A step that writes node `from`'s elements, in row-major order, to the memory of node `to`.
  constexpr void run_copy(int from, int to) {
    out_.shape.kind = cluster_kind::copy;
    out_.shape.op = g_[to].op;
    out_.shape.node = to;
    copy(from, to);
  }
  constexpr const lowered& result() const { return out_; }

 private:
  constexpr void begin(const tensor_type& space) {
    space_ = space;
    element_.resize(g_.size(), -1);
    row_.resize(g_.size(), -1);
    spill_.resize(g_.size(), -1);
    result_slot_.resize(g_.size(), -1);
    spilled_.resize(g_.size(), 0);
  }
  constexpr bool member(int n) const { return f_.cluster_of[n] == ci_; }
  /// The member that operand o is or reshapes, or -1.
  constexpr int inside(int o) const {
    if (member(o)) return o;
    return f_.transparent[o] != 0 && member(f_.views[o].root) ? f_.views[o].root : -1;
  }

  constexpr void copy(int from, int to) {
    begin(g_[from].type);
    out_.shape.kind = cluster_kind::copy;
    const int value = element_operand(from, 0);
    store(value, g_[to].type.type, element_access(to, contiguous(g_.extents, space_, to), space_), 0);
    finish(-1);
  }

  /// All members element by element. Every load comes before the first store, which may write in place over what is loaded:
  /// an operand that takes its last use here, or a variable that is assigned.
  constexpr void elements() {
    for (int n = 0; n < g_.size(); ++n)
      if (member(n)) element(n, 0);
    for (int n = 0; n < g_.size(); ++n)
      if (member(n) && stored_[n] != 0) store_element(n, 0);
  }

  constexpr void map() {
    begin(c_->space);
    elements();
    finish(-1);
  }

  constexpr void contraction() {
    begin(c_->space);
    const int root = c_->root;
    const int a = g_.operand(root, 0), b = g_.operand(root, 1);
    out_.accesses.push_back(operand_access(a));
    out_.accesses.push_back(operand_access(b));
    first_slot_ = 2;
    out_.shape.inner = g_[a].type.extents[g_[a].type.rank - 1];
    instruction i;
    i.code = opcode::accumulator;
    i.type = g_[root].type.type;
    element_[root] = push(i);
    elements();
    out_.shape.rank = space_.rank;
    for (int i2 = 0; i2 < space_.rank; ++i2) out_.shape.extents[i2] = space_.extents[i2];
    set_lanes(space_.rank - 1, 2);
  }
  /// An operand of a contraction over the result's batch axes and its own last two.
  constexpr access operand_access(int o) {
    const tensor_type& t = g_[o].type;
    const view& v = f_.views[o];
    access a;
    a.buffer = v.root;
    a.type = t.type;
    a.offset = v.offset;
    const int extra = space_.rank - t.rank;
    for (int i = 0; i < t.rank; ++i)
      a.stride[i + extra] =
          i < t.rank - 2 && t.extents[i] == 1 && space_.extents[i + extra] != 1 ? 0 : v.stride[i];
    return a;
  }

  constexpr void opaque() {
    const int n = c_->root;
    out_.shape.rank = g_[n].type.rank;
    out_.accesses.push_back(whole(n));
    for (int k = 0; k < g_[n].count; ++k) out_.accesses.push_back(whole(g_.operand(n, k)));
  }
  constexpr access whole(int n) const {
    const view& v = f_.views[n];
    access a;
    a.buffer = v.root;
    a.type = g_[n].type.type;
    a.offset = v.offset;
    a.rank = g_[n].type.rank;
    for (int i = 0; i < a.rank; ++i) {
      a.stride[i] = v.stride[i];
      a.extents[i] = g_[n].type.extents[i];
    }
    return a;
  }

  constexpr void sweep() {
    begin(c_->space);
    // The sweep in which a value per element is first available, and after which a value per row is.
    vector<int> when(g_.size(), 0);
    int sweeps = 1;
    for (int n = 0; n < g_.size(); ++n) {
      if (!member(n)) continue;
      int at = 0;
      for (int k = 0; k < g_[n].count; ++k) {
        const int o = inside(g_.operand(n, k));
        if (o >= 0 && when[o] > at) at = when[o];
      }
      if (g_[n].op->kind == op_kind::reduction) ++at;
      when[n] = at;
      const bool ends_sweep = g_[n].op->kind == op_kind::reduction;
      const bool stored_element = stored_[n] != 0 && f_.per_row[n] == 0;
      if (ends_sweep && at > sweeps) sweeps = at;
      if (stored_element && at + 1 > sweeps) sweeps = at + 1;
    }
    plan_spills(when);
    for (int p = 0; p < sweeps; ++p) {
      for (int n = 0; n < g_.size(); ++n) element_[n] = -1;
      for (int n = 0; n < g_.size(); ++n) {
        if (!member(n)) continue;
        if (f_.per_row[n] == 0) {
          if (stored_[n] != 0 && when[n] == p) element(n, p);
        } else if (g_[n].op->kind == op_kind::reduction && when[n] == p + 1) {
          instruction i;
          i.a = element_operand(g_.operand(n, 0), p);
          i.code = opcode::reduce;
          i.type = g_[n].type.type;
          i.section = 2 * p;
          i.payload = g_[n].op->id;
          row_[n] = push(i);
        }
      }
      // After all loads of the sweep, for what a result overwrites may be what another value is made of.
      for (int n = 0; n < g_.size(); ++n)
        if (member(n) && f_.per_row[n] == 0 && stored_[n] != 0 && when[n] == p) store_element(n, 2 * p);
      for (int n = 0; n < g_.size(); ++n) {
        if (!member(n) || f_.per_row[n] == 0 || when[n] != p + 1) continue;
        if (g_[n].op->kind != op_kind::reduction) {
          instruction i = apply(n);
          int* const in[] = {&i.a, &i.b, &i.c};
          for (int k = 0; k < g_[n].count; ++k) *in[k] = row_operand(g_.operand(n, k), n, p);
          i.section = 2 * p + 1;
          row_[n] = push(i);
        }
        if (stored_[n] != 0)
          store(row_[n], g_[n].type.type, row_access(n, contiguous(g_.extents, g_[n].type, n), g_[n].type),
                2 * p + 1);
      }
    }
    finish(c_->reduced);
  }

  /// What is costly and needed by several sweeps is kept, by the first of them, in the memory of a result that is written
  /// by the last or later: reading it back is cheaper than exp (1.3 times as fast a softmax, measured on Zen 4).
  constexpr void plan_spills(const vector<int>& when) {
    vector<int> last(g_.size(), -1), first(g_.size(), -1);  // the sweeps in which a value per element is needed
    const auto need = [&](int n, int from, int to) {
      if (first[n] < 0 || from < first[n]) first[n] = from;
      if (to > last[n]) last[n] = to;
    };
    for (int n = g_.size(); n-- > 0;) {
      if (!member(n)) continue;
      if (f_.per_row[n] == 0 && stored_[n] != 0) need(n, when[n], when[n]);
      const bool reduces = g_[n].op->kind == op_kind::reduction;
      if (!reduces && (f_.per_row[n] != 0 || first[n] < 0)) continue;
      for (int k = 0; k < g_[n].count; ++k) {
        const int o = inside(g_.operand(n, k));
        if (o < 0 || f_.per_row[o] != 0) continue;
        if (reduces)
          need(o, when[n] - 1, when[n] - 1);
        else
          need(o, first[n], last[n]);
      }
    }
    vector<char> taken(g_.size(), 0);
    for (int n = 0; n < g_.size(); ++n) {
      if (first[n] == last[n] || g_[n].op->cost < least_spilled_cost) continue;
      for (int m = n; m < g_.size() && spill_[n] < 0; ++m) {
        if (!member(m) || f_.per_row[m] != 0 || stored_[m] == 0 || taken[m] != 0) continue;
        if (g_[m].type.type != g_[n].type.type || (m != n && when[m] < last[n])) continue;
        taken[m] = 1;
        spill_[n] = m;
      }
    }
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
    if (element_[n] >= 0) return element_[n];
    if (spilled_[n] != 0) {
      instruction i;
      i.type = g_[n].type.type;
      i.slot = result_slot_[spill_[n]];
      i.section = 2 * p;
      return element_[n] = push(i);
    }
    instruction i = apply(n);
    int* const in[] = {&i.a, &i.b, &i.c};
    for (int k = 0; k < g_[n].count; ++k) *in[k] = element_operand(g_.operand(n, k), p);
    i.section = 2 * p;
    element_[n] = push(i);
    const int m = spill_[n];
    if (m >= 0) {
      if (m != n) store_element(n, m, 2 * p);
      spilled_[n] = 1;
    }
    return element_[n];
  }
  constexpr int element_operand(int o, int p) {
    const int m = inside(o);
    if (m >= 0) return f_.per_row[m] != 0 ? row_[m] : element(m, p);
    if (element_[o] >= 0) return element_[o];
    return element_[o] = outside(o, element_access(o, f_.views[o], g_[o].type), 2 * p);
  }
  constexpr int row_operand(int o, int consumer, int p) {
    const int m = inside(o);
    if (m >= 0) return row_[m];
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
    return outside(o, row_access(o, broadcast, to), 2 * p + 1);
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
    if (result_slot_[to] < 0) {
      out_.accesses.push_back(element_access(to, contiguous(g_.extents, g_[to].type, to), g_[to].type));
      result_slot_[to] = out_.accesses.size() - 1;
    }
    store_to(result_slot_[to], element_[n], g_[n].type.type, section);
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

  /// A view of shape `t` over the axes of the space, to which it broadcasts.
  constexpr access element_access(int n, const view& v, const tensor_type& t) const {
    access a;
    a.buffer = v.root;
    a.type = g_[n].type.type;
    a.offset = v.offset;
    const int extra = space_.rank - t.rank;
    for (int i = 0; i < t.rank; ++i)
      a.stride[i + extra] = t.extents[i] == 1 ? 0 : v.stride[i];
    return a;
  }
  /// A view whose shape is the rows', perhaps with other axes of extent 1, over the axes of the space.
  constexpr access row_access(int n, const view& v, const tensor_type& t) const {
    access a;
    a.buffer = v.root;
    a.type = g_[n].type.type;
    a.offset = v.offset;
    int j = 0;
    for (int i = 0; i < space_.rank; ++i) {
      if (space_.extents[i] == 1 || (c_->reduced >> i & 1) != 0) continue;
      while (j < t.rank && t.extents[j] == 1) ++j;
      if (j < t.rank) a.stride[i] = v.stride[j++];
    }
    return a;
  }

  /// Makes the loop nest: axes of extent 1 go, axes that every access walks as one become one, rows come first.
  /// `reduced` < 0: there are no rows.
  constexpr void finish(std::int64_t reduced) {
    step& s = out_.shape;
    const std::int64_t mask = reduced < 0 ? 0 : reduced;
    bool innermost_is_reduced = false;
    int axes[max_rank] = {};
    for (int pass = 0; pass < 2; ++pass) {
      int group_begin = s.rank;
      int last = -1;
      for (int i = 0; i < space_.rank; ++i) {
        const bool is_reduced = (mask >> i & 1) != 0;
        if (space_.extents[i] == 1 || is_reduced != (pass == 1)) continue;
        if (s.rank > group_begin && joins(last, i)) {
          s.extents[s.rank - 1] = g_.extents.product(s.extents[s.rank - 1], space_.extents[i]);
          axes[s.rank - 1] = i;
        } else {
          s.extents[s.rank] = space_.extents[i];
          axes[s.rank++] = i;
        }
        last = i;
      }
      if (pass == 0) s.kept = s.rank;
    }
    for (int i = 0; i < space_.rank; ++i)
      if (space_.extents[i] != 1) innermost_is_reduced = (mask >> i & 1) != 0;
    if (s.kind == cluster_kind::sweep && s.rank == s.kept) {  // reduces nothing but axes of extent 1
      s.extents[s.rank++] = 1;
      axes[s.rank - 1] = -1;
      innermost_is_reduced = s.kept == 0;
    }
    if (s.kind != cluster_kind::sweep && s.rank == 0) {
      s.extents[s.rank++] = 1;
      axes[0] = -1;
      s.kept = 1;
    }
    if (s.kind == cluster_kind::sweep && innermost_is_reduced && has_short_rows(s))
      s.short_row = static_cast<int>(s.extents[s.rank - 1]);
    s.lanes_along_rows = s.kind == cluster_kind::sweep && (!innermost_is_reduced || s.short_row > 0);
    for (int k = 0; k < out_.accesses.size(); ++k) {
      access& a = out_.accesses[k];
      extent_value stride[max_rank] = {};
      for (int i = 0; i < s.rank; ++i) stride[i] = axes[i] < 0 ? 0 : a.stride[axes[i]];
      for (int i = 0; i < max_rank; ++i) a.stride[i] = stride[i];
    }
    set_lanes(s.lanes_along_rows ? s.kept - 1 : s.rank - 1, 0);
  }
  /// Whether rows are so short, and so many, that vectors had better lie across them: along them most lanes would be idle,
  /// and each row would need its own additions between lanes.
  constexpr bool has_short_rows(const step& s) const {
    if (s.kept == 0 || s.rank != s.kept + 1) return false;
    const extent_value row = s.extents[s.rank - 1], rows = s.extents[s.kept - 1];
    return is_static(row) && row <= longest_short_row && (!is_static(rows) || rows >= longest_short_row);
  }
  /// Whether each access steps over axis i exactly as over the continuation of axis `last`.
  constexpr bool joins(int last, int i) {
    for (int j = last + 1; j < i; ++j)
      if (space_.extents[j] != 1) return false;
    for (int k = 0; k < out_.accesses.size(); ++k) {
      const access& a = out_.accesses[k];
      if (a.stride[last] != g_.extents.product(a.stride[i], space_.extents[i])) return false;
    }
    return true;
  }
  constexpr void set_lanes(int axis, int first_access) {
    for (int k = first_access; k < out_.accesses.size(); ++k) {
      const extent_value s = out_.accesses[k].stride[axis];
      const lane mode = s == 0 ? lane::same : s == 1 ? lane::next : lane::strided;
      out_.shape.lanes |= static_cast<std::uint64_t>(mode) << (2 * k);
    }
  }

  graph& g_;
  const fusion& f_;
  const vector<char>& stored_;
  int ci_ = -2;
  int first_slot_ = 0;
  const cluster* c_ = nullptr;
  tensor_type space_;
  lowered out_;
  vector<int> element_, row_;    ///< per node: the register of its value, per element and per row
  vector<int> spill_;            ///< per node: the node in whose memory its value is kept between sweeps, or -1
  vector<int> result_slot_;      ///< per node: the access that stores it element by element, or -1
  vector<char> spilled_;         ///< per node: whether it is kept by now
};

}  // namespace detail

}  // namespace etch
