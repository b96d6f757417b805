// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <etch/format/byte_reader.hpp>
#include <etch/format/utf8.hpp>

/// JSON (RFC 8259), as far as headers of files need it: objects, arrays, strings, and integers that are not negative. Other values are
/// skipped.
namespace etch::format {

/// Reads a text value by value: who calls says what is expected next. Throws `etch::error` with the file and the offset.
class json_reader {
 public:
  static constexpr int most_nested = 64;

  json_reader(std::string_view text, const std::string& file, std::size_t offset)
      : text_(text), errors_({}, file), offset_(offset) {}

  /// Calls member(key) behind each key, to read the value that follows.
  template <class F>
  void object(const char* what, const F& member) {
    list('{', '}', what, [&] {
      const std::string key = string("a key");
      expect(':', "a key");
      member(key);
    });
  }
  /// Calls element() before each element.
  template <class F>
  void array(const char* what, const F& element) {
    list('[', ']', what, element);
  }
  std::string string(const char* what) {
    std::string value;
    if (next() != '"') wrong("%s is a string in quotes", what);
    for (++at_;;) {
      if (at_ == text_.size()) wrong("%s does not end", what);
      const char c = text_[at_];
      if (c == '"') break;
      if (c == '\\') {
        escape(value);
        continue;
      }
      const std::size_t length = utf8_length(text_.substr(at_));
      if (length == 0 || static_cast<unsigned char>(c) < 0x20) wrong("%s has a byte 0x%02x, which no string has", what, c & 255);
      value += text_.substr(at_, length);
      at_ += length;
    }
    ++at_;
    return value;
  }
  /// At most 2^63 - 1.
  std::int64_t integer(const char* what) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    std::uint64_t value = 0;
    skip_spaces();
    const std::size_t begin = at_;
    for (; is_digit(); ++at_) {
      const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
      if (value > (most - digit) / 10) wrong("%s is larger than 2^63 - 1", what);
      value = value * 10 + digit;
    }
    if (at_ == begin || (text_[begin] == '0' && at_ > begin + 1) || is_one_of(".eE+-"))
      wrong_at(begin, "%s is an integer that is not negative", what);
    return static_cast<std::int64_t>(value);
  }
  /// Any value.
  void skip() {
    switch (next()) {
      case '{': return object("an object", [&](const std::string&) { skip(); });
      case '[': return array("an array", [&] { skip(); });
      case '"': string("a string"); return;
      case 't': return word("true");
      case 'f': return word("false");
      case 'n': return word("null");
    }
    number();
  }
  /// Nothing but spaces follows.
  void end() {
    if (next() != '\0' || at_ != text_.size()) wrong("the JSON text ends before it");
  }
  /// Where the next byte is in the file.
  std::size_t offset() const { return offset_ + at_; }

 private:
  bool is_digit() const { return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; }
  bool is_one_of(std::string_view set) const { return at_ < text_.size() && set.find(text_[at_]) != set.npos; }
  void skip_spaces() {
    while (is_one_of(" \t\n\r")) ++at_;
  }
  /// The character that begins what follows; 0 at the end.
  char next() {
    skip_spaces();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void expect(char c, const char* behind) {
    if (next() != c) wrong("'%c' is missing behind %s", c, behind);
    ++at_;
  }
  template <class F>
  void list(char begin, char end, const char* what, const F& element) {
    if (next() != begin) wrong("%s begins with '%c'", what, begin);
    if (++nested_ > most_nested) wrong("more than %d values lie in one another", most_nested);
    ++at_;
    if (next() != end) {
      for (;;) {
        element();
        if (next() != ',') break;
        ++at_;
      }
    }
    expect(end, what);
    --nested_;
  }
  void word(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) wrong("this is no value of JSON");
    at_ += expected.size();
  }
  void digits() {
    if (!is_digit()) wrong("this is no value of JSON");
    while (is_digit()) ++at_;
  }
  void number() {
    if (is_one_of("-")) ++at_;
    const bool is_zero = is_one_of("0");
    const std::size_t begin = at_;
    digits();
    if (is_zero && at_ > begin + 1) wrong_at(begin, "a number begins with 0");
    if (is_one_of(".")) {
      ++at_;
      digits();
    }
    if (!is_one_of("eE")) return;
    ++at_;
    if (is_one_of("+-")) ++at_;
    digits();
  }
  std::uint32_t four_digits() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = at_ < text_.size() ? text_[at_] : '\0';
      const int digit = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
      if (digit < 0) wrong("\\u is followed by four hexadecimal digits");
      value = value << 4 | static_cast<std::uint32_t>(digit);
    }
    return value;
  }
  void escape(std::string& value) {
    constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    ++at_;
    if (is_one_of("u")) {
      ++at_;
      std::uint32_t point = four_digits();
      if (point >= 0xd800 && point < 0xdc00 && text_.substr(at_).starts_with("\\u")) {
        at_ += 2;
        const std::uint32_t low = four_digits();
        if (low < 0xdc00 || low > 0xdfff) wrong("half of a surrogate pair is missing");
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
      } else if (point >= 0xd800 && point <= 0xdfff) {
        wrong("half of a surrogate pair is missing");
      }
      return append_utf8(value, point);
    }
    if (!is_one_of(letters)) wrong("this is no escape of JSON");
    value += meant[letters.find(text_[at_++])];
  }

  template <class... A>
  [[noreturn]] void wrong(const char* format, const A&... arguments) const {
    errors_.wrong_at(offset(), format, arguments...);
  }
  template <class... A>
  [[noreturn]] void wrong_at(std::size_t at, const char* format, const A&... arguments) const {
    errors_.wrong_at(offset_ + at, format, arguments...);
  }

  std::string_view text_;
  byte_reader errors_;
  std::size_t offset_, at_ = 0;
  int nested_ = 0;
};

/// A string in quotes, for a text in UTF-8.
inline std::string json_string(std::string_view text) {
  constexpr std::string_view meant = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt";
  constexpr const char* digits = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : text) {
    if (const std::size_t at = meant.find(c); at != meant.npos) {
      quoted += {'\\', letters[at]};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      quoted += "\\u00";
      quoted += {digits[c >> 4], digits[c & 15]};
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

}  // namespace etch::format
