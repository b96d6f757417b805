// SPDX-License-Identifier: MIT
// Not with the thread sanitizer of clang, which has operators of its own that cannot be replaced.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ETCH_HEAP_IS_THE_SANITIZERS
#endif
#endif
#ifndef ETCH_HEAP_IS_THE_SANITIZERS
#include <atomic>
#include <cstdlib>
#include <new>

#include <etch/summary.hpp>

#include "readers.hpp"

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

TEST_CASE("P8: a scalar is written without touching the heap") {
  const readers::folder folder("heap");
  etch::summary::file_writer writer(folder.path);
  writer.scalar("loss", 0, 0);
  const long before = allocations;
  for (int i = 1; i < 10000; ++i) writer.scalar("a tag that is longer than what a std::string holds without the heap", i, i);
  writer.flush();
  CHECK(allocations == before);
}
#endif
