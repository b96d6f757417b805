// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/joining.hpp>
#include <etch/ops/repetition.hpp>

/// What `pad` puts around an array beside zeros: a number, its outermost elements, or its reflection.
namespace etch {

namespace detail {

/// What lies before, or behind, x along an axis.
template <int Axis, std::int64_t Count, bool Behind, operand_like X, class Filling>
constexpr auto margin(X x, Filling filling) {
  using to = with_extent<Axis, Count, rule_of<"pad">>;
  constexpr bool reflects = std::is_same_v<Filling, struct reflect>, repeats = std::is_same_v<Filling, struct edge>;
  if constexpr (!reflects && !repeats) {
    return filled_by<to, typename X::value_type>(x, filling);
  } else {
    const auto from_end = [&] {
      if constexpr (Behind)
        return flip(x, axis<Axis>);
      else
        return x;
    }();
    if constexpr (repeats)
      return repeated_by<to>(part_along<Axis, 0, 1>(from_end));
    else if constexpr (Behind)
      return part_along<Axis, 1, Count + 1>(from_end);
    else
      return flip(part_along<Axis, 1, Count + 1>(from_end), axis<Axis>);
  }
}

/// Whether x has as many elements along an axis as a margin is made of; of named extents that shows when data is fed.
template <int Axis, std::int64_t Count, class Filling, operand_like X>
constexpr bool reaches(X x) {
  constexpr std::int64_t needed = Count == 0                                ? 0
                                  : std::is_same_v<Filling, struct reflect> ? Count + 1
                                  : std::is_same_v<Filling, struct edge>    ? 1
                                                                            : 0;
  if constexpr (evaluated<X>) {
    if (x.extent(Axis) < needed) fail("pad: axis %d has too few elements for what is put around them", Axis);
    return true;
  } else {
    constexpr auto extent = extent_along<Axis>(typename X::shape_type{});
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(extent)>>)
      return extent >= needed;
    else
      return true;
  }
}

template <int Axis, operand_like X, class Filling>
constexpr auto pad_along(X x, Filling) {
  return x;
}
template <int Axis, operand_like X, class Filling, std::int64_t Before, std::int64_t After, class... More>
constexpr auto pad_along(X x, Filling filling, padding_of<Before, After>, More... more) {
  if constexpr (Before < 0 || After < 0) {
    return detail::refusal<padding_is_negative, in_op<struct pad>, shown<X>, padding_of<Before, After>>(x);
  } else if constexpr (Before == 0 && After == 0) {
    return pad_along<Axis + 1>(x, filling, more...);
  } else {
    constexpr std::int64_t larger = Before > After ? Before : After;
    if constexpr (!evaluated<X> && !reaches<Axis, larger, Filling>(X{})) {
      return detail::refusal<slice_out_of_range, in_op<struct pad>, shown<X>, padding_of<Before, After>>(x);
    } else {
      reaches<Axis, larger, Filling>(x);
      const auto joined = [&] {
        if constexpr (After == 0)
          return concat(axis<Axis>, margin<Axis, Before, false>(x, filling), x);
        else if constexpr (Before == 0)
          return concat(axis<Axis>, x, margin<Axis, After, true>(x, filling));
        else
          return concat(axis<Axis>, margin<Axis, Before, false>(x, filling), x, margin<Axis, After, true>(x, filling));
      }();
      return pad_along<Axis + 1>(joined, filling, more...);
    }
  }
}

/// The arguments of `pad` behind x: `Paddings` of them, then what x is padded with, which is brought to the front.
template <int Paddings, operand_like X, class First, class... Rest>
constexpr auto pad_with_last(X x, First first, Rest... rest) {
  if constexpr (Paddings > 0)
    return pad_with_last<Paddings - 1>(x, rest..., first);
  else if constexpr (sizeof...(Rest) != X::rank)
    return detail::refusal<rank_too_small, in_op<struct pad>, shown<X>>(x);
  else
    return pad_along<0>(x, first, rest...);
}

}  // namespace detail

}  // namespace etch
