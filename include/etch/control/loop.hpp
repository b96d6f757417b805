// SPDX-License-Identifier: MIT
#pragma once
#include <etch/control/structure.hpp>
#include <etch/ops/comparison.hpp>

/// How a body becomes a loop: it is called with parameters, and what it gives are the next states and the outputs.
namespace etch {

namespace detail {

template <class E>
constexpr bool is_bool_scalar() {
  if constexpr (value_expression<E>)
    return std::is_same_v<typename E::value_type, bool> && E::rank == 0;
  else
    return false;
}

/// What a body gives: new states, and perhaps outputs.
template <class States, class Outputs>
struct body_values {
  using states = States;
  using outputs = Outputs;
  static constexpr bool has_outputs = !std::is_void_v<Outputs>;
};
template <class State, class Given>
constexpr bool is_pair_with_states() {
  if constexpr (requires { std::tuple_size<Given>::value; }) {
    if constexpr (std::tuple_size_v<Given> == 2)
      return alike<State, std::tuple_element_t<0, Given>>() && structure<std::tuple_element_t<1, Given>>;
  }
  return false;
}
/// An error where it is neither new states nor a pair of these and outputs.
template <fixed_string Function, class State, class Given>
constexpr auto read_body() {
  if constexpr (alike<State, Given>()) {
    return body_values<Given, void>{};
  } else if constexpr (is_pair_with_states<State, Given>()) {
    return body_values<std::tuple_element_t<0, Given>, std::tuple_element_t<1, Given>>{};
  } else {
    raise<a_loops_body_gives_as_many_states_as_it_has_and_perhaps_outputs, in_function<Function>,
          number_of_operands<expressions_of<State>::size>>();
    return body_values<State, void>{};
  }
}

/// A loop as an expression. Condition: what says whether another step is made, called with the state; void where all are.
template <fixed_string Function, class F, class Condition, class State, class... X>
struct loop_builder {
  static constexpr int sequences = sizeof...(X);
  using state_list = expressions_of<State>;
  static constexpr int states = state_list::size;
  template <class E>
  using element_shape = typename without_first_axis<typename E::shape_type>::type;

  /// Parameters are numbered as the operands are: states, then elements of sequences.
  template <int Level, class... S, int... I, int... J>
  static constexpr auto parameters_of(type_list<S...>, std::integer_sequence<int, I...>, std::integer_sequence<int, J...>) {
    return type_list<type_list<parameter_of<Level, I, typename S::value_type, typename S::shape_type>...>,
                     type_list<parameter_of<Level, states + J, typename plan_value<X>::node::value_type, element_shape<X>>...>>{};
  }
  template <int Level>
  using parameters = decltype(parameters_of<Level>(state_list{}, std::make_integer_sequence<int, states>{},
                                                   std::make_integer_sequence<int, sequences>{}));
  template <class... S, class... E>
  static constexpr auto call_body(type_list<type_list<S...>, type_list<E...>>) {
    using state = decltype(structured_as<State>(S{}...));
    if constexpr (std::is_invocable_v<const F&, state, decltype(plan_value<X>::like(E{}))...>) {
      return std::type_identity<std::invoke_result_t<const F&, state, decltype(plan_value<X>::like(E{}))...>>{};
    } else {
      raise<a_loops_body_takes_the_state_and_an_element_of_each_sequence, in_function<Function>,
            number_of_operands<1 + sequences>>();
      return std::type_identity<state>{};
    }
  }
  /// What the body gives for the parameters of a level.
  template <int Level>
  using given = decltype(read_body<Function, State, typename decltype(call_body(parameters<Level>{}))::type>());

  template <class... E>
  static constexpr int level_of(type_list<E...>) {
    return level_above<node_for<E>::hash...>;
  }
  template <class Given>
  static constexpr int level_of_body() {
    const int of_states = level_of(expressions_of<typename Given::states>{});
    if constexpr (Given::has_outputs) {
      const int of_outputs = level_of(expressions_of<typename Given::outputs>{});
      return of_outputs > of_states ? of_outputs : of_states;
    }
    return of_states;
  }
  /// The condition for the parameters of a level; nothing where there is none.
  template <class... S, class E>
  static constexpr auto call_condition(type_list<type_list<S...>, E>) {
    using state = decltype(structured_as<State>(S{}...));
    if constexpr (std::is_void_v<Condition>) {
      return type_list<>{};
    } else if constexpr (!std::is_invocable_v<const Condition&, state>) {
      raise<a_loops_condition_takes_the_state, in_function<Function>>();
      return type_list<>{};
    } else {
      using answer = std::invoke_result_t<const Condition&, state>;
      if constexpr (is_bool_scalar<answer>()) {
        return type_list<node_for<answer>>{};
      } else {
        raise<a_condition_is_one_bool, in_function<Function>, typename shown_argument<answer>::type>();
        return type_list<>{};
      }
    }
  }
  template <int Level>
  using condition = decltype(call_condition(parameters<Level>{}));

  static constexpr int level_of_all() {
    const int of_body = level_of_body<given<0>>(), of_condition = level_of(condition<0>{});
    return of_body > of_condition ? of_body : of_condition;
  }
  static constexpr int level = level_of_all();

  template <int Mode, int Level, class... S, class... P, class... E, class... Next, class... C>
  static constexpr auto loop_node(type_list<S...>, type_list<type_list<P...>, type_list<E...>>, type_list<Next...>,
                                  type_list<C...>) {
    static_assert(Level <= deepest_level, "loops: they are nested more than 63 deep");
    return make_expression<
        region_loop, void, shape<>, attributes<Level, states, sequences, Mode>, S::hash..., X::hash..., P::hash..., E::hash...,
        decltype(as_promised<a_loops_state_keeps_its_dtype_and_shape, Function, S>(Next{}))::hash..., C::hash...>();
  }
  template <class Loop, class Outputs, class... E>
  static constexpr auto stacks(type_list<E...>) {
    return structured_as<Outputs>(stack<Loop, E>()...);
  }
  template <class Loop, class E>
  static constexpr auto stack() {
    if constexpr (value_expression<E> && E::rank == max_rank) {
      return refusal<too_many_axes, in_function<Function>, shown<E>>(X{}..., State{});
    } else if constexpr (value_expression<E>) {
      if constexpr (!std::is_void_v<Condition> && is_floating(dtype_of<typename E::value_type>))
        return stack_of_floats<Loop>(E{});
      else
        return stack_of<Loop>(E{});
    } else {
      return refusal<a_training_step_has_no_value, in_function<Function>, shown<E>>(X{}..., State{});
    }
  }
  /// 0 in steps that a condition prevents, where a stack of floats has what gradients can compute with (session/regions.hpp). What is true of any
  /// x is, as a value of the body, false there.
  template <class Loop, class E>
  static constexpr auto stack_of_floats(E x) {
    if constexpr (is_storage(dtype_of<typename E::value_type>))
      return astype<typename E::value_type>(stack_of_floats<Loop>(astype<float>(x)));
    else
      return etch::where(stack_of<Loop>(x == x || x != x), stack_of<Loop>(x), literal<0>);
  }
  template <class Loop, class E>
  static constexpr auto stack_of(E) {
    constexpr auto length = extent_along<0>(typename type_at<0, X...>::shape_type{});
    return make_expression<region_stack, typename E::value_type, typename with_first_axis<length, typename E::shape_type>::type,
                           attributes<>, Loop::hash, E::hash>();
  }
  /// A literal that a state begins as takes the dtype and shape that the body gives it.
  template <class E, class Next>
  static constexpr auto adapted_to(Next) {
    if constexpr (!is_literal<E> || is_literal<Next> || !value_expression<Next>)
      return E{};
    else
      return broadcast_to(E::template node<typename Next::value_type>(), typename Next::shape_type{});
  }
  template <class... E, class... Next>
  static constexpr auto adapted_state(type_list<E...>, type_list<Next...>) {
    return structured_as<State>(adapted_to<E>(Next{})...);
  }
  template <class... E>
  static constexpr auto adapt(type_list<E...>) {
    if constexpr ((is_literal<E> || ...))
      return adapted_state(type_list<E...>{}, written_in<typename given<0>::states>{});
    else
      return State{};
  }
  using adapted = decltype(adapt(written_in<State>{}));

  /// Mode: 1 where it is reversed, and 2 where its gradient recomputes.
  template <int Mode>
  static constexpr auto build() {
    if constexpr (!std::is_same_v<adapted, State>)
      return loop_builder<Function, F, Condition, adapted, X...>::template build<Mode>();
    else
      return build_as_it_is<Mode>();
  }

 private:
  template <int Mode>
  static constexpr auto build_as_it_is() {
    using body = given<level>;
    using loop = decltype(loop_node<Mode, level>(state_list{}, parameters<level>{}, written_in<typename body::states>{},
                                                 condition<level>{}));
    const auto last = region_results<State, loop>(state_list{}, std::make_index_sequence<states>{});
    if constexpr (body::has_outputs)
      return std::tuple{last, stacks<loop, typename body::outputs>(expressions_of<typename body::outputs>{})};
    else
      return last;
  }
};

}  // namespace detail

}  // namespace etch
