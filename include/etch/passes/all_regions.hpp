// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/forward_values.hpp>
#include <etch/passes/lift_effects.hpp>
#include <etch/passes/reverse_mode.hpp>

/// What passes do with loops and branches. The stages of a compilation name it only where a graph has some, so a program that has none
/// does not compile it: a twentieth of a small one.
namespace etch::detail {

struct all_regions {
  static constexpr bool any = true;
  using forward_values = detail::forward_values;
  using parameter_numbers = detail::parameter_numbers;

  static constexpr graph lift_effects(const graph& g, effect_failure& failure) { return etch::lift_effects(g, failure); }
  static constexpr void put_loops_in_order(graph& g, vector<int>& node_of) { etch::put_loops_in_order(g, node_of); }
  static constexpr graph without_regions(const graph& g) { return etch::without_regions(g); }
  static constexpr graph part(const graph& g, int number, int part) { return region_part(g, number, part); }
  /// A parameter that a fetch depends on, outside of its loop: its content; 0 where there is none.
  static constexpr hash_t escaped_parameter(const graph& g) {
    vector<std::uint64_t> levels;
    for (int n = 0; n < g.size(); ++n) levels.push_back(free_levels(g, n, levels));
    std::uint64_t escaped = 0;
    for (int i = 0; i < g.fetches.size(); ++i) escaped |= levels[g.fetches[i]];
    for (int n = 0; n < g.size(); ++n)
      if (g.is(n, op_role::parameter) && (levels[n] & escaped) != 0) return g[n].content;
    return 0;
  }
  /// The values of region n have adjoints. Defined in gradient_of_region.hpp.
  static constexpr void differentiate(reverse_mode<all_regions>& mode, graph& g, reverse_sweep<all_regions>& s, int n,
                                      parameter_numbers& numbers, gradient_failure& failure);
};

}  // namespace etch::detail
