// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/build.hpp>
#include <etch/ops/regions.hpp>

/// Whether regions and their values are what passes take them for.
namespace etch::detail {

class region_verifier {
 public:
  constexpr explicit region_verifier(const graph& g) : g_(g), region_of_(g.bodies.size(), -1) {
    for (int n = 0; is_nested() && n < g.size(); ++n) {
      const node& d = g[n];
      const bool is_readable =
          d.op != nullptr && d.word_count >= 2 && d.first_word >= 0 && d.first_word + d.word_count <= g.pool.size();
      if (!is_readable || !has_sub_graphs(d.op->role) || (d.op->role == op_role::loop && d.word_count < 4)) continue;
      for (int b = 0; b < body_count(n) && is_body(first_body(n) + b); ++b) region_of_[first_body(n) + b] = n;
    }
  }

  constexpr bool is_sound(int n) const {
    switch (g_[n].op->role) {
      case op_role::parameter: return is_nested() ? is_parameter(n) : g_.word(n, 0) >= 0 && g_.word(n, 0) <= deepest_level;
      case op_role::loop: return is_nested() ? is_nested_loop(n) : is_loop(n);
      case op_role::branch: return is_nested() ? is_nested_branch(n) : is_branch(n);
      case op_role::recompute: return is_nested() ? has_bodies(n) : is_computed_again(n);
      case op_role::stack: return !is_nested() && is_stack(n);
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
  static constexpr bool is_scalar(const tensor_type& t, dtype type) { return t.rank == 0 && t.type == type; }
  static constexpr bool is_element(const tensor_type& all, const tensor_type& one) {
    if (all.type != one.type || all.rank != one.rank + 1) return false;
    for (int i = 0; i < one.rank; ++i)
      if (all.extents[i + 1] != one.extents[i]) return false;
    return true;
  }

  // Of graphs whose regions have bodies.
  constexpr bool is_nested() const { return !g_.bodies.empty(); }
  constexpr bool is_body(int b) const { return b > 0 && b < g_.bodies.size(); }
  constexpr int body_count(int n) const { return detail::body_count(*g_[n].op, g_.attributes_of(n)); }
  constexpr int first_body(int n) const { return static_cast<int>(g_.word(n, body_word(*g_[n].op))); }
  constexpr const tensor_type& result_type(int body, int k) const { return g_.type(g_.result(body, k)); }
  /// Each is of this region alone, has a higher number than the body around it, and gives nodes of its own.
  constexpr bool has_bodies(int n) const {
    for (int b = first_body(n); b < first_body(n) + body_count(n); ++b) {
      if (!is_body(b) || region_of_[b] != n || b <= g_[n].body) return false;
      const body_results& given = g_.bodies[b];
      if (given.first < 0 || given.count < 0 || given.first + given.count > g_.results.size()) return false;
      for (int k = 0; k < given.count; ++k)
        if (g_.result(b, k) < 0 || g_.result(b, k) >= g_.size() || g_[g_.result(b, k)].body != b) return false;
    }
    return true;
  }
  constexpr bool is_parameter(int n) const {
    if (!is_body(g_[n].body) || region_of_[g_[n].body] < 0) return false;
    const int region = region_of_[g_[n].body];
    const std::int64_t k = g_.word(n, 1);
    if (k < 0) return true;  // of what nothing reads
    if (k >= g_[region].count) return false;
    const bool element = g_.is(region, op_role::loop) && k >= g_.word(region, 1) && k < g_.word(region, 1) + g_.word(region, 2);
    return element ? is_element(type_of(region, static_cast<int>(k)), g_.type(n))
                   : type_of(region, static_cast<int>(k)) == g_.type(n);
  }
  constexpr bool is_nested_loop(int n) const {
    const std::int64_t states = g_.word(n, 1), sequences = g_.word(n, 2);
    if (!has_bodies(n) || states < 0 || sequences < 0 || states + sequences > g_[n].count) return false;
    if (sequences == 0 && body_count(n) == 1) return false;  // it would never end
    if (g_.result_count(first_body(n)) < states) return false;
    for (int k = 0; k < static_cast<int>(states); ++k)
      if (!(type_of(n, k) == result_type(first_body(n), k))) return false;
    for (int k = static_cast<int>(states) + 1; k < static_cast<int>(states + sequences); ++k)
      if (type_of(n, k).extents[0] != type_of(n, static_cast<int>(states)).extents[0]) return false;
    return body_count(n) == 1 ||
           (g_.result_count(first_body(n) + 1) == 1 && is_scalar(result_type(first_body(n) + 1, 0), dtype::boolean));
  }
  constexpr bool is_nested_branch(int n) const {
    if (g_.word(n, 0) < 1 || !has_bodies(n) || g_[n].count < 1) return false;
    const int first = first_body(n);
    for (int b = first + 1; b < first + body_count(n); ++b) {
      if (g_.result_count(b) != g_.result_count(first)) return false;
      for (int k = 0; k < g_.result_count(b); ++k)
        if (!(result_type(b, k) == result_type(first, k))) return false;
    }
    const tensor_type& chosen_by = type_of(n, 0);
    return chosen_by.rank == 0 && (chosen_by.type == dtype::boolean || is_integer(chosen_by.type));
  }
  constexpr bool is_nested_result(int n, int region, std::int64_t number) const {
    const int body = first_body(region);
    if (!is_body(body) || number >= g_.result_count(body)) return false;
    const tensor_type& type = result_type(body, static_cast<int>(number));
    if (!g_.is(region, op_role::loop) || number < g_.word(region, 1)) return g_.type(n) == type;
    return g_.word(region, 2) > 0 && is_element(g_.type(n), type) &&
           g_.type(n).extents[0] == type_of(region, static_cast<int>(g_.word(region, 1))).extents[0];
  }

  // Of graphs as they are flattened.
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
    if (is_nested()) return has_sub_graphs(g_[region].op->role) && is_nested_result(n, region, number);
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
  vector<int> region_of_;  ///< per body; -1 where it has none
};

}  // namespace etch::detail
