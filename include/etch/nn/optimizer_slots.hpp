// SPDX-License-Identifier: MIT
#pragma once
#include <etch/nn/clipping.hpp>
#include <etch/nn/initializers.hpp>

/// What an optimizer's rule is given: the state of one variable, parameters, the rate at this step.
namespace etch::optimizers {

namespace detail {

/// Expressions as a type: they have no members, and a list of them costs the compiler less than a tuple.
template <class... E>
struct expressions {};
template <class... E>
constexpr expressions<E...> listed(E...) {
  return {};
}

/// A variable of an optimizer's state, which starts as a number everywhere: `<name of V>/<optimizer>/<slot>`.
template <class Name, class Slot, class T, class Shape,
          etch::detail::variable_use Use = etch::detail::variable_use::optimizer_state, class V, class Start = decltype(0_c)>
constexpr auto state_of(V, Start = {}) {
  using name = join<join<join<join<typename V::name_type, name_of<"/">>, Name>, name_of<"/">>, Slot>;
  return etch::detail::make_variable<name, Use>(full<T>(Shape{}, Start{}));
}

/// Gradients as an optimizer limits them first: each element, each gradient, all together.
enum class limited { element, gradient, all };
template <limited What, class Limit>
struct clipping_by {
  template <class... G>
  constexpr auto operator()(std::tuple<G...> g) const {
    if constexpr (What == limited::element)
      return clip_by_value(g, Limit{});
    else if constexpr (What == limited::gradient)
      return clip_by_norm(g, Limit{});
    else
      return clip_by_global_norm(g, Limit{});
  }
};

/// What is not asked for.
struct none {};
template <class X>
inline constexpr bool is_none = std::is_same_v<X, none>;

/// What an optimizer does beside its rule. Types, so that what is not asked for costs nothing.
template <class Clipping = none, class Decay = none, class Decayed = none, class Momentum = none, class Count = none>
struct options {
  using clipping = Clipping;
  using decay = Decay;
  using decayed = Decayed;
  using average_momentum = Momentum;
  using accumulated = Count;
};

/// Whether the rate is a function of the number of steps, and not an expression.
template <class Rate>
inline constexpr bool is_schedule = [] {
  if constexpr (expression<Rate>)
    return false;
  else
    return std::is_empty_v<Rate> && std::is_invocable_v<Rate, decltype(zeros<double>(shape<>{}))>;
}();

/// What is the same for all variables of a step.
template <class Name, class Options, class Rate, class First>
struct step_slots {
  /// In double: what is computed once for all elements. Of float(0.999) one minus is off by 1e-5, and powers of it by more.
  template <class P>
  static constexpr auto in_double(P p) {
    if constexpr (etch::detail::is_literal<P>)
      return p;
    else
      return parameter<double>(p);
  }
  /// A number that exists once for all variables, in double, named after the first of them.
  template <fixed_string Slot, class Start = decltype(0_c)>
  static constexpr auto shared(Start start = {}) {
    return state_of<Name, name_of<Slot>, double, shape<>>(First{}, start);
  }
  /// How many steps there were. A rule that reads it lists `counted`.
  static constexpr auto steps() { return shared<"step">(); }
  static constexpr auto counted() { return store(steps(), steps() + 1_c); }
  static constexpr auto rate() {
    if constexpr (is_schedule<Rate>)
      return Rate{}(steps());
    else
      return etch::detail::symbolic_number<"minimize">(Rate{});
  }
  /// How many gradients have been added up, with this one.
  static constexpr auto gradients() { return shared<"gradients">() + 1_c; }
  static constexpr auto is_due() { return gradients() >= in_double(typename Options::accumulated{}); }

  /// Gives a variable a value, in the steps that make a change.
  template <class S, class Next>
  static constexpr auto store(S s, Next next) {
    if constexpr (is_none<typename Options::accumulated>)
      return assign(s, next);
    else
      return assign(s, where(is_due(), next, s));
  }
};

/// What a rule is given beside w, g and the rate: the state of the variable V, and parameters in the dtypes that it needs.
template <class Name, class Options, class Rate, class First, class V>
struct slots : step_slots<Name, Options, Rate, First> {
  using T = typename V::value_type;
  using step_slots<Name, Options, Rate, First>::store;

  /// A parameter in the variable's dtype.
  template <class P>
  constexpr auto operator()(P p) const {
    return parameter<T>(p);
  }
  /// What a rule gives back: the variable's new value, and what else is stored.
  template <class Next, class... Stored>
  constexpr auto changes(Next next, Stored... stored) const {
    if constexpr (!is_none<typename Options::average_momentum>)
      return listed(stored..., store(V{}, next), this->counted(), store(average(), averaged(next)));
    else if constexpr (is_schedule<Rate>)
      return listed(stored..., store(V{}, next), this->counted());
    else
      return listed(stored..., store(V{}, next));
  }

  static constexpr auto sum_of_gradients() { return state_of<Name, name_of<"gradient">, T, typename V::shape_type>(V{}); }
  /// Which what exchanges it with the variable assigns, too.
  static constexpr auto average() {
    return state_of<Name, name_of<"average">, T, typename V::shape_type, etch::detail::variable_use::assigned>(V{});
  }

 private:
  /// The first average is the variable itself.
  template <class Next>
  constexpr auto averaged(Next next) const {
    const auto momentum = (*this)(typename Options::average_momentum{});
    return where(this->steps() == 0_c, next, momentum * average() + (1_c - momentum) * next);
  }
};

/// The value of a variable for its slots: `state<"m">(s)`, which starts at 0 or as it is told.
template <fixed_string Slot, class Name, class Options, class Rate, class First, class V, class Start = decltype(0_c)>
constexpr auto state(slots<Name, Options, Rate, First, V>, Start start = {}) {
  return state_of<Name, name_of<Slot>, typename V::value_type, typename V::shape_type>(V{}, start);
}

}  // namespace detail

using detail::state;

}  // namespace etch::optimizers
