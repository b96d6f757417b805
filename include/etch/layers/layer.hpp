// SPDX-License-Identifier: MIT
#pragma once
#include <etch/nn/batch_norm.hpp>
#include <etch/nn/trainable.hpp>

/// Layers as objects without a name of their own: what a model gives them (`etch::sequential`). They are empty: a variable belongs to the
/// expression that a call makes, and its value to a session or a function.
namespace etch::layers {

/// What has a `kind`, of which names are made (`dense`, `dense_1`), and `call<Name>(x, mode)`, an expression whose variables have names
/// under Name. The mode is `nn::training` or `nn::evaluation`; behind it stands what a layer takes besides, such as a first state.
template <class L>
concept layer = requires { L::kind.text; };

template <class M>
concept mode = std::is_same_v<M, struct nn::training> || std::is_same_v<M, struct nn::evaluation>;

/// What a model may be made of: layers; functions of an expression; functions of a scope and an expression, which name their variables
/// `in / "kernel"`; functions of a scope, an expression and the mode.
template <class L>
concept layer_like = std::is_empty_v<L> && std::is_default_constructible_v<L>;

/// What a layer may apply to what it has computed: what has neither variables nor a mode.
template <class A>
concept activation = layer_like<A> && !layer<A>;

namespace detail {

/// The variables that a model trains of a layer L by that name: all but those of frozen layers.
template <fixed_string Name, class L>
constexpr auto trained_variables_in() {
  if constexpr (requires { L::template trained_variables<Name>(); })
    return L::template trained_variables<Name>();
  else
    return etch::detail::variables_outside<>{};
}

template <fixed_string Function, class X>
constexpr const X& refuse_tensor(const X& x) {
  raise<variables_of_layers_belong_to_sessions_and_functions_call_the_layer_in_one, in_function<Function>,
        typename etch::detail::shown_argument<X>::type>();
  return x;
}

/// What is called on an expression by itself is a layer that has the name of its kind.
template <class Derived>
struct called_alone {
  /// Without arguments it is itself, so that it may be written as in Keras: `gru<16>()`.
  constexpr Derived operator()() const { return {}; }
  template <expression X, class... A>
  constexpr auto operator()(X x, A... a) const {
    return static_cast<const Derived&>(*this).template call<Derived::kind>(x, nn::evaluation, a...);
  }
  template <expression X, mode Mode, class... A>
  constexpr auto operator()(X x, Mode m, A... a) const {
    return static_cast<const Derived&>(*this).template call<Derived::kind>(x, m, a...);
  }
  template <class X, class... A>
    requires evaluated<X>
  constexpr auto operator()(const X& x, const A&...) const {
    return refuse_tensor<"layers::" + Derived::kind>(x);
  }
};
/// Under which name a network's variables are where it is called by itself: those of a sequence or a function under none.
template <class Net>
constexpr auto path_alone() {
  if constexpr (std::is_base_of_v<called_alone<Net>, Net>)
    return Net::kind;
  else
    return fixed_string("");
}

}  // namespace detail

namespace detail {
template <fixed_string Name, class L, class X, class Mode, class Mask>
constexpr auto call_masked(L l, X x, Mode mode, Mask mask);
}  // namespace detail

/// A layer that keeps what it has: a model does not train its variables where it stands in a sequence or in layers made of layers, and it is
/// called as in evaluation, so that a `batch_norm` keeps its averages. `frozen(layers::dense<4>)` has the name of what it is made of.
template <layer L>
struct frozen_layer : detail::called_alone<frozen_layer<L>> {
  static constexpr auto kind = L::kind;
  static constexpr bool sees_masks = true;
  template <fixed_string Name, expression X, class Mode, class... A>
  constexpr auto call(X x, Mode, A... a) const {
    return L{}.template call<Name>(x, nn::evaluation, a...);
  }
  template <fixed_string Name, expression X, class Mode, class Mask>
  constexpr auto call_masked(X x, Mode, Mask mask) const {
    return detail::call_masked<Name>(L{}, x, nn::evaluation, mask);
  }
  template <fixed_string Name>
  static constexpr auto trained_variables() {
    return etch::variables_outside<Name>;
  }
};
template <layer L>
constexpr frozen_layer<L> frozen(L) {
  return {};
}

/// A layer by a name of its own, Keras's `name=`: `sequential(layers::named<"logits">(layers::dense<10>))`. In a function of a scope it says
/// whose the variables are: `layers::named<in / "inner">(layers::dense<64>)(h, mode)`.
template <fixed_string Name, layer L>
struct named_layer : detail::called_alone<named_layer<Name, L>> {
  static constexpr auto kind = Name;
  static constexpr bool sees_masks = true;
  template <fixed_string Path, expression X, class Mode, class... A>
  constexpr auto call(X x, Mode m, A... a) const {
    return L{}.template call<Path>(x, m, a...);
  }
  template <fixed_string Path, expression X, class Mode, class Mask>
  constexpr auto call_masked(X x, Mode m, Mask mask) const {
    return detail::call_masked<Path>(L{}, x, m, mask);
  }
  template <fixed_string Path>
  static constexpr auto trained_variables() {
    return detail::trained_variables_in<Path, L>();
  }
};
template <fixed_string Name, layer L>
constexpr named_layer<Name, L> named(L) {
  return {};
}

namespace detail {

/// Behind a layer that gives a tuple.
template <fixed_string Name, class First, class... More>
constexpr First refuse_several(std::tuple<First, More...> values) {
  raise<a_layer_behind_one_that_gives_several_values_takes_one, variable_named<Name>, shown<First>, shown<More>...>();
  return std::get<0>(values);
}

/// One layer's result. A function is called with the scope where it takes one.
template <fixed_string Name, class L, class X, class Mode>
constexpr auto call(L l, X x, Mode mode) {
  if constexpr (!expression<X>)
    return refuse_several<Name>(x);
  else if constexpr (layer<L>)
    return l.template call<Name>(x, mode);
  else if constexpr (std::is_invocable_v<L, X>)
    return l(x);
  else if constexpr (std::is_invocable_v<L, scope_path<name_of<Name>>, X, Mode>)
    return scope<Name>(l, x, mode);
  else
    return scope<Name>(l, x);
}

/// Whether a layer can see x as sequences (batch, steps, features).
template <fixed_string Function, expression X>
constexpr bool takes_sequence() {
  if constexpr (!etch::detail::takes_dtypes<Function, dtype_set::floating, X>())
    return false;
  else if constexpr (X::rank != 3)
    return raise<a_sequence_has_a_batch_steps_and_features, in_function<Function>, shown<X>>();
  else if constexpr (!std::is_integral_v<std::remove_cvref_t<decltype(extent_along<-1>(typename X::shape_type{}))>>)
    return raise<a_variable_cannot_have_a_named_extent, in_function<Function>, shown<X>>();
  else
    return true;
}

/// The kind of a layer; of a function `layer`.
template <class L>
constexpr auto kind_of() {
  if constexpr (layer<L>)
    return L::kind;
  else
    return fixed_string("layer");
}

/// What layers in one place are called: `dense`, and where several are of one kind `dense`, `dense_1`, `dense_2`. One that is called so by
/// `named` is refused: both would have the same variables.
template <class... L>
struct layer_names {
  template <int I>
  static constexpr auto name() {
    constexpr auto kind = kind_of<std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<L...>>>();
    constexpr int before = [] {
      int n = 0;
      for (int i = 0; i < I; ++i) n += kinds[i] == kinds[I] ? 1 : 0;
      return n;
    }();
    if constexpr (before == 0) {
      return kind;
    } else {
      constexpr auto numbered = kind + "_" + digits<static_cast<unsigned long long>(before)>;
      // Numbered names and kinds differ among themselves.
      if constexpr (is_kind(hash_of(numbered.text, numbered.size)))
        raise<two_layers_in_one_place_have_this_name, layer_named<numbered>>();
      return numbered;
    }
  }

 private:
  static constexpr bool is_kind(hash_t name) {
    for (const hash_t kind : kinds)
      if (kind == name) return true;
    return false;
  }
  static constexpr hash_t kinds[sizeof...(L)] = {hash_of(kind_of<L>().text, kind_of<L>().size)...};
};
/// Name / text, or text where there is no name.
template <fixed_string Name, fixed_string Text>
constexpr auto path() {
  if constexpr (Name.size == 0)
    return Text;
  else
    return Name / Text;
}
/// The variables that are trained of all layers in one place.
template <fixed_string Name, class... L>
constexpr auto trained_variables_of() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return (trained_variables_in<path<Name, layer_names<L...>::template name<static_cast<int>(I)>()>(), L>() + ... +
            etch::detail::variables_outside<>{});
  }(std::index_sequence_for<L...>{});
}

}  // namespace detail

/// A layer without variables, from a function of an expression or an eager tensor, and perhaps numbers or options: `layers::relu`,
/// `layers::elu(0.5_c)`, `layers::max_pool2d<3>(strides<2>)`.
template <class F, class... Options>
struct function_layer {
  template <class X, class... A>
  constexpr auto operator()(X x, A...) const {
    if constexpr (etch::detail::is_literal<X> || (!operand_like<X> && std::is_empty_v<X>))
      return function_layer<F, X, A...>{};
    else
      return F::of(x, Options{}...);
  }
};

}  // namespace etch::layers
