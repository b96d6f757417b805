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

template <class Graph, int I, int K>
inline constexpr dtype operand_dtype = Graph::value.type(Graph::value.operands_of(I)[K]).type;

template <class Kernels, class Graph, int I>
constexpr node_function function_of() {
  using op = op_of<Graph::value.nodes[I].op->id>;
  if constexpr (std::is_base_of_v<etch::detail::placeholder_op, op>)
    return nullptr;
  else if constexpr (op::kind == op_kind::region || op::role == op_role::parameter)
    return [](const arguments&, value&) {};
  else
    return []<int... K>(std::integer_sequence<int, K...>) {
      return Kernels::template of<op, value_type_of<Graph::value.type(I).type>, value_type_of<operand_dtype<Graph, I, K>>...>;
    }(std::make_integer_sequence<int, Graph::value.nodes[I].count>{});
}

template <class Kernels, class Graph, class Nodes>
struct function_table;
template <class Kernels, class Graph, int... I>
struct function_table<Kernels, Graph, std::integer_sequence<int, I...>> {
  static constexpr node_function at[] = {function_of<Kernels, Graph, I>()..., nullptr};
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
