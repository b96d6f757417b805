// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <etch/core/diagnostics.hpp>

namespace etch::data {

/// Where an iteration over a dataset stands: a few integers, whatever is shuffled. A program that saves it goes on later with the sample
/// that would have come next.
struct position {
  /// What the dataset is: its steps, with sizes and seeds. `slices(60000).shuffle(60000, seed 1).batch(50)`.
  std::string dataset;
  std::vector<std::int64_t> state;

  bool operator==(const position&) const = default;
};

/// The integers of a position, in the order in which they were saved.
class state_reader {
 public:
  explicit state_reader(const std::vector<std::int64_t>& state) : state_(&state) {}

  std::int64_t take() {
    if (next_ == state_->size()) fail("data: a position ends after %zu numbers", next_);
    return (*state_)[next_++];
  }
  /// One from 0 to `most`.
  std::int64_t take_up_to(std::int64_t most) {
    const std::int64_t value = take();
    if (value < 0 || value > most)
      fail("data: number %zu of a position is %lld, it must be 0 to %lld", next_ - 1, static_cast<long long>(value),
           static_cast<long long>(most));
    return value;
  }
  bool is_at_end() const { return next_ == state_->size(); }

 private:
  const std::vector<std::int64_t>* state_;
  std::size_t next_ = 0;
};

}  // namespace etch::data
