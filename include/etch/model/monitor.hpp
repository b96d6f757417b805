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
    const double value = h[name_].back() * (is_higher_better_ ? -1 : 1);
    if (h.epochs() == 1) best_ = std::numeric_limits<double>::infinity();
    if (!(value < best_ - min_delta_)) return false;
    best_ = value;
    return true;
  }

 private:
  std::string name_;
  double min_delta_;
  bool is_higher_better_ = false;
  double best_ = std::numeric_limits<double>::infinity();
};

}  // namespace etch::detail
