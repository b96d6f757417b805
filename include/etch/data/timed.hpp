// SPDX-License-Identifier: MIT
#pragma once
#include <etch/data/copied.hpp>
#include <etch/timeline.hpp>

namespace etch::data {

/// The same elements; the making of each is a span of a timeline, on the thread that makes it.
template <class Source>
struct timed_stage {
  using element = element_of<Source>;
  Source source;
  timeline* to = nullptr;
  std::string name;

  /// It changes nothing of what comes.
  std::string describe() const { return source.describe(); }

  class cursor {
   public:
    explicit cursor(const timed_stage& s) : source_(s.source), to_(s.to), name_(s.name) {}

    void begin(std::uint64_t round) { source_.begin(round); }
    bool next() {
      const auto begin = timeline::clock::now();
      if (!source_.next()) return false;
      to_->add(name_, begin, timeline::clock::now());
      return true;
    }
    decltype(auto) get() const { return source_.get(); }
    void exchange(copied_element<element>& other) { take_element(source_, other); }
    void save(std::vector<std::int64_t>& state) const { source_.save(state); }
    void restore(state_reader& state) { source_.restore(state); }

   private:
    sequence_of<Source> source_;
    timeline* to_;
    std::string name_;
  };
};
template <class Source>
  requires indexed<Source>
struct timed_stage<Source> {
  using element = element_of<Source>;
  Source source;
  timeline* to = nullptr;
  std::string name;

  std::int64_t size() const { return source.size(); }
  std::string describe() const { return source.describe(); }

  class reader {
   public:
    explicit reader(const timed_stage& s) : source_(s.source), to_(s.to), name_(s.name) {}
    std::int64_t lookahead() const { return detail::lookahead(source_); }
    void expect(std::span<const std::int64_t> numbers) { detail::expect(source_, numbers); }
    element at(std::int64_t i) {
      const auto begin = timeline::clock::now();
      element e = source_.at(i);
      to_->add(name_, begin, timeline::clock::now());
      return e;
    }

   private:
    typename Source::reader source_;
    timeline* to_;
    std::string name_;
  };
};

}  // namespace etch::data
