// SPDX-License-Identifier: MIT
#pragma once
#include <etch/control/cond.hpp>
#include <etch/control/eager_loop.hpp>
#include <etch/control/repeat.hpp>
#include <etch/control/scan.hpp>
#include <etch/control/while_loop.hpp>

/// Loops and branches of eager code: the functions of graphs, called with tensors. They do at once what those do when the graph runs, so
/// that generic code serves both.
namespace etch {

namespace detail {

template <fixed_string Function, class F, class... X>
constexpr bool is_eager_branch() {
  if constexpr (!std::is_invocable_v<const F&, const X&...>) {
    return raise<a_branch_does_not_take_what_stands_behind_the_branches, in_function<Function>, number_of_operands<sizeof...(X)>>();
  } else {
    using given = std::remove_cvref_t<std::invoke_result_t<const F&, const X&...>>;
    if constexpr (!eager_structure<given>)
      raise<a_branch_gives_an_expression_or_a_tuple_of_some, in_function<Function>, got<given>>();
    return eager_structure<given>;
  }
}

/// The type of what stands at one place of all branches: a number takes the dtype of the others.
template <class First, class... Rest>
constexpr auto type_of_all() {
  if constexpr (is_literal<First> && sizeof...(Rest) > 0 && !(is_literal<Rest> && ...))
    return type_of_all<Rest..., First>();
  else
    return std::type_identity<tensor_for<First>>{};
}
template <class Wanted, class A>
inline constexpr bool may_be = is_literal<A> ? Wanted::rank <= 0 : std::is_same_v<tensor_for<A>, Wanted>;

/// What branches give, as one type.
template <fixed_string Function, class First, class... Rest>
struct eager_branches {
  template <std::size_t K, class S>
  using member = std::remove_cvref_t<decltype(member_of_structure<K>(std::declval<const S&>()))>;
  template <std::size_t K>
  using type = typename decltype(type_of_all<member<K, First>, member<K, Rest>...>())::type;
  template <std::size_t... K>
  static auto types(std::index_sequence<K...>) -> std::tuple<type<K>...>;
  using places = std::make_index_sequence<static_cast<std::size_t>(members_of_structure<First>::list::size)>;
  using values = decltype(types(places{}));

  template <std::size_t K>
  static constexpr bool check_place() {
    constexpr bool fits = may_be<type<K>, member<K, First>> && (may_be<type<K>, member<K, Rest>> && ...);
    if constexpr (!fits && type<K>::rank > 0 && (is_literal<member<K, First>> || ... || is_literal<member<K, Rest>>))
      raise<a_number_has_no_shape_where_the_other_branch_gives_an_array, in_function<Function>, shown<type<K>>>();
    else if constexpr (!fits)
      raise<the_branches_give_values_of_one_dtype_and_shape, in_function<Function>, shown<tensor_for<member<K, First>>>,
            shown<tensor_for<member<K, Rest>>>...>();
    return fits;
  }
  template <std::size_t... K>
  static constexpr bool check(std::index_sequence<K...>) {
    return (check_place<K>() && ...);
  }
  template <class Given, std::size_t... K>
  static auto taken(const Given& given, std::index_sequence<K...>) {
    return given_as<First>(values(as_tensor_of<type<K>>(member_of_structure<K>(given))...));
  }
};

template <class All, std::size_t K, class... F, class... X>
auto call_chosen(std::int64_t chosen, const std::tuple<const F&...>& branches, const X&... x) {
  if constexpr (K + 1 < sizeof...(F))
    if (chosen != static_cast<std::int64_t>(K)) return call_chosen<All, K + 1>(chosen, branches, x...);
  return All::taken(std::get<K>(branches)(x...), typename All::places{});
}
template <fixed_string Function, class First, class... Rest, class... F, class... X>
auto choose_among(type_list<First, Rest...>, std::int64_t chosen, const std::tuple<const F&...>& branches, const X&... x) {
  using all = eager_branches<Function, First, Rest...>;
  if constexpr (!(are_as_many_tensors<First, Rest>() && ...)) {
    raise<the_branches_give_as_many_values, in_function<Function>>();
    return given_as<First>(tensors_for<First>());
  } else if constexpr (!all::check(typename all::places{})) {
    return given_as<First>(typename all::values());
  } else {
    return call_chosen<all, 0>(chosen, branches, x...);
  }
}
/// Calls function number `chosen`, the last one for all numbers that none has.
template <fixed_string Function, class... F, class... X>
auto choose_eagerly(std::int64_t chosen, const std::tuple<const F&...>& branches, const X&... x) {
  if constexpr ((is_eager_branch<Function, F, X...>() && ...))
    return choose_among<Function>(type_list<std::remove_cvref_t<std::invoke_result_t<const F&, const X&...>>...>{}, chosen,
                                  branches, x...);
  else
    return refused(x...);
}

/// The value of what chooses.
template <class A>
auto one_number(const A& a) {
  return as_tensor(a).item();
}

template <class Sequence>
concept eager_sequence = eager_value<Sequence> || value_expression<Sequence>;

/// A body without the number of the step, or with another argument first.
template <class F, class First>
struct body_behind {
  const F& f;
  First first;
  template <class State>
    requires std::is_invocable_v<const F&, const First&, const State&>
  auto operator()(const State& state) const {
    return f(first, state);
  }
};
template <class F>
struct body_behind_number {
  const F& f;
  template <class State, class I>
    requires std::is_invocable_v<const F&, const I&, const State&>
  auto operator()(const State& state, const I& i) const {
    return f(i, state);
  }
};

template <fixed_string Function, class State, class F, class... X>
auto scan_eagerly(const F& f, const State& state, bool reversed, const std::tuple<X...>& sequences) {
  return std::apply(
      [&](const auto&... x) {
        if constexpr (((X::rank == 0) || ...)) {
          return refusal<a_sequence_has_a_first_axis_along_which_it_is_scanned, in_function<Function>, shown<X>...>(x...);
        } else {
          const int ranks[] = {x.described().rank...};
          for (std::size_t k = 0; k < sizeof...(x); ++k)
            if (ranks[k] == 0) fail("%s: sequence %zu is a scalar, which has no axis along which it is scanned", Function.text, k);
          const std::int64_t lengths[] = {x.extent(0)...};
          for (const std::int64_t length : lengths)
            if (length != lengths[0])
              fail("%s: sequences that are scanned together have one length: %lld and %lld", Function.text,
                   static_cast<long long>(lengths[0]), static_cast<long long>(length));
          return eager_loop<Function, F, no_condition, State, X...>(f, no_condition{}, x...).run(state, lengths[0], reversed);
        }
      },
      sequences);
}

template <class A>
auto sequence_of(const A& a) {
  if constexpr (std::is_same_v<A, struct reverse> || std::is_same_v<A, struct recompute>)
    return std::tuple<>{};
  else
    return std::tuple{as_tensor(a)};
}
template <class A>
inline constexpr bool is_scanned = std::is_same_v<A, struct reverse> || std::is_same_v<A, struct recompute> || eager_sequence<A>;

}  // namespace detail

/// Of one bool of eager code: calls the branch that it says, and no other.
template <evaluated P, class Then, class Otherwise, class... X>
auto cond(P p, const Then& then, const Otherwise& otherwise, X... x) {
  if constexpr (!detail::is_one_bool<P>())
    return detail::refusal<a_condition_is_one_bool, in_function<"cond">, shown<P>>(p, x...);
  else
    return detail::choose_eagerly<"cond">(detail::one_number(p) ? 0 : 1, std::tie(then, otherwise), x...);
}

template <evaluated I, class First, class... Rest>
auto switch_case(I i, const First& first, const Rest&... rest) {
  if constexpr (!is_integer(I::type) || I::rank > 0)
    return detail::refusal<what_chooses_a_case_is_one_integer, in_function<"switch_case">, shown<I>>(i);
  else
    return detail::choose_eagerly<"switch_case">(static_cast<std::int64_t>(detail::one_number(i)), std::tie(first, rest...));
}

/// With tensors among states and sequences the steps are made at once. `recompute` asks nothing of a tape, which keeps what it has recorded.
template <class F, class State, class... A>
  requires(detail::any_tensor<State, A...>)
auto scan(const F& f, State state, A... a) {
  if constexpr (!detail::eager_structure<State> || !(detail::is_scanned<A> && ...)) {
    detail::refuse_as<this_call_has_the_wrong_arguments, in_function<"scan">, "scan(f, state, xs)", State, A...>();
    return detail::refused(a...);
  } else {
    return detail::scan_eagerly<"scan">(f, state, (std::is_same_v<A, struct reverse> || ...),
                                        std::tuple_cat(detail::sequence_of(a)...));
  }
}

template <auto Count, class F, class State>
  requires(detail::any_tensor<State>)
auto for_range(const F& f, State state) {
  if constexpr (!std::is_integral_v<decltype(Count)>) {
    raise<a_placeholder_has_no_value_in_eager_code_run_the_expression_in_a_session, in_function<"for_range">, shape<Count>>();
    return state;
  } else if constexpr (Count < 0) {
    raise<this_count_is_negative, in_function<"for_range">, literal_value<Count>>();
    return state;
  } else {
    using body = detail::body_behind_number<F>;
    const body b{f};
    return detail::eager_loop<"for_range", body, detail::no_condition, State, detail::counted_steps<std::int64_t>>(b, {}, {}).run(
        state, Count);
  }
}

template <class Condition, class F, class State>
  requires(detail::any_tensor<State>)
auto while_loop(const Condition& condition, const F& f, State state) {
  return detail::eager_loop<"while_loop", F, Condition, State>(f, condition).run(state, -1);
}
template <int Bound, class Condition, class F, class State>
  requires(detail::any_tensor<State>)
auto while_loop(const Condition& condition, const F& f, State state) {
  if constexpr (Bound < 0) {
    raise<this_count_is_negative, in_function<"while_loop">, literal_value<Bound>>();
    return state;
  } else {
    return detail::eager_loop<"while_loop", F, Condition, State>(f, condition).run(state, Bound);
  }
}

/// Of tensors: a block that declares no variables, since those are a session's.
template <int Count, fixed_string Name, class F, class State, class... Recompute>
  requires(detail::any_tensor<State> && (std::is_same_v<Recompute, struct recompute> && ...))
auto repeat(const F& f, State state, Recompute...) {
  if constexpr (Count < 0) {
    raise<this_count_is_negative, in_function<"repeat">, literal_value<Count>>();
    return state;
  } else {
    using body = detail::body_behind<F, scope_path<name_of<Name>>>;
    const body b{f, {}};
    return detail::eager_loop<"repeat", body, detail::no_condition, State>(b, {}).run(state, Count);
  }
}

}  // namespace etch
