// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <etch/control/eager_values.hpp>
#include <etch/control/loop.hpp>

/// Loops of eager code: what a graph's loop does, by a loop of C++. A tape records the ops of each step.
namespace etch::detail {

/// The numbers 0, 1, 2, ..., as a sequence.
template <class T>
struct counted_steps {
  tensor<T, 0> operator[](T i) const { return tensor<T, 0>(i); }
};
/// Of loops that make all their steps.
struct no_condition {};
/// Stands for what a body gives that was refused.
template <class State>
struct refused_body : body_values<State, void> {};

/// F: called with the state and an element of each X. State: what the program has written, numbers and all.
template <fixed_string Function, class F, class Condition, class State, class... X>
class eager_loop {
 public:
  eager_loop(const F& f, const Condition& condition, const X&... x) : f_(f), condition_(condition), x_(x...) {}

  /// The last state, or that and the outputs of all steps. steps: how many there are at most; -1 for as many as the condition lets.
  auto run(const State& first, std::int64_t steps, bool reversed = false) {
    start_type begin = start_of(first, places<State>{});
    if constexpr (is_refused) {
      return given_as<State>(state_type());
    } else if constexpr (std::is_same_v<start_type, state_type>) {
      return go_on(std::move(begin), 0, steps, reversed);
    } else {
      if (steps == 0 || !goes_on(begin))
        fail("%s: its state begins as a number and gets its shape in the first step, but no step is made", Function.text);
      return go_on(step(begin, reversed ? steps - 1 : 0), 1, steps, reversed);
    }
  }

 private:
  template <class S>
  using places = std::make_index_sequence<static_cast<std::size_t>(members_of_structure<S>::list::size)>;
  template <class Values>
  using argument = decltype(given_as<State>(std::declval<const Values&>()));

  /// What the body gives for a state.
  template <class Values>
  static constexpr auto call_body() {
    if constexpr (std::is_invocable_v<const F&, argument<Values>, decltype(std::declval<const X&>()[0])...>) {
      using given = std::invoke_result_t<const F&, argument<Values>, decltype(std::declval<const X&>()[0])...>;
      return read<std::remove_cvref_t<given>>();
    } else {
      raise<a_loops_body_takes_the_state_and_an_element_of_each_sequence, in_function<Function>,
            number_of_operands<1 + sizeof...(X)>>();
      return refused_body<State>{};
    }
  }
  template <class Given>
  static constexpr auto read() {
    if constexpr (are_as_many_tensors<State, Given>()) {
      return body_values<Given, void>{};
    } else if constexpr (is_pair_with_outputs<Given>()) {
      return body_values<std::tuple_element_t<0, Given>, std::tuple_element_t<1, Given>>{};
    } else {
      raise<a_loops_body_gives_as_many_states_as_it_has_and_perhaps_outputs, in_function<Function>,
            number_of_operands<members_of_structure<State>::list::size>>();
      return refused_body<State>{};
    }
  }
  template <class Given>
  static constexpr bool is_pair_with_outputs() {
    if constexpr (requires { std::tuple_size<Given>::value; }) {
      if constexpr (std::tuple_size_v<Given> == 2)
        return are_as_many_tensors<State, std::tuple_element_t<0, Given>>() && eager_structure<std::tuple_element_t<1, Given>>;
    }
    return false;
  }

  /// A number that a state begins as takes the dtype and shape that the body gives it; it is a scalar until that is known.
  template <class Written, class Next>
  static constexpr auto kept_type() {
    if constexpr (is_literal<Written> && !is_literal<Next>)
      return std::type_identity<tensor_for<Next>>{};
    else
      return std::type_identity<tensor_for<Written>>{};
  }
  template <class Written, class Kept>
  using begin_type = std::conditional_t<is_literal<Written>, tensor<typename Kept::value_type, 0>, Kept>;
  template <class... Written, class... Next>
  static auto kept_types(type_list<Written...>, type_list<Next...>)
      -> std::tuple<typename decltype(kept_type<Written, Next>())::type...>;
  template <class... Written, class... Kept>
  static auto begin_types(type_list<Written...>, std::type_identity<std::tuple<Kept...>>)
      -> std::tuple<begin_type<Written, Kept>...>;
  using written = typename members_of_structure<State>::list;
  using state_type = decltype(kept_types(
      written{}, typename members_of_structure<typename decltype(call_body<tensors_for<State>>())::states>::list{}));
  using start_type = decltype(begin_types(written{}, std::type_identity<state_type>{}));
  using body = decltype(call_body<state_type>());
  static constexpr bool is_refused = std::is_same_v<body, refused_body<State>>;

  template <class... T>
  static auto lists_of(std::type_identity<std::tuple<T...>>) -> std::tuple<std::vector<T>...>;
  static constexpr auto output_lists() {
    if constexpr (body::has_outputs)
      return std::type_identity<decltype(lists_of(std::type_identity<tensors_for<typename body::outputs>>{}))>{};
    else
      return std::type_identity<std::tuple<>>{};
  }

  template <std::size_t... K>
  static start_type start_of(const State& first, std::index_sequence<K...>) {
    return start_type(as_tensor_of<std::tuple_element_t<K, start_type>>(member_of_structure<K>(first))...);
  }
  template <class Values>
  bool goes_on(const Values& values) const {
    if constexpr (std::is_same_v<Condition, no_condition>) {
      return true;
    } else if constexpr (!std::is_invocable_v<const Condition&, argument<Values>>) {
      return raise<a_loops_condition_takes_the_state, in_function<Function>>();
    } else {
      using answer = std::remove_cvref_t<std::invoke_result_t<const Condition&, argument<Values>>>;
      if constexpr (is_one_bool<answer>())
        return as_tensor(condition_(given_as<State>(values))).item();
      else
        return raise<a_condition_is_one_bool, in_function<Function>, typename shown_argument<answer>::type>();
    }
  }

  template <class Before>
  state_type step(const Before& before, std::int64_t i) {
    const auto given = std::apply([&](const auto&... x) { return f_(given_as<State>(before), x[i]...); }, x_);
    if constexpr (body::has_outputs) {
      keep(std::get<1>(given), places<typename body::outputs>{});
      return next(before, std::get<0>(given), places<State>{});
    } else {
      return next(before, given, places<State>{});
    }
  }
  template <class Outputs, std::size_t... K>
  void keep(const Outputs& outputs, std::index_sequence<K...>) {
    (std::get<K>(outputs_).push_back(as_tensor(member_of_structure<K>(outputs))), ...);
  }
  template <class Before, class Given, std::size_t... K>
  static state_type next(const Before& before, const Given& given, std::index_sequence<K...>) {
    return state_type(next_of<std::tuple_element_t<K, state_type>>(std::get<K>(before), member_of_structure<K>(given))...);
  }
  template <class Wanted, class Before, class Given>
  static Wanted next_of(const Before& before, const Given& given) {
    if constexpr (is_literal<Given> && std::is_same_v<Before, Wanted>) {
      return filled_like(before, Given::template as<typename Wanted::value_type>());
    } else if constexpr (!is_literal<Given> && !std::is_same_v<tensor_for<Given>, Wanted>) {
      raise<a_loops_state_keeps_its_dtype_and_shape, in_function<Function>, expected<shown<Wanted>>,
            got<shown<tensor_for<Given>>>>();
      return Wanted();
    } else {
      Wanted after = as_tensor_of<Wanted>(given);
      if constexpr (std::is_same_v<Before, Wanted>)
        if (after.shape() != before.shape())
          fail("%s: a loop's state keeps its shape: %s becomes %s", Function.text, shape_text(before.shape()).c_str(),
               shape_text(after.shape()).c_str());
      return after;
    }
  }

  auto go_on(state_type state, std::int64_t done, std::int64_t steps, bool reversed) {
    for (; (steps < 0 || done < steps) && goes_on(state); ++done) state = step(state, reversed ? steps - 1 - done : done);
    if constexpr (body::has_outputs)
      return std::tuple{given_as<State>(state), stacks(steps, reversed)};
    else
      return given_as<State>(state);
  }
  auto stacks(std::int64_t steps, bool reversed) {
    return std::apply(
        [&](auto&... list) {
          if (reversed) (std::reverse(list.begin(), list.end()), ...);
          return given_as<typename body::outputs>(std::tuple{stack_steps(list, steps, Function.text)...});
        },
        outputs_);
  }

  const F& f_;
  const Condition& condition_;
  std::tuple<const X&...> x_;
  typename decltype(output_lists())::type outputs_;
};

}  // namespace etch::detail
