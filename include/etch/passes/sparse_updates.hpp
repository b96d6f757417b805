// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/rewrite.hpp>
#include <etch/ops/arithmetic.hpp>
#include <etch/passes/dead_nodes.hpp>
#include <etch/passes/materialise.hpp>

/// Sparse gradients: the gradient of a gather is 0 but for the rows that were read. What adds such an array to another adds the rows to that one
/// instead, so that a step of gradient descent touches the rows of a batch, not the table.
namespace etch {

namespace detail {

/// Whether node n is zeros with something added to some of their elements.
constexpr bool is_sparse(const graph& g, int n) {
  const op_info& op = *g[n].op;
  if (op.adds_updates == nullptr || !op.adds_updates(g.words_of(n))) return false;
  const int zeros = constant_behind(g, g.operand(n, 0));
  return zeros >= 0 && constant_value(g, zeros).as<double>() == 0;
}
/// The constant that is node n, if 0 times it is 0; else -1.
constexpr int finite_constant(const graph& g, int n) {
  const int c = constant_behind(g, n);
  if (c < 0) return -1;
  const double value = constant_value(g, c).as<double>();
  return value - value == 0 ? c : -1;
}

/// What is 0 but where updates were added: `scatter_add 0 i u`, such nodes times constants, and their sums, where nothing else needs what they are
/// made of. Behind a sum with an array that is not, updates are added to that array.
class sparse_sums {
 public:
  constexpr explicit sparse_sums(const graph& g)
      : g_(g), uses_(count_uses(g)), user_(g.size(), -1), sparse_(g.size(), 0), goes_(g.size(), 0) {
    for (int n = 0; n < g.size(); ++n) {
      for (int k = 0; k < g[n].count; ++k) user_[g.operand(n, k)] = n;
      sparse_[n] = is_sparse(g, n) || factor_of(n) >= 0 || (g.is(n, info_of<struct add>) && joins(n, 0) && joins(n, 1));
    }
    for (int n = g.size(); n-- > 0;) goes_[n] = sparse_[n] != 0 && uses_[n] == 1 && user_[n] >= 0 && goes_into(n, user_[n]);
  }

  constexpr graph run() {
    graph out;
    rebuild(g_, out, [&](graph& to, int i, int* in) {
      const int k = goes_[i] != 0 ? -1 : operand_that_goes(i);
      if (k < 0) return to.push(to.copy_of(g_, i, in));
      factors_.clear();
      return added(to, in[1 - k], g_.operand(i, k), in[k], g_.is(i, info_of<struct subtract>));
    });
    return dead_nodes(static_cast<graph&&>(out));
  }

 private:
  /// Whether operand k of n is sparse, of n's shape, and of no use to others.
  constexpr bool joins(int n, int k) const {
    const int o = g_.operand(n, k);
    return sparse_[o] != 0 && uses_[o] == 1 && g_.type(o).same_shape(g_.type(n));
  }
  /// The operand that is a constant where n is a product of one and of something sparse; else -1.
  constexpr int factor_of(int n) const {
    if (!g_.is(n, info_of<struct multiply>)) return -1;
    for (int k = 0; k < 2; ++k)
      if (joins(n, 1 - k) && finite_constant(g_, g_.operand(n, k)) >= 0) return k;
    return -1;
  }
  /// Whether sparse node n is one of those that are added to another array by user u, or behind it.
  constexpr bool goes_into(int n, int u) const {
    if (goes_[u] != 0) return sparse_[u] != 0;
    const bool minus = g_.is(u, info_of<struct subtract>);
    if (!minus && !g_.is(u, info_of<struct add>)) return false;
    const int k = g_.operand(u, 1) == n ? 1 : 0, other = g_.operand(u, 1 - k);
    if (!joins(u, k) || other == n || !g_.type(other).same_shape(g_.type(u))) return false;
    // Of two that are sparse the second is added to the first.
    return k == 1 || (!minus && !joins(u, 1));
  }
  constexpr int operand_that_goes(int i) const {
    if (!g_.is(i, info_of<struct add>) && !g_.is(i, info_of<struct subtract>)) return -1;
    for (int k = 2; k-- > 0;)
      if (goes_[g_.operand(i, k)] != 0) return k;
    return -1;
  }
  /// `base` with the updates of sparse node `old` of g, which is `now` in `to` and has there what it had before.
  constexpr int added(graph& to, int base, int old, int now, bool minus) {
    if (is_sparse(g_, old)) {
      candidate c = to.copy_of(g_, old, nullptr);
      const int operands[] = {base, to.operand(now, 1), scaled(to, {&to, to.operand(now, 2)}, minus).node};
      c.operands = operands;
      c.content = 0;
      return to.push(c);
    }
    if (const int k = factor_of(old); k >= 0) {
      factors_.push_back(finite_constant(to, to.operand(now, k)));
      base = added(to, base, g_.operand(old, 1 - k), to.operand(now, 1 - k), minus);
      factors_.pop_back();
      return base;
    }
    for (int k = 0; k < 2; ++k) base = added(to, base, g_.operand(old, k), to.operand(now, k), minus);
    return base;
  }
  /// Updates times the factors on the way, the innermost first.
  constexpr ref scaled(graph& to, ref updates, bool minus) const {
    for (int f = factors_.size(); f-- > 0;) {
      scalar factor = constant_value(to, factors_[f]);
      if (minus) factor = info_of<struct negative>.fold(&factor, factor.type);
      minus = false;
      const ref both[] = {updates, append_constant(to, factor)};
      updates = append(info_of<struct multiply>, words(), both, 2);
    }
    return minus ? append(info_of<struct negative>, words(), &updates, 1) : updates;
  }

  const graph& g_;
  vector<int> uses_, user_;  ///< per node; of those that are used once
  vector<char> sparse_;      ///< per node
  vector<char> goes_;        ///< per node: it is added to another array, and is not made any more
  vector<int> factors_;
};

/// Whether a graph has nodes of such ops at all.
template <class Graph>
constexpr bool may_have_sparse_sums(const Graph& g) {
  for (int n = 0; n < g.size.nodes; ++n)
    if (g.nodes[n].op->adds_updates != nullptr) return true;
  return false;
}

}  // namespace detail

/// `%2 = scatter_add 0 i u; %3 = subtract t %2` becomes `scatter_add t i (negative u)`.
constexpr graph sum_sparse_updates(const graph& g) {
  detail::sparse_sums s(g);
  return s.run();
}

}  // namespace etch
