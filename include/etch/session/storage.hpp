// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <etch/core/expression.hpp>

/// Memory of a session: aligned blocks, and the variables that live in them.
namespace etch {

/// Bytes aligned to 64: a cache line, and the widest vector.
class aligned_block {
 public:
  static constexpr std::size_t alignment = 64;

  aligned_block() = default;
  aligned_block(aligned_block&&) noexcept = default;
  aligned_block& operator=(aligned_block&&) noexcept = default;

  /// Makes room for `bytes`; keeps what it has where that is enough. Contents are not kept.
  void reserve(std::int64_t bytes) {
    if (bytes <= bytes_) return;
    data_.reset(static_cast<char*>(::operator new(static_cast<std::size_t>(bytes), std::align_val_t{alignment})));
    bytes_ = bytes;
  }
  char* data() const { return data_.get(); }
  std::int64_t bytes() const { return bytes_; }

 private:
  struct free_aligned {
    void operator()(char* p) const { ::operator delete(p, std::align_val_t{alignment}); }
  };
  std::unique_ptr<char, free_aligned> data_;
  std::int64_t bytes_ = 0;
};

/// The values of a session's variables. Shared with bound steps, so that these stay valid after the session is gone.
struct variable_store {
  struct entry {
    hash_t content = 0;
    const char* name = "";
    aligned_block memory;
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

}  // namespace etch
