// SPDX-License-Identifier: MIT
#pragma once
#include <etch/nn/bias.hpp>

/// Layers: functions that declare their variables under a name.
namespace etch::nn {

namespace detail {
template <fixed_string Name>
struct embedding_names {
  using table = join<name_of<Name>, name_of<"/table">>;
};
}  // namespace detail

/// x (..., inputs) times the variable `Name/kernel` (inputs, Units), plus the variable `Name/bias` (Units). Behind x stand how kernel and bias
/// start, or `without_bias` in the place of the second.
template <fixed_string Name, int Units, expression X, class Kernel = struct initializers::glorot_uniform,
          class Bias = struct initializers::zeros>
constexpr auto dense(X x, Kernel = {}, Bias = {}) {
  if constexpr (!etch::detail::takes_dtypes<"nn::dense", dtype_set::floating, X>()) {
    return etch::detail::refused(x);
  } else if constexpr (X::rank < 2) {
    return etch::detail::refusal<rank_too_small, in_function<"nn::dense">, shown<X>>(x);
  } else {
    using T = typename X::value_type;
    constexpr auto inputs = extent_along<-1>(typename X::shape_type{});
    if constexpr (!std::is_integral_v<std::remove_cvref_t<decltype(inputs)>>) {
      return etch::detail::refusal<a_variable_cannot_have_a_named_extent, in_function<"nn::dense">, shown<X>>(x);
    } else {
      const auto kernel = detail::layer_variable<typename detail::product_names<Name>::kernel, T, Kernel>(shape<inputs, Units>{});
      const auto product = matmul(x, kernel);
      if constexpr (std::is_same_v<Bias, struct without_bias>) {
        return etch::detail::in_scope<name_of<Name>>(product, x);
      } else {
        const auto bias = detail::layer_variable<typename detail::product_names<Name>::bias, T, Bias>(shape<Units>{});
        return etch::detail::node_in_scope<name_of<Name>, struct add, T, typename decltype(product)::shape_type>(x, product, bias);
      }
    }
  }
}

/// The same with a kernel and a bias that are at hand: eager tensors and variables, or any expressions.
template <operand_like X, operand_like Kernel, operand_like Bias>
constexpr auto dense(X x, Kernel kernel, Bias bias) {
  return matmul(x, kernel) + bias;
}

/// `layer_norm` along the last axis with the variables `Name/scale` and `Name/offset` (width), which begin as 1 and 0. `epsilon` is
/// 1e-5 unless told.
template <fixed_string Name, expression X, class Epsilon = decltype(1e-5_c)>
constexpr auto layer_norm(X x, Epsilon epsilon = {}) {
  if constexpr (X::rank < 1) {
    return etch::detail::refusal<rank_too_small, in_function<"nn::layer_norm">, shown<X>>(x);
  } else {
    using T = typename X::value_type;
    constexpr auto width = extent_along<-1>(typename X::shape_type{});
    if constexpr (!std::is_integral_v<std::remove_cvref_t<decltype(width)>>) {
      return etch::detail::refusal<a_variable_cannot_have_a_named_extent, in_function<"nn::layer_norm">, shown<X>>(x);
    } else {
      const auto scale =
          detail::layer_variable<typename detail::norm_names<Name>::scale, T, struct initializers::ones>(shape<width>{});
      const auto offset =
          detail::layer_variable<typename detail::norm_names<Name>::offset, T, struct initializers::zeros>(shape<width>{});
      return etch::detail::in_scope<name_of<Name>>(etch::layer_norm(x, scale, offset, epsilon, axis<-1>), x, epsilon);
    }
  }
}

/// Rows of the variable `Name/table` (Rows, Width): of ids (...) the shape (..., Width). An id outside [0, Rows) is clamped as in
/// gather. The table begins uniform in [-0.05, 0.05), as Keras' does, and is of dtype T, float unless told.
template <fixed_string Name, int Rows, int Width, class T = float, expression I,
          class Table = decltype(initializers::uniform(-0.05_c, 0.05_c))>
constexpr auto embedding(I ids, Table = {}) {
  if constexpr (!is_integer(dtype_of<typename I::value_type>)) {
    raise<indices_are_not_integers, in_function<"nn::embedding">, shown<I>>();
    return ids;
  } else {
    const auto table = detail::layer_variable<typename detail::embedding_names<Name>::table, T, Table>(shape<Rows, Width>{});
    return etch::detail::in_scope<name_of<Name>>(gather(table, ids), ids);
  }
}

/// The same with a table that is at hand.
template <operand_like I, operand_like Table>
constexpr auto embedding(I ids, Table table) {
  return gather(table, ids);
}

namespace detail {
struct flat {
  using where = etch::detail::rule_of<"nn::flatten">;
  static constexpr tensor_type shape(inference& context, const tensor_type& x) {
    tensor_type r = x;
    if (x.rank < 1) return context.fail(reason::rank_too_small, x);
    r.rank = 2;
    r.extents[1] = 1;
    for (int i = 1; i < x.rank; ++i) r.extents[1] = context.extents.product(r.extents[1], x.extents[i]);
    return r;
  }
};
}  // namespace detail

/// x (batch, ...) as (batch, elements of each).
template <operand_like X>
constexpr auto flatten(X x) {
  return etch::detail::reshaped_by<detail::flat>(x);
}

template <fixed_string Name, int Units, class X, class... A>
  requires(!expression<X>)
constexpr auto dense(const X& x, const A&... a) {
  return etch::detail::refuse_function<this_call_has_the_wrong_arguments, "nn::dense",
                                       "nn::dense<\"" + Name + "\", " + digits<Units> + ">(x)">(x, a...);
}
ETCH_REFUSE_CALLS_AS("nn::dense", dense, name_the_layer_and_its_units_in_angle_brackets, "nn::dense<\"" + Name + "\", 4>($)",
                     fixed_string Name)
ETCH_REFUSE_CALLS_AS("nn::dense", dense, name_the_layer_and_its_units_in_angle_brackets,
                     "nn::dense<\"first\", " + digits<Units> + ">($)", int Units)
ETCH_REFUSE_CALLS_AS("nn::dense", dense, name_the_layer_and_its_units_in_angle_brackets,
                     "nn::dense<\"" + Name + "\", " + digits<Units> + ">($)", int Units, fixed_string Name)
ETCH_REFUSE_CALLS_AS("nn::dense", dense, name_the_layer_and_its_units_in_angle_brackets, "nn::dense<\"first\", 4>($)")

}  // namespace etch::nn
