// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <vector>

#include <etch/core/dtype.hpp>
#include <etch/format/byte_reader.hpp>
#include <etch/format/quoted_text.hpp>

namespace etch::format {

/// Reads CSV (RFC 4180) row by row: fields between delimiters; one that begins with `"` ends with it, and may hold delimiters,
/// ends of lines and, twice each, quotes. Rows end with \n or \r\n, the last one also with \r; empty lines are passed over, as is
/// a byte order mark. Throws `etch::error` with the file, the byte and the line. It refers to bytes and name, which live on.
class csv_reader {
 public:
  csv_reader(std::span<const std::byte> bytes, const std::string& file, char delimiter = ',')
      : text_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), bytes_(bytes, file), delimiter_(delimiter) {
    if (text_.starts_with("\xef\xbb\xbf")) next_ = 3;
  }

  /// Whether there is another row.
  bool next() {
    while (accept_end_of_line()) {
    }
    if (next_ == text_.size()) return false;
    count_ = 0;
    row_line_ = line_;
    do {
      take_field();
    } while (accept(delimiter_));
    if (next_ < text_.size() && !accept_end_of_line())
      wrong(next_, "a field is over with its quote, but %s follows", quoted_text(text_.substr(next_, 1)).c_str());
    return true;
  }
  /// Of the row.
  std::size_t size() const { return count_; }
  std::string_view field(std::size_t i) const { return fields_[i].text; }
  /// Throws an error at a field.
  template <class... A>
  [[noreturn]] void wrong_field(std::size_t i, const char* format, const A&... arguments) const {
    wrong(fields_[i].begin, format, arguments...);
  }
  /// Throws an error at the row.
  template <class... A>
  [[noreturn]] void wrong_row(const char* format, const A&... arguments) const {
    wrong_field(0, format, arguments...);
  }

 private:
  struct one_field {
    std::string text;
    std::size_t begin = 0;
  };

  template <class... A>
  [[noreturn]] void wrong(std::size_t at, const char* format, const A&... arguments) const {
    bytes_.wrong_at(at, "line %lld: %s", static_cast<long long>(row_line_), formatted(format, arguments...).c_str());
  }
  bool accept(char c) {
    if (next_ == text_.size() || text_[next_] != c) return false;
    ++next_;
    return true;
  }
  bool accept_end_of_line() {
    const std::string_view rest = text_.substr(next_);
    const std::size_t size = rest.starts_with('\n') || rest == "\r" ? 1 : rest.starts_with("\r\n") ? 2 : 0;
    next_ += size;
    line_ += size > 0;
    return size > 0;
  }
  void take_field() {
    if (count_ == fields_.size()) fields_.emplace_back();
    one_field& f = fields_[count_++];
    f.begin = next_;
    if (!accept('"')) {
      const char ends[] = {delimiter_, '\n'};
      const std::size_t end = std::min(text_.find_first_of({ends, 2}, next_), text_.size());
      f.text = text_.substr(next_, end - next_);
      next_ = end;
      if ((next_ == text_.size() || text_[next_] == '\n') && f.text.ends_with('\r')) {
        f.text.pop_back();
        --next_;
      }
      return;
    }
    f.text.clear();
    do {
      const std::size_t end = text_.find('"', next_);
      if (end == text_.npos) wrong(f.begin, "a field that begins with a quote does not end with one");
      const std::string_view part = text_.substr(next_, end - next_);
      line_ += std::ranges::count(part, '\n');
      f.text += part;
      next_ = end + 1;
      if (next_ < text_.size() && text_[next_] == '"') f.text += '"';
    } while (accept('"'));
  }

  std::string_view text_;
  byte_reader bytes_;
  char delimiter_;
  std::size_t next_ = 0, count_ = 0;
  std::int64_t line_ = 1, row_line_ = 1;
  std::vector<one_field> fields_;  ///< kept from row to row, of which `count_` are the row's
};

/// Whether a text is a value of T: std::string any; bool `0`, `1`, `true`, `false` and these with capitals; a number as C++ writes it, with
/// spaces around it and a plus in front, infinities and NaN as `inf` and `nan`.
template <class T>
bool parse_value(std::string_view text, T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    value = text;
    return true;
  } else {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    if constexpr (std::is_same_v<T, bool>) {
      value = text == "1" || text == "true" || text == "True" || text == "TRUE";
      return value || text == "0" || text == "false" || text == "False" || text == "FALSE";
    } else {
      if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
      const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
      return status == std::errc() && end == text.data() + text.size();
    }
  }
}

}  // namespace etch::format
