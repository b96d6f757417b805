// SPDX-License-Identifier: MIT
#pragma once
#include <etch/data/batch.hpp>

/// Windows over the elements of a dataset, each put after one another along a new first axis.
namespace etch::data {

/// Window k has elements `k * shift`, `k * shift + stride`, ..., `size` of them.
struct window_places {
  std::int64_t size = 1, shift = 1, stride = 1;
  bool drop_remainder = false;

  /// From its first element to its last.
  std::int64_t span() const { return (size - 1) * stride + 1; }
  /// Of a window of which `available` elements of the source are there from its first on; 0: there is no such window.
  std::int64_t rows_of(std::int64_t available) const {
    if (available <= 0 || (available < span() && drop_remainder)) return 0;
    return std::min(size, (available - 1) / stride + 1);
  }
  std::string describe() const {
    return ".window(" + std::to_string(size) + ", " + std::to_string(shift) + ", " + std::to_string(stride) +
           (drop_remainder ? ", drop_remainder)" : ")");
  }
};

template <class Source>
struct window_stage {
  using rows_type = stacked_rows<element_of<Source>>;
  using element = typename rows_type::element;
  Source source;
  window_places places;

  std::string describe() const { return source.describe() + places.describe(); }

  /// What a window and the next one share is kept. To restore a position the round is read again up to there.
  class cursor {
   public:
    explicit cursor(const window_stage& s)
        : source_(s.source), places_(s.places), held_(static_cast<std::size_t>(s.places.span())) {}

    void begin(std::uint64_t round) {
      source_.begin(round);
      number_ = place_ = 0;
      has_ended_ = false;
    }
    bool next() {
      const std::int64_t first = place_ * places_.shift;
      // Not `first + span()`: of the window behind the last one that is beyond int64 where windows are far apart.
      while (!has_ended_ && number_ - first < places_.span()) {
        has_ended_ = !source_.next();
        if (has_ended_) break;
        if (number_ >= first) take_element(source_, held(number_));
        ++number_;
      }
      const std::int64_t rows = places_.rows_of(number_ - first);
      for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t from = first + row * places_.stride;
        window_.put(held(from).get(), row, rows, from, "window");
      }
      window_.end(rows);
      place_ += rows > 0;
      return rows > 0;
    }
    element get() const { return window_.get(); }
    void exchange(copied_element<element>& other) { window_.exchange(other); }
    void save(std::vector<std::int64_t>& state) const { state.push_back(place_); }
    void restore(state_reader& state) { read_again(*this, place_, state); }

   private:
    auto& held(std::int64_t number) { return held_[static_cast<std::size_t>(number % places_.span())]; }

    sequence_of<Source> source_;
    window_places places_;
    std::vector<copied_element<element_of<Source>>> held_;
    rows_type window_;
    std::int64_t number_ = 0, place_ = 0;  ///< of elements that were read, of windows
    bool has_ended_ = false;
  };
};
template <class Source>
  requires indexed<Source>
struct window_stage<Source> {
  using rows_type = stacked_rows<element_of<Source>>;
  using element = typename rows_type::element;
  Source source;
  window_places places;

  std::int64_t size() const {
    const std::int64_t behind = source.size() - (places.drop_remainder ? places.span() : 1);
    return behind < 0 ? 0 : behind / places.shift + 1;
  }
  std::string describe() const { return source.describe() + places.describe(); }

  class reader {
   public:
    explicit reader(const window_stage& s) : source_(s.source), size_(s.source.size()), places_(s.places) {}
    std::int64_t lookahead() const { return (detail::lookahead(source_) + places_.size - 1) / places_.size; }
    void expect(std::span<const std::int64_t> windows) {
      numbers_.clear();
      for (const std::int64_t i : windows) {
        const std::int64_t first = i * places_.shift, rows = places_.rows_of(size_ - first);
        for (std::int64_t row = 0; row < rows; ++row) numbers_.push_back(first + row * places_.stride);
      }
      detail::expect(source_, numbers_);
    }
    element at(std::int64_t i) {
      const std::int64_t first = i * places_.shift, rows = places_.rows_of(size_ - first);
      for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t from = first + row * places_.stride;
        window_.put(source_.at(from), row, rows, from, "window");
      }
      window_.end(rows);
      return window_.get();
    }

   private:
    typename Source::reader source_;
    std::int64_t size_;
    window_places places_;
    rows_type window_;
    std::vector<std::int64_t> numbers_;
  };
};

}  // namespace etch::data
