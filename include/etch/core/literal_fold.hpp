// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/checked.hpp>
#include <etch/core/literal.hpp>

/// Elementwise ops on literals alone give a literal: in double, in int64, or of bools, before any dtype rounds it.
namespace etch {
struct cast;
}
namespace etch::detail {

/// What an op on literals gives.
struct literal_result {
  literal_kind kind = literal_kind::boolean;
  std::int64_t bits = 0;
  bool overflows = false;

  constexpr literal_result(const checked<bool>& x) : bits(x.value ? 1 : 0), overflows(x.overflows) {}
  constexpr literal_result(const checked<std::int64_t>& x) : kind(literal_kind::integer), bits(x.value), overflows(x.overflows) {}
  constexpr literal_result(const checked<double>& x)
      : kind(literal_kind::floating), bits(std::bit_cast<std::int64_t>(x.value)), overflows(x.overflows) {}
};

/// Numbers that ops on literals of that kind compute with.
template <literal_kind Kind>
using literal_value_type =
    std::conditional_t<Kind == literal_kind::floating, checked<double>,
                       std::conditional_t<Kind == literal_kind::integer, checked<std::int64_t>, checked<bool>>>;

/// The kind in which literals meet; a condition, the first of three operands, keeps its own.
template <class... L>
constexpr literal_kind common_kind() {
  constexpr literal_kind kinds[] = {L::kind...};
  literal_kind common = literal_kind::boolean;
  for (int i = sizeof...(L) == 3 ? 1 : 0; i < static_cast<int>(sizeof...(L)); ++i)
    if (kinds[i] > common) common = kinds[i];
  return common;
}
template <literal_kind Kind>
constexpr dtype dtype_of_kind() {
  return Kind == literal_kind::floating ? dtype::float64 : Kind == literal_kind::integer ? dtype::int64 : dtype::boolean;
}

/// Whether Op on these is a literal; else they become nodes of their own dtypes, and the op's rule says what is wrong. `where`
/// and the logical ops are not folded in graphs, but can be.
template <class Op, class Attributes, class... L>
constexpr bool folds_literals() {
  if constexpr (!(is_literal<L> && ...) || Op::kind != op_kind::elementwise || Op::operands != dtype_rule::promote ||
                Op::arity != static_cast<int>(sizeof...(L)) || Attributes::count != 0) {
    return false;
  } else {
    constexpr dtype type = dtype_of_kind<common_kind<L...>()>();
    constexpr literal_kind kinds[] = {L::kind...};
    return (Op::foldable || Op::arity == 3 || Op::accepts == dtype_set::boolean) && contains(Op::accepts, type) &&
           (Op::result(type) == type || Op::result(type) == dtype::boolean) &&
           (Op::arity != 3 || kinds[0] == literal_kind::boolean);
  }
}

template <class Op, class V, class L>
constexpr literal_result evaluate_on_literals(L) {
  return Op::kernel(V(L::value));
}
template <class Op, class V, class L, class M>
constexpr literal_result evaluate_on_literals(L, M) {
  return Op::kernel(V(L::value), V(M::value));
}
template <class Op, class V, class C, class L, class M>
constexpr literal_result evaluate_on_literals(C, L, M) {
  return Op::kernel(checked<bool>(C::value), V(L::value), V(M::value));
}

/// Op on the nodes of literals: what a fetch of the result alone computes, and what depends on literals that are fed.
template <class Op, class... L>
struct made_by {
  using T = std::conditional_t<common_kind<L...>() == literal_kind::floating, float,
                               std::conditional_t<common_kind<L...>() == literal_kind::integer, std::int32_t, bool>>;
  template <class To, class Operand>
  static constexpr auto operand(Operand l) {
    using self = decltype(Operand::self());
    if constexpr (std::is_same_v<typename self::value_type, To>)
      return l.self();
    else if constexpr (Operand::is_written)
      return Operand::template node<To>();
    else
      return make_node<cast, attributes<static_cast<std::int64_t>(dtype_of<To>)>>(l.self());
  }
  template <class Condition, class A, class B>
  static constexpr auto choice(Condition c, A a, B b) {
    return make_node<Op, attributes<>>(operand<bool>(c), operand<T>(a), operand<T>(b));
  }
  static constexpr auto node() {
    if constexpr (sizeof...(L) == 3)
      return choice(L{}...);
    else
      return make_node<Op, attributes<>>(operand<T>(L{})...);
  }
};

template <class Op, class... L>
constexpr auto fold_literals(L... l) {
  constexpr literal_result r = evaluate_on_literals<Op, literal_value_type<common_kind<L...>()>>(l...);
  if constexpr (r.overflows)
    raise<the_result_of_these_literals_is_out_of_range_cast_one_of_them_first, in_op<Op>, literal_value<L::value>...>();
  return literal_number<r.kind, r.bits, made_by<Op, L...>>{};
}

}  // namespace etch::detail
