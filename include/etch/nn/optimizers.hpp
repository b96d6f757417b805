// SPDX-License-Identifier: MIT
#pragma once
#include <etch/nn/optimizer.hpp>

/// Optimizers: expressions that assign new values to variables. Their state lies in variables of its own, named
/// `<variable>/<optimizer>/<slot>`. An optimizer's name is that of its kind; a second one of the same kind over the same variables
/// is given another, `adam<"slow">(1e-4_c)`, or they would share their state, which a session refuses. Hyper-parameters are
/// literals or scalar expressions; a rate may be a schedule (schedules.hpp). More of them are in `<etch/optimizers.hpp>`. t is the number of the step, from 1 on.
namespace etch::optimizers {

/// w -= rate * g.
template <fixed_string Name = "sgd", class Rate>
constexpr auto sgd(Rate rate) {
  return rule<Name>(rate, [](auto s, auto w, auto g, auto r) { return s.changes(w - s(r) * g); });
}
ETCH_REFUSE_WITHOUT_RATE(sgd)

/// m = momentum * m + g; w -= rate * m (Polyak 1964). PyTorch's: Keras keeps rate * m, which is another thing where the rate changes.
template <fixed_string Name = "momentum", class Rate, class Momentum = decltype(0.9_c)>
constexpr auto momentum(Rate rate, Momentum = {}) {
  return rule<Name>(rate, [](auto s, auto w, auto g, auto r) {
    const auto m = state<"m">(s);
    const auto next = s(Momentum{}) * m + g;
    return s.changes(w - s(r) * next, s.store(m, next));
  });
}
ETCH_REFUSE_WITHOUT_RATE(momentum)

/// m = momentum * m + g; w -= rate * (g + momentum * m) (Sutskever et al. 2013): PyTorch's, as `momentum`.
template <fixed_string Name = "nesterov", class Rate, class Momentum = decltype(0.9_c)>
constexpr auto nesterov(Rate rate, Momentum = {}) {
  return rule<Name>(rate, [](auto s, auto w, auto g, auto r) {
    const auto m = state<"m">(s);
    const auto next = s(Momentum{}) * m + g;
    return s.changes(w - s(r) * (g + s(Momentum{}) * next), s.store(m, next));
  });
}
ETCH_REFUSE_WITHOUT_RATE(nesterov)

namespace detail {
/// b * old + (1 - b) * new.
template <class S, class Old, class New, class Beta>
constexpr auto mixed(S s, Old old, New value, Beta beta) {
  return s(beta) * old + s(1_c - s.in_double(beta)) * value;
}
/// 1 - b^t, which is the same for all variables, as -(exp(t log b) - 1): without cancellation near 0, and in less time than by
/// `pow`, which needs the logarithm in double words.
template <class Name, class Options, class Rate, class First, class Beta>
constexpr auto correction(step_slots<Name, Options, Rate, First> s, Beta beta) {
  return -expm1((s.steps() + 1_c) * log(parameter<double>(beta)));
}
}  // namespace detail

/// m = b1 m + (1 - b1) g; v = b2 v + (1 - b2) g^2; w -= rate sqrt(1 - b2^t) / (1 - b1^t) * m / (sqrt(v) + epsilon)
/// (Kingma, Ba 2015, the form at the end of their section 2): Keras's. t is counted in the variable `<first variable>/<name>/step`, so optimizers of
/// other variables count their own.
template <fixed_string Name = "adam", class Rate, class Beta1 = decltype(0.9_c), class Beta2 = decltype(0.999_c),
          class Epsilon = decltype(1e-7_c)>
constexpr auto adam(Rate rate, Beta1 = {}, Beta2 = {}, Epsilon = {}) {
  return rule<Name>(rate, [](auto s, auto w, auto g, auto r) {
    const auto m = state<"m">(s);
    const auto v = state<"v">(s);
    const auto m_next = detail::mixed(s, m, g, Beta1{});
    const auto v_next = detail::mixed(s, v, g * g, Beta2{});
    const auto corrected = s.in_double(r) * sqrt(detail::correction(s, Beta2{})) / detail::correction(s, Beta1{});
    return s.changes(w - s(corrected) * m_next / (sqrt(v_next) + s(Epsilon{})), s.counted(), s.store(m, m_next),
                     s.store(v, v_next));
  });
}
ETCH_REFUSE_WITHOUT_RATE(adam)

/// adam with `weight_decay(decay)`.
template <fixed_string Name = "adamw", class Rate, class Decay = decltype(0.01_c), class Beta1 = decltype(0.9_c),
          class Beta2 = decltype(0.999_c), class Epsilon = decltype(1e-7_c)>
constexpr auto adamw(Rate rate, Decay decay = {}, Beta1 beta1 = {}, Beta2 beta2 = {}, Epsilon epsilon = {}) {
  return adam<Name>(rate, beta1, beta2, epsilon).weight_decay(decay);
}
ETCH_REFUSE_WITHOUT_RATE(adamw)

}  // namespace etch::optimizers
