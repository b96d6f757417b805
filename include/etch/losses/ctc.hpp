// SPDX-License-Identifier: MIT
#pragma once
#include <etch/control.hpp>
#include <etch/losses/loss.hpp>

/// The loss of sequences whose labels have no places: connectionist temporal classification (Graves et al. 2006).
namespace etch::losses {

namespace detail {

/// log(exp(a) + exp(b) + exp(c)).
template <class A, class B, class C>
constexpr auto logarithm_of_sum(A a, B b, C c) {
  const auto highest = stop_gradient(maximum(maximum(a, b), c));
  return highest + log(exp(a - highest) + exp(b - highest) + exp(c - highest));
}
/// x (samples, extent) so many places later along its last axis, with what cannot be in front.
template <int Places, class X>
constexpr auto later(X x) {
  return slice(pad(x, padding<0>, padding<Places, 0>, -1e30_c), section<>, section<0, extent_along<-1>(typename X::shape_type{})>);
}

}  // namespace detail

/// -log of the probability that a sequence of logits (samples, steps, classes) says its labels (samples, Labels), int32, when repetitions and then
/// blanks, class 0, are left out. A row of labels that has fewer ends with zeros. Keras's, PyTorch's; where the steps are too few for the labels it is
/// about 1e30, and infinite there. The logits' number of steps may be a named extent.
template <int Labels>
  requires(Labels > 0)
struct ctc_loss {
  template <auto First, auto... Rest>
  static constexpr placeholder<"target", std::int32_t, First, Labels> slot_of(shape<First, Rest...>) {
    return {};
  }
  template <class Y>
  static constexpr auto target = slot_of(typename Y::shape_type{});

  template <class Y, class T>
  constexpr auto operator()(Y logits, T labels) const {
    if constexpr (!expression<Y> || !expression<T>) {
      static_assert(expression<Y> && expression<T>,
                    "losses::ctc is of expressions: call it in a function (etch::function) for tensors");
      return logits;
    } else {
      using value = typename Y::value_type;
      constexpr int states = 2 * Labels + 1;
      // Blank, label, blank, label, ..., blank.
      const auto pairs = concat(axis<-1>, expand_dims(labels * 0_c, axis<-1>), expand_dims(labels, axis<-1>));
      const auto said = pad(reshape(pairs, shape<-1, 2 * Labels>{}), padding<0>, padding<0, 1>);
      const auto before = pad(slice(said, section<>, section<0, states - 2>), padding<0>, padding<2, 0>);
      const auto skips = logical_and(said != 0_c, said != before);
      // The logarithm of what each step gives each state: (steps, samples, states).
      const auto chances = log_softmax(logits, axis<-1>);
      const auto nothing = astype<std::int32_t>(isnan(slice(chances, section<>, section<>, section<0, 1>))) * 0_c;
      const auto emitted = transpose(take_along_axis(chances, nothing + expand_dims(said, axis<1>), axis<-1>), axis<1, 0, 2>);
      const auto first = where(arange<std::int32_t>(shape<states>{}) == said * 0_c, literal<0.0>, literal<-1e30>);
      const auto last = scan(
          [skips](auto alpha, auto step) {
            const auto skipped = where(skips, detail::later<2>(alpha), -1e30_c);
            return step + detail::logarithm_of_sum(alpha, detail::later<1>(alpha), skipped);
          },
          astype<value>(first), emitted);
      // It ends in the last label or in the blank behind it.
      const auto end = 2_c * sum(astype<std::int32_t>(labels != 0_c), axis<-1>, keep_dims);
      const auto at = arange<std::int32_t>(shape<states>{});
      const auto ends = logical_or(at == end, at == end - 1_c);
      return -logsumexp(where(ends, last, -1e30_c), axis<-1>);
    }
  }
};
template <int Labels>
inline constexpr ctc_loss<Labels> ctc{};

}  // namespace etch::losses
