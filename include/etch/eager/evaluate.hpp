// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/operands.hpp>

/// Calls of ops on eager tensors. What the compiler knows of a result, dtype and rank, is checked here; the rest is left to one
/// function for each op and its dtypes.
namespace etch {

namespace eager::detail {

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
constexpr inferred infer_result() {
  if constexpr (Op::role == op_role::product) {
    constexpr int ranks[] = {A::rank...};
    constexpr dtype types[] = {A::type...};
    inferred r{{.type = types[0]}, reason::none};
    if (!contains(Op::accepts, r.type.type)) r.failure = why_not_accepted(r.type.type);
    if (ranks[0] == 0 || ranks[1] == 0) r.failure = reason::rank_too_small;
    const int stacked = ranks[0] > ranks[1] ? ranks[0] : ranks[1];
    r.type.rank = stacked - (ranks[0] == 1 ? 1 : 0) - (ranks[1] == 1 ? 1 : 0) + (stacked == 1 ? 1 : 0);
    return r;
  } else {
    const inferred ones = infer_at<Op, Attributes, A...>(1);
    if (ones.failure == reason::none) return ones;
    const inferred many = infer_at<Op, Attributes, A...>(720720);
    return many.failure == reason::none ? many : ones;
  }
}

/// Reasons that no extents can have caused.
constexpr bool is_of_types(reason r) {
  switch (r) {
    case reason::axis_out_of_range:
    case reason::rank_too_small:
    case reason::dtype_not_accepted:
    case reason::this_dtype_is_for_storage_write_astype_float_of_it_first:
    case reason::dtypes_differ:
    case reason::condition_is_not_bool:
    case reason::indices_are_not_integers:
    case reason::too_many_axes: return true;
    default: return false;
  }
}

/// Of operands one of which has a rank that is known at run time only: what of elementwise ops and products does not depend on ranks.
template <class Op, class... A>
constexpr inferred infer_without_ranks() {
  if constexpr (Op::kind != op_kind::elementwise && Op::role != op_role::product)
    raise<the_rank_of_this_tensor_is_not_known_to_the_compiler_convert_it_to_one_first, in_op<Op>, shown<A>...>();
  constexpr dtype types[] = {A::type...};
  inferred r;
  r.type.rank = any_rank;
  r.type.type = types[sizeof...(A) - 1];
  if (!contains(Op::accepts, r.type.type)) r.failure = why_not_accepted(r.type.type);
  if constexpr (Op::kind == op_kind::elementwise) r.type.type = Op::result(r.type.type);
  return r;
}

template <class Op, class Attributes, class... A>
struct result_of {
  static constexpr inferred value = [] {
    if constexpr (((A::rank == any_rank) || ...) && Op::role != op_role::cast)
      return infer_without_ranks<Op, A...>();
    else
      return infer_result<Op, Attributes, A...>();
  }();
  using type = tensor<value_type_of<value.type.type>, value.type.rank>;
};

/// Op on operands as it takes them.
template <class Op, class Attributes, class... A>
auto evaluate(const A&... a) {
  using result = result_of<Op, Attributes, A...>;
  using R = typename result::type;
  if constexpr (is_of_types(result::value.failure)) {
    raise<typename etch::detail::reason_type<result::value.failure>::type, in_op<Op>, shown<A>...>();
    return R();
  } else {
    R r{unmade{}};
    const value* const in[] = {&a...};
    constexpr int count = static_cast<int>(sizeof...(A));
    if constexpr (Op::arity < 0)
      apply<Op, R::type, R::type>(Attributes::value, in, count, r);
    else
      apply<Op, R::type, A::type...>(Attributes::value, in, count, r);
    if (R::rank != any_rank && r.described().rank != R::rank) fail("%s: the rank of its result depends on extents", Op::name);
    return r;
  }
}

/// Of dtypes that no dtype holds both of.
template <class Op, class A, class... Rest>
A refuse_dtypes(const A& a, const Rest&...) {
  raise<dtypes_differ, in_op<Op>, got<A, Rest...>>();
  return a;
}

/// The element type of an operand of an op that does not promote: its own, or, of a literal or a number, that of the others.
template <class A, class... All>
using own_type = value_type_of<(has_dtype<A> ? dtype_alone<A>() : common_dtype<All...>())>;

}  // namespace eager::detail

/// Op on operands of which at least one is an eager tensor; the others may be literals, numbers and expressions of constants. Where
/// the op promotes, they meet in one dtype; of three operands the first is a condition and does not take part.
template <class Op, class Attributes, class First, class... Rest>
auto evaluate_now(Op, Attributes, const First& first, const Rest&... rest) {
  if constexpr (Op::operands != dtype_rule::promote) {
    return eager::detail::evaluate<Op, Attributes>(eager::as_operand<eager::detail::own_type<First, First, Rest...>>(first),
                                                   eager::as_operand<eager::detail::own_type<Rest, First, Rest...>>(rest)...);
  } else {
    constexpr bool has_condition = Op::arity == 3;
    using T = value_type_of<has_condition ? eager::detail::common_dtype<Rest...>() : eager::detail::common_dtype<First, Rest...>()>;
    if constexpr (std::is_void_v<T>)
      return eager::detail::refuse_dtypes<Op>(first, rest...);
    else if constexpr (has_condition)
      return eager::detail::evaluate<Op, Attributes>(eager::as_operand<eager::detail::own_type<First>>(first),
                                                     eager::as_operand<T>(rest)...);
    else
      return eager::detail::evaluate<Op, Attributes>(eager::as_operand<T>(first), eager::as_operand<T>(rest)...);
  }
}

}  // namespace etch
