// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/graph.hpp>

/// Expressions to a graph: only what the fetches need, cut at what is fed.
namespace etch {

/// Numbers by hash, with open addressing; capacity is a power of two at least twice the number of entries.
class hash_index {
 public:
  constexpr int find(hash_t h) const {
    if (keys_.empty()) return -1;
    for (unsigned i = static_cast<unsigned>(h) & mask_;; i = (i + 1) & mask_) {
      if (values_[static_cast<int>(i)] < 0) return -1;
      if (keys_[static_cast<int>(i)] == h) return values_[static_cast<int>(i)];
    }
  }
  constexpr void insert(hash_t h, int value) {
    if (2 * (count_ + 1) > keys_.size()) grow();
    place(h, value);
    ++count_;
  }

 private:
  constexpr void place(hash_t h, int value) {
    unsigned i = static_cast<unsigned>(h) & mask_;
    while (values_[static_cast<int>(i)] >= 0) i = (i + 1) & mask_;
    keys_[static_cast<int>(i)] = h;
    values_[static_cast<int>(i)] = value;
  }
  constexpr void grow() {
    const int capacity = keys_.empty() ? 64 : 2 * keys_.size();
    vector<hash_t> keys = keys_;
    vector<int> values = values_;
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

/// The graph of some expressions. A node whose hash is among `fed` is a placeholder, whatever it was; what lies behind
/// it is not visited. `size_of` nodes become constants or named extents here, since they need no data.
constexpr graph flatten(const record* const* fetches, int fetch_count, const hash_t* fed, int fed_count) {
  graph g;
  hash_index index;
  vector<const record*> stack;
  vector<int> in;
  for (int f = 0; f < fetch_count; ++f) {
    stack.push_back(fetches[f]);
    while (!stack.empty()) {
      const record& r = *stack.back();
      if (index.find(r.hash) >= 0) {
        stack.pop_back();
        continue;
      }
      bool cut = false;
      for (int i = 0; i < fed_count; ++i) cut = cut || fed[i] == r.hash;
      bool ready = true;
      in.clear();
      for (int k = cut ? r.count : 0; k < r.count; ++k) {
        const int operand = index.find(r.operands[k]->hash);
        if (operand < 0) {
          stack.push_back(r.operands[k]);
          ready = false;
        }
        in.push_back(operand);
      }
      if (!ready) continue;
      const tensor_type type = r.shape(g.extents, r.type);
      const int node = cut ? g.push(info_of<detail::placeholder_op>, words(), type, nullptr, 0, r.slot, r.hash)
                           : g.push(*r.op, r.attributes, type, in.data(), in.size(), r.slot, r.hash);
      index.insert(r.hash, node);
      stack.pop_back();
    }
    g.fetches.push_back(index.find(fetches[f]->hash));
  }
  return g;
}

}  // namespace etch
