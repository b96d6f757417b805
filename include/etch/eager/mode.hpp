// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/refusal.hpp>
#include <etch/eager/tensor.hpp>

/// In which mode a generic function has been called.
namespace etch {

/// Whether the call of a function with these arguments computes now: true if one of them is a tensor or an eager variable, false if all
/// are expressions, whose values a session computes later. A constant: `if constexpr (executing_eagerly(x))`.
template <operand_like... X>
  requires(sizeof...(X) > 0)
constexpr bool executing_eagerly(const X&...) {
  return (evaluated<X> || ...);
}
/// Without arguments nothing tells: graphs and tensors are made by the same functions, in one program, at the same time.
template <class... A>
constexpr bool executing_eagerly(const A&...) {
  return raise<this_call_has_the_wrong_arguments, in_function<"executing_eagerly">, got<A>...,
               instead_write<"executing_eagerly(x)">>();
}

}  // namespace etch
