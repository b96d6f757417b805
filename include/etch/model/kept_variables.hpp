// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

namespace etch::detail {

/// Copies of all variables of a session at one moment, in memory that the next copies use again.
class kept_variables {
 public:
  bool are_there() const { return !values_.empty(); }
  void forget() { values_.clear(); }
  template <class Session>
  void keep(Session& session) {
    std::size_t n = 0;
    for (auto v : session.variables()) {
      if (n == values_.size()) values_.emplace_back();
      values_[n].resize(static_cast<std::size_t>(v.bytes()));
      v.copy_to(values_[n++].data());
    }
  }
  template <class Session>
  void restore(Session& session) const {
    std::size_t n = 0;
    for (auto v : session.variables()) v.copy_from(values_[n++].data());
  }

 private:
  std::vector<std::vector<std::byte>> values_;
};

}  // namespace etch::detail
