// SPDX-License-Identifier: MIT
#pragma once
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <etch/core/diagnostics.hpp>

namespace etch::format {

/// Writes a file beside the one that it becomes at `commit`: who reads sees all of the old file or all of the new one, also where the
/// program ends in between. Without `commit` nothing is left. Throws `etch::error` with the file's name and the system's reason.
class output_file {
 public:
  explicit output_file(const std::filesystem::path& path)
      : name_(path.string()), part_(name_ + "." + std::to_string(::getpid()) + ".part") {
    file_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) fail("%s: %s", part_.c_str(), std::strerror(errno));
    buffer_.reserve(buffer_size);
  }
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  ~output_file() {
    if (file_ >= 0) ::close(file_);
    if (!is_committed_) ::unlink(part_.c_str());
  }

  const std::string& name() const { return name_; }
  /// Of the next byte in the file.
  std::uint64_t offset() const { return offset_; }

  void write(std::span<const std::byte> bytes) {
    offset_ += bytes.size();
    if (buffer_.size() + bytes.size() > buffer_size) flush();
    if (bytes.size() >= buffer_size)
      put(bytes);
    else
      buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  }
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  /// An integer or a float with its lowest byte first.
  template <class T>
    requires std::is_arithmetic_v<T>
  void write_little(T value) {
    write(std::as_bytes(std::span(&value, 1)));
  }

  /// Flushes it to the disk, and gives it its name.
  void commit() {
    flush();
    if (::fsync(file_) != 0) refuse();
    const int closed = ::close(std::exchange(file_, -1));
    if (closed != 0 || ::rename(part_.c_str(), name_.c_str()) != 0) refuse();
    is_committed_ = true;
  }

 private:
  static constexpr std::size_t buffer_size = 1 << 16;

  [[noreturn]] void refuse() const { fail("%s: %s", name_.c_str(), std::strerror(errno)); }
  void flush() {
    put(buffer_);
    buffer_.clear();
  }
  void put(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(file_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) refuse();
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
  }

  std::string name_, part_;
  int file_ = -1;
  bool is_committed_ = false;
  std::uint64_t offset_ = 0;
  std::vector<std::byte> buffer_;
};

}  // namespace etch::format
