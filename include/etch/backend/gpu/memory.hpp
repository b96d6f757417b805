// SPDX-License-Identifier: MIT
#pragma once
#include <thrust/copy.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/fill.h>

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include <etch/core/diagnostics.hpp>

/// Memory of Thrust's device: a GPU's under nvcc, the host's where a plain C++ compiler compiles Thrust.
namespace etch::gpu {

namespace detail {
/// Runs f; what Thrust throws becomes an etch::error that says what was tried.
template <class F>
void attempt(const char* what, const F& f) {
  try {
    f();
  } catch (const std::exception& e) {
    throw error(std::string("gpu: ") + what + " failed: " + e.what());
  }
}
}  // namespace detail

/// Bytes in the device's memory, aligned as the device's allocator does: to 256 on a GPU.
class device_block {
 public:
  device_block() = default;
  device_block(device_block&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  device_block& operator=(device_block&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~device_block() { free(); }

  /// Makes room for `bytes`; keeps what it has where that is enough. Contents are not kept. An address even
  /// for 0 bytes, since accesses add to it. Throws `etch::error` where there is no such memory.
  void reserve(std::int64_t bytes) {
    if (bytes <= bytes_ && data_ != nullptr) return;
    free();
    const auto size = static_cast<std::size_t>(bytes > 0 ? bytes : 1);
    detail::attempt("allocating memory", [&] { data_ = thrust::raw_pointer_cast(thrust::device_malloc<char>(size)); });
    // Thrust throws where CUDA has none, and gives null where the host has none.
    if (data_ == nullptr) fail("gpu: there are no %lld bytes", static_cast<long long>(bytes));
    bytes_ = bytes;
  }
  char* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  /// An error here is one of an earlier kernel, or of the program's end; there is no one left to tell.
  void free() noexcept {
    try {
      if (data_ != nullptr) thrust::device_free(thrust::device_pointer_cast(data_));
    } catch (...) {
    }
    data_ = nullptr;
    bytes_ = 0;
  }

  char* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

/// What a session asks of the device's memory. Feeds and fetches are copied: `is_host` is false on a plain C++ compiler
/// too, so that what is tested there is what runs on a GPU.
struct device_memory {
  static constexpr bool is_host = false;
  using block = device_block;

  /// Copies `bytes` of the program's memory into a block.
  static void write(char* to, const void* from, std::int64_t bytes) {
    detail::attempt("copying to the device",
                    [&] { thrust::copy_n(static_cast<const char*>(from), bytes, thrust::device_pointer_cast(to)); });
  }
  /// Copies `bytes` of a block into the program's memory, after the kernels that write them.
  static void read(void* to, const char* from, std::int64_t bytes) {
    detail::attempt("copying from the device",
                    [&] { thrust::copy_n(thrust::device_pointer_cast(from), bytes, static_cast<char*>(to)); });
  }
  /// Copies `bytes` of a block into another.
  static void copy(char* to, const char* from, std::int64_t bytes) {
    detail::attempt("copying on the device",
                    [&] { thrust::copy_n(thrust::device_pointer_cast(from), bytes, thrust::device_pointer_cast(to)); });
  }
  /// Makes `bytes` of a block 0.
  static void clear(char* to, std::int64_t bytes) {
    detail::attempt("clearing on the device", [&] { thrust::fill_n(thrust::device_pointer_cast(to), bytes, '\0'); });
  }
};

}  // namespace etch::gpu
