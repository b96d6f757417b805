// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/composite.hpp>
#include <etch/ops/triangle.hpp>

/// What transformers are made of.
namespace etch {

/// In `attention`, no query sees a key behind its own place.
inline constexpr struct causal {
} causal;

namespace detail {
/// q k^T / sqrt(width).
template <operand_like Q, operand_like K>
constexpr auto attention_scores(Q q, K k) {
  return matmul(q, matrix_transpose(k)) * rsqrt(size_along(q, axis<-1>));
}
}  // namespace detail

/// softmax(q k^T / sqrt(width)) v over the last two axes (Vaswani et al., 2017). q is (..., queries, width), k (..., keys, width),
/// v (..., keys, values); the axes in front broadcast. With `causal` query i sees the keys 0 to i only, also where there are not as
/// many queries as keys. It sees one at least; of scores that are masked otherwise, a row of -inf alone gives NaN, as in `softmax`.
template <operand_like Q, operand_like K, operand_like V>
constexpr auto attention(Q q, K k, V v) {
  return matmul(softmax(detail::attention_scores(q, k)), v);
}
template <operand_like Q, operand_like K, operand_like V>
constexpr auto attention(Q q, K k, V v, struct causal) {
  const auto scores = detail::attention_scores(q, k);
  constexpr auto hidden = literal<-std::numeric_limits<double>::infinity()>;
  return matmul(softmax(where(detail::on_or_below<0>(scores), scores, hidden)), v);
}

}  // namespace etch
