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
    if (capacity > keys_.size()) rebuild(capacity);
  }
  /// The number of a hash; -1 where there is none.
  constexpr int find(hash_t h) const {
    if (keys_.empty()) return -1;
    unsigned i = slot_of(h);
    while (values_[static_cast<int>(i)] >= 0 && keys_[static_cast<int>(i)] != h) i = (i + 1) & mask_;
    return values_[static_cast<int>(i)];
  }
  constexpr void insert(hash_t h, int value) {
    if (2 * (count_ + 1) > keys_.size()) rebuild(keys_.empty() ? 16 : 2 * keys_.size());
    place(h, value);
    ++count_;
  }

 private:
  /// The upper half: in a product of hashes the low bits depend on few.
  constexpr unsigned slot_of(hash_t h) const { return static_cast<unsigned>(h >> 32) & mask_; }
  constexpr void place(hash_t h, int value) {
    unsigned i = slot_of(h);
    while (values_[static_cast<int>(i)] >= 0) i = (i + 1) & mask_;
    keys_[static_cast<int>(i)] = h;
    values_[static_cast<int>(i)] = value;
  }
  constexpr void rebuild(int capacity) {
    const vector<hash_t> keys = keys_;
    const vector<int> values = values_;
    keys_ = vector<hash_t>(capacity, 0);
    values_ = vector<int>(capacity, -1);
    mask_ = static_cast<unsigned>(capacity) - 1;
    for (int i = 0; i < keys.size(); ++i)
      if (values[i] >= 0) place(keys[i], values[i]);
  }

  vector<hash_t> keys_;
  vector<int> values_;
  unsigned mask_ = 0;
  int count_ = 0;
};

}  // namespace etch
