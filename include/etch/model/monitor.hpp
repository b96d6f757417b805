// SPDX-License-Identifier: MIT
#pragma once
#include <limits>
#include <string>
#include <utility>

#include <etch/model/history.hpp>

namespace etch::detail {

/// The best value of a history's series so far. Of what is called `accuracy`, `auc`, `precision`, `recall`, `f1` or `r2`, or ends so, higher is
/// better, of others lower: Keras's mode "auto".
class monitor {
 public:
  explicit monitor(std::string name, double min_delta = 0) : name_(std::move(name)), min_delta_(min_delta) {
    for (const std::string_view end : {"accuracy", "auc", "precision", "recall", "f1", "r2"})
      is_higher_better_ |= name_.ends_with(end);
  }
  /// Whether the newest value is better than all before by more than min_delta. Throws `etch::error` where there is no such series.
  bool improves(const history& h) {
    if (h.epochs() == 1) forget();
    return improves_on_all(h);
  }
  /// The same, where all before are those of histories before this one, too.
  bool improves_on_all(const history& h) {
    const double value = signed_value(h[name_].back());
    if (!(value < best_ - min_delta_)) return false;
    best_ = value;
    return true;
  }
  /// Infinite where there is none.
  double best() const { return signed_value(best_); }
  void set_best(double value) { best_ = signed_value(value); }
  void forget() { best_ = std::numeric_limits<double>::infinity(); }

 private:
  double signed_value(double value) const { return is_higher_better_ ? -value : value; }

  std::string name_;
  double min_delta_;
  bool is_higher_better_ = false;
  double best_ = std::numeric_limits<double>::infinity();
};

}  // namespace etch::detail
