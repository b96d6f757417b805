// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/build.hpp>
#include <etch/ops/regions.hpp>

/// Whether regions and their values are what passes take them for.
namespace etch::detail {

class region_verifier {
 public:
  constexpr explicit region_verifier(const graph& g) : g_(g) {}

  constexpr bool is_sound(int n) const {
    switch (g_[n].op->role) {
      case op_role::parameter: return g_.word(n, 0) >= 0 && g_.word(n, 0) <= deepest_level;
      case op_role::loop: return is_loop(n);
      case op_role::branch: return is_branch(n);
      case op_role::recompute: return is_computed_again(n);
      case op_role::stack: return is_stack(n);
      case op_role::result: return is_result(n);
      case op_role::call:
        return g_[n].word_count == region_call::word_count && g_.word(n, 0) >= 0 && g_.word(n, 0) <= 3 && g_.word(n, 1) >= 0 &&
               (g_.word(n, 0) != static_cast<int>(call_kind::function) || g_.word(n, 2) <= g_.word(n, 1));
      case op_role::outline: return false;  // graphs have its values
      default: return true;
    }
  }

 private:
  constexpr const tensor_type& type_of(int n, int k) const { return g_.type(g_.operand(n, k)); }

  constexpr bool is_loop(int n) const {
    const int count = g_[n].count;
    const std::int64_t level = g_.word(n, 0), states = g_.word(n, 1), sequences = g_.word(n, 2);
    if (level < 0 || level > deepest_level || states < 0 || sequences < 0 || states + sequences > count) return false;
    const int s = static_cast<int>(states), given = s + static_cast<int>(sequences);
    if (count != 2 * given + s && count != 2 * given + s + 1) return false;
    if (sequences == 0 && count == 2 * given + s) return false;  // it would never end
    for (int k = 0; k < given; ++k) {
      const int p = g_.operand(n, given + k);
      if (!g_.is(p, op_role::parameter) || g_.word(p, 0) != level) return false;
      if (!(k < s ? type_of(n, k) == g_.type(p) : is_element(type_of(n, k), g_.type(p)))) return false;
    }
    for (int k = 0; k < s; ++k)
      if (!(type_of(n, 2 * given + k) == type_of(n, k))) return false;
    for (int k = s; k < given; ++k)
      if (type_of(n, k).extents[0] != type_of(n, s).extents[0]) return false;
    return count == 2 * given + s || is_scalar(type_of(n, count - 1), dtype::boolean);
  }
  static constexpr bool is_element(const tensor_type& all, const tensor_type& one) {
    if (all.type != one.type || all.rank != one.rank + 1) return false;
    for (int i = 0; i < one.rank; ++i)
      if (all.extents[i + 1] != one.extents[i]) return false;
    return true;
  }
  static constexpr bool is_scalar(const tensor_type& t, dtype type) { return t.rank == 0 && t.type == type; }

  constexpr bool is_branch(int n) const {
    const std::int64_t regions = g_.word(n, 0), values = g_.word(n, 1);
    if (regions < 1 || values < 1 || regions * values + 1 != g_[n].count) return false;
    const tensor_type& chosen_by = type_of(n, 0);
    if (chosen_by.rank != 0 || (chosen_by.type != dtype::boolean && !is_integer(chosen_by.type))) return false;
    for (int k = 0; k < regions * values; ++k)
      if (!(type_of(n, 1 + k) == type_of(n, 1 + k % static_cast<int>(values)))) return false;
    return true;
  }
  constexpr bool is_computed_again(int n) const {
    const std::int64_t level = g_.word(n, 0), arguments = g_.word(n, 1);
    if (level < 0 || level > deepest_level || arguments < 0 || 2 * arguments >= g_[n].count) return false;
    for (int k = 0; k < static_cast<int>(arguments); ++k) {
      const int p = g_.operand(n, static_cast<int>(arguments) + k);
      if (!g_.is(p, op_role::parameter) || g_.word(p, 0) != level || !(type_of(n, k) == g_.type(p))) return false;
    }
    return true;
  }
  constexpr bool is_stack(int n) const {
    return g_.is(g_.operand(n, 0), op_role::loop) && g_.word(g_.operand(n, 0), 2) > 0 && is_element(g_.type(n), type_of(n, 1)) &&
           g_.type(n).extents[0] == type_of(g_.operand(n, 0), static_cast<int>(g_.word(g_.operand(n, 0), 1))).extents[0];
  }
  constexpr bool is_result(int n) const {
    const int region = g_.operand(n, 0);
    const std::int64_t number = g_.word(n, 0);
    if (g_.is(region, op_role::call)) return true;
    if (number < 0) return false;
    if (g_.is(region, op_role::loop)) return number < g_.word(region, 1) && g_.type(n) == type_of(region, static_cast<int>(number));
    if (g_.is(region, op_role::branch))
      return number < g_.word(region, 1) && g_.type(n) == type_of(region, 1 + static_cast<int>(number));
    if (g_.is(region, op_role::recompute)) {
      const std::int64_t place = 2 * g_.word(region, 1) + number;
      return place < g_[region].count && g_.type(n) == type_of(region, static_cast<int>(place));
    }
    return false;
  }

  const graph& g_;
};

}  // namespace etch::detail
