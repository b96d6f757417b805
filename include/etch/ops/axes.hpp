// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/movement.hpp>

/// Axes that are exchanged, added and taken away.
namespace etch {

/// x with its last two axes exchanged: the matrices of a stack, transposed.
template <operand_like X>
  requires(!any_handle<X>)
constexpr auto matrix_transpose(X x) {
  if constexpr (X::rank < 2) {
    return detail::refusal<rank_too_small, in_function<"matrix_transpose">, shown<X>>(x);
  } else {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return transpose(x, axis<(I < X::rank - 2 ? I : 2 * X::rank - 3 - I)...>);
    }(std::make_integer_sequence<int, X::rank>{});
  }
}
ETCH_REFUSE_CALLS(matrix_transpose, this_call_has_the_wrong_arguments, "matrix_transpose($)")
template <handle V>
constexpr V matrix_transpose(V x) {
  words w;
  const int rank = x.type().rank;
  for (int i = 0; i < rank; ++i) w.push_back(i < rank - 2 ? i : 2 * rank - 3 - i);
  return emit<struct transpose>(w, x);
}

namespace detail {
/// An extent of a shape to which an axis is added at `At`.
template <int I, int At, class Shape>
constexpr auto extent_or_one() {
  if constexpr (I == At)
    return 1;
  else
    return extent_along<(I < At ? I : I - 1)>(Shape{});
}
}  // namespace detail

/// Adds an axis of extent 1, which becomes axis `Axis` of the result: `expand_dims(x, axis<0>)`.
template <expression X, int Axis>
constexpr auto expand_dims(X x, axis_list<Axis>) {
  constexpr int at = Axis < 0 ? Axis + X::rank + 1 : Axis;
  if constexpr (at < 0 || at > X::rank) {
    return detail::refusal<axis_out_of_range, in_function<"expand_dims">, shown<X>, axis_list<Axis>>(x);
  } else {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return reshape(x, shape<detail::extent_or_one<I, at, typename X::shape_type>()...>{});
    }(std::make_integer_sequence<int, X::rank + 1>{});
  }
}
ETCH_REFUSE_CALLS(expand_dims, name_the_axis_in_angle_brackets, "expand_dims($, axis<0>)")

namespace detail {
/// x with axes of extent 1 behind its own, so that it has `Rank`.
template <int Rank, operand_like X>
constexpr auto with_rank(X x) {
  if constexpr (X::rank < Rank)
    return with_rank<Rank>(expand_dims(x, axis<-1>));
  else
    return x;
}
}  // namespace detail

/// Takes an axis of extent 1 away: `squeeze(x, axis<0>)`.
template <expression X, int Axis>
constexpr auto squeeze(X x, axis_list<Axis>) {
  constexpr int at = detail::axis_of<Axis, X>;
  if constexpr (at < 0 || at >= X::rank) {
    return detail::refusal<axis_out_of_range, in_function<"squeeze">, shown<X>, axis_list<Axis>>(x);
  } else if constexpr (!std::is_same_v<shape<extent_along<at>(typename X::shape_type{})>, shape<1>>) {
    return detail::refusal<only_axes_of_extent_1_can_be_squeezed, in_function<"squeeze">, shown<X>, axis_list<Axis>>(x);
  } else {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return reshape(x, shape<extent_along<(I < at ? I : I + 1)>(typename X::shape_type{})...>{});
    }(std::make_integer_sequence<int, X::rank - 1>{});
  }
}
ETCH_REFUSE_CALLS(squeeze, name_the_axis_in_angle_brackets, "squeeze($, axis<0>)")

}  // namespace etch
