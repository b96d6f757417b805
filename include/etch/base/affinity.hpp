// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#ifdef __linux__
#include <sched.h>
#include <unistd.h>
#endif

namespace etch {

/// Keeps a thread, while it sleeps, off the processor of the one that wakes it. Linux often lets a thread that has slept for long go on where
/// its waker runs, though others are idle, and takes some 10 ms to move it: of runs of two tasks of 0.5 ms after 0.2 s of rest 54 to 73 % took
/// as long as with one thread (Linux 6.18, two virtual processors; `bench/thread_wake`). Where it is not Linux nothing is done.
class sleeper_affinity {
 public:
#ifdef __linux__
  /// The thread itself, once, before it sleeps for the first time: where it may run after each sleep.
  void begin() noexcept {
    thread_ = ::gettid();
    has_home_ = ::sched_getaffinity(0, sizeof home_, &home_) == 0;
  }
  void before_sleep() noexcept { sleeps_.store(has_home_, std::memory_order_release); }
  void after_sleep() noexcept {
    sleeps_.store(false, std::memory_order_relaxed);
    if (has_home_) ::sched_setaffinity(0, sizeof home_, &home_);
  }
  /// Another thread, before it wakes this one. Without effect where this one has no other processor.
  void keep_off(int processor) noexcept {
    if (processor < 0 || processor >= CPU_SETSIZE || !sleeps_.load(std::memory_order_acquire)) return;
    cpu_set_t others = home_;
    CPU_CLR(static_cast<unsigned>(processor), &others);
    ::sched_setaffinity(thread_, sizeof others, &others);
  }
  /// The calling thread's; -1 where it is not known.
  static int processor() noexcept { return ::sched_getcpu(); }

 private:
  std::atomic<bool> sleeps_ = false;
  bool has_home_ = false;
  pid_t thread_ = 0;
  cpu_set_t home_{};
#else
  void begin() noexcept {}
  void before_sleep() noexcept {}
  void after_sleep() noexcept {}
  void keep_off(int) noexcept {}
  static int processor() noexcept { return -1; }
#endif
};

}  // namespace etch
