// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/layer.hpp>

/// Layers that draw numbers in training, and in evaluation change nothing.
namespace etch::layers {

template <class Kind, class Number>
struct regularization_layer : detail::called_alone<regularization_layer<Kind, Number>> {
  static constexpr auto kind = Kind::kind;
  static constexpr bool keeps_steps = true;
  template <fixed_string Name, expression X, class Mode>
  constexpr auto call(X x, Mode) const {
    if constexpr (std::is_same_v<Mode, struct nn::training>)
      return Kind::template of<Name>(x, Number{});
    else
      return x;
  }
};

namespace detail {

struct dropout_kind {
  static constexpr fixed_string kind = "dropout";
  template <fixed_string Name, class X, class Rate>
  static constexpr auto of(X x, Rate rate) {
    return etch::dropout<Name>(x, rate);
  }
};
/// Draws of one number for each sample and channel.
struct spatial_dropout_kind {
  static constexpr fixed_string kind = "spatial_dropout";
  struct one_place {
    using where = etch::detail::rule_of<"layers::spatial_dropout">;
    static constexpr tensor_type shape(inference&, const tensor_type& x) {
      tensor_type r = x;
      for (int i = 1; i + 1 < r.rank; ++i) r.extents[i] = 1;
      return r;
    }
  };
  template <fixed_string Name, class X, class Rate>
  static constexpr auto of(X x, Rate rate) {
    const auto factors = etch::dropout<Name>(etch::detail::filled_by<one_place, typename X::value_type>(x, 1_c), rate);
    // A product alone would leave what is infinite or NaN.
    return where(factors == 0_c, 0_c, x * factors);
  }
};
struct gaussian_noise_kind {
  static constexpr fixed_string kind = "gaussian_noise";
  template <fixed_string Name, class X, class Deviation>
  static constexpr auto of(X x, Deviation deviation) {
    return x + deviation * random_normal<Name, typename X::value_type>(typename X::shape_type{});
  }
};
struct gaussian_dropout_kind {
  static constexpr fixed_string kind = "gaussian_dropout";
  template <fixed_string Name, class X, class Rate>
  static constexpr auto of(X x, Rate) {
    using T = typename X::value_type;
    const auto rate = Rate::template node<T>();
    return x * (1_c + sqrt(rate / (1_c - rate)) * random_normal<Name, T>(typename X::shape_type{}));
  }
};

}  // namespace detail

/// Zeroes a share of the elements and scales the others: `layers::dropout(0.4_c)`.
template <class Rate>
constexpr regularization_layer<detail::dropout_kind, Rate> dropout(Rate) {
  return {};
}
/// The same of whole channels (batch, axes..., channels) (Tompson and others 2015).
template <class Rate>
constexpr regularization_layer<detail::spatial_dropout_kind, Rate> spatial_dropout(Rate) {
  return {};
}
/// Adds normal numbers with that standard deviation.
template <class Deviation>
constexpr regularization_layer<detail::gaussian_noise_kind, Deviation> gaussian_noise(Deviation) {
  return {};
}
/// Multiplies by normal numbers of mean 1 and variance rate / (1 - rate) (Srivastava and others 2014).
template <class Rate>
constexpr regularization_layer<detail::gaussian_dropout_kind, Rate> gaussian_dropout(Rate) {
  return {};
}

}  // namespace etch::layers
