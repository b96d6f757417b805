// SPDX-License-Identifier: MIT
#pragma once
#include <etch/losses.hpp>
#include <etch/metrics/metric.hpp>

/// Metrics that are the mean of a value for each sample, or each of its elements.
namespace etch::metrics {

/// The mean of f(y, target), and what `Finish` makes of it.
template <fixed_string Name, class F, class Finish>
struct mean_metric : metric<mean_metric<Name, F, Finish>> {
  static constexpr fixed_string name = Name;
  template <class Y, class T>
  static constexpr auto sums(Y y, T target) {
    const auto values = F{}(y, target);
    return detail::all(detail::added<"total">(detail::total_of(values)), detail::added<"count">(detail::count_of(values)));
  }
  template <class Total, class Count>
  static constexpr auto result(Total total, Count count) {
    return Finish{}(detail::ratio(total, count));
  }
};
namespace detail {
struct as_it_is {
  template <class X>
  constexpr X operator()(X x) const {
    return x;
  }
};
}  // namespace detail

/// A metric of one's own, from a loss or any function of two expressions: `mean<"log_cosh">(losses::log_cosh)`,
/// `mean<"largest">([](auto y, auto) { return max(y, axis<-1>); })`.
template <fixed_string Name, class F, class Finish = detail::as_it_is>
  requires(std::is_empty_v<F> && !expression<F>)
constexpr mean_metric<Name, F, Finish> mean(F, Finish = {}) {
  return {};
}
/// The mean of all elements of an expression, over batches: Keras's `Mean`.
template <fixed_string Name, expression Values>
constexpr auto mean(Values values) {
  return mean<Name>([](auto y, auto) { return y; })(values, values);
}

namespace detail {
template <fixed_string Name>
struct weighted_mean : metric<weighted_mean<Name>> {
  static constexpr fixed_string name = Name;
  template <class Values, class Weights>
  static constexpr auto sums(Values values, Weights weights) {
    const auto products = values * weights;
    return all(added<"total">(total_of(where(weights == 0_c, 0_c, products))),
               added<"weight">(total_of(broadcast_to(weights, typename decltype(products)::shape_type{}))));
  }
  template <class Total, class Weight>
  static constexpr auto result(Total total, Weight weight) {
    return ratio(total, weight);
  }
};
}  // namespace detail
/// With a weight for each, or for those along an axis where weights have the extent 1: those of weight 0, padding, say, do not count, whatever they
/// are.
template <fixed_string Name, expression Values, expression Weights>
constexpr auto mean(Values values, Weights weights) {
  return detail::weighted_mean<Name>{}(values, weights);
}

namespace detail {
/// Whether there is one output for each sample.
template <class Y, class T>
inline constexpr bool is_binary = [] {
  if constexpr (Y::rank != T::rank || Y::rank == 0) {
    return false;
  } else {
    constexpr auto last = extent_along<-1>(typename Y::shape_type{});
    if constexpr (std::is_integral_v<std::remove_const_t<decltype(last)>>)
      return Y::rank == 1 || last == 1;
    else
      return Y::rank == 1;
  }
}();
}  // namespace detail

/// The share of samples whose highest output is at the label, or, where the target has the output's shape, at the target's highest value: Keras's
/// `SparseCategoricalAccuracy`, `CategoricalAccuracy`. With one output for each sample: that are above 0.5 where the target is.
inline constexpr auto accuracy = mean<"accuracy">([](auto y, auto t) {
  if constexpr (detail::is_binary<decltype(y), decltype(t)>) {
    return (y > 0.5_c) == (t > 0.5_c);
  } else if constexpr (decltype(y)::rank == decltype(t)::rank) {
    return argmax(y, axis<-1>) == argmax(t, axis<-1>);
  } else {
    const auto at = etch::detail::comparable_labels<decltype(y)>(t);
    return astype<typename decltype(at)::value_type>(argmax(y, axis<-1>)) == at;
  }
});

/// The share of elements that are above a threshold where their target, 0 or 1, is 1.
template <class Threshold = decltype(0.5_c)>
constexpr auto binary_accuracy(Threshold = {}) {
  return mean<"binary_accuracy">([](auto y, auto t) { return detail::line(y > Threshold{}) == detail::line(t != 0_c); });
}

/// The share of samples with fewer than K outputs above that at the label, or at the target's highest value: Keras's `TopKCategoricalAccuracy`,
/// and `SparseTopKCategoricalAccuracy`. A sample whose output there is not finite, or whose label is no class, is not counted as right.
template <int K = 5>
inline constexpr auto top_k_accuracy = mean<"top_k_accuracy">([](auto y, auto t) {
  const auto labels = [&] {
    if constexpr (decltype(y)::rank == decltype(t)::rank)
      return argmax(t, axis<-1>);
    else
      return t;
  }();
  const auto chosen = nn::detail::labelled(y, labels);
  const auto at_label = sum(where(chosen, y, 0_c), axis<-1>);
  const auto above = sum(astype<std::int32_t>(y > expand_dims(at_label, axis<-1>)), axis<-1>);
  return logical_and(logical_and(above < literal<K>, isfinite(at_label)), reduce_any(chosen, axis<-1>));
});

/// The means of losses under their names.
inline constexpr auto mean_squared_error = mean<"mean_squared_error">(losses::mean_squared_error);
inline constexpr auto mean_absolute_error = mean<"mean_absolute_error">(losses::mean_absolute_error);
inline constexpr auto mean_absolute_percentage_error =
    mean<"mean_absolute_percentage_error">(losses::mean_absolute_percentage_error);

/// The square root of the mean squared error.
inline constexpr auto root_mean_squared_error =
    mean<"root_mean_squared_error">(losses::mean_squared_error, [](auto x) { return sqrt(x); });

/// exp of the mean cross entropy of logits (..., classes) with labels or distributions.
inline constexpr auto perplexity = mean<"perplexity">(
    [](auto y, auto t) {
      if constexpr (decltype(y)::rank == decltype(t)::rank)
        return nn::softmax_cross_entropy(y, t);
      else
        return nn::sparse_softmax_cross_entropy(y, t);
    },
    [](auto x) { return exp(x); });

}  // namespace etch::metrics
