// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/hash_index.hpp>
#include <etch/base/vector.hpp>
#include <etch/core/slot.hpp>

/// Expressions as they are written: in which call of which scope each node was made.
namespace etch::detail {

/// Whether a name is a path, or begins with it and a slash. The empty path is that of all.
constexpr bool is_under(const char* name, const char* path) {
  std::size_t size = 0;
  for (; path[size] != '\0'; ++size)
    if (name[size] != path[size]) return false;
  return size == 0 || name[size] == '\0' || name[size] == '/';
}

/// A call of a scope within another; the first of a walk is what is outside of all scopes.
struct scope_instance {
  const record* result = nullptr;  ///< one of them, as it is written
  int outer = -1;
  reuse policy = reuse::automatic;
  int asked_by = -1;  ///< the instance whose policy it is

  constexpr const char* path() const { return result == nullptr ? "" : result->name->text; }
  constexpr const scope_call& call() const { return *result->name->scope; }
};

/// Visits what expressions are made of, in the order in which a graph does. `visitor.name(name, node, scope)` is told each name when it
/// is met, the inner one of two first, and `visitor.use(node, scope, scopes)` each node as often as something is made of it. A scope
/// ends at the arguments of its call: what is asked for there is outside.
template <class Visitor>
class scope_walk {
 public:
  vector<scope_instance> scopes;

  constexpr explicit scope_walk(Visitor& visitor) : visitor_(visitor) { scopes.push_back({}); }

  constexpr void add(const record* root) {
    visit(root, 0);
    while (!visits_.empty()) {
      started& now = visits_.back();
      if (now.left > 0)
        visit(now.of->operands[now.of->count + --now.left], now.scope);
      else
        visits_.pop_back();
    }
  }

 private:
  struct started {
    const record* of = nullptr;
    int left = 0, scope = 0;
  };
  struct given {
    const naming* name = nullptr;
    int scope = 0;
  };

  constexpr void visit(const record* r, int scope) {
    while (scope > 0 && is_argument(scope, r->content)) scope = scopes[scope].outer;
    names_.clear();
    for (; r->name != nullptr; r = r->name->of) {
      if (r->name->scope != nullptr)
        scope = instance(r, scope);
      else
        names_.push_back({r->name, scope});
    }
    while (!names_.empty()) {
      visitor_.name(*names_.back().name, *r, names_.back().scope);
      names_.pop_back();
    }
    visitor_.use(*r, scope, scopes);
    if (visited_.find(r->hash) >= 0) return;
    visited_.insert(r->hash, 1);
    visits_.push_back({r, r->count, scope});
  }
  constexpr bool is_argument(int scope, hash_t content) const {
    const scope_call& call = scopes[scope].call();
    for (int i = 0; i < call.count; ++i)
      if (call.arguments[i] == content) return true;
    return false;
  }
  constexpr int instance(const record* result, int outer) {
    const naming& name = *result->name;
    const hash_t key = combine(hash_of(name.text), name.scope->id, static_cast<hash_t>(outer));
    const int known = instances_.find(key);
    if (known >= 0) return known;
    const bool inherits = name.scope->policy == reuse::inherited;
    const int made = scopes.size();
    scopes.push_back(
        {result, outer, inherits ? scopes[outer].policy : name.scope->policy, inherits ? scopes[outer].asked_by : made});
    instances_.insert(key, made);
    return made;
  }

  Visitor& visitor_;
  vector<started> visits_;
  vector<given> names_;
  hash_index visited_, instances_;
};

}  // namespace etch::detail
