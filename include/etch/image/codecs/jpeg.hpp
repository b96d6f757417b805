// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>

#include <jpeglib.h>

#include <jerror.h>

#include <etch/core/diagnostics.hpp>
#include <etch/image/codec.hpp>
#include <etch/image/limits.hpp>

/// JPEG by libjpeg-turbo. One source file includes this. Errors leave libjpeg by longjmp, past functions without destructors.
namespace etch::image {

namespace detail {

/// What libjpeg calls, and where it returns to.
struct jpeg_errors {
  jpeg_error_mgr manager;
  std::jmp_buf out;
  char text[JMSG_LENGTH_MAX];

  static jpeg_errors& of(j_common_ptr info) { return *reinterpret_cast<jpeg_errors*>(info->err); }
  [[noreturn]] static void leave(j_common_ptr info) {
    jpeg_errors& e = of(info);
    e.manager.format_message(info, e.text);
    std::longjmp(e.out, 1);
  }
  /// A warning is an error, since what follows is guessed. Not bytes that nobody needs in front of the end: the pixels are all there, and
  /// cameras write them.
  static void warn(j_common_ptr info, int level) {
    const jpeg_error_mgr& m = *info->err;
    if (level < 0 && !(m.msg_code == JWRN_EXTRANEOUS_DATA && m.msg_parm.i[1] == JPEG_EOI)) leave(info);
  }
  jpeg_error_mgr* prepare() {
    jpeg_std_error(&manager);
    manager.error_exit = &leave;
    manager.emit_message = &warn;
    text[0] = 0;
    return &manager;
  }
};

/// The whole file is there, so who wants more is behind its end.
struct jpeg_bytes : jpeg_source_mgr {
  explicit jpeg_bytes(std::span<const std::byte> bytes) : jpeg_source_mgr() {
    next_input_byte = reinterpret_cast<const JOCTET*>(bytes.data());
    bytes_in_buffer = bytes.size();
    init_source = [](j_decompress_ptr) {};
    fill_input_buffer = [](j_decompress_ptr info) -> boolean {
      info->err->msg_code = JERR_INPUT_EOF;
      jpeg_errors::leave(reinterpret_cast<j_common_ptr>(info));
    };
    skip_input_data = [](j_decompress_ptr info, long count) {
      if (count <= 0) return;
      if (static_cast<std::size_t>(count) > info->src->bytes_in_buffer) ERREXIT(info, JERR_INPUT_EOF);
      info->src->next_input_byte += count;
      info->src->bytes_in_buffer -= static_cast<std::size_t>(count);
    };
    resync_to_restart = &jpeg_resync_to_restart;
    term_source = [](j_decompress_ptr) {};
  }
};

/// Of ink, inverted where Adobe has written it, as TensorFlow does. `row` has 4 bytes a pixel before, 3 behind.
inline void cmyk_to_rgb(std::uint8_t* row, std::int64_t width, bool is_inverted) {
  const std::uint8_t* from = row;
  for (std::int64_t x = 0; x < width; ++x, from += 4, row += 3) {
    const int k = is_inverted ? from[3] : 255 - from[3];
    for (int c = 0; c < 3; ++c) row[c] = static_cast<std::uint8_t>(k * (is_inverted ? from[c] : 255 - from[c]) / 255);
  }
}

struct jpeg_decoder {
  jpeg_decompress_struct info;
  jpeg_errors errors;
  const char* refusal = nullptr;  ///< of etch's own
  pixel_layout layout;
  std::uint8_t* ink = nullptr;           ///< a row of it
  std::span<const std::int64_t> wanted;  ///< rows, ascending, the last one of all; none: all

  jpeg_decoder() {
    info.err = errors.prepare();
    info.mem = nullptr;  // which is what is destroyed
  }
  jpeg_decoder(const jpeg_decoder&) = delete;
  ~jpeg_decoder() { jpeg_destroy_decompress(&info); }

  /// Some of the next rows, of ink one: how many.
  unsigned read_rows(std::uint8_t* to, std::size_t stride, unsigned count) {
    JSAMPROW rows[8];
    for (unsigned i = 0; i < count; ++i) rows[i] = to + i * stride;
    if (ink != nullptr) {
      rows[0] = ink;
      count = 1;
    }
    const unsigned read = jpeg_read_scanlines(&info, rows, count);
    // All bytes are there, so this cannot be: but a loop must end.
    if (read == 0) ERREXIT(&info, JERR_INPUT_EOF);
    if (ink != nullptr) {
      cmyk_to_rgb(ink, layout.width, info.saw_Adobe_marker != 0);
      for (std::size_t i = 0; i < stride; ++i) to[i] = ink[i];
    }
    return read;
  }
  /// First to the end of a group of rows that share samples of a colour: libjpeg-turbo gives wrong rows behind those that it skips from within one.
  void skip_to(JDIMENSION row) {
    const auto group = static_cast<JDIMENSION>(info.max_v_samp_factor);
    const JDIMENSION end = std::min(row, (info.output_scanline + group - 1) / group * group);
    if (end > info.output_scanline) jpeg_skip_scanlines(&info, end - info.output_scanline);
    if (row > info.output_scanline) jpeg_skip_scanlines(&info, row - info.output_scanline);
  }
  /// False: an error, which `errors.text` or `refusal` says.
  bool run(jpeg_bytes& source, const decode_options& options, const pixel_memory& memory) {
    if (setjmp(errors.out) != 0) return false;
    jpeg_create_decompress(&info);
    info.src = &source;
    jpeg_read_header(&info, TRUE);
    const bool is_ink = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
    const int channels = options.channels != 0 ? options.channels : info.num_components < 3 ? 1 : 3;
    if (is_ink && channels == 1) {
      refusal = "it is of four inks, of which no gray is made";
      return false;
    }
    info.out_color_space = is_ink ? JCS_CMYK : channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    info.dct_method = options.accurate ? JDCT_ISLOW : JDCT_IFAST;
    info.scale_num = 1;
    info.scale_denom = static_cast<unsigned>(options.ratio);
    jpeg_calc_output_dimensions(&info);
    layout = {info.output_height, info.output_width, channels};
    if (!is_within_limits(layout)) {
      refusal = too_many_pixels;
      return false;
    }
    if (memory.rows != nullptr) {
      wanted = memory.rows(memory.context, layout);
      layout.height = static_cast<std::int64_t>(wanted.size());
    }
    std::uint8_t* to = memory.make(memory.context, layout);
    if (to == nullptr) {
      refusal = no_memory;
      return false;
    }
    jpeg_start_decompress(&info);
    if (is_ink)
      ink = static_cast<std::uint8_t*>(
          info.mem->alloc_large(reinterpret_cast<j_common_ptr>(&info), JPOOL_IMAGE, std::size_t{4} * info.output_width));
    const std::size_t stride = static_cast<std::size_t>(layout.width * layout.channels);
    for (const std::int64_t row : wanted) {
      skip_to(static_cast<JDIMENSION>(row));
      read_rows(to, stride, 1);
      to += stride;
    }
    while (info.output_scanline < info.output_height) {
      const unsigned left = info.output_height - info.output_scanline;
      to += read_rows(to, stride, left < 8 ? left : 8) * stride;
    }
    jpeg_finish_decompress(&info);
    return true;
  }
};

struct jpeg_encoder {
  jpeg_compress_struct info;
  jpeg_errors errors;
  unsigned char* bytes = nullptr;
  unsigned long size = 0;

  jpeg_encoder() {
    info.err = errors.prepare();
    info.mem = nullptr;
  }
  jpeg_encoder(const jpeg_encoder&) = delete;
  ~jpeg_encoder() {
    jpeg_destroy_compress(&info);
    std::free(bytes);
  }

  bool run(const std::uint8_t* pixels, pixel_layout layout, const jpeg_options& options) {
    if (setjmp(errors.out) != 0) {
      // libjpeg says nowhere else where the bytes lie: those that it allocated first it has freed where it needed more.
      if (bytes != nullptr) info.dest->term_destination(&info);
      return false;
    }
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &bytes, &size);
    info.image_width = static_cast<JDIMENSION>(layout.width);
    info.image_height = static_cast<JDIMENSION>(layout.height);
    info.input_components = static_cast<int>(layout.channels);
    info.in_color_space = layout.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, options.quality, TRUE);
    if (options.progressive) jpeg_simple_progression(&info);
    if (!options.chroma_downsampling)
      for (int i = 0; i < info.num_components; ++i) info.comp_info[i].h_samp_factor = info.comp_info[i].v_samp_factor = 1;
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
      // libjpeg takes rows that are not const, and reads them.
      JSAMPROW row = const_cast<JSAMPROW>(pixels + static_cast<std::int64_t>(info.next_scanline) * layout.width * layout.channels);
      jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    return true;
  }
};

}  // namespace detail

namespace compiled_in_etch_images {

void decode_jpeg(std::span<const std::byte> bytes, const std::string& file, const decode_options& options,
                 const detail::pixel_memory& memory) {
  detail::jpeg_bytes source(bytes);
  detail::jpeg_decoder decoder;
  if (decoder.run(source, options, memory)) return;
  const char* const why = decoder.refusal != nullptr ? decoder.refusal : decoder.errors.text;
  fail("%s: at byte %zu: JPEG: %s", file.c_str(), bytes.size() - source.bytes_in_buffer, why);
}

std::string encode_jpeg(const std::uint8_t* pixels, detail::pixel_layout layout, const jpeg_options& options) {
  detail::jpeg_encoder encoder;
  if (!encoder.run(pixels, layout, options)) fail("image: JPEG: %s", encoder.errors.text);
  return {reinterpret_cast<const char*>(encoder.bytes), encoder.size};
}

}  // namespace compiled_in_etch_images
}  // namespace etch::image
