// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/layer.hpp>
#include <etch/nn/convolution.hpp>
#include <etch/nn/losses.hpp>

/// Losses as objects, for `etch::model`: one value per sample, and what the target of an output is.
namespace etch::losses {

namespace detail {
/// A placeholder `target` of an output's shape, without its last `Fewer` axes.
template <class T, int Fewer, class Shape>
struct target_of;
template <class T, auto... E>
struct target_of<T, 0, shape<E...>> {
  static constexpr placeholder<"target", T, E...> slot{};
};
template <class T, auto First>
struct target_of<T, 1, shape<First>> {
  static constexpr placeholder<"target", T> slot{};
};
template <class T, auto First, auto Last>
struct target_of<T, 1, shape<First, Last>> {
  static constexpr placeholder<"target", T, First> slot{};
};
template <class T, auto First, auto Second, auto Last>
struct target_of<T, 1, shape<First, Second, Last>> {
  static constexpr placeholder<"target", T, First, Second> slot{};
};
/// Of a loss whose target has the dtype and the shape of the output.
struct target_like_output {
  template <class Y>
  static constexpr auto target = target_of<typename Y::value_type, 0, typename Y::shape_type>::slot;
};
/// The mean of a value for each element, for each sample.
template <class X>
constexpr auto mean_of_sample(X x) {
  if constexpr (X::rank == 1)
    return x;
  else
    return mean(nn::flatten(x), axis<1>);
}
}  // namespace detail

/// `nn::sparse_softmax_cross_entropy` of logits (batch, classes) with an int32 label for each sample.
inline constexpr struct sparse_softmax_cross_entropy {
  template <class Y>
  static constexpr auto target = detail::target_of<std::int32_t, 1, typename Y::shape_type>::slot;
  template <class Y, class T>
  constexpr auto operator()(Y logits, T labels) const {
    return nn::sparse_softmax_cross_entropy(logits, labels);
  }
} sparse_softmax_cross_entropy;

/// `nn::softmax_cross_entropy` of logits with a distribution for each sample.
inline constexpr struct softmax_cross_entropy : detail::target_like_output {
  template <class Y, class T>
  constexpr auto operator()(Y logits, T labels) const {
    return nn::softmax_cross_entropy(logits, labels);
  }
} softmax_cross_entropy;

/// The mean of (y - target)^2 over a sample's elements.
inline constexpr struct mean_squared_error : detail::target_like_output {
  template <class Y, class T>
  constexpr auto operator()(Y y, T target_values) const {
    return detail::mean_of_sample(square(y - target_values));
  }
} mean_squared_error;

/// The mean of |y - target| over a sample's elements.
inline constexpr struct mean_absolute_error : detail::target_like_output {
  template <class Y, class T>
  constexpr auto operator()(Y y, T target_values) const {
    return detail::mean_of_sample(abs(y - target_values));
  }
} mean_absolute_error;

}  // namespace etch::losses

/// Metrics as objects, for `etch::model`: the mean over samples of one value for each.
namespace etch::metrics {

/// The share of samples whose highest output is at the label, or, where the target has the output's shape, at the target's highest value.
inline constexpr struct accuracy {
  static constexpr fixed_string name = "accuracy";
  template <class Y, class T>
  constexpr auto operator()(Y y, T target) const {
    if constexpr (Y::rank == T::rank)
      return argmax(y, axis<-1>) == argmax(target, axis<-1>);
    else
      return astype<typename T::value_type>(argmax(y, axis<-1>)) == target;
  }
} accuracy;

/// (y - target)^2, and |y - target|.
inline constexpr struct squared_error : losses::mean_squared_error {
  static constexpr fixed_string name = "mean_squared_error";
} mean_squared_error;
inline constexpr struct absolute_error : losses::mean_absolute_error {
  static constexpr fixed_string name = "mean_absolute_error";
} mean_absolute_error;

}  // namespace etch::metrics
