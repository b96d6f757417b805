// SPDX-License-Identifier: MIT
#pragma once
#include <etch/data/sequence.hpp>

namespace etch::data {

/// The rows of each element, one after another: slices along the first axis.
template <class Source, class Element = element_of<Source>>
struct unbatch_stage;
template <class Source, class... T, int... Rank>
struct unbatch_stage<Source, std::tuple<component<T, Rank>...>> {
  using element = std::tuple<component<T, Rank - 1>...>;
  Source source;

  std::string describe() const { return source.describe() + ".unbatch()"; }

  class cursor {
   public:
    explicit cursor(const unbatch_stage& s) : source_(s.source) {}

    void begin(std::uint64_t round) {
      source_.begin(round);
      number_ = row_ = rows_ = 0;
    }
    bool next() {
      for (++row_; row_ > rows_;) {
        before_.clear();
        source_.save(before_);
        if (!source_.next()) {
          // At the end it has no row: a position there is the source's, which what joins several may save.
          row_ = rows_ = 0;
          return false;
        }
        rows_ = count_rows();
        row_ = 1;
        ++number_;
      }
      return true;
    }
    element get() const {
      return std::apply([this](const auto&... c) { return element(c.row(row_ - 1)...); }, std::as_const(source_).get());
    }
    /// The element of which this is a row, and the row.
    void save(std::vector<std::int64_t>& state) const {
      state.insert(state.end(), {number_, row_});
      if (row_ == 0)
        source_.save(state);
      else
        state.insert(state.end(), before_.begin(), before_.end());
    }
    void restore(state_reader& state) {
      const std::int64_t number = state.take(), row = state.take();
      source_.restore(state);
      number_ = row == 0 ? number : number - 1;
      row_ = rows_ = 0;
      if (row == 0) return;
      if (!next() || row < 1 || row > rows_)
        fail("data: a position is at row %lld of element %lld, which has %lld", static_cast<long long>(row),
             static_cast<long long>(number - 1), static_cast<long long>(rows_));
      row_ = row;
    }

   private:
    std::int64_t count_rows() const {
      const std::array<std::int64_t, sizeof...(T)> rows =
          std::apply([](const auto&... c) { return std::array{c.extents[0]...}; }, source_.get());
      for (std::size_t i = 1; i < rows.size(); ++i)
        if (rows[i] != rows[0])
          fail("data: unbatch: element %lld: component 0 has %lld rows, component %zu has %lld", static_cast<long long>(number_),
               static_cast<long long>(rows[0]), i, static_cast<long long>(rows[i]));
      return rows[0];
    }

    sequence_of<Source> source_;
    std::vector<std::int64_t> before_;  ///< the source's state
    std::int64_t number_ = 0, row_ = 0, rows_ = 0;
  };
};

}  // namespace etch::data
