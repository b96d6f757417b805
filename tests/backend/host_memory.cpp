// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <utility>

#include <etch/backend/host_memory.hpp>

/// Blocks of memory: what they are aligned to, and that they are given back as they were asked for (which sanitizers see).
namespace {

using etch::aligned_block;

std::uintptr_t address(const aligned_block& b) { return reinterpret_cast<std::uintptr_t>(b.data()); }

}  // namespace

TEST_CASE("memory: blocks begin at cache lines, large ones at huge pages") {
  for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{1}, std::int64_t{4097}, aligned_block::large - 1}) {
    aligned_block b;
    b.reserve(bytes);
    CHECK(address(b) % aligned_block::alignment == 0);
    CHECK(b.data() != nullptr);
  }
  for (const std::int64_t bytes : {aligned_block::large, aligned_block::large + 12345, 5 * aligned_block::large}) {
    aligned_block b;
    b.reserve(bytes);
    CHECK(address(b) % aligned_block::huge_page == 0);
    b.data()[0] = b.data()[bytes - 1] = 1;  // both ends are there
    CHECK(b.bytes() == bytes);
  }
}

TEST_CASE("memory: a block grows from small to large, and keeps what is enough") {
  aligned_block b;
  b.reserve(100);
  b.reserve(aligned_block::large);
  const char* const large = b.data();
  b.reserve(10);
  CHECK(b.data() == large);
  aligned_block small;
  small.reserve(64);
  small = std::move(b);
  CHECK(small.data() == large);
  CHECK(b.bytes() == 64);
  small.reserve(2 * aligned_block::large);
  CHECK(address(small) % aligned_block::huge_page == 0);
}
