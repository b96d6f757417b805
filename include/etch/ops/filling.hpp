// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/derived_shape.hpp>
#include <etch/ops/regions.hpp>

/// Arrays of one number, in a shape that is given or that of another array.
namespace etch {

/// An array of one number: `full<float>(shape<2, 3>{}, 0.5_c)`.
template <class T = float, auto... E, class Value>
constexpr auto full(shape<E...> s, Value value) {
  return broadcast_to(detail::converted<T>(detail::symbolic_number<"full">(value)), s);
}
ETCH_REFUSE_CALLS(full, name_the_shape_in_angle_brackets, "full(shape<2, 3>{}, 0.5_c)", class T = float)
ETCH_REFUSE_BRACES(full, name_the_shape_in_angle_brackets, "full(shape<2, 3>{}, 0.5_c)", class T = float)

/// Calls without a shape, also with its extents in angle brackets.
#define ETCH_REFUSE_SHAPELESS(NAME)                                                                                             \
  ETCH_REFUSE_CALLS(NAME, name_the_shape_in_angle_brackets, #NAME "(shape<2, 3>{})", class T = float)                           \
  ETCH_REFUSE_BRACES(NAME, name_the_shape_in_angle_brackets, #NAME "(shape<2, 3>{})", class T = float)                          \
  template <class T, auto Extent, auto... More>                                                                                 \
  constexpr auto NAME() {                                                                                                       \
    return detail::refuse_function<name_the_shape_in_angle_brackets, #NAME, #NAME "(shape<2, 3>{})">(shape<Extent, More...>{}); \
  }                                                                                                                             \
  template <auto Extent, auto... More>                                                                                          \
  constexpr auto NAME() {                                                                                                       \
    return NAME<float, Extent, More...>();                                                                                      \
  }
/// All zero, float unless told: `zeros<double>(shape<2, 3>{})`.
template <class T = float, auto... E>
constexpr auto zeros(shape<E...> s) {
  return full<T>(s, 0_c);
}
ETCH_REFUSE_SHAPELESS(zeros)
/// All one, float unless told.
template <class T = float, auto... E>
constexpr auto ones(shape<E...> s) {
  return full<T>(s, 1_c);
}
ETCH_REFUSE_SHAPELESS(ones)
#undef ETCH_REFUSE_SHAPELESS

namespace detail {

struct shape_of_itself {
  static constexpr tensor_type shape(inference&, const tensor_type& x) { return x; }
};
/// `value` in the shape of x, of dtype T, or of that of x where T is void. An expression says whose shape it is, so that x may be fed, by
/// which named extents are bound.
template <fixed_string Function, class T, operand_like X, class Value>
constexpr auto filled_like(X x, Value value) {
  using of = std::conditional_t<std::is_void_v<T>, typename X::value_type, T>;
  if constexpr (is_literal<X>)
    return filled_like<Function, T>(X::node(), value);
  else if constexpr (evaluated<X>)
    return filled_by<shape_of_itself, of>(x, value);
  else
    return make_node_of<region_alike, of, typename X::shape_type, attributes<X::rank>>(
        filled_by<shape_of_itself, of>(x, converted<of>(symbolic_number<Function>(value))), x);
}

}  // namespace detail

/// An array of one number in the shape of x, of its dtype unless told: `full_like(x, 0.5_c)`, `full_like<int>(x, 7_c)`. The number has no
/// axes, or such as broadcast to those of x.
template <class T = void, operand_like X, class Value>
constexpr auto full_like(X x, Value value) {
  return detail::filled_like<"full_like", T>(x, value);
}
ETCH_REFUSE_CALLS(full_like, this_call_has_the_wrong_arguments, "full_like($, 0.5_c)", class T = void)
/// All zero in the shape of x, of its dtype unless told: `zeros_like<int>(x)`.
template <class T = void, operand_like X>
constexpr auto zeros_like(X x) {
  return detail::filled_like<"zeros_like", T>(x, 0_c);
}
ETCH_REFUSE_CALLS(zeros_like, this_call_has_the_wrong_arguments, "zeros_like($)", class T = void)
/// All one in the shape of x, of its dtype unless told.
template <class T = void, operand_like X>
constexpr auto ones_like(X x) {
  return detail::filled_like<"ones_like", T>(x, 1_c);
}
ETCH_REFUSE_CALLS(ones_like, this_call_has_the_wrong_arguments, "ones_like($)", class T = void)

}  // namespace etch
