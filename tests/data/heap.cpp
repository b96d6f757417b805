// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <heap/allocations.hpp>

#ifndef ETCH_HEAP_IS_THE_SANITIZERS
#include <etch/data.hpp>
#include <etch/thread_pool.hpp>

namespace {

using namespace etch;

/// Of one round from its second element on.
template <class Dataset>
long allocations_of(Dataset& d) {
  long before = -1;
  for ([[maybe_unused]] auto element : d)
    if (before < 0) before = allocations;
  return allocations - before;
}

}  // namespace

TEST_CASE("a round makes no heap call behind its first batch, a further one not for its first") {
  const xt::xtensor<float, 3> images = xt::zeros<float>({103, 4, 5});
  const xt::xtensor<int, 1> labels = xt::zeros<int>({103});
  const auto slices = data::slices(images, labels);
  thread_pool pool(2);
  const auto check = [](auto d) {
    CHECK(allocations_of(d) == 0);
    const long before = allocations;
    for ([[maybe_unused]] auto element : d) {
    }
    CHECK(allocations == before);
  };
  check(slices);
  check(slices.batch(10));
  check(slices.shuffle(1000).batch(10));
  check(slices.skip(3).shard(2, 1).repeat(2).batch(10, true));
  check(data::zip(slices, data::range(200)).concatenate(data::zip(slices, data::range(200))).shuffle(7).batch(10));
  check(slices.shuffle(1000).batch(10).unbatch());
  check(slices.window(5, 2).enumerate().padded_batch(3));
  // Numbers: the first array that a thread makes is memory of that thread, whichever element it is.
  check(data::range(103).shuffle(1000).map([](std::int64_t y) { return y * y; }, pool).batch(10));
  auto cached = slices.map([](const auto&, int y) { return y; }, pool).cache().shuffle(1000).batch(10);
  allocations_of(cached);
  CHECK(allocations_of(cached) == 0);
  auto prefetched = slices.shuffle(1000).batch(10).prefetch(2);
  for ([[maybe_unused]] auto element : prefetched) {
  }
  // Its thread is another one each round.
  const long before = allocations;
  for ([[maybe_unused]] auto element : prefetched) {
  }
  CHECK(allocations - before <= 1);
}
#endif
