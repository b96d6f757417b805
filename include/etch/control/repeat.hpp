// SPDX-License-Identifier: MIT
#pragma once
#include <etch/control/eager_values.hpp>
#include <etch/control/loop.hpp>
#include <etch/control/recompute.hpp>
#include <etch/control/repeated_variable.hpp>
#include <etch/core/scope.hpp>
#include <etch/nn/initializers.hpp>

/// Equal blocks, one after another, each with variables of its own: a loop over the variables.
namespace etch {

namespace detail {

template <std::size_t Count>
constexpr auto star_text() {
  char text[Count + 1]{};
  for (std::size_t i = 0; i < Count; ++i) text[i] = '*';
  return fixed_string<Count + 1>(text);
}

/// The body of a block, in a scope whose name says the level of the loop: as many stars, and one more.
template <class F, fixed_string Name>
struct block_body {
  template <class State>
  static constexpr std::size_t level_of() {
    return static_cast<std::size_t>(record_address<type_at_first<expressions_of<State>>::hash>->words[0]);
  }
  template <class First, class... Rest>
  static First first_of(type_list<First, Rest...>);
  template <class List>
  using type_at_first = decltype(first_of(List{}));

  template <class State>
  constexpr auto operator()(State state) const
      -> decltype(scope<Name / star_text<level_of<State>() + 1>()>(std::declval<const F&>(), state)) {
    return {};
  }
};

inline constexpr int most_repeated = 256;
struct repeated_list {
  int count = 0;
  hash_t at[most_repeated]{};
};
/// The blocks' variables that some expressions are made of.
template <int Level, class... E>
constexpr repeated_list find_repeated(type_list<E...>) {
  reachable all;
  (all.add(record_address<E::hash>), ...);
  repeated_list found;
  for (int i = 0; i < all.records.size(); ++i) {
    const record& r = *all.records[i];
    if (r.op->role != op_role::parameter || r.slot == nullptr || r.words[0] != Level) continue;
    if (found.count < most_repeated) found.at[found.count] = r.hash;
    ++found.count;
  }
  return found;
}

template <int Count, int Mode, class Body, class State>
struct repeat_builder {
  using traced = loop_builder<"repeat", Body, void, State>;
  static constexpr int level = traced::level;
  using next = typename traced::template given<level>::states;
  static constexpr repeated_list found = find_repeated<level>(expressions_of<next>{});

  template <int... I>
  static constexpr auto build(std::integer_sequence<int, I...>) {
    return build_over(type_list<typename defined<expression_key, found.at[I]>::parameter...>{},
                      type_list<decltype(defined<expression_key, found.at[I]>::template stacked<Count>())...>{});
  }
  /// A loop over nothing counts its steps.
  static constexpr auto build(std::integer_sequence<int>) {
    return build_over(type_list<parameter_of<level, traced::states, std::int32_t, shape<>>>{},
                      type_list<decltype(arange<std::int32_t>(shape<Count>{}))>{});
  }
  template <class... P, class... X>
  static constexpr auto build_over(type_list<P...>, type_list<X...>) {
    using builder = loop_builder<"repeat", Body, void, State, X...>;
    using state_list = typename builder::state_list;
    using of_states = typename traced::template parameters<level>;
    using loop = decltype(builder::template loop_node<Mode, level>(state_list{}, with_elements<P...>(of_states{}),
                                                                   written_in<next>{}, type_list<>{}));
    return region_results<State, loop>(state_list{}, std::make_index_sequence<builder::states>{});
  }
  template <class... P, class... S>
  static constexpr auto with_elements(type_list<type_list<S...>, type_list<>>) {
    return type_list<type_list<S...>, type_list<P...>>{};
  }
};

}  // namespace detail

/// `repeat<12, "block">(f, x)`: f(in, x), then f of that, 12 times, each time with other variables: those that f names by
/// `in / "w"`. x is an expression or a tuple of expressions, and f gives as many of the same dtypes and shapes. The variables of all blocks
/// are one, `block/w`, along a new first axis; initial values of blocks are drawn apart. Other variables, and draws, are the same for
/// all blocks. f is called once: to the compiler the blocks cost what one costs. It has gradients; with `recompute` as the last argument
/// they compute the blocks again instead of keeping what they need of them.
template <int Count, fixed_string Name, class F, class State, class... Recompute>
  requires(!detail::any_tensor<State> && (std::is_same_v<Recompute, struct recompute> && ...))
constexpr auto repeat(const F&, State, Recompute...) {
  if constexpr (Count < 0) {
    raise<this_count_is_negative, in_function<"repeat">, literal_value<Count>>();
    return State{};
  } else if constexpr (!detail::structure<State>) {
    raise<a_repeated_block_takes_an_expression_or_a_tuple_of_some, in_function<"repeat">,
          typename detail::shown_argument<State>::type>();
    return literal<0>;
  } else {
    using builder = detail::repeat_builder<Count, sizeof...(Recompute) == 0 ? 0 : 2, detail::block_body<F, Name>, State>;
    if constexpr (builder::found.count > detail::most_repeated) {
      raise<a_repeated_block_has_at_most_256_variables, in_function<"repeat">, literal_value<builder::found.count>>();
      return State{};
    } else {
      return builder::build(std::make_integer_sequence<int, builder::found.count>{});
    }
  }
}
ETCH_REFUSE_CALLS(repeat, write_the_name_in_angle_brackets, "repeat<12, \"block\">(f, $)", int Count)

}  // namespace etch
