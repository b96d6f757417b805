// SPDX-License-Identifier: MIT
#pragma once
#include <etch/metrics/metric.hpp>

/// Metrics of how often which class was predicted for which. A result is 0 where it would divide by 0.
namespace etch::metrics {

/// Of all that is predicted, the share that is so; a prediction is an output above the threshold, the target 0 or 1. Keras's `Precision`.
template <class Threshold>
struct precision_metric : metric<precision_metric<Threshold>> {
  static constexpr fixed_string name = "precision";
  template <class Y, class T>
  static constexpr auto sums(Y y, T target) {
    const auto predicted = detail::line(y > Threshold{});
    return detail::all(detail::added<"true_positives">(detail::total_of(logical_and(predicted, detail::line(target != 0_c)))),
                       detail::added<"predicted">(detail::total_of(predicted)));
  }
  template <class Right, class Predicted>
  static constexpr auto result(Right right, Predicted predicted) {
    return detail::ratio(right, predicted);
  }
};
template <class Threshold = decltype(0.5_c)>
constexpr precision_metric<Threshold> precision(Threshold = {}) {
  return {};
}

/// Of all that is so, the share that is predicted. Keras's `Recall`.
template <class Threshold>
struct recall_metric : metric<recall_metric<Threshold>> {
  static constexpr fixed_string name = "recall";
  template <class Y, class T>
  static constexpr auto sums(Y y, T target) {
    const auto positive = detail::line(target != 0_c);
    return detail::all(detail::added<"true_positives">(detail::total_of(logical_and(detail::line(y > Threshold{}), positive))),
                       detail::added<"positives">(detail::total_of(positive)));
  }
  template <class Right, class Positives>
  static constexpr auto result(Right right, Positives positives) {
    return detail::ratio(right, positives);
  }
};
template <class Threshold = decltype(0.5_c)>
constexpr recall_metric<Threshold> recall(Threshold = {}) {
  return {};
}

/// 2 / (1 / precision + 1 / recall), over all elements: Keras's `F1Score` with `average="micro"` and a threshold.
template <class Threshold>
struct f1_metric : metric<f1_metric<Threshold>> {
  static constexpr fixed_string name = "f1";
  template <class Y, class T>
  static constexpr auto sums(Y y, T target) {
    const auto predicted = detail::line(y > Threshold{});
    const auto positive = detail::line(target != 0_c);
    return detail::all(detail::added<"true_positives">(detail::total_of(logical_and(predicted, positive))),
                       detail::added<"predicted_and_positives">(detail::total_of(predicted) + detail::total_of(positive)));
  }
  template <class Right, class Both>
  static constexpr auto result(Right right, Both both) {
    return detail::ratio(2_c * right, both);
  }
};
template <class Threshold = decltype(0.5_c)>
constexpr f1_metric<Threshold> f1(Threshold = {}) {
  return {};
}

namespace detail {
/// Of classes (samples, ..., classes), or of labels, which class each sample is of, as (samples, classes) of bools.
template <class Y, class X>
constexpr auto classes_of(X x) {
  using last = etch::shape<extent_along<-1>(typename Y::shape_type{})>;
  static_assert(last::is_static, "the number of classes must be known");
  const auto labels = [&] {
    if constexpr (X::rank == Y::rank)
      return argmax(x, axis<-1>);
    else
      return x;
  }();
  const auto at = etch::detail::comparable_labels<Y>(line(labels));
  return expand_dims(at, axis<-1>) == arange<typename decltype(at)::value_type>(last{});
}
}  // namespace detail

/// How many samples of each class (rows) were taken for which (columns): a matrix, scikit-learn's `confusion_matrix`. The class is that of the highest
/// output; the target is labels or has the output's shape.
inline constexpr struct confusion_matrix : metric<confusion_matrix> {
  static constexpr fixed_string name = "confusion_matrix";
  template <class Y, class T>
  static constexpr auto sums(Y y, T target) {
    return detail::all(detail::added<"counts">(
        matmul(transpose(astype<double>(detail::classes_of<Y>(target))), astype<double>(detail::classes_of<Y>(y)))));
  }
  template <class Counts>
  static constexpr auto result(Counts counts) {
    return counts;
  }
} confusion_matrix;

/// The mean over classes of each one's F1: Keras's `F1Score(average="macro")`. A class that is in neither outputs nor targets counts as 0, where
/// scikit-learn's `f1_score(average="macro")` leaves it out.
inline constexpr struct macro_f1 : metric<macro_f1> {
  static constexpr fixed_string name = "macro_f1";
  template <class Y, class T>
  static constexpr auto sums(Y y, T target) {
    const auto predicted = detail::classes_of<Y>(y);
    const auto is = detail::classes_of<Y>(target);
    const auto counts = [](auto x) { return sum(astype<double>(x), axis<0>); };
    return detail::all(detail::added<"true_positives">(counts(logical_and(predicted, is))),
                       detail::added<"predicted_and_positives">(counts(predicted) + counts(is)));
  }
  template <class Right, class Both>
  static constexpr auto result(Right right, Both both) {
    return etch::mean(detail::ratio(2_c * right, both));
  }
} macro_f1;

}  // namespace etch::metrics
