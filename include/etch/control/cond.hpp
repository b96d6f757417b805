// SPDX-License-Identifier: MIT
#pragma once
#include <etch/control/eager_values.hpp>
#include <etch/control/loop.hpp>

/// Branches in graphs.
namespace etch {

namespace detail {

/// Values K of all branches as one dtype and shape: those of the first that is no literal.
template <class First, class... Rest>
constexpr auto first_of_a_dtype(First, Rest... rest) {
  if constexpr (is_literal<First> && !(is_literal<Rest> && ...))
    return first_of_a_dtype(rest...);
  else
    return node_for<First>{};
}

template <class S, std::size_t K>
constexpr auto value_in() {
  if constexpr (is_expression_tuple<S>)
    return typename plan_value<std::tuple_element_t<K, S>>::node{};
  else
    return typename plan_value<S>::node{};
}
/// Value K of branch S, of the dtype and shape that value K of all has.
template <fixed_string Function, std::size_t K, class S, class... All>
constexpr auto value_of_branch() {
  using like = decltype(first_of_a_dtype(value_in<All, K>()...));
  return as_promised<the_branches_give_values_of_one_dtype_and_shape, Function, like>(value_in<S, K>());
}

template <fixed_string Function, class Chooser, class First, class... Rest>
struct branch_builder {
  static constexpr int regions = 1 + sizeof...(Rest), values = expressions_of<First>::size;
  template <class S, std::size_t... K>
  static constexpr auto values_of(std::index_sequence<K...>) {
    return type_list<decltype(value_of_branch<Function, K, S, First, Rest...>())...>{};
  }
  template <class... E>
  static constexpr auto joined(type_list<E...>) {
    return make_expression<region_branch, void, shape<>, attributes<regions, values>, Chooser::hash, E::hash...>();
  }
  template <class... E, class... F, class... More>
  static constexpr auto joined(type_list<E...>, type_list<F...>, More... more) {
    return joined(type_list<E..., F...>{}, more...);
  }
  static constexpr auto build() {
    using places = std::make_index_sequence<static_cast<std::size_t>(values)>;
    using branch = decltype(joined(values_of<First>(places{}), values_of<Rest>(places{})...));
    return region_results<First, branch>(values_of<First>(places{}), places{});
  }
};

/// Stands for what a branch gives that was refused.
struct refused_branch {};
template <class... S>
inline constexpr bool any_refused = (std::is_same_v<S, refused_branch> || ...);

/// Decided: by the compiler, so that the other branch is not called, and this one may be of eager code.
template <fixed_string Function, bool Decided = false, class F, class... X>
constexpr auto call_branch(const F& f, X... x) {
  if constexpr (!std::is_invocable_v<const F&, X...>) {
    raise<a_branch_does_not_take_what_stands_behind_the_branches, in_function<Function>, number_of_operands<sizeof...(X)>>();
    return refused_branch{};
  } else if constexpr (!structure<std::invoke_result_t<const F&, X...>> &&
                       !(Decided && eager_structure<std::invoke_result_t<const F&, X...>>)) {
    raise<a_branch_gives_an_expression_or_a_tuple_of_some, in_function<Function>, got<std::invoke_result_t<const F&, X...>>>();
    return refused_branch{};
  } else {
    return f(x...);
  }
}

/// What the branches give, to go on with: several values stay several, which a program takes apart.
template <class First, class... Rest>
constexpr auto refused_branches(First first, Rest... rest) {
  if constexpr (is_expression_tuple<First>)
    return first;
  else
    return refused(first, rest...);
}

template <fixed_string Function, class Chooser, class First, class... Rest>
constexpr auto build_branch(First first, Rest... rest) {
  if constexpr (any_refused<First, Rest...>) {
    return refused_branches(first, node_for<Chooser>{}, rest...);
  } else if constexpr (!(alike<First, Rest>() && ...)) {
    raise<std::conditional_t<(are_as_many<First, Rest>() && ...), the_branches_give_values_of_one_dtype_and_shape,
                             the_branches_give_as_many_values>,
          in_function<Function>>();
    return refused_branches(first, node_for<Chooser>{}, rest...);
  } else {
    return branch_builder<Function, Chooser, First, Rest...>::build();
  }
}

}  // namespace detail

/// `cond(p, then, otherwise, x...)`: then(x...) where p, one bool, is true, else otherwise(x...). Both are called, and give an expression
/// each, or a tuple of as many, of the same dtypes and shapes (a literal takes those of the other); when the graph runs, only one of them
/// is computed, but for what is needed whatever p is. A literal p is decided by the compiler. It has gradients.
template <expression P, class Then, class Otherwise, class... X>
constexpr auto cond(P p, const Then& then, const Otherwise& otherwise, X... x) {
  if constexpr (!detail::is_bool_scalar<P>()) {
    raise<a_condition_is_one_bool, in_function<"cond">, shown<P>>();
    return detail::refused_branches(detail::call_branch<"cond">(then, x...), p, detail::call_branch<"cond">(otherwise, x...));
  } else if constexpr (detail::is_literal<P>) {
    if constexpr (P::value)
      return detail::call_branch<"cond", true>(then, x...);
    else
      return detail::call_branch<"cond", true>(otherwise, x...);
  } else {
    return detail::build_branch<"cond", P>(detail::call_branch<"cond">(then, x...), detail::call_branch<"cond">(otherwise, x...));
  }
}
ETCH_REFUSE_CALLS(cond, this_call_has_the_wrong_arguments, "cond(x > 0_c, f, g)")

/// `switch_case(i, f0, f1, f2)`: f0() where i, one integer, is 0, f1() where it is 1, and so on; the last also where i is out of range.
/// As `cond` otherwise.
template <expression I, class First, class... Rest>
constexpr auto switch_case(I i, const First& first, const Rest&... rest) {
  if constexpr (!is_integer(dtype_of<typename I::value_type>) || I::rank != 0) {
    raise<what_chooses_a_case_is_one_integer, in_function<"switch_case">, shown<I>>();
    return detail::refused_branches(detail::call_branch<"switch_case">(first), i, detail::call_branch<"switch_case">(rest)...);
  } else {
    return detail::build_branch<"switch_case", detail::node_for<I>>(detail::call_branch<"switch_case">(first),
                                                                    detail::call_branch<"switch_case">(rest)...);
  }
}
ETCH_REFUSE_CALLS(switch_case, this_call_has_the_wrong_arguments, "switch_case($, f, g)")

}  // namespace etch
