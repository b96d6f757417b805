// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/verify.hpp>
#include <etch/schedule/loop_nest.hpp>

#include "verify/program.hpp"

/// Whether a plan is one: what sessions and backends rely on and do not check.
namespace etch {

namespace detail {

/// Reads each step, access, instruction and buffer once. `values`: the counts of the named extents; null where they are not
/// known, and then what depends on them is not asked.
class plan_verifier {
 public:
  constexpr plan_verifier(const plan_view& p, const std::int64_t* values)
      : p_(p), values_(values), first_(p.size.buffers, -1), last_(p.size.buffers, 0), written_(p.size.buffers, 0),
        touched_(p.size.buffers, 0), taken_(p.size.buffers, 0) {}

  constexpr plan_fault run() {
    plan_fault f = check_ports();
    for (int b = 0; b < p_.size.buffers && !f; ++b)
      if (p_.buffers[b].type >= dtype::none || !is_extent(*p_.extents, p_.buffers[b].elements))
        f = {plan_invariant::buffers_have_types_and_sizes, b, -1};
    for (int i = 0; i < p_.size.steps && !f; ++i) {
      f = check_step(p_.steps[i], i);
      if (f) break;
      program_verifier program(p_, i);
      f = program.run();
      if (!f) f = check_order(p_.steps[i], i);
    }
    for (int i = 0; i < p_.size.fetches && !f; ++i)
      if (p_.fetches[i].buffer >= 0 && !is_written(p_.fetches[i].buffer)) f = {plan_invariant::fetches_are_written, i, -1};
    for (int b = 0; b < p_.size.buffers && !f; ++b) f = check_lifetime(b);
    return f;
  }

 private:
  constexpr bool known(extent_value e) const { return is_static(e) || (values_ != nullptr && e != unknown_extent); }
  constexpr std::int64_t value(extent_value e) const { return is_static(e) ? e : p_.extents->evaluate(e, values_); }
  static constexpr bool lies_in(int first, int count, int size) { return first >= 0 && count >= 0 && count <= size - first; }

  /// What is fed and not needed has no buffer; of what is needed and not fed the user is told elsewhere.
  constexpr plan_fault check_ports() const {
    const port* const ports[] = {p_.feeds, p_.variables, p_.fetches};
    const int counts[] = {p_.size.feeds, p_.size.variables, p_.size.fetches};
    const storage kinds[] = {storage::feed, storage::variable, storage::fetch};
    for (int kind = 0; kind < 3; ++kind) {
      for (int i = 0; i < counts[kind]; ++i) {
        const port& t = ports[kind][i];
        const bool may_lack = kind == 0 || (kind == 2 && t.type.type == dtype::none);
        if (t.buffer < 0 ? !may_lack : t.buffer >= p_.size.buffers || !belongs(p_.buffers[t.buffer], kinds[kind], i, t))
          return {plan_invariant::ports_and_buffers_name_each_other, i, kind};
      }
    }
    for (int b = 0; b < p_.size.buffers; ++b)
      for (int kind = 0; kind < 3; ++kind) {
        const buffer& d = p_.buffers[b];
        if (d.kind > storage::extent) return {plan_invariant::ports_and_buffers_name_each_other, b, -1};
        if (d.kind != kinds[kind] || (kind == 0 && d.index < 0)) continue;
        if (d.index < 0 || d.index >= counts[kind] || ports[kind][d.index].buffer != b)
          return {plan_invariant::ports_and_buffers_name_each_other, b, kind};
      }
    return {};
  }
  static constexpr bool belongs(const buffer& b, storage kind, int i, const port& t) {
    return b.kind == kind && b.index == i && b.type == t.type.type;
  }

  constexpr plan_fault check_step(const plan_step& s, int i) const {
    const bool opaque = s.walks_whole_operands(), call = s.kind == cluster_kind::call;
    if (!lies_in(s.first_access, s.access_count, p_.size.accesses) || !lies_in(s.first_word, s.word_count, p_.size.program_words) ||
        s.word_count % 2 != 0 || (opaque && s.word_count != 0) || (!call && s.attribute_count > words::capacity) ||
        (call && s.attribute_count < call_attributes) ||
        (s.attribute_count != 0 && (!opaque || !lies_in(s.first_attribute, s.attribute_count, p_.size.attributes))) || s.rank < 0 ||
        s.rank > max_nest_rank || !lies_in(s.first_extent, s.rank, p_.size.extents))
      return {plan_invariant::steps_lie_in_their_pools, i, -1};
    if (!has_a_nest(s)) return {plan_invariant::nests_have_axes_and_extents, i, -1};
    if (s.kernel < 0 || s.kernel >= p_.size.kernels || p_.kernels[s.kernel].first_step < 0 || p_.kernels[s.kernel].first_step > i)
      return {plan_invariant::kernels_exist, i, -1};
    if (!has_its_kernel(s, p_.kernels[s.kernel])) return {plan_invariant::kernels_are_one_program, i, -1};
    for (int k = 0; k < s.access_count; ++k) {
      const plan_invariant broken = check_access(s, p_.accesses[s.first_access + k], k);
      if (broken != plan_invariant::none) return {broken, i, k};
    }
    if (s.returned < 0 || s.lag < 0 || 2 * s.returned > s.access_count ||
        (s.returned == 0 ? s.lag != 0 : s.kind != cluster_kind::map || s.rank < 2))
      return {plan_invariant::results_go_back_behind_what_is_read, i, -1};
    for (int k = s.access_count - s.returned; k < s.access_count; ++k)
      if (!goes_back(s, p_.accesses[s.first_access + k], k)) return {plan_invariant::results_go_back_behind_what_is_read, i, k};
    return {};
  }
  /// Whether step s is what its kernel is compiled from, as far as that is the same for every target.
  constexpr bool has_its_kernel(const plan_step& s, const plan_kernel& kernel) const {
    const plan_step& t = p_.steps[kernel.first_step];
    kernel_key key = key_of_step(s);
    key.cases = kernel.key.cases;
    if (t.kernel != s.kernel || t.first_word != s.first_word || !(kernel.key == key)) return false;
    for (int k = 0; k < kernel.key.typed_accesses; ++k)
      if (p_.accesses[s.first_access + k].type != p_.accesses[t.first_access + k].type) return false;
    return true;
  }
  /// Whether the result that access k returns to `to` comes from an array of its own, and none of the rows after the one that is
  /// `lag` behind it reads there.
  constexpr bool goes_back(const plan_step& s, const access& to, int k) const {
    const access& kept = p_.accesses[s.first_access + k - s.returned];
    if (to.loads || !to.stores || kept.loads || !kept.stores || kept.type != to.type ||
        p_.buffers[kept.buffer].kind != storage::arena)
      return false;
    const extent_value* const stride = p_.pool + to.first_stride;
    std::int64_t length = 0;
    for (int d = 0; d < s.rank; ++d) {
      if (!is_static(stride[d]) || stride[d] <= 0 || !is_static(p_.pool[s.first_extent + d])) return false;
      if (d > 0) length += (p_.pool[s.first_extent + d] - 1) * stride[d];
    }
    for (int j = 0; j < s.access_count; ++j) {
      const access& a = p_.accesses[s.first_access + j];
      if (j == k || a.buffer != to.buffer) continue;
      if (a.stores) return false;
      for (int d = 0; d < s.rank; ++d)
        if (p_.pool[a.first_stride + d] != stride[d]) return false;
      // The first row that is read when the last element of row 0 is there already.
      if (a.offset + (s.lag + 1) * stride[0] <= to.offset + length) return false;
    }
    return true;
  }
  constexpr bool has_a_nest(const plan_step& s) const {
    for (int d = 0; d < s.rank; ++d)
      if (!is_extent(*p_.extents, p_.pool[s.first_extent + d])) return false;
    if (s.kind != cluster_kind::sweep && ((s.kind != cluster_kind::scan && s.lanes_along_rows) || s.short_row != 0)) return false;
    switch (s.kind) {
      case cluster_kind::map:
      case cluster_kind::copy: return s.rank >= 1 && s.kept == s.rank;
      case cluster_kind::sweep: {
        if (s.kept < 0 || s.kept >= s.rank || (s.lanes_along_rows && s.kept == 0)) return false;
        const extent_value swept = p_.pool[s.first_extent + s.rank - 1];
        return s.short_row == 0 || (s.lanes_along_rows && s.rank == s.kept + 1 && swept == s.short_row);
      }
      case cluster_kind::scan: return s.rank == s.kept + 1 && s.kept >= (s.lanes_along_rows ? 1 : 0);
      case cluster_kind::contraction:
        return s.rows >= 1 && s.kept > s.rows && s.rank > s.kept && s.bounded >= 0 && s.own_accesses() >= 3 && walks_rows_as_one(s);
      case cluster_kind::opaque:
      case cluster_kind::call: return s.access_count >= 1;
    }
    return false;
  }

  constexpr plan_invariant check_access(const plan_step& s, const access& a, int k) const {
    if (a.buffer < -1 || a.buffer >= p_.size.buffers || a.type >= dtype::none || (a.buffer < 0 && (a.loads || a.stores)) ||
        (a.buffer >= 0 && p_.buffers[a.buffer].type != a.type))
      return plan_invariant::accesses_have_buffers_of_their_type;
    const bool opaque = s.walks_whole_operands();
    if (a.rank < 0 || a.rank > (opaque ? max_rank : max_nest_rank) || (!opaque && a.rank != s.rank) ||
        !lies_in(a.first_stride, opaque ? 2 * a.rank : a.rank, p_.size.extents) || !is_extent(*p_.extents, a.offset, true))
      return plan_invariant::accesses_have_strides;
    for (int d = 0; d < a.rank; ++d)
      if (!is_extent(*p_.extents, p_.pool[a.first_stride + d], true) || !is_extent(*p_.extents, extent_along(s, a, d)))
        return plan_invariant::accesses_have_strides;
    const bool may_leave = s.bounded != 0 && k == 0;
    return a.buffer < 0 || may_leave || stays_inside(s, a) ? plan_invariant::none : plan_invariant::accesses_stay_in_their_buffers;
  }
  /// Whether all that a product reads and writes beside its operands walks the rows as one axis, as far as numbers say.
  constexpr bool walks_rows_as_one(const plan_step& s) const {
    for (int k = 2; k < s.own_accesses(); ++k)
      for (int d = s.kept - 1 - s.rows; d < s.kept - 2; ++d) {
        const extent_value* const stride = p_.pool + p_.accesses[s.first_access + k].first_stride + d;
        const extent_value extent = p_.pool[s.first_extent + d + 1];
        if (known(stride[0]) && known(stride[1]) && known(extent) && value(stride[0]) != value(stride[1]) * value(extent))
          return false;
      }
    return true;
  }
  /// How far an access goes along axis d.
  constexpr extent_value extent_along(const plan_step& s, const access& a, int d) const {
    if (s.walks_whole_operands()) return p_.pool[a.first_stride + a.rank + d];
    return p_.pool[s.first_extent + d];
  }
  constexpr bool stays_inside(const plan_step& s, const access& a) const {
    const buffer& b = p_.buffers[a.buffer];
    if (!known(a.offset) || (b.kind != storage::extent && !known(b.elements))) return true;
    std::int64_t low = value(a.offset), high = low;
    for (int d = 0; d < a.rank; ++d) {
      const extent_value stride = p_.pool[a.first_stride + d], extent = extent_along(s, a, d);
      if (stride == 0) continue;
      if (!known(stride) || !known(extent)) return true;
      const std::int64_t last = (value(extent) - 1) * value(stride);
      if (value(extent) == 0) return true;
      (last < 0 ? low : high) += last;
    }
    return low >= 0 && high < (b.kind == storage::extent ? 1 : value(b.elements));
  }

  /// Steps load only what an earlier step has written, and each value is written by one.
  constexpr plan_fault check_order(const plan_step& s, int i) {
    for (int k = 0; k < s.access_count; ++k) {
      const access& a = p_.accesses[s.first_access + k];
      if (a.buffer < 0) continue;
      if (first_[a.buffer] < 0) first_[a.buffer] = i;
      last_[a.buffer] = i;
      const storage kind = p_.buffers[a.buffer].kind;
      const bool computed = kind == storage::arena || kind == storage::fetch;
      if (a.loads && computed && !is_written(a.buffer)) return {plan_invariant::values_are_written_before_they_are_read, i, k};
    }
    for (int k = 0; k < s.access_count; ++k) {
      const access& a = p_.accesses[s.first_access + k];
      if (!a.stores || p_.buffers[a.buffer].kind == storage::variable) continue;
      const bool computed = p_.buffers[a.buffer].kind == storage::arena || p_.buffers[a.buffer].kind == storage::fetch;
      const std::int64_t count = stored_elements(s, a);
      std::int64_t& written = written_[a.buffer];
      if (!computed || (written >= 0 && count >= 0 && written + count > elements_of(a.buffer)))
        return {plan_invariant::values_are_written_once, i, k};
      written = written < 0 || count < 0 ? -1 : written + count;
      touched_[a.buffer] = 1;
    }
    return {};
  }
  /// The elements that an access stores, -1 where extents are not known. A value may be written in parts, which together are all of it.
  constexpr std::int64_t stored_elements(const plan_step& s, const access& a) const {
    if (!known(p_.buffers[a.buffer].elements)) return -1;
    std::int64_t n = 1;
    for (int d = 0; d < a.rank; ++d) {
      const extent_value stride = p_.pool[a.first_stride + d], extent = extent_along(s, a, d);
      if (!known(stride) || !known(extent)) return -1;
      if (value(stride) != 0 || value(extent) == 0) n *= value(extent);
    }
    return n;
  }
  constexpr std::int64_t elements_of(int b) const { return value(p_.buffers[b].elements); }
  constexpr bool is_written(int b) const { return touched_[b] != 0 && (written_[b] < 0 || written_[b] == elements_of(b)); }
  constexpr plan_fault check_lifetime(int b) {
    const buffer& d = p_.buffers[b];
    const bool arena = d.kind == storage::arena;
    if (d.first != (arena ? first_[b] : 0) || (first_[b] >= 0 && d.last != last_[b]))
      return {plan_invariant::buffers_live_while_they_are_used, b, -1};
    if (d.shares == -1) return {};
    if (d.shares < 0 || d.shares >= p_.size.buffers || d.shares == b || !arena || !takes_over(b, d.shares))
      return {plan_invariant::shared_buffers_are_alike, b, -1};
    taken_[d.shares] = 1;
    return {};
  }
  /// Whether the step that writes b first is the last that reads `from`, walks both alike, and sees neither otherwise.
  constexpr bool takes_over(int b, int from) const {
    const buffer &d = p_.buffers[b], &o = p_.buffers[from];
    if (o.kind != storage::arena || taken_[from] != 0 || o.elements != d.elements || o.type != d.type || first_[b] < 0 ||
        first_[from] < 0 || first_[from] >= first_[b] || last_[from] != first_[b])
      return false;
    const plan_step& s = p_.steps[first_[b]];
    if (s.kind != cluster_kind::map && s.kind != cluster_kind::scan && s.kind != cluster_kind::sweep) return false;
    const access *reads = nullptr, *writes = nullptr;
    for (int k = 0; k < s.access_count; ++k) {
      const access& a = p_.accesses[s.first_access + k];
      if ((a.buffer == from && reads != nullptr) || (a.buffer == b && writes != nullptr)) return false;
      if (a.buffer == from) reads = &a;
      if (a.buffer == b) writes = &a;
    }
    if (reads->stores || reads->offset != writes->offset) return false;
    if (s.kind == cluster_kind::sweep && !is_read_before(s, reads, writes)) return false;
    for (int axis = 0; axis < s.rank; ++axis)
      if (p_.pool[reads->first_stride + axis] != p_.pool[writes->first_stride + axis]) return false;
    return true;
  }

  /// Whether no sweep loads by `reads` behind one that stores by `writes`, and each value per element of it.
  constexpr bool is_read_before(const plan_step& s, const access* reads, const access* writes) const {
    bool has_stored = false;
    int storing = -1;
    for (int w = s.first_word; w < s.first_word + s.word_count; w += 2) {
      const instruction in = decode_instruction(p_.words[w], p_.words[w + 1]);
      const access* const of = in.has_slot() ? p_.accesses + s.first_access + in.slot : nullptr;
      if (of == writes && in.code == opcode::store) {
        has_stored = true;
        storing = in.section;
      }
      if (of == reads && has_stored) return false;
      if ((of == reads || of == writes) && in.section % 2 != 0) return false;
    }
    return storing >= 0;
  }

  const plan_view& p_;
  const std::int64_t* values_;
  vector<int> first_, last_;      ///< per buffer: the steps that use it first and last
  vector<std::int64_t> written_;  ///< per buffer: so many elements; -1: some
  vector<char> touched_, taken_;  ///< per buffer: some step has written it; another has its memory
};

}  // namespace detail

/// What is broken in a plan, in the order of its steps. `values`: the counts of the named extents, where they are known.
constexpr plan_fault verify_plan(const detail::plan_view& view, const std::int64_t* values) {
  detail::plan_verifier v(view, values);
  return v.run();
}
constexpr plan_fault verify(const plan& p, const std::int64_t* values = nullptr) { return verify_plan(detail::view_of(p), values); }
template <plan_sizes S>
constexpr plan_fault verify(const plan_tables<S>& p, const plan_facts& facts, const std::int64_t* values = nullptr) {
  return verify_plan(detail::view_of(p, facts), values);
}

}  // namespace etch
