// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <etch/core/diagnostics.hpp>

/// Memory that the program itself can read: what backends on the host work in.
namespace etch {

/// Bytes aligned to 64: a cache line, and the widest vector; large blocks to 2 MiB, in pages of that size where the system has some for who
/// asks (Linux, unless its transparent huge pages are "never"). A large weight's rows lie in a page each otherwise, and more pages than the
/// processor keeps addresses of. (Not a std::unique_ptr: each of those takes g++ 12 18 ms.)
class aligned_block {
 public:
  static constexpr std::size_t alignment = 64, huge_page = std::size_t{1} << 21;
  static constexpr std::int64_t large = 2 * static_cast<std::int64_t>(huge_page);

  aligned_block() = default;
  aligned_block(aligned_block&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  aligned_block& operator=(aligned_block&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~aligned_block() { release(); }

  /// Makes room for `bytes`; keeps what it has where that is enough. Contents are not kept. An address even for 0 bytes. Throws
  /// `etch::error` where there is no such memory.
  void reserve(std::int64_t bytes) {
    if (bytes <= bytes_ && data_ != nullptr) return;
    release();
    data_ = nullptr;
    bytes_ = 0;
    data_ = static_cast<char*>(::operator new(static_cast<std::size_t>(bytes), alignment_of(bytes), std::nothrow));
    if (data_ == nullptr) fail("memory: there are no %lld bytes", static_cast<long long>(bytes));
    bytes_ = bytes;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    // Of whole huge pages only, and without them nothing is worse: what it answers is no matter.
    if (bytes >= large) madvise(data_, static_cast<std::size_t>(bytes) / huge_page * huge_page, MADV_HUGEPAGE);
#endif
  }
  char* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  static constexpr std::align_val_t alignment_of(std::int64_t bytes) {
    return std::align_val_t{bytes >= large ? huge_page : alignment};
  }
  void release() { ::operator delete(data_, alignment_of(bytes_)); }

  char* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

/// What a session asks of a backend's memory: blocks of it, and copies between these and the program's arrays. Where
/// `is_host`, a plan reads what is fed and writes what is fetched in place, and nothing is copied.
struct host_memory {
  static constexpr bool is_host = true;
  using block = aligned_block;

  /// Copies `bytes` of the program's memory into a block.
  static void write(char* to, const void* from, std::int64_t bytes) {
    if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
  /// Copies `bytes` of a block into the program's memory.
  static void read(void* to, const char* from, std::int64_t bytes) {
    if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
  /// Copies `bytes` of a block into another.
  static void copy(char* to, const char* from, std::int64_t bytes) { write(to, from, bytes); }
  /// Makes `bytes` of a block 0.
  static void clear(char* to, std::int64_t bytes) {
    if (bytes > 0) std::memset(to, 0, static_cast<std::size_t>(bytes));
  }
};

}  // namespace etch
