// SPDX-License-Identifier: MIT
#pragma once
#include <etch/nn/losses.hpp>

/// Losses as objects: called with what was predicted and its target they give one value for each sample, and they say what the target of an
/// output is, which `etch::model` asks. One is a function of a sample's elements, or of their last axis.
namespace etch::losses {

namespace detail {
/// A placeholder `target` of an output's shape, without its last `Fewer` axes.
template <class T, int Fewer, class Shape>
struct target_of;
template <class T, auto... E>
struct target_of<T, 0, shape<E...>> {
  static constexpr placeholder<"target", T, E...> slot{};
};
template <class T, auto First>
struct target_of<T, 1, shape<First>> {
  static constexpr placeholder<"target", T> slot{};
};
template <class T, auto First, auto Last>
struct target_of<T, 1, shape<First, Last>> {
  static constexpr placeholder<"target", T, First> slot{};
};
template <class T, auto First, auto Second, auto Last>
struct target_of<T, 1, shape<First, Second, Last>> {
  static constexpr placeholder<"target", T, First, Second> slot{};
};

/// All axes but the first: those of a sample.
template <int Rank>
constexpr auto axes_of_sample() {
  return []<int... I>(std::integer_sequence<int, I...>) { return axis<I + 1 ...>; }(std::make_integer_sequence<int, Rank - 1>{});
}
template <class X>
constexpr auto mean_of_sample(X x) {
  if constexpr (X::rank < 2)
    return x;
  else
    return mean(x, axes_of_sample<X::rank>());
}
/// Of sequences (samples, steps, ...) the mean for each step.
template <class X>
constexpr auto mean_of_step(X x) {
  if constexpr (X::rank < 3)
    return x;
  else
    return []<int... I>(X all, std::integer_sequence<int, I...>) { return mean(all, axis<I + 2 ...>); }(
               x, std::make_integer_sequence<int, X::rank - 2>{});
}
template <class X>
constexpr auto sum_of_sample(X x) {
  if constexpr (X::rank < 2)
    return x;
  else
    return sum(x, axes_of_sample<X::rank>());
}
/// Whether an integer target of a loss is the number of a class, below the last extent of what it is compared with.
template <class Loss>
constexpr bool has_classes() {
  if constexpr (requires { Loss::has_classes; })
    return Loss::has_classes;
  else
    return true;
}

}  // namespace detail

/// Of a function f(y, target) whose target has the dtype and the shape of the output, and that gives a value for each element: their mean.
/// What has one for each sample already stays.
template <class F>
struct of_output {
  constexpr of_output() = default;
  constexpr explicit of_output(F) {}
  template <class Y>
  static constexpr auto target = detail::target_of<typename Y::value_type, 0, typename Y::shape_type>::slot;
  template <class Y, class T>
  constexpr auto operator()(Y y, T target_values) const {
    return detail::mean_of_sample(F{}(y, target_values));
  }
  /// Of sequences (samples, steps, ...) a value for each step, unless f gives one for each sample.
  template <class Y, class T>
  static constexpr auto of_steps(Y y, T target_values) {
    return detail::mean_of_step(F{}(y, target_values));
  }
};

/// Of a function of logits or probabilities (samples, ..., classes) and an int32 label for each of these. A model checks that labels are classes,
/// unless they are any numbers.
template <class F, bool Classes = true>
struct of_labels {
  static constexpr bool has_classes = Classes;
  constexpr of_labels() = default;
  constexpr explicit of_labels(F) {}
  template <class Y>
  static constexpr auto target = detail::target_of<std::int32_t, 1, typename Y::shape_type>::slot;
  template <class Y, class T>
  constexpr auto operator()(Y y, T labels) const {
    return F{}(y, labels);
  }
};

namespace detail {
/// A loss's values for each step of sequences, where it has some; else those for each sample.
template <class Loss, class Y, class T>
constexpr auto values_of_steps(Loss loss, Y y, T target_values) {
  if constexpr (requires { loss.of_steps(y, target_values); })
    return loss.of_steps(y, target_values);
  else
    return loss(y, target_values);
}
}  // namespace detail

}  // namespace etch::losses
