// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <limits>
#include <string_view>

#include <etch/format/byte_reader.hpp>
#include <etch/format/kept_array.hpp>
#include <etch/format/output_file.hpp>
#include <etch/format/quoted_text.hpp>

/// npy, NumPy's format of one array: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. bfloat16, which NumPy has not,
/// is two bytes without a type, `V2`, as of the package ml_dtypes.
namespace etch::format {

namespace detail {

inline constexpr std::string_view npy_magic = "\x93NUMPY";
inline constexpr std::size_t npy_alignment = 64;

inline constexpr struct {
  dtype type;
  char code[4];
} npy_codes[] = {{dtype::boolean, "b1"}, {dtype::int8, "i1"},    {dtype::int16, "i2"},   {dtype::int32, "i4"},
                 {dtype::int64, "i8"},   {dtype::uint8, "u1"},   {dtype::uint16, "u2"},  {dtype::uint32, "u4"},
                 {dtype::uint64, "u8"},  {dtype::float32, "f4"}, {dtype::float64, "f8"}, {dtype::bfloat16, "V2"}};

/// Reads Python's dict literal: `{'descr': '<f4', 'fortran_order': False, 'shape': (64, 32), }`.
class npy_header_parser {
 public:
  npy_header_parser(std::string_view text, const byte_reader& at, std::size_t offset) : text_(text), at_(&at), offset_(offset) {}

  array_view parse() {
    array_view array;
    bool is_fortran = false, has_descr = false, has_order = false, has_shape = false;
    skip('{');
    while (!accept('}')) {
      const std::string_view key = take_string();
      skip(':');
      if (key == "descr" && !std::exchange(has_descr, true))
        array.type = take_type();
      else if (key == "fortran_order" && !std::exchange(has_order, true))
        is_fortran = take_bool();
      else if (key == "shape" && !std::exchange(has_shape, true))
        array.extents = take_shape();
      else
        wrong("the header has the keys 'descr', 'fortran_order' and 'shape', once each, found is %s", quoted_text(key).c_str());
      if (!accept(',')) {
        skip('}');
        break;
      }
    }
    if (!has_descr || !has_order || !has_shape) wrong("the header lacks one of 'descr', 'fortran_order', 'shape'");
    skip_spaces();
    if (next_ != text_.size()) wrong("something follows the header's dict");
    if (is_fortran && std::ranges::count_if(array.extents, [](std::int64_t e) { return e != 1; }) > 1)
      wrong("the array %s lies column by column ('fortran_order': True); save numpy.ascontiguousarray of it",
            shape_text(array.extents).c_str());
    return array;
  }

 private:
  template <class... A>
  [[noreturn]] void wrong(const char* format, const A&... arguments) const {
    at_->wrong_at(offset_ + next_, format, arguments...);
  }
  void skip_spaces() {
    while (next_ < text_.size() && (text_[next_] == ' ' || text_[next_] == '\n')) ++next_;
  }
  bool accept(char c) {
    skip_spaces();
    if (next_ == text_.size() || text_[next_] != c) return false;
    ++next_;
    return true;
  }
  void skip(char c) {
    if (!accept(c)) wrong("the header has '%c' here", c);
  }
  bool accept_word(std::string_view word) {
    skip_spaces();
    if (!text_.substr(next_).starts_with(word)) return false;
    next_ += word.size();
    return true;
  }
  std::string_view take_string() {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'' && !accept('\'')) wrong("the header has a string here");
    const std::size_t end = text_.find(quote, next_);
    if (end == text_.npos) wrong("a string of the header does not end");
    const std::string_view taken = text_.substr(next_, end - next_);
    next_ = end + 1;
    return taken;
  }
  bool take_bool() {
    if (accept_word("True")) return true;
    if (accept_word("False")) return false;
    wrong("'fortran_order' is True or False");
  }
  dtype take_type() {
    skip_spaces();
    const std::size_t begin = next_;
    if (next_ < text_.size() && text_[next_] == '[') wrong("an array of records ('descr' is a list) is no array of numbers");
    const std::string_view descr = take_string();
    for (const auto& c : npy_codes)
      if (descr.size() == 3 && descr.substr(1) == c.code &&
          (descr[0] == '<' || (descr[0] == '|' && (size_of_dtype(c.type) == 1 || c.type == dtype::bfloat16))))
        return c.type;
    next_ = begin;
    wrong("the dtype %s is none of those read: bool, integers, float32, float64, bfloat16, with the lowest byte first",
          quoted_text(descr).c_str());
  }
  std::vector<std::int64_t> take_shape() {
    std::vector<std::int64_t> extents;
    skip('(');
    while (!accept(')')) {
      extents.push_back(take_extent());
      if (!accept(',')) {
        if (extents.size() == 1) wrong("a tuple of one number has a comma behind it");
        skip(')');
        break;
      }
    }
    return extents;
  }
  std::int64_t take_extent() {
    skip_spaces();
    std::int64_t extent = 0;
    const std::size_t begin = next_;
    for (; next_ < text_.size() && text_[next_] >= '0' && text_[next_] <= '9'; ++next_) {
      if (extent > (std::numeric_limits<std::int64_t>::max() - 9) / 10) wrong("an extent is greater than 2^63 - 1");
      extent = extent * 10 + (text_[next_] - '0');
    }
    if (next_ == begin) wrong("the header has an extent here");
    return extent;
  }

  std::string_view text_;
  const byte_reader* at_;
  std::size_t offset_, next_ = 0;
};

}  // namespace detail

/// The array in the bytes of a whole npy file, to which it refers. Throws `etch::error` with `file` and the byte where these are no such
/// file, where its array is one of other numbers than etch's or lies column by column, and where it is shorter or longer than its header
/// says.
inline array_view read_npy(std::span<const std::byte> bytes, const std::string& file, std::size_t offset = 0) {
  byte_reader reader(bytes, file, offset);
  if (reader.left() < detail::npy_magic.size() || reader.take_text(detail::npy_magic.size(), "the magic") != detail::npy_magic)
    reader.wrong_at(offset, "it is no npy file: it does not begin with \\x93NUMPY");
  const auto major = reader.take_little<std::uint8_t>("the version");
  reader.take_little<std::uint8_t>("the version");
  if (major < 1 || major > 3) reader.wrong_at(offset + 6, "the version is %u, expected is 1, 2 or 3", unsigned{major});
  const std::size_t size =
      major == 1 ? reader.take_little<std::uint16_t>("the header's size") : reader.take_little<std::uint32_t>("the header's size");
  const std::size_t begin = reader.offset();
  array_view array = detail::npy_header_parser(reader.take_text(size, "the header"), reader, begin).parse();
  const std::int64_t count = count_elements(array.extents);
  const auto width = static_cast<std::size_t>(size_of_dtype(array.type));
  if (count < 0 || static_cast<std::uint64_t>(count) != reader.left() / width || reader.left() % width != 0)
    reader.wrong("the header says %s, but %zu bytes follow", type_text(array.type, array.extents).c_str(), reader.left());
  const std::size_t data = reader.offset();
  array.bytes = reader.take(reader.left(), "the array");
  check_values(array, file, data);
  return array;
}
/// The array of a npy file, which stays mapped.
inline kept_array read_npy(const std::filesystem::path& path) {
  auto file = std::make_shared<const input_file>(path);
  return {read_npy(file->bytes(), file->name()), file, file->name()};
}

/// What stands in front of such an array in a npy file: as many bytes as 64 divides.
inline std::string npy_header(dtype type, std::span<const std::int64_t> extents) {
  std::string shape;
  for (const std::int64_t e : extents) shape += std::to_string(e) + ", ";
  if (extents.size() > 1) shape.resize(shape.size() - 2);
  if (extents.size() == 1) shape.pop_back();
  std::string text = "{'descr': '";
  text += size_of_dtype(type) == 1 ? '|' : '<';
  for (const auto& c : detail::npy_codes)
    if (c.type == type) text += c.code;
  text += "', 'fortran_order': False, 'shape': (" + shape + "), }";
  // Version 1 has 2 bytes for the size, of which 64 axes of 20 digits take a fiftieth.
  const std::size_t front = detail::npy_magic.size() + 4;
  text.append(detail::npy_alignment - 1 - (front + text.size()) % detail::npy_alignment, ' ');
  text += '\n';
  const char size[] = {1, 0, static_cast<char>(text.size() & 255), static_cast<char>(text.size() >> 8)};
  return std::string(detail::npy_magic) + std::string(size, sizeof size) + text;
}

/// Writes a npy file, which replaces one that there is once it is whole.
inline void write_npy(const std::filesystem::path& path, const array_view& array) {
  output_file file(path);
  file.write(npy_header(array.type, array.extents));
  file.write(array.bytes);
  file.commit();
}

}  // namespace etch::format
