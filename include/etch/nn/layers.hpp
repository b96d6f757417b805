// SPDX-License-Identifier: MIT
#pragma once
#include <etch/nn/initializers.hpp>

/// Layers: functions that declare their variables under a name.
namespace etch::nn {

namespace detail {
/// The names of a layer's variables. Not in the function: nvcc loses literals that stand inside a nested `if constexpr`.
template <fixed_string Name>
struct dense_names {
  using kernel = join<name_of<Name>, name_of<"/kernel">>;
  using bias = join<name_of<Name>, name_of<"/bias">>;
};
}  // namespace detail

/// x (..., inputs) times the variable `Name/kernel` (inputs, Units), plus the variable `Name/bias` (Units).
template <fixed_string Name, int Units, expression X, class Kernel = struct initializers::glorot_uniform,
          class Bias = struct initializers::zeros>
constexpr auto dense(X x, Kernel = {}, Bias = {}) {
  if constexpr (!etch::detail::takes_dtypes<"nn::dense", dtype_set::floating, X>()) {
    return x;
  } else if constexpr (X::rank < 2) {
    raise<rank_too_small, in_function<"nn::dense">, shown<X>>();
    return x;
  } else {
    using T = typename X::value_type;
    constexpr auto inputs = extent_along<-1>(typename X::shape_type{});
    if constexpr (!std::is_integral_v<std::remove_cvref_t<decltype(inputs)>>) {
      raise<a_variable_cannot_have_a_named_extent, in_function<"nn::dense">, shown<X>>();
      return x;
    } else {
      using kernel_name = typename detail::dense_names<Name>::kernel;
      using bias_name = typename detail::dense_names<Name>::bias;
      const auto kernel =
          etch::detail::make_variable<kernel_name, etch::detail::variable_use::trained>(Kernel::template make<kernel_name, T>(shape<inputs, Units>{}));
      const auto bias = etch::detail::make_variable<bias_name, etch::detail::variable_use::trained>(Bias::template make<bias_name, T>(shape<Units>{}));
      return matmul(x, kernel) + bias;
    }
  }
}

namespace detail {
/// What is to be written of a layer whose name or number of units is missing or stands elsewhere.
template <fixed_string Instead, class... A>
constexpr auto refuse_dense(const A&... a) {
  return etch::detail::refuse_function<name_the_layer_and_its_units_in_angle_brackets, "nn::dense", Instead>(a...);
}
}  // namespace detail
template <fixed_string Name, int Units, class X, class... A>
  requires(!expression<X>)
constexpr auto dense(const X& x, const A&... a) {
  return etch::detail::refuse_function<this_call_has_the_wrong_arguments, "nn::dense", "nn::dense<\"" + Name + "\", " + digits<Units> + ">(x)">(x, a...);
}
template <fixed_string Name, class... A>
constexpr auto dense(const A&... a) {
  return detail::refuse_dense<"nn::dense<\"" + Name + "\", 4>($)">(a...);
}
template <int Units, class... A>
constexpr auto dense(const A&... a) {
  return detail::refuse_dense<"nn::dense<\"first\", " + digits<Units> + ">($)">(a...);
}
template <int Units, fixed_string Name, class... A>
constexpr auto dense(const A&... a) {
  return detail::refuse_dense<"nn::dense<\"" + Name + "\", " + digits<Units> + ">($)">(a...);
}
template <class... A>
constexpr auto dense(const A&... a) {
  return detail::refuse_dense<"nn::dense<\"first\", 4>($)">(a...);
}

}  // namespace etch::nn
