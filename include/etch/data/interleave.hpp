// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include <etch/base/philox.hpp>
#include <etch/data/map.hpp>

namespace etch::data {

/// The elements of datasets that a function makes of each element: `block_length` of the first, then of the second, up to `cycle_length` of
/// them, and of the first again; where one has ended, the next comes into its place.
template <class Source, class F>
struct interleave_stage {
  using inner_dataset = std::remove_cvref_t<decltype(detail::call(std::declval<F&>(), std::declval<const element_of<Source>&>()))>;
  using inner_stage = typename inner_dataset::stage_type;
  using element = element_of<inner_stage>;
  Source source;
  F f;
  std::int64_t cycle_length = 1, block_length = 1;

  std::string describe() const {
    return source.describe() + ".interleave(f, " + std::to_string(cycle_length) + ", " + std::to_string(block_length) + ")";
  }

  class cursor {
   public:
    explicit cursor(const interleave_stage& s)
        : source_(s.source), f_(s.f), block_length_(s.block_length), open_(static_cast<std::size_t>(s.cycle_length)) {}

    void begin(std::uint64_t round) {
      round_ = round;
      source_.begin(round);
      for (auto& o : open_) o.reset();
      current_ = number_ = given_ = open_count_ = 0;
      has_ended_ = false;
    }
    bool next() {
      if (given_ == block_length_) advance();
      while (!has_ended_ || open_count_ > 0) {
        auto& o = open_[static_cast<std::size_t>(current_)];
        if (!o && !has_ended_) {
          std::vector<std::int64_t> before;
          source_.save(before);
          if (source_.next())
            open(o, std::move(before));
          else
            has_ended_ = true;
          continue;
        }
        if (o && o->sequence.next()) {
          ++given_;
          return true;
        }
        if (o) --open_count_;
        o.reset();
        advance();
      }
      return false;
    }
    element get() const { return open_[static_cast<std::size_t>(current_)]->sequence.get(); }

    void save(std::vector<std::int64_t>& state) const {
      state.insert(state.end(), {number_, current_, given_, has_ended_ ? 1 : 0});
      for (const auto& o : open_) {
        state.push_back(o ? o->number : -1);
        if (!o) continue;
        state.insert(state.end(), o->before.begin(), o->before.end());
        o->sequence.save(state);
      }
      source_.save(state);
    }
    void restore(state_reader& state) {
      const std::int64_t number = state.take();
      current_ = state.take_up_to(static_cast<std::int64_t>(open_.size()) - 1);
      given_ = state.take_up_to(block_length_);
      has_ended_ = state.take_up_to(1) == 1;
      for (auto& o : open_) {
        number_ = state.take();
        if (number_ < 0) continue;
        source_.begin(round_);
        source_.restore(state);
        std::vector<std::int64_t> before;
        source_.save(before);
        if (!source_.next()) fail("data: a position is behind the end: %lld elements", static_cast<long long>(number_));
        open(o, std::move(before));
        o->sequence.restore(state);
      }
      source_.begin(round_);
      source_.restore(state);
      number_ = number;
    }

   private:
    struct opened {
      inner_stage stage;
      std::int64_t number;               ///< of the element that it is made of
      std::vector<std::int64_t> before;  ///< the source's state in front of that
      sequence_of<inner_stage> sequence{stage};
    };
    /// Of the dataset made of an element: what is by chance in it is another in each, and not what the source has drawn.
    std::uint64_t round_of(std::int64_t number) const {
      const philox::block b = philox::generate(static_cast<std::uint64_t>(number), round_, 0);
      return std::uint64_t{b.word[0]} << 32 | b.word[1];
    }
    void open(std::unique_ptr<opened>& to, std::vector<std::int64_t> before) {
      to.reset(new opened{detail::call_for("interleave", f_, source_.get(), number_).stage(), number_, std::move(before)});
      to->sequence.begin(round_of(number_));
      ++number_;
      ++open_count_;
    }
    void advance() {
      current_ = (current_ + 1) % static_cast<std::int64_t>(open_.size());
      given_ = 0;
    }

    sequence_of<Source> source_;
    F f_;
    std::int64_t block_length_;
    std::vector<std::unique_ptr<opened>> open_;
    std::uint64_t round_ = 0;
    /// The place of the cycle, of elements of the source, of elements of this block, of places that are not empty.
    std::int64_t current_ = 0, number_ = 0, given_ = 0, open_count_ = 0;
    bool has_ended_ = false;
  };
};

namespace detail {
template <class Source, class F>
constexpr bool can_interleave() {
  if constexpr (!takes_elements<"interleave", F, element_of<Source>>()) {
    return false;
  } else {
    using result = std::remove_cvref_t<decltype(call(std::declval<F&>(), std::declval<const element_of<Source>&>()))>;
    if constexpr (!requires { typename result::stage_type; })
      return raise<this_function_returns_no_dataset, in_function<"interleave">, got<result>>();
    else
      return true;
  }
}
}  // namespace detail

}  // namespace etch::data
