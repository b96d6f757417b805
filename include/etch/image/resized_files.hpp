// SPDX-License-Identifier: MIT
#pragma once
#include <etch/image/files.hpp>
#include <etch/image/resize.hpp>

/// Files that are decoded to be resized: of JPEG only the rows of pixels that count.
namespace etch::image {

namespace detail {

/// What is kept of an image whose rows are interpolated: those beside the places of the result's rows.
struct wanted_rows {
  pixels image;
  std::int64_t height, width;
  pixel_layout of;                     ///< of the whole image
  std::vector<neighbours>& along;      ///< rows, by number, in pixels
  std::vector<std::int64_t>& numbers;  ///< ascending, the last one of the image too

  static std::span<const std::int64_t> choose(void* context, pixel_layout layout) {
    auto& w = *static_cast<wanted_rows*>(context);
    w.of = layout;
    find_neighbours(w.along, layout.height, w.height, 1);
    w.numbers.clear();
    const auto add = [&](std::int64_t row) {
      if (w.numbers.empty() || w.numbers.back() < row) w.numbers.push_back(row);
    };
    for (const neighbours& row : w.along) {
      add(row.before);
      add(row.behind);
    }
    // So that the file is decoded to its end, and found out where that is missing.
    add(layout.height - 1);
    return w.numbers;
  }
  static std::uint8_t* make(void* context, pixel_layout layout) noexcept {
    return make_pixels(&static_cast<wanted_rows*>(context)->image, layout);
  }
};

}  // namespace detail

/// `resize<Height, Width>(decode(bytes, options, file))`, the same bits, without the pixels of a JPEG file that do not count.
template <std::int64_t Height, std::int64_t Width>
tensor<float, 3> decode_resized(std::span<const std::byte> bytes, const decode_options& options = {},
                                const std::string& file = "image") {
  if (!detail::is_jpeg(bytes)) return resize<Height, Width>(decode(bytes, options, file));
  static thread_local detail::resizing_memory memory;
  static thread_local std::vector<std::int64_t> numbers;
  detail::check_options(options);
  detail::wanted_rows wanted{{}, Height, Width, {}, memory.along_rows, numbers};
  detail::decode_jpeg(bytes, options, file, {&wanted, &detail::wanted_rows::make, &detail::wanted_rows::choose});
  // By their places among those that are there.
  std::size_t at = 0;
  const auto place = [&](std::int64_t row) {
    while (numbers[at] < row) ++at;
    while (numbers[at] > row) --at;
    return static_cast<std::int64_t>(at) * wanted.of.width * wanted.of.channels;
  };
  for (detail::neighbours& row : memory.along_rows) row = {place(row.before), place(row.behind), row.way};
  detail::find_neighbours(memory.along_columns, wanted.of.width, Width, wanted.of.channels);
  tensor_type type = wanted.image.described().with(dtype::float32);
  type.extents[0] = Height;
  type.extents[1] = Width;
  tensor<float, 3> made{eager::unmade{}};
  made.reset(type);
  detail::interpolate(memory, wanted.image.data(), wanted.of.channels, reinterpret_cast<float*>(made.bytes()));
  return made;
}

/// `resize<Height, Width>(read(path, options))`, the same bits, in less time where the file is JPEG.
template <std::int64_t Height, std::int64_t Width>
tensor<float, 3> read_resized(const std::filesystem::path& path, const decode_options& options = {}) {
  static thread_local std::vector<std::byte> memory;
  return decode_resized<Height, Width>(format::read_file(path, memory), options, path.string());
}

}  // namespace etch::image
