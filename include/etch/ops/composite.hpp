// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>

#include <etch/ops/contraction.hpp>
#include <etch/ops/hyperbolic.hpp>
#include <etch/ops/indexing.hpp>
#include <etch/ops/mean.hpp>
#include <etch/ops/random.hpp>

/// Functions of other ops: no kernel and no gradient of their own; fusion makes them fast.
namespace etch {

/// max(x, 0). Of -0 it is 0.
template <operand_like X>
constexpr auto relu(X x) {
  if constexpr (!detail::takes_dtypes<"relu", dtype_set::numeric, X>())
    return x;
  else
    return maximum(x, 0_c);
}
ETCH_REFUSE_CALLS(relu, this_call_has_the_wrong_arguments, "relu($)")

/// x times the normal distribution's cumulative probability at x (Hendrycks, Gimpel 2016; the exact form, with erf).
template <operand_like X>
constexpr auto gelu(X x) {
  if constexpr (!detail::takes_dtypes<"gelu", dtype_set::floating, X>())
    return x;
  else
    return 0.5_c * x * (1_c + erf(x * 0.7071067811865476_c));
}
ETCH_REFUSE_CALLS(gelu, this_call_has_the_wrong_arguments, "gelu($)")

/// x * sigmoid(x).
template <operand_like X>
constexpr auto silu(X x) {
  if constexpr (!detail::takes_dtypes<"silu", dtype_set::floating, X>())
    return x;
  else
    return x * sigmoid(x);
}
ETCH_REFUSE_CALLS(silu, this_call_has_the_wrong_arguments, "silu($)")

/// log(1 + exp(x)), without overflow. Not by maximum(x, 0) and abs(x): their gradients at 0 do not add up to 1/2.
template <operand_like X>
constexpr auto softplus(X x) {
  if constexpr (!detail::takes_dtypes<"softplus", dtype_set::floating, X>()) {
    return x;
  } else {
    const auto positive = x >= 0_c;
    return where(positive, x, 0_c) + log1p(exp(where(positive, -x, x)));
  }
}
ETCH_REFUSE_CALLS(softplus, this_call_has_the_wrong_arguments, "softplus($)")

/// exp(x) over its sum along an axis. Shifted by the maximum, so that no exponential overflows. An element of -inf gets 0; where all along
/// the axis are -inf, as in a row that is masked whole, there is nothing to share, and all are NaN.
template <operand_like X, int Axis = -1>
constexpr auto softmax(X x, axis_list<Axis> a = {}) {
  if constexpr (!detail::takes_axes<"softmax", X>(axis_list<Axis>{}) ||
                !detail::takes_dtypes<"softmax", dtype_set::floating, X>()) {
    return x;
  } else {
    const auto e = exp(x - stop_gradient(max(x, a, keep_dims)));
    // By the reciprocal: a division for each row, not for each element, takes 0.67 to 0.77 of the time (rows of 1,024 and 50,000,
    // Sapphire Rapids). Of the largest element, whose exponential is 1, it is as exact.
    return e * (1_c / sum(e, a, keep_dims));
  }
}
ETCH_REFUSE_CALLS(softmax, name_the_axis_in_angle_brackets, "softmax($, axis<-1>)")

/// log(softmax(x)), computed without taking the logarithm of a small number.
template <operand_like X, int Axis = -1>
constexpr auto log_softmax(X x, axis_list<Axis> a = {}) {
  if constexpr (!detail::takes_axes<"log_softmax", X>(axis_list<Axis>{}) ||
                !detail::takes_dtypes<"log_softmax", dtype_set::floating, X>()) {
    return x;
  } else {
    const auto shifted = x - stop_gradient(max(x, a, keep_dims));
    return shifted - log(sum(exp(shifted), a, keep_dims));
  }
}
ETCH_REFUSE_CALLS(log_softmax, name_the_axis_in_angle_brackets, "log_softmax($, axis<-1>)")

namespace detail {
/// m where it is finite, else 0: what exponentials are shifted by.
template <operand_like M>
constexpr auto finite_shift(M m) {
  return stop_gradient(where(m - m == 0_c, m, 0_c));
}
/// log(x) of what is not negative, whose gradient at 0 is 0.
template <operand_like X>
constexpr auto log_flat_at_zero(X x) {
  return where(x == 0_c, literal<-std::numeric_limits<double>::infinity()>, log(x));
}
}  // namespace detail

/// log of the sum of exp(x) along an axis. Of -inf alone it is -inf, and its gradient 0.
template <operand_like X, int... Axes, std::same_as<struct keep_dims>... Keep>
constexpr auto logsumexp(X x, axis_list<Axes...> a = {}, Keep... keep) {
  if constexpr (!detail::takes_axes<"logsumexp", X>(axis_list<Axes...>{}) ||
                !detail::takes_dtypes<"logsumexp", dtype_set::floating, X>()) {
    return x;
  } else {
    const auto m = detail::finite_shift(max(x, a, keep_dims));
    const auto rest = detail::log_flat_at_zero(sum(exp(x - m), a, keep...));
    if constexpr (sizeof...(Keep) > 0)
      return rest + m;
    else
      return rest + max(m, a);  // over axes of extent 1: a reshape
  }
}
ETCH_REFUSE_CALLS(logsumexp, name_the_axis_in_angle_brackets, "logsumexp($, axis<-1>)")

namespace detail {
/// x less its mean, over the root of its variance. The mean is rounded, so of a row of equal numbers less their mean something is left
/// (1 of five times 16777215), which over its own size would be 1. What the mean of the rest is, is taken off, of the rest and of its mean
/// square; in the same sweep as that, and without a gradient, since that of a mean of what has none is 0.
template <operand_like X, class Epsilon, int... Axes>
constexpr auto normalised(X x, Epsilon epsilon, axis_list<Axes...> a) {
  const auto rest = x - mean(x, a, keep_dims);
  const auto correction = stop_gradient(mean(rest, a, keep_dims));
  const auto variance = maximum(0_c, mean(square(rest), a, keep_dims) - square(correction));  // which has the gradient at 0
  return (rest - correction) * rsqrt(variance + epsilon);
}
}  // namespace detail

/// (x - mean) / sqrt(variance + epsilon) along an axis, then * scale + offset (Ba, Kiros, Hinton 2016). Of equal numbers the first is 0.
template <operand_like X, class Scale, class Offset, class Epsilon, int Axis>
constexpr auto layer_norm(X x, Scale scale, Offset offset, Epsilon epsilon, axis_list<Axis> a) {
  if constexpr (!detail::takes_operands<"layer_norm", X, Scale, Offset, Epsilon>() ||
                !detail::takes_axes<"layer_norm", X>(axis_list<Axis>{}) ||
                !detail::takes_dtypes<"layer_norm", dtype_set::floating, X, Scale, Offset>() ||
                !detail::takes_shapes<"layer_norm", true, X, Scale, Offset>())
    return x;
  else
    return detail::normalised(x, epsilon, a) * scale + offset;
}
template <operand_like X, class Scale, class Offset>
constexpr auto layer_norm(X x, Scale scale, Offset offset) {
  return layer_norm(x, scale, offset, 1e-5_c, axis<-1>);
}
template <operand_like X>
constexpr auto layer_norm(X x) {
  if constexpr (!detail::takes_axes<"layer_norm", X>(axis<-1>) || !detail::takes_dtypes<"layer_norm", dtype_set::floating, X>())
    return x;
  else
    return detail::normalised(x, 1e-5_c, axis<-1>);
}
ETCH_REFUSE_CALLS(layer_norm, name_the_axis_in_angle_brackets, "layer_norm($, scale, offset)")

/// Zeroes a share `rate` (a literal) of the elements and scales the others by 1 / (1 - rate), so that the mean stays. At a rate of
/// 1 the result and its gradient are 0. The draw has a name, as every draw. Of an eager tensor the rate may be a number.
template <fixed_string Name, operand_like X, class Rate>
constexpr auto dropout(X x, Rate rate) {
  if constexpr (!detail::takes_dtypes<"dropout", dtype_set::floating, X>()) {
    return x;
  } else if constexpr (evaluated<X>) {
    const auto left = [&] {
      if constexpr (std::is_arithmetic_v<Rate>)
        return 1 - rate;
      else
        return 1_c - rate;
    }();
    return where(evaluate_now(uniform_draw{}, x, name_of<Name>::hash) >= rate, x / left, 0_c);
  } else {
    const auto share = detail::converted<typename X::value_type>(detail::symbolic_number<"dropout">(rate));
    const auto keep = random_uniform<Name, typename X::value_type>(typename X::shape_type{}) >= share;
    return where(keep, x / (1_c - share), 0_c);
  }
}
template <fixed_string Name, class... A>
  requires(sizeof...(A) != 2 || !(operand_like<A> || ...))
constexpr auto dropout(const A&... a) {
  return detail::refuse_function<this_call_has_the_wrong_number_of_operands, "dropout", "dropout<\"" + Name + "\">($, 0.5_c)">(
      a...);
}
ETCH_REFUSE_CALLS(dropout, name_the_draw_in_angle_brackets, "dropout<\"noise\">($, 0.5_c)")

}  // namespace etch
