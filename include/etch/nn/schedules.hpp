// SPDX-License-Identifier: MIT
#pragma once
#include <numbers>

#include <etch/ops.hpp>

/// Schedules: rates as functions of how many steps there were, for an optimizer's rate: `adam(schedules::cosine_decay(1e-3_c, 1000_c))`, which then
/// counts its steps, from 0 on. They are functions of an expression: `schedule(step)` is one, in double. So is any function
/// `[](auto step) { return 1e-3_c / sqrt(step + 1_c); }`. A constant is a literal. Parameters are literals or scalar expressions.
namespace etch::schedules {

/// Tag: the exponent is rounded down, so that the rate stays for as many steps as are told, and then falls.
inline constexpr struct staircase {
} staircase;
/// Tag: what has come to its end begins anew, as high, and each time longer.
inline constexpr struct cycled {
} cycled;

namespace detail {
/// A parameter in double.
template <class P>
constexpr auto number(P p) {
  if constexpr (etch::detail::is_literal<P>)
    return 1.0_c * p;
  else
    return astype<double>(etch::detail::symbolic_number<"schedules">(p));
}
template <class Step, class Steps, class... Staircase>
constexpr auto share(Step step, Steps steps, Staircase...) {
  const auto p = astype<double>(step) / number(steps);
  if constexpr (sizeof...(Staircase) > 0)
    return floor(p);
  else
    return p;
}
/// From a to b, as p goes from 0 to 1.
template <class A, class B, class P>
constexpr auto along_cosine(A a, B b, P p) {
  return b + (a - b) * (0.5_c * (1_c + cos(literal<std::numbers::pi> * p)));
}
/// What a schedule or a number is at a step.
template <class Rate, class Step>
constexpr auto rate_at(Rate rate, Step step) {
  if constexpr (expression<Rate>)
    return number(rate);
  else
    return rate(step);
}
/// Of literals alone an expression would be of floats.
template <class Step, class Last>
constexpr auto first_above(Step, Last last) {
  return etch::detail::converted<double>(number(last));
}
template <auto Boundary, auto... More, class Step, class Value, class... Rest>
constexpr auto first_above(Step step, Value value, Rest... rest) {
  return where(step <= literal<static_cast<double>(Boundary)>, number(value), first_above<More...>(step, rest...));
}
}  // namespace detail

/// rate * decay^(step / steps). Keras's; with steps = 1 PyTorch's ExponentialLR, and as a `staircase` StepLR.
template <class Rate, class Steps, class Decay, class... Staircase>
  requires(std::is_same_v<Staircase, struct staircase> && ...)
constexpr auto exponential_decay(Rate, Steps, Decay, Staircase...) {
  return
      [](auto step) { return detail::number(Rate{}) * pow(detail::number(Decay{}), detail::share(step, Steps{}, Staircase{}...)); };
}

/// rate / (1 + decay * step / steps).
template <class Rate, class Steps, class Decay, class... Staircase>
  requires(std::is_same_v<Staircase, struct staircase> && ...)
constexpr auto inverse_time_decay(Rate, Steps, Decay, Staircase...) {
  return [](auto step) {
    return detail::number(Rate{}) / (1_c + detail::number(Decay{}) * detail::share(step, Steps{}, Staircase{}...));
  };
}

/// From rate to rate * alpha in `steps` steps along half a cosine, and from there on rate * alpha. PyTorch's CosineAnnealingLR goes up again.
template <class Rate, class Steps, class Alpha = decltype(0_c)>
constexpr auto cosine_decay(Rate, Steps, Alpha = {}) {
  return [](auto step) {
    const auto rate = detail::number(Rate{});
    return detail::along_cosine(rate, rate * detail::number(Alpha{}), minimum(detail::share(step, Steps{}), 1_c));
  };
}

/// Such cosines one after the other, each `longer` times as long as the one before, and `lower` times as high (Loshchilov, Hutter 2017).
/// Keras's, whose alpha is of the first; `longer` is a literal.
template <class Rate, class Steps, class Longer = decltype(2_c), class Lower = decltype(1_c), class Alpha = decltype(0_c)>
constexpr auto cosine_decay_restarts(Rate, Steps, Longer = {}, Lower = {}, Alpha = {}) {
  return [](auto step) {
    const auto longer = detail::number(Longer{});
    const auto p = detail::share(step, Steps{});
    // In logarithms a restart may be a little before its step.
    const auto restarts = [&] {
      if constexpr (Longer::value == 1)
        return floor(p);
      else
        return floor(log(1_c + p * (longer - 1_c)) / log(longer) + 1e-9_c);
    }();
    const auto of_this = [&] {
      if constexpr (Longer::value == 1)
        return p - restarts;
      else
        return (p - (pow(longer, restarts) - 1_c) / (longer - 1_c)) / pow(longer, restarts);
    }();
    const auto alpha = detail::number(Alpha{});
    const auto height = pow(detail::number(Lower{}), restarts);
    return detail::number(Rate{}) * ((1_c - alpha) * detail::along_cosine(height, 0_c * height, of_this) + alpha);
  };
}

/// (rate - end) * (1 - step / steps)^power + end, and from `steps` on end; `cycled`: with the next multiple of `steps` instead of it.
template <class Rate, class Steps, class End = decltype(1e-4_c), class Power = decltype(1_c), class... Cycled>
  requires(std::is_same_v<Cycled, struct cycled> && ...)
constexpr auto polynomial_decay(Rate, Steps, End = {}, Power = {}, Cycled...) {
  return [](auto step) {
    const auto p = detail::share(step, Steps{});
    const auto end = detail::number(End{});
    const auto left = [&] {
      if constexpr (sizeof...(Cycled) > 0)
        return 1_c - p / maximum(ceil(p), 1_c);
      else
        return 1_c - minimum(p, 1_c);
    }();
    return (detail::number(Rate{}) - end) * pow(left, detail::number(Power{})) + end;
  };
}

/// The first rate up to the first step that is named, with it, then the second: `piecewise_constant_decay<100, 200>(1e-2_c, 1e-3_c, 1e-4_c)`.
template <auto... Boundaries, class... Rates>
  requires(sizeof...(Rates) == sizeof...(Boundaries) + 1)
constexpr auto piecewise_constant_decay(Rates...) {
  return [](auto step) { return detail::first_above<Boundaries...>(astype<double>(step), Rates{}...); };
}

/// From rate / start up to rate, in a share `rise` of `steps` steps, and down to rate / start / end, along cosines, where it stays (Smith, Topin 2019).
/// PyTorch's OneCycleLR.
template <class Rate, class Steps, class Rise = decltype(0.3_c), class Start = decltype(25_c), class End = decltype(1e4_c)>
constexpr auto one_cycle(Rate, Steps, Rise = {}, Start = {}, End = {}) {
  return [](auto step) {
    const auto highest = detail::number(Rate{});
    const auto first = highest / detail::number(Start{});
    const auto top = detail::number(Rise{}) * detail::number(Steps{}) - 1_c;
    const auto last = detail::number(Steps{}) - 1_c;
    const auto at = astype<double>(step);
    // Where the rise is of one step, it is at its top from the beginning.
    const auto up = detail::along_cosine(first, highest, where(top > 0_c, at / top, 1_c));
    const auto down = detail::along_cosine(highest, first / detail::number(End{}), minimum((at - top) / (last - top), 1_c));
    return where(at <= top, up, down);
  };
}

/// From `start` to where `next` begins in a straight line of `steps` steps, and then `next`, a schedule, which counts from there, or a number. Keras's
/// warm-up of CosineDecay; PyTorch's LinearLR in a SequentialLR.
template <class Next, class Steps, class Start = decltype(0_c)>
constexpr auto warm_up(Next, Steps, Start = {}) {
  return [](auto step) {
    const auto at = astype<double>(step);
    const auto steps = detail::number(Steps{});
    const auto start = detail::number(Start{});
    const auto begin = detail::rate_at(Next{}, 0_c * at);
    return where(at < steps, start + (begin - start) * (at / steps), detail::rate_at(Next{}, maximum(at - steps, 0_c)));
  };
}

}  // namespace etch::schedules
