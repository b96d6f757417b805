// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <etch/data/sequence.hpp>

/// Several datasets as one: side by side, and one behind the other.
namespace etch::data {

namespace detail {
/// "zip(a, b)"
template <class... Sources>
std::string describe_all(const char* name, const std::tuple<Sources...>& sources) {
  std::string text = name;
  std::apply([&](const Sources&... s) { ((text += (text.back() == '(' ? "" : ", ") + s.describe()), ...); }, sources);
  return text + ")";
}
}  // namespace detail

/// The elements of several sources side by side, as far as the shortest goes.
template <class... Sources>
struct zip_stage {
  using element = decltype(std::tuple_cat(std::declval<element_of<Sources>>()...));
  std::tuple<Sources...> sources;

  std::string describe() const { return detail::describe_all("zip(", sources); }

  class cursor {
   public:
    explicit cursor(const zip_stage& s)
        : sources_(
              std::apply([](const Sources&... each) { return std::tuple<sequence_of<Sources>...>(sequence_of<Sources>(each)...); },
                         s.sources)) {}
    void begin(std::uint64_t round) {
      std::apply([round](auto&... s) { (s.begin(round), ...); }, sources_);
    }
    bool next() {
      return std::apply([](auto&... s) { return (s.next() && ...); }, sources_);
    }
    element get() const {
      return std::apply([](const auto&... s) { return element(std::tuple_cat(s.get()...)); }, sources_);
    }
    void save(std::vector<std::int64_t>& state) const {
      std::apply([&](const auto&... s) { (s.save(state), ...); }, sources_);
    }
    void restore(state_reader& state) {
      std::apply([&](auto&... s) { (s.restore(state), ...); }, sources_);
    }

   private:
    std::tuple<sequence_of<Sources>...> sources_;
  };
};
template <class... Sources>
  requires(indexed<Sources> && ...)
struct zip_stage<Sources...> {
  using element = decltype(std::tuple_cat(std::declval<element_of<Sources>>()...));
  std::tuple<Sources...> sources;

  std::int64_t size() const {
    return std::apply([](const Sources&... s) { return std::min({s.size()...}); }, sources);
  }
  std::string describe() const { return detail::describe_all("zip(", sources); }

  class reader {
   public:
    explicit reader(const zip_stage& s)
        : readers_(std::apply(
              [](const Sources&... each) { return std::tuple<typename Sources::reader...>(typename Sources::reader(each)...); },
              s.sources)) {}
    std::int64_t lookahead() const {
      return std::apply([](const auto&... r) { return std::max({detail::lookahead(r)...}); }, readers_);
    }
    void expect(std::span<const std::int64_t> numbers) {
      std::apply([numbers](auto&... r) { (detail::expect(r, numbers), ...); }, readers_);
    }
    element at(std::int64_t i) {
      return std::apply([i](auto&... r) { return element(std::tuple_cat(r.at(i)...)); }, readers_);
    }
    element peek(std::int64_t i) const
      requires(detail::peeks<typename Sources::reader> && ...)
    {
      return std::apply([i](const auto&... r) { return element(std::tuple_cat(r.peek(i)...)); }, readers_);
    }
    std::int64_t distance() const {
      return std::apply([](const auto&... r) { return std::min({r.distance()...}); }, readers_);
    }

   private:
    std::tuple<typename Sources::reader...> readers_;
  };
};

/// The elements of one source, then those of another with the same components.
template <class First, class Second>
struct concatenate_stage {
  using element = element_of<First>;
  First first;
  Second second;

  std::string describe() const { return first.describe() + ".concatenate(" + second.describe() + ")"; }

  class cursor {
   public:
    explicit cursor(const concatenate_stage& s) : first_(s.first), second_(s.second) {}
    void begin(std::uint64_t round) {
      first_.begin(round);
      second_.begin(round);
      is_behind_first_ = false;
    }
    bool next() {
      if (!is_behind_first_ && first_.next()) return true;
      is_behind_first_ = true;
      return second_.next();
    }
    element get() const { return is_behind_first_ ? second_.get() : first_.get(); }
    void save(std::vector<std::int64_t>& state) const {
      state.push_back(is_behind_first_ ? 1 : 0);
      first_.save(state);
      second_.save(state);
    }
    void restore(state_reader& state) {
      is_behind_first_ = state.take_up_to(1) == 1;
      first_.restore(state);
      second_.restore(state);
    }

   private:
    sequence_of<First> first_;
    sequence_of<Second> second_;
    bool is_behind_first_ = false;
  };
};
template <class First, class Second>
  requires(indexed<First> && indexed<Second>)
struct concatenate_stage<First, Second> {
  using element = element_of<First>;
  First first;
  Second second;

  std::int64_t size() const { return first.size() + second.size(); }
  std::string describe() const { return first.describe() + ".concatenate(" + second.describe() + ")"; }

  class reader {
   public:
    explicit reader(const concatenate_stage& s) : first_(s.first), second_(s.second), size_of_first_(s.first.size()) {}
    std::int64_t lookahead() const { return std::max(detail::lookahead(first_), detail::lookahead(second_)); }
    void expect(std::span<const std::int64_t> numbers) {
      for (auto* part : {&of_first_, &of_second_}) {
        part->clear();
        part->reserve(numbers.size());
      }
      for (const std::int64_t i : numbers) i < size_of_first_ ? of_first_.push_back(i) : of_second_.push_back(i - size_of_first_);
      if (!of_first_.empty()) detail::expect(first_, of_first_);
      if (!of_second_.empty()) detail::expect(second_, of_second_);
    }
    element at(std::int64_t i) { return i < size_of_first_ ? first_.at(i) : second_.at(i - size_of_first_); }

   private:
    typename First::reader first_;
    typename Second::reader second_;
    std::int64_t size_of_first_;
    std::vector<std::int64_t> of_first_, of_second_;
  };
};

}  // namespace etch::data
