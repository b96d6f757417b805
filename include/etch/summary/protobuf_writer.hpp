// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <etch/core/diagnostics.hpp>
#include <etch/format/utf8.hpp>

/// Protocol buffers on the wire (protobuf.dev/programming-guides/encoding), as far as TensorBoard's messages need them.
namespace etch::summary::detail {

/// Appends fields to a buffer. Messages within messages are written by the same writer.
class protobuf_writer {
 public:
  explicit protobuf_writer(std::string& to) : to_(to) {}

  /// int64, enum, bool. A negative number takes ten bytes.
  void integer(std::uint32_t field, std::int64_t value) {
    key(field, 0);
    varint(static_cast<std::uint64_t>(value), to_.size());
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
    format::check_utf8(value);
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

 private:
  void key(std::uint32_t field, std::uint32_t wire_type) { varint(field << 3 | wire_type, to_.size()); }
  void varint(std::uint64_t value, std::size_t at) {
    char digits[10];
    std::size_t count = 0;
    for (; value >= 128; value >>= 7) digits[count++] = static_cast<char>(value | 128);
    digits[count++] = static_cast<char>(value);
    to_.insert(at, digits, count);
  }
  void little(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) to_ += static_cast<char>(value >> 8 * i);
  }

  std::string& to_;
};

}  // namespace etch::summary::detail
