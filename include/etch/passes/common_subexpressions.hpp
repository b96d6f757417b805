// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/rewrite.hpp>

/// Nodes that compute the same become one; stateful ones never do.
namespace etch {

namespace detail {
constexpr bool swaps(const candidate& c) { return c.op->commutative && c.count == 2; }

constexpr hash_t content_of(const graph& g, const candidate& c) {
  hash_t h = c.op->id ^ (static_cast<hash_t>(c.type) + (static_cast<hash_t>(g.body) << 32)) * 0xff51afd7ed558ccdull;
  for (int i = 0; i < c.word_count; ++i) h = (h ^ static_cast<hash_t>(g.pool[c.first_word + i])) * 0x9e3779b97f4a7c15ull + 1;
  if (c.slot != nullptr || c.op->role == op_role::placeholder) h = (h ^ c.content) * 0x9e3779b97f4a7c15ull + 1;
  if (swaps(c)) {
    const int low = c.operands[0] < c.operands[1] ? c.operands[0] : c.operands[1];
    h = (h ^ static_cast<hash_t>(low)) * 0x9e3779b97f4a7c15ull + static_cast<hash_t>(c.operands[0] + c.operands[1]);
  } else {
    for (int k = 0; k < c.count; ++k) h = (h ^ static_cast<hash_t>(c.operands[k])) * 0x9e3779b97f4a7c15ull + 1;
  }
  return (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9ull;
}

/// Guards against two nodes whose hashes collide.
constexpr bool is_same(const graph& g, int n, const candidate& c) {
  const node& d = g[n];
  if (d.op->id != c.op->id || d.type != c.type || d.count != c.count || d.word_count != c.word_count || d.slot != c.slot ||
      d.body != g.body)
    return false;
  if (c.op->role == op_role::placeholder && d.content != c.content) return false;
  for (int k = 0; k < c.word_count; ++k)
    if (g.word(n, k) != g.pool[c.first_word + k]) return false;
  bool straight = true;
  for (int k = 0; k < c.count; ++k) straight = straight && g.operand(n, k) == c.operands[k];
  return straight || (swaps(c) && g.operand(n, 0) == c.operands[1] && g.operand(n, 1) == c.operands[0]);
}
}  // namespace detail

namespace rules {

/// Equal op, attributes, type and operands (in either order where the op is commutative). Always gives a node.
constexpr int common_subexpressions(graph& g, const candidate& c) {
  if (c.op->stateful) return g.push(c);
  const hash_t h = detail::content_of(g, c);
  const int found = g.shared.find(h);
  if (found >= 0 && detail::is_same(g, found, c)) return found;
  const int made = g.push(c);
  if (found < 0) g.shared.insert(h, made);
  return made;
}

}  // namespace rules

/// `%2 = exp %0; %3 = exp %0` becomes `%2 = exp %0`.
constexpr graph common_subexpressions(const graph& g) { return rewrite(g, &rules::common_subexpressions); }

}  // namespace etch
