// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/indexing.hpp>
#include <etch/ops/slicing.hpp>

/// Reshapes, repetitions and indices whose extents follow from an operand's by a rule: known to the compiler for an expression, when
/// the op is called for an eager tensor.
namespace etch {

namespace detail {

/// The function that a rule belongs to.
template <fixed_string Name>
struct rule_of {
  using type = in_function<Name>;
  static constexpr const char* text = name_of<Name>::text;
};

/// A shape that an eager tensor takes.
template <int Rank>
struct run_time_shape {
  tensor_type type;
};

/// What Rule says of X's type. A rule has `where`, the function that errors show, and
/// `static constexpr tensor_type shape(inference&, const tensor_type&)`; one that divides an extent has `divisor`.
template <class Rule, expression X>
struct ruled {
  struct result : typed_shape {
    reason failure = reason::none;
  };
  static constexpr result value = [] {
    result r;
    inference context{r.table};
    const tensor_type from = X::shape_type::value(r.table, dtype_of<typename X::value_type>);
    r.type = Rule::shape(context, from);
    r.failure = context.failure == reason::none && r.table.exhausted() ? reason::too_many_named_extents : context.failure;
    return r;
  }();
  using shape_type = shape_from<ruled>;
};

/// An extent that Rule takes along every axis: its divisor, of a rule that divides one.
template <class Rule>
inline constexpr std::int64_t possible_extent = [] {
  if constexpr (requires { Rule::divisor; })
    return Rule::divisor;
  else
    return std::int64_t{1};
}();

/// The rank of what Rule makes of an eager tensor: the same for all extents.
template <class Rule, evaluated X>
inline constexpr int ruled_rank = [] {
  tensor_type from;
  from.type = X::type;
  from.rank = X::rank;
  for (int i = 0; i < X::rank; ++i) from.extents[i] = possible_extent<Rule>;
  extent_table none;
  inference context{none};
  return Rule::shape(context, from).rank;
}();

/// Op, which is reshape or broadcast_to, to the shape that Rule makes of x's.
template <class Rule, class Op, operand_like X>
constexpr auto to_ruled(Op op, X x) {
  if constexpr (evaluated<X>) {
    extent_table none;
    inference context{none};
    const tensor_type to = Rule::shape(context, x.described());
    if (context.failure != reason::none) fail("%s: %s", Rule::where::text, sentence(context.failure));
    return evaluate_now(op, x, run_time_shape<ruled_rank<Rule, X>>{to});
  } else if constexpr (is_literal<X>) {
    return to_ruled<Rule>(op, X::node());
  } else {
    using target = ruled<Rule, X>;
    if constexpr (target::value.failure != reason::none)
      return refusal<typename reason_type<target::value.failure>::type, typename Rule::where::type, shown<X>>(x);
    else if constexpr (std::is_same_v<typename target::shape_type, typename X::shape_type>)
      return x;
    else
      return make_node_of<Op, typename X::value_type, typename target::shape_type, attributes<>>(x);
  }
}
template <class Rule, operand_like X>
constexpr auto reshaped_by(X x) {
  return to_ruled<Rule>(reshape, x);
}
template <class Rule, operand_like X>
constexpr auto repeated_by(X x) {
  return to_ruled<Rule>(broadcast_to, x);
}

/// `value` everywhere in the shape that Rule makes of x's; of dtype T where it is a literal.
template <class Rule, class T, operand_like X, class Value>
constexpr auto filled_by(X x, Value value) {
  if constexpr (evaluated<X>) {
    extent_table none;
    inference context{none};
    const run_time_shape<X::rank> to{Rule::shape(context, x.described())};
    return evaluate_now(broadcast_to, std::type_identity<T>{}, x, value, to);
  } else if constexpr (is_literal<Value>) {
    return broadcast_to(converted<T>(value), typename ruled<Rule, X>::shape_type{});
  } else {
    return broadcast_to(value, typename ruled<Rule, X>::shape_type{});
  }
}

/// The extent of the axis `Axis` becomes `Extent`.
template <int Axis, std::int64_t Extent, class Where>
struct with_extent {
  using where = Where;
  static constexpr tensor_type shape(inference& context, const tensor_type& x) {
    tensor_type r = x;
    if (Axis < 0 || Axis >= x.rank) return context.fail(reason::axis_out_of_range, x);
    r.extents[Axis] = Extent;
    return r;
  }
};

template <int At>
struct one_axis_more {
  using where = rule_of<"expand_dims">;
  static constexpr tensor_type shape(inference& context, const tensor_type& x) {
    if (At < 0 || At > x.rank) return context.fail(reason::axis_out_of_range, x);
    if (x.rank == max_rank) return context.fail(reason::too_many_axes, x);
    tensor_type r = x;
    for (int i = r.rank++; i > At; --i) r.extents[i] = r.extents[i - 1];
    r.extents[At] = 1;
    return r;
  }
};
template <int At>
struct one_axis_less {
  using where = rule_of<"squeeze">;
  static constexpr tensor_type shape(inference& context, const tensor_type& x) {
    if (At < 0 || At >= x.rank) return context.fail(reason::axis_out_of_range, x);
    tensor_type r = x;
    --r.rank;
    for (int i = At; i < r.rank; ++i) r.extents[i] = r.extents[i + 1];
    return r;
  }
};

/// 0, 1, ..., n - 1 of dtype T, n being the extent of x along an axis.
template <class T, int Axis, operand_like X>
constexpr auto numbers_along(X x) {
  if constexpr (evaluated<X>)
    return evaluate_now(iota{}, std::type_identity<T>{}, x.extent(axis_of<Axis, X>));
  else
    return arange<T>(shape<extent_along<Axis>(typename X::shape_type{})>{});
}

/// Along one axis a part, along the others everything.
template <int Axis, std::int64_t Begin, std::int64_t End, operand_like X>
constexpr auto part_along(X x) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return slice(x, section<(I == Axis ? Begin : from_start), (I == Axis ? End : to_end)>...);
  }(std::make_integer_sequence<int, X::rank>{});
}

}  // namespace detail

template <evaluated X, int Axis>
constexpr auto expand_dims(X x, axis_list<Axis>) {
  return detail::reshaped_by<detail::one_axis_more<(Axis < 0 ? Axis + X::rank + 1 : Axis)>>(x);
}
template <evaluated X, int Axis>
constexpr auto squeeze(X x, axis_list<Axis>) {
  return detail::reshaped_by<detail::one_axis_less<detail::axis_of<Axis, X>>>(x);
}

}  // namespace etch
