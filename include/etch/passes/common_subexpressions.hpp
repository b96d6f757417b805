// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/flatten.hpp>
#include <etch/graph/rewrite.hpp>

/// Nodes that compute the same become one; stateful ones never do.
namespace etch {

namespace rules {

/// Equal op, attributes, type and operands (in either order where the op is commutative).
struct common_subexpressions {
  hash_index index{};

  constexpr int operator()(graph& out, const candidate& c) {
    if (c.op->stateful) return -1;
    hash_t h = mix(c.op->id, static_cast<hash_t>(c.type.type));
    for (int i = 0; i < c.type.rank; ++i) h = mix(h, static_cast<hash_t>(c.type.extents[i]));
    for (int i = 0; i < c.attributes.count; ++i) h = mix(h, static_cast<hash_t>(c.attributes[i]));
    if (c.slot != nullptr || c.op->is(info_of<detail::placeholder_op>)) h = mix(h, c.content);
    if (c.op->commutative && c.count == 2) {
      const int low = c.operands[0] < c.operands[1] ? c.operands[0] : c.operands[1];
      h = mix(mix(h, static_cast<hash_t>(low)), static_cast<hash_t>(c.operands[0] + c.operands[1] - low));
    } else {
      for (int k = 0; k < c.count; ++k) h = mix(h, static_cast<hash_t>(c.operands[k]));
    }
    const int found = index.find(h);
    if (found >= 0 && same(out, found, c)) return found;
    const int made = out.push(*c.op, c.attributes, c.type, c.operands, c.count, c.slot, c.content);
    index.insert(h, made);
    return made;
  }

 private:
  /// Guards against two nodes whose hashes collide.
  static constexpr bool same(const graph& g, int n, const candidate& c) {
    const node& d = g[n];
    if (!d.op->is(*c.op) || !(d.type == c.type) || d.count != c.count || !(g.words_of(n) == c.attributes)) return false;
    if (d.slot != c.slot || (c.op->kind == op_kind::source && d.content != c.content && c.op->arity == 0 &&
                             c.op->is(info_of<detail::placeholder_op>)))
      return false;
    bool straight = true, crossed = c.op->commutative && c.count == 2;
    for (int k = 0; k < c.count; ++k) {
      straight = straight && g.operand(n, k) == c.operands[k];
      crossed = crossed && g.operand(n, k) == c.operands[1 - (k & 1)];
    }
    return straight || crossed;
  }
};

}  // namespace rules

/// `%2 = exp %0; %3 = exp %0` becomes `%2 = exp %0`.
constexpr graph common_subexpressions(const graph& g) { return rewrite(g, rules::common_subexpressions{}); }

}  // namespace etch
