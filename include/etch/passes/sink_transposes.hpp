// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/rewrite.hpp>
#include <etch/ops/movement.hpp>
#include <etch/passes/dead_nodes.hpp>
#include <etch/passes/materialise.hpp>

/// Transpose sinking: a transposed elementwise value is that value of transposed operands, so that one kernel reads them along other axes and writes
/// the result as it is wanted, where the value would be written, read along other axes and written again.
namespace etch {

namespace detail {

class transpose_sinking {
 public:
  constexpr explicit transpose_sinking(const graph& g) : g_(g), uses_(count_uses(g)), wanted_in_order_(g.size(), 1) {
    // Products and reductions read a transposed operand by its strides.
    char* const wanted = wanted_in_order_.data();
    for (int n = 0, size = g.size(); n < size; ++n) {
      if (g[n].op->kind == op_kind::elementwise) continue;
      const int* const in = g.operands_of(n);
      for (int k = 0, count = g[n].count; k < count; ++k) wanted[in[k]] = 0;
    }
  }

  constexpr bool has_any() const {
    for (int n = 0, size = g_.size(); n < size; ++n)
      if (sinks(n)) return true;
    return false;
  }
  constexpr graph run() {
    graph out;
    rebuild(g_, out, [&](graph& to, int i, int* in) {
      if (!sinks(i)) return to.push(to.copy_of(g_, i, in));
      return of_transposed(to, g_.operand(i, 0), in[0], g_.words_of(i)).node;
    });
    return dead_nodes(static_cast<graph&&>(out));
  }

 private:
  /// Whether node n transposes a value that nothing else needs and that has one operand of its shape at most: of several, each would be read
  /// along other axes.
  constexpr bool sinks(int n) const {
    if (!g_.is(n, info_of<struct transpose>) || wanted_in_order_[n] == 0) return false;
    const int o = g_.operand(n, 0);
    int leaf = -1, size = 0;
    return is_part(o) && has_one_leaf(o, g_.type(o), leaf, size) && leaf >= 0;
  }
  constexpr bool is_part(int n) const { return g_[n].op->kind == op_kind::elementwise && uses_[n] == 1; }
  constexpr bool has_one_leaf(int n, const tensor_type& shape, int& leaf, int& size) const {
    if (++size > 32 || !g_.type(n).same_shape(shape)) return false;
    for (int k = 0; k < g_[n].count; ++k) {
      const int o = g_.operand(n, k);
      if (is_part(o)) {
        // What is smaller is computed as it is.
        if (g_.type(o).same_shape(shape) && !has_one_leaf(o, shape, leaf, size)) return false;
      } else if (g_.type(o).same_shape(shape) && constant_behind(g_, o) < 0 && !g_.is(o, op_role::broadcast)) {
        if (leaf >= 0 && leaf != o) return false;
        leaf = o;
      }
    }
    return true;
  }
  /// Node `old` of g, which is `now` in `to`, transposed.
  constexpr ref of_transposed(graph& to, int old, int now, const words& order) const {
    ref x{&to, now};
    if (!is_part(old)) return append(info_of<struct transpose>, order, &x, 1);
    const tensor_type shape = g_.type(old);
    ref in[3];
    for (int k = 0; k < g_[old].count; ++k) {
      const int o = g_.operand(old, k);
      in[k] = {&to, to.operand(now, k)};
      if (g_.type(o).rank == 0) continue;
      if (g_.type(o).same_shape(shape)) {
        in[k] = of_transposed(to, o, in[k].node, order);
      } else {
        const ref whole = broadcast_to.to(in[k], shape.with(g_.type(o).type));
        in[k] = append(info_of<struct transpose>, order, &whole, 1);
      }
    }
    return append(*g_[old].op, g_.words_of(old), in, g_[old].count);
  }

  const graph& g_;
  vector<int> uses_;
  vector<char> wanted_in_order_;  ///< per node: what reads it, if anything, is elementwise
};

/// Whether a graph has a transpose of an elementwise value at all.
template <class Graph>
constexpr bool may_sink_transposes(const Graph& g) {
  for (int n = 0; n < g.size.nodes; ++n)
    if (g.nodes[n].op->is(info_of<struct transpose>) && g.nodes[g.operands_of(n)[0]].op->kind == op_kind::elementwise) return true;
  return false;
}

}  // namespace detail

/// `%1 = add x 1; %2 = transpose %1` becomes `%1 = transpose x; %2 = add %1 1`.
constexpr graph sink_transposes(const graph& g) {
  detail::transpose_sinking s(g);
  if (!s.has_any()) return g;
  return s.run();
}

}  // namespace etch
