// SPDX-License-Identifier: MIT
#pragma once
#include <etch/format/crc_tables.hpp>

/// CRC-32C (Castagnoli; RFC 3720, appendix B.4), as TFRecord and TensorFlow's checkpoints have it.
namespace etch::format {

namespace detail {
inline std::uint32_t crc32c_by_tables(std::span<const std::byte> bytes, std::uint32_t c) {
  return crc_by_tables<0x82f63b78u>(bytes, c);
}
#if defined(__x86_64__)
/// By the instruction that SSE4.2 has for it: eight bytes in three cycles.
[[gnu::target("sse4.2")]] inline std::uint32_t crc32c_by_instruction(std::span<const std::byte> bytes, std::uint32_t c) {
  std::uint64_t wide = c;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    wide = __builtin_ia32_crc32di(wide, word);
  }
  c = static_cast<std::uint32_t>(wide);
  for (; i < bytes.size(); ++i) c = __builtin_ia32_crc32qi(c, std::to_integer<unsigned char>(bytes[i]));
  return c;
}
#endif

}  // namespace detail

/// The checksum of bytes behind those whose checksum is `before`.
inline std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return ~detail::crc32c_by_instruction(bytes, ~before);
#endif
  return ~detail::crc32c_by_tables(bytes, ~before);
}

/// What the formats store of a checksum, so that a checksum of bytes that hold checksums stays a good one.
constexpr std::uint32_t masked_crc32c(std::uint32_t crc) { return (crc >> 15 | crc << 17) + 0xa282ead8u; }

}  // namespace etch::format
