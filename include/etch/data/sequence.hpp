// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <optional>

#include <etch/data/component.hpp>
#include <etch/data/position.hpp>

/// Stages: the steps that a dataset is made of, each a value. A stage names its `element`, describes itself, and gives elements
/// - by number, where it has a `size`: a class `reader` made from the stage, with `at(i)`;
/// - else one after another: a class `cursor` made from the stage, with `begin(round)`, which starts again, with another order where there is
///   chance; `next()`, whether there is another element; `get()`, that element, until the next call; `save(state)`, and `restore(state)`
///   behind `begin` of the same round, so that `next()` gives the element behind the one at which it was saved.
namespace etch::data {

template <class Stage>
concept indexed = requires(const Stage& s) {
  { s.size() } -> std::same_as<std::int64_t>;
};

template <class Stage>
using element_of = typename Stage::element;

/// The elements of a stage by number, one after another.
template <indexed Stage>
class in_order {
 public:
  explicit in_order(const Stage& stage) : size_(stage.size()), reader_(stage) {}

  void begin(std::uint64_t) { next_ = 0; }
  bool next() {
    if (next_ >= size_) return false;
    element_.emplace(reader_.at(next_++));
    return true;
  }
  const element_of<Stage>& get() const { return *element_; }
  void save(std::vector<std::int64_t>& state) const { state.push_back(next_); }
  void restore(state_reader& state) { next_ = state.take_up_to(size_); }

 private:
  std::int64_t size_, next_ = 0;
  typename Stage::reader reader_;
  std::optional<element_of<Stage>> element_;
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
