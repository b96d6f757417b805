// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include <etch/core/expression.hpp>

/// What a session keeps in its backend's memory: the values of its variables, and arrays on their way in and out.
namespace etch {

/// The values of a session's variables, at an address that stays as the session moves.
template <class Memory>
struct variable_store {
  explicit variable_store(int variables) : entries(new entry[static_cast<std::size_t>(variables)]), count(variables) {}
  variable_store(const variable_store&) = delete;
  variable_store& operator=(const variable_store&) = delete;
  ~variable_store() { delete[] entries; }

  struct entry {
    hash_t content = 0;
    const char* name = "";
    typename Memory::block memory;
    std::int64_t elements = 0;
    bool initialised = false;

    void check_initialised() const {
      if (!initialised)
        fail("run: variable \"%s\" has no value; call initialize() or set() first", name);
    }
  };
  entry* entries;
  int count;
  std::uint64_t seed = 0;
  std::uint64_t runs = 0;  ///< runs that drew random numbers
  bool closed = false;
  std::atomic_flag pool_in_use;  ///< of the session
  std::atomic<int> owners = 1;

  entry& at(hash_t content) {
    for (int i = 0; i < count; ++i)
      if (entries[i].content == content) return entries[i];
    fail("session: this variable is not in the session's graph");
  }
};

/// A share in a store: bound steps have one, so that they stay valid after the session is gone.
template <class Memory>
class shared_variables {
 public:
  explicit shared_variables(int variables) : store_(new variable_store<Memory>(variables)) {}
  shared_variables(const shared_variables& other) : store_(other.store_) { ++store_->owners; }
  shared_variables(shared_variables&& other) noexcept : store_(std::exchange(other.store_, nullptr)) {}
  shared_variables& operator=(shared_variables&& other) noexcept {
    std::swap(store_, other.store_);
    return *this;
  }
  ~shared_variables() {
    if (store_ != nullptr && --store_->owners == 0) delete store_;
  }

  variable_store<Memory>& operator*() const { return *store_; }
  variable_store<Memory>* operator->() const { return store_; }

 private:
  variable_store<Memory>* store_;
};

/// The program's arrays as a backend sees them: where its memory is the host's, where they lie.
template <class Memory, bool Host = Memory::is_host>
class transfers {
 public:
  explicit transfers(int) {}
  /// The address at which the backend finds (or leaves) array `i`. Kernels may add to it, though an empty array has none.
  char* place(int, void* array, std::int64_t) { return array != nullptr ? static_cast<char*>(array) : nowhere_; }
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
