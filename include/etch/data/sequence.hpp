// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <concepts>
#include <optional>
#include <span>

#include <etch/data/component.hpp>
#include <etch/data/position.hpp>

/// Stages: the steps that a dataset is made of, each a value. A stage names its `element`, describes itself, and gives elements
/// - by number, where it has a `size`: a class `reader` made from the stage, with `at(i)`; where it makes several elements at once, with
///   `lookahead()`, how many numbers it asks for, and `expect(numbers)`, those of the next calls of `at`, in their order; where elements
///   lie in memory, `peek(i)`, element i unread, and `distance()`, how many elements ahead it is prefetched;
/// - else one after another: a class `cursor` made from the stage, with `begin(round)`, which starts again, with another order where
///   there is chance; `next()`, whether there is another element, which it may be asked again behind the last; `get()`, that element,
///   until the next call; `save(state)`, and `restore(state)` behind `begin` of the same round, so that `next()` gives the element
///   behind the one at which it was saved.
namespace etch::data {

template <class Stage>
concept indexed = requires(const Stage& s) {
  { s.size() } -> std::same_as<std::int64_t>;
};

template <class Stage>
using element_of = typename Stage::element;

namespace detail {
template <class Reader>
std::int64_t lookahead(const Reader& reader) {
  if constexpr (requires { reader.lookahead(); })
    return reader.lookahead();
  else
    return 0;
}
template <class Reader>
void expect(Reader& reader, std::span<const std::int64_t> numbers) {
  if constexpr (requires { reader.expect(numbers); })
    if (reader.lookahead() > 0) reader.expect(numbers);
}
template <class Reader>
concept peeks = requires(Reader& reader, std::int64_t i) { reader.peek(i); };
/// The element that a sequence gives so many elements later that it is time to prefetch it, if there is one and it lies in memory.
template <class Sequence>
auto coming_of(const Sequence& from) {
  if constexpr (requires { from.coming(); })
    return from.coming();
  else
    return std::optional<std::remove_cvref_t<decltype(from.get())>>();
}
}  // namespace detail

/// Reads elements in an order of numbers, and tells the reader those to come.
template <class Stage>
class numbered_reader {
 public:
  explicit numbered_reader(const Stage& stage) : reader_(stage) {
    if constexpr (detail::peeks<typename Stage::reader>) distance_ = static_cast<std::size_t>(reader_.distance());
  }

  /// In a round from its beginning.
  void begin() {
    numbers_.clear();
    used_ = 0;
  }
  /// The next one of `left` that there are still; draw(): the number of the one behind the last that was drawn.
  template <class Draw>
  void next(std::int64_t left, const Draw& draw) {
    if (const std::size_t drawn = numbers_.size() - used_; drawn <= distance_ && static_cast<std::int64_t>(drawn) < left) {
      numbers_.erase(numbers_.begin(), numbers_.begin() + static_cast<std::ptrdiff_t>(used_));
      used_ = 0;
      const auto count = static_cast<std::size_t>(std::clamp(detail::lookahead(reader_), std::int64_t{1}, left));
      while (numbers_.size() < count) numbers_.push_back(draw());
      detail::expect(reader_, numbers_);
    }
    element_.emplace(reader_.at(numbers_[used_++]));
  }
  const element_of<Stage>& get() const { return *element_; }
  std::optional<element_of<Stage>> coming() const {
    if constexpr (detail::peeks<typename Stage::reader>)
      if (const std::size_t at = used_ - 1 + distance_; at < numbers_.size()) return reader_.peek(numbers_[at]);
    return {};
  }

 private:
  typename Stage::reader reader_;
  std::vector<std::int64_t> numbers_;
  std::size_t used_ = 0, distance_ = 0;
  std::optional<element_of<Stage>> element_;
};

/// The elements of a stage by number, one after another.
template <indexed Stage>
class in_order {
 public:
  explicit in_order(const Stage& stage) : size_(stage.size()), reader_(stage) {}

  void begin(std::uint64_t) { begin_at(0); }
  bool next() {
    if (place_ == size_) return false;
    reader_.next(size_ - place_++, [this] { return next_++; });
    return true;
  }
  const element_of<Stage>& get() const { return reader_.get(); }
  void save(std::vector<std::int64_t>& state) const { state.push_back(place_); }
  void restore(state_reader& state) { begin_at(state.take_up_to(size_)); }

 private:
  void begin_at(std::int64_t place) {
    place_ = next_ = place;
    reader_.begin();
  }
  std::int64_t size_, place_ = 0, next_ = 0;
  numbered_reader<Stage> reader_;
};

namespace detail {
template <class Stage>
struct sequence_type {
  using type = typename Stage::cursor;
};
template <indexed Stage>
struct sequence_type<Stage> {
  using type = in_order<Stage>;
};
}  // namespace detail

/// What gives a stage's elements one after another.
template <class Stage>
using sequence_of = typename detail::sequence_type<Stage>::type;

/// A cursor over the elements of a source that counts, from 0 in each round: what steps that have no more to save are made of.
template <class Source>
class counting_cursor {
 public:
  explicit counting_cursor(const Source& source) : source_(source) {}
  void begin(std::uint64_t round) {
    source_.begin(round);
    number_ = 0;
  }
  void save(std::vector<std::int64_t>& state) const {
    state.push_back(number_);
    source_.save(state);
  }
  void restore(state_reader& state) {
    number_ = state.take();
    source_.restore(state);
  }

 protected:
  sequence_of<Source> source_;
  std::int64_t number_ = 0;
};

/// Takes elements that a position is behind; `number`: of the element that it stands in front of, for errors.
template <class Sequence>
void skip_elements(Sequence& sequence, std::int64_t count, std::int64_t number) {
  for (std::int64_t i = 0; i < count; ++i)
    if (!sequence.next()) fail("data: a position is behind the end: %lld elements", static_cast<long long>(number));
}

/// Reads a round from its beginning up to a place that was saved; `place`: where the cursor is.
template <class Cursor>
void read_again(Cursor& cursor, const std::int64_t& place, state_reader& state) {
  const std::int64_t saved = state.take();
  while (place < saved)
    if (!cursor.next())
      fail("data: a position is behind the end: %lld of %lld elements", static_cast<long long>(saved),
           static_cast<long long>(place));
}

}  // namespace etch::data
