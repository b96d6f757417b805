// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/graph.hpp>

/// The steps of a run before they are lowered, and in whose memory their values lie: what `sequence.hpp` decides.
namespace etch {

/// A step before it is lowered: a cluster, or the copy of a value to a variable, or to its part of a join.
struct task {
  int cluster = -1;
  int assigns = -1;            ///< the assignment that a copy makes
  int join = -1, operand = 0;  ///< what a copy is to, and of which operand
};

struct sequence {
  vector<task> tasks;     ///< in the order in which they run
  vector<char> stored;    ///< per node: whether its value is needed in memory
  vector<int> stored_in;  ///< per node: the variable whose memory its value is written to; else -1
  /// Per node: the assignment, of a part of a variable, that its own step makes, else -1. Where `stored_in` is not that variable, the
  /// step reads more of it than it overwrites: it keeps some rows, and stores each when nothing reads any more what that one overwrites.
  /// Empty where no part is assigned.
  vector<int> part;

  /// Per node: the join that has its memory, and that it is an operand of, else -1. Empty where there are none. The other operands are copied.
  vector<int> joined;

  constexpr bool has_joins() const { return !joined.empty(); }
  constexpr bool is_joined(int n) const { return has_joins() && joined[n] >= 0; }
  /// Whether a join is made by what computes its operands, and by copies.
  constexpr bool is_in_parts(const graph& g, int join) const {
    for (int k = 0; has_joins() && k < g[join].count; ++k)
      if (joined[g.operand(join, k)] == join) return true;
    return false;
  }
  constexpr bool has_parts() const { return !part.empty(); }
  constexpr bool lags(int n) const { return has_parts() && part[n] >= 0 && stored_in[n] < 0; }
};

}  // namespace etch
