// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/scopes.hpp>

/// Whether scopes share variables as they say that they do: `reuse`.
namespace etch::detail {

/// The first layer (or scope) that does not, as hashes.
struct reuse_failure {
  hash_t variable = 0;
  hash_t layer = 0;  ///< a result of it
  hash_t scope = 0;  ///< a result of the scope that asks for it
  bool is_missing = false;
};

/// Who makes each variable: the innermost scope that its name is under. Where a variable is read outside of such a scope, it is
/// made by nobody: by a penalty, say, or by what trains it.
class variable_makers {
 public:
  reuse_failure failure;

  constexpr void name(const naming&, const record&, int) {}
  constexpr void use(const record& r, int scope, const vector<scope_instance>& scopes) {
    if (r.op->role != op_role::variable) return;
    while (scope > 0 && !is_under(r.slot->name, scopes[scope].path())) scope = scopes[scope].outer;
    if (scope == 0) return;
    const int known = index_.find(r.content);
    const bool always = scopes[scope].policy == reuse::always;
    if (known < 0) {
      index_.insert(r.content, made_.size());
      made_.push_back({&r, scope, always});
      return;
    }
    variable& v = made_[known];
    v.is_missing = v.is_missing && always;
    if (scopes[v.first].call().id == scopes[scope].call().id) return;
    if (scopes[scope].policy == reuse::never)
      fail(r, scopes, scope, scope, false);
    else if (scopes[v.first].policy == reuse::never)
      fail(r, scopes, scope, v.first, false);
  }
  constexpr void finish(const vector<scope_instance>& scopes) {
    for (int i = 0; i < made_.size(); ++i)
      if (made_[i].is_missing) fail(*made_[i].what, scopes, made_[i].first, made_[i].first, true);
  }

 private:
  struct variable {
    const record* what = nullptr;
    int first = 0;            ///< the call that makes it
    bool is_missing = false;  ///< all of them reuse it
  };
  constexpr void fail(const record& r, const vector<scope_instance>& scopes, int layer, int asked, bool is_missing) {
    if (failure.variable == 0)
      failure = {r.hash, scopes[layer].result->hash, scopes[scopes[asked].asked_by].result->hash, is_missing};
  }

  vector<variable> made_;
  hash_index index_;
};

template <hash_t... Roots>
inline constexpr reuse_failure reuse_failure_of = [] {
  variable_makers makers;
  scope_walk<variable_makers> walk(makers);
  const record* const roots[] = {record_address<Roots>..., nullptr};
  for (int i = 0; i < static_cast<int>(sizeof...(Roots)); ++i) walk.add(roots[i]);
  makers.finish(walk.scopes);
  return makers.failure;
}();

template <hash_t... Roots>
inline constexpr bool are_named = [] {
  const record* const roots[] = {record_address<Roots>..., nullptr};
  for (int i = 0; i < static_cast<int>(sizeof...(Roots)); ++i)
    if (roots[i]->hash != roots[i]->content) return true;
  return false;
}();

template <class Path>
struct shown_path;
template <char... Characters>
struct shown_path<name<Characters...>> {
  using layer = layer_named<text_of<Characters...>>;
  using scope = in_scope_named<text_of<Characters...>>;
};
template <hash_t Hash>
using path_of = shown_path<typename defined<expression_key, Hash>::path_type>;

/// Refuses a layer's name that is used twice where its scope never reuses one, or that does not exist where that always does.
template <hash_t... Roots>
constexpr void check_reuse() {
  if constexpr (are_named<Roots...>) {
    constexpr reuse_failure f = reuse_failure_of<Roots...>;
    if constexpr (f.variable != 0) {
      using layer = typename path_of<f.layer>::layer;
      using scope = typename path_of<f.scope>::scope;
      if constexpr (f.is_missing)
        raise<this_layer_does_not_exist_where_its_scope_always_reuses_names, layer, scope,
              shown<defined<expression_key, f.variable>>>();
      else
        raise<this_layer_is_made_twice_where_its_scope_never_reuses_names, layer, scope,
              shown<defined<expression_key, f.variable>>>();
    }
  }
}

}  // namespace etch::detail
