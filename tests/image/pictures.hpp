// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <etch/format/crc32.hpp>
#include <etch/image.hpp>

/// Pictures for tests, and PNG and BMP files written byte by byte, by the formats' texts, without a library.
namespace pictures {

/// Smooth, so that JPEG keeps it nearly: slopes in each channel.
inline etch::image::pixels slopes(int height, int width, int channels) {
  xt::xtensor<std::uint8_t, 3> x = xt::zeros<std::uint8_t>({height, width, channels});
  for (int i = 0; i < height; ++i)
    for (int j = 0; j < width; ++j)
      for (int c = 0; c < channels; ++c) x(i, j, c) = static_cast<std::uint8_t>(20 + 40 * c + 70 * i / height + 50 * j / width);
  return x;
}
/// Every value comes.
inline etch::image::pixels noise(int height, int width, int channels) {
  xt::xtensor<std::uint8_t, 3> x = xt::zeros<std::uint8_t>({height, width, channels});
  std::uint32_t g = 9;
  for (auto& e : x) e = static_cast<std::uint8_t>((g = g * 1664525u + 1013904223u) >> 24);
  return x;
}
inline bool are_equal(const etch::image::pixels& a, const etch::image::pixels& b) {
  return a.shape() == b.shape() && std::equal(a.data(), a.data() + a.size(), b.data());
}

inline void append_big(std::string& to, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(value >> shift);
}
inline void append_little(std::string& to, std::uint32_t value, int size = 4) {
  for (int i = 0; i < size; ++i) to += static_cast<char>(value >> 8 * i);
}
inline std::string chunk(const std::string& type, const std::string& data) {
  std::string c;
  append_big(c, static_cast<std::uint32_t>(data.size()));
  const std::string checked = type + data;
  c += checked;
  append_big(c, etch::format::crc32(std::as_bytes(std::span(checked))));
  return c;
}
/// A zlib stream of one stored block.
inline std::string stored(const std::string& rows) {
  std::string z("\x78\x01\x01", 3);
  append_little(z, static_cast<std::uint32_t>(rows.size()), 2);
  append_little(z, ~static_cast<std::uint32_t>(rows.size()), 2);
  z += rows;
  std::uint32_t a = 1, b = 0;
  for (const char c : rows) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  append_big(z, b << 16 | a);
  return z;
}
/// `rows`: each begins with the byte of its filter. `before`: chunks in front of the pixels.
inline std::string png(int height, int width, int depth, int type, const std::string& rows, const std::string& before = "",
                       bool is_interlaced = false) {
  std::string header;
  append_big(header, static_cast<std::uint32_t>(width));
  append_big(header, static_cast<std::uint32_t>(height));
  for (const int v : {depth, type, 0, 0, is_interlaced ? 1 : 0}) header += static_cast<char>(v);
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + before + chunk("IDAT", stored(rows)) + chunk("IEND", "");
}
/// `data`: what follows the header of 40 bytes.
inline std::string bmp(int height, int width, int bits, int compression, std::uint32_t colours, const std::string& data,
                       std::uint32_t first = 54) {
  std::string file = "BM";
  append_little(file, static_cast<std::uint32_t>(54 + data.size()));
  append_little(file, 0);
  append_little(file, first);
  append_little(file, 40);
  append_little(file, static_cast<std::uint32_t>(width));
  append_little(file, static_cast<std::uint32_t>(height));
  append_little(file, 1, 2);
  append_little(file, static_cast<std::uint32_t>(bits), 2);
  append_little(file, static_cast<std::uint32_t>(compression));
  for (int i = 0; i < 3; ++i) append_little(file, 0);
  append_little(file, colours);
  append_little(file, 0);
  return file + data;
}

inline std::vector<int> values(const etch::image::pixels& x) { return {x.data(), x.data() + x.size()}; }
inline etch::image::pixels decoded(const std::string& file, const etch::image::decode_options& options = {}) {
  return etch::image::decode(std::as_bytes(std::span(file)), options, "x");
}

}  // namespace pictures
