// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <etch/core/dtype.hpp>

namespace etch::format {

/// An array as files hold it: row by row, numbers with their lowest byte first. It refers to its bytes.
struct array_view {
  dtype type = dtype::none;
  std::vector<std::int64_t> extents;  ///< outermost first; of a scalar none
  std::span<const std::byte> bytes;
};

/// How many elements an array of these extents has; -1 where an extent is negative or the number does not fit.
inline std::int64_t count_elements(std::span<const std::int64_t> extents) {
  std::int64_t count = 1;
  for (const std::int64_t e : extents)
    if (e < 0) return -1;
  for (const std::int64_t e : extents)
    if (e == 0) return 0;
  for (const std::int64_t e : extents) {
    if (count > std::numeric_limits<std::int64_t>::max() / e) return -1;
    count *= e;
  }
  return count;
}

/// "[28, 28]"
inline std::string shape_text(std::span<const std::int64_t> extents) {
  std::string text = "[";
  for (const std::int64_t e : extents) text += (text.size() > 1 ? ", " : "") + std::to_string(e);
  return text + "]";
}

}  // namespace etch::format
