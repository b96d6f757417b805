// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <etch/backend/step_sharing.hpp>
#include <etch/core/expression.hpp>

/// What a session keeps in its backend's memory: the values of its variables, and arrays on their way in and out.
namespace etch {

/// A variable as a session makes room for it.
struct variable_description {
  hash_t content = 0;
  const char* name = "";
  tensor_type type;  ///< extents are numbers
  std::int64_t elements = 0;
  bool trainable = false;

  constexpr std::int64_t bytes() const { return elements * size_of_dtype(type.type); }
};

template <class Memory>
class session_state;

/// The values of a session's variables, and what its runs share, at an address that stays as the session moves.
template <class Memory>
struct variable_store {
  /// Throws `etch::error` where there is no memory for a variable. It delegates, so that the destructor then frees the others'.
  variable_store(const variable_description* variables, int size) : variable_store() {
    entries = new entry[static_cast<std::size_t>(size)];
    by_content = new int[static_cast<std::size_t>(size)];
    count = size;
    for (int i = 0; i < count; ++i) {
      entries[i].what = variables[i];
      entries[i].memory.reserve(variables[i].bytes() + 64);
      // Insertion: std::sort is 830 lines of GIMPLE in every program (g++ 12 -O2), a thirtieth of a training step.
      int at = i;
      for (; at > 0 && entries[by_content[at - 1]].what.content > entries[i].what.content; --at)
        by_content[at] = by_content[at - 1];
      by_content[at] = i;
    }
  }
  variable_store(const variable_store&) = delete;
  variable_store& operator=(const variable_store&) = delete;
  ~variable_store() {
    delete[] entries;
    delete[] by_content;
  }

  struct entry {
    variable_description what;
    typename Memory::block memory;
    std::atomic<bool> has_value = false;  ///< runs mark what they have assigned while others are bound

    bool is_initialised() const { return has_value.load(std::memory_order_relaxed); }
    void mark_initialised() {
      if (!is_initialised()) has_value.store(true, std::memory_order_relaxed);
    }
    void forget_value() { has_value.store(false, std::memory_order_relaxed); }
    void check_initialised() const {
      if (!is_initialised()) fail("run: variable \"%s\" has no value; call initialize() or set() first", what.name);
    }
  };
  entry* entries = nullptr;
  int* by_content = nullptr;  ///< entries in the order of their contents
  int count = 0;
  std::uint64_t seed = 0;
  std::atomic<std::uint64_t> runs = 0;  ///< that drew random numbers
  std::atomic<int> active = 0;          ///< runs, not of bound steps, that are going on
  step_sharing sharing;                 ///< of plans that are bound from now on
  std::optional<bool> keeps_denormals;  ///< what all runs do; without it each does as its plan says
  bool closed = false;
  std::atomic_flag pool_in_use;              ///< of the session
  session_state<Memory>* session = nullptr;  ///< where it is now; null where it is closed or gone
  std::atomic<int> owners = 1;

  /// Null where it is not among them.
  entry* find(hash_t content) const {
    int low = 0, high = count;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (entries[by_content[middle]].what.content < content)
        low = middle + 1;
      else
        high = middle;
    }
    return low < count && entries[by_content[low]].what.content == content ? &entries[by_content[low]] : nullptr;
  }
  entry& at(hash_t content) const {
    entry* const e = find(content);
    if (e == nullptr) fail("session: this variable is not in the session's graph");
    return *e;
  }
  /// Whether a run of a plan that would or would not do so counts subnormal numbers as 0.
  bool flushes_denormals(bool by_plan) const { return keeps_denormals ? !*keeps_denormals : by_plan; }
  /// Whether its runs keep them, whatever their thread has set.
  bool always_keeps_denormals() const { return keeps_denormals && *keeps_denormals; }
  /// The number of the next run that draws random numbers: another for each, whatever thread it is of.
  std::uint64_t next_run() { return runs.fetch_add(1, std::memory_order_relaxed) + 1; }

 private:
  variable_store() = default;
};

/// A share in a store: bound steps have one, so that they stay valid after the session is gone. Empty once it has been moved from.
template <class Memory>
class shared_variables {
 public:
  shared_variables(const variable_description* variables, int count) : store_(new variable_store<Memory>(variables, count)) {}
  shared_variables(const shared_variables& other) : store_(other.store_) { ++store_->owners; }
  shared_variables(shared_variables&& other) noexcept : store_(std::exchange(other.store_, nullptr)) {}
  shared_variables& operator=(shared_variables&& other) noexcept {
    if (this != &other) {
      release();
      store_ = std::exchange(other.store_, nullptr);
    }
    return *this;
  }
  ~shared_variables() { release(); }

  variable_store<Memory>& operator*() const { return *store_; }
  variable_store<Memory>* operator->() const { return store_; }
  explicit operator bool() const { return store_ != nullptr; }

 private:
  void release() {
    if (store_ != nullptr && --store_->owners == 0) delete store_;
    store_ = nullptr;
  }
  variable_store<Memory>* store_;
};

/// The program's arrays as a backend sees them: where its memory is the host's, where they lie.
template <class Memory, bool Host = Memory::is_host>
class transfers {
 public:
  explicit transfers(int) {}
  /// The address at which the backend finds (or leaves) array `i`. Kernels may add to it, though an empty array has none.
  char* place(int, void* array, std::int64_t) { return array != nullptr ? static_cast<char*>(array) : nowhere_; }
  /// The same, of another array of as many bytes.
  char* move(int i, void* array) { return place(i, array, 0); }
  void copy_in() {}
  void copy_out() {}

 private:
  alignas(64) static inline char nowhere_[64] = {};
};

/// Else in a block each, to which they are copied before a run, or from which after it.
template <class Memory>
class transfers<Memory, false> {
 public:
  explicit transfers(int arrays) : places_(std::make_unique<transfer[]>(static_cast<std::size_t>(arrays))), count_(arrays) {}
  char* place(int i, void* array, std::int64_t bytes) {
    transfer& t = places_.get()[i];
    t.array = array;
    t.bytes = bytes;
    t.block.reserve(bytes);
    return t.block.data();
  }
  char* move(int i, void* array) {
    places_.get()[i].array = array;
    return places_.get()[i].block.data();
  }
  void copy_in() {
    for (int i = 0; i < count_; ++i)
      if (places_.get()[i].bytes > 0) Memory::write(places_.get()[i].block.data(), places_.get()[i].array, places_.get()[i].bytes);
  }
  void copy_out() {
    for (int i = 0; i < count_; ++i)
      if (places_.get()[i].bytes > 0) Memory::read(places_.get()[i].array, places_.get()[i].block.data(), places_.get()[i].bytes);
  }

 private:
  struct transfer {
    typename Memory::block block;
    void* array = nullptr;
    std::int64_t bytes = 0;
  };
  std::unique_ptr<transfer[]> places_;
  int count_;
};

}  // namespace etch
