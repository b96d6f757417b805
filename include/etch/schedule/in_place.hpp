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

/// When a sweep uses its accesses, by the numbers of its program's words. Another step reads each element before it stores one.
class sweep_uses {
 public:
  constexpr sweep_uses(const plan& p, const plan_step& s) {
    if (s.kind != cluster_kind::sweep) return;
    last_.resize(s.access_count, -1);
    first_store_.resize(s.access_count, s.word_count);
    per_row_.resize(s.access_count, 0);
    const std::uint64_t* const words = p.program_words.data() + s.first_word;
    for (int w = 0; w < s.word_count; w += 2) {
      const instruction in = decode_instruction(words[w], words[w + 1]);
      if (!in.has_slot()) continue;
      last_[in.slot] = w;
      if (in.code == opcode::store && w < first_store_[in.slot]) first_store_[in.slot] = w;
      if (in.section % 2 != 0) per_row_[in.slot] = 1;
    }
  }
  /// Whether it has read each element by access `from` when it stores by access `to` first. A value that later sweeps need may be kept
  /// there, before the last load of its section.
  constexpr bool reads_before_it_stores(int from, int to) const {
    if (last_.empty()) return true;
    if (per_row_[from] != 0 || per_row_[to] != 0) return false;
    return last_[from] <= first_store_[from] && last_[from] <= first_store_[to];
  }

 private:
  vector<int> last_, first_store_;
  vector<char> per_row_;
};

/// A result of a map, a scan or a sweep takes over the memory of an operand that nothing reads later, if both are walked alike; so does that of
/// an op that changes its first operand.
constexpr void share_in_place(plan& p) {
  vector<char> taken(p.buffers.size(), 0);
  for (int i = 0; i < p.steps.size(); ++i) {
    const plan_step& s = p.steps[i];
    const bool changes = s.kind == cluster_kind::opaque && s.changes_operand;
    const bool walks = s.kind == cluster_kind::map || s.kind == cluster_kind::scan || s.kind == cluster_kind::sweep;
    if ((!walks && !changes) || s.returned > 0) continue;
    const sweep_uses uses(p, s);
    for (int k = 0; k < s.access_count; ++k) {
      const access& to = p.accesses[s.first_access + k];
      if (to.buffer < 0) continue;
      buffer& result = p.buffers[to.buffer];
      if (result.kind != storage::arena || result.first != i || result.shares >= 0) continue;
      for (int j = changes ? 1 : 0; j < (changes ? 2 : s.access_count) && result.shares < 0; ++j) {
        const access& from = p.accesses[s.first_access + j];
        if (from.buffer < 0 || from.buffer == to.buffer || taken[from.buffer] != 0) continue;
        if (!can_take_over(p, s, i, from, to) || !uses.reads_before_it_stores(j, k)) continue;
        taken[from.buffer] = 1;
        result.shares = from.buffer;
      }
    }
  }
}

}  // namespace etch::detail
