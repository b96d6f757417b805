// SPDX-License-Identifier: MIT
#pragma once
#include <csetjmp>
#include <cstring>
#include <vector>

#include <png.h>

#include <etch/core/diagnostics.hpp>
#include <etch/image/codec.hpp>
#include <etch/image/limits.hpp>

/// PNG by libpng. One source file includes this. Errors leave libpng by longjmp, past functions without destructors.
namespace etch::image {

namespace detail {

/// What libpng calls: its errors, and where bytes come from or go to.
struct png_errors {
  char text[256] = "";

  [[noreturn]] static void leave(png_structp png, png_const_charp message) {
    std::strncpy(static_cast<png_errors*>(png_get_error_ptr(png))->text, message, sizeof text - 1);
    png_longjmp(png, 1);
  }
  static void warn(png_structp, png_const_charp) {}
};

struct png_decoder {
  png_structp png = nullptr;
  png_infop info = nullptr;
  png_errors errors;
  const char* refusal = nullptr;  ///< of etch's own
  std::span<const std::byte> bytes;
  std::size_t next = 0;
  pixel_layout layout;
  std::uint8_t* pixels = nullptr;

  explicit png_decoder(std::span<const std::byte> all) : bytes(all) {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &errors, &png_errors::leave, &png_errors::warn);
    if (png != nullptr) info = png_create_info_struct(png);
  }
  png_decoder(const png_decoder&) = delete;
  ~png_decoder() { png_destroy_read_struct(&png, &info, nullptr); }

  static void read(png_structp png, png_bytep to, std::size_t count) {
    auto& self = *static_cast<png_decoder*>(png_get_io_ptr(png));
    if (count > self.bytes.size() - self.next) png_error(png, "the file ends within a chunk");
    std::memcpy(to, self.bytes.data() + self.next, count);
    self.next += count;
  }

  /// What the file has becomes what is wanted, as TensorFlow does it.
  void convert(int wanted) {
    const int depth = png_get_bit_depth(png, info), type = png_get_color_type(png, info);
    const bool has_mask = png_get_valid(png, info, PNG_INFO_tRNS) != 0, has_alpha = (type & PNG_COLOR_MASK_ALPHA) != 0;
    const bool is_gray = (type & PNG_COLOR_MASK_COLOR) == 0, is_palette = type == PNG_COLOR_TYPE_PALETTE;
    const int channels = wanted != 0 ? wanted : is_palette ? (has_mask ? 4 : 3) : png_get_channels(png, info);
    layout = {png_get_image_height(png, info), png_get_image_width(png, info), channels};
    if (is_palette) png_set_palette_to_rgb(png);
    if (is_gray && depth < 8) png_set_expand_gray_1_2_4_to_8(png);
    if (depth == 16) png_set_strip_16(png);
    const bool wants_alpha = channels == 2 || channels == 4;
    if (wants_alpha && has_mask)
      png_set_tRNS_to_alpha(png);
    else if (wants_alpha && !has_alpha)
      png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    if (!wants_alpha && (has_alpha || has_mask)) png_set_strip_alpha(png);
    if (channels < 3 && !is_gray) png_set_rgb_to_gray(png, PNG_ERROR_ACTION_NONE, 0.299, 0.587);
    if (channels >= 3 && is_gray) png_set_gray_to_rgb(png);
  }
  /// False: an error, which `errors.text` or `refusal` says.
  bool run(const decode_options& options, const pixel_memory& memory) {
    if (png == nullptr || info == nullptr) {
      refusal = no_memory;
      return false;
    }
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_set_read_fn(png, this, &read);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    png_read_info(png, info);
    convert(options.channels);
    if (!is_within_limits(layout)) {
      refusal = too_many_pixels;
      return false;
    }
    const int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != static_cast<std::size_t>(layout.width * layout.channels)) {
      refusal = "its pixels are not made of as many channels";
      return false;
    }
    pixels = memory.make(memory.context, layout);
    if (pixels == nullptr) {
      refusal = no_memory;
      return false;
    }
    for (int pass = 0; pass < passes; ++pass)
      for (std::int64_t y = 0; y < layout.height; ++y) png_read_row(png, pixels + y * layout.width * layout.channels, nullptr);
    png_read_end(png, nullptr);
    return true;
  }
};

struct png_encoder {
  png_structp png = nullptr;
  png_infop info = nullptr;
  png_errors errors;
  std::string bytes;

  png_encoder() {
    png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &errors, &png_errors::leave, &png_errors::warn);
    if (png != nullptr) info = png_create_info_struct(png);
  }
  png_encoder(const png_encoder&) = delete;
  ~png_encoder() { png_destroy_write_struct(&png, &info); }

  static void write(png_structp png, png_bytep from, std::size_t count) {
    try {
      static_cast<png_encoder*>(png_get_io_ptr(png))->bytes.append(reinterpret_cast<const char*>(from), count);
      return;
    } catch (...) {
    }
    png_error(png, no_memory);
  }
  bool run(const std::uint8_t* pixels, pixel_layout layout, int compression) {
    if (png == nullptr || info == nullptr) {
      std::strcpy(errors.text, no_memory);
      return false;
    }
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    constexpr int types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    png_set_write_fn(png, this, &write, nullptr);
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    png_set_compression_level(png, compression);
    png_set_IHDR(png, info, static_cast<png_uint_32>(layout.width), static_cast<png_uint_32>(layout.height), 8,
                 types[layout.channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (std::int64_t y = 0; y < layout.height; ++y) png_write_row(png, pixels + y * layout.width * layout.channels);
    png_write_end(png, nullptr);
    return true;
  }
};

}  // namespace detail

namespace compiled_in_etch_images {

void decode_png(std::span<const std::byte> bytes, const std::string& file, const decode_options& options,
                const detail::pixel_memory& memory) {
  detail::png_decoder decoder(bytes);
  if (decoder.run(options, memory)) return;
  const char* const why = decoder.refusal != nullptr ? decoder.refusal : decoder.errors.text;
  fail("%s: at byte %zu: PNG: %s", file.c_str(), decoder.next, why);
}

std::string encode_png(const std::uint8_t* pixels, detail::pixel_layout layout, int compression) {
  detail::png_encoder encoder;
  if (!encoder.run(pixels, layout, compression)) fail("image: PNG: %s", encoder.errors.text);
  return std::move(encoder.bytes);
}

}  // namespace compiled_in_etch_images
}  // namespace etch::image
