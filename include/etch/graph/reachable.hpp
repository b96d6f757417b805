// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/computed.hpp>
#include <etch/base/hash_index.hpp>
#include <etch/base/vector.hpp>
#include <etch/core/slot.hpp>

/// What expressions are made of, before any pass: the nodes and variables that a session or an optimizer looks for.
namespace etch::detail {

/// Everything that some expressions are made of; and the variables that these variables start from, which no run reads.
struct reachable {
  vector<const record*> records;
  vector<const record*> variables;  ///< those among `records` come first
  hash_index index;

  constexpr void add(const record* root) {
    stack_.push_back(unnamed(root));
    while (!stack_.empty()) {
      const record* r = stack_.back();
      stack_.pop_back();
      if (index.find(r->content) >= 0) continue;
      index.insert(r->content, records.size());
      records.push_back(r);
      if (r->op->role == op_role::variable) variables.push_back(r);
      for (int k = 0; k < r->count; ++k) stack_.push_back(r->operands[k]);
    }
  }
  constexpr void add_initial_values() {
    for (int v = 0; v < variables.size(); ++v) {
      stack_.push_back(variables[v]->slot->initial);
      while (!stack_.empty()) {
        const record* r = stack_.back();
        stack_.pop_back();
        if (r->count == 0 && r->op->role != op_role::variable) continue;
        if (index.find(r->content) >= 0 || initial_.find(r->content) >= 0) continue;
        initial_.insert(r->content, v);
        if (r->op->role == op_role::variable) variables.push_back(r);
        for (int k = 0; k < r->count; ++k) stack_.push_back(r->operands[k]);
      }
    }
  }

 private:
  vector<const record*> stack_;
  hash_index initial_;
};

/// Two slots of one name that are not the same.
struct slot_clash {
  const record* first = nullptr;
  const record* second = nullptr;
};
constexpr slot_clash find_clash(const vector<const record*>& records, op_role role) {
  hash_index names;
  for (int i = 0; i < records.size(); ++i) {
    const record* const d = records[i];
    if (d->op->role != role) continue;
    const hash_t name = hash_of(d->slot->name);
    const int other = names.find(name);
    if (other >= 0) return {records[other], d};
    names.insert(name, i);
  }
  return {};
}

/// A variable that is the state of two optimizers: both groups of operations assign it. Null where there is none.
constexpr const record* find_shared_state(const vector<const record*>& records) {
  hash_index states;
  for (int i = 0; i < records.size(); ++i)
    for (int k = 0; k < records[i]->count; ++k) {
      const record* const operation = records[i]->operands[k];
      if (records[i]->op->role != op_role::group || operation->op->role != op_role::assign) continue;
      const record* const variable = operation->operands[0];
      if (variable->slot == nullptr || !variable->slot->is_state) continue;
      const int other = states.find(variable->content);
      if (other >= 0 && other != i) return variable;
      if (other < 0) states.insert(variable->content, i);
    }
  return nullptr;
}

struct root_sizes {
  int nodes = 0, variables = 0;

  constexpr bool fit(const root_sizes& capacity) const { return nodes <= capacity.nodes && variables <= capacity.variables; }
};
template <root_sizes Capacity>
struct root_table {
  root_sizes size;
  int read_variables = 0;  ///< that runs can read; the others are only initial values of these
  hash_t nodes[Capacity.nodes + 1]{};
  const record* variables[Capacity.variables + 1]{};
  slot_clash variable_clash, placeholder_clash;
  const record* shared_state = nullptr;  ///< a variable that is the state of two optimizers
};
template <hash_t... Roots>
struct root_maker {
  static constexpr root_sizes capacity = {512, 64};
  template <root_sizes Capacity>
  static constexpr root_table<Capacity> attempt() {
    reachable r;
    const record* const roots[] = {record_address<Roots>..., nullptr};
    for (int i = 0; i < static_cast<int>(sizeof...(Roots)); ++i) r.add(roots[i]);
    r.add_initial_values();
    root_table<Capacity> t;
    vector<const record*> variables;  // but what orders the host, of which every run has its own
    for (int v = 0; v < r.variables.size(); ++v)
      if (!r.variables[v]->slot->orders_host) variables.push_back(r.variables[v]);
    t.size = {r.records.size(), variables.size()};
    if (!t.size.fit(Capacity)) return t;
    for (int i = 0; i < t.size.nodes; ++i) t.nodes[i] = r.records[i]->content;
    for (int v = 0; v < t.size.variables; ++v) {
      t.variables[v] = variables[v];
      t.read_variables += r.index.find(variables[v]->content) >= 0 ? 1 : 0;
    }
    t.variable_clash = find_clash(r.variables, op_role::variable);
    t.placeholder_clash = find_clash(r.records, op_role::placeholder);
    t.shared_state = find_shared_state(r.records);
    return t;
  }
};

/// The nodes and variables of a session's graph.
template <hash_t... Roots>
struct root_graph : computed<root_maker<Roots...>> {
  using computed<root_maker<Roots...>>::is_made;
  using computed<root_maker<Roots...>>::size;
  using computed<root_maker<Roots...>>::value;

  static constexpr bool contains(hash_t content) {
    for (int i = 0; i < size.nodes; ++i)
      if (value.nodes[i] == content) return true;
    for (int v = value.read_variables; v < size.variables; ++v)
      if (value.variables[v]->content == content) return true;
    return !is_made;
  }
  /// The hash of the variable of a name, 0 where there is none.
  static constexpr hash_t find_variable(hash_t name) {
    for (int v = 0; v < size.variables; ++v)
      if (hash_of(value.variables[v]->slot->name) == name) return value.variables[v]->hash;
    return 0;
  }
};

/// Refuses two slots of one name. (Not by a local reference to the table, which -O0 makes: that brought records, and with them
/// shape rules and gradients of all ops that initial values are made of, into the program.)
template <class G>
constexpr void check_slots() {
  if constexpr (G::value.variable_clash.first != nullptr) {
    using a = defined<expression_key, G::value.variable_clash.first->hash>;
    using b = defined<expression_key, G::value.variable_clash.second->hash>;
    if constexpr (!std::is_same_v<shown<a>, shown<b>>)
      raise<variable_is_declared_twice, shown<a>, shown<b>>();
    else if constexpr (G::value.variable_clash.first->slot->initial != G::value.variable_clash.second->slot->initial)
      raise<variable_is_declared_with_two_initial_values, shown<a>>();
    else
      raise<variable_is_declared_trainable_and_not_trainable, shown<a>>();
  } else if constexpr (G::value.placeholder_clash.first != nullptr) {
    raise<placeholder_is_declared_twice, shown<defined<expression_key, G::value.placeholder_clash.first->hash>>,
          shown<defined<expression_key, G::value.placeholder_clash.second->hash>>>();
  } else if constexpr (G::value.shared_state != nullptr) {
    raise<two_optimizers_share_this_state_give_one_a_name, shown<defined<expression_key, G::value.shared_state->hash>>>();
  }
}

}  // namespace etch::detail

namespace etch {

/// The variable of a name that `e` is made of, as an expression: `find_variable<"hidden/kernel">(logits)` is the kernel of
/// `nn::dense<"hidden", 100>`, for a penalty, say. A compile error where there is none.
template <fixed_string Name, expression E>
constexpr auto find_variable(E e) {
  using graph_type = detail::root_graph<E::hash>;
  constexpr hash_t found = graph_type::find_variable(name_of<Name>::hash);
  if constexpr (found != 0) {
    return detail::variable_with<found>{};
  } else if constexpr (!graph_type::is_made) {
    return e;
  } else {
    raise<no_variable_of_this_expression_has_this_name, variable_named<Name>, shown<E>>();
    return e;
  }
}
ETCH_REFUSE_CALLS(find_variable, name_the_variable_in_angle_brackets, "find_variable<\"w\">(y)")

}  // namespace etch
