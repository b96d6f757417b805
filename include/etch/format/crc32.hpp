// SPDX-License-Identifier: MIT
#pragma once
#include <etch/format/crc_tables.hpp>

namespace etch::format {

/// CRC-32 (IEEE 802.3), as zip, gzip and PNG have it, of bytes behind those whose checksum is `before`.
inline std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0) {
  return ~detail::crc_by_tables<0xedb88320u>(bytes, ~before);
}

}  // namespace etch::format
