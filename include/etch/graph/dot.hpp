// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <etch/graph/node_table.hpp>

/// Graphs as pictures, in the language of Graphviz.
namespace etch {

namespace detail {
/// As it stands between quotes.
inline std::string escaped(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all;
}
inline std::string quoted(const std::string& text) { return "\"" + escaped(text) + "\""; }
/// `name:0` or `^name` without what is not the name.
inline std::string node_of_input(const std::string& input) {
  return input[0] == '^' ? input.substr(1) : input.substr(0, input.rfind(':'));
}
}  // namespace detail

/// `digraph graph_of_etch { ... }`: a line for each node (an ellipse without inputs, else a box; doubled if it is fetched), labelled by
/// name, op and type; a line for each edge, dashed where the one node is only waited for.
inline std::string to_dot(const named_graph& named) {
  std::string text = "digraph graph_of_etch {\n  node [shape=box];\n";
  const std::vector<node_row> rows = node_table(named);
  const auto is_fetched = [&](const std::string& name) {
    for (int i = 0; i < named.value.fetches.size(); ++i)
      if (named.names[static_cast<std::size_t>(named.value.fetches[i])] == name) return true;
    return false;
  };
  for (const node_row& row : rows) {
    text += "  " + detail::quoted(row.name) + " [label=\"" + detail::escaped(row.name) + "\\n" +
            detail::escaped(row.op + " : " + row.type) + "\"";
    if (row.inputs.empty() && row.control_inputs.empty()) text += ", shape=ellipse";
    if (is_fetched(row.name)) text += ", peripheries=2";
    text += "];\n";
  }
  for (const node_row& row : rows) {
    for (const std::string& input : row.inputs)
      text += "  " + detail::quoted(detail::node_of_input(input)) + " -> " + detail::quoted(row.name) + ";\n";
    for (const std::string& input : row.control_inputs)
      text += "  " + detail::quoted(detail::node_of_input(input)) + " -> " + detail::quoted(row.name) + " [style=dashed];\n";
  }
  return text + "}\n";
}

}  // namespace etch
