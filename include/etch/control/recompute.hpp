// SPDX-License-Identifier: MIT
#pragma once
#include <etch/control/structure.hpp>
#include <etch/graph/reachable.hpp>

/// Rematerialisation (gradient checkpointing): parts of a graph that gradients recompute instead of keeping what they have
/// computed.
namespace etch {

namespace detail {

/// A call of the host that is made of a region's parameters of that level: its content, 0 where there is none.
template <int Level, hash_t... Roots>
inline constexpr hash_t host_call_in_region = [] {
  reachable all;
  (all.add(record_address<Roots>), ...);
  vector<char> inside(all.records.size(), 0);
  for (bool more = true; more;) {
    more = false;
    for (int i = all.records.size(); i-- > 0;) {
      const record& r = *all.records[i];
      bool is = inside[i] != 0 || (r.op->role == op_role::parameter && r.words[0] == Level);
      for (int k = 0; k < r.count && !is; ++k) is = inside[all.index.find(r.operands[k]->content)] != 0;
      if (!is || inside[i] != 0) continue;
      if (r.op->stateful && r.op->on_host) return r.content;
      inside[i] = 1;
      more = true;
    }
  }
  return hash_t{0};
}();

template <class F, class... X>
struct recompute_builder {
  static constexpr int arguments = sizeof...(X);

  template <int Level, class... E, int... I>
  static constexpr auto parameters_of(type_list<E...>, std::integer_sequence<int, I...>) {
    return type_list<parameter_of<Level, I, typename E::value_type, typename E::shape_type>...>{};
  }
  template <int Level>
  using parameters =
      decltype(parameters_of<Level>(expressions_of<std::tuple<X...>>{}, std::make_integer_sequence<int, arguments>{}));

  template <class... P>
  static auto call(type_list<P...>) -> decltype(std::declval<const F&>()(plan_value<X>::like(P{})...));
  template <class... P>
  static constexpr bool takes(type_list<P...>) {
    return std::is_invocable_v<const F&, decltype(plan_value<X>::like(P{}))...>;
  }
  /// What the body gives for the parameters of a level.
  template <int Level>
  using given = decltype(call(parameters<Level>{}));

  template <class... E>
  static constexpr int level_of(type_list<E...>) {
    return level_above<E::hash...>;
  }
  template <class Results, int Level, class... A, class... P, class... V>
  static constexpr auto build_as(type_list<A...>, type_list<P...>, type_list<V...>) {
    if constexpr (!(value_expression<V> && ...)) {
      return refusal<a_training_step_has_no_value, in_function<"recompute">, shown<V>...>(X{}...);
    } else if constexpr (host_call_in_region<Level, V::hash...> != 0) {
      raise<what_is_computed_again_calls_no_function_of_the_host, in_function<"recompute">,
            shown<defined<expression_key, host_call_in_region<Level, V::hash...>>>>();
      return Results{};
    } else {
      using made = decltype(make_expression<region_recompute, void, shape<>, attributes<Level, arguments>, A::hash..., P::hash...,
                                            V::hash...>());
      return region_results<Results, made>(type_list<V...>{}, std::index_sequence_for<V...>{});
    }
  }
  static constexpr auto build() {
    if constexpr (!(value_expression<typename plan_value<X>::node> && ...)) {
      return refusal<a_training_step_has_no_value, in_function<"recompute">, shown<typename plan_value<X>::node>...>(X{}...);
    } else if constexpr (!takes(parameters<0>{})) {
      return refusal<what_is_computed_again_takes_the_values_behind_it, in_function<"recompute">, number_of_operands<arguments>>(
          X{}...);
    } else if constexpr (!structure<given<0>>) {
      return refusal<what_is_computed_again_gives_an_expression_or_a_tuple_of_some, in_function<"recompute">, got<given<0>>>(
          X{}...);
    } else {
      constexpr int level = level_of(expressions_of<given<0>>{});
      static_assert(level <= deepest_level, "recompute: regions are nested more than 63 deep");
      using values = given<level>;
      return build_as<values, level>(expressions_of<std::tuple<X...>>{}, parameters<level>{}, expressions_of<values>{});
    }
  }
};

/// Whether these are tensors of eager code, perhaps with literals beside them.
template <class... X>
inline constexpr bool are_eager = (evaluated<X> || ...) && ((evaluated<X> || is_literal<X>) && ...);

}  // namespace detail

/// `recompute(f, x...)`: f(x...), an expression or a tuple of some, of which gradients keep the arguments alone: what f makes of
/// them is recomputed before its gradient (TensorFlow's `recompute_grad`, JAX's and PyTorch's `checkpoint`). Around each block of a
/// deep network it keeps one array a block instead of all that the rules of its ops read, and costs the time of another forward
/// pass. What f makes of other things than its arguments is computed once, outside, but for draws, which are the same again. What f
/// assigns and prints happens once; it cannot call functions of the host. Of eager tensors it is f(x...), also on a tape.
///
/// As the last argument of `scan` and `repeat` it says the same of each step: only the states are kept.
inline constexpr struct recompute {
  template <class F, class... X>
    requires(sizeof...(X) > 0 && detail::are_planned<X...>)
  constexpr auto operator()(const F&, X...) const {
    return detail::recompute_builder<F, X...>::build();
  }
  template <class F, class... X>
    requires(detail::are_eager<X...> && std::is_invocable_v<const F&, const X&...>)
  auto operator()(const F& f, const X&... x) const {
    return f(x...);
  }
  template <class... A>
  constexpr auto operator()(const A&... a) const {
    return detail::refuse_function<this_call_has_the_wrong_arguments, "recompute", "recompute(f, $)">(a...);
  }
} recompute;

}  // namespace etch
