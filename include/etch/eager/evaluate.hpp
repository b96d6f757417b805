// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/number.hpp>
#include <etch/eager/elementwise.hpp>
#include <etch/eager/matmul.hpp>
#include <etch/eager/movement.hpp>
#include <etch/eager/opaque.hpp>
#include <etch/eager/reduction.hpp>

/// Evaluates one op on eager tensors: the shape rules and the kernels of graph mode, one op at a time.
namespace etch {

namespace eager_detail {

template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T>;

/// The dtype in which operands meet; literals and numbers do not count beside tensors.
template <class... A>
constexpr dtype common_dtype() {
  constexpr auto type_of = []<class B>(std::type_identity<B>) {
    if constexpr (eager<B>)
      return B::type;
    else
      return dtype::boolean;
  };
  const dtype types[] = {type_of(std::type_identity<A>{})..., dtype::boolean};
  return promote(types, static_cast<int>(sizeof...(A)));
}

/// Of dtypes that no dtype holds both of.
template <class Op, class A, class... Rest>
A refuse_dtypes(const A& a, const Rest&...) {
  raise<dtypes_differ, in_op<Op>, got<A, Rest...>>();
  return a;
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

/// An operand as a tensor of element type T.
template <class T, class A>
auto as_tensor(const A& a) {
  if constexpr (eager<A>) {
    if constexpr (std::is_same_v<typename A::value_type, T>)
      return a;
    else
      return elementwise<cast, tensor<T, A::rank>>(a.described().with(dtype_of<T>), a);
  } else if constexpr (etch::detail::is_literal<A>) {
    A::template check_fits<T>();
    return tensor<T, 0>(A::template as<T>());
  } else {
    static_assert(is_number<A>, "an op was called on an eager tensor and on something that is no tensor, literal or number");
    return tensor<T, 0>(number_as<T>(a));
  }
}

template <class... A>
inline constexpr int widest = 0;
template <class A, class... Rest>
inline constexpr int widest<A, Rest...> = A::rank > widest<Rest...> ? A::rank : widest<Rest...>;

template <class Op, class Attributes, class... A>
auto evaluate_same(const A&... a) {
  const words& w = Attributes::value;
  constexpr dtype first = std::tuple_element_t<0, std::tuple<A...>>::type;
  if constexpr (Op::kind == op_kind::elementwise) {
    const tensor_type type = infer<Op>(w, a...);
    constexpr dtype values = Op::arity == 3 ? std::tuple_element_t<sizeof...(A) - 1, std::tuple<A...>>::type : first;
    constexpr dtype result = std::is_same_v<Op, cast> ? static_cast<dtype>(Attributes::value.count > 0 ? Attributes::value[0] : 0) : Op::result(values);
    return elementwise<Op, tensor<value_type_of<result>, widest<A...>>>(type, a...);
  } else if constexpr (Op::kind == op_kind::reduction) {
    return reduce<Op, Attributes>(a...);
  } else if constexpr (Op::kind == op_kind::contraction) {
    return multiply(a...);
  } else if constexpr (Op::kind == op_kind::movement) {
    using X = std::tuple_element_t<0, std::tuple<A...>>;
    return move<Op, X>(infer<Op>(w, a...), w, a...);
  } else if constexpr (std::is_same_v<Op, size_of>) {
    using X = std::tuple_element_t<0, std::tuple<A...>>;
    const tensor_type t = std::get<0>(std::tie(a...)).described();
    std::int64_t n = 1;
    for (int i = 0; i < t.rank; ++i)
      if ((w[0] >> i & 1) != 0) n *= t.extents[i];
    return tensor<typename X::value_type, 0>(static_cast<typename X::value_type>(n));
  } else {
    const tensor_type type = infer<Op>(w, a...);
    using X = std::tuple_element_t<0, std::tuple<A...>>;
    constexpr int rank = [] {
      if constexpr (std::is_same_v<Op, struct gather>)
        return X::rank + std::tuple_element_t<sizeof...(A) - 1, std::tuple<A...>>::rank - 1;
      else if constexpr (std::is_same_v<Op, struct argmax> || std::is_same_v<Op, struct argmin>)
        return X::rank - 1;
      else
        return X::rank;
    }();
    using T = std::conditional_t<std::is_same_v<Op, struct argmax> || std::is_same_v<Op, struct argmin>, std::int64_t,
                                 typename X::value_type>;
    return opaque<Op, tensor<T, rank>>(type, w, a...);
  }
}

}  // namespace eager_detail

/// Op on operands of which at least one is an eager tensor; the others may be literals and numbers.
template <class Op, class Attributes, class... A>
auto evaluate_now(Op, Attributes, const A&... a) {
  if constexpr (Op::operands == dtype_rule::promote && Op::arity == 3) {
    using T = value_type_of<[]<class C, class... V>(std::type_identity<std::tuple<C, V...>>) {
      return eager_detail::common_dtype<V...>();
    }(std::type_identity<std::tuple<A...>>{})>;
    return [&](const auto& c, const auto& x, const auto& y) {
      if constexpr (std::is_void_v<T>)
        return eager_detail::refuse_dtypes<Op>(c, x, y);
      else
        return eager_detail::evaluate_same<Op, Attributes>(c, eager_detail::as_tensor<T>(x), eager_detail::as_tensor<T>(y));
    }(a...);
  } else if constexpr (Op::operands == dtype_rule::promote) {
    using T = value_type_of<eager_detail::common_dtype<A...>()>;
    if constexpr (std::is_void_v<T>)
      return eager_detail::refuse_dtypes<Op>(a...);
    else
      return eager_detail::evaluate_same<Op, Attributes>(eager_detail::as_tensor<T>(a)...);
  } else {
    return eager_detail::evaluate_same<Op, Attributes>(a...);
  }
}

}  // namespace etch
