// SPDX-License-Identifier: MIT
#pragma once
#include <etch/format/byte_reader.hpp>
#include <etch/image/codec.hpp>
#include <etch/image/limits.hpp>

/// BMP without compression: 24 or 32 bits a pixel, or 8 with a palette; rows from the bottom, or from the top.
namespace etch::image::detail {

/// What a file's headers say, and its bytes behind them.
struct bmp_pixels {
  pixel_layout layout;  ///< of what the file has: 1 channel where its palette is gray, else 3, or 4
  std::int64_t bytes_per_pixel = 0;
  bool is_from_top = false;
  std::span<const std::byte> palette;  ///< of 8 bits: blue, green, red, and nothing
  std::span<const std::byte> rows;     ///< each of a multiple of 4 bytes
  std::size_t rows_at = 0;             ///< in the file
  std::int64_t stride = 0;
};

inline bool is_gray(std::span<const std::byte> palette) {
  for (std::size_t i = 0; i < palette.size(); i += 4)
    if (palette[i] != palette[i + 1] || palette[i] != palette[i + 2]) return false;
  return true;
}

inline bmp_pixels read_bmp(std::span<const std::byte> bytes, const std::string& file) {
  format::byte_reader in(bytes, file);
  in.take(10, "the file's header");
  const auto first = in.take_little<std::uint32_t>("where pixels begin");
  const std::size_t header_at = in.offset();
  const auto header = in.take_little<std::uint32_t>("the size of the header");
  if (header < 40) in.wrong_at(header_at, "BMP: a header of %u bytes, expected are at least 40", header);
  const std::size_t extents_at = in.offset();
  const std::int64_t width = in.take_little<std::int32_t>("the width"), height = in.take_little<std::int32_t>("the height");
  in.take(2, "the number of planes");
  const std::size_t bits_at = in.offset();
  const auto bits = in.take_little<std::uint16_t>("the bits of a pixel");
  const auto compression = in.take_little<std::uint32_t>("the compression");
  in.take(12, "the header");
  auto colours = in.take_little<std::uint32_t>("the number of colours");
  if (bits != 8 && bits != 24 && bits != 32) in.wrong_at(bits_at, "BMP: %u bits a pixel, read are 8, 24 and 32", bits);
  // 3: masks say where each colour's bits are. Those that all programs write are the order of no compression.
  if (compression != 0 && compression != 3) in.wrong_at(bits_at + 2, "BMP: compression %u is not read", compression);
  if (compression == 3) {
    format::byte_reader masks(bytes, file);
    masks.take(54, "the header");
    for (const std::uint32_t expected : {0xff0000u, 0xff00u, 0xffu})
      if (bits != 32 || masks.take_little<std::uint32_t>("the masks") != expected)
        in.wrong_at(bits_at + 2, "BMP: colours have other bits than 8 each, in the order blue, green, red");
  }
  bmp_pixels p;
  p.layout = {height < 0 ? -height : height, width, bits / 8};
  p.bytes_per_pixel = bits / 8;
  p.is_from_top = height < 0;
  if (width <= 0 || height == 0)
    in.wrong_at(extents_at, "BMP: %lld x %lld pixels", static_cast<long long>(height), static_cast<long long>(width));
  if (!is_within_limits(p.layout)) in.wrong_at(extents_at, "BMP: %s", too_many_pixels);
  if (bits == 8) {
    if (colours == 0) colours = 256;
    if (colours > 256) in.wrong_at(46, "BMP: %u colours of 8 bits", colours);
    format::byte_reader behind(bytes, file);
    behind.take(std::size_t{14} + header, "the header");
    p.palette = behind.take(std::size_t{4} * colours, "the palette");
    p.layout.channels = is_gray(p.palette) ? 1 : 3;
  }
  p.stride = (width * p.bytes_per_pixel + 3) / 4 * 4;
  format::byte_reader behind(bytes, file);
  behind.take(first, "what is in front of the pixels");
  // The last row's padding may be missing.
  const std::int64_t size = p.stride * (p.layout.height - 1) + width * p.bytes_per_pixel;
  p.rows_at = behind.offset();
  p.rows = behind.take(static_cast<std::size_t>(size), "the pixels");
  return p;
}

/// A row of pixels as `channels` of them: gray as three equal ones, without opacity 255, or dropped.
inline void convert_bmp_row(const bmp_pixels& p, const std::byte* from, int channels, std::uint8_t* to, const std::string& file) {
  for (std::int64_t x = 0; x < p.layout.width; ++x, from += p.bytes_per_pixel, to += channels) {
    const std::byte* colour = from;
    if (p.bytes_per_pixel == 1) {
      const auto at = std::size_t{4} * std::to_integer<std::size_t>(*from);
      if (at >= p.palette.size())
        fail("%s: at byte %zu: BMP: a pixel has colour %zu of %zu", file.c_str(),
             p.rows_at + static_cast<std::size_t>(from - p.rows.data()), at / 4, p.palette.size() / 4);
      colour = p.palette.data() + at;
    }
    if (channels == 1) {
      to[0] = std::to_integer<std::uint8_t>(colour[0]);
      continue;
    }
    for (int c = 0; c < 3; ++c) to[c] = std::to_integer<std::uint8_t>(colour[2 - c]);
    if (channels == 4) to[3] = p.bytes_per_pixel == 4 ? std::to_integer<std::uint8_t>(colour[3]) : std::uint8_t{255};
  }
}

inline void decode_bmp(std::span<const std::byte> bytes, const std::string& file, const decode_options& options,
                       const pixel_memory& memory) {
  const bmp_pixels p = read_bmp(bytes, file);
  pixel_layout layout = p.layout;
  if (options.channels != 0) layout.channels = options.channels;
  if (layout.channels == 2 || (layout.channels == 1 && p.layout.channels != 1))
    fail("%s: BMP: of %lld channels no %d are made", file.c_str(), static_cast<long long>(p.layout.channels), options.channels);
  std::uint8_t* const to = is_within_limits(layout) ? memory.make(memory.context, layout) : nullptr;
  if (to == nullptr) fail("%s: BMP: %s", file.c_str(), no_memory);
  for (std::int64_t y = 0; y < layout.height; ++y)
    convert_bmp_row(p, p.rows.data() + (p.is_from_top ? y : layout.height - 1 - y) * p.stride, static_cast<int>(layout.channels),
                    to + y * layout.width * layout.channels, file);
}

}  // namespace etch::image::detail
