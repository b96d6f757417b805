// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string_view>
#include <vector>

#include <etch/format/crc32c.hpp>

namespace {
std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }
}  // namespace

TEST_CASE("CRC-32C of RFC 3720's examples, and of what is in parts") {
  using etch::format::crc32c;
  CHECK(crc32c(bytes_of("123456789")) == 0xe3069283u);
  CHECK(etch::format::masked_crc32c(crc32c(bytes_of("123456789"))) == 0xc78ab0e5u);
  std::vector<std::byte> block(32);
  CHECK(crc32c(block) == 0x8a9136aau);
  for (auto& b : block) b = std::byte{0xff};
  CHECK(crc32c(block) == 0x62a8ab43u);
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = static_cast<std::byte>(i);
  CHECK(crc32c(block) == 0x46dd794eu);
  CHECK(~etch::format::detail::crc32c_by_tables(block, ~0u) == 0x46dd794eu);
  for (std::size_t cut = 0; cut <= block.size(); ++cut)
    CHECK(crc32c(std::span(block).subspan(cut), crc32c(std::span(block).first(cut))) == 0x46dd794eu);
}
