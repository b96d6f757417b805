// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/number.hpp>
#include <etch/eager/tensor.hpp>

/// The operands of an eager call, which may be tensors, literals, numbers and expressions of constants, as values of the dtypes that
/// its op wants.
namespace etch::eager {

namespace detail {

template <class A>
inline constexpr bool is_number = std::is_arithmetic_v<A>;

/// Whether A has a dtype that others must meet: literals and numbers take theirs.
template <class A>
inline constexpr bool has_dtype = !is_number<A> && !etch::detail::is_literal<A>;

/// The dtype of a literal or a number where nothing gives it one.
template <class A>
constexpr dtype dtype_alone() {
  if constexpr (is_number<A>)
    return std::is_same_v<A, bool> ? dtype::boolean : std::is_floating_point_v<A> ? dtype::float32 : dtype::int32;
  else
    return dtype_of<typename A::value_type>;
}

/// The dtype in which operands meet; none where no dtype holds all.
template <class... A>
constexpr dtype common_dtype() {
  [[maybe_unused]] constexpr bool only_numbers = !(has_dtype<A> || ...);
  const dtype types[] = {(only_numbers || has_dtype<A> ? dtype_alone<A>() : dtype::boolean)..., dtype::boolean};
  return promote(types, static_cast<int>(sizeof...(A)));
}

/// A number beside a tensor of element type T, which it must be a value of: a float beside integers is a compile error, an
/// integer out of their range throws `etch::error`.
template <class T, class A>
T number_as(A number) {
  if constexpr (std::is_integral_v<T> && std::is_floating_point_v<A>) {
    raise<a_float_is_no_value_of_the_other_operands_dtype_cast_that_first, got<A>, expected<T>>();
  } else if (!etch::detail::is_value_of<T>(number)) {
    fail("eager: the number %.17g is no value of %s, the dtype of the tensor beside it", static_cast<double>(number),
         name_of_dtype(dtype_of<T>));
  }
  return static_cast<T>(number);
}

}  // namespace detail

/// x as another dtype.
template <class T, class From, int Rank>
tensor<T, Rank> converted(const tensor<From, Rank>& x) {
  tensor<T, Rank> r{unmade{}};
  const value* const in[] = {&x};
  apply<cast, dtype_of<T>, dtype_of<From>>(words(static_cast<int>(dtype_of<T>)), in, 1, r);
  return r;
}

/// An operand as a value of element type T. A tensor that has it is not copied.
template <class T, int Rank>
const tensor<T, Rank>& as_operand(const tensor<T, Rank>& a) {
  return a;
}
template <class T, class From, int Rank>
  requires(!std::is_same_v<T, From>)
tensor<T, Rank> as_operand(const tensor<From, Rank>& a) {
  return converted<T>(a);
}
/// A variable is what it is now.
template <class T, evaluated A>
  requires requires(const A& a) { a.read(); }
decltype(auto) as_operand(const A& a) {
  return as_operand<T>(a.read());
}
template <class T, class A>
  requires detail::is_number<A>
number<T> as_operand(A a) {
  return number<T>(detail::number_as<T>(a));
}
template <class T, expression E>
auto as_operand(const E&) {
  if constexpr (etch::detail::is_literal<E>) {
    E::template check_fits<T>();
    return number<T>(E::template as<T>());
  } else {
    tensor<typename E::value_type, E::rank> r{unmade{}};
    if constexpr (is_constant_expression<E>()) evaluate_constant<E>(r);
    if constexpr (std::is_same_v<T, typename E::value_type>)
      return r;
    else
      return converted<T>(r);
  }
}
template <class T, class A>
  requires(!detail::is_number<A> && !expression<A> && !evaluated<A>)
number<T> as_operand(const A&) {
  static_assert(expression<A>, "an op was called on an eager tensor and on something that is no tensor, literal or number");
  return number<T>(T{});
}

}  // namespace etch::eager
