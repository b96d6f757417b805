// SPDX-License-Identifier: MIT
#pragma once
#include <etch/nn/batch_norm.hpp>

/// Layers as objects without a name of their own: what a model gives them (`etch::sequential`). They are empty: a variable belongs to the
/// expression that a call makes, and its value to a session or a function.
namespace etch::layers {

/// What has a `kind`, of which names are made (`dense`, `dense_1`), and `call<Name>(x, mode)`, an expression whose variables have names
/// under Name. The mode is `nn::training` or `nn::evaluation`.
template <class L>
concept layer = requires { L::kind.text; };

/// What a model may be made of: layers; functions of an expression; functions of a scope and an expression, which name their variables
/// `in / "kernel"`.
template <class L>
concept layer_like = std::is_empty_v<L> && std::is_default_constructible_v<L>;

/// A layer that keeps what it has: a model does not train its variables, and it is called as in evaluation, so that a `batch_norm` keeps its
/// averages. `frozen(layers::dense<4>)` has the name of what it is made of.
template <layer L>
struct frozen_layer {
  static constexpr auto kind = L::kind;
  static constexpr bool is_frozen = true;
  template <fixed_string Name, expression X, class Mode>
  constexpr auto call(X x, Mode) const {
    return L{}.template call<Name>(x, nn::evaluation);
  }
};
template <layer L>
constexpr frozen_layer<L> frozen(L) {
  return {};
}

namespace detail {

template <class L>
inline constexpr bool is_frozen = requires { L::is_frozen; };

/// One layer's result. A function is called with the scope where it takes one.
template <fixed_string Name, class L, expression X, class Mode>
constexpr auto call(L l, X x, Mode mode) {
  if constexpr (layer<L>)
    return l.template call<Name>(x, mode);
  else if constexpr (std::is_invocable_v<L, X>)
    return l(x);
  else
    return scope<Name>(l, x);
}

/// The kind of a layer; of a function `layer`.
template <class L>
constexpr auto kind_of() {
  if constexpr (layer<L>)
    return L::kind;
  else
    return fixed_string("layer");
}

/// What is called on an expression by itself is a layer that has the name of its kind.
template <class Derived>
struct called_alone {
  template <expression X, class Mode = struct nn::evaluation>
  constexpr auto operator()(X x, Mode mode = {}) const {
    return static_cast<const Derived&>(*this).template call<Derived::kind>(x, mode);
  }
};

}  // namespace detail

/// A layer without variables, from a function of an expression: `layers::relu`.
template <class F>
struct function_layer {
  template <expression X>
  constexpr auto operator()(X x) const {
    return F::of(x);
  }
};

#define ETCH_ACTIVATION(NAME)       \
  namespace detail {                \
  struct NAME##_function {          \
    template <class X>              \
    static constexpr auto of(X x) { \
      return etch::NAME(x);         \
    }                               \
  };                                \
  }                                 \
  inline constexpr function_layer<detail::NAME##_function> NAME{};
ETCH_ACTIVATION(relu)
ETCH_ACTIVATION(sigmoid)
ETCH_ACTIVATION(tanh)
ETCH_ACTIVATION(softplus)
#undef ETCH_ACTIVATION

namespace detail {
struct softmax_function {
  template <class X>
  static constexpr auto of(X x) {
    return etch::softmax(x, axis<-1>);
  }
};
struct identity_function {
  template <class X>
  static constexpr auto of(X x) {
    return x;
  }
};
}  // namespace detail
/// Along the last axis.
inline constexpr function_layer<detail::softmax_function> softmax{};
inline constexpr function_layer<detail::identity_function> identity{};

}  // namespace etch::layers
