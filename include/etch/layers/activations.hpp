// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/layer.hpp>

/// Activations of Keras as layers: in a sequence, or as an argument of one, `layers::dense<100>(layers::relu)`.
namespace etch::layers {

/// `NAME(x)` is EXPRESSION.
#define ETCH_ACTIVATION(NAME, EXPRESSION)     \
  namespace detail {                          \
  struct NAME##_function {                    \
    static constexpr bool keeps_steps = true; \
    template <class X>                        \
    static constexpr auto of(X x) {           \
      return EXPRESSION;                      \
    }                                         \
  };                                          \
  }                                           \
  inline constexpr function_layer<detail::NAME##_function> NAME{};
/// With a number, which may stand in the place of DEFAULT: `layers::NAME(0.3_c)`.
#define ETCH_ACTIVATION_OF(NAME, NUMBER, DEFAULT, EXPRESSION) \
  namespace detail {                                          \
  struct NAME##_function {                                    \
    static constexpr bool keeps_steps = true;                 \
    template <class X, class Number = decltype(DEFAULT)>      \
    static constexpr auto of(X x, Number NUMBER = {}) {       \
      return EXPRESSION;                                      \
    }                                                         \
  };                                                          \
  }                                                           \
  inline constexpr function_layer<detail::NAME##_function> NAME{};

ETCH_ACTIVATION(identity, x)
ETCH_ACTIVATION(relu, etch::relu(x))
ETCH_ACTIVATION(sigmoid, etch::sigmoid(x))
ETCH_ACTIVATION(tanh, etch::tanh(x))
ETCH_ACTIVATION(softplus, etch::softplus(x))
ETCH_ACTIVATION(exponential, etch::exp(x))
ETCH_ACTIVATION(gelu, etch::gelu(x))
ETCH_ACTIVATION(silu, etch::silu(x))
ETCH_ACTIVATION(mish, x* etch::tanh(etch::softplus(x)))
ETCH_ACTIVATION(relu6, etch::clip(x, 0_c, 6_c))
ETCH_ACTIVATION(softsign, x / (etch::abs(x) + 1_c))
ETCH_ACTIVATION(log_sigmoid, -etch::softplus(-x))
ETCH_ACTIVATION(hard_sigmoid, etch::clip(x + 3_c, 0_c, 6_c) / 6_c)
ETCH_ACTIVATION(hard_silu, x*(etch::clip(x + 3_c, 0_c, 6_c) / 6_c))
ETCH_ACTIVATION(hard_tanh, etch::clip(x, -1_c, 1_c))
ETCH_ACTIVATION(tanh_shrink, x - etch::tanh(x))
/// Along the last axis.
ETCH_ACTIVATION(softmax, etch::softmax(x, axis<-1>))
ETCH_ACTIVATION(log_softmax, etch::log_softmax(x, axis<-1>))

ETCH_ACTIVATION_OF(leaky_relu, slope, 0.2_c, where(x > 0_c, x, x* slope))
ETCH_ACTIVATION_OF(elu, alpha, 1_c, where(x > 0_c, x, alpha* etch::expm1(x)))
ETCH_ACTIVATION_OF(celu, alpha, 1_c, where(x > 0_c, x, alpha* etch::expm1(x / alpha)))
ETCH_ACTIVATION_OF(hard_shrink, threshold, 0.5_c, where(etch::abs(x) > threshold, x, 0_c))
ETCH_ACTIVATION_OF(soft_shrink, threshold, 0.5_c, etch::sign(x) * etch::maximum(etch::abs(x) - threshold, 0_c))
ETCH_ACTIVATION_OF(squareplus, b, 4_c, (x + etch::sqrt(square(x) + b)) * 0.5_c)
/// Klambauer and others 2017: 1.0507 * elu(x, 1.67326).
ETCH_ACTIVATION(selu, 1.050700987355480_c * where(x > 0_c, x, 1.673263242354377_c * etch::expm1(x)))
ETCH_ACTIVATION(sparse_plus, where(x >= 1_c, x, etch::square(etch::maximum(x + 1_c, 0_c)) * 0.25_c))
ETCH_ACTIVATION(sparse_sigmoid, etch::clip(0.5_c * (x + 1_c), 0_c, 1_c))
#undef ETCH_ACTIVATION
#undef ETCH_ACTIVATION_OF

namespace detail {
struct threshold_function {
  static constexpr bool keeps_steps = true;
  template <class X, class Threshold, class Value = decltype(0_c)>
  static constexpr auto of(X x, Threshold threshold, Value value = {}) {
    return where(x > threshold, x, value);
  }
};
struct glu_function {
  static constexpr bool keeps_steps = true;
  template <class X>
  static constexpr auto of(X x) {
    const auto [a, b] = split<2>(x, axis<-1>);
    return a * etch::sigmoid(b);
  }
};
struct sparsemax_function {
  static constexpr bool keeps_steps = true;
  template <class X>
  static constexpr auto of(X x) {
    const auto sorted = sort(x, axis<-1>, descending);
    const auto place = etch::detail::numbers_along<typename X::value_type, -1>(x) + 1_c;
    const auto is_kept = place * sorted + 1_c > cumsum(sorted, axis<-1>);
    const auto kept = sum(astype<typename X::value_type>(is_kept), axis<-1>, keep_dims);
    return etch::maximum(x - (sum(where(is_kept, sorted, 0_c), axis<-1>, keep_dims) - 1_c) / kept, 0_c);
  }
};
template <fixed_string Name>
struct prelu_names {
  using alpha = join<name_of<Name>, name_of<"/alpha">>;
};
}  // namespace detail
/// x where it is above a number, else another, 0 unless told: `layers::threshold(0.5_c, 2_c)`.
inline constexpr function_layer<detail::threshold_function> threshold{};
/// The first half of the features times the sigmoid of the second (Dauphin and others 2017).
inline constexpr function_layer<detail::glu_function> glu{};
/// The nearest point whose coordinates are probabilities (Martins, Astudillo 2016), along the last axis.
inline constexpr function_layer<detail::sparsemax_function> sparsemax{};

/// x where it is positive, else x times the variable `alpha`, which has a number for each element of a sample and begins as 0.
inline constexpr struct prelu_layer : detail::called_alone<prelu_layer> {
  static constexpr fixed_string kind = "prelu";
  static constexpr bool keeps_steps = true;
  template <fixed_string Name, expression X, class Mode>
  constexpr auto call(X x, Mode) const {
    return []<auto Batch, auto... E>(X all, shape<Batch, E...>) {
      const auto alpha =
          nn::detail::layer_variable<typename detail::prelu_names<Name>::alpha, typename X::value_type, struct initializers::zeros>(
              shape<E...>{});
      return etch::detail::in_scope<name_of<Name>>(where(all > 0_c, all, alpha * all), all);
    }(x, typename X::shape_type{});
  }
} prelu;

}  // namespace etch::layers
