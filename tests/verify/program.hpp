// SPDX-License-Identifier: MIT
#pragma once
#include "verify/plan_invariants.hpp"

/// Whether a step's program is one that every backend may run as it stands: what they do not check, since it always holds.
namespace etch::detail {

class program_verifier {
 public:
  constexpr program_verifier(const plan_view& p, int number) : p_(p), s_(p.steps[number]), number_(number) {}

  constexpr plan_fault run() {
    const int count = s_.word_count / 2;
    used_.resize(s_.access_count, 0);
    stored_in_.resize(s_.access_count, 0);
    const bool has_kernel_of_its_own = s_.kind == cluster_kind::opaque;
    for (int k = 0; k < s_.access_count; ++k) {
      if (has_kernel_of_its_own) used_[k] = k == 0 ? stores : loads;
      if (s_.kind == cluster_kind::call) used_[k] = k < s_.access_count - (s_.attribute_count - call_attributes) ? loads : stores;
      if (s_.kind == cluster_kind::contraction && k < 2) used_[k] = loads;
      if (k >= s_.own_accesses()) used_[k] = s_.bounded != 0 ? counts : stores;
    }
    for (int k = 0; k < count; ++k) {
      const plan_invariant broken = check(k);
      if (broken != plan_invariant::none) return {broken, number_, k};
      section_ = at(k).section;
    }
    bool writes = false;
    for (int k = 0; k < s_.access_count; ++k) {
      const access& a = p_.accesses[s_.first_access + k];
      if (a.loads != ((used_[k] & loads) != 0) || a.stores != ((used_[k] & stores) != 0) || used_[k] == 0)
        return {plan_invariant::accesses_are_what_the_program_does, number_, k};
      writes = writes || a.stores;
    }
    if (!writes) return {plan_invariant::steps_write_something, number_, -1};
    return {};
  }

 private:
  static constexpr char loads = 1, stores = 2, counts = 4;

  constexpr instruction at(int k) const {
    return decode_instruction(p_.words[s_.first_word + 2 * k], p_.words[s_.first_word + 2 * k + 1]);
  }
  constexpr bool computes(opcode c) const { return c == opcode::apply || c == opcode::reduce || c == opcode::scan; }

  constexpr plan_invariant check(int k) {
    const instruction i = at(k);
    // That encoding is the inverse of decoding holds for every word, as long as the fields fill it.
    if (i.code > opcode::scan || i.mode > lane::strided || i.type >= dtype::none || i.memory >= dtype::none ||
        i.word() != p_.words[s_.first_word + 2 * k] || (computes(i.code) == (i.payload == 0) && i.code != opcode::immediate))
      return plan_invariant::fields_have_their_values;
    if (!unused_fields_are_zero(i)) return plan_invariant::unused_fields_are_zero;
    if (!is_in_its_section(i, k)) return plan_invariant::sections_are_in_order;
    if (i.has_slot()) {
      if (i.slot >= s_.own_accesses()) return plan_invariant::slots_are_accesses;
      const plan_invariant broken = check_access(i);
      if (broken != plan_invariant::none) return broken;
    }
    if (computes(i.code) || i.code == opcode::store) {
      if (!is_defined(i.a, k, i.section)) return plan_invariant::registers_are_defined_before_use;
      // How many operands an op has the program does not say: register 0 may also mean that there is none.
      if ((i.b != 0 && !is_defined(i.b, k, i.section)) || (i.code == opcode::apply && i.c != 0 && !is_defined(i.c, k, i.section)))
        return plan_invariant::registers_are_defined_before_use;
      if (i.code != opcode::apply && at(i.a).type != i.type) return plan_invariant::registers_have_the_type_that_is_used;
    }
    return plan_invariant::none;
  }
  /// Equal programs are equal words: what an instruction does not use is 0.
  constexpr bool unused_fields_are_zero(const instruction& i) const {
    const bool takes_one = i.code == opcode::store || i.code == opcode::reduce;
    const bool takes_more = i.code == opcode::apply || i.code == opcode::scan;
    if ((!takes_one && !takes_more && i.a != 0) || (!takes_more && i.b != 0)) return false;
    if (!i.has_slot() && (i.mode != lane::same || i.memory != dtype::float32 || (!takes_more && i.c != 0))) return false;
    return i.code != opcode::scan || i.c <= (scan_backwards | scan_exclusive);
  }
  constexpr bool is_in_its_section(const instruction& i, int k) const {
    if (i.section < section_) return false;
    if (i.code == opcode::accumulator) return s_.kind == cluster_kind::contraction && k == 0;
    if (s_.kind == cluster_kind::contraction && k == 0) return false;
    if (s_.kind == cluster_kind::contraction && i.section != 0)
      return (i.section == operand_section(0) || i.section == operand_section(1)) && (s_.packed >> (i.section / 2 - 1) & 1) != 0 &&
             i.code != opcode::reduce && i.code != opcode::store;
    if (i.code == opcode::scan) return s_.kind == cluster_kind::scan && i.section == 0;
    if (s_.kind != cluster_kind::sweep) return i.section == 0 && i.code != opcode::reduce;
    return i.code != opcode::reduce || i.section % 2 == 0;
  }
  constexpr plan_invariant check_access(const instruction& i) {
    const access& a = p_.accesses[s_.first_access + i.slot];
    const bool is_index = i.code == opcode::iota;
    // Of where an extreme is the register has the type of the extreme.
    const bool converts = i.code == opcode::load
                              ? is_widened(i.memory, i.type)
                              : i.code == opcode::store && at(i.a).code == opcode::reduce && i.memory == dtype::int64;
    if (is_index ? a.buffer >= 0 : a.buffer < 0 || a.type != i.memory || (i.type != i.memory && !converts))
      return plan_invariant::accesses_have_buffers_of_their_type;
    const int axis = s_.kind == cluster_kind::contraction ? s_.lane_axis(i.section)
                     : s_.lanes_along_rows                ? s_.kept - 1
                                                          : s_.rank - 1;
    const extent_value stride = p_.pool[a.first_stride + axis];
    if (i.mode != (stride == 0 ? lane::same : stride == 1 ? lane::next : lane::strided))
      return plan_invariant::modes_are_those_of_strides;
    // A sweep may keep values in the memory of a result and read them back: it does not load what it has stored before.
    const bool reads_back = i.code == opcode::load && (used_[i.slot] & stores) != 0;
    if (reads_back && stored_in_[i.slot] >= i.section) return plan_invariant::accesses_are_what_the_program_does;
    if (i.code == opcode::store && (used_[i.slot] & stores) == 0) stored_in_[i.slot] = i.section;
    if (!reads_back)
      used_[i.slot] = static_cast<char>(used_[i.slot] | (is_index ? counts : i.code == opcode::load ? loads : stores));
    return plan_invariant::none;
  }
  /// Whether register r has a value where instruction k, of that section, reads it. Values per element last for their sweep,
  /// values per row, and what a sweep has reduced, for what follows.
  constexpr bool is_defined(int r, int k, int section) const {
    if (r >= k) return false;
    const instruction d = at(r);
    if (d.code == opcode::store) return false;
    if (d.code == opcode::reduce) return section > d.section;
    return d.section == section || (d.section % 2 != 0 && d.section < section);
  }

  const plan_view& p_;
  const plan_step& s_;
  int number_;
  int section_ = 0;
  vector<char> used_;      ///< per access: what the program does with it
  vector<int> stored_in_;  ///< per access: the first section that stores
};

}  // namespace etch::detail
