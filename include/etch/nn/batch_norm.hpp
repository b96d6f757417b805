// SPDX-License-Identifier: MIT
#pragma once
#include <etch/nn/initializers.hpp>
#include <etch/ops/channel_norm.hpp>

/// A layer that normalises by what it has seen.
namespace etch::nn {

/// Whether a layer normalises by the batch that it sees, and learns from it; or by what it has learnt.
inline constexpr struct training {
} training;
inline constexpr struct evaluation {
} evaluation;

namespace detail {
template <fixed_string Name>
struct batch_norm_names : norm_names<Name> {
  using mean = join<name_of<Name>, name_of<"/moving_mean">>;
  using variance = join<name_of<Name>, name_of<"/moving_variance">>;
};

template <fixed_string Name, expression X>
struct batch_norm_layer {
  using T = typename X::value_type;
  using names = batch_norm_names<Name>;
  using zeros = struct initializers::zeros;
  using ones = struct initializers::ones;
  static constexpr auto assigned = etch::detail::variable_use::assigned;
  static constexpr auto width = shape<extent_along<-1>(typename X::shape_type{})>{};

  static constexpr auto scale() { return layer_variable<typename names::scale, T, ones>(width); }
  static constexpr auto offset() { return layer_variable<typename names::offset, T, zeros>(width); }
  static constexpr auto mean() { return layer_variable<typename names::mean, T, zeros, assigned>(width); }
  static constexpr auto variance() { return layer_variable<typename names::variance, T, ones, assigned>(width); }
};

template <expression X>
constexpr bool takes_batch_norm() {
  if constexpr (!etch::detail::takes_image<"nn::batch_norm", 2, X>())
    return false;
  else if constexpr (!std::is_integral_v<std::remove_cvref_t<decltype(extent_along<-1>(typename X::shape_type{}))>>)
    return raise<a_variable_cannot_have_a_named_extent, in_function<"nn::batch_norm">, shown<X>>();
  else
    return true;
}

/// By the batch's moments: mean(y, axes) is the mean of y for each channel.
template <fixed_string Name, expression X, class Momentum, class Mean>
constexpr auto batch_norm_by(X x, Momentum momentum, Mean mean) {
  if constexpr (!takes_batch_norm<X>()) {
    return etch::detail::refused(x);
  } else {
    using layer = batch_norm_layer<Name, X>;
    constexpr auto axes = etch::detail::axes_before_last(std::make_integer_sequence<int, X::rank - 1>{});
    // Once more, as for layer_norm: of equal numbers the variance is 0, and so is what they become.
    const auto rounded = mean(x, axes);
    const auto rest = x - rounded;
    const auto correction = stop_gradient(mean(rest, axes));
    const auto m = rounded + correction;
    const auto v = maximum(0_c, mean(square(rest), axes) - square(correction));
    const auto y = etch::detail::in_scope<name_of<Name>>(etch::batch_norm(x, m, v, layer::scale(), layer::offset()), x);
    const auto moved = [&](auto old, auto now) { return assign(old, old * momentum + stop_gradient(now) * (1_c - momentum)); };
    return after(y, moved(layer::mean(), m), moved(layer::variance(), v));
  }
}
/// By the moments of the steps that are seen: x is (batch, steps, ..., channels), seen bools (batch, steps).
template <fixed_string Name, expression X, expression Seen, class Momentum>
constexpr auto batch_norm_of_seen(X x, Seen seen, Momentum momentum) {
  const auto share = etch::mean(astype<typename X::value_type>(seen));  // NaN of no steps
  const auto are_seen = share > 0_c;
  return batch_norm_by<Name>(x, momentum, [&](auto of, auto axes) {
    const auto mean = etch::mean(where(etch::detail::with_rank<X::rank>(seen), of, 0_c), axes) / where(are_seen, share, 1_c);
    return where(are_seen, mean, 0_c);
  });
}
}  // namespace detail

/// `batch_norm` of x (batch, ..., channels) by moving averages; with `nn::training` by the batch's own mean and variance. The
/// variables `Name/scale` and `Name/offset` are trained and begin as 1 and 0; `Name/moving_mean` and `Name/moving_variance` begin
/// as 0 and 1. With `nn::training` the variance is divided by n, and each run that needs the result moves the last two towards the
/// batch's: momentum * old + (1 - momentum) * the batch's, as Keras does. A channel of equal numbers becomes its offset.
template <fixed_string Name, expression X>
constexpr auto batch_norm(X x, struct evaluation = {}) {
  if constexpr (!detail::takes_batch_norm<X>()) {
    return etch::detail::refused(x);
  } else {
    using layer = detail::batch_norm_layer<Name, X>;
    return etch::detail::in_scope<name_of<Name>>(
        etch::batch_norm(x, layer::mean(), layer::variance(), layer::scale(), layer::offset()), x);
  }
}
template <fixed_string Name, expression X, class Momentum = decltype(0.99_c)>
constexpr auto batch_norm(X x, struct training, Momentum momentum = {}) {
  return detail::batch_norm_by<Name>(x, momentum, [](auto of, auto axes) { return etch::mean(of, axes); });
}

}  // namespace etch::nn
