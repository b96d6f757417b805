// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <etch/core/diagnostics.hpp>

namespace etch::format {

/// A file's bytes, mapped into memory, which read from the disk what is looked at. Throws `etch::error` where it cannot be opened or is no
/// file. Who cuts a file that is mapped takes the program down (SIGBUS, as with every mapping): replace files, do not shorten them.
class input_file {
 public:
  explicit input_file(const std::filesystem::path& path) : name_(path.string()) {
    const int file = ::open(name_.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail("%s: %s", name_.c_str(), std::strerror(errno));
    struct stat status = {};
    const bool is_file = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    size_ = is_file ? static_cast<std::size_t>(status.st_size) : 0;
    if (size_ > 0) memory_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    const int mapping_error = errno;
    ::close(file);
    if (!is_file) fail("%s: it is no file", name_.c_str());
    if (memory_ == MAP_FAILED) {
      memory_ = nullptr;
      fail("%s: %s", name_.c_str(), std::strerror(mapping_error));
    }
  }
  input_file(input_file&& other) noexcept
      : name_(std::move(other.name_)), memory_(std::exchange(other.memory_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  input_file& operator=(input_file other) noexcept {
    std::swap(name_, other.name_);
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~input_file() {
    if (memory_ != nullptr) ::munmap(memory_, size_);
  }

  /// The path as it was given.
  const std::string& name() const { return name_; }
  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(memory_), size_}; }

 private:
  std::string name_;
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

/// A file's bytes in memory of the caller's, which is kept from one small file to the next: a mapping costs some microseconds and the
/// faults of its pages. Throws `etch::error` as `input_file` does.
inline std::span<const std::byte> read_file(const std::filesystem::path& path, std::vector<std::byte>& memory) {
  const std::string name = path.string();
  const int file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail("%s: %s", name.c_str(), std::strerror(errno));
  struct stat status = {};
  const bool is_file = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  std::size_t size = 0;
  ssize_t more = is_file ? 1 : 0;
  if (is_file) memory.resize(std::max(memory.size(), static_cast<std::size_t>(status.st_size) + 1));
  while (more > 0) {
    if (size == memory.size()) memory.resize(2 * size);  // it grew meanwhile
    do more = ::read(file, memory.data() + size, memory.size() - size);
    while (more < 0 && errno == EINTR);
    if (more > 0) size += static_cast<std::size_t>(more);
  }
  const int reading_error = errno;
  ::close(file);
  if (!is_file) fail("%s: it is no file", name.c_str());
  if (more < 0) fail("%s: %s", name.c_str(), std::strerror(reading_error));
  return std::span(memory).first(size);
}

}  // namespace etch::format
