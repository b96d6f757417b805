// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/evaluate.hpp>

/// Reshapes, repetitions, counts and draws of eager tensors, whose shapes are given, or follow from an operand's
/// (ops/derived_shape.hpp).
namespace etch {

namespace eager::detail {

template <class Op, int Rank, class X>
auto apply_given(const tensor_type& type, const X& x) {
  tensor<typename X::value_type, Rank> r{unmade{}};
  apply_as<Op, X::type>(words(), type.with(X::type), x, r);
  return r;
}

[[noreturn, gnu::noinline, gnu::cold]] inline void refuse_shape(const char* op, reason r, const tensor_type& from,
                                                                const tensor_type& to) {
  fail("%s: %s: %s to %s", op, sentence(r), to_string(no_names, from).c_str(), to_string(no_names, to).c_str());
}

template <class X, auto... E>
tensor_type target_type(const X&, shape<E...>) {
  static_assert((std::is_integral_v<std::remove_cvref_t<decltype(E)>> && ...),
                "eager shapes are numbers; use inferred for one that follows");
  return shape<E...>::value(no_names, X::type);
}

}  // namespace eager::detail

template <evaluated X, auto... E>
auto evaluate_now(struct reshape, const X& x, shape<E...> to) {
  inference context{eager::no_names};
  const tensor_type type = etch::reshape.resolve(context, x.described(), eager::detail::target_type(x, to));
  if (context.failure != reason::none)
    eager::detail::refuse_shape("reshape", context.failure, x.described(), eager::detail::target_type(x, to));
  return eager::detail::apply_given<struct reshape, static_cast<int>(sizeof...(E))>(type,
                                                                                    eager::as_operand<typename X::value_type>(x));
}
template <evaluated X, int N>
auto evaluate_now(struct reshape, const X& x, const detail::run_time_shape<N>& to) {
  return eager::detail::apply_given<struct reshape, N>(to.type, eager::as_operand<typename X::value_type>(x));
}

template <evaluated X, auto... E>
auto evaluate_now(struct broadcast_to op, const X& x, shape<E...> to) {
  if constexpr (!detail::is_possible<shape<E...>>)
    detail::refuse_shape<shape<E...>, in_op<struct broadcast_to>, shown<X>, shown_shape<shape<E...>>>();
  return evaluate_now(op, x, detail::run_time_shape<static_cast<int>(sizeof...(E))>{eager::detail::target_type(x, to)});
}
template <evaluated X, int N>
auto evaluate_now(struct broadcast_to, const X& x, const detail::run_time_shape<N>& to) {
  inference context{eager::no_names};
  if (!rules::broadcast(context, x.described(), to.type).same_shape(to.type) || context.failure != reason::none)
    eager::detail::refuse_shape("broadcast_to", reason::shapes_do_not_broadcast, x.described(), to.type);
  return eager::detail::apply_given<struct broadcast_to, N>(to.type, eager::as_operand<typename X::value_type>(x));
}
/// A value beside x, everywhere in another shape.
template <class T, evaluated X, class Value, int N>
auto evaluate_now(struct broadcast_to op, std::type_identity<T>, const X&, const Value& value,
                  const detail::run_time_shape<N>& to) {
  if constexpr (evaluated<Value>)
    return evaluate_now(op, eager::as_operand<T>(value), to);
  else
    return eager::detail::apply_given<struct broadcast_to, N>(to.type, eager::as_operand<T>(value));
}

/// 0, 1, ..., n - 1.
template <class T>
auto evaluate_now(iota, std::type_identity<T>, std::int64_t n) {
  tensor<T, 1> r{eager::unmade{}};
  tensor_type type;
  type.type = dtype_of<T>;
  type.rank = 1;
  type.extents[0] = n;
  eager::detail::count_along<dtype_of<T>>(type, 0, r);
  return r;
}
/// A draw in the shape of x.
template <class Op, evaluated X>
  requires Op::stateful
auto evaluate_now(Op, const X& x, hash_t name) {
  tensor<typename X::value_type, X::rank> r{eager::unmade{}};
  eager::draw<Op, X::type>(x.described(), words(static_cast<std::int64_t>(name)), eager::next_draw(), r);
  return r;
}

}  // namespace etch
