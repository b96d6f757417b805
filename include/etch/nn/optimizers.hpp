// SPDX-License-Identifier: MIT
#pragma once
#include <etch/nn/initializers.hpp>
#include <etch/nn/trainable.hpp>
#include <etch/passes/gradient.hpp>

/// Optimizers: expressions that assign new values to variables. Their state lies in variables of its own, named
/// `<variable>/<optimizer>/<slot>`. An optimizer's name is that of its kind; a second one of the same kind over the same variables
/// is given another, `adam<"slow">(1e-4_c)`, or they would share their state, which a session refuses. Hyper-parameters are
/// literals or scalar expressions (a placeholder makes a schedule).
namespace etch::optimizers {

namespace detail {

/// Expressions as a type: they have no members, and a list of them costs the compiler less than a tuple.
template <class... E>
struct expressions {};
template <class... E>
constexpr expressions<E...> listed(E...) {
  return {};
}

/// What a rule lists for one variable.
struct operations {
  static constexpr int most = 8;
  hash_t at[most]{};
  int count = 0;
};
template <class List>
inline constexpr operations operations_in{};
template <class... E>
inline constexpr operations operations_in<expressions<E...>>{{E::hash...}, static_cast<int>(sizeof...(E))};
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
    hash_t at[count]{};
  };
  static constexpr table value = [] {
    table t;
    int n = 0;
    for (const operations& o : of_each)
      for (int k = 0; k < o.count; ++k) t.at[n++] = o.at[k];
    return t;
  }();
};

/// A variable of an optimizer's state, starting at zero: `<name of V>/<optimizer>/<slot>`; of the shape and dtype of V unless told.
template <class Name, class Slot, class T, class Shape, class V>
constexpr auto state_of(V) {
  using name = join<join<join<join<typename V::name_type, name_of<"/">>, Name>, name_of<"/">>, Slot>;
  return etch::detail::make_variable<name, etch::detail::variable_use::optimizer_state>(zeros<T>(Shape{}));
}
template <class Name, class Slot, class V>
constexpr auto state_of(V v) {
  return state_of<Name, Slot, typename V::value_type, typename V::shape_type>(v);
}

/// A hyper-parameter in the dtype of what it meets.
template <class T, class P>
constexpr auto parameter(P p) {
  return etch::detail::converted<T>(etch::detail::symbolic_number<"minimize">(p));
}

template <class X>
constexpr auto largest_of(X x) {
  return x;
}
template <class X, class Y, class... Rest>
constexpr auto largest_of(X x, Y y, Rest... rest) {
  return largest_of(maximum(x, y), rest...);
}

/// minimize and apply_gradients by a rule `Optimizer::update(variable, gradient, first)`, which lists the operations for one
/// variable; `first` is the first variable of the step: what exists once for all of them is named after it.
template <class Optimizer>
struct optimizer {
  /// One training step on the trainable variables that `loss` depends on by floats; the others are left alone.
  template <expression Loss>
  constexpr auto minimize(Loss loss) const {
    if constexpr (!has_gradient<Loss>())
      return group();
    else
      return minimize_all(loss, etch::detail::trainable_variables<Loss>(etch::detail::variable_prefix<name<>>{}));
  }
  /// On those of them whose names begin with a prefix: `minimize(loss, variables_under<"generator">)`.
  template <expression Loss, class Prefix>
  constexpr auto minimize(Loss loss, etch::detail::variable_prefix<Prefix> under) const {
    if constexpr (!has_gradient<Loss>())
      return group();
    else
      return minimize_all(loss, etch::detail::trainable_variables<Loss>(under));
  }
  template <expression Loss, class... Prefixes>
  constexpr auto minimize(Loss loss, etch::detail::variables_outside<Prefixes...> selection) const {
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
  /// One step with gradients that were made elsewhere (clipped, averaged), in the order of the variables.
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

 private:
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
  static constexpr auto apply_to(expressions<>, expressions<>) { return group(); }
  template <class... G, class First, class... V>
  static constexpr auto apply_to(expressions<G...>, expressions<First, V...>) {
    using all = step_operations<Optimizer, First, expressions<G...>, expressions<First, V...>>;
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return etch::detail::make_expression<struct group, void, shape<>, attributes<>, all::value.at[I]...>();
    }(std::make_index_sequence<static_cast<std::size_t>(all::count)>{});
  }
};

}  // namespace detail

/// w -= rate * g.
template <class Rate>
struct sgd_optimizer : detail::optimizer<sgd_optimizer<Rate>> {
  template <class V, class G, class First>
  static constexpr auto update(V v, G g, First) {
    return detail::listed(assign_sub(v, detail::parameter<typename V::value_type>(Rate{}) * g));
  }
};
namespace detail {
/// What an optimizer is that was given no rate.
template <fixed_string Name, class...>
constexpr auto without_rate() {
  raise<name_the_learning_rate, in_function<"optimizers::" + Name>, instead_write<"optimizers::" + Name + "(1e-3_c)">>();
  return sgd_optimizer<decltype(1e-3_c)>{};
}
}  // namespace detail
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

template <class Rate>
constexpr auto sgd(Rate) {
  return sgd_optimizer<Rate>{};
}
ETCH_REFUSE_WITHOUT_RATE(sgd)

/// m = momentum * m + g; w -= rate * m (Polyak 1964).
template <class Name, class Rate, class Momentum>
struct momentum_optimizer : detail::optimizer<momentum_optimizer<Name, Rate, Momentum>> {
  template <class V, class G, class First>
  static constexpr auto update(V v, G g, First) {
    using T = typename V::value_type;
    const auto m = detail::state_of<Name, name_of<"m">>(v);
    const auto next = detail::parameter<T>(Momentum{}) * m + g;
    return detail::listed(assign(m, next), assign_sub(v, detail::parameter<T>(Rate{}) * next));
  }
};
template <fixed_string Name = "momentum", class Rate, class Momentum = decltype(0.9_c)>
constexpr auto momentum(Rate, Momentum = {}) {
  return momentum_optimizer<name_of<Name>, Rate, Momentum>{};
}
ETCH_REFUSE_WITHOUT_RATE(momentum)

/// m = b1 m + (1 - b1) g; v = b2 v + (1 - b2) g^2; w -= rate sqrt(1 - b2^t) / (1 - b1^t) * m / (sqrt(v) + epsilon)
/// (Kingma, Ba 2015, the form at the end of their section 2), and before it w -= rate * decay * w where Decay is not 0
/// (Loshchilov, Hutter 2019). t counts steps in the variable `<first variable>/<name>/step`, so optimizers of
/// other variables count their own.
template <class Name, class Rate, class Beta1, class Beta2, class Epsilon, class Decay>
struct adam_optimizer : detail::optimizer<adam_optimizer<Name, Rate, Beta1, Beta2, Epsilon, Decay>> {
  template <class V, class G, class First>
  static constexpr auto update(V w, G g, First first) {
    using T = typename V::value_type;
    using detail::parameter;
    const auto step = detail::state_of<Name, name_of<"step">, double, shape<>>(first);
    // The bias correction is one scalar: in double, so that b2^t keeps its digits.
    const auto t = assign_add(step, 1_c);
    const auto corrected =
        parameter<double>(Rate{}) * sqrt(1_c - pow(parameter<double>(Beta2{}), t)) / (1_c - pow(parameter<double>(Beta1{}), t));
    const auto m = detail::state_of<Name, name_of<"m">>(w);
    const auto v = detail::state_of<Name, name_of<"v">>(w);
    const auto b1 = parameter<T>(Beta1{});
    const auto b2 = parameter<T>(Beta2{});
    // In double, too: of float(0.999) one minus is off by 1e-5, and the bias correction would not cancel it.
    const auto m_next = b1 * m + astype<T>(1_c - parameter<double>(Beta1{})) * g;
    const auto v_next = b2 * v + astype<T>(1_c - parameter<double>(Beta2{})) * (g * g);
    const auto change = astype<T>(corrected) * m_next / (sqrt(v_next) + parameter<T>(Epsilon{}));
    if constexpr (etch::detail::is_literal<Decay> && std::is_same_v<Decay, decltype(0_c)>)
      return detail::listed(t, assign(m, m_next), assign(v, v_next), assign_sub(w, change));
    else
      return detail::listed(t, assign(m, m_next), assign(v, v_next),
                            assign(w, w - parameter<T>(Rate{}) * parameter<T>(Decay{}) * w - change));
  }
};
template <fixed_string Name = "adam", class Rate, class Beta1 = decltype(0.9_c), class Beta2 = decltype(0.999_c),
          class Epsilon = decltype(1e-7_c)>
constexpr auto adam(Rate, Beta1 = {}, Beta2 = {}, Epsilon = {}) {
  return adam_optimizer<name_of<Name>, Rate, Beta1, Beta2, Epsilon, decltype(0_c)>{};
}
ETCH_REFUSE_WITHOUT_RATE(adam)
template <fixed_string Name = "adamw", class Rate, class Decay = decltype(0.01_c), class Beta1 = decltype(0.9_c),
          class Beta2 = decltype(0.999_c), class Epsilon = decltype(1e-7_c)>
constexpr auto adamw(Rate, Decay = {}, Beta1 = {}, Beta2 = {}, Epsilon = {}) {
  return adam_optimizer<name_of<Name>, Rate, Beta1, Beta2, Epsilon, Decay>{};
}
ETCH_REFUSE_WITHOUT_RATE(adamw)
#undef ETCH_REFUSE_WITHOUT_RATE

/// Gradients scaled so that the square root of the sum of all their squares is at most `limit` (Pascanu, Mikolov, Bengio
/// 2013): `adam(1e-3_c).apply_gradients(clip_by_global_norm(gradients(loss, w, b), 1_c), w, b)`. The squares are scaled, and cannot overflow.
/// Where an element is infinite or NaN all are NaN, as in TensorFlow.
template <class... G, class Limit>
constexpr auto clip_by_global_norm(const std::tuple<G...>& gradients_of, Limit limit) {
  return std::apply(
      [&](auto... g) {
        const auto scale = etch::detail::scale_of_squares(detail::largest_of(max(abs(g))...));
        const auto norm = sqrt((sum(square(g * scale)) + ...));
        using T = typename decltype(norm)::value_type;
        const auto share = detail::parameter<T>(limit) / norm;
        // In two factors, since one of large numbers is below the smallest that is normal. norm - norm: NaN where it is not finite, else 0.
        const auto clips = share * scale < 1_c;
        const auto first = where(clips, scale, 1_c);
        const auto second = where(clips, share, 1_c) + (norm - norm);
        return std::tuple{g * first * second...};
      },
      gradients_of);
}

ETCH_REFUSE_CALLS(clip_by_global_norm, this_call_has_the_wrong_arguments, "gradients(loss, w)")

}  // namespace etch::optimizers
