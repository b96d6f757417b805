// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <etch/base/philox.hpp>
#include <etch/data/copied.hpp>

namespace etch::data {

namespace detail {
/// Draw `place` of a round, from 0 to `bound` - 1. Of 2^64 numbers some `bound` values come once more often than others: a share of
/// bound / 2^64 at most, which no test sees.
inline std::int64_t draw_below(std::int64_t bound, std::int64_t place, std::uint64_t round, std::uint64_t seed) {
  const philox::block b = philox::generate(static_cast<std::uint64_t>(place), round, seed);
  const std::uint64_t bits = std::uint64_t{b.word[0]} << 32 | b.word[1];
  __extension__ using wide = unsigned __int128;
  return static_cast<std::int64_t>(static_cast<wide>(bits) * static_cast<std::uint64_t>(bound) >> 64);
}
/// How many shuffles there are one behind another up to a stage; of stages side by side the most.
template <class Stage>
constexpr std::uint64_t shuffles_of() {
  if constexpr (requires { Stage::shuffles; })
    return Stage::shuffles;
  else if constexpr (requires(const Stage& s) { s.source; })
    return shuffles_of<decltype(Stage::source)>();
  else if constexpr (requires(const Stage& s) { s.sources; })
    return []<class... Sources>(std::type_identity<std::tuple<Sources...>>) {
      return std::max({shuffles_of<Sources>()...});
    }(std::type_identity<decltype(Stage::sources)>{});
  else if constexpr (requires(const Stage& s) { s.second; })
    return std::max(shuffles_of<decltype(Stage::first)>(), shuffles_of<decltype(Stage::second)>());
  else
    return 0;
}
/// What a shuffle draws with: of several of one seed each draws other numbers. The first has the seed itself.
inline std::uint64_t seed_of_shuffle(std::uint64_t seed, std::uint64_t number) {
  if (number == 1) return seed;
  const philox::block b = philox::generate(number, 0, seed);
  return std::uint64_t{b.word[0]} << 32 | b.word[1];
}
}  // namespace detail

/// TensorFlow's shuffle: of a buffer of elements one is chosen by chance, and the next one of the source takes its place. The draws of a
/// round follow from the seed, the round and their number, so that a position is that number alone: what the buffer holds is found by
/// drawing again.
template <class Source>
struct shuffle_stage {
  using element = element_of<Source>;
  Source source;
  std::int64_t buffer = 1;
  std::uint64_t seed = 0;
  static constexpr std::uint64_t shuffles = detail::shuffles_of<Source>() + 1;

  std::string describe() const {
    return source.describe() + ".shuffle(" + std::to_string(buffer) + ", seed " + std::to_string(seed) + ")";
  }
  class cursor;
};

/// A source whose elements have numbers: these are shuffled.
template <class Source>
  requires indexed<Source>
struct shuffle_stage<Source> {
  using element = element_of<Source>;
  Source source;
  std::int64_t buffer = 1;
  std::uint64_t seed = 0;
  static constexpr std::uint64_t shuffles = detail::shuffles_of<Source>() + 1;

  std::string describe() const {
    return source.describe() + ".shuffle(" + std::to_string(buffer) + ", seed " + std::to_string(seed) + ")";
  }

  class cursor {
   public:
    explicit cursor(const shuffle_stage& s)
        : reader_(s.source), size_(s.source.size()), buffer_(std::min(s.buffer, size_)),
          seed_(detail::seed_of_shuffle(s.seed, s.shuffles)) {}

    void begin(std::uint64_t round) {
      round_ = round;
      place_ = drawn_ = 0;
      reader_.begin();
      slots_.resize(static_cast<std::size_t>(buffer_));
      for (std::int64_t i = 0; i < buffer_; ++i) slots_[static_cast<std::size_t>(i)] = i;
    }
    bool next() {
      if (place_ == size_) return false;
      reader_.next(size_ - place_++, [this] { return draw(); });
      return true;
    }
    const element& get() const { return reader_.get(); }
    std::optional<element> coming() const { return reader_.coming(); }
    void save(std::vector<std::int64_t>& state) const { state.push_back(place_); }
    /// A draw for each element before.
    void restore(state_reader& state) {
      for (place_ = state.take_up_to(size_); drawn_ < place_;) draw();
    }

   private:
    /// The number of the next element.
    std::int64_t draw() {
      const std::int64_t left = size_ - drawn_, count = std::min(buffer_, left);
      auto& slot = slots_[static_cast<std::size_t>(detail::draw_below(count, drawn_, round_, seed_))];
      const std::int64_t chosen = slot;
      slot = left > count ? drawn_ + buffer_ : slots_[static_cast<std::size_t>(count - 1)];
      ++drawn_;
      return chosen;
    }

    numbered_reader<Source> reader_;
    std::int64_t size_, buffer_;
    std::int64_t place_ = 0, drawn_ = 0;  ///< elements that were given, and numbers that were drawn, some of them ahead
    std::uint64_t seed_, round_ = 0;
    std::vector<std::int64_t> slots_;
  };
};

/// A stream: the buffer holds copies. To restore a position the round is read again up to there.
template <class Source>
class shuffle_stage<Source>::cursor {
 public:
  explicit cursor(const shuffle_stage& s)
      : source_(s.source), buffer_(s.buffer), seed_(detail::seed_of_shuffle(s.seed, s.shuffles)) {}

  void begin(std::uint64_t round) {
    source_.begin(round);
    round_ = round;
    place_ = 0;
    held_ = 0;
    ended_ = false;
  }
  bool next() {
    while (held_ < buffer_ && !ended_) {
      if (!source_.next()) {
        ended_ = true;
        break;
      }
      if (static_cast<std::int64_t>(slots_.size()) == held_) slots_.emplace_back();
      take_element(source_, slots_[static_cast<std::size_t>(held_++)]);
    }
    if (held_ == 0) return false;
    auto& slot = slots_[static_cast<std::size_t>(detail::draw_below(held_, place_, round_, seed_))];
    std::swap(current_, slot);
    std::swap(slot, slots_[static_cast<std::size_t>(--held_)]);
    ++place_;
    return true;
  }
  element get() const { return current_.get(); }
  void save(std::vector<std::int64_t>& state) const { state.push_back(place_); }
  void restore(state_reader& state) { read_again(*this, place_, state); }

 private:
  sequence_of<Source> source_;
  std::int64_t buffer_, held_ = 0, place_ = 0;
  std::uint64_t seed_, round_ = 0;
  bool ended_ = false;
  std::vector<copied_element<element>> slots_;
  copied_element<element> current_;
};

}  // namespace etch::data
