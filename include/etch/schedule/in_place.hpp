// SPDX-License-Identifier: MIT
#pragma once
#include <etch/schedule/plan.hpp>

/// In-place results (buffer reuse): a result takes the memory of an operand.
namespace etch::detail {

/// Whether step s may write access `to` over what it reads by access `from`, which nothing reads later: both walk alike, and no
/// other access sees that memory, which would be half written.
constexpr bool can_take_over(const plan& p, const plan_step& s, int i, const access& from, const access& to) {
  const buffer& operand = p.buffers[from.buffer];
  const buffer& result = p.buffers[to.buffer];
  if (operand.kind != storage::arena || operand.last != i || operand.first >= i) return false;
  if (operand.elements != result.elements || operand.type != result.type || from.offset != to.offset) return false;
  const int rank = s.walks_whole_operands() ? to.rank : s.rank;
  for (int d = 0; d < rank; ++d)
    if (p.stride(from, d) != p.stride(to, d)) return false;
  int uses = 0;
  for (int k = 0; k < s.access_count; ++k) uses += p.accesses[s.first_access + k].buffer == from.buffer ? 1 : 0;
  return uses == 1;
}

/// Whether a sweep has read each element by access `from` when it stores by access `to` first: both are numbers of the step's accesses. A value
/// that later sweeps need may be kept there, before the last load of its section.
constexpr bool reads_before_it_stores(const plan& p, const plan_step& s, int from, int to) {
  bool has_stored = false;
  for (int w = s.first_word; w < s.first_word + s.word_count; w += 2) {
    const instruction in = decode_instruction(p.program_words[w], p.program_words[w + 1]);
    if (!in.has_slot() || (in.slot != from && in.slot != to)) continue;
    if (in.section % 2 != 0 || (has_stored && in.slot == from)) return false;
    has_stored = has_stored || in.code == opcode::store;
  }
  return true;
}

/// A result of a map, a scan or a sweep takes over the memory of an operand that nothing reads later, if both are walked alike; so does that of
/// an op that changes its first operand.
constexpr void share_in_place(plan& p) {
  vector<char> taken(p.buffers.size(), 0);
  for (int i = 0; i < p.steps.size(); ++i) {
    const plan_step& s = p.steps[i];
    const bool changes = s.kind == cluster_kind::opaque && s.changes_operand;
    const bool sweeps = s.kind == cluster_kind::sweep;
    if ((s.kind != cluster_kind::map && s.kind != cluster_kind::scan && !sweeps && !changes) || s.returned > 0) continue;
    for (int k = 0; k < s.access_count; ++k) {
      const access& to = p.accesses[s.first_access + k];
      if (to.buffer < 0) continue;
      buffer& result = p.buffers[to.buffer];
      if (result.kind != storage::arena || result.first != i || result.shares >= 0) continue;
      for (int j = changes ? 1 : 0; j < (changes ? 2 : s.access_count) && result.shares < 0; ++j) {
        const access& from = p.accesses[s.first_access + j];
        if (from.buffer < 0 || from.buffer == to.buffer || taken[from.buffer] != 0) continue;
        if (!can_take_over(p, s, i, from, to) || (sweeps && !reads_before_it_stores(p, s, j, k))) continue;
        taken[from.buffer] = 1;
        result.shares = from.buffer;
      }
    }
  }
}

}  // namespace etch::detail
