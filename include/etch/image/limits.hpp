// SPDX-License-Identifier: MIT
#pragma once
#include <etch/image/codec.hpp>

namespace etch::image::detail {

/// TensorFlow's limit: a damaged header must not ask for all memory that there is.
inline constexpr std::int64_t most_bytes = std::int64_t{1} << 29;
inline constexpr const char* too_many_pixels = "the header says more than 2^29 bytes of pixels";
inline constexpr const char* no_memory = "there is not enough memory for its pixels";

/// Whether an image has pixels, and not too many. Extents have 32 bits, channels are at most 4.
inline bool is_within_limits(pixel_layout layout) {
  return layout.height > 0 && layout.width > 0 && layout.height <= most_bytes / layout.width / layout.channels;
}

}  // namespace etch::image::detail
