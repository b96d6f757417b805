// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <etch/passes/memory.hpp>

#include "passes/live_set.hpp"

/// Offsets in the arena.
namespace {

using etch::lifetime;

std::int64_t place(std::vector<lifetime>& buffers) {
  std::vector<int> scratch(buffers.size() + 1);
  return etch::place_buffers(buffers.data(), scratch.data(), static_cast<int>(buffers.size()));
}
std::int64_t least(const std::vector<lifetime>& buffers) {
  return etch::largest_live_set(buffers.data(), static_cast<int>(buffers.size()));
}
bool overlap(const lifetime& a, const lifetime& b) {
  return a.first <= b.last && b.first <= a.last && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}
/// Every two buffers apart, and all inside of the arena.
bool placed_well(const std::vector<lifetime>& buffers, std::int64_t total) {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].offset < 0 || buffers[i].offset + buffers[i].bytes > total) return false;
    for (std::size_t j = 0; j < i; ++j)
      if (overlap(buffers[i], buffers[j])) return false;
  }
  return true;
}

TEST_CASE("OPTG-03: buffers that live one after another share their memory") {
  std::vector<lifetime> b = {{64, 0, 1, -1}, {128, 2, 3, -1}, {64, 4, 5, -1}};
  CHECK(place(b) == 128);
  for (const lifetime& l : b) CHECK(l.offset == 0);
}

TEST_CASE("OPTG-03: a buffer that is read by the step that writes another does not share with it") {
  std::vector<lifetime> b = {{64, 0, 1, -1}, {64, 1, 2, -1}};
  CHECK(place(b) == 128);
  CHECK(placed_well(b, 128));
}

TEST_CASE("OPTG-03: no buffers need no memory, and empty ones no room") {
  std::vector<lifetime> none;
  CHECK(place(none) == 0);
  CHECK(least(none) == 0);
  std::vector<lifetime> empty = {{0, 0, 5, -1}, {64, 0, 5, -1}, {0, 2, 3, -1}};
  CHECK(place(empty) == 64);
}

TEST_CASE("OPTG-03: a gap between two live buffers is used") {
  // The large one first, then the small one above it; the third fits where the large one was.
  std::vector<lifetime> b = {{256, 0, 1, -1}, {64, 0, 3, -1}, {192, 2, 3, -1}};
  CHECK(place(b) == 320);
  CHECK(b[2].offset == 0);
}

TEST_CASE("OPTG-03: the largest live set counts what is live at one step") {
  CHECK(least({{64, 0, 2, -1}, {128, 1, 1, -1}, {64, 2, 3, -1}}) == 192);
  CHECK(least({{64, 0, 0, -1}, {64, 1, 1, -1}}) == 64);
}

TEST_CASE("OPTG-03: the offsets are computed at compile time") {
  constexpr std::int64_t bytes = [] {
    lifetime b[] = {{64, 0, 1, -1}, {128, 1, 2, -1}, {64, 2, 3, -1}};
    int scratch[4] = {};
    return etch::place_buffers(b, scratch, 3);
  }();
  static_assert(bytes == 192);
  CHECK(bytes == 192);
}

TEST_CASE("OPTG-03: random lifetimes: no two live buffers overlap, and the arena is near the largest live set") {
  std::mt19937 engine(11);
  double worst = 1, sum = 0;
  int trials = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const int steps = 3 + static_cast<int>(engine() % 40);
    std::vector<lifetime> b(1 + engine() % 60);
    for (lifetime& l : b) {
      l.bytes = 64 * static_cast<std::int64_t>(1 + engine() % 64);
      l.first = static_cast<int>(engine() % static_cast<unsigned>(steps));
      l.last = std::min(steps - 1, l.first + static_cast<int>(engine() % 8));
    }
    const std::int64_t total = place(b), bound = least(b);
    REQUIRE(placed_well(b, total));
    REQUIRE(total >= bound);
    const double ratio = static_cast<double>(total) / static_cast<double>(bound);
    worst = std::max(worst, ratio);
    sum += ratio;
    ++trials;
  }
  MESSAGE("arena / largest live set: mean ", sum / trials, ", worst ", worst);
  // Measured: 1.035 and 1.38. Sizes that differ 64-fold at random lifetimes are harder than a graph's.
  CHECK(sum / trials < 1.05);
  CHECK(worst < 1.5);
}

TEST_CASE("OPTG-03: lifetimes of a training step: forward values live until their backward step") {
  // Value i is written at step i and last read at step 2n - 1 - i, as in a chain and its gradient; adjoints live for one.
  const int n = 20;
  std::vector<lifetime> b;
  for (int i = 0; i < n; ++i) b.push_back({64 * (1 + i % 3), i, 2 * n - 1 - i, -1});
  for (int i = n; i < 2 * n; ++i) b.push_back({64 * (1 + i % 3), i, i + 1, -1});
  const std::int64_t total = place(b);
  CHECK(placed_well(b, total));
  CHECK(static_cast<double>(total) <= 1.05 * static_cast<double>(least(b)));
}

}  // namespace
