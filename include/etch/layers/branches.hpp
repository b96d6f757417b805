// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/sequential.hpp>

/// Layers of one input side by side.
namespace etch::layers {

namespace detail {

struct added {
  static constexpr fixed_string kind = "add";
  template <class... Y>
  static constexpr auto of(Y... y) {
    return (y + ...);
  }
};
struct multiplied {
  static constexpr fixed_string kind = "multiply";
  template <class... Y>
  static constexpr auto of(Y... y) {
    return (y * ...);
  }
};
struct averaged {
  static constexpr fixed_string kind = "average";
  template <class... Y>
  static constexpr auto of(Y... y) {
    return (y + ...) / literal<static_cast<int>(sizeof...(Y))>;
  }
};
struct largest {
  static constexpr fixed_string kind = "maximum";
  template <class Y, class... More>
  static constexpr auto of(Y y, More... more) {
    if constexpr (sizeof...(More) == 0)
      return y;
    else
      return etch::maximum(y, of(more...));
  }
};
struct concatenated_branches {
  static constexpr fixed_string kind = "concatenate";
  template <class... Y>
  static constexpr auto of(Y... y) {
    return concat(axis<-1>, y...);
  }
};

/// Of several masks what all see; where there is none it says nothing.
template <class Mask, class... More>
constexpr auto all_seen(Mask mask, More... more) {
  if constexpr (sizeof...(More) == 0) {
    return mask;
  } else {
    const auto others = all_seen(more...);
    if constexpr (std::is_same_v<decltype(others), const no_mask> || std::is_same_v<decltype(others), const Mask>)
      return mask;
    else if constexpr (std::is_same_v<Mask, no_mask>)
      return others;
    else
      return logical_and(mask, others);
  }
}

}  // namespace detail

/// Layers of one x, and what is made of their results.
template <class Merge, layer_like... L>
struct branches_layer : detail::called_alone<branches_layer<Merge, L...>> {
  static constexpr auto kind = Merge::kind;
  static constexpr bool sees_masks = true;
  template <fixed_string Name, expression X, class Mode>
  constexpr auto call(X x, Mode mode) const {
    return call_masked<Name>(x, mode, detail::no_mask{}).y;
  }
  template <fixed_string Name, expression X, class Mode, class Mask>
  constexpr auto call_masked(X x, Mode mode, Mask mask) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return merged<Name>(
          x, detail::call_masked<Name / detail::layer_names<L...>::template name<static_cast<int>(I)>()>(L{}, x, mode, mask)...);
    }(std::index_sequence_for<L...>{});
  }
  template <fixed_string Name>
  static constexpr auto trained_variables() {
    return detail::trained_variables_of<Name, L...>();
  }

 private:
  template <fixed_string Name, class X, class... Made>
  static constexpr auto merged(X x, Made... made) {
    return detail::masked{etch::detail::in_scope<name_of<Name>>(Merge::of(made.y...), x), detail::all_seen(made.mask...)};
  }
};

/// The sum, product, mean or largest of the results, or these side by side along the last axis, of several layers of the same x:
/// `layers::add(layers::identity, sequential(layers::dense<64>, layers::relu))`. Variables: `add/sequential/dense/kernel`.
#define ETCH_BRANCHES(NAME, MERGE)                           \
  template <layer_like... L>                                 \
    requires(sizeof...(L) > 0)                               \
  constexpr branches_layer<detail::MERGE, L...> NAME(L...) { \
    return {};                                               \
  }
ETCH_BRANCHES(add, added)
ETCH_BRANCHES(multiply, multiplied)
ETCH_BRANCHES(average, averaged)
ETCH_BRANCHES(maximum, largest)
ETCH_BRANCHES(concatenate, concatenated_branches)
#undef ETCH_BRANCHES

/// x plus what layers one behind the other make of it (He and others 2016): `layers::residual(layers::layer_norm, layers::dense<64>)`.
/// Variables: `residual/dense/kernel`.
template <layer_like... L>
struct residual_layer : detail::called_alone<residual_layer<L...>> {
  static constexpr fixed_string kind = "residual";
  static constexpr bool sees_masks = true;
  template <fixed_string Name, expression X, class Mode>
  constexpr auto call(X x, Mode mode) const {
    return call_masked<Name>(x, mode, detail::no_mask{}).y;
  }
  template <fixed_string Name, expression X, class Mode, class Mask>
  constexpr auto call_masked(X x, Mode mode, Mask mask) const {
    const auto made = sequential_layers<L...>{}.template call_masked<Name>(x, mode, mask);
    return detail::masked{etch::detail::in_scope<name_of<Name>>(x + made.y, x), detail::all_seen(mask, made.mask)};
  }
  template <fixed_string Name>
  static constexpr auto trained_variables() {
    return detail::trained_variables_of<Name, L...>();
  }
};
template <layer_like... L>
  requires(sizeof...(L) > 0)
constexpr residual_layer<L...> residual(L...) {
  return {};
}

}  // namespace etch::layers
