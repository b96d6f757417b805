// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <etch/graph/dot.hpp>
#include <etch/graph/flatten.hpp>
#include <etch/host/print.hpp>
#include <etch/schedule/print.hpp>
#include <etch/session/report.hpp>
#include <etch/session/variable_text.hpp>

/// Graphs and plans as text, as pictures and as tables. A header of its own, since a program that computes needs none of it.
namespace etch {

/// The graph that the fetches need, as it is written.
template <expression... E>
named_graph graph_of(E...) {
  const record* const roots[] = {detail::record_address<E::hash>...};
  return name_nodes(flatten(roots, sizeof...(E), nullptr, 0), roots, sizeof...(E));
}
namespace detail {
template <class... E>
named_graph graph_of_list(type_list<E...>) {
  return graph_of(E{}...);
}
}  // namespace detail

template <class Backend, class... Roots>
class basic_session;

/// The graph that a session is made of, as it is written.
template <class Backend, class... Roots>
named_graph graph_of(const basic_session<Backend, Roots...>&) {
  return detail::graph_of_list(typename detail::fetched_members<Roots...>::leaves{});
}
/// The graph that a plan is made from: differentiated, after all passes.
template <class Plan, class Backend>
named_graph graph_of(const plan_report<Plan, Backend>&) {
  return name_nodes(detail::kept_graph<typename Plan::materialised>::value.thaw(), Plan::fetches::records, Plan::fetches::size);
}

/// `answer = add x y : float32[2]`, one line per node; `assign w answer`, one per assignment; `alias total answer`, one per further name
/// that a node has; and the fetches.
inline std::string to_text(const named_graph& g) {
  const auto name = [&](int n) { return g.names[static_cast<std::size_t>(n)]; };
  std::string aliases;
  for (const named_graph::alias& a : g.aliases) aliases += "alias " + a.name + " " + name(a.node) + "\n";
  return detail::graph_text(g.value, name, aliases);
}
/// Of the graph that the fetches need.
template <expression... E>
std::string to_text(E... e) {
  return to_text(graph_of(e...));
}
template <expression... E>
std::string to_dot(E... e) {
  return to_dot(graph_of(e...));
}
template <expression... E>
std::vector<node_row> node_table(E... e) {
  return node_table(graph_of(e...));
}
/// The steps of a plan, one per line.
template <class Plan, class Backend>
std::string to_text(const plan_report<Plan, Backend>&) {
  return plan_text<Plan>(Plan::fetches::records, Plan::fetches::size);
}

/// `name:0`, by which TensorFlow calls the result of a node: the name that an expression has in its own graph.
template <expression E>
std::string tensor_name(E e) {
  const named_graph g = graph_of(e);
  return g.names[static_cast<std::size_t>(g.value.fetches[0])] + ":0";
}

}  // namespace etch
