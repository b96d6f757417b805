// SPDX-License-Identifier: MIT
#pragma once
#include <etch/losses/loss.hpp>

/// Losses of classes. Those whose name has `sigmoid` or `softmax` are of logits, which is exact and fast; Keras's others are of probabilities, which
/// they keep away from 0 and 1 by 1e-7.
namespace etch::losses {

/// `nn::sparse_softmax_cross_entropy` of logits (samples, classes) with an int32 label for each sample.
inline constexpr of_labels sparse_softmax_cross_entropy([](auto y, auto t) { return nn::sparse_softmax_cross_entropy(y, t); });

/// `nn::softmax_cross_entropy` of logits with a distribution for each sample.
inline constexpr of_output softmax_cross_entropy([](auto y, auto t) { return nn::softmax_cross_entropy(y, t); });

/// `nn::sigmoid_cross_entropy` of logits with 0 or 1, or what is between, for each.
inline constexpr of_output sigmoid_cross_entropy([](auto y, auto t) { return nn::sigmoid_cross_entropy(y, t); });

/// The softmax cross entropies with a share of each label spread over all classes: Keras's `label_smoothing`.
template <class Share>
constexpr auto smoothed_softmax_cross_entropy(Share) {
  return of_output([](auto y, auto t) { return nn::smoothed_softmax_cross_entropy(y, t, Share{}); });
}
template <class Share>
constexpr auto smoothed_sparse_softmax_cross_entropy(Share) {
  return of_labels([](auto y, auto t) { return nn::smoothed_sparse_softmax_cross_entropy(y, t, Share{}); });
}

namespace detail {
template <class Y>
constexpr auto possible(Y y) {
  return clip(y, 1e-7_c, 1_c - 1e-7_c);
}
/// Shares of their sum along the last axis.
template <class Y>
constexpr auto shares(Y y) {
  return y / sum(y, axis<-1>, keep_dims);
}
template <class Y, class T>
constexpr auto binary(Y y, T t) {
  const auto p = possible(y);
  return -t * log(p) - (1_c - t) * log(1_c - p);
}
/// What each sample has at its label.
template <class Y, class T>
constexpr auto at_label(Y y, T labels) {
  return sum(where(nn::detail::labelled(y, labels), y, 0_c), axis<-1>);
}
}  // namespace detail

/// -t log(p) - (1 - t) log(1 - p).
inline constexpr of_output binary_cross_entropy([](auto y, auto t) { return detail::binary(y, t); });

/// -sum(t log(p)) along the last axis, p being shares of their sum.
inline constexpr of_output categorical_cross_entropy([](auto y, auto t) {
  return -sum(t * log(detail::possible(detail::shares(y))), axis<-1>);
});

/// -log(p[label]), p being shares of their sum.
inline constexpr of_labels sparse_categorical_cross_entropy([](auto y, auto t) {
  return -log(detail::possible(detail::at_label(detail::shares(y), t)));
});

/// `binary_cross_entropy` times (1 - q)^gamma, q being the probability of what is so (Lin et al. 2018); with an alpha times that where t is 1, 1 -
/// alpha where it is 0: Keras's `apply_class_balancing`.
template <class Gamma = decltype(2_c), class... Alpha>
constexpr auto binary_focal_cross_entropy(Gamma = {}, Alpha...) {
  return of_output([](auto y, auto t) {
    const auto focused = pow(1_c - (t * y + (1_c - t) * (1_c - y)), Gamma{}) * detail::binary(y, t);
    if constexpr (sizeof...(Alpha) > 0)
      return ((t * Alpha{} + (1_c - t) * (1_c - Alpha{})) * ... * focused);
    else
      return focused;
  });
}

/// -alpha sum(t (1 - p)^gamma log(p)) along the last axis, p being shares of their sum.
template <class Gamma = decltype(2_c), class Alpha = decltype(0.25_c)>
constexpr auto categorical_focal_cross_entropy(Gamma = {}, Alpha = {}) {
  return of_output([](auto y, auto t) {
    const auto p = detail::possible(detail::shares(y));
    return -sum(t * log(p) * pow(1_c - p, Gamma{}) * Alpha{}, axis<-1>);
  });
}

/// (1 - p[label]^q) / q (Zhang, Sabuncu 2018).
template <class Q = decltype(0.5_c)>
constexpr auto categorical_generalized_cross_entropy(Q = {}) {
  return of_labels([](auto y, auto t) { return (1_c - pow(detail::at_label(y, t), Q{})) / Q{}; });
}

/// sum(t log(t / p)) along the last axis, both kept between 1e-7 and 1. `nn::kl_divergence` is exact.
inline constexpr of_output kl_divergence([](auto y, auto t) {
  const auto wanted = clip(t, 1e-7_c, 1_c);
  return sum(wanted * log(wanted / clip(y, 1e-7_c, 1_c)), axis<-1>);
});

/// max(1 - t y, 0) of scores y, t being -1 or 1. A 0 is taken for -1: Keras does that where all labels are 0 or 1.
inline constexpr of_output hinge([](auto y, auto t) { return maximum(1_c - where(t == 0_c, -1_c, t) * y, 0_c); });

/// The square of it.
inline constexpr of_output squared_hinge([](auto y, auto t) { return square(maximum(1_c - where(t == 0_c, -1_c, t) * y, 0_c)); });

/// max(1 + the highest score of the wrong classes - that of the right one, 0) along the last axis; t has 1 at one class.
inline constexpr of_output categorical_hinge([](auto y, auto t) {
  return maximum(1_c + max((1_c - t) * y, axis<-1>) - sum(t * y, axis<-1>), 0_c);
});

/// 1 - 2 |y t| / (|y| + |t|), of the sums of a sample. Keras adds up the whole batch unless it is told axes.
inline constexpr of_output dice([](auto y, auto t) {
  const auto both = detail::sum_of_sample(y * t);
  return 1_c - 2_c * both / (detail::sum_of_sample(t) + detail::sum_of_sample(y) + 1e-7_c);
});

/// 1 - b / (b + alpha |(1 - y) t| + beta |y (1 - t)| + 1e-7), b = |y t|, of the sums of a sample (Salehi et al. 2017). Alpha and beta are named as
/// Keras does.
template <class Alpha = decltype(0.5_c), class Beta = decltype(0.5_c)>
constexpr auto tversky(Alpha = {}, Beta = {}) {
  return of_output([](auto y, auto t) {
    const auto both = detail::sum_of_sample(y * t);
    const auto missed = detail::sum_of_sample((1_c - y) * t);
    const auto wrong = detail::sum_of_sample(y * (1_c - t));
    return 1_c - both / (both + missed * Alpha{} + wrong * Beta{} + 1e-7_c);
  });
}

}  // namespace etch::losses
