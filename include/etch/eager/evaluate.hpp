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

/// The dtype of a tensor; of a literal or a number bool, which any other takes the place of.
template <class A>
constexpr dtype dtype_among_operands() {
  if constexpr (eager<A>)
    return A::type;
  else
    return dtype::boolean;
}
/// The dtype in which operands meet; literals and numbers do not count beside tensors.
template <class... A>
constexpr dtype common_dtype() {
  const dtype types[] = {dtype_among_operands<A>()..., dtype::boolean};
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

/// What an op's own rule says of a result.
struct inferred {
  tensor_type type;
  reason failure = reason::none;
};
/// Of tensors whose extents are all `n`.
template <class Op, class Attributes, class... A>
constexpr inferred infer_at(std::int64_t n) {
  tensor_type in[] = {{.type = A::type, .rank = A::rank}..., {}};
  for (tensor_type& t : in)
    for (int i = 0; i < t.rank; ++i) t.extents[i] = n;
  extent_table table;
  inference context{table};
  const tensor_type result = Op::infer(context, in, static_cast<int>(sizeof...(A)), Attributes::value);
  return {result, context.failure};
}

/// The dtype and rank of a result: known to the compiler, as extents are not, and the same for all extents. Asked with extents
/// that broadcast, and where a rule wants elements with 2^4 3^2 5 7 11 13, which splits into many equal parts.
template <class Op, class Attributes, class... A>
struct result_of {
  static constexpr inferred value = [] {
    const inferred ones = infer_at<Op, Attributes, A...>(1);
    if (ones.failure == reason::none) return ones;
    const inferred many = infer_at<Op, Attributes, A...>(720720);
    return many.failure == reason::none ? many : ones;
  }();
  using type = tensor<value_type_of<value.type.type>, value.type.rank>;
};

/// Reasons that no extents can have caused.
constexpr bool is_of_types(reason r) {
  switch (r) {
    case reason::axis_out_of_range:
    case reason::rank_too_small:
    case reason::dtype_not_accepted:
    case reason::dtypes_differ:
    case reason::condition_is_not_bool:
    case reason::indices_are_not_integers:
    case reason::too_many_axes: return true;
    default: return false;
  }
}

template <class Op, class Attributes, class R, class... A>
R evaluate_as(const A&... a) {
  constexpr const words& w = Attributes::value;
  const tensor_type type = infer<Op>(w, a...);
  if (type.rank != R::rank || type.type != R::type) fail("%s: the dtype and rank of its result depend on extents", Op::name);
  if constexpr (Op::kind == op_kind::elementwise) {
    return elementwise<Op, R>(type, a...);
  } else if constexpr (Op::kind == op_kind::reduction) {
    return reduce<Op, Attributes, R>(type, a...);
  } else if constexpr (Op::kind == op_kind::movement) {
    return move<Op, R>(type, w, a...);
  } else if constexpr (Op::role == op_role::extent) {
    return count<R>(w, a...);
  } else {
    static_assert(Op::kind == op_kind::opaque, "this op changes a session's state or draws: it has no eager form");
    return opaque<Op, R>(type, w, a...);
  }
}

template <class Op, class Attributes, class... A>
auto evaluate_same(const A&... a) {
  if constexpr (Op::role == op_role::product) {
    return multiply(a...);  // also of vectors, which the op itself does not know
  } else {
    using result = result_of<Op, Attributes, A...>;
    using R = typename result::type;
    if constexpr (is_of_types(result::value.failure)) {
      raise<typename etch::detail::reason_type<result::value.failure>::type, in_op<Op>, shown<A>...>();
      return R();
    } else {
      return evaluate_as<Op, Attributes, R>(a...);
    }
  }
}

}  // namespace eager_detail

/// Op on operands of which at least one is an eager tensor; the others may be literals and numbers. Where the op promotes, they
/// meet in one dtype; of three operands the first is a condition and does not take part.
template <class Op, class Attributes, class First, class... Rest>
auto evaluate_now(Op, Attributes, const First& first, const Rest&... rest) {
  if constexpr (Op::operands != dtype_rule::promote) {
    return eager_detail::evaluate_same<Op, Attributes>(first, rest...);
  } else {
    constexpr bool has_condition = Op::arity == 3;
    using T = value_type_of<has_condition ? eager_detail::common_dtype<Rest...>() : eager_detail::common_dtype<First, Rest...>()>;
    if constexpr (std::is_void_v<T>)
      return eager_detail::refuse_dtypes<Op>(first, rest...);
    else if constexpr (has_condition)
      return eager_detail::evaluate_same<Op, Attributes>(first, eager_detail::as_tensor<T>(rest)...);
    else
      return eager_detail::evaluate_same<Op, Attributes>(eager_detail::as_tensor<T>(first), eager_detail::as_tensor<T>(rest)...);
  }
}

}  // namespace etch
