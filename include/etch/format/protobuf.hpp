// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include <etch/format/byte_reader.hpp>

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

/// A message being written.
class protobuf_writer {
 public:
  const std::string& bytes() const { return bytes_; }

  /// 0 is left out.
  void integer(std::uint32_t field, std::uint64_t value) {
    if (value == 0) return;
    append_varint(bytes_, field << 3);
    append_varint(bytes_, value);
  }
  void fixed32(std::uint32_t field, std::uint32_t value) {
    append_varint(bytes_, field << 3 | 5);
    for (int shift = 0; shift < 32; shift += 8) bytes_ += static_cast<char>(value >> shift);
  }
  /// A text, bytes, or another message.
  void bytes(std::uint32_t field, std::string_view value) {
    append_varint(bytes_, field << 3 | 2);
    append_varint(bytes_, value.size());
    bytes_ += value;
  }
  void message(std::uint32_t field, const protobuf_writer& value) { bytes(field, value.bytes()); }

 private:
  std::string bytes_;
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
