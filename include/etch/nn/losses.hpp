// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops.hpp>

/// Losses. The cross entropies give one value per sample; take their `mean`.
namespace etch::nn {

/// The mean of (prediction - target)^2 over all elements.
template <operand_like P, operand_like T>
constexpr auto mean_squared_error(P prediction, T target) {
  return mean(square(prediction - target));
}

/// -z log(sigmoid(x)) - (1 - z) log(1 - sigmoid(x)) per element, in a form that does not overflow.
template <operand_like X, operand_like Z>
constexpr auto sigmoid_cross_entropy(X logits, Z labels) {
  return softplus(logits) - logits * labels;
}

/// -sum(labels * log(softmax(logits))) along the last axis; labels are probabilities of the logits' shape.
template <operand_like X, operand_like Z>
constexpr auto softmax_cross_entropy(X logits, Z labels) {
  if constexpr (expression<X> && expression<Z>) {
    if constexpr (!std::is_same_v<typename X::shape_type, typename Z::shape_type>)
      raise<extents_differ, in_function<"softmax_cross_entropy">, shown<X>, shown<Z>>();
  }
  return -sum(labels * log_softmax(logits, axis<-1>), axis<-1>);
}

/// -log(softmax(logits)[label]) along the last axis; labels are integers in [0, classes), of the logits' shape without
/// its last axis. A label outside that range picks nothing: its sample's loss is log(sum(exp(logits - max))).
template <expression X, expression I>
constexpr auto sparse_softmax_cross_entropy(X logits, I labels) {
  if constexpr (!is_integer(dtype_of<typename I::value_type>))
    raise<indices_are_not_integers, in_function<"sparse_softmax_cross_entropy">, shown<I>>();
  const auto shifted = logits - stop_gradient(max(logits, axis<-1>, keep_dims));
  constexpr auto classes = extent_along<-1>(typename X::shape_type{});
  const auto chosen = expand_dims(labels, axis<-1>) == arange<typename I::value_type>(shape<classes>{});
  return log(sum(exp(shifted), axis<-1>)) - sum(where(chosen, shifted, 0_c), axis<-1>);
}

}  // namespace etch::nn
