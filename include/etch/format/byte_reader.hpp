// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <concepts>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include <etch/base/formatted.hpp>
#include <etch/core/diagnostics.hpp>

namespace etch::format {

/// `formatted` of a format that is handed on.
template <class... A>
std::string formatted(const char* format, const A&... arguments) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
  return etch::detail::formatted(format, arguments...);
#pragma GCC diagnostic pop
}

/// Reads bytes one after another, and throws `etch::error` with the file, the offset and what is wrong: `data.npy: at byte 6: ...`. It
/// refers to the bytes and to the name, which live on.
class byte_reader {
 public:
  /// `offset`: of the first byte in the file, for errors.
  byte_reader(std::span<const std::byte> bytes, const std::string& file, std::size_t offset = 0)
      : bytes_(bytes), file_(&file), offset_(offset) {}

  std::size_t left() const { return bytes_.size() - next_; }
  bool is_at_end() const { return left() == 0; }
  /// Of the next byte in the file.
  std::size_t offset() const { return offset_ + next_; }

  /// The next `count` bytes. `what`: what they are, for errors: "the header".
  std::span<const std::byte> take(std::size_t count, const char* what) {
    if (count > left()) wrong("%s has %zu bytes, of which %zu are there", what, count, left());
    const std::span<const std::byte> taken = bytes_.subspan(next_, count);
    next_ += count;
    return taken;
  }
  std::string_view take_text(std::size_t count, const char* what) {
    const std::span<const std::byte> taken = take(count, what);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }
  /// An integer or a float with its lowest byte first.
  template <class T>
    requires std::is_arithmetic_v<T>
  T take_little(const char* what) {
    static_assert(std::endian::native == std::endian::little);
    T value;
    std::memcpy(&value, take(sizeof value, what).data(), sizeof value);
    return value;
  }
  /// An integer with its highest byte first.
  template <std::unsigned_integral T>
  T take_big(const char* what) {
    T value = 0;
    for (const std::byte b : take(sizeof value, what)) value = static_cast<T>(value << 8 | std::to_integer<T>(b));
    return value;
  }

  /// Throws an error at the next byte.
  template <class... A>
  [[noreturn, gnu::cold]] void wrong(const char* format, const A&... arguments) const {
    wrong_at(offset(), format, arguments...);
  }
  /// The same at another byte of the file.
  template <class... A>
  [[noreturn, gnu::cold]] void wrong_at(std::size_t offset, const char* format, const A&... arguments) const {
    fail("%s: at byte %zu: %s", file_->c_str(), offset, formatted(format, arguments...).c_str());
  }

 private:
  std::span<const std::byte> bytes_;
  const std::string* file_;
  std::size_t offset_, next_ = 0;
};

}  // namespace etch::format
