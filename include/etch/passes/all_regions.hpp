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
  using body_index = detail::body_index;
  static constexpr vector<int> none_of(const vector<int>& nodes, int size) { return detail::none_of(nodes, size); }

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
    for (int k = 0; k < body_count(g, n); ++k) give_as(g, first_body(g, n) + k, out, first_body(g, n) + k, node_of);
  }
  static constexpr hash_t escaped_parameter(const graph& g) { return etch::escaped_parameter(g); }
  /// The values of region n have adjoints. Defined in gradient_of_region.hpp.
  static constexpr void differentiate(reverse_mode<all_regions>& mode, graph& g, reverse_sweep<all_regions>& s, int n,
                                      gradient_failure& failure);
};

}  // namespace etch::detail
