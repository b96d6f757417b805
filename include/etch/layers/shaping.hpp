// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/masks.hpp>
#include <etch/nn/layers.hpp>
#include <etch/ops/padding.hpp>

/// Layers that move elements, and means and maxima over all places. Arrays are (batch, ...), images (batch, axes..., channels).
namespace etch::layers {

namespace detail {

struct flatten_function {
  template <class X>
  static constexpr auto of(X x) {
    return nn::flatten(x);
  }
};

template <auto... E>
struct reshape_function {
  struct rule {
    using where = etch::detail::rule_of<"layers::reshape">;
    static constexpr tensor_type shape(inference& context, const tensor_type& x) {
      if (x.rank < 1) return context.fail(reason::rank_too_small, x);
      constexpr extent_value extents[] = {E..., 1};
      tensor_type r = x;
      r.rank = 1 + static_cast<int>(sizeof...(E));
      for (int i = 1; i < r.rank; ++i) r.extents[i] = extents[i - 1];
      return etch::reshape.resolve(context, x, r);
    }
  };
  template <class X>
  static constexpr auto of(X x) {
    return etch::detail::reshaped_by<rule>(x);
  }
};

template <int... Axes>
struct permute_function {
  template <class X>
  static constexpr auto of(X x) {
    return transpose(x, axis<0, Axes...>);
  }
};
template <int Count>
struct repeat_vector_function {
  template <class X>
  static constexpr auto of(X x) {
    return repeat<Count>(expand_dims(x, axis<1>), axis<1>);
  }
};

/// P for each of the axes between the first and the last, or one for all of them.
template <class X, class F, class P, class... More>
constexpr auto for_inner_axes(F f, P p, More... more) {
  if constexpr (sizeof...(More) == 0)
    return [f, p]<int... I>(std::integer_sequence<int, I...>) {
      return f((I >= 0 ? p : p)...);
    }(std::make_integer_sequence<int, X::rank - 2>{});
  else
    return f(p, more...);
}
struct zero_padding_function {
  template <class X, class... P>
  static constexpr auto of(X x, P... p) {
    return for_inner_axes<X>([x](auto... each) { return pad(x, padding<0>, each..., padding<0>); }, p...);
  }
};

struct cropping_function {
  template <std::int64_t Before, std::int64_t After>
  static constexpr auto section_of(padding_of<Before, After>) {
    return section<Before, (After == 0 ? to_end : -After)>;
  }
  template <class X, class... P>
  static constexpr auto of(X x, P... p) {
    return for_inner_axes<X>([x](auto... each) { return slice(x, section<>, section_of(each)...); }, p...);
  }
};

template <int Axis, int Count, int... Counts>
struct up_sampling_function {
  template <class X>
  static constexpr auto of(X x) {
    const auto more = repeat<Count>(x, axis<Axis>);
    if constexpr (sizeof...(Counts) > 0)
      return up_sampling_function<Axis + 1, Counts...>::of(more);
    else
      return more;
  }
};

struct global_average_pool_function {
  template <class X>
  static constexpr auto of(X x) {
    return mean(x, etch::detail::inner_axes(std::make_integer_sequence<int, X::rank - 2>{}, axis<>));
  }
  template <expression X, expression M>
    requires(X::rank == 3)
  static constexpr auto of_seen(X x, M mask) {
    const auto seen = expand_dims(mask, axis<-1>);
    return sum(where(seen, x, 0_c), axis<1>) / sum(astype<typename X::value_type>(seen), axis<1>);
  }
};
struct global_max_pool_function {
  template <class X>
  static constexpr auto of(X x) {
    return max(x, etch::detail::inner_axes(std::make_integer_sequence<int, X::rank - 2>{}, axis<>));
  }
};

}  // namespace detail

/// x (batch, ...) as (batch, elements of each).
inline constexpr function_layer<detail::flatten_function> flatten{};
/// x (batch, ...) as (batch, Extents...): `layers::reshape<7, 7, 64>`, `layers::reshape<inferred, 64>`.
template <auto... Extents>
inline constexpr function_layer<detail::reshape_function<Extents...>> reshape{};
/// Axes in another order, counted from 1, behind the batch: `layers::permute<2, 1>`.
template <int... Axes>
inline constexpr function_layer<detail::permute_function<Axes...>> permute{};
/// x (batch, features) as (batch, Count, features).
template <int Count>
inline constexpr function_layer<detail::repeat_vector_function<Count>> repeat_vector{};
/// Zeros around the axes between batch and channels, so many before and behind: `layers::zero_padding(padding<1, 2>)`, or a padding for
/// each axis.
inline constexpr function_layer<detail::zero_padding_function> zero_padding{};
/// The same axes without so many elements before and behind: `layers::cropping(padding<1, 2>)`.
inline constexpr function_layer<detail::cropping_function> cropping{};
/// Each element so many times along each axis behind the batch: `layers::up_sampling<2, 2>` of images.
template <int... Counts>
inline constexpr function_layer<detail::up_sampling_function<1, Counts...>> up_sampling{};
/// The mean, and the largest element, of each channel over all places: x (batch, axes..., channels) as (batch, channels). Steps that a mask
/// hides are not in the mean.
inline constexpr function_layer<detail::global_average_pool_function> global_average_pool{};
inline constexpr function_layer<detail::global_max_pool_function> global_max_pool{};

/// A layer for each step of x (batch, steps, ...), by itself: Keras's TimeDistributed. Variables: `time_distributed/dense/kernel`.
template <layer_like L>
struct time_distributed_layer : detail::called_alone<time_distributed_layer<L>> {
  static constexpr fixed_string kind = "time_distributed";
  static constexpr bool keeps_steps = true;
  template <fixed_string Name, expression X, class Mode>
  constexpr auto call(X x, Mode mode) const {
    const auto y = detail::call<Name / detail::kind_of<L>()>(L{}, together(x, typename X::shape_type{}), mode);
    return etch::detail::in_scope<name_of<Name>>(apart<X>(y, typename decltype(y)::shape_type{}), x);
  }
  template <fixed_string Name>
  static constexpr auto trained_variables() {
    return detail::trained_variables_in<Name / detail::kind_of<L>(), L>();
  }

 private:
  struct first_two {
    using where = etch::detail::rule_of<"layers::time_distributed">;
    static constexpr tensor_type shape(inference& context, const tensor_type& x) {
      tensor_type r = x;
      if (x.rank < 3) return context.fail(reason::rank_too_small, x);
      --r.rank;
      r.extents[0] = context.extents.product(x.extents[0], x.extents[1]);
      for (int i = 1; i < r.rank; ++i) r.extents[i] = x.extents[i + 1];
      return r;
    }
  };
  template <class X, auto... E>
  static constexpr auto together(X x, shape<E...>) {
    return etch::detail::reshaped_by<first_two>(x);
  }
  template <class X, class Y, auto First, auto... E>
  static constexpr auto apart(Y y, shape<First, E...>) {
    using from = typename X::shape_type;
    return etch::reshape(y, shape<extent_along<0>(from{}), extent_along<1>(from{}), E...>{});
  }
};
template <layer_like L>
constexpr time_distributed_layer<L> time_distributed(L) {
  return {};
}

}  // namespace etch::layers
