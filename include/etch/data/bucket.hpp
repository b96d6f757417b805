// SPDX-License-Identifier: MIT
#pragma once
#include <etch/data/map.hpp>
#include <etch/data/padded_batch.hpp>

namespace etch::data {

/// Batches of elements of similar lengths, so that less of them is padding. An element goes into the bucket of its length, and a bucket is a
/// batch when it is full; at the end those that are not, shortest first.
template <class Source, class F>
struct bucket_stage {
  using rows_type = padded_rows<element_of<Source>>;
  using element = typename rows_type::element;
  Source source;
  F length;
  std::vector<std::int64_t> boundaries, rows;
  typename rows_type::padding padding{};
  bool drop_remainder = false;

  std::string describe() const {
    std::string text = source.describe() + ".bucket_by_length(f";
    for (const std::int64_t b : boundaries) text += ", " + std::to_string(b);
    for (std::size_t i = 0; i < rows.size(); ++i) text += (i == 0 ? "; " : ", ") + std::to_string(rows[i]);
    return text + detail::padding_text("; ", padding) + (drop_remainder ? "; drop_remainder)" : ")");
  }

  class cursor {
   public:
    explicit cursor(const bucket_stage& s)
        : source_(s.source), length_(s.length), boundaries_(s.boundaries), sizes_(s.rows), padding_(s.padding),
          drop_remainder_(s.drop_remainder), buckets_(s.rows.size()) {}

    void begin(std::uint64_t round) {
      source_.begin(round);
      for (rows_type& b : buckets_) b.clear();
      number_ = place_ = 0;
      has_ended_ = false;
    }
    bool next() {
      while (!has_ended_) {
        if (!source_.next()) {
          has_ended_ = true;
          break;
        }
        const std::int64_t l = detail::call_for("bucket_by_length", length_, source_.get(), number_++);
        const auto i = static_cast<std::size_t>(std::ranges::upper_bound(boundaries_, l) - boundaries_.begin());
        buckets_[i].add(source_);
        if (buckets_[i].count() == sizes_[i]) return give(buckets_[i]);
      }
      for (rows_type& b : buckets_)
        if (b.count() > 0 && !drop_remainder_) return give(b);
      return false;
    }
    element get() const { return batch_.get(); }
    void exchange(copied_element<element>& other) { std::swap(batch_, other); }
    void save(std::vector<std::int64_t>& state) const { state.push_back(place_); }
    /// What the buckets hold is read again.
    void restore(state_reader& state) { read_again(*this, place_, state); }

   private:
    bool give(rows_type& bucket) {
      bucket.move_to(batch_, padding_);
      ++place_;
      return true;
    }

    sequence_of<Source> source_;
    F length_;
    std::vector<std::int64_t> boundaries_, sizes_;
    typename rows_type::padding padding_;
    bool drop_remainder_, has_ended_ = false;
    std::vector<rows_type> buckets_;
    copied_element<element> batch_;
    std::int64_t number_ = 0, place_ = 0;  ///< of elements that were read, of batches
  };
};

}  // namespace etch::data
