// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <etch/core/expression.hpp>

/// What a session keeps in its backend's memory: the values of its variables, and arrays on their way in and out.
namespace etch {

/// The values of a session's variables. Shared with bound steps, so that these stay valid after the session is gone.
template <class Memory>
struct variable_store {
  struct entry {
    hash_t content = 0;
    const char* name = "";
    typename Memory::block memory;
    std::int64_t elements = 0;
    bool initialised = false;
  };
  std::vector<entry> entries;
  std::uint64_t seed = 0;
  std::uint64_t runs = 0;  ///< runs that drew random numbers
  bool closed = false;

  entry& at(hash_t content) {
    for (entry& e : entries)
      if (e.content == content) return e;
    throw error("session: this variable is not in the session's graph");
  }
};

/// The program's arrays as a backend sees them: where its memory is the host's, where they lie.
template <int Arrays, class Memory, bool Host = Memory::is_host>
class transfers {
 public:
  /// The address at which the backend finds (or leaves) array `i`.
  char* place(int, void* array, std::int64_t) { return static_cast<char*>(array); }
  void copy_in() {}
  void copy_out() {}
};

/// Else in a block each, to which they are copied before a run, or from which after it.
template <int Arrays, class Memory>
class transfers<Arrays, Memory, false> {
 public:
  char* place(int i, void* array, std::int64_t bytes) {
    arrays_[i] = array;
    bytes_[i] = bytes;
    blocks_[i].reserve(bytes);
    return blocks_[i].data();
  }
  void copy_in() {
    for (int i = 0; i < Arrays; ++i)
      if (bytes_[i] > 0) Memory::write(blocks_[i].data(), arrays_[i], bytes_[i]);
  }
  void copy_out() {
    for (int i = 0; i < Arrays; ++i)
      if (bytes_[i] > 0) Memory::read(arrays_[i], blocks_[i].data(), bytes_[i]);
  }

 private:
  typename Memory::block blocks_[Arrays + 1];
  void* arrays_[Arrays + 1]{};
  std::int64_t bytes_[Arrays + 1]{};
};

}  // namespace etch
