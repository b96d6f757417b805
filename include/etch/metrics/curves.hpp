// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include <etch/metrics/metric.hpp>

/// Metrics that need more than counts of right and wrong.
namespace etch::metrics {

namespace detail {
/// Thresholds: one below all outputs, those between 0 and 1, one above all. Of outputs outside of [0, 1] curves have their ends, too.
template <class T, int Count>
constexpr auto thresholds() {
  constexpr auto infinite = literal<std::numeric_limits<double>::infinity()>;
  const auto i = arange<T>(shape<Count>{});
  return where(i == 0_c, -infinite, where(i == literal<Count - 1>, infinite, i / literal<Count - 1>));
}
/// All but the last along the only axis, and all but the first.
template <class X>
constexpr auto before(X x) {
  return slice(x, section<0, -1>);
}
template <class X>
constexpr auto behind(X x) {
  return slice(x, section<1>);
}

/// For each threshold how many elements are above it, of those that are so and of the others.
template <int Thresholds, class Y, class T>
constexpr auto sums_above(Y y, T target) {
  const auto above = expand_dims(line(y), axis<-1>) > thresholds<typename Y::value_type, Thresholds>();
  const auto is = expand_dims(line(target != 0_c), axis<-1>);
  const auto counts = [](auto x) { return sum(astype<double>(x), axis<0>); };
  return all(added<"true_positives">(counts(logical_and(above, is))),
             added<"false_positives">(counts(logical_and(above, logical_not(is)))), added<"positives">(total_of(is)),
             added<"negatives">(total_of(logical_not(is))));
}
}  // namespace detail

/// The area below the curve of the rates of true and of false positives (receiver operating characteristic), of probabilities, by trapezes at that many
/// thresholds: Keras's `AUC`. It is scikit-learn's `roc_auc_score` but for what lies between two thresholds.
template <int Thresholds = 200>
  requires(Thresholds > 2)
struct auc_metric : metric<auc_metric<Thresholds>> {
  static constexpr fixed_string name = "auc";
  template <class Y, class T>
  static constexpr auto sums(Y y, T target) {
    return detail::sums_above<Thresholds>(y, target);
  }
  template <class Right, class Wrong, class Positives, class Negatives>
  static constexpr auto result(Right right, Wrong wrong, Positives positives, Negatives negatives) {
    const auto x = detail::ratio(wrong, negatives);
    const auto y = detail::ratio(right, positives);
    return sum((detail::before(x) - detail::behind(x)) * (detail::before(y) + detail::behind(y)) * 0.5_c);
  }
};
inline constexpr auc_metric<> auc{};

/// The area below the curve of precision and recall, interpolated as Davis and Goadrich (2006) do: Keras's `AUC(curve="PR")`.
template <int Thresholds = 200>
  requires(Thresholds > 2)
struct precision_recall_auc_metric : metric<precision_recall_auc_metric<Thresholds>> {
  static constexpr fixed_string name = "precision_recall_auc";
  template <class Y, class T>
  static constexpr auto sums(Y y, T target) {
    return detail::sums_above<Thresholds>(y, target);
  }
  template <class Right, class Wrong, class Positives, class Negatives>
  static constexpr auto result(Right right, Wrong wrong, Positives positives, Negatives) {
    const auto all = right + wrong;
    const auto d_right = detail::before(right) - detail::behind(right);
    const auto d_all = detail::before(all) - detail::behind(all);
    const auto slope = detail::ratio(d_right, maximum(d_all, 0_c));
    const auto intercept = detail::behind(right) - slope * detail::behind(all);
    const auto both = logical_and(detail::before(all) > 0_c, detail::behind(all) > 0_c);
    const auto share = where(both, detail::ratio(detail::before(all), maximum(detail::behind(all), 0_c)), 1_c);
    return sum(detail::ratio(slope * (d_right + intercept * log(share)), maximum(positives, 0_c)));
  }
};
inline constexpr precision_recall_auc_metric<> precision_recall_auc{};

namespace detail {
/// What targets are counted from, so that the sums of a constant one are 0, and those of one far from 0 are exact: the smallest of the first batch.
template <class Count, class Rows>
struct r2_reference {
  static constexpr fixed_string name = "reference";
  using type = decltype(min(Rows{}, axis<0>));
  template <class Measured>
  static constexpr auto value() {
    return where(Measured::template sum<Count>() == 0_c, type{}, Measured::template sum<r2_reference>());
  }
  template <class Measured>
  static constexpr auto update() {
    return assign(Measured::template sum<r2_reference>(), value<Measured>());
  }
};
/// The sum of the targets, counted from there, to some power.
template <fixed_string Name, int Power, class Reference, class Rows>
struct r2_moment {
  static constexpr fixed_string name = Name;
  using type = typename Reference::type;
  template <class Measured>
  static constexpr auto update() {
    const auto rest = Rows{} - Reference::template value<Measured>();
    if constexpr (Power == 1)
      return assign_add(Measured::template sum<r2_moment>(), sum(rest, axis<0>));
    else
      return assign_add(Measured::template sum<r2_moment>(), sum(square(rest), axis<0>));
  }
};
}  // namespace detail

/// The coefficient of determination: 1 - sum((y - t)^2) / sum((t - mean(t))^2), the mean of that of each output: Keras's `R2Score`, scikit-learn's
/// `r2_score`. An output whose target is constant counts as 0, or 1 where it is met; without any samples the result is 0.
inline constexpr struct r2 : metric<r2> {
  static constexpr fixed_string name = "r2";
  template <class Y, class T>
  static constexpr auto sums(Y y, T target) {
    const auto rows = [](auto x) {
      if constexpr (Y::rank < 2)
        return expand_dims(astype<double>(x), axis<-1>);
      else
        return reshape(astype<double>(x), shape<-1, extent_along<-1>(typename Y::shape_type{})>{});
    };
    const auto t = rows(target);
    const auto count = detail::added<"count">(detail::count_of(rows(y)) / width<Y>());
    using rows_type = std::remove_const_t<decltype(t)>;
    using reference = detail::r2_reference<std::remove_const_t<decltype(count)>, rows_type>;
    return detail::all(detail::added<"residual">(sum(square(rows(y) - t), axis<0>)), reference{},
                       detail::r2_moment<"total", 1, reference, rows_type>{},
                       detail::r2_moment<"squares", 2, reference, rows_type>{}, count);
  }
  template <class Residual, class Reference, class Total, class Squares, class Count>
  static constexpr auto result(Residual residual, Reference, Total total, Squares squares, Count count) {
    const auto spread = squares - total * detail::ratio(total, count);
    return etch::mean(where(spread > 0_c, 1_c - residual / spread, where(logical_and(residual == 0_c, count > 0_c), 1_c, 0_c)));
  }

 private:
  template <class Y>
  static constexpr auto width() {
    if constexpr (Y::rank < 2)
      return 1_c;
    else
      return literal<static_cast<std::int64_t>(extent_along<-1>(typename Y::shape_type{}))>;
  }
} r2;

}  // namespace etch::metrics
