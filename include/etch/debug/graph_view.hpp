// SPDX-License-Identifier: MIT
#pragma once
#include <etch/debug/arguments.hpp>
#include <etch/graph/graph.hpp>

/// A graph as data, so that what evaluates it is compiled once and not for each graph: that was a tenth of what a program of many graphs
/// costs the compiler.
namespace etch::debug {

/// Gives a node its value. Null where it must be fed.
using node_function = void (*)(const arguments&, value&);

struct graph_view {
  graph_sizes size;
  const node* nodes;
  const int* operands;
  const std::int64_t* pool;
  const tensor_type* types;
  const int* fetches;
  const assignment* assignments;
  const body_results* bodies;
  const int* results;
  const extent_table* extents;
  const node_function* functions;

  const tensor_type& type(int n) const { return types[nodes[n].type]; }
  const int* operands_of(int n) const { return operands + nodes[n].first_operand; }
  const std::int64_t* words_of(int n) const { return pool + nodes[n].first_word; }
};

namespace detail {

/// What a node's function is chosen by. Nodes of all graphs that have the same one share an instantiation: an instantiation per node was
/// a fifth of what a test of second derivatives took clang. `Room`: for the dtypes of so many operands; those of regions and groups are not
/// asked for.
template <int Room>
struct node_key {
  hash_t op = 0;
  dtype result = dtype::none;
  int count = 0;
  dtype operands[Room]{};
};

template <class Graph>
struct node_keys {
  static constexpr bool reads_operands(int i) {
    const op_info& op = *Graph::value.nodes[i].op;
    return op.kind != op_kind::region && op.role != op_role::group;
  }
  /// A power of two, so that graphs share keys.
  static constexpr int room = [] {
    int most = 4;
    for (int i = 0; i < Graph::size.nodes; ++i)
      while (reads_operands(i) && Graph::value.nodes[i].count > most) most *= 2;
    return most;
  }();
  static constexpr auto at = [] {
    struct {
      node_key<room> of[Graph::size.nodes + 1];
    } keys;
    for (int i = 0; i < Graph::size.nodes; ++i) {
      const node& n = Graph::value.nodes[i];
      node_key<room>& key = keys.of[i];
      key.op = n.op->id;
      key.result = Graph::value.type(i).type;
      key.count = reads_operands(i) ? n.count : 0;
      for (int k = 0; k < key.count; ++k) key.operands[k] = Graph::value.type(Graph::value.operands_of(i)[k]).type;
    }
    return keys;
  }();
};

template <class Kernels, auto Key>
constexpr node_function function_of() {
  using op = op_of<Key.op>;
  if constexpr (std::is_base_of_v<etch::detail::placeholder_op, op>)
    return nullptr;
  else if constexpr (op::kind == op_kind::region || op::role == op_role::parameter)
    return [](const arguments&, value&) {};
  else
    return []<int... K>(std::integer_sequence<int, K...>) {
      return Kernels::template of<op, value_type_of<Key.result>, value_type_of<Key.operands[K]>...>;
    }(std::make_integer_sequence<int, Key.count>{});
}

template <class Kernels, class Graph, class Nodes>
struct function_table;
template <class Kernels, class Graph, int... I>
struct function_table<Kernels, Graph, std::integer_sequence<int, I...>> {
  static constexpr node_function at[] = {function_of<Kernels, node_keys<Graph>::at.of[I]>()..., nullptr};
};

}  // namespace detail

/// Of `Graph::value`, a frozen graph of `Graph::size`. `Kernels::of<Op, T, Operands...>` is the function of a node.
template <class Graph, class Kernels>
inline constexpr graph_view view_of = {
    Graph::size,
    Graph::value.nodes,
    Graph::value.operands,
    Graph::value.pool,
    Graph::value.types,
    Graph::value.fetches,
    Graph::value.assignments,
    Graph::value.bodies,
    Graph::value.results,
    &Graph::value.extents,
    detail::function_table<Kernels, Graph, std::make_integer_sequence<int, Graph::size.nodes>>::at};

}  // namespace etch::debug
