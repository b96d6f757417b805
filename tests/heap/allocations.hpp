// SPDX-License-Identifier: MIT
#pragma once
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

// For one file of a program. Not with the thread sanitizer of clang, which has operators of its own that cannot be replaced.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ETCH_HEAP_IS_THE_SANITIZERS
#endif
#endif
#ifndef ETCH_HEAP_IS_THE_SANITIZERS

// Every allocation of this program is counted, and how many bytes live.
namespace {
std::atomic<long> allocations{0}, live_bytes{0};

void* counted(void* p) {
  ++allocations;
  if (p != nullptr) live_bytes += static_cast<long>(malloc_usable_size(p));
  return p;
}
void release(void* p) {
  if (p != nullptr) live_bytes -= static_cast<long>(malloc_usable_size(p));
  std::free(p);
}
}  // namespace
[[gnu::noinline]] void* operator new(std::size_t n) {
  if (void* p = counted(std::malloc(n == 0 ? 1 : n))) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t n, std::align_val_t a) {
  const std::size_t alignment = static_cast<std::size_t>(a);
  if (void* p = counted(std::aligned_alloc(alignment, (n + alignment - 1) / alignment * alignment))) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  const std::size_t alignment = static_cast<std::size_t>(a);
  return counted(std::aligned_alloc(alignment, (n + alignment - 1) / alignment * alignment));
}
[[gnu::noinline]] void operator delete(void* p) noexcept { release(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { release(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { release(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }

#endif
