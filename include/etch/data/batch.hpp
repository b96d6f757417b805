// SPDX-License-Identifier: MIT
#pragma once
#include <etch/data/copied.hpp>

namespace etch::data {

/// So many elements after one another as one, along a new first axis.
template <class Source, class Element = element_of<Source>>
struct batch_stage;
template <class Source, class... T, int... Rank>
struct batch_stage<Source, std::tuple<component<T, Rank>...>> {
  using element = std::tuple<component<T, Rank + 1>...>;
  Source source;
  std::int64_t rows = 1;
  bool drop_remainder = false;

  std::string describe() const {
    return source.describe() + ".batch(" + std::to_string(rows) + (drop_remainder ? ", drop_remainder)" : ")");
  }

  class cursor : public counting_cursor<Source> {
   public:
    explicit cursor(const batch_stage& s) : counting_cursor<Source>(s.source), rows_(s.rows), drop_remainder_(s.drop_remainder) {}

    bool next() {
      std::int64_t row = 0;
      for (; row < rows_ && source_.next(); ++row) put(source_.get(), row, std::index_sequence_for<T...>{});
      number_ += row;
      if (row == number_ && row > 0 && row < rows_ && drop_remainder_)
        fail("data: batch: of %lld elements no batch of %lld is made, and the remainder is dropped", static_cast<long long>(row),
             static_cast<long long>(rows_));
      if (row == 0 || (row < rows_ && drop_remainder_)) return false;
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (batch_.template buffer<I>().keep_rows(row), ...);
      }(std::index_sequence_for<T...>{});
      return true;
    }
    element get() const { return batch_.get(); }
    void exchange(copied_element<element>& other) { std::swap(batch_, other); }

   private:
    template <std::size_t... I>
    void put(const element_of<Source>& from, std::int64_t row, std::index_sequence<I...>) {
      (put_component(std::get<I>(from), batch_.template buffer<I>(), row, static_cast<int>(I)), ...);
    }
    template <class E, int R>
    void put_component(const component<E, R>& from, component_buffer<E, R + 1>& to, std::int64_t row, int number) {
      if (row == 0) {
        std::array<std::int64_t, static_cast<std::size_t>(R) + 1> extents{std::min(rows_, first_rows)};
        for (std::size_t i = 0; i < from.extents.size(); ++i) extents[i + 1] = from.extents[i];
        to.resize(extents);
      } else if (row == to.array().extents[0]) {
        to.grow_rows(std::min(rows_, 4 * row));
      }
      for (std::size_t i = 0; i < from.extents.size(); ++i)
        if (from.extents[i] != to.array().extents[i + 1]) refuse(from, to.array(), row, number);
      std::copy_n(from.values, from.size(), to.row(row));
    }
    template <class E, int R>
    [[noreturn, gnu::noinline]] void refuse(const component<E, R>& from, const component<E, R + 1>& batch, std::int64_t row,
                                            int number) const {
      typename component<E, R>::extents_type first{};
      for (std::size_t i = 0; i < first.size(); ++i) first[i] = batch.extents[i + 1];
      fail("data: batch: component %d of element %lld has the shape %s, those before it in the batch %s", number,
           static_cast<long long>(number_ + row), format::shape_text(from.extents).c_str(), format::shape_text(first).c_str());
    }

    /// A batch may be larger than what there is: memory for more rows comes when they do.
    static constexpr std::int64_t first_rows = 1024;

    using counting_cursor<Source>::source_;
    using counting_cursor<Source>::number_;  ///< of elements of the source
    std::int64_t rows_;
    bool drop_remainder_;
    copied_element<element> batch_;
  };
};

}  // namespace etch::data
