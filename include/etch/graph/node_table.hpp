// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <etch/graph/names.hpp>
#include <etch/graph/print.hpp>

/// Graphs as tables, in the shape of TensorFlow's GraphDef: what a program reads.
namespace etch {

struct node_attribute {
  std::string name;
  std::string value;  ///< a number, a name, or a list of them: `[0, 2, 1]`
  bool operator==(const node_attribute&) const = default;
};

/// One node.
struct node_row {
  std::string name;                         ///< each once
  std::string op;                           ///< the op's name
  std::vector<std::string> inputs;          ///< `name:i`: result i of that node
  std::vector<std::string> control_inputs;  ///< `^name`: runs before it
  std::string device;                       ///< empty: any
  std::vector<node_attribute> attributes;   ///< as the op names them
  std::string type;                         ///< of its result: `float32[batch, 784]`; `none` where it has no value
  std::string place;                        ///< file:line where the program names it; empty where that is not known
};

namespace detail {

/// Words as the op names them; those of ops that name none are `attributes`. Of an op that repeats its names for each axis they are
/// lists with an entry for each axis.
inline std::vector<node_attribute> attributes_of(const graph& g, int n, const attribute_names& names, int first, int count) {
  std::vector<node_attribute> all;
  const bool is_list = names.count == 0 || names.per_axis;
  const int lists = names.count == 0 ? 1 : names.count;
  for (int k = 0; k < count; ++k) {
    const auto at = static_cast<std::size_t>(is_list ? k % lists : k);
    const bool is_known = static_cast<int>(at) < names.count;
    const std::string value = attribute_text(g, n, is_known ? names.at[at].kind : attribute_kind::number, g.pool[first + k]);
    if (at == all.size())
      all.push_back({is_known ? names.at[at].name : "attributes", is_list ? "[" + value : value});
    else
      all[at].value += ", " + value;
  }
  for (node_attribute& a : all) a.value += is_list ? "]" : "";
  return all;
}

/// Whether an operand is only waited for.
inline bool is_control(const node& d, int k) {
  return d.op->role == op_role::group || ((d.op->role == op_role::after || d.op->role == op_role::beside) && k > 0);
}

}  // namespace detail

/// The nodes of a graph in its order, which is topological, then its assignments.
inline std::vector<node_row> node_table(const named_graph& named) {
  const graph& g = named.value;
  const auto name = [&](int n) { return named.names[static_cast<std::size_t>(n)]; };
  std::vector<node_row> rows;
  for (int n = 0; n < g.size(); ++n) {
    const node& d = g[n];
    node_row row;
    row.name = name(n);
    row.op = d.op->name;
    for (int k = 0; k < d.count; ++k)
      if (detail::is_control(d, k))
        row.control_inputs.push_back("^" + name(g.operand(n, k)));
      else
        row.inputs.push_back(name(g.operand(n, k)) + ":0");
    row.attributes = detail::attributes_of(g, n, *d.op->names, d.first_word, d.word_count);
    row.type = to_string(g.extents, g.type(n));
    row.place = named.places[static_cast<std::size_t>(n)];
    rows.push_back(row);
  }
  for (int i = 0; i < g.assignments.size(); ++i) {
    const assignment& a = g.assignments[i];
    node_row row;
    row.name = named.assignment_names[static_cast<std::size_t>(i)];
    row.op = info_of<struct assign>.name;
    row.inputs = {name(a.variable) + ":0", name(a.value) + ":0"};
    row.attributes = detail::attributes_of(g, a.variable, slice.names, a.first_word, a.word_count);
    row.type = to_string(g.extents, g.type(a.variable));
    rows.push_back(row);
  }
  return rows;
}

}  // namespace etch
