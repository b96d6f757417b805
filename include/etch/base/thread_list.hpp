// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>

#include <etch/config.hpp>

/// What a thread has open, the innermost first, where any thread may destroy an object that stands for an entry.
namespace etch {

/// Another number for each thread, also for one that begins when others have ended.
inline std::uint64_t thread_number() {
  static std::uint64_t threads = 0;
  static thread_local const std::uint64_t number = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
  return number;
}

/// The base of an `Entry`, which is kept by an object and, until that closes it, by the list of the thread that has made it. Other threads
/// do not touch the list: they mark the entry, and its own thread lets go of it. `Entry::innermost()` is the calling thread's list, `outer`
/// of an entry the next one.
template <class Entry>
class thread_listed {
 public:
  thread_listed(const thread_listed&) = delete;
  thread_listed& operator=(const thread_listed&) = delete;

  /// Whether the calling thread is the one that has made it.
  bool is_of_this_thread() const { return thread_ == thread_number(); }
  /// Takes it from the list: at once, or when its thread looks there next.
  void close() noexcept {
    is_closed_.store(true, std::memory_order_release);
    if (is_of_this_thread()) unlink_closed();
  }
  bool is_closed() const { return is_closed_.load(std::memory_order_acquire); }
  /// The object that stands for it is gone.
  void end() noexcept {
    Entry* const entry = static_cast<Entry*>(this);
    // Mostly it is its own thread that has both shares; an atomic subtraction takes as long as an addition of 4 floats.
    if (is_of_this_thread() && !is_closed())
      for (auto* at = &Entry::innermost(); *at != nullptr; at = &static_cast<Entry&>(**at).outer)
        if (*at == entry) {
          *at = entry->outer;
          delete entry;
          return;
        }
    close();
    release();
  }
  /// Lets go of what is closed in this thread's list.
  ETCH_NOINLINE static void unlink_closed() noexcept {
    for (auto* at = &Entry::innermost(); *at != nullptr;) {
      Entry& e = static_cast<Entry&>(**at);
      if (e.is_closed())
        unlink(*at);
      else
        at = &e.outer;
    }
  }

 protected:
  thread_listed() { static thread_local const at_exit lets_go_of_all; }
  ~thread_listed() = default;

 private:
  struct at_exit {
    at_exit() = default;
    ~at_exit() {
      while (Entry::innermost() != nullptr) unlink(Entry::innermost());
    }
  };
  void release() noexcept {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete static_cast<Entry*>(this);
  }
  template <class Pointer>
  static void unlink(Pointer& place) {
    Entry& e = static_cast<Entry&>(*place);
    place = e.outer;
    e.release();
  }

  const std::uint64_t thread_ = thread_number();
  std::atomic<int> owners_ = 2;
  std::atomic<bool> is_closed_ = false;
};

}  // namespace etch
