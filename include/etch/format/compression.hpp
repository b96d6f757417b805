// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace etch::format {

/// What stands around deflated bytes (RFC 1951): nothing, or gzip's header and checksum (RFC 1952).
enum class framing { none, gzip };

/// Decompresses: gives all bytes, or where there are more the first `most`. Memory grows with what has been read, whatever headers say.
/// Throws `etch::error` with `file` and the byte, of which the first is `offset`, where the data is corrupt or cut off, or something
/// follows. `format::inflate` is one, by zlib; readers are given it by who includes `<etch/format/inflate.hpp>`, others need no zlib.
using inflate_function = std::vector<std::byte> (*)(std::span<const std::byte> packed, framing around, std::size_t most,
                                                    const std::string& file, std::size_t offset);

inline bool is_gzip(std::span<const std::byte> bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0x1f} && bytes[1] == std::byte{0x8b};
}

}  // namespace etch::format
