// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/layer.hpp>
#include <etch/nn/trainable.hpp>

namespace etch {

namespace layers::detail {
/// Name / text, or text where there is no name.
template <fixed_string Name, fixed_string Text>
constexpr auto path() {
  if constexpr (Name.size == 0)
    return Text;
  else
    return Name / Text;
}
}  // namespace layers::detail

/// Layers one behind the other, as Keras's Sequential. The names of their variables are those of Keras: a layer is called by its kind, and
/// where several are of one kind `dense`, `dense_1`, `dense_2`. A sequence in another is a layer of the kind `sequential`, and its layers
/// are called `sequential/dense`. `net(x)` is the result for evaluation, `net(x, nn::training)` that for training, of the same
/// variables.
template <layers::layer_like... L>
struct sequential_layers {
  static constexpr fixed_string kind = "sequential";
  static constexpr int size = static_cast<int>(sizeof...(L));

  template <expression X, class Mode = struct nn::evaluation>
  constexpr auto operator()(X x, Mode mode = {}) const {
    return first_layers<size>(x, mode);
  }
  template <fixed_string Name, expression X, class Mode>
  constexpr auto call(X x, Mode mode) const {
    return scope<Name>([](auto, auto inner, auto m) { return run<Name, 0, size>(inner, m); }, x, mode);
  }
  /// The result of the first layers.
  template <int Count, expression X, class Mode = struct nn::evaluation>
  constexpr auto first_layers(X x, Mode mode = {}) const {
    return run<fixed_string(""), 0, Count>(x, mode);
  }
  /// A copy in which layer I is frozen: `freeze<0>()`.
  template <int I>
  constexpr auto freeze() const {
    return []<std::size_t... K>(std::index_sequence<K...>) {
      return sequential_layers<
          std::conditional_t<static_cast<int>(K) == I, layers::frozen_layer<layer_at<I>>, layer_at<static_cast<int>(K)>>...>{};
    }(std::index_sequence_for<L...>{});
  }
  /// The variables that are trained.
  static constexpr auto trained_variables() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (frozen_name<static_cast<int>(I)>() + ... + detail::variables_outside<>{});
    }(std::index_sequence_for<L...>{});
  }
  /// `dense_1`
  template <int I>
  static constexpr auto name() {
    constexpr auto kind_of_layer = layers::detail::kind_of<layer_at<I>>();
    constexpr int before = [] {
      int n = 0;
      for (int i = 0; i < I; ++i) n += kinds[i] == kinds[I] ? 1 : 0;
      return n;
    }();
    if constexpr (before == 0)
      return kind_of_layer;
    else
      return kind_of_layer + "_" + digits<static_cast<unsigned long long>(before)>;
  }

 private:
  template <int I>
  static constexpr auto frozen_name() {
    if constexpr (layers::detail::is_frozen<layer_at<I>>)
      return detail::variables_outside<name_of<name<I>()>>{};
    else
      return detail::variables_outside<>{};
  }
  static constexpr hash_t kinds[] = {hash_of(layers::detail::kind_of<L>().text, layers::detail::kind_of<L>().size)...};
  template <int I>
  using layer_at = std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<L...>>;

  template <fixed_string Prefix, int I, int Count, expression X, class Mode>
  static constexpr auto run(X x, Mode mode) {
    if constexpr (I == Count)
      return x;
    else
      return run<Prefix, I + 1, Count>(layers::detail::call<layers::detail::path<Prefix, name<I>()>()>(layer_at<I>{}, x, mode),
                                       mode);
  }
};

/// `sequential(layers::dense<100>(layers::relu), layers::dropout(0.4_c), layers::dense<10>)`.
template <layers::layer_like... L>
  requires(sizeof...(L) > 0)
constexpr sequential_layers<L...> sequential(L...) {
  return {};
}

}  // namespace etch
