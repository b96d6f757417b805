// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <etch/checkpoint.hpp>
#include <etch/data.hpp>
#include <etch/data/generator.hpp>
#include <etch/thread_pool.hpp>
#include <format/files.hpp>

/// Datasets of many kinds, saved in the midst of a round: another one that is restored goes on with the very elements.
namespace {

using namespace etch;

using numbers = std::vector<std::int64_t>;

constexpr auto squared = [](std::int64_t v) { return v * v; };
constexpr auto no_sevens = [](std::int64_t v) { return v % 7 != 0; };
constexpr auto as_one = [](const tensor<std::int64_t, 1>& b) {
  std::int64_t n = 0;
  for (std::int64_t i = 0; i < b.extent(0); ++i) n = 1000 * n + b(i);
  return n;
};
auto count_to(std::int64_t last) {
  return data::generator(
      [last] { return [last, i = std::int64_t{0}]() mutable { return i < last ? std::optional(i++) : std::nullopt; }; });
}
/// Of a round, or of its first elements.
template <class Dataset>
numbers some(Dataset& d, std::size_t most) {
  numbers values;
  if (most == 0) return values;
  for (const std::int64_t v : d) {
    values.push_back(v);
    if (values.size() == most) break;
  }
  return values;
}

/// make()'s dataset of numbers, stopped in its second round behind some of them.
template <class Make>
void check(const Make& make) {
  constexpr std::size_t all = 1000;
  auto whole = make();
  std::vector<numbers> rounds;
  for (int r = 0; r < 3; ++r) rounds.push_back(some(whole, all));
  const std::size_t size = rounds[1].size();
  REQUIRE(size >= 4);
  REQUIRE(size < all);
  const files::folder folder("checkpoint_pipelines");
  // Each place in one of the formats.
  std::size_t format = 0;
  for (const std::size_t seen : {std::size_t{1}, size / 3, size / 2 + 1, size - 1, size}) {
    const char* const extension = std::array{"", ".safetensors", ".npz"}[format++ % 3];
    CAPTURE(extension);
    CAPTURE(seen);
    const auto path = folder / ("saved" + std::to_string(seen) + extension);
    {
      auto stopped = make();
      CHECK(some(stopped, all) == rounds[0]);
      CHECK(some(stopped, seen) == numbers(rounds[1].begin(), rounds[1].begin() + static_cast<std::ptrdiff_t>(seen)));
      checkpoint c;
      c.track("data", stopped);
      seen % 2 == 0 ? c.save(path) : c.save_in_background(path);
    }
    auto resumed = make();
    // In the midst of something else.
    some(resumed, 2);
    checkpoint c;
    c.track("data", resumed);
    c.restore(path);
    // A loop that was left behind its last element goes on with nothing.
    CHECK(some(resumed, all) == numbers(rounds[1].begin() + static_cast<std::ptrdiff_t>(seen), rounds[1].end()));
    CHECK(some(resumed, all) == rounds[2]);
  }
}

}  // namespace

TEST_CASE("CKPT-05: datasets that repeat go on from a checkpoint in the turn in which they were") {
  check([] { return data::range(7).shuffle(7, 3).repeat(3); });
  check([] { return data::range(7).shuffle(3, 3).batch(3).repeat(3).map(as_one); });
  check([] { return data::range(7).shuffle(7, 3).repeat().take(25); });
  check([] { return data::range(5).repeat(2).shuffle(4, 8).repeat(2); });
}
TEST_CASE("CKPT-05: streams go on from a checkpoint") {
  check([] { return count_to(20); });
  check([] { return count_to(20).shuffle(5, 1).map(squared); });
  check([] { return count_to(9).shuffle(5, 1).repeat(3).batch(4).map(as_one); });
  check([] { return data::range(30).filter(no_sevens); });
  check([] { return data::range(30).shuffle(30, 2).filter(no_sevens).shuffle(6, 3).batch(2).map(as_one); });
}
TEST_CASE("CKPT-05: parallel maps and prefetch go on from a checkpoint with what the loop has seen, not with what they had made") {
  thread_pool pool(2);
  check([&] { return data::range(50).map(squared, pool); });
  check([&] { return data::range(50).map(squared, pool).shuffle(20, 4); });
  check([&] { return data::range(50).shuffle(50, 4).filter(no_sevens).map(squared, pool); });
  check([] { return data::range(50).shuffle(50, 4).prefetch(8); });
  check([] { return count_to(30).shuffle(8, 4).prefetch(5).batch(3).map(as_one).prefetch(2); });
  check([&] {
    return data::range(20).shuffle(20, 5).filter(no_sevens).map(squared, pool).prefetch(4).repeat(2).batch(3).map(as_one);
  });
}
TEST_CASE("CKPT-05: a checkpoint of a parallel map is restored in a map without threads, and the other way round") {
  const files::folder folder("checkpoint_pipelines");
  thread_pool pool(3);
  const auto serial = [] { return data::range(90).shuffle(40, 1).filter(no_sevens).map(squared); };
  const auto parallel = [&] { return data::range(90).shuffle(40, 1).filter(no_sevens).map(squared, pool).prefetch(3); };
  auto whole = serial();
  const numbers expected = some(whole, 1000);
  const auto check_pair = [&](auto from, auto to) {
    some(from, 50);
    {
      checkpoint c;
      c.track("data", from);
      c.save(folder / "saved");
    }
    checkpoint c;
    c.track("data", to);
    c.restore(folder / "saved");
    CHECK(some(to, 1000) == numbers(expected.begin() + 50, expected.end()));
  };
  check_pair(serial(), parallel());
  check_pair(parallel(), serial());
}
