// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include <etch/core/diagnostics.hpp>

namespace etch::format {

/// Whether a text is UTF-8 (RFC 3629): no code in more bytes than it needs, no surrogate.
constexpr bool is_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) -> std::uint32_t { return static_cast<unsigned char>(text[i]); };
  for (std::size_t i = 0; i < text.size();) {
    const std::uint32_t first = byte(i++);
    if (first < 0x80) continue;
    const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc2 || first > 0xf4 || text.size() - i < static_cast<std::size_t>(more)) return false;
    std::uint32_t code = first & 0x3fu >> more;
    for (int k = 0; k < more; ++k, ++i) {
      if ((byte(i) & 0xc0) != 0x80) return false;
      code = code << 6 | (byte(i) & 0x3f);
    }
    if (more > 1 && code < (more == 2 ? 0x800u : 0x10000u)) return false;
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
  }
  return true;
}
/// Throws `etch::error` of a text that is not UTF-8: readers of many formats refuse a whole file for one.
inline void check_utf8(std::string_view text) {
  if (!is_utf8(text)) fail("\"%s\" is not UTF-8", std::string(text).c_str());
}

}  // namespace etch::format
