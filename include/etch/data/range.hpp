// SPDX-License-Identifier: MIT
#pragma once
#include <etch/data/sequence.hpp>

namespace etch::data {

/// Numbers at equal distances.
struct range_stage {
  using element = std::tuple<component<std::int64_t, 0>>;
  std::int64_t first = 0, count = 0, step = 1;

  std::int64_t size() const { return count; }
  std::string describe() const {
    // The one behind the last may be no int64: by numbers that wrap, in the text alone.
    const auto behind = static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(step);
    return "range(" + std::to_string(first) + ", " + std::to_string(static_cast<std::int64_t>(behind)) + ", " +
           std::to_string(step) + ")";
  }
  class reader {
   public:
    explicit reader(const range_stage& s) : first_(s.first), step_(s.step) {}
    element at(std::int64_t i) {
      value_ = first_ + i * step_;
      return {component<std::int64_t, 0>{&value_, {}}};
    }

   private:
    std::int64_t first_, step_, value_ = 0;
  };
};

}  // namespace etch::data
