// SPDX-License-Identifier: MIT
// Not with the thread sanitizer of clang, which has operators of its own that cannot be replaced.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ETCH_HEAP_IS_THE_SANITIZERS
#endif
#endif
#ifndef ETCH_HEAP_IS_THE_SANITIZERS
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include <etch/data.hpp>

// Every allocation of this program is counted.
namespace {
std::atomic<long> allocations{0};
}
[[gnu::noinline]] void* operator new(std::size_t n) {
  ++allocations;
  if (void* p = std::malloc(n == 0 ? 1 : n)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

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
