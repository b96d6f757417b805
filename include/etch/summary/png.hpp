// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <etch/format/crc32.hpp>

/// Images as PNG (ISO/IEC 15948) without compression: no library, one copy and two checksums. TensorBoard keeps ten images of a tag, which
/// are small.
namespace etch::summary::detail {

/// With its highest byte first.
inline void append_big(std::string& to, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(value >> shift);
}
/// `fill` appends what a chunk holds.
template <class Fill>
void append_chunk(std::string& to, std::string_view type, const Fill& fill) {
  const std::size_t begin = to.size();
  append_big(to, 0);
  to += type;
  fill();
  const auto size = static_cast<std::uint32_t>(to.size() - begin - 8);
  for (int i = 0; i < 4; ++i) to[begin + static_cast<std::size_t>(i)] = static_cast<char>(size >> (24 - 8 * i));
  append_big(to, format::crc32(std::as_bytes(std::span(to).subspan(begin + 4))));
}
/// A zlib stream (RFC 1950) of stored blocks (RFC 1951), which have at most 65,535 bytes each.
inline void append_stored(std::string& to, std::string_view bytes) {
  to += "\x78\x01";
  std::uint32_t a = 1, b = 0;
  do {
    const std::string_view block = bytes.substr(0, 65535);
    bytes.remove_prefix(block.size());
    const auto size = static_cast<std::uint32_t>(block.size());
    to += static_cast<char>(bytes.empty());
    for (const std::uint32_t word : {size, ~size}) to.append({static_cast<char>(word), static_cast<char>(word >> 8)});
    to += block;
    for (const char byte : block) {
      a = (a + static_cast<unsigned char>(byte)) % 65521;
      b = (b + a) % 65521;
    }
  } while (!bytes.empty());
  append_big(to, b << 16 | a);
}

/// `pixels`: (height, width, channels), row by row; 1 channel is gray, 2 gray and opacity, 3 red, green, blue, 4 those and opacity.
inline std::string encode_png(std::span<const std::uint8_t> pixels, std::size_t height, std::size_t width, std::size_t channels) {
  constexpr char colour_types[] = {0, 4, 2, 6};
  std::string rows;
  rows.reserve(height * (width * channels + 1));
  for (std::size_t y = 0; y < height; ++y) {
    rows += '\0';  // no filter
    rows.append(reinterpret_cast<const char*>(pixels.data()) + y * width * channels, width * channels);
  }
  std::string png = "\x89PNG\r\n\x1a\n";
  append_chunk(png, "IHDR", [&] {
    append_big(png, static_cast<std::uint32_t>(width));
    append_big(png, static_cast<std::uint32_t>(height));
    png.append({8, colour_types[channels - 1], 0, 0, 0});
  });
  append_chunk(png, "IDAT", [&] { append_stored(png, rows); });
  append_chunk(png, "IEND", [] {});
  return png;
}

}  // namespace etch::summary::detail
