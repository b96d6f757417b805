// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <etch/data/sequence.hpp>

/// Some of a dataset's elements: the first, those behind them, every so many.
namespace etch::data {

/// Elements `first`, `first + step`, ..., of a source as far as it goes, at most `count`; -1: all.
template <class Source>
struct part_stage {
  using element = element_of<Source>;
  Source source;
  std::int64_t first = 0, step = 1, count = -1;
  std::string name;  ///< of the step, for positions

  std::string describe() const { return source.describe() + name; }

  class cursor : public counting_cursor<Source> {
   public:
    explicit cursor(const part_stage& s) : counting_cursor<Source>(s.source), first_(s.first), step_(s.step), count_(s.count) {}
    bool next() {
      if (this->number_ == count_) return false;
      for (std::int64_t skipped = this->number_ == 0 ? first_ : step_ - 1; skipped > 0; --skipped)
        if (!this->source_.next()) return false;
      if (!this->source_.next()) return false;
      ++this->number_;
      return true;
    }
    element get() const { return this->source_.get(); }
    std::optional<element> coming() const { return detail::coming_of(this->source_); }

   private:
    std::int64_t first_, step_, count_;
  };
};
template <class Source>
  requires indexed<Source>
struct part_stage<Source> {
  using element = element_of<Source>;
  Source source;
  std::int64_t first = 0, step = 1, count = -1;
  std::string name;

  std::int64_t size() const {
    const std::int64_t behind = source.size() - first, all = behind <= 0 ? 0 : (behind - 1) / step + 1;
    return count < 0 ? all : std::min(count, all);
  }
  std::string describe() const { return source.describe() + name; }

  class reader {
   public:
    explicit reader(const part_stage& s) : source_(s.source), first_(s.first), step_(s.step) {}
    std::int64_t lookahead() const { return detail::lookahead(source_); }
    void expect(std::span<const std::int64_t> numbers) {
      numbers_.assign(numbers.begin(), numbers.end());
      for (std::int64_t& i : numbers_) i = first_ + i * step_;
      detail::expect(source_, numbers_);
    }
    element at(std::int64_t i) { return source_.at(first_ + i * step_); }
    element peek(std::int64_t i) const
      requires detail::peeks<typename Source::reader>
    {
      return source_.peek(first_ + i * step_);
    }
    std::int64_t distance() const { return source_.distance(); }

   private:
    typename Source::reader source_;
    std::int64_t first_, step_;
    std::vector<std::int64_t> numbers_;
  };
};

/// A source again and again; what is by chance in it is another in each round.
template <class Source>
struct repeat_stage {
  using element = element_of<Source>;
  Source source;
  std::int64_t count = -1;  ///< -1: without end

  std::string describe() const { return source.describe() + ".repeat(" + (count < 0 ? "" : std::to_string(count)) + ")"; }

  class cursor {
   public:
    explicit cursor(const repeat_stage& s) : source_(s.source), count_(s.count) {}
    void begin(std::uint64_t round) {
      round_ = round;
      turn_ = 0;
      begin_turn();
    }
    bool next() {
      while (count_ < 0 || turn_ < count_) {
        if (source_.next()) {
          is_empty_ = false;
          return true;
        }
        // Without elements it would never end; no turn begins that is not read.
        if ((count_ < 0 && is_empty_) || turn_ == count_ - 1) return false;
        ++turn_;
        begin_turn();
      }
      return false;
    }
    element get() const { return source_.get(); }
    std::optional<element> coming() const { return detail::coming_of(source_); }
    void save(std::vector<std::int64_t>& state) const {
      state.push_back(turn_);
      source_.save(state);
    }
    void restore(state_reader& state) {
      turn_ = state.take();
      begin_turn();
      is_empty_ = false;  // what was read of the turn is not known
      source_.restore(state);
    }

   private:
    /// `repeat(3)` in one round has the orders of three rounds without it.
    void begin_turn() {
      const auto turns = count_ < 0 ? std::uint64_t{1} << 32 : static_cast<std::uint64_t>(count_);
      source_.begin(round_ * turns + static_cast<std::uint64_t>(turn_));
      is_empty_ = true;
    }
    sequence_of<Source> source_;
    std::int64_t count_, turn_ = 0;
    std::uint64_t round_ = 0;
    bool is_empty_ = true;
  };
};

}  // namespace etch::data
