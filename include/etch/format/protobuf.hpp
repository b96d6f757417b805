// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <etch/format/byte_reader.hpp>
#include <etch/format/utf8.hpp>

/// Protocol Buffers' wire format: fields of a number, a kind and a value. Messages are read and written field by field; there are no
/// generated classes.
namespace etch::format {

/// At most ten bytes of seven bits each, the lowest first.
inline void append_varint(std::string& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) to += static_cast<char>(value | 0x80);
  to += static_cast<char>(value);
}
inline std::uint64_t take_varint(byte_reader& from, const char* what) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const auto byte = from.take_little<std::uint8_t>(what);
    if (shift == 63 && byte > 1) break;
    value |= static_cast<std::uint64_t>(byte & 127) << shift;
    if (byte < 0x80) return value;
  }
  from.wrong("%s is no integer of at most 64 bits", what);
}

/// Of a message; readers refuse larger ones.
inline constexpr std::uint64_t most_protobuf_bytes = INT32_MAX;

/// How a field's value is written.
enum class protobuf_kind { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

/// Appends fields to a buffer. Messages within messages are written by the same writer.
class protobuf_writer {
 public:
  explicit protobuf_writer(std::string& to) : to_(to) {}

  /// int64, enum, bool. A negative number takes ten bytes.
  void integer(std::uint32_t field, std::int64_t value) {
    key(field, 0);
    varint(static_cast<std::uint64_t>(value), to_.size());
  }
  /// Where it is not 0, which is what a field has that is not there.
  void nonzero(std::uint32_t field, std::int64_t value) {
    if (value != 0) integer(field, value);
  }
  void fixed32(std::uint32_t field, std::uint32_t value) {
    key(field, 5);
    little(value, 4);
  }
  void real(std::uint32_t field, double value) {
    key(field, 1);
    little(std::bit_cast<std::uint64_t>(value), 8);
  }
  void real32(std::uint32_t field, float value) {
    key(field, 5);
    little(std::bit_cast<std::uint32_t>(value), 4);
  }
  /// string. Throws `etch::error` where the text is not UTF-8, of which readers refuse the whole file.
  void text(std::uint32_t field, std::string_view value) {
    check_utf8(value);
    bytes(field, value);
  }
  void bytes(std::uint32_t field, std::string_view value) {
    key(field, 2);
    varint(value.size(), to_.size());
    to_ += value;
  }
  /// repeated double.
  void packed(std::uint32_t field, std::span<const double> values) {
    message(field, [&] {
      for (const double v : values) little(std::bit_cast<std::uint64_t>(v), 8);
    });
  }
  /// What `fill()` writes. Its size is put in front of it afterwards: no message is walked through twice.
  template <class Fill>
  void message(std::uint32_t field, const Fill& fill) {
    key(field, 2);
    const std::size_t begin = to_.size();
    fill();
    varint(to_.size() - begin, begin);
  }
  /// An entry of map<string, message>.
  template <class Fill>
  void entry(std::uint32_t field, std::string_view name, const Fill& fill) {
    message(field, [&] {
      text(1, name);
      message(2, fill);
    });
  }
  /// An entry of map<int64, message>.
  template <class Fill>
  void entry(std::uint32_t field, std::int64_t number, const Fill& fill) {
    message(field, [&] {
      integer(1, number);
      message(2, fill);
    });
  }

 private:
  void key(std::uint32_t field, std::uint32_t wire_type) { varint(field << 3 | wire_type, to_.size()); }
  void varint(std::uint64_t value, std::size_t at) {
    char digits[10];
    std::size_t count = 0;
    for (; value >= 128; value >>= 7) digits[count++] = static_cast<char>(value | 128);
    digits[count++] = static_cast<char>(value);
    // In two steps: of `insert(at, digits, count)` g++ 12 warns at -O2, without reason (-Wrestrict).
    to_.insert(at, count, '\0');
    std::copy_n(digits, count, to_.data() + at);
  }
  void little(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) to_ += static_cast<char>(value >> 8 * i);
  }

  std::string& to_;
};

/// A message being read: `while (message.next()) switch (message.field()) ...`, where a field that is not taken is passed over.
class protobuf_reader {
 public:
  /// `offset`: of the message in the file, for errors.
  protobuf_reader(std::span<const std::byte> bytes, const std::string& file, std::size_t offset)
      : bytes_(bytes, file, offset), file_(&file) {}

  /// Whether there is another field.
  bool next() {
    if (!is_taken_) skip();
    if (bytes_.is_at_end()) return false;
    const std::uint64_t tag = take_varint(bytes_, "a field's number");
    field_ = tag >> 3;
    kind_ = static_cast<int>(tag & 7);
    if (field_ == 0 || (kind_ > 2 && kind_ != 5)) bytes_.wrong("this is no field of a message");
    is_taken_ = false;
    return true;
  }
  std::uint64_t field() const { return field_; }
  /// Whether it is that field, written so.
  bool is(std::uint64_t field, protobuf_kind kind) const { return field_ == field && kind_ == static_cast<int>(kind); }
  /// Where the value of a number begins, which is to be taken there.
  byte_reader& value() {
    is_taken_ = true;
    return bytes_;
  }
  /// Numbers one behind the other.
  byte_reader packed(const char* what) {
    take(2, what);
    const std::size_t count = size(what), offset = bytes_.offset();
    return {bytes_.take(count, what), *file_, offset};
  }

  std::uint64_t integer(const char* what) {
    take(0, what);
    return take_varint(bytes_, what);
  }
  /// Of an int32 or an enumeration too.
  std::int64_t signed_integer(const char* what) { return static_cast<std::int64_t>(integer(what)); }
  std::uint32_t fixed32(const char* what) {
    take(5, what);
    return bytes_.take_little<std::uint32_t>(what);
  }
  std::string_view text(const char* what) {
    take(2, what);
    return bytes_.take_text(size(what), what);
  }
  protobuf_reader message(const char* what) {
    take(2, what);
    const std::size_t count = size(what), offset = bytes_.offset();
    return {bytes_.take(count, what), *file_, offset};
  }

 private:
  void take(int kind, const char* what) {
    if (kind != kind_) bytes_.wrong("%s is a field of kind %d, must be %d", what, kind_, kind);
    is_taken_ = true;
  }
  std::size_t size(const char* what) { return static_cast<std::size_t>(take_varint(bytes_, what)); }
  void skip() {
    constexpr const char* what = "a field";
    if (kind_ == 0)
      take_varint(bytes_, what);
    else
      bytes_.take(kind_ == 1 ? 8 : kind_ == 5 ? 4 : size(what), what);
  }

  byte_reader bytes_;
  const std::string* file_;
  std::uint64_t field_ = 0;
  int kind_ = 0;
  bool is_taken_ = true;
};

}  // namespace etch::format
