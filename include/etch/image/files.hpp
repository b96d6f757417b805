// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <string_view>

#include <etch/eager/tensor.hpp>
#include <etch/format/input_file.hpp>
#include <etch/format/output_file.hpp>
#include <etch/image/bmp.hpp>
#include <etch/image/codec.hpp>

/// Images from and to files: PNG, JPEG, BMP. With the target `etch::images`. Functions may be called by any thread.
namespace etch::image {

/// Pixels of a file: (height, width, channels).
using pixels = tensor<std::uint8_t, 3>;

namespace detail {

inline std::uint8_t* make_pixels(void* context, pixel_layout layout) noexcept {
  tensor_type type;
  type.type = dtype::uint8;
  type.rank = 3;
  type.extents[0] = layout.height;
  type.extents[1] = layout.width;
  type.extents[2] = layout.channels;
  auto& made = *static_cast<pixels*>(context);
  try {
    made.reset(type);
  } catch (...) {
    return nullptr;
  }
  return reinterpret_cast<std::uint8_t*>(made.bytes());
}

inline bool is_jpeg(std::span<const std::byte> bytes) {
  constexpr std::byte begin[] = {std::byte{0xff}, std::byte{0xd8}, std::byte{0xff}};
  return bytes.size() >= 3 && std::equal(begin, begin + 3, bytes.begin());
}
inline void decode_jpeg(std::span<const std::byte> bytes, const decode_options& options, const std::string& file,
                        const pixel_memory& memory) {
  if (options.channels == 2 || options.channels == 4)
    fail("%s: JPEG: it has no opacity, %d channels are asked for", file.c_str(), options.channels);
  compiled_in_etch_images::decode_jpeg(bytes, file, options, memory);
}

inline void check_options(const decode_options& o) {
  if (o.channels < 0 || o.channels > 4) fail("image: decode: %d channels, there are 0 (as in the file) to 4", o.channels);
  if (o.ratio != 1 && o.ratio != 2 && o.ratio != 4 && o.ratio != 8) fail("image: decode: ratio %d is none of 1, 2, 4, 8", o.ratio);
}

inline pixel_layout layout_of(const pixels& image) {
  const pixel_layout layout{image.extent(0), image.extent(1), image.extent(2)};
  if (layout.channels < 1 || layout.channels > 4)
    fail("image: an image of %lld channels, there are 1 to 4", static_cast<long long>(layout.channels));
  if (!is_within_limits(layout))
    fail("image: %lld x %lld pixels are none, or more than 2^29 bytes", static_cast<long long>(layout.height),
         static_cast<long long>(layout.width));
  return layout;
}

}  // namespace detail

/// The pixels (height, width, channels) that bytes of a PNG, JPEG or BMP file hold, as tf.io.decode_image: which of them its first bytes
/// say. 16 bits a channel are rounded down to 8. `file`: what errors call it. Throws `etch::error` with that name, the byte and what is
/// wrong, for a file that is damaged or cut as for one of another format: pixels that were guessed are not returned.
inline pixels decode(std::span<const std::byte> bytes, const decode_options& options = {}, const std::string& file = "image") {
  detail::check_options(options);
  const std::string_view begin{reinterpret_cast<const char*>(bytes.data()), bytes.size() < 8 ? bytes.size() : 8};
  pixels image;
  const detail::pixel_memory memory{&image, &detail::make_pixels};
  if (detail::is_jpeg(bytes)) {
    detail::decode_jpeg(bytes, options, file, memory);
  } else if (begin == "\x89PNG\r\n\x1a\n") {
    compiled_in_etch_images::decode_png(bytes, file, options, memory);
  } else if (begin.starts_with("BM")) {
    detail::decode_bmp(bytes, file, options, memory);
  } else {
    fail("%s: at byte 0: it is no PNG, JPEG or BMP file", file.c_str());
  }
  return image;
}

/// The pixels of a file: `decode` of its bytes. `files(folder).map([](const std::string& path) { return image::read(path); })`.
inline pixels read(const std::filesystem::path& path, const decode_options& options = {}) {
  static thread_local std::vector<std::byte> memory;
  return decode(format::read_file(path, memory), options, path.string());
}

/// The bytes of a PNG file of an image of 1 to 4 channels. `compression`: of zlib, 0 to 9; -1: as zlib likes.
inline std::string encode_png(const pixels& image, int compression = -1) {
  if (compression < -1 || compression > 9) fail("image: encode_png: compression %d, there are -1 to 9", compression);
  return compiled_in_etch_images::encode_png(image.data(), detail::layout_of(image), compression);
}

/// The bytes of a JPEG file of an image of 1 or 3 channels.
inline std::string encode_jpeg(const pixels& image, const jpeg_options& options = {}) {
  const detail::pixel_layout layout = detail::layout_of(image);
  if (layout.channels != 1 && layout.channels != 3)
    fail("image: encode_jpeg: %lld channels, JPEG has 1 or 3", static_cast<long long>(layout.channels));
  if (options.quality < 1 || options.quality > 100) fail("image: encode_jpeg: quality %d, there are 1 to 100", options.quality);
  return compiled_in_etch_images::encode_jpeg(image.data(), layout, options);
}

/// Writes an image to a file whose name ends with .png, .jpg or .jpeg, which is there as a whole or as it was before.
inline void write(const std::filesystem::path& path, const pixels& image) {
  const std::string ending = path.extension().string();
  if (ending != ".png" && ending != ".jpg" && ending != ".jpeg")
    fail("%s: images are written to .png, .jpg or .jpeg", path.string().c_str());
  const std::string bytes = ending == ".png" ? encode_png(image) : encode_jpeg(image);
  format::output_file file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace etch::image
