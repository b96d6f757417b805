// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/contraction.hpp>
#include <etch/ops/hyperbolic.hpp>
#include <etch/ops/indexing.hpp>
#include <etch/ops/random.hpp>

/// Functions of other ops: no kernel and no gradient of their own; fusion makes them fast.
namespace etch {

/// max(x, 0).
template <operand_like X>
constexpr auto relu(X x) {
  return maximum(x, 0_c);
}

/// x times the normal distribution's cumulative probability at x (Hendrycks, Gimpel 2016; the exact form, with erf).
template <operand_like X>
constexpr auto gelu(X x) {
  return 0.5_c * x * (1_c + erf(x * 0.7071067811865476_c));
}

/// x * sigmoid(x).
template <operand_like X>
constexpr auto silu(X x) {
  return x * sigmoid(x);
}

/// log(1 + exp(x)), without overflow. Not by maximum(x, 0) and abs(x): their gradients at 0 do not add up to 1/2.
template <operand_like X>
constexpr auto softplus(X x) {
  const auto positive = x >= 0_c;
  return where(positive, x, 0_c) + log1p(exp(where(positive, -x, x)));
}

namespace detail {
/// Whether x has these axes. Where it has not, the first op's error is the only one that is wanted.
template <class X, int... Axes>
constexpr bool has_axes(axis_list<Axes...>) {
  if constexpr (expression<X>)
    return ((Axes >= -X::rank && Axes < X::rank) && ...);
  else
    return true;
}
}  // namespace detail

/// exp(x) over its sum along an axis. Shifted by the maximum, so that no exponential overflows.
template <operand_like X, int Axis = -1>
constexpr auto softmax(X x, axis_list<Axis> a = {}) {
  if constexpr (!detail::has_axes<X>(axis_list<Axis>{})) {
    return max(x, a);
  } else {
    const auto e = exp(x - stop_gradient(max(x, a, keep_dims)));
    return e / sum(e, a, keep_dims);
  }
}

/// log(softmax(x)), computed without taking the logarithm of a small number.
template <operand_like X, int Axis = -1>
constexpr auto log_softmax(X x, axis_list<Axis> a = {}) {
  if constexpr (!detail::has_axes<X>(axis_list<Axis>{})) {
    return max(x, a);
  } else {
    const auto shifted = x - stop_gradient(max(x, a, keep_dims));
    return shifted - log(sum(exp(shifted), a, keep_dims));
  }
}

namespace detail {
/// m where it is finite, else 0: what exponentials are shifted by.
template <operand_like M>
constexpr auto finite_shift(M m) {
  return stop_gradient(where(m - m == 0_c, m, 0_c));
}
}  // namespace detail

/// log of the sum of exp(x) along an axis. Of -inf alone it is -inf.
template <operand_like X, int... Axes>
constexpr auto logsumexp(X x, axis_list<Axes...> a = {}) {
  if constexpr (!detail::has_axes<X>(axis_list<Axes...>{})) {
    return max(x, a);
  } else {
    const auto m = detail::finite_shift(max(x, a, keep_dims));
    return log(sum(exp(x - m), a)) + max(m, a);  // over axes of extent 1: a reshape
  }
}
template <operand_like X, int... Axes>
constexpr auto logsumexp(X x, axis_list<Axes...> a, struct keep_dims k) {
  const auto m = detail::finite_shift(max(x, a, k));
  return log(sum(exp(x - m), a, k)) + m;
}

namespace detail {
template <operand_like X, class Epsilon, int Axis>
constexpr auto normalised(X x, Epsilon epsilon, axis_list<Axis> a) {
  const auto centred = x - mean(x, a, keep_dims);
  return centred * rsqrt(mean(square(centred), a, keep_dims) + epsilon);
}
}  // namespace detail

/// (x - mean) / sqrt(variance + epsilon) along an axis, then * scale + offset (Ba, Kiros, Hinton 2016).
template <operand_like X, class Scale, class Offset, class Epsilon, int Axis>
constexpr auto layer_norm(X x, Scale scale, Offset offset, Epsilon epsilon, axis_list<Axis> a) {
  return detail::normalised(x, epsilon, a) * scale + offset;
}
template <operand_like X, class Scale, class Offset>
constexpr auto layer_norm(X x, Scale scale, Offset offset) {
  return layer_norm(x, scale, offset, 1e-5_c, axis<-1>);
}
template <operand_like X>
constexpr auto layer_norm(X x) {
  return detail::normalised(x, 1e-5_c, axis<-1>);
}

/// Sets a share `rate` (a literal) of the elements to zero and scales the others by 1 / (1 - rate), so that the mean
/// stays. The draw has a name, as every draw.
template <fixed_string Name, expression X, class Rate>
constexpr auto dropout(X x, Rate rate) {
  const auto share = detail::converted<typename X::value_type>(detail::symbolic_number<"dropout">(rate));
  const auto keep = random_uniform<Name, typename X::value_type>(typename X::shape_type{}) >= share;
  return where(keep, x / (1_c - share), 0_c);
}

}  // namespace etch
