// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/flatten.hpp>

/// What expressions are made of, before any pass: the nodes and variables that a session or an optimizer looks for.
namespace etch::detail {

/// Everything that some expressions are made of.
struct reachable {
  vector<const record*> records;
  hash_index index;

  constexpr void add(const record* root) {
    vector<const record*> stack;
    stack.push_back(root);
    while (!stack.empty()) {
      const record* r = stack.back();
      stack.pop_back();
      if (index.find(r->hash) >= 0) continue;
      index.insert(r->hash, records.size());
      records.push_back(r);
      for (int k = 0; k < r->count; ++k) stack.push_back(r->operands[k]);
    }
  }
};

/// The nodes and variables of a session's graph.
template <hash_t... Roots>
struct root_graph {
  struct counts {
    int nodes = 0, variables = 0;
  };
  static constexpr reachable reach() {
    reachable r;
    (r.add(record_address<Roots>), ...);
    return r;
  }
  static constexpr counts count = [] {
    const reachable r = reach();
    counts c;
    c.nodes = r.records.size();
    for (int i = 0; i < r.records.size(); ++i) c.variables += r.records[i]->op->role == op_role::variable ? 1 : 0;
    return c;
  }();
  struct table {
    hash_t nodes[count.nodes + 1]{};
    const record* variables[count.variables + 1]{};
    int clash = -1;  ///< a variable whose name another one has
    int other = -1;  ///< that other one
  };
  static constexpr table value = [] {
    const reachable r = reach();
    table t;
    int v = 0;
    for (int i = 0; i < count.nodes; ++i) {
      t.nodes[i] = r.records[i]->hash;
      if (r.records[i]->op->role == op_role::variable) t.variables[v++] = r.records[i];
    }
    for (int i = 0; i < v; ++i)
      for (int j = 0; j < i; ++j)
        if (t.clash < 0 && hash_of(t.variables[i]->slot->name) == hash_of(t.variables[j]->slot->name)) {
          t.clash = i;
          t.other = j;
        }
    return t;
  }();
  static constexpr bool contains(hash_t h) {
    for (int i = 0; i < count.nodes; ++i)
      if (value.nodes[i] == h) return true;
    return false;
  }
  /// The content of the variable of a name, 0 where there is none.
  static constexpr hash_t find_variable(hash_t name) {
    for (int v = 0; v < count.variables; ++v)
      if (hash_of(value.variables[v]->slot->name) == name) return value.variables[v]->hash;
    return 0;
  }
};

/// Refuses two variables of one name.
template <class RootGraph>
constexpr void check_variables() {
  constexpr auto& t = RootGraph::value;
  if constexpr (t.clash >= 0) {
    using a = defined<expression_key, t.variables[t.clash]->hash>;
    using b = defined<expression_key, t.variables[t.other]->hash>;
    if constexpr (!std::is_same_v<shown<a>, shown<b>>)
      raise<variable_is_declared_twice, shown<a>, shown<b>>();
    else if constexpr (t.variables[t.clash]->slot->initial != t.variables[t.other]->slot->initial)
      raise<variable_is_declared_with_two_initial_values, shown<a>>();
    else
      raise<variable_is_declared_trainable_and_not_trainable, shown<a>>();
  }
}

}  // namespace etch::detail

namespace etch {

/// The variable of a name that `e` is made of, as an expression: `find_variable<"hidden/kernel">(logits)` is the kernel of
/// `nn::dense<"hidden", 100>`, for a penalty, say. A compile error where there is none.
template <fixed_string Name, expression E>
constexpr auto find_variable(E e) {
  constexpr hash_t found = detail::root_graph<E::hash>::find_variable(name_of<Name>::hash);
  if constexpr (found != 0) {
    return detail::variable_with<found>{};
  } else {
    raise<no_variable_of_this_expression_has_this_name, variable_named<Name>, shown<E>>();
    return e;
  }
}

}  // namespace etch
