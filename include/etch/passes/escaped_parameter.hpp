// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/levels.hpp>

/// Parameters of loops that are used outside of them, of which the user is told.
namespace etch {

/// A parameter that a fetch depends on, outside of its loop, or in one that has no such parameter: its content; 0 where there is none. Of a
/// graph as it is flattened. In rounds of 64 parameters, a bit for each.
constexpr hash_t escaped_parameter(const graph& g) {
  vector<int> parameters;
  for (int n = 0; n < g.size(); ++n)
    if (g.is(n, op_role::parameter)) parameters.push_back(n);
  for (int first = 0; first < parameters.size(); first += 64) {
    vector<std::uint64_t> free(g.size(), 0);
    for (int k = first; k < parameters.size() && k < first + 64; ++k) free[parameters[k]] = std::uint64_t{1} << (k - first);
    for (int n = 0; n < g.size(); ++n) {
      for (int k = 0; k < g[n].count; ++k) free[n] |= free[g.operand(n, k)];
      const int region = detail::region_closed_by(g, n);
      if (region < 0) continue;
      const int given = detail::given_operands(g, region);
      for (int k = given; k < 2 * given; ++k) free[n] &= ~free[g.operand(region, k)];
    }
    std::uint64_t escaped = 0;
    for (int i = 0; i < g.fetches.size(); ++i) escaped |= free[g.fetches[i]];
    for (int k = first; k < parameters.size() && k < first + 64; ++k)
      if ((free[parameters[k]] & escaped) != 0) return g[parameters[k]].content;
  }
  return 0;
}

}  // namespace etch
