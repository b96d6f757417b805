// SPDX-License-Identifier: MIT
#pragma once
#include <etch/data/file_list.hpp>
#include <etch/data/file_slices.hpp>
#include <etch/format/csv.hpp>
#include <etch/format/input_file.hpp>

namespace etch::data {

struct csv_options {
  bool header = true;  ///< whether the first row has the names of the columns
  char delimiter = ',';
  /// The columns by name, as many as there are types; none: all that the file has.
  std::vector<std::string> columns{};
};

namespace detail {

/// Columns that grow row by row.
template <class... T>
class csv_columns {
 public:
  csv_columns(const std::filesystem::path& path, const csv_options& options) {
    const format::input_file file(path);
    format::csv_reader rows(file.bytes(), file.name(), options.delimiter);
    std::size_t width = sizeof...(T);
    if (options.header) {
      if (!rows.next()) fail("%s: it is empty, expected is a row with the names of columns", file.name().c_str());
      if (!options.columns.empty()) width = rows.size();
      names_.resize(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) names_[i] = rows.field(i);
    }
    choose(options, file.name());
    if (options.header) check_width(rows, width);
    while (rows.next()) {
      check_width(rows, width);
      add(rows, std::index_sequence_for<T...>{});
    }
    std::apply([this](auto&... c) { (c.keep_rows(count_), ...); }, columns_);
    size_in_bytes_ = file.bytes().size();
  }

  std::tuple<component<T, 1>...> arrays() const {
    return std::apply([](const auto&... c) { return std::tuple<component<T, 1>...>(c.array()...); }, columns_);
  }
  std::int64_t size() const { return count_; }
  std::size_t size_in_bytes() const { return size_in_bytes_; }

 private:
  void choose(const csv_options& options, const std::string& file) {
    for (std::size_t i = 0; i < sizeof...(T); ++i) numbers_[i] = i;
    if (options.columns.empty()) return;
    if (!options.header) fail("data::csv: columns are chosen by name, which %s has not without a header", file.c_str());
    if (options.columns.size() != sizeof...(T))
      fail("data::csv: there are %zu types and %zu names of columns", sizeof...(T), options.columns.size());
    for (std::size_t i = 0; i < sizeof...(T); ++i) {
      const auto at = std::ranges::find(names_, options.columns[i]);
      std::string all;
      for (const std::string& name : names_) all += (all.empty() ? "" : ", ") + format::quoted_text(name);
      if (at == names_.end())
        fail("%s: it has no column %s, but %s", file.c_str(), format::quoted_text(options.columns[i]).c_str(), all.c_str());
      if (std::find(at + 1, names_.end(), *at) != names_.end())
        fail("%s: it has two columns %s", file.c_str(), format::quoted_text(*at).c_str());
      numbers_[i] = static_cast<std::size_t>(at - names_.begin());
    }
  }
  static void check_width(const format::csv_reader& rows, std::size_t width) {
    if (rows.size() != width) rows.wrong_row("a row has %zu fields, expected are %zu", rows.size(), width);
  }
  template <std::size_t... I>
  void add(const format::csv_reader& rows, std::index_sequence<I...>) {
    if (count_ == capacity_) {
      capacity_ = std::max<std::int64_t>(1024, 2 * count_);
      count_ == 0 ? (static_cast<void>(std::get<I>(columns_).resize({capacity_})), ...)
                  : (std::get<I>(columns_).grow_rows(capacity_), ...);
    }
    (add_field(rows, numbers_[I], *std::get<I>(columns_).row(count_)), ...);
    ++count_;
  }
  template <class E>
  void add_field(const format::csv_reader& rows, std::size_t i, E& value) const {
    if (format::parse_value(rows.field(i), value)) return;
    const std::string name = i < names_.size() ? " (" + format::quoted_text(names_[i]) + ")" : "";
    rows.wrong_field(i, "column %zu%s is %s, expected is %s", i + 1, name.c_str(), format::quoted_text(rows.field(i)).c_str(),
                     type_name<E>());
  }

  std::vector<std::string> names_;
  std::array<std::size_t, sizeof...(T)> numbers_{};
  std::tuple<component_buffer<T, 1>...> columns_;
  std::int64_t count_ = 0, capacity_ = 0;
  std::size_t size_in_bytes_ = 0;
};

}  // namespace detail

/// A dataset of the rows of a CSV file, a component for each type: `data::csv<float, float, std::string>("iris.csv", {.columns = {"width",
/// "length", "species"}})`. Types are numbers, bool, std::string. The file is read at once, into columns; throws `etch::error` with the
/// byte, the line and the column where a field is no value of its type, and where a row has more or fewer fields than others.
template <class... T>
  requires(sizeof...(T) > 0)
dataset<file_slices_stage<component<T, 1>...>> csv(const std::filesystem::path& path, const csv_options& options = {}) {
  auto columns = std::make_shared<const detail::csv_columns<T...>>(path, options);
  file_list_text files;
  files.add(path, columns->size_in_bytes());
  std::string text = "csv(" + files.text() + ", " + std::to_string(columns->size()) + " rows";
  for (const std::string& c : options.columns) text += ", " + format::quoted_text(c);
  return dataset(file_slices_stage<component<T, 1>...>{{columns->arrays(), columns}, text + ")"});
}

}  // namespace etch::data
