// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <etch/checkpoint.hpp>
#include <format/files.hpp>

/// The calls that bring files to the disk, in order: what a program that loses its power finds.
namespace {

/// A call of this program: the flush of a file or folder, a new name, a file that goes; with the file's size then.
struct disk_call {
  enum kind { flush, rename, remove } what;
  std::filesystem::path file, name;
  long size = 0;
};
std::mutex mutex;
std::vector<disk_call> recorded;
std::atomic<bool> records = false;
std::atomic<int> flushes_before_failure = -1;

long size_of(const std::filesystem::path& path) {
  struct stat s = {};
  return ::stat(path.c_str(), &s) == 0 ? static_cast<long>(s.st_size) : -1;
}
void record(disk_call call) {
  const std::lock_guard lock(mutex);
  recorded.push_back(std::move(call));
}
/// The C library's function.
template <class F>
F* next_of(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}
/// Records the flush, or says that it fails.
bool may_flush(int file) {
  if (!records) return true;
  if (flushes_before_failure >= 0 && flushes_before_failure-- == 0) {
    errno = EIO;
    return false;
  }
  char path[4096] = {};
  if (::readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path, sizeof path - 1) > 0)
    record({disk_call::flush, path, {}, size_of(path)});
  return true;
}

}  // namespace

// In the place of the C library's, for the whole program.
extern "C" int fsync(int file) {
  static const auto next = next_of<int(int)>("fsync");
  return may_flush(file) ? next(file) : -1;
}
extern "C" int fdatasync(int file) {
  static const auto next = next_of<int(int)>("fdatasync");
  return may_flush(file) ? next(file) : -1;
}
extern "C" int rename(const char* from, const char* to) noexcept {
  static const auto next = next_of<int(const char*, const char*)>("rename");
  if (records) record({disk_call::rename, from, to, size_of(from)});
  return next(from, to);
}
extern "C" int remove(const char* file) noexcept {
  static const auto next = next_of<int(const char*)>("remove");
  if (records) record({disk_call::remove, file, {}, size_of(file)});
  return next(file);
}

namespace {

using namespace etch;

/// What a call does to the disk.
template <class F>
std::vector<disk_call> calls_of(const F& call) {
  recorded.clear();
  records = true;
  call();
  records = false;
  // To remove what is not there changes nothing.
  std::erase_if(recorded, [](const disk_call& c) { return c.what == disk_call::remove && c.size < 0; });
  return recorded;
}
/// The files that get their name, in order, where each has been flushed whole before, and its folder is flushed before the next call.
std::vector<std::string> names_given(const std::vector<disk_call>& calls, const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const disk_call& c = calls[i];
    if (c.what != disk_call::rename) continue;
    names.push_back(c.name.filename().string());
    CAPTURE(names.back());
    CHECK(c.file == c.name.string() + ".unfinished");
    CHECK(c.name.parent_path() == folder);
    REQUIRE(i > 0);
    CHECK(calls[i - 1].what == disk_call::flush);
    CHECK(calls[i - 1].file == c.file);
    CHECK(calls[i - 1].size == c.size);
    CHECK(c.size > 0);
    REQUIRE(i + 1 < calls.size());
    CHECK(calls[i + 1].what == disk_call::flush);
    CHECK(calls[i + 1].file == folder);
  }
  return names;
}
std::vector<std::string> names_removed(const std::vector<disk_call>& calls) {
  std::vector<std::string> names;
  for (const disk_call& c : calls)
    if (c.what == disk_call::remove) names.push_back(c.file.filename().string());
  return names;
}
/// Where in the order a file gets its name, or goes.
std::ptrdiff_t place_of(const std::vector<disk_call>& calls, disk_call::kind what, const std::string& name) {
  const auto found = std::ranges::find_if(calls, [&](const disk_call& c) {
    return c.what == what && (what == disk_call::rename ? c.name : c.file).filename() == name;
  });
  REQUIRE(found != calls.end());
  return found - calls.begin();
}
using texts = std::vector<std::string>;

/// The files of a checkpoint of this name, in the order in which they are to be there.
texts files_of(const std::string& name, const std::string& extension) {
  return extension.empty() ? texts{name + ".data-00000-of-00001", name + ".index"} : texts{name + extension};
}

}  // namespace

TEST_CASE("a checkpoint's files are flushed, then named, data before their index") {
  const files::folder folder("durability_one");
  const std::vector<double> numbers(100'000, 1.5);
  for (const char* extension : {"", ".safetensors", ".npz"})
    for (const bool in_background : {false, true}) {
      CAPTURE(extension);
      CAPTURE(in_background);
      const std::string name = in_background ? "behind" : "saved";
      std::vector<double> values = numbers;
      std::string note = "text";
      checkpoint c;
      c.track("values", values).track("note", note);
      const auto save = [&] {
        in_background ? c.save_in_background(folder / (name + extension)) : c.save(folder / (name + extension));
        c.wait();
      };
      const auto first = calls_of(save);
      CHECK(names_given(first, folder.path()) == files_of(name, extension));
      CHECK(names_removed(first).empty());
      // In the place of that one: what it had is there until the new one is.
      const auto second = calls_of(save);
      const auto given = names_given(second, folder.path());
      if (std::string(extension).empty()) {
        CHECK(given == texts{name + ".data-00000-of-00002", name + ".index"});
        CHECK(names_removed(second) == texts{name + ".data-00000-of-00001"});
        // Behind the flush of the folder that has the new index.
        CHECK(place_of(second, disk_call::remove, name + ".data-00000-of-00001") >
              place_of(second, disk_call::rename, name + ".index") + 1);
      } else {
        CHECK(given == files_of(name, extension));
        CHECK(names_removed(second).empty());
      }
    }
}
TEST_CASE("a manager names its checkpoint when that is on the disk, and deletes old ones behind that") {
  for (const std::string extension : {"", ".safetensors", ".npz"})
    for (const bool in_background : {false, true}) {
      CAPTURE(extension);
      CAPTURE(in_background);
      const files::folder folder("durability_manager");
      std::vector<double> values(50'000, 2);
      checkpoint c;
      c.track("values", values);
      checkpoint_manager manager(c, folder.path(), {.max_to_keep = 2, .extension = extension, .in_background = in_background});
      for (int number = 1; number <= 4; ++number) {
        const auto calls = calls_of([&] {
          manager.save();
          manager.wait();
        });
        texts expected = files_of("ckpt-" + std::to_string(number), extension);
        expected.push_back("checkpoint");
        if (number > 2) expected.push_back("checkpoint");  // once more, without what has been deleted
        CHECK(names_given(calls, folder.path()) == expected);
        texts removed;
        if (number > 2) {
          // An index goes first: without it there is no checkpoint.
          removed = files_of("ckpt-" + std::to_string(number - 2), extension);
          std::ranges::reverse(removed);
          const std::ptrdiff_t state = place_of(calls, disk_call::rename, "checkpoint");
          for (const std::string& file : removed) CHECK(place_of(calls, disk_call::remove, file) > state + 1);
        }
        CHECK(names_removed(calls) == removed);
      }
    }
}
TEST_CASE("a flush that fails is an error, and the checkpoint before it stays the last one") {
  for (const std::string extension : {"", ".safetensors", ".npz"}) {
    CAPTURE(extension);
    const files::folder folder("durability_failure");
    int value = 1;
    checkpoint c;
    c.track("value", value);
    checkpoint_manager manager(c, folder.path(), {.extension = extension});
    manager.save();
    // Of each file and, behind it, of the folder; the last one has the state file's new name, so that the new checkpoint is the last.
    const int flushes = extension.empty() ? 6 : 4;
    for (int failing = 0; failing < flushes; ++failing) {
      CAPTURE(failing);
      value = 2;
      flushes_before_failure = failing;
      const std::string error = [&] {
        std::string text;
        calls_of([&] { text = files::error_of([&] { manager.save(2); }); });
        return text;
      }();
      CHECK(flushes_before_failure == -1);
      flushes_before_failure = -1;
      CHECK(error.starts_with(folder.path().string()));
      CHECK(error.ends_with(": Input/output error"));
      // What is not flushed has no name.
      const bool is_named = std::ranges::any_of(recorded, [](const disk_call& d) { return d.what == disk_call::rename; });
      CHECK(is_named == (failing > 0));
      const auto latest = latest_checkpoint(folder.path());
      REQUIRE(latest.has_value());
      if (failing < flushes - 1) CHECK(*latest == folder / ("ckpt-1" + extension));
      value = 3;
      checkpoint again;
      again.track("value", value);
      again.restore(*latest);
      CHECK(value == (*latest == folder / ("ckpt-1" + extension) ? 1 : 2));
    }
    value = 4;
    CHECK(calls_of([&] { manager.save(2); }).size() >= 9 - (extension.empty() ? 0 : 3));
    CHECK(latest_checkpoint(folder.path()) == folder / ("ckpt-2" + extension));
  }
}
