// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/reachable.hpp>
#include <etch/graph/scopes.hpp>

/// Which variables a training step changes.
namespace etch {

namespace detail {

/// The hashes of variables, as a type.
template <hash_t... Hashes>
struct variable_hashes {};

template <class Prefix>
struct variable_prefix {
  static constexpr const char* text = Prefix::text;
  static constexpr bool has(const char* name) { return is_under(name, text); }
};
/// All but those with one of several prefixes.
template <class... Prefixes>
struct variables_outside {
  static constexpr bool has([[maybe_unused]] const char* name) { return !(is_under(name, Prefixes::text) || ...); }
};

/// All but those that have one of several words as a part of their path.
template <class... Words>
struct variables_not_named {
  static constexpr bool has([[maybe_unused]] const char* name) {
    for (const char* part = name;; ++part) {
      if (part == name || part[-1] == '/')
        if ((is_part(part, Words::text) || ...)) return false;
      if (*part == '\0') return true;
    }
  }

 private:
  static constexpr bool is_part(const char* at, const char* word) {
    for (; *word != '\0'; ++word, ++at)
      if (*at != *word) return false;
    return *at == '\0' || *at == '/';
  }
};

template <class S>
concept variable_selection = std::is_empty_v<S> && requires { static_cast<bool>(S::has("")); };

template <class... A, class... B>
constexpr variables_outside<A..., B...> operator+(variables_outside<A...>, variables_outside<B...>) {
  return {};
}

/// The nodes from which an expression is reached by floats only: where a gradient can be.
constexpr hash_index reached_by_floats(const record* root) {
  hash_index seen;
  vector<const record*> stack;
  if (carries_gradients(*root->op, root->type)) stack.push_back(unnamed(root));
  while (!stack.empty()) {
    const record* const r = stack.back();
    stack.pop_back();
    if (seen.find(r->content) >= 0) continue;
    seen.insert(r->content, 1);
    const int count = r->op->role == op_role::alike ? 1 : r->count;  // of what is alike the extents alone are read
    for (int k = 0; k < count; ++k)
      if (carries_gradients(*r->operands[k]->op, r->operands[k]->type)) stack.push_back(r->operands[k]);
  }
  return seen;
}

/// The trainable variables of a selection (`has(name)`) that a loss depends on by floats. The others are left alone.
template <class Loss, class Selection>
struct trainable_variables_of {
  using graph_type = root_graph<Loss::hash>;
  static constexpr int most = graph_type::value.read_variables;
  struct table {
    hash_t at[most + 1]{};
    int count = 0;
  };
  static constexpr table value = [] {
    table t;
    if constexpr (!graph_type::is_made) return t;
    const hash_index reached = reached_by_floats(record_address<Loss::hash>);
    for (int v = most; v-- > 0;) {
      const record* const r = graph_type::value.variables[v];
      if (r->slot->trainable && Selection::has(r->slot->name) && reached.find(r->content) >= 0) t.at[t.count++] = r->hash;
    }
    return t;
  }();
};

template <class Loss, class Selection>
constexpr auto trainable_variables(Selection) {
  using found = trainable_variables_of<Loss, Selection>;
  check_slots<typename found::graph_type>();
  if constexpr (found::value.count == 0 && found::graph_type::is_made) {
    if constexpr (std::is_same_v<Selection, variable_prefix<name<>>>)
      raise<the_loss_depends_on_no_trainable_variable, in_function<"minimize">, shown<Loss>>();
    else
      raise<the_loss_depends_on_no_trainable_variable_under_this_prefix, in_function<"minimize">, shown<Loss>, Selection>();
  }
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return variable_hashes<found::value.at[I]...>{};
  }(std::make_index_sequence<static_cast<std::size_t>(found::value.count)>{});
}

}  // namespace detail

/// The variables under a name: `adam(1e-3_c).minimize(loss, variables_under<"generator">)` trains `generator/first/kernel` and so on, and not
/// `generator_2/first/kernel`.
template <fixed_string Prefix>
inline constexpr detail::variable_prefix<name_of<Prefix>> variables_under{};

/// All others: `minimize(loss, variables_outside<"encoder">)` leaves what `encoder` has learnt as it is.
template <fixed_string... Prefixes>
inline constexpr detail::variables_outside<name_of<Prefixes>...> variables_outside{};

/// All but those with one of these words as a part of their name, `a/b/bias`: `adam(1e-3_c).weight_decay(0.01_c, variables_not_named<"bias">)`.
template <fixed_string... Words>
inline constexpr detail::variables_not_named<name_of<Words>...> variables_not_named{};

}  // namespace etch
