// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <mutex>

#include <etch/data/copied.hpp>

namespace etch::data {

/// Copies of a dataset's elements by number, in memory. Several threads may use it.
template <class Element>
class memory_store {
 public:
  /// Element i, where it is there; it lies there as long as the store does.
  std::optional<Element> find(std::int64_t i, copied_element<Element>&) const {
    const std::lock_guard lock(mutex_);
    if (i >= static_cast<std::int64_t>(elements_.size()) || !elements_[static_cast<std::size_t>(i)]) return {};
    return elements_[static_cast<std::size_t>(i)]->get();
  }
  void put(std::int64_t i, const Element& e) {
    auto copy = std::make_unique<copied_element<Element>>();
    copy->copy(e);
    const std::lock_guard lock(mutex_);
    if (i >= static_cast<std::int64_t>(elements_.size())) elements_.resize(static_cast<std::size_t>(i) + 1);
    if (auto& to = elements_[static_cast<std::size_t>(i)]; !to) to = std::move(copy);
  }
  /// There are so many elements. -1: that is not known.
  void end(std::int64_t count) {
    const std::lock_guard lock(mutex_);
    count_ = count;
  }
  std::int64_t count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }
  std::string describe() const { return ".cache()"; }
  static constexpr bool finds_what_was_put = true;

 private:
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<copied_element<Element>>> elements_;
  std::int64_t count_ = -1;
};

/// What a source gives in its first round, whatever the round is, kept in a store: by place.
template <class Source, class Store>
struct cache_stage {
  using element = element_of<Source>;
  Source source;
  std::shared_ptr<Store> store;

  std::string describe() const { return source.describe() + store->describe(); }

  class cursor {
   public:
    explicit cursor(const cache_stage& s) : source_(s.source), store_(s.store) {}

    void begin(std::uint64_t) { place_ = 0; }
    bool next() {
      if ((element_ = store_->find(place_, copy_))) {
        ++place_;
        return true;
      }
      if (place_ == store_->count()) return false;
      if (read_ == 0 || read_ > place_) {
        source_.begin(0);
        read_ = 0;
      }
      try {
        if (!read_up_to_place()) return false;
      } catch (...) {
        read_ = 0;  // the source stands where it threw: the next round reads it again
        throw;
      }
      ++place_;
      return true;
    }
    const element& get() const { return *element_; }
    void save(std::vector<std::int64_t>& state) const { state.push_back(place_); }
    void restore(state_reader& state) { place_ = state.take(); }

   private:
    /// Whether the source goes so far.
    bool read_up_to_place() {
      for (; read_ <= place_; ++read_) {
        if (!source_.next()) {
          store_->end(read_);
          read_ = 0;
          return false;
        }
        element_.emplace(source_.get());
        store_->put(read_, *element_);
      }
      return true;
    }

    sequence_of<Source> source_;
    std::shared_ptr<Store> store_;
    copied_element<element> copy_;
    std::optional<element> element_;
    std::int64_t place_ = 0, read_ = 0;  ///< of elements that were given, that this cursor has read of the source
  };
};
template <class Source, class Store>
  requires indexed<Source>
struct cache_stage<Source, Store> {
  using element = element_of<Source>;
  Source source;
  std::shared_ptr<Store> store;

  std::int64_t size() const { return source.size(); }
  std::string describe() const { return source.describe() + store->describe(); }

  class reader {
   public:
    explicit reader(const cache_stage& s) : source_(s.source), store_(s.store) { store_->end(s.source.size()); }
    std::int64_t lookahead() const { return detail::lookahead(source_); }
    void expect(std::span<const std::int64_t> numbers) {
      missing_.clear();
      sorted_.clear();
      for (const std::int64_t i : numbers)
        if (!store_->find(i, copy_) && is_asked_for(i)) missing_.push_back(i);
      if (!missing_.empty()) detail::expect(source_, missing_);
    }
    element at(std::int64_t i) {
      if (auto found = store_->find(i, copy_)) return *found;
      element e = source_.at(i);
      store_->put(i, e);
      return e;
    }

   private:
    /// The source is asked once for what the store finds from then on.
    bool is_asked_for(std::int64_t missing) {
      if constexpr (Store::finds_what_was_put) {
        const auto at = std::ranges::lower_bound(sorted_, missing);
        if (at != sorted_.end() && *at == missing) return false;
        sorted_.insert(at, missing);
      }
      return true;
    }

    typename Source::reader source_;
    std::shared_ptr<Store> store_;
    copied_element<element> copy_;
    std::vector<std::int64_t> missing_, sorted_;
  };
};

}  // namespace etch::data
