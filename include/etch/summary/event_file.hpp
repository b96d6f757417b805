// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <etch/core/diagnostics.hpp>
#include <etch/format/protobuf.hpp>
#include <etch/format/record_framing.hpp>

namespace etch::summary::detail {

/// Since 1970.
inline std::int64_t nanoseconds_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

inline std::string host_name() {
  char name[256] = "unknown";
  ::gethostname(name, sizeof name - 1);
  return name;
}

/// A file of records, each a message `tensorboard.Event`, in a folder where TensorBoard looks for it. Several threads may add to it. A
/// process made by fork adds to a file of its own, and leaves to its parent what that has not written yet.
class event_file {
 public:
  event_file(std::filesystem::path folder, double most_seconds) : folder_(std::move(folder)), most_seconds_(most_seconds) {
    std::error_code why;
    std::filesystem::create_directories(folder_, why);
    if (why) fail("%s: the folder cannot be made: %s", folder_.c_str(), why.message().c_str());
    begin();
    write();
  }
  event_file(const event_file&) = delete;
  event_file& operator=(const event_file&) = delete;
  ~event_file() {
    try {
      if (is_of_this_process()) write();
    } catch (...) {  // `flush` tells
    }
    ::close(file_);
  }

  /// An event of now. `fill(format::protobuf_writer&)` adds what is in it.
  template <class Fill>
  void add(std::int64_t step, const Fill& fill) {
    const std::lock_guard lock(several_threads_);
    if (!is_of_this_process()) {
      ::close(std::exchange(file_, -1));
      begin();
    }
    append(step, fill);
    if (file_ < 0 || unwritten_.size() >= most_unwritten || last_event_ - last_write_ >= most_seconds_) write();
  }
  /// Writes what is still in memory. Throws `etch::error` where that fails; the next time goes on where it ended.
  void flush() {
    const std::lock_guard lock(several_threads_);
    if (is_of_this_process()) write();
  }
  const std::string& name() const { return name_; }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  static constexpr std::size_t most_unwritten = 1 << 16;

  bool is_of_this_process() const { return ::getpid() == process_; }
  static double now() { return static_cast<double>(nanoseconds_now()) * 1e-9; }

  void begin() {
    process_ = ::getpid();
    unwritten_.clear();
    unwritten_.reserve(most_unwritten + 4096);
    append(0, [](format::protobuf_writer& event) { event.text(3, "brain.Event:2"); });
  }
  /// Files of one second, machine and process differ by their number.
  void open() {
    static std::atomic<unsigned> opened = 0;
    const std::string host = host_name();
    do {
      char name[400];
      std::snprintf(name, sizeof name, "events.out.tfevents.%010lld.%s.%lld.%u", static_cast<long long>(now()), host.c_str(),
                    static_cast<long long>(process_), opened++);
      name_ = (folder_ / name).string();
      file_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (file_ < 0 && errno == EEXIST);
    if (file_ < 0) fail("%s: %s", name_.c_str(), std::strerror(errno));
  }
  /// As a record of TFRecord.
  template <class Fill>
  void append(std::int64_t step, const Fill& fill) {
    const std::size_t begin = unwritten_.size(), message = begin + 12;
    unwritten_.append(12, '\0');
    format::protobuf_writer event(unwritten_);
    event.real(1, last_event_ = now());
    event.integer(2, step);
    try {
      fill(event);
    } catch (...) {
      unwritten_.resize(begin);
      throw;
    }
    const std::uint64_t size = unwritten_.size() - message;
    if (size > format::most_protobuf_bytes) {
      unwritten_.resize(begin);
      fail("%s: an event of %llu bytes, of which a protocol buffer has at most 2^31 - 1", name_.c_str(),
           static_cast<unsigned long long>(size));
    }
    const auto front = format::record_front(size);
    std::memcpy(&unwritten_[begin], front.data(), front.size());
    const std::uint32_t checksum = format::record_checksum(std::as_bytes(std::span(unwritten_).subspan(message)));
    unwritten_.append(reinterpret_cast<const char*>(&checksum), 4);
  }
  void write() {
    if (file_ < 0) open();
    while (!unwritten_.empty()) {
      const ssize_t count = ::write(file_, unwritten_.data(), unwritten_.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) fail("%s: %s", name_.c_str(), std::strerror(errno));
      unwritten_.erase(0, static_cast<std::size_t>(count));
    }
    last_write_ = last_event_;
  }

  std::filesystem::path folder_;
  std::string name_, unwritten_;
  std::mutex several_threads_;
  int file_ = -1;
  pid_t process_ = 0;
  double most_seconds_, last_event_ = 0, last_write_ = 0;
};

}  // namespace etch::summary::detail
