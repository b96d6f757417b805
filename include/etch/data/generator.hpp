// SPDX-License-Identifier: MIT
#pragma once
#include <functional>

#include <etch/data/dataset.hpp>

namespace etch::data {

/// Elements that a function of the program gives, one after another.
template <class F>
struct generator_stage {
  using next_function = std::decay_t<std::invoke_result_t<const F&>>;
  using result = typename std::invoke_result_t<next_function&>::value_type;
  using values = typename detail::result_element<result>::values;
  using components = detail::components_of_results<values>;
  using element = typename components::element;
  F make;

  std::string describe() const { return "generator(f)"; }

  class cursor {
   public:
    explicit cursor(const generator_stage& s) : make_(s.make) {}

    void begin(std::uint64_t) {
      next_.emplace(std::invoke(std::as_const(make_)));
      place_ = 0;
      has_ended_ = false;
    }
    bool next() {
      values_.reset();
      if (has_ended_) return false;
      try {
        if (auto given = (*next_)()) values_.emplace(std::move(*given));
      } catch (const std::exception& e) {
        fail("data: generator: element %lld: %s", static_cast<long long>(place_), e.what());
      }
      has_ended_ = !values_.has_value();
      place_ += !has_ended_;
      return !has_ended_;
    }
    element get() const { return components::of(*values_); }
    void save(std::vector<std::int64_t>& state) const { state.push_back(place_); }
    void restore(state_reader& state) { read_again(*this, place_, state); }

   private:
    F make_;
    std::optional<next_function> next_;
    std::optional<values> values_;
    std::int64_t place_ = 0;
    bool has_ended_ = false;  ///< its function is not called again
  };
};

/// A dataset of what a function gives: `f()` is called for each round, and returns a function that gives the round's elements,
/// one a call: an std::optional of a value, an array of xtensor's, a tensor, or a tuple of these, and nothing at the end, behind
/// which it is not called again. To restore a position, the round is read again up to there, so rounds should be alike. What it
/// throws is thrown as `etch::error` by the loop, with the element's number.
template <class F>
  requires std::invocable<const F&>
dataset<generator_stage<F>> generator(F f) {
  static_assert(
      requires {
        typename std::invoke_result_t<const F&>;
        std::declval<std::decay_t<std::invoke_result_t<const F&>>&>()().has_value();
      }, "data::generator: f() returns a function whose calls give an std::optional of the next element");
  return dataset(generator_stage<F>{std::move(f)});
}

}  // namespace etch::data
