// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/reduction.hpp>

/// Means over any axes, which divide sums by how many elements they are of.
namespace etch {

/// The number of elements that a reduction over these axes combines, as a scalar of x's dtype. It depends on the operand's shape
/// only. Attribute: the mask of axes.
struct size_of : op_defaults {
  static constexpr const char* name = "size_of";
  static constexpr op_role role = op_role::extent;
  static constexpr attribute_names names = {{"axis", attribute_kind::axes}};
  static constexpr op_kind kind = op_kind::source;
  static constexpr int arity = 1;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    tensor_type r;
    r.type = in[0].type;
    return w[0] < 0 ? context.fail(reason::axis_out_of_range, r) : r;
  }
  /// Does not change with the elements.
  template <class V>
  static constexpr void vjp(const gradient_rule<V>&) {}
};

namespace detail {
template <class X, int... Axes, class... Options>
constexpr auto size_along(X x, axis_list<Axes...>, Options...) {
  constexpr int axes[] = {Axes..., 0};
  constexpr std::int64_t mask = axes_mask(X::rank, axes, sizeof...(Axes));
  // Wrong axes have been refused by the reduction that this belongs to.
  return call<size_of, attributes<(mask < 0 ? 0 : mask)>>(x);
}
template <class X>
constexpr auto size_along(X x) {
  return size_along(x, axis<>);
}
template <class X>
constexpr auto size_along(X x, struct keep_dims) {
  return size_along(x, axis<>);
}

template <class>
inline constexpr bool is_axis_list = false;
template <int... Axes>
inline constexpr bool is_axis_list<axis_list<Axes...>> = true;

template <fixed_string Function, class X, int... Axes>
constexpr bool takes_option(axis_list<Axes...> axes) {
  return takes_axes<Function, X>(axes);
}
template <fixed_string Function, class X>
constexpr bool takes_option(struct keep_dims) {
  return true;
}

/// Whether a function of several ops takes an operand with these options of a reduction.
template <fixed_string Function, class X, class... Options>
constexpr bool takes_reduction() {
  if constexpr (!operand_like<X> || !((is_axis_list<Options> || std::is_same_v<Options, struct keep_dims>) && ...)) {
    refuse_as<name_the_axis_in_angle_brackets, in_function<Function>, Function + "($, axis<0>)", X, Options...>();
    return false;
  } else {
    return (takes_option<Function, X>(Options{}) && ...);
  }
}
}  // namespace detail

/// The arithmetic mean: NaN of nothing. Integers and bools are averaged as float32.
template <class X, class... Options>
constexpr auto mean(X x, Options... options) {
  if constexpr (!detail::takes_reduction<"mean", X, Options...>())
    return detail::refused(x);
  else if constexpr (is_floating(dtype_of<typename X::value_type>))
    return sum(x, options...) / detail::size_along(x, options...);
  else
    return mean(astype<float>(x), options...);
}

/// The mean squared distance from the mean (population variance: divided by n).
template <class X, class... Options>
constexpr auto variance(X x, Options... options) {
  if constexpr (!detail::takes_reduction<"variance", X, Options...>())
    return detail::refused(x);
  else if constexpr ((std::is_same_v<Options, struct keep_dims> || ...) || sizeof...(Options) == 0)
    return mean(square(x - mean(x, options...)), options...);
  else
    return mean(square(x - mean(x, options..., keep_dims)), options...);
}

}  // namespace etch
