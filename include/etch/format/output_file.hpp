// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <etch/core/diagnostics.hpp>

namespace etch::format {

/// Waits until the names of a folder's files are on the disk. Throws `etch::error`.
inline void flush_folder(const std::filesystem::path& folder) {
  const std::string name = folder.empty() ? "." : folder.string();
  const int file = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool is_flushed =
      file >= 0 && (::fsync(file) == 0 || errno == EINVAL);  // EINVAL: this kind of file system has no need of it
  const int cause = errno;
  if (file >= 0) ::close(file);
  if (!is_flushed) fail("%s: %s", name.c_str(), std::strerror(cause));
}

/// A file that is there as a whole or as it was before: it is written beside, as `path.unfinished`, and takes its name in `commit()`,
/// when its bytes are on the disk. Without a `commit()` nothing changes. Errors throw `etch::error` with the file and the cause: no space,
/// no permission, no folder, another program that writes it.
class output_file {
 public:
  explicit output_file(const std::filesystem::path& path) : path_(path), name_(path.string()), beside_(unfinished(path)) {
    // What a killed program has left is written again. A lock, where the file system has them, since another program may be at work there;
    // it may also have given the file its name between the two calls.
    for (;;) {
      file_ = ::open(beside_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
      if (file_ < 0) stop(errno);
      if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        ::close(std::exchange(file_, -1));
        fail("%s: it is being written by another program or thread", name_.c_str());
      }
      struct stat opened = {}, named = {};
      if (::fstat(file_, &opened) == 0 && ::stat(beside_.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
          opened.st_dev == named.st_dev)
        break;
      ::close(std::exchange(file_, -1));
    }
    if (::ftruncate(file_, 0) != 0) stop(errno);
    buffer_.reserve(buffer_size);
  }
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  ~output_file() { abandon(); }

  /// Where a file of this path is while it is written.
  static std::string unfinished(const std::filesystem::path& path) { return path.string() + ".unfinished"; }

  const std::string& name() const { return name_; }
  /// Bytes so far.
  std::size_t size() const { return size_; }

  void write(std::span<const std::byte> bytes) {
    size_ += bytes.size();
    if (buffer_.size() + bytes.size() > buffer_size) {
      write_through(buffer_);
      buffer_.clear();
      if (bytes.size() >= buffer_size) return write_through(bytes);
    }
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  }
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  /// The file is on the disk under its name, in place of one that had it.
  void commit() {
    write_through(buffer_);
    buffer_.clear();
    if (::fsync(file_) != 0) stop(errno);
    if (::rename(beside_.c_str(), name_.c_str()) != 0) stop(errno);
    // Some file systems say only now that there was no space.
    if (::close(std::exchange(file_, -1)) != 0) fail("%s: %s", name_.c_str(), std::strerror(errno));
    flush_folder(path_.parent_path());
  }

 private:
  static constexpr std::size_t buffer_size = 1 << 16;

  void write_through(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(file_, bytes.data(), std::min<std::size_t>(bytes.size(), 1 << 23));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) stop(errno);
#if defined(SYNC_FILE_RANGE_WRITE)
      // The disk begins at once, not when the memory for it is full or `commit()` waits.
      ::sync_file_range(file_, written_, written, SYNC_FILE_RANGE_WRITE);
#endif
      written_ += written;
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }
  void abandon() {
    if (file_ < 0) return;
    ::unlink(beside_.c_str());
    ::close(std::exchange(file_, -1));
  }
  [[noreturn, gnu::cold]] void stop(int cause) {
    abandon();
    fail("%s: it cannot be written: %s", name_.c_str(), std::strerror(cause));
  }

  std::filesystem::path path_;
  std::string name_, beside_;
  std::vector<std::byte> buffer_;
  std::size_t size_ = 0;
  off_t written_ = 0;
  int file_ = -1;
};

}  // namespace etch::format
