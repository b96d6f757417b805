// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include <xtensor/xtensor.hpp>

#include "fashion_mnist.hpp"

/// A data set in batches, in a new random order each epoch:
///
///     data::batches epoch(train, 128, seed);
///     for (std::uint64_t number = 0; number < epochs; ++number) {
///       epoch.shuffle(number);
///       for (auto [images, labels] : epoch) ...
///     }
namespace data {

namespace detail {

/// Steele, Lea and Flood's SplitMix64. The order must be the same with every standard library, which
/// std::uniform_int_distribution and std::shuffle do not promise.
class split_mix {
 public:
  explicit constexpr split_mix(std::uint64_t seed) : state_(seed) {}

  /// 64 random bits.
  constexpr std::uint64_t next() {
    std::uint64_t bits = state_ += 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
  }

  /// Uniform from 0 to `bound` - 1; `bound` is at least 1.
  constexpr std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t surplus = (0 - bound) % bound;  // 2^64 mod bound: these few values would favour small results
    std::uint64_t bits = next();
    while (bits < surplus) bits = next();
    return bits % bound;
  }

 private:
  std::uint64_t state_;
};

}  // namespace detail

/// One batch: references to buffers of `batches`, which hold the next batch after the loop has moved on.
struct batch {
  const xt::xtensor<float, 2>& images;         ///< shape (rows, 784), 0 to 1
  const xt::xtensor<std::int32_t, 1>& labels;  ///< shape (rows), 0 to 9
};

/// The images of one set, each once per epoch. Keeps a reference to the set, which must outlive it.
class batches {
 public:
  /// `batch_size` is in images, at least 1 (otherwise throws std::invalid_argument). Starts with the order of epoch 0.
  batches(const fashion_mnist& set, std::size_t batch_size, std::uint64_t seed)
      : set_(&set), batch_size_(batch_size), seed_(seed), order_(set.size()) {
    if (batch_size == 0) throw std::invalid_argument("batches: the batch size must be at least 1");
    shuffle(0);
  }
  batches(fashion_mnist&&, std::size_t, std::uint64_t) = delete;  // it would be gone before the first batch

  /// The order of epoch `number`: it depends on the seed and the number alone, not on earlier epochs.
  void shuffle(std::uint64_t number) {
    detail::split_mix random(detail::split_mix(seed_).next() + detail::split_mix(~number).next());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    for (std::size_t left = order_.size(); left > 1; --left)
      std::swap(order_[left - 1], order_[static_cast<std::size_t>(random.below(left))]);
  }

  /// The number of batches in an epoch; the last has fewer rows if the batch size does not divide the number of images.
  std::size_t size() const { return order_.size() / batch_size_ + (order_.size() % batch_size_ != 0); }

  /// Row of the set by position in the epoch.
  const std::vector<std::size_t>& order() const { return order_; }

  /// A single pass: one loop at a time, as all iterators share the buffers.
  class iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = batch;
    using difference_type = std::ptrdiff_t;

    explicit iterator(batches& owner) : owner_(&owner) { owner_->gather(first_); }

    batch operator*() const { return {owner_->images_, owner_->labels_}; }
    iterator& operator++() {
      first_ += std::min(owner_->batch_size_, owner_->order_.size() - first_);
      owner_->gather(first_);
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return first_ == owner_->order_.size(); }

   private:
    batches* owner_;
    std::size_t first_ = 0;
  };

  iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() const { return {}; }

 private:
  /// Copies the rows from position `first` of the order into the buffers, which are reallocated only when the number of
  /// rows changes: before and after a smaller last batch.
  void gather(std::size_t first) {
    const std::size_t rows = std::min(batch_size_, order_.size() - first);
    if (rows == 0) return;
    const std::size_t width = set_->pixels.shape(1);
    images_.resize({rows, width});
    labels_.resize({rows});
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t from = order_[first + row];
      std::memcpy(images_.data() + row * width, set_->pixels.data() + from * width, width * sizeof(float));
      labels_.data()[row] = set_->labels.data()[from];
    }
  }

  const fashion_mnist* set_;
  std::size_t batch_size_;
  std::uint64_t seed_;
  std::vector<std::size_t> order_;
  xt::xtensor<float, 2> images_;
  xt::xtensor<std::int32_t, 1> labels_;
};

}  // namespace data
