// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

/// What libjpeg-turbo and libpng do: declared here, compiled once, in the target `etch::images` (cmake/etchImages.cpp).
namespace etch::image {

/// How pixels are read.
struct decode_options {
  /// 1 gray, 2 gray and opacity (PNG only), 3 red, green, blue, 4 those and opacity (PNG and BMP); 0: as many as the file has.
  int channels = 0;
  /// Of JPEG: extents are divided by 1, 2, 4 or 8, and decoded in as little time (`ratio` of tf.io.decode_jpeg).
  int ratio = 1;
  /// Of JPEG: by the slow integer DCT, as Pillow does, not by the fast one, as TensorFlow does (`dct_method`).
  bool accurate = false;
};

/// How an image is written as JPEG, as by tf.io.encode_jpeg.
struct jpeg_options {
  int quality = 95;  ///< 1 to 100
  bool progressive = false;
  bool chroma_downsampling = true;
};

namespace detail {

/// Row by row, each pixel's channels side by side.
struct pixel_layout {
  std::int64_t height = 0, width = 0, channels = 0;
};
/// Memory for an image that is being decoded, asked for once, when its header has been read. `make` does not throw: null where there is none.
/// Of JPEG only some rows may be wanted: `rows` gives their numbers, ascending, and `make` is asked for an image of these alone.
struct pixel_memory {
  void* context;
  std::uint8_t* (*make)(void* context, pixel_layout layout) noexcept;
  std::span<const std::int64_t> (*rows)(void* context, pixel_layout layout) = nullptr;
};

}  // namespace detail

/// Where the linker misses these, the program has not etch::images: target_link_libraries(program PRIVATE etch::images).
namespace compiled_in_etch_images {

void decode_jpeg(std::span<const std::byte> bytes, const std::string& file, const decode_options& options,
                 const detail::pixel_memory& memory);
void decode_png(std::span<const std::byte> bytes, const std::string& file, const decode_options& options,
                const detail::pixel_memory& memory);
std::string encode_jpeg(const std::uint8_t* pixels, detail::pixel_layout layout, const jpeg_options& options);
/// `compression`: of zlib, 0 to 9; -1: zlib's own choice.
std::string encode_png(const std::uint8_t* pixels, detail::pixel_layout layout, int compression);

}  // namespace compiled_in_etch_images
}  // namespace etch::image
