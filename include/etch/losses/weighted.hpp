// SPDX-License-Identifier: MIT
#pragma once
#include <etch/losses/loss.hpp>

namespace etch::losses {

/// A loss whose values are multiplied by a weight of each sample: Keras's `sample_weight`. Elements of a dataset, and the arguments of `fit`, then
/// have a third component, (samples), of the loss's dtype. The mean is over all samples, not over the sum of weights; metrics are not weighted.
template <class Loss>
struct weighted_loss {
  constexpr weighted_loss() = default;
  constexpr explicit weighted_loss(Loss) {}
  static constexpr bool has_weights = true;
  static constexpr bool has_classes = detail::has_classes<Loss>();
  template <class Y>
  static constexpr auto target = Loss::template target<Y>;
  template <class Y>
  static constexpr placeholder<"sample_weight", typename Y::value_type, extent_along<0>(typename Y::shape_type{})> weights{};

  template <class Y, class T>
  constexpr auto operator()(Y y, T target_values) const {
    return weighed<Y>(Loss{}(y, target_values));
  }
  template <class Y, class T>
  static constexpr auto of_steps(Y y, T target_values) {
    return weighed<Y>(detail::values_of_steps(Loss{}, y, target_values));
  }

 private:
  template <class Y, class Values>
  static constexpr auto weighed(Values values) {
    return values * etch::detail::with_rank<Values::rank>(weights<Y>);
  }
};
/// `losses::weighted(losses::mean_squared_error)`.
template <class Loss>
constexpr weighted_loss<Loss> weighted(Loss) {
  return {};
}

}  // namespace etch::losses
