// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/reachable.hpp>
#include <etch/nn/initializers.hpp>
#include <etch/passes/gradient.hpp>

/// Optimizers: expressions that assign new values to variables. Their state lies in variables of its own, named after the
/// variable that it belongs to; hyper-parameters are literals or scalar expressions (a placeholder makes a schedule).
namespace etch::optimizers {

namespace detail {

/// Expressions as a type: they have no members, and a list of them costs the compiler less than a tuple.
template <class... E>
struct expressions {};
template <class... E>
constexpr expressions<E...> listed(E...) {
  return {};
}
template <class... E, class... F>
constexpr expressions<E..., F...> operator+(expressions<E...>, expressions<F...>) {
  return {};
}

/// The trainable variables that an expression is made of.
template <class Loss>
constexpr auto trainable_variables(Loss) {
  using graph_type = etch::detail::root_graph<Loss::hash>;
  etch::detail::check_variables<graph_type>();
  constexpr auto trainable = [] {
    struct {
      hash_t at[graph_type::count.variables + 1]{};
      int count = 0;
    } t;
    for (int v = graph_type::count.variables; v-- > 0;)
      if (graph_type::value.variables[v]->slot->trainable) t.at[t.count++] = graph_type::value.variables[v]->hash;
    return t;
  }();
  if constexpr (trainable.count == 0)
    raise<the_loss_depends_on_no_trainable_variable, in_function<"minimize">, shown<Loss>>();
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return expressions<etch::detail::variable_with<trainable.at[I]>...>{};
  }(std::make_index_sequence<static_cast<std::size_t>(trainable.count)>{});
}

/// A variable of an optimizer's state, starting at zero: `<name of V><suffix>`; of the shape and dtype of V unless told.
template <fixed_string Suffix, class V, class T = typename V::value_type, class Shape = typename V::shape_type>
constexpr auto state_of(V, Shape = {}) {
  using name = join<typename V::name_type, name_of<Suffix>>;
  return etch::detail::make_variable<name, false>(zeros<T>(Shape{}));
}

/// A hyper-parameter in the dtype of what it meets.
template <class T, class P>
constexpr auto parameter(P p) {
  return etch::detail::converted<T>(etch::detail::symbolic_number<"minimize">(p));
}

/// minimize and apply_gradients by a rule `update(variable, gradient, first)`, which lists the operations for one variable;
/// `first` is the first variable of the step: what exists once for all of them is named after it.
template <class Optimizer>
struct optimizer {
  /// One training step on the variables that `loss` is made of, or on those that are named.
  template <expression Loss, expression... V>
  constexpr auto minimize(Loss loss, V... variables) const {
    if constexpr (sizeof...(V) > 0)
      return apply_to(listed(gradient(loss, variables)...), listed(variables...));
    else
      return minimize_all(loss, trainable_variables(loss));
  }
  /// One step with gradients that were made elsewhere (clipped, averaged), in the order of the variables.
  template <class... G, expression... V>
  constexpr auto apply_gradients(const std::tuple<G...>&, V... variables) const {
    static_assert(sizeof...(G) == sizeof...(V), "apply_gradients: there is not one gradient for each variable");
    if constexpr (sizeof...(G) == sizeof...(V)) return apply_to(expressions<G...>{}, listed(variables...));
  }

 private:
  template <class Loss, class... V>
  constexpr auto minimize_all(Loss loss, expressions<V...>) const {
    return apply_to(listed(gradient(loss, V{})...), expressions<V...>{});
  }
  template <class... G, class... V>
  constexpr auto apply_to(expressions<G...>, expressions<V...> variables) const {
    if constexpr (sizeof...(V) == 0)
      return group();
    else
      return grouped((static_cast<const Optimizer&>(*this).update(V{}, G{}, first_of(variables)) + ...));
  }
  template <class First, class... V>
  static constexpr First first_of(expressions<First, V...>) {
    return {};
  }
  template <class... E>
  static constexpr auto grouped(expressions<E...>) {
    return group(E{}...);
  }
};

}  // namespace detail

/// w -= rate * g.
template <class Rate>
struct sgd_optimizer : detail::optimizer<sgd_optimizer<Rate>> {
  Rate rate;
  constexpr explicit sgd_optimizer(Rate r) : rate(r) {}

  template <class V, class G, class First>
  constexpr auto update(V v, G g, First) const {
    return detail::listed(assign_sub(v, detail::parameter<typename V::value_type>(rate) * g));
  }
};
template <class Rate>
constexpr auto sgd(Rate rate) {
  return sgd_optimizer<Rate>(rate);
}

/// m = momentum * m + g; w -= rate * m (Polyak 1964).
template <class Rate, class Momentum>
struct momentum_optimizer : detail::optimizer<momentum_optimizer<Rate, Momentum>> {
  Rate rate;
  Momentum decay;
  constexpr momentum_optimizer(Rate r, Momentum m) : rate(r), decay(m) {}

  template <class V, class G, class First>
  constexpr auto update(V v, G g, First) const {
    using T = typename V::value_type;
    const auto m = detail::state_of<"/momentum">(v);
    const auto next = detail::parameter<T>(decay) * m + g;
    return detail::listed(assign(m, next), assign_sub(v, detail::parameter<T>(rate) * next));
  }
};
template <class Rate, class Momentum = literal<9, -1, true>>
constexpr auto momentum(Rate rate, Momentum m = {}) {
  return momentum_optimizer<Rate, Momentum>(rate, m);
}

/// m = b1 m + (1 - b1) g; v = b2 v + (1 - b2) g^2; w -= rate sqrt(1 - b2^t) / (1 - b1^t) * m / (sqrt(v) + epsilon)
/// (Kingma, Ba 2015, the form at the end of their section 2), and before it w -= rate * decay * w where Decay is not 0
/// (Loshchilov, Hutter 2019). t counts steps in the variable `<first variable>/adam/step`, so optimizers of
/// other variables count their own.
template <class Rate, class Beta1, class Beta2, class Epsilon, class Decay>
struct adam_optimizer : detail::optimizer<adam_optimizer<Rate, Beta1, Beta2, Epsilon, Decay>> {
  Rate rate;
  Beta1 beta1;
  Beta2 beta2;
  Epsilon epsilon;
  Decay decay;
  constexpr adam_optimizer(Rate r, Beta1 b1, Beta2 b2, Epsilon e, Decay d)
      : rate(r), beta1(b1), beta2(b2), epsilon(e), decay(d) {}

  template <class V, class G, class First>
  constexpr auto update(V w, G g, First first) const {
    using T = typename V::value_type;
    using detail::parameter;
    const auto step = detail::state_of<"/adam/step", First, double>(first, shape<>{});
    // The bias correction is one scalar: in double, so that b2^t keeps its digits.
    const auto t = assign_add(step, 1_c);
    const auto corrected = parameter<double>(rate) * sqrt(1_c - pow(parameter<double>(beta2), t)) /
                           (1_c - pow(parameter<double>(beta1), t));
    const auto m = detail::state_of<"/adam/m">(w);
    const auto v = detail::state_of<"/adam/v">(w);
    const auto b1 = parameter<T>(beta1);
    const auto b2 = parameter<T>(beta2);
    // In double, too: of float(0.999) one minus is off by 1e-5, and the bias correction would not cancel it.
    const auto m_next = b1 * m + astype<T>(1_c - parameter<double>(beta1)) * g;
    const auto v_next = b2 * v + astype<T>(1_c - parameter<double>(beta2)) * (g * g);
    const auto change = astype<T>(corrected) * m_next / (sqrt(v_next) + parameter<T>(epsilon));
    if constexpr (etch::detail::is_literal<Decay> && std::is_same_v<Decay, literal<0, 0, false>>)
      return detail::listed(t, assign(m, m_next), assign(v, v_next), assign_sub(w, change));
    else
      return detail::listed(t, assign(m, m_next), assign(v, v_next),
                            assign(w, w - parameter<T>(rate) * parameter<T>(decay) * w - change));
  }
};
template <class Rate, class Beta1 = literal<9, -1, true>, class Beta2 = literal<999, -3, true>,
          class Epsilon = literal<1, -7, true>>
constexpr auto adam(Rate rate, Beta1 beta1 = {}, Beta2 beta2 = {}, Epsilon epsilon = {}) {
  return adam_optimizer<Rate, Beta1, Beta2, Epsilon, literal<0, 0, false>>(rate, beta1, beta2, epsilon, {});
}
template <class Rate, class Decay = literal<1, -2, true>, class Beta1 = literal<9, -1, true>,
          class Beta2 = literal<999, -3, true>, class Epsilon = literal<1, -7, true>>
constexpr auto adamw(Rate rate, Decay decay = {}, Beta1 beta1 = {}, Beta2 beta2 = {}, Epsilon epsilon = {}) {
  return adam_optimizer<Rate, Beta1, Beta2, Epsilon, Decay>(rate, beta1, beta2, epsilon, decay);
}

/// Gradients scaled so that the square root of the sum of all their squares is at most `limit` (Pascanu, Mikolov, Bengio
/// 2013): `adam(1e-3_c).apply_gradients(clip_by_global_norm(gradients(loss, w, b), 1_c), w, b)`.
template <class... G, class Limit>
constexpr auto clip_by_global_norm(const std::tuple<G...>& gradients_of, Limit limit) {
  return std::apply(
      [&](auto... g) {
        const auto norm = sqrt((sum(square(g)) + ...));
        using T = typename decltype(norm)::value_type;
        const auto scale = minimum(detail::parameter<T>(limit) / norm, 1_c);
        return std::tuple{g * scale...};
      },
      gradients_of);
}

}  // namespace etch::optimizers
