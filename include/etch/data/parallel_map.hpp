// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/executor.hpp>
#include <etch/data/copied.hpp>
#include <etch/data/map.hpp>

namespace etch::data {

namespace detail {

/// Results of a function for some elements ahead, made by all workers of an executor at once. Each worker has a copy of the function.
template <class Source, class F>
class results_ahead {
  struct slot {
    std::optional<typename map_result<Source, F>::values> values;
    std::exception_ptr failure;
  };

 public:
  results_ahead(const F& f, executor& workers)
      : workers_(&workers), functions_(static_cast<std::size_t>(workers.workers()), f),
        slots_(elements_per_worker * functions_.size()) {}

  /// At a time. The last elements are waited for by workers that have none, so that more of them cost less: a 16th at most.
  std::int64_t most() const { return static_cast<std::int64_t>(slots_.size()); }
  std::int64_t count() const { return count_; }
  std::int64_t used() const { return used_; }
  void clear() { count_ = used_ = 0; }
  /// Those of `count` elements; argument_of(worker, i): element i, whose number is number_of(i). What is thrown is kept for `take`.
  template <class Argument, class Number>
  void make(std::int64_t count, const Argument& argument_of, const Number& number_of) {
    const auto task = [&](int i, int worker) {
      slot& to = slots_[static_cast<std::size_t>(i)];
      to.failure = nullptr;
      try {
        to.values.emplace(call_for("map", functions_[static_cast<std::size_t>(worker)], argument_of(worker, i), number_of(i)));
      } catch (...) {
        to.failure = std::current_exception();
      }
    };
    using task_type = decltype(task);
    workers_->run(
        static_cast<int>(count), [](void* work, int i, int worker) { (*static_cast<const task_type*>(work))(i, worker); },
        const_cast<void*>(static_cast<const void*>(&task)));
    count_ = count;
    used_ = 0;
  }
  /// The next result, which lies there until the next call of `make`; what the function threw, is thrown.
  void take() {
    if (slots_[static_cast<std::size_t>(used_++)].failure)
      std::rethrow_exception(slots_[static_cast<std::size_t>(used_ - 1)].failure);
  }
  auto get() const { return map_result<Source, F>::components::of(*slots_[static_cast<std::size_t>(used_ - 1)].values); }

 private:
  static constexpr std::size_t elements_per_worker = 16;

  executor* workers_;
  std::vector<F> functions_;
  std::vector<slot> slots_;
  std::int64_t count_ = 0, used_ = 0;
};

}  // namespace detail

/// A function's result for each element, made by several threads at once, and given in the order of the elements.
template <class Source, class F>
struct parallel_map_stage {
  using element = typename detail::map_result<Source, F>::element;
  Source source;
  F f;
  executor* workers;

  /// A position has nothing of threads.
  std::string describe() const { return source.describe() + ".map(f)"; }

  class cursor : public counting_cursor<Source> {
   public:
    explicit cursor(const parallel_map_stage& s)
        : counting_cursor<Source>(s.source), results_(s.f, *s.workers), arguments_(static_cast<std::size_t>(results_.most())) {}
    void begin(std::uint64_t round) {
      counting_cursor<Source>::begin(round);
      results_.clear();
      failure_ = nullptr;
      skipped_ = 0;
      save_source();
    }
    bool next() {
      if (results_.used() == results_.count() && !make()) return false;
      ++this->number_;
      results_.take();
      return true;
    }
    element get() const { return results_.get(); }
    /// Where the elements ahead begin, and how many of them were taken.
    void save(std::vector<std::int64_t>& state) const {
      state.insert(state.end(), {this->number_, skipped_ + results_.used()});
      state.insert(state.end(), before_.begin(), before_.end());
    }
    void restore(state_reader& state) {
      results_.clear();
      this->number_ = state.take();
      skipped_ = state.take_up_to(this->number_);
      this->source_.restore(state);
      save_source();
      skip_elements(this->source_, skipped_, this->number_);
    }

   private:
    void save_source() {
      before_.clear();
      this->source_.save(before_);
    }
    /// What the source throws comes behind the elements before it.
    bool make() {
      if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
      save_source();
      skipped_ = 0;
      std::int64_t count = 0;
      try {
        for (; count < results_.most() && this->source_.next(); ++count)
          take_element(this->source_, arguments_[static_cast<std::size_t>(count)]);
      } catch (...) {
        if (count == 0) throw;
        failure_ = std::current_exception();
      }
      results_.make(
          count, [this](int, int i) { return arguments_[static_cast<std::size_t>(i)].get(); },
          [this](int i) { return this->number_ + i; });
      return count > 0;
    }

    detail::results_ahead<Source, F> results_;
    std::vector<copied_element<element_of<Source>>> arguments_;
    std::vector<std::int64_t> before_;  ///< the source's state where the elements ahead begin
    std::int64_t skipped_ = 0;          ///< of these elements, since they had been taken when a position was saved
    std::exception_ptr failure_;
  };
};
/// Elements with numbers: each worker reads those that it makes by itself.
template <class Source, class F>
  requires indexed<Source>
struct parallel_map_stage<Source, F> {
  using element = typename detail::map_result<Source, F>::element;
  Source source;
  F f;
  executor* workers;

  std::int64_t size() const { return source.size(); }
  std::string describe() const { return source.describe() + ".map(f)"; }

  class reader {
   public:
    explicit reader(const parallel_map_stage& s) : results_(s.f, *s.workers) {
      for (int w = 0; w < s.workers->workers(); ++w) sources_.emplace_back(s.source);
    }
    std::int64_t lookahead() const { return results_.most(); }
    /// Any count: others in a step that joins several may ask for more.
    void expect(std::span<const std::int64_t> numbers) {
      results_.clear();
      numbers_.assign(numbers.begin(), numbers.end());
      first_ = 0;
    }
    element at(std::int64_t i) {
      std::size_t place = first_ + static_cast<std::size_t>(results_.used());
      const bool is_expected = place < numbers_.size() && numbers_[place] == i;
      if (!is_expected) {
        numbers_.assign(1, i);
        place = 0;
      }
      if (!is_expected || results_.used() == results_.count()) make(place);
      results_.take();
      return results_.get();
    }

   private:
    /// From that place of the numbers on, as many as there is room for.
    void make(std::size_t place) {
      first_ = place;
      const auto number_of = [this](int i) { return numbers_[first_ + static_cast<std::size_t>(i)]; };
      results_.make(
          std::min(results_.most(), static_cast<std::int64_t>(numbers_.size() - first_)),
          [&](int worker, int i) { return sources_[static_cast<std::size_t>(worker)].at(number_of(i)); }, number_of);
    }

    std::vector<typename Source::reader> sources_;
    detail::results_ahead<Source, F> results_;
    std::vector<std::int64_t> numbers_;
    std::size_t first_ = 0;  ///< the place among the numbers where the results begin
  };
};

}  // namespace etch::data
