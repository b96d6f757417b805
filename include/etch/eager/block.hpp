// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <new>

#include <etch/core/diagnostics.hpp>

/// Memory of eager values: one allocation for each, counted by its owners.
namespace etch::eager {

/// An allocation: this header, and the elements behind it. Owners may be of several threads.
class alignas(64) block {
 public:
  /// One with room for that many bytes, and one owner. Throws `etch::error` where there is no such memory.
  static block* make(std::int64_t bytes);

  char* elements() { return reinterpret_cast<char*>(this + 1); }
  void take() { __atomic_fetch_add(&owners_, 1, __ATOMIC_RELAXED); }
  /// The last owner gives the memory back. It is alone then, and need not lock the bus to say so.
  void release() {
    if (is_owned_once() || __atomic_sub_fetch(&owners_, 1, __ATOMIC_ACQ_REL) == 0) give_back();
  }
  bool is_owned_once() const { return __atomic_load_n(&owners_, __ATOMIC_ACQUIRE) == 1; }
  std::int64_t bytes() const { return bytes_; }

 private:
  friend class shelf;
  explicit block(std::int64_t bytes) : bytes_(bytes) {}
  void give_back();

  std::int64_t owners_ = 1;
  std::int64_t bytes_;     ///< that were asked for
  int size_class_ = -1;    ///< of the shelf that it came from; -1: none
  block* next_ = nullptr;  ///< on that shelf
};

/// Blocks of a few sizes that this thread has used and keeps: `new` and `delete` of 128 aligned bytes take 45 ns together, more than
/// an addition of four floats with all else; to take one from here and to put it back takes 3.
class shelf {
 public:
  block* make(std::int64_t bytes) {
    const int c = class_of(bytes);
    if (c < classes && first_[c] != nullptr) {
      live_ += bytes;
      block* const b = first_[c];
      first_[c] = b->next_;
      --count_[c];
      b->owners_ = 1;
      b->bytes_ = bytes;
      return b;
    }
    const std::size_t room = sizeof(block) + static_cast<std::size_t>(c < classes ? std::int64_t{64} << c : bytes);
    void* const memory = ::operator new(room, std::align_val_t{64}, std::nothrow);
    if (memory == nullptr) fail("eager: there are no %lld bytes", static_cast<long long>(bytes));
    block* const b = new (memory) block(bytes);
    if (c < classes) b->size_class_ = c;
    live_ += bytes;
    return b;
  }
  void give_back(block* b) {
    live_ -= b->bytes_;
    const int c = b->size_class_;
    if (c < 0 || count_[c] >= most_kept || is_closed_) {
      ::operator delete(b, std::align_val_t{64});
      return;
    }
    if (!is_in_use_) open();
    b->next_ = first_[c];
    first_[c] = b;
    ++count_[c];
  }
  std::int64_t live_bytes() const { return live_; }

 private:
  static constexpr int classes = 14;  ///< 64 bytes to 512 KiB
  static constexpr int most_kept = 8;

  /// Gives all back when the thread ends; values that end later give theirs back by themselves.
  struct closing {
    shelf* of;
    ~closing() { of->close(); }
  };
  void open() {
    static thread_local closing at_the_end{this};
    is_in_use_ = at_the_end.of == this;
  }
  void close() {
    is_closed_ = true;
    for (block*& first : first_)
      while (first != nullptr) {
        block* const b = first;
        first = b->next_;
        ::operator delete(b, std::align_val_t{64});
      }
  }
  static int class_of(std::int64_t bytes) {
    return bytes <= 64 ? 0 : 58 - __builtin_clzll(static_cast<unsigned long long>(bytes - 1));
  }

  block* first_[classes] = {};
  int count_[classes] = {};
  std::int64_t live_ = 0;
  bool is_in_use_ = false;
  bool is_closed_ = false;
};

/// This thread's.
inline constinit thread_local shelf this_shelf{};

inline block* block::make(std::int64_t bytes) { return this_shelf.make(bytes); }
inline void block::give_back() { this_shelf.give_back(this); }

/// The bytes of all values that this thread has made, less those that it has given back.
inline std::int64_t live_bytes() { return this_shelf.live_bytes(); }

}  // namespace etch::eager
