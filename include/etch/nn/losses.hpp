// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops.hpp>

/// Losses. The cross entropies give one value per sample; take their `mean`.
namespace etch::nn {

namespace detail {
/// Whether the labels have the logits' shape without its last `Fewer` axes.
template <fixed_string Function, int Fewer, class X, class Labels>
constexpr bool takes_labels() {
  if constexpr (expression<X> && expression<Labels>) {
    constexpr bool fit = [] {
      extent_table table;
      inference context{table};
      tensor_type logits = X::shape_type::value(table, dtype::float32);
      logits.rank -= Fewer;
      return context.agree(logits, Labels::shape_type::value(table, dtype::float32));
    }();
    if constexpr (!fit) return raise<extents_differ, in_function<Function>, shown<X>, shown<Labels>>();
  }
  return true;
}

/// Logarithms of probabilities, but 0 where a probability is 0 and so is the label: 0 log 0 is 0.
template <class X, class Z>
constexpr auto log_of_possible(X logarithm, Z label) {
  constexpr auto impossible = literal<-std::numeric_limits<double>::infinity()>;
  return where(logical_and(logarithm == impossible, label == 0_c), 0_c, logarithm);
}

/// Which of the classes along the logits' last axis each label is.
template <class X, class I>
constexpr auto labelled(X logits, I labels) {
  const auto at = etch::detail::comparable_labels<X>(labels);
  return expand_dims(at, axis<-1>) == etch::detail::numbers_along<typename decltype(at)::value_type, -1>(logits);
}
}  // namespace detail

/// The mean of (prediction - target)^2 over all elements.
template <operand_like P, operand_like T>
constexpr auto mean_squared_error(P prediction, T target) {
  if constexpr (!etch::detail::takes_dtypes<"nn::mean_squared_error", dtype_set::numeric, P, T>() ||
                !etch::detail::takes_shapes<"nn::mean_squared_error", false, P, T>())
    return prediction;
  else
    return mean(square(prediction - target));
}
ETCH_REFUSE_CALLS_AS("nn::mean_squared_error", mean_squared_error, this_call_has_the_wrong_arguments,
                     "nn::mean_squared_error(x, target)")

/// The mean of d^2 / 2 where |d| <= delta, delta (|d| - delta / 2) elsewhere, d being prediction - target (Huber 1964).
template <operand_like P, operand_like T, class Delta>
constexpr auto huber(P prediction, T target, Delta delta) {
  const auto distance = prediction - target;
  const auto near = clip(distance, -delta, delta);
  return mean(near * (distance - near * 0.5_c));
}
template <operand_like P, operand_like T>
constexpr auto huber(P prediction, T target) {
  return huber(prediction, target, 1_c);
}

/// sum(p log(p / q)) along the last axis (Kullback, Leibler 1951): how far q is from p, both probabilities. Where p is 0 it adds
/// nothing, and its gradient is 0.
template <operand_like P, operand_like Q>
constexpr auto kl_divergence(P p, Q q) {
  return sum(where(p == 0_c, 0_c, p * (log(p) - log(q))), axis<-1>);
}

namespace detail {
/// softplus(x) - x z, in an order in which a small loss is not rounded away beside a large logit.
template <class X, class Z>
constexpr auto sigmoid_cross_entropy_of(X logits, Z labels) {
  const auto positive = logits >= 0_c;
  return where(positive, logits, 0_c) - logits * labels + log1p(exp(where(positive, -logits, logits)));
}
}  // namespace detail

/// -z log(sigmoid(x)) - (1 - z) log(1 - sigmoid(x)) per element, in a form that does not overflow.
template <operand_like X, operand_like Z>
constexpr auto sigmoid_cross_entropy(X logits, Z labels) {
  if constexpr (!etch::detail::takes_dtypes<"nn::sigmoid_cross_entropy", dtype_set::floating, X>() ||
                !etch::detail::takes_dtypes<"nn::sigmoid_cross_entropy", dtype_set::numeric, Z>() ||
                !etch::detail::takes_shapes<"nn::sigmoid_cross_entropy", false, X, Z>())
    return logits;
  else
    return detail::sigmoid_cross_entropy_of(logits, labels);
}
ETCH_REFUSE_CALLS_AS("nn::sigmoid_cross_entropy", sigmoid_cross_entropy, this_call_has_the_wrong_arguments,
                     "nn::sigmoid_cross_entropy(x, labels)")

/// -sum(labels * log(softmax(logits))) along the last axis; labels are probabilities of the logits' shape. A logit of -inf, a class that
/// cannot be, adds nothing where its label is 0, neither to the loss nor to a gradient; where it is not the loss is inf.
template <operand_like X, operand_like Z>
constexpr auto softmax_cross_entropy(X logits, Z labels) {
  if constexpr (!etch::detail::takes_dtypes<"nn::softmax_cross_entropy", dtype_set::floating, X>() ||
                !etch::detail::takes_dtypes<"nn::softmax_cross_entropy", dtype_set::numeric, Z>() ||
                !etch::detail::takes_axes<"nn::softmax_cross_entropy", X>(axis<-1>) ||
                !detail::takes_labels<"nn::softmax_cross_entropy", 0, X, Z>())
    return logits;
  else
    return -sum(labels * detail::log_of_possible(log_softmax(logits, axis<-1>), labels), axis<-1>);
}
ETCH_REFUSE_CALLS_AS("nn::softmax_cross_entropy", softmax_cross_entropy, this_call_has_the_wrong_arguments,
                     "nn::softmax_cross_entropy(x, labels)")

/// -log(softmax(logits)[label]) along the last axis. Labels are integers in [0, classes), of the logits' shape without its last
/// axis. A label outside that range picks nothing: its sample's loss is log(sum(exp(logits - max))).
template <operand_like X, operand_like I>
constexpr auto sparse_softmax_cross_entropy(X logits, I labels) {
  if constexpr (!is_integer(dtype_of<typename I::value_type>)) {
    return etch::detail::refusal<indices_are_not_integers, in_function<"nn::sparse_softmax_cross_entropy">, shown<I>>(logits,
                                                                                                                      labels);
  } else if constexpr (!etch::detail::takes_dtypes<"nn::sparse_softmax_cross_entropy", dtype_set::floating, X>() ||
                       !etch::detail::takes_axes<"nn::sparse_softmax_cross_entropy", X>(axis<-1>) ||
                       !detail::takes_labels<"nn::sparse_softmax_cross_entropy", 1, X, I>()) {
    return logits;
  } else {
    const auto shifted = logits - stop_gradient(max(logits, axis<-1>, keep_dims));
    const auto chosen = detail::labelled(logits, labels);
    return log(sum(exp(shifted), axis<-1>)) - sum(where(chosen, shifted, 0_c), axis<-1>);
  }
}
ETCH_REFUSE_CALLS_AS("nn::sparse_softmax_cross_entropy", sparse_softmax_cross_entropy, this_call_has_the_wrong_arguments,
                     "sparse_softmax_cross_entropy(x, y)")

/// -sum(weights * labels * log(softmax(logits))) along the last axis. Labels are probabilities of the logits' shape, which the
/// weights broadcast to: one per class (classes), one per sample (samples, 1), or both.
template <operand_like X, operand_like Z, operand_like W>
constexpr auto weighted_softmax_cross_entropy(X logits, Z labels, W weights) {
  return softmax_cross_entropy(logits, labels * weights);
}

/// -weights[label] * log(softmax(logits)[label]) along the last axis, with one weight per class. Labels are as in
/// `sparse_softmax_cross_entropy`; one outside [0, classes) gives 0.
template <operand_like X, operand_like I, operand_like W>
constexpr auto weighted_sparse_softmax_cross_entropy(X logits, I labels, W weights) {
  if constexpr (!is_integer(dtype_of<typename I::value_type>))
    raise<indices_are_not_integers, in_function<"weighted_sparse_softmax_cross_entropy">, shown<I>>();
  const auto chosen = detail::labelled(logits, labels);
  return -sum(where(chosen, weights * log_softmax(logits, axis<-1>), 0_c), axis<-1>);
}

/// `softmax_cross_entropy` with a share `smoothing` of the labels spread evenly over all classes (Szegedy et al., 2016).
template <operand_like X, operand_like Z, class Smoothing>
constexpr auto smoothed_softmax_cross_entropy(X logits, Z labels, Smoothing smoothing) {
  return (1_c - smoothing) * softmax_cross_entropy(logits, labels) - smoothing * mean(log_softmax(logits, axis<-1>), axis<-1>);
}

/// `sparse_softmax_cross_entropy` with a share `smoothing` of the labels spread evenly over all classes.
template <operand_like X, operand_like I, class Smoothing>
constexpr auto smoothed_sparse_softmax_cross_entropy(X logits, I labels, Smoothing smoothing) {
  return (1_c - smoothing) * sparse_softmax_cross_entropy(logits, labels) -
         smoothing * mean(log_softmax(logits, axis<-1>), axis<-1>);
}

}  // namespace etch::nn
