// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/hash.hpp>
#include <etch/base/vector.hpp>

namespace etch {

/// Numbers by hash, with open addressing: what passes look things up in. Of two hashes that are equal it knows the first; who
/// cannot rule out a collision compares what the number stands for.
class hash_index {
 public:
  /// Makes room for `entries`, so that it need not grow.
  constexpr void reserve(int entries) {
    int capacity = 16;
    while (capacity < 2 * entries + 2) capacity *= 2;
    if (capacity > mask_ + 1) rebuild(capacity);
  }
  /// The number of a hash; -1 where there is none.
  constexpr int find(hash_t h) const {
    if (mask_ == 0) return -1;
    int i = slot_of(h);
    while (numbers_.values_[i] > 0 && keys_.values_[i] != h) i = (i + 1) & mask_;
    return numbers_.values_[i] - 1;
  }
  constexpr void insert(hash_t h, int value) {
    if (2 * ++count_ > mask_) rebuild(mask_ == 0 ? 16 : 2 * mask_ + 2);
    place(h, value + 1);
  }

 private:
  /// The upper half: in a product of hashes the low bits depend on few.
  constexpr int slot_of(hash_t h) const { return static_cast<int>(h >> 32) & mask_; }
  constexpr void place(hash_t h, int number) {
    int i = slot_of(h);
    while (numbers_.values_[i] > 0) i = (i + 1) & mask_;
    keys_.values_[i] = h;
    numbers_.values_[i] = number;
  }
  constexpr void rebuild(int capacity) {
    const vector<hash_t> keys = static_cast<vector<hash_t>&&>(keys_);
    const vector<int> numbers = static_cast<vector<int>&&>(numbers_);
    keys_ = vector<hash_t>::defaults(capacity);
    numbers_ = vector<int>::defaults(capacity);
    mask_ = capacity - 1;
    // From behind an empty slot on: entries that lie at the front since the end was full come after those at the end, so that of two
    // hashes that are equal the first stays the first.
    const int old_mask = keys.size_ - 1;
    int end = old_mask;
    while (end >= 0 && numbers.values_[end] > 0) --end;
    for (int k = 1; k <= keys.size_; ++k) {
      const int i = (end + k) & old_mask;
      if (numbers.values_[i] > 0) place(keys.values_[i], numbers.values_[i]);
    }
  }

  vector<hash_t> keys_;
  vector<int> numbers_;  ///< and 1, so that what has just been allocated is empty
  int mask_ = 0;         ///< the capacity less one
  int count_ = 0;
};

}  // namespace etch
