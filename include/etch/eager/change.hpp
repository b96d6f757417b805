// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/evaluate.hpp>

/// `t += u`: t becomes t + u, as if that had been assigned. Tensors that shared t's elements keep theirs; where nobody does, and no
/// tape looks on, the sum is computed in place.
namespace etch {

namespace eager::detail {

/// check: is told the type of u before t changes.
template <class Op, class T, int Rank, class U, class Check>
void change(tensor<T, Rank>& t, const U& u, const Check& check) {
  constexpr dtype common = common_dtype<tensor<T, Rank>, U>();
  if constexpr (common != dtype_of<T>) {
    raise<this_change_would_give_another_dtype_cast_what_stands_on_the_right, in_op<Op>, got<U>, expected<T>>();
  } else {
    const auto& other = as_operand<T>(u);
    check(other.described());
    if constexpr (Rank != any_rank && std::remove_cvref_t<decltype(other)>::rank > Rank)
      raise<this_change_would_give_another_number_of_axes, in_op<Op>, shown<tensor<T, Rank>>, got<U>>();
    else if (this_recorder != nullptr || !map_in_place(&map<Op, dtype_of<T>, dtype_of<T>, dtype_of<T>>, other, t))
      t = evaluate<Op, attributes<>>(t, other);
  }
}

}  // namespace eager::detail

#define ETCH_CHANGE(SYMBOL, OP)                                        \
  template <class T, int Rank, class U>                                \
  tensor<T, Rank>& operator SYMBOL(tensor<T, Rank>& t, const U & u) {  \
    eager::detail::change<struct OP>(t, u, [](const tensor_type&) {}); \
    return t;                                                          \
  }
ETCH_CHANGE(+=, add)
ETCH_CHANGE(-=, subtract)
ETCH_CHANGE(*=, multiply)
ETCH_CHANGE(/=, divide)
#undef ETCH_CHANGE

}  // namespace etch
