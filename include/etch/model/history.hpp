// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <etch/core/diagnostics.hpp>

namespace etch {

/// What `fit` has measured: a value for each epoch under `loss`, the metrics' names, and `val_loss` and so on where there was data to
/// validate with.
class history {
 public:
  void add(const std::string& name, double value) {
    for (auto& s : series_)
      if (s.name == name) {
        s.values.push_back(value);
        return;
      }
    series_.push_back({name, {value}});
  }
  /// Throws `etch::error` where nothing has that name.
  const std::vector<double>& operator[](std::string_view name) const {
    for (const auto& s : series_)
      if (s.name == name) return s.values;
    fail("history: there is no \"%.*s\"", static_cast<int>(name.size()), name.data());
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& s : series_) all.push_back(s.name);
    return all;
  }
  std::size_t epochs() const { return series_.empty() ? 0 : series_.front().values.size(); }

 private:
  struct series {
    std::string name;
    std::vector<double> values;
  };
  std::vector<series> series_;
};

}  // namespace etch
