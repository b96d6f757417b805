// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include <etch/format/crc32c.hpp>

/// What stands around a record of TFRecord: in front of it its size in 8 bytes and the checksum of these, behind it its checksum.
namespace etch::format {

inline std::uint32_t record_checksum(std::span<const std::byte> bytes) { return masked_crc32c(crc32c(bytes)); }

/// What stands in front of a record of that many bytes.
inline std::array<std::byte, 12> record_front(std::uint64_t size) {
  static_assert(std::endian::native == std::endian::little);
  std::array<std::byte, 12> front;
  std::memcpy(front.data(), &size, 8);
  const std::uint32_t checksum = record_checksum(std::span(front).first(8));
  std::memcpy(front.data() + 8, &checksum, 4);
  return front;
}

}  // namespace etch::format
