// SPDX-License-Identifier: MIT
#pragma once
#include <charconv>

#include <etch/data/copied.hpp>
#include <etch/format/quoted_text.hpp>

namespace etch::data {

namespace detail {

/// Another text for each value, in every locale; of a class that is no number none.
template <class T>
std::string padding_value_text(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return format::quoted_text(value, value.size());
  } else if constexpr (std::is_floating_point_v<T>) {
    char text[32];
    return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return std::to_string(value);
  } else if constexpr (std::is_convertible_v<T, float>) {
    return padding_value_text(static_cast<float>(value));
  } else {
    return "";
  }
}
/// For a dataset's description; empty where all are values of their own: 0, or no characters.
template <class... T>
std::string padding_text(const char* separator, const std::tuple<T...>& padding) {
  const auto text_of = [&](const std::tuple<T...>& values) {
    std::string text;
    std::apply([&](const T&... v) { ((text += (text.empty() ? "padding " : ", ") + padding_value_text(v)), ...); }, values);
    return text;
  };
  const std::string text = text_of(padding);
  return text == text_of({}) ? "" : separator + text;
}

}  // namespace detail

/// Elements of other shapes put after one another along a new first axis, each filled up at the ends of its axes to the longest.
template <class Element>
class padded_rows;
template <class... T, int... Rank>
class padded_rows<std::tuple<component<T, Rank>...>> {
 public:
  using element = std::tuple<component<T, Rank + 1>...>;
  using padding = std::tuple<T...>;  ///< what each component is filled up with

  std::int64_t count() const { return count_; }
  template <class Sequence>
  void add(Sequence& from) {
    if (static_cast<std::int64_t>(rows_.size()) == count_) rows_.emplace_back();
    take_element(from, rows_[static_cast<std::size_t>(count_++)]);
  }
  void clear() { count_ = 0; }
  /// Puts those that were added into `to`, and begins anew.
  void move_to(copied_element<element>& to, const padding& fill) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (put_component<I>(to.template buffer<I>(), std::get<I>(fill)), ...);
    }(std::index_sequence_for<T...>{});
    count_ = 0;
  }

 private:
  template <std::size_t I, class E, int R>
  void put_component(component_buffer<E, R>& to, const E& fill) {
    std::array<std::int64_t, static_cast<std::size_t>(R)> extents{count_};
    for (std::int64_t r = 0; r < count_; ++r)
      for (std::size_t i = 0; i + 1 < extents.size(); ++i) extents[i + 1] = std::max(extents[i + 1], row<I>(r).extents[i]);
    to.resize(extents);
    std::fill_n(to.row(0), to.array().size(), fill);
    for (std::int64_t r = 0; r < count_; ++r) copy_corner(row<I>(r), to.row(r), extents);
  }
  template <std::size_t I>
  auto row(std::int64_t r) const {
    return std::get<I>(rows_[static_cast<std::size_t>(r)].get());
  }
  /// Along the last axis at a time; `extents`: of all rows.
  template <class E, int R, std::size_t N>
  static void copy_corner(const component<E, R>& from, E* to, const std::array<std::int64_t, N>& extents) {
    if constexpr (R == 0) {
      *to = *from.values;
    } else {
      const std::int64_t length = from.extents[R - 1], lines = length == 0 ? 0 : from.size() / length;
      for (std::int64_t line = 0; line < lines; ++line) {
        std::int64_t rest = line, offset = 0, stride = extents[R];
        for (int axis = R - 2; axis >= 0; --axis) {
          const auto a = static_cast<std::size_t>(axis);
          offset += rest % from.extents[a] * stride;
          rest /= from.extents[a];
          stride *= extents[a + 1];
        }
        std::copy_n(from.values + line * length, length, to + offset);
      }
    }
  }

  std::vector<copied_element<std::tuple<component<T, Rank>...>>> rows_;
  std::int64_t count_ = 0;
};

/// Batches of elements whose shapes differ.
template <class Source>
struct padded_batch_stage {
  using rows_type = padded_rows<element_of<Source>>;
  using element = typename rows_type::element;
  Source source;
  std::int64_t rows = 1;
  typename rows_type::padding padding{};
  bool drop_remainder = false;

  std::string describe() const {
    return source.describe() + ".padded_batch(" + std::to_string(rows) + detail::padding_text(", ", padding) +
           (drop_remainder ? ", drop_remainder)" : ")");
  }

  class cursor : public counting_cursor<Source> {
   public:
    explicit cursor(const padded_batch_stage& s)
        : counting_cursor<Source>(s.source), size_(s.rows), padding_(s.padding), drop_remainder_(s.drop_remainder) {}

    bool next() {
      rows_.clear();
      while (rows_.count() < size_ && this->source_.next()) rows_.add(this->source_);
      this->number_ += rows_.count();
      if (rows_.count() == 0 || (rows_.count() < size_ && drop_remainder_)) return false;
      rows_.move_to(batch_, padding_);
      return true;
    }
    element get() const { return batch_.get(); }
    void exchange(copied_element<element>& other) { std::swap(batch_, other); }

   private:
    std::int64_t size_;
    typename rows_type::padding padding_;
    bool drop_remainder_;
    rows_type rows_;
    copied_element<element> batch_;
  };
};

}  // namespace etch::data
