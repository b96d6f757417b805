// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

namespace etch::eager {

/// A number for each of some values, by their identities.
class identity_table {
 public:
  identity_table() = default;
  explicit identity_table(int expected) {
    std::size_t size = 16;
    while (size < 2 * static_cast<std::size_t>(expected)) size *= 2;
    slots_.resize(size);
  }
  /// What was put for it; -1 where nothing was.
  int find(std::uint64_t identity) const {
    if (slots_.empty()) return -1;
    for (std::size_t i = place(identity);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].number < 0) return -1;
      if (slots_[i].identity == identity) return slots_[i].number;
    }
  }
  void put(std::uint64_t identity, int number) {
    if (2 * ++count_ > slots_.size()) grow();
    std::size_t i = place(identity);
    while (slots_[i].number >= 0 && slots_[i].identity != identity) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = {identity, number};
  }

 private:
  struct slot {
    std::uint64_t identity = 0;
    int number = -1;
  };
  /// Identities count up, so that their lower bits are different.
  std::size_t place(std::uint64_t identity) const { return static_cast<std::size_t>(identity) & (slots_.size() - 1); }
  void grow() {
    std::vector<slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    count_ = 1;
    for (const slot& s : old)
      if (s.number >= 0) put(s.identity, s.number);
  }
  std::vector<slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace etch::eager
