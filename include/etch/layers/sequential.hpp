// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string_view>

#include <etch/layers/masks.hpp>
#include <etch/nn/trainable.hpp>

namespace etch {

/// Layers one behind the other, as Keras's Sequential. The names of their variables are those of Keras: a layer is called by its kind, and
/// where several are of one kind `dense`, `dense_1`, `dense_2`. A sequence in another is a layer of the kind `sequential`, and its layers
/// are called `sequential/dense`. `net(x)` is the result for evaluation, `net(x, nn::training)` that for training, of the same
/// variables.
template <layers::layer_like... L>
struct sequential_layers {
  static constexpr fixed_string kind = "sequential";
  static constexpr int size = static_cast<int>(sizeof...(L));
  static constexpr bool sees_masks = true;
  template <int I>
  using layer_at = std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<L...>>;

  template <expression X, class Mode = struct nn::evaluation>
  constexpr auto operator()(X x, Mode mode = {}) const {
    return first_layers<size>(x, mode);
  }
  template <class X, class... A>
    requires evaluated<X>
  constexpr auto operator()(const X& x, const A&...) const {
    return layers::detail::refuse_tensor<kind>(x);
  }
  template <fixed_string Name, expression X, class Mode>
  constexpr auto call(X x, Mode mode) const {
    return call_masked<Name>(x, mode, layers::detail::no_mask{}).y;
  }
  template <fixed_string Name, expression X, class Mode, class Mask>
  constexpr auto call_masked(X x, Mode mode, Mask mask) const {
    const auto made = run<Name, 0, size>(x, mode, mask);
    return layers::detail::masked{etch::detail::in_scope<name_of<Name>>(made.y, x, mode), made.mask};
  }
  /// Which steps of the result are seen; `layers::detail::no_mask` where no layer has made a mask or one has ended it.
  template <expression X, class Mode = struct nn::evaluation>
  constexpr auto mask(X x, Mode mode = {}) const {
    return run<fixed_string(""), 0, size>(x, mode, layers::detail::no_mask{}).mask;
  }
  /// The result of the first layers.
  template <int Count, expression X, class Mode = struct nn::evaluation>
  constexpr auto first_layers(X x, Mode mode = {}) const {
    return run<fixed_string(""), 0, Count>(x, mode, layers::detail::no_mask{}).y;
  }
  /// A copy in which layer I is frozen: `freeze<0>()`.
  template <int I>
  constexpr auto freeze() const {
    return []<std::size_t... K>(std::index_sequence<K...>) {
      return sequential_layers<
          std::conditional_t<static_cast<int>(K) == I, layers::frozen_layer<layer_at<I>>, layer_at<static_cast<int>(K)>>...>{};
    }(std::index_sequence_for<L...>{});
  }
  /// The layer of that name: `freeze<"dense_1">()`. Those of a sequence in this one are not looked at.
  template <fixed_string Name>
  constexpr auto freeze() const {
    constexpr int found = index_of<Name>();
    if constexpr (found < 0) {
      refuse_name<Name>(std::index_sequence_for<L...>{});
      return *this;
    } else {
      return freeze<found>();
    }
  }
  /// The variables that are trained, under a name.
  template <fixed_string Name>
  static constexpr auto trained_variables() {
    return layers::detail::trained_variables_of<Name, L...>();
  }
  /// The layers, and a copy of one: `net.layer<0>()`.
  static constexpr std::tuple<L...> layers() { return {}; }
  template <int I>
  static constexpr layer_at<I> layer() {
    return {};
  }
  /// `dense_1`
  template <int I>
  static constexpr auto name() {
    return layers::detail::layer_names<L...>::template name<I>();
  }
  /// All of them, in order.
  static constexpr std::array<const char*, sizeof...(L)> layer_names() {
    return []<std::size_t... K>(std::index_sequence<K...>) {
      return std::array{static_cast<const char*>(name_of<name<static_cast<int>(K)>()>::text)...};
    }(std::index_sequence_for<L...>{});
  }

 private:
  /// -1: there is none.
  template <fixed_string Name>
  static constexpr int index_of() {
    constexpr auto names = layer_names();
    for (int i = 0; i < size; ++i)
      if (std::string_view(names[static_cast<std::size_t>(i)]) == std::string_view(Name.text, Name.size)) return i;
    return -1;
  }
  template <fixed_string Name, std::size_t... K>
  static constexpr void refuse_name(std::index_sequence<K...>) {
    raise<no_layer_of_this_sequence_has_this_name, layer_named<Name>, expected<layer_named<name<static_cast<int>(K)>()>...>>();
  }
  template <fixed_string Prefix, int I, int Count, class X, class Mode, class Mask>
  static constexpr auto run(X x, Mode mode, Mask mask) {
    if constexpr (I == Count) {
      return layers::detail::masked{x, mask};
    } else {
      const auto made = layers::detail::call_masked<layers::detail::path<Prefix, name<I>()>()>(layer_at<I>{}, x, mode, mask);
      return run<Prefix, I + 1, Count>(made.y, mode, made.mask);
    }
  }
};

/// `sequential(layers::dense<100>(layers::relu), layers::dropout(0.4_c), layers::dense<10>)`.
template <layers::layer_like... L>
  requires(sizeof...(L) > 0)
constexpr sequential_layers<L...> sequential(L...) {
  return {};
}

}  // namespace etch
