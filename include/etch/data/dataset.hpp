// SPDX-License-Identifier: MIT
#pragma once
#include <iterator>
#include <memory>
#include <utility>

#include <etch/data/batch.hpp>
#include <etch/data/bucket.hpp>
#include <etch/data/cache.hpp>
#include <etch/data/interleave.hpp>
#include <etch/data/joined.hpp>
#include <etch/data/map.hpp>
#include <etch/data/padded_batch.hpp>
#include <etch/data/parallel_map.hpp>
#include <etch/data/parts.hpp>
#include <etch/data/prefetch.hpp>
#include <etch/data/range.hpp>
#include <etch/data/shuffle.hpp>
#include <etch/data/timed.hpp>
#include <etch/data/unbatch.hpp>
#include <etch/data/window.hpp>

namespace etch::data {

/// What `padded_batch` fills each component up with: a value, or a tuple of them.
template <class Stage>
using padding_of = typename padded_rows<element_of<Stage>>::padding;

/// Elements to loop over: `for (auto [x, y] : data::slices(images, labels).shuffle(60000).batch(50))`. A value: a transformation gives
/// another dataset, and leaves this one as it was. An element of several components is a tuple, of one that component alone: a value, or
/// xtensor's adaptor of an array in the dataset's own memory, which the next element overwrites: memory that `session::bind` may read from
/// step to step. Each loop is a round, in which what is by chance comes out otherwise. One loop at a time: it is a single-pass range.
template <class Stage>
class dataset {
  struct iteration {
    Stage stage;
    sequence_of<Stage> sequence{stage};
    std::uint64_t rounds = 0;            ///< that have begun
    bool is_within = false;              ///< a round that has not ended
    bool is_restored = false;            ///< the next loop goes on with it
    bool has_thrown = false;             ///< the sequence, whose state says nothing
    std::vector<std::int64_t> before{};  ///< its state before the element that it was asked for last

    void next() {
      is_restored = false;     // by a loop that goes on, too
      if (!is_within) return;  // behind the end, or restored to between two rounds
      before.clear();
      sequence.save(before);
      has_thrown = true;
      is_within = sequence.next();
      has_thrown = false;
    }
  };

 public:
  using stage_type = Stage;

  explicit dataset(Stage stage) : stage_(std::move(stage)) {}
  /// A copy begins with round 0.
  dataset(const dataset& other) : stage_(other.stage_) {}
  dataset(dataset&&) = default;
  /// Also where a function of a map captures something, which C++ does not assign: what it captures is moved, or copied, and may not throw.
  dataset& operator=(dataset other) noexcept {
    std::destroy_at(&stage_);
    std::construct_at(&stage_, std::move(other.stage_));
    live_ = std::move(other.live_);
    return *this;
  }

  const Stage& stage() const { return stage_; }
  /// In elements, where that is known without reading them.
  std::int64_t size() const
    requires indexed<Stage>
  {
    return stage_.size();
  }

  /// f(components...) for each element: numbers, and tensors. It returns a value, an array of xtensor's, a tensor, or a tuple of these.
  /// A `std::exception` that it throws is thrown as `etch::error` by the loop, with the element's number, anything else as it is.
  template <class F>
  auto map(F&& f) const {
    using function = detail::function_kept_of<F>;
    if constexpr (detail::can_map<Stage, function>())
      return dataset<map_stage<Stage, function>>({stage_, detail::kept_function(std::forward<F>(f))});
    else
      return *this;
  }
  /// The same, made by all threads of a pool at once, which outlives the dataset: some elements ahead, which come in the order of the source.
  /// Each thread has a copy of f. An exception comes in the turn of its element.
  template <class F>
  auto map(F&& f, executor& workers) const {
    using function = detail::function_kept_of<F>;
    if constexpr (detail::can_map<Stage, function>())
      return dataset<parallel_map_stage<Stage, function>>({stage_, detail::kept_function(std::forward<F>(f)), &workers});
    else
      return *this;
  }
  /// The elements for which f(components...) is true.
  template <class F>
  auto filter(F&& f) const {
    using function = detail::function_kept_of<F>;
    if constexpr (detail::takes_elements<"filter", function, element_of<Stage>>())
      return dataset<filter_stage<Stage, function>>({stage_, detail::kept_function(std::forward<F>(f))});
    else
      return *this;
  }
  /// As TensorFlow's: of `buffer` elements, at least 1, one is drawn, and the source's next one takes its place. A buffer of the dataset's
  /// size gives every order. The order of a round follows from the seed and the round's number.
  auto shuffle(std::int64_t buffer, std::uint64_t seed = 0) const {
    if (buffer < 1) fail("data: shuffle: a buffer has at least 1 element, not %lld", static_cast<long long>(buffer));
    return dataset<shuffle_stage<Stage>>({stage_, buffer, seed});
  }
  /// `rows` elements as one, along a new first axis; what is left at the end is a smaller one, or dropped. Arrays of a component have the
  /// same shape in a batch, or the loop throws `etch::error`.
  auto batch(std::int64_t rows, bool drop_remainder = false) const {
    if (rows < 1) fail("data: batch: a batch has at least 1 element, not %lld", static_cast<long long>(rows));
    return dataset<batch_stage<Stage>>({stage_, rows, drop_remainder});
  }
  /// The same of elements whose shapes differ: each is filled up with `padding`, one value for each component, to the longest of the batch.
  auto padded_batch(std::int64_t rows, padding_of<Stage> padding = {}, bool drop_remainder = false) const {
    if (rows < 1) fail("data: padded_batch: a batch has at least 1 element, not %lld", static_cast<long long>(rows));
    return dataset<padded_batch_stage<Stage>>({stage_, rows, std::move(padding), drop_remainder});
  }
  /// Padded batches of elements of similar lengths. f(components...) is an element's length, an integer; those below `boundaries[0]` are put
  /// into batches of `rows[0]` elements, those from `boundaries[i - 1]` to below `boundaries[i]` into batches of `rows[i]`, the longest into
  /// batches of the last. A batch comes when it is full, and those that are not at the end, or are dropped.
  template <class F>
  auto bucket_by_length(F f, std::vector<std::int64_t> boundaries, std::vector<std::int64_t> rows, padding_of<Stage> padding = {},
                        bool drop_remainder = false) const {
    if (rows.size() != boundaries.size() + 1)
      fail("data: bucket_by_length: %zu boundaries make %zu buckets, given are the rows of %zu", boundaries.size(),
           boundaries.size() + 1, rows.size());
    for (std::size_t i = 1; i < boundaries.size(); ++i)
      if (boundaries[i] <= boundaries[i - 1])
        fail("data: bucket_by_length: boundary %zu, %lld, is not above %lld", i, static_cast<long long>(boundaries[i]),
             static_cast<long long>(boundaries[i - 1]));
    for (const std::int64_t r : rows)
      if (r < 1) fail("data: bucket_by_length: a batch has at least 1 element, not %lld", static_cast<long long>(r));
    if constexpr (detail::takes_elements<"bucket_by_length", F, element_of<Stage>>())
      return dataset<bucket_stage<Stage, F>>(
          {stage_, std::move(f), std::move(boundaries), std::move(rows), std::move(padding), drop_remainder});
    else
      return *this;
  }
  /// Each element's slices along its first axis, which is equally long in all components.
  auto unbatch() const {
    if constexpr (detail::has_rows<element_of<Stage>>) {
      return dataset<unbatch_stage<Stage>>({stage_});
    } else {
      raise<elements_are_unbatched_along_a_first_axis_which_a_number_lacks, in_function<"unbatch">, got<element_of<Stage>>,
            instead_write<"d.batch(n).unbatch()">>();
      return *this;
    }
  }
  /// Elements `0, stride, ...`, `size` of them, then those from `shift` on, and so on, each window put after one another along a new first
  /// axis, where TensorFlow's `window` has a dataset. `shift` 0: `size`. Windows at the end are smaller, or dropped.
  auto window(std::int64_t size, std::int64_t shift = 0, std::int64_t stride = 1, bool drop_remainder = false) const {
    const window_places places{size, shift == 0 ? size : shift, stride, drop_remainder};
    if (size < 1 || places.shift < 1 || stride < 1)
      fail("data: window: size, shift and stride are at least 1, not %lld, %lld and %lld", static_cast<long long>(size),
           static_cast<long long>(shift), static_cast<long long>(stride));
    if (size > (std::int64_t{1} << 40) / stride)
      fail("data: window: size times stride is at most 2^40, not %lld times %lld", static_cast<long long>(size),
           static_cast<long long>(stride));
    return dataset<window_stage<Stage>>({stage_, places});
  }
  /// The elements of the datasets that f(components...) returns: `block_length` of each of `cycle_length` in turn; where one has ended, the
  /// next takes its place.
  template <class F>
  auto interleave(F f, std::int64_t cycle_length, std::int64_t block_length = 1) const {
    if (cycle_length < 1 || block_length < 1)
      fail("data: interleave: cycle and block have at least 1 element, not %lld and %lld", static_cast<long long>(cycle_length),
           static_cast<long long>(block_length));
    if constexpr (detail::can_interleave<Stage, F>())
      return dataset<interleave_stage<Stage, F>>({stage_, std::move(f), cycle_length, block_length});
    else
      return *this;
  }
  /// The elements of the datasets that f(components...) returns, one dataset after another.
  template <class F>
  auto flat_map(F f) const {
    return interleave(std::move(f), 1);
  }
  /// The same elements with their number in front, as int64.
  auto enumerate(std::int64_t start = 0) const {
    return dataset<zip_stage<range_stage, Stage>>({{range_stage{start, INT64_MAX - std::max(start, std::int64_t{0}), 1}, stage_}});
  }
  /// The elements of the first round, kept in memory: later rounds have the same, in their order, and nothing before is read or computed
  /// again. Copies of the dataset, and what is made of it, share the memory, also on several threads.
  auto cache() const {
    using store = memory_store<element_of<Stage>>;
    return dataset<cache_stage<Stage, store>>({stage_, std::make_shared<store>()});
  }
  /// The same in a file: `cache(etch::data::cache_file("samples.tfrecord"))` of `<etch/data/cache_file.hpp>`.
  template <class Where>
  auto cache(const Where& where) const {
    auto store = where.template store<element_of<Stage>>(stage_.describe());
    return dataset<cache_stage<Stage, typename decltype(store)::element_type>>({stage_, std::move(store)});
  }
  /// The same elements, made on a thread of its own that is up to `depth` elements, at least 1, ahead of the loop. What a map throws
  /// reaches the loop in its turn; leaving the loop joins the thread when the next one begins, or the dataset goes.
  auto prefetch(std::int64_t depth = 1) const {
    if (depth < 1) fail("data: prefetch: at least 1 element, not %lld", static_cast<long long>(depth));
    return dataset<prefetch_stage<Stage>>({stage_, depth});
  }
  /// The same elements. The making of each, with all that stands before in the pipeline, is a span of the timeline, of the thread that makes
  /// it: what `prefetch` and parallel maps hide behind the steps of a loop is seen there. The timeline outlives the dataset.
  auto timed(timeline& to, std::string name) const { return dataset<timed_stage<Stage>>({stage_, &to, std::move(name)}); }
  /// Again and again, `count` times or without end.
  auto repeat(std::int64_t count) const {
    if (count < 0) fail("data: repeat: %lld times", static_cast<long long>(count));
    return dataset<repeat_stage<Stage>>({stage_, count});
  }
  auto repeat() const { return dataset<repeat_stage<Stage>>({stage_}); }
  /// The first `count` elements.
  auto take(std::int64_t count) const {
    if (count < 0) fail("data: take: %lld elements", static_cast<long long>(count));
    return dataset<part_stage<Stage>>({stage_, 0, 1, count, ".take(" + std::to_string(count) + ")"});
  }
  /// All but the first `count` elements.
  auto skip(std::int64_t count) const {
    if (count < 0) fail("data: skip: %lld elements", static_cast<long long>(count));
    return dataset<part_stage<Stage>>({stage_, count, 1, -1, ".skip(" + std::to_string(count) + ")"});
  }
  /// Every `shards`-th element from number `index` on: one of so many parts.
  auto shard(std::int64_t shards, std::int64_t index) const {
    if (shards < 1 || index < 0 || index >= shards)
      fail("data: shard: number %lld of %lld", static_cast<long long>(index), static_cast<long long>(shards));
    return dataset<part_stage<Stage>>(
        {stage_, index, shards, -1, ".shard(" + std::to_string(shards) + ", " + std::to_string(index) + ")"});
  }
  /// These elements, then those of another dataset, with the same components.
  template <class Other>
  auto concatenate(const dataset<Other>& other) const {
    if constexpr (std::is_same_v<element_of<Stage>, element_of<Other>>) {
      return dataset<concatenate_stage<Stage, Other>>({stage_, other.stage()});
    } else {
      raise<both_datasets_have_components_of_the_same_dtypes_and_ranks, in_function<"concatenate">, expected<element_of<Stage>>,
            got<element_of<Other>>>();
      return *this;
    }
  }
  /// f(result so far, components...) over all elements of the next round.
  template <class R, class F>
  R reduce(R result, F f) {
    for (auto i = begin(); i != end(); ++i)
      result = std::apply([&](const auto&... c) { return f(std::move(result), detail::argument(c)...); }, i.element());
    return result;
  }

  class iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = decltype(detail::seen_element(std::declval<const element_of<Stage>&>()));
    using difference_type = std::ptrdiff_t;

    explicit iterator(iteration& of) : of_(&of) { ++*this; }
    value_type operator*() const { return detail::seen_element(element()); }
    decltype(auto) element() const { return of_->sequence.get(); }
    iterator& operator++() {
      of_->next();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return !of_->is_within; }

   private:
    iteration* of_;
  };

  /// Begins the next round, or goes on with the one whose position was restored.
  iterator begin() {
    iteration& i = live();
    if (!std::exchange(i.is_restored, false)) {
      i.is_within = false;
      i.sequence.begin(i.rounds);
      ++i.rounds;
      i.is_within = true;
    }
    return iterator(i);
  }
  std::default_sentinel_t end() { return {}; }

  /// Behind the element that a loop has now, had when it threw, or had when it was left; behind a loop that has ended, and before
  /// the first, before the next round. A program that left a loop begins a round with the next one, and one that restores this
  /// goes on with the round.
  data::position position() {
    iteration& i = live();
    data::position p{stage_.describe(), {static_cast<std::int64_t>(i.rounds), i.is_within ? 1 : 0}};
    if (!i.is_within) return p;
    if (i.has_thrown)
      p.state.insert(p.state.end(), i.before.begin(), i.before.end());
    else
      i.sequence.save(p.state);
    return p;
  }
  /// Whether the next loop goes on in a round, within which the dataset was restored.
  bool goes_on() const { return live_ && live_->is_restored; }
  /// The next loop goes on there, and so does one that is restored in. Throws `etch::error` where the position is one of another
  /// dataset.
  void restore(const data::position& p) {
    iteration& i = live();
    if (p.dataset != stage_.describe())
      fail("data: a position of \"%s\" is no position of \"%s\"", p.dataset.c_str(), stage_.describe().c_str());
    state_reader state(p.state);
    const std::int64_t rounds = state.take_up_to(INT64_MAX);
    const bool is_within = state.take_up_to(1) == 1;
    if (is_within) {
      if (rounds == 0) fail("data: a position within a round has the number of no round");
      // Where the rest of the position is wrong, the next loop begins a round.
      i.is_within = i.is_restored = i.has_thrown = false;
      i.sequence.begin(static_cast<std::uint64_t>(rounds - 1));
      i.sequence.restore(state);
    }
    if (!state.is_at_end()) fail("data: a position of \"%s\" has numbers left over", p.dataset.c_str());
    i.rounds = static_cast<std::uint64_t>(rounds);
    i.is_within = i.is_restored = is_within;
    i.has_thrown = false;
  }

 private:
  iteration& live() {
    if (!live_) live_.reset(new iteration{stage_});
    return *live_;
  }

  Stage stage_;
  std::unique_ptr<iteration> live_;
};

namespace detail {
template <class D>
inline constexpr bool is_dataset = false;
template <class Stage>
inline constexpr bool is_dataset<dataset<Stage>> = true;
/// A dataset that can be looped over: that is no constant.
template <class D>
concept readable_dataset = is_dataset<std::remove_reference_t<D>>;
}  // namespace detail

/// Datasets side by side: elements have the components of all, as far as the shortest goes.
template <class... Stages>
auto zip(const dataset<Stages>&... sets) {
  return dataset<zip_stage<Stages...>>({{sets.stage()...}});
}

}  // namespace etch::data
