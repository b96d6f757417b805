// SPDX-License-Identifier: MIT
#pragma once
#include <etch/nn/optimizer_slots.hpp>
#include <etch/nn/trainable.hpp>
#include <etch/passes/gradient.hpp>

/// What all optimizers have: `minimize`, `apply_gradients`, limits of gradients, decay, averages, accumulation. One optimizer is a rule for one
/// variable, in optimizers.hpp.
namespace etch::optimizers {

namespace detail {

/// What a rule lists for one variable: its assignments, and those of averages and accumulations.
struct operations {
  static constexpr int most = 12;
  hash_t at[most]{};
  int count = 0;
};
template <class List>
inline constexpr operations operations_in = [] {
  using given =
      typename std::conditional_t<expression<List>, etch::detail::shown_operand<List>, std::type_identity<got<List>>>::type;
  raise<an_optimizers_rule_gives_what_s_changes_gives, given, instead_write<"return s.changes(w - s(rate) * g)">>();
  return operations{};
}();
template <class... E>
inline constexpr operations operations_in<expressions<E...>> = [] {
  if constexpr (sizeof...(E) <= operations::most) {
    return operations{{E::hash...}, static_cast<int>(sizeof...(E))};
  } else {
    raise<an_optimizers_rule_assigns_at_most_12_times_for_each_variable, number_of_operands<sizeof...(E)>>();
    return operations{};
  }
}();
template <class Optimizer, class V, class G, class First>
inline constexpr operations operations_of = operations_in<decltype(Optimizer::update(V{}, G{}, First{}))>;

/// The operations of one training step, for all of its variables. As values: lists of types that grow by each variable are
/// quadratic in memory.
template <class Optimizer, class First, class Gradients, class Variables>
struct step_operations;
template <class Optimizer, class First, class... G, class... V>
struct step_operations<Optimizer, First, expressions<G...>, expressions<V...>> {
  static constexpr operations of_each[sizeof...(V)] = {operations_of<Optimizer, V, G, First>...};
  static constexpr int count = [] {
    int n = 0;
    for (const operations& o : of_each) n += o.count;
    return n;
  }();
  struct table {
    hash_t at[count > 0 ? count : 1]{};
  };
  static constexpr table value = [] {
    table t;
    int n = 0;
    for (const operations& o : of_each)
      for (int k = 0; k < o.count; ++k) t.at[n++] = o.at[k];
    return t;
  }();
};

/// The variable V, or the rows w of it, with `weight_decay`.
template <class Options, class V, class S, class W>
constexpr auto decayed([[maybe_unused]] S s, W w) {
  if constexpr (is_none<typename Options::decay>)
    return w;
  else if constexpr (!Options::decayed::has(V::name_type::text))
    return w;
  else
    return w - s(s.rate()) * s(typename Options::decay{}) * w;
}

/// A rule with a name for its state, a rate, and options. `Rule{}(s, w, g, rate)` gives `s.changes(...)` for one variable, whose state is
/// `state<"m">(s)`.
template <class Name, class Rule, class Rate, class Options = options<>>
class optimizer {
 public:
  /// One training step on the trainable variables that `loss` depends on by floats; the others are left alone. With a selection on those
  /// of them that it has: `minimize(loss, variables_under<"generator">)`.
  template <expression Loss, etch::detail::variable_selection Selection = etch::detail::variable_prefix<name<>>>
  constexpr auto minimize(Loss loss, Selection selection = {}) const {
    if constexpr (!has_gradient<Loss>())
      return group();
    else
      return minimize_all(loss, etch::detail::trainable_variables<Loss>(selection));
  }
  /// On those that are named: the loss must reach each of them.
  template <expression Loss, expression... V>
    requires(sizeof...(V) > 0)
  constexpr auto minimize(Loss loss, V... variables) const {
    if constexpr (!has_gradient<Loss>() || !are_variables<"minimize", V...>())
      return group();
    else
      return apply_to(listed(gradient(loss, variables)...), listed(variables...));
  }
  template <class... A>
  constexpr auto minimize(const A&... a) const {
    constexpr bool loss_first = etch::detail::first_true({expression<A>..., false}) == 0;
    etch::detail::refuse_function<std::conditional_t<loss_first, only_a_variable_can_be_trained, a_loss_is_an_expression>,
                                  "minimize", "minimize(loss, w)">(a...);
    return group();
  }
  /// One step with gradients that were made elsewhere (averaged, say), in the order of the variables.
  template <class... G, expression... V>
  constexpr auto apply_gradients(const std::tuple<G...>&, V... variables) const {
    if constexpr (sizeof...(G) != sizeof...(V)) {
      raise<there_is_not_one_gradient_for_each_variable, in_function<"apply_gradients">, got<shown<G>...>, shown<V>...>();
      return group();
    } else if constexpr (!are_variables<"apply_gradients", V...>()) {
      return group();
    } else {
      return apply_to(expressions<G...>{}, listed(variables...));
    }
  }
  template <class... A>
  constexpr auto apply_gradients(const A&... a) const {
    etch::detail::refuse_function<this_call_has_the_wrong_arguments, "apply_gradients", "apply_gradients(gradients(y, w), w)">(
        a...);
    return group();
  }

  /// The same with gradients that are limited first: see the functions of these names. One of the three; the last that is called.
  template <class Limit>
  constexpr auto clip_by_value(Limit) const {
    return clipped(clipping_by<limited::element, Limit>{});
  }
  template <class Limit>
  constexpr auto clip_by_norm(Limit) const {
    return clipped(clipping_by<limited::gradient, Limit>{});
  }
  template <class Limit>
  constexpr auto clip_by_global_norm(Limit) const {
    return clipped(clipping_by<limited::all, Limit>{});
  }
  /// The same, and before each change w -= rate * decay * w (Loshchilov, Hutter 2019), of the variables of a selection, which are all if none is
  /// told: `weight_decay(0.01_c, variables_not_named<"bias", "scale", "offset">)`.
  template <class Decay, etch::detail::variable_selection Decayed = etch::detail::variable_prefix<name<>>>
  constexpr auto weight_decay(Decay, Decayed = {}) const {
    return with(
        options<typename Options::clipping, Decay, Decayed, typename Options::average_momentum, typename Options::accumulated>{});
  }
  /// The same, and of each variable w a moving average, `w/<optimizer>/average`: momentum * average + (1 - momentum) * w after each step, w after
  /// the first. Keras's `use_ema`, but that it averages between the steps of an accumulation, too.
  template <class Momentum = decltype(0.99_c)>
  constexpr auto moving_average(Momentum = {}) const {
    return with(options<typename Options::clipping, typename Options::decay, typename Options::decayed, Momentum,
                        typename Options::accumulated>{});
  }
  /// The same for the mean of `count` gradients: the first count - 1 steps of each count only add theirs up. A schedule counts changes.
  template <class Count>
  constexpr auto accumulate(Count) const {
    return with(options<typename Options::clipping, typename Options::decay, typename Options::decayed,
                        typename Options::average_momentum, Count>{});
  }
  /// Exchanges the variables that `minimize(loss, selection)` trains with their moving averages, which are 0 before the first step: once before they are used, once
  /// after it.
  template <expression Loss, etch::detail::variable_selection Selection = etch::detail::variable_prefix<name<>>>
  constexpr auto swap_averages(Loss, Selection selection = {}) const {
    static_assert(!is_none<typename Options::average_momentum>, "swap_averages is of an optimizer with moving_average");
    return swapped(etch::detail::trainable_variables<Loss>(selection));
  }

  /// What a step does to one variable.
  template <class V, class G, class First>
  static constexpr auto update(V v, G g, First) {
    constexpr slots_of<First, V> s;
    if constexpr (is_none<typename Options::accumulated>)
      return Rule{}(s, decayed<Options, V>(s, v), g, s.rate());
    else
      return accumulated(s, Rule{}(s, decayed<Options, V>(s, v), typename G::used{}, s.rate()), typename G::sum{});
  }

 private:
  template <class First, class V>
  using slots_of = slots<Name, Options, Rate, First, V>;
  /// A gradient as the rule uses it, and what has been added up for it.
  template <class Used, class Sum>
  struct change {
    using used = Used;
    using sum = Sum;
  };

  template <class O>
  static constexpr optimizer<Name, Rule, Rate, O> with(O) {
    return {};
  }
  template <class Clipping>
  static constexpr auto clipped(Clipping) {
    return with(options<Clipping, typename Options::decay, typename Options::decayed, typename Options::average_momentum,
                        typename Options::accumulated>{});
  }
  template <class Loss>
  static constexpr bool has_gradient() {
    if constexpr (is_floating(dtype_of<typename Loss::value_type>))
      return true;
    else
      return raise<only_floats_have_gradients_cast_first, in_function<"minimize">, shown<Loss>>();
  }
  template <fixed_string Function, class... V>
  static constexpr bool are_variables() {
    if constexpr ((variable_expression<V> && ...))
      return true;
    else
      return raise<only_a_variable_can_be_trained, in_function<Function>, shown<V>...>();
  }
  template <class Loss, hash_t... V>
  constexpr auto minimize_all(Loss loss, etch::detail::variable_hashes<V...>) const {
    return apply_to(listed(gradient(loss, etch::detail::variable_with<V>{})...), expressions<etch::detail::variable_with<V>...>{});
  }
  template <hash_t... V>
  static constexpr auto swapped(etch::detail::variable_hashes<V...>) {
    const auto swap = [](auto v) {
      const auto average = slots_of<decltype(v), decltype(v)>::average();
      return group(assign(v, average), assign(average, v));
    };
    return group(swap(etch::detail::variable_with<V>{})...);
  }
  template <class... G>
  static constexpr auto limited_list(expressions<G...> g) {
    if constexpr (is_none<typename Options::clipping>)
      return g;
    else
      return listed_of(typename Options::clipping{}(std::tuple{G{}...}));
  }
  template <class... G>
  static constexpr expressions<G...> listed_of(std::tuple<G...>) {
    return {};
  }
  static constexpr auto apply_to(expressions<>, expressions<>) { return group(); }
  template <class... G, class First, class... V>
  static constexpr auto apply_to(expressions<G...> g, expressions<First, V...> variables) {
    if constexpr (is_none<typename Options::accumulated>)
      return apply_changes(First{}, limited_list(g), variables);
    else
      return accumulate_all(First{}, g, variables);
  }
  template <class First, class... G, class... V>
  static constexpr auto accumulate_all(First first, expressions<G...>, expressions<V...> variables) {
    const auto count = slots_of<First, First>::in_double(typename Options::accumulated{});
    const auto used = limited_list(listed((slots_of<First, V>::sum_of_gradients() + G{}) / slots_of<First, V>{}(count)...));
    return apply_changes(first, accumulation(used, listed(slots_of<First, V>::sum_of_gradients() + G{}...)), variables);
  }
  template <class... Used, class... Sum>
  static constexpr expressions<change<Used, Sum>...> accumulation(expressions<Used...>, expressions<Sum...>) {
    return {};
  }
  template <class S, class Other, class Sum>
  static constexpr Other accumulated(S, Other other, Sum) {
    return other;
  }
  template <class S, class... E, class Sum>
  static constexpr auto accumulated(S s, expressions<E...>, Sum sum) {
    return listed(E{}..., assign(s.template shared<"gradients">(), where(s.is_due(), 0_c, s.gradients())),
                  assign(s.sum_of_gradients(), where(s.is_due(), 0_c, sum)));
  }
  template <class First, class... G, class... V>
  static constexpr auto apply_changes(First, expressions<G...>, expressions<V...>) {
    using all = step_operations<optimizer, First, expressions<G...>, expressions<V...>>;
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return etch::detail::make_expression<struct group, void, shape<>, attributes<>, all::value.at[I]...>();
    }(std::make_index_sequence<static_cast<std::size_t>(all::count)>{});
  }
};

/// What an optimizer is that was given no rate.
template <fixed_string Name, class...>
constexpr auto without_rate() {
  raise<name_the_learning_rate, in_function<"optimizers::" + Name>, instead_write<"optimizers::" + Name + "(1e-3_c)">>();
  constexpr auto nothing = [](auto s, auto w, auto, auto) { return s.changes(w); };
  return optimizer<name<>, decltype(nothing), decltype(1e-3_c)>{};
}

}  // namespace detail

/// An optimizer of one's own. `f(s, w, g, rate)` gives the change of one variable w, whose gradient is g: `s.changes(w - s(rate) * g)`.
/// Where it keeps something: `const auto m = optimizers::state<"m">(s);`, and behind the new w in `s.changes(...)`, `s.store(m, next)`. `s(p)` is
/// a parameter in w's dtype.
template <fixed_string Name, class Rate, class Rule>
constexpr auto rule(Rate, Rule) {
  return detail::optimizer<name_of<Name>, Rule, Rate>{};
}

/// Calls without arguments, also with the rate in angle brackets.
#define ETCH_REFUSE_WITHOUT_RATE(NAME)                    \
  template <class... A>                                   \
    requires(sizeof...(A) == 0)                           \
  constexpr auto NAME(const A&...) {                      \
    return detail::without_rate<#NAME, A...>();           \
  }                                                       \
  template <auto Rate>                                    \
    requires std::is_arithmetic_v<decltype(Rate)>         \
  constexpr auto NAME() {                                 \
    return detail::without_rate<#NAME, decltype(Rate)>(); \
  }

}  // namespace etch::optimizers
