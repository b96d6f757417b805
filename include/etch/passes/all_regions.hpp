// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/forward_values.hpp>
#include <etch/passes/lift_effects.hpp>
#include <etch/passes/nest_regions.hpp>
#include <etch/passes/outline.hpp>
#include <etch/passes/prune_regions.hpp>
#include <etch/passes/reverse_mode.hpp>
#include <etch/passes/simplify.hpp>
#include <etch/passes/split_regions.hpp>

/// What passes do with loops and branches. The stages of a compilation name it only where a graph has some, so a program that has none
/// does not compile it.
namespace etch::detail {

struct all_regions {
  static constexpr bool any = true;
  using handle = ref;
  using forward_values = detail::forward_values;

  static constexpr graph lift_effects(const graph& g, effect_failure& failure) { return etch::lift_effects(g, failure); }
  static constexpr graph nest(const graph& g) { return nest_regions(g); }
  static constexpr graph tidy(const graph& g) { return prune_regions(rewrite(g, &rules::tidy)); }
  static constexpr graph without_regions(const graph& g) { return etch::without_regions(g); }
  static constexpr graph part(const graph& g, int number, int part) { return region_part(g, number, part); }
  static constexpr graph with_function_calls(const graph& g) { return etch::with_function_calls(g); }
  static constexpr graph function_part(const graph& g, int number) { return etch::function_part(g, number); }
  /// The bodies of region n give in `out` what they give in g; `node_of`: what nodes of g are there.
  static constexpr void take_bodies(const graph& g, int n, graph& out, const vector<int>& node_of) {
    if (!is_region(g, n)) return;
    for (int k = 0; k < body_count(g, n); ++k) {
      const int body = first_body(g, n) + k;
      vector<int> gives;
      for (int i = 0; i < g.result_count(body); ++i) gives.push_back(node_of[g.result(body, i)]);
      out.set_results(body, gives);
    }
  }
  /// A parameter that a fetch depends on, outside of its loop, or in one that has no such parameter: its content; 0 where there is none. Of a
  /// graph as it is flattened. In rounds of 64 parameters, a bit for each.
  static constexpr hash_t escaped_parameter(const graph& g) {
    vector<int> parameters;
    for (int n = 0; n < g.size(); ++n)
      if (g.is(n, op_role::parameter)) parameters.push_back(n);
    for (int first = 0; first < parameters.size(); first += 64) {
      vector<std::uint64_t> free(g.size(), 0);
      for (int k = first; k < parameters.size() && k < first + 64; ++k) free[parameters[k]] = std::uint64_t{1} << (k - first);
      for (int n = 0; n < g.size(); ++n) {
        for (int k = 0; k < g[n].count; ++k) free[n] |= free[g.operand(n, k)];
        const int region = region_closed_by(g, n);
        if (region < 0) continue;
        const int given = given_operands(g, region);
        for (int k = given; k < 2 * given; ++k) free[n] &= ~free[g.operand(region, k)];
      }
      std::uint64_t escaped = 0;
      for (int i = 0; i < g.fetches.size(); ++i) escaped |= free[g.fetches[i]];
      for (int k = first; k < parameters.size() && k < first + 64; ++k)
        if ((free[parameters[k]] & escaped) != 0) return g[parameters[k]].content;
    }
    return 0;
  }
  /// The values of region n have adjoints. Defined in gradient_of_region.hpp.
  static constexpr void differentiate(reverse_mode<all_regions>& mode, graph& g, reverse_sweep<all_regions>& s, int n,
                                      gradient_failure& failure);
};

}  // namespace etch::detail
