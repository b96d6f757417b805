// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include <unistd.h>

#include <etch/core/diagnostics.hpp>

namespace files {

/// A folder of a test's own, empty, and gone at its end.
class folder {
 public:
  explicit folder(const char* name)
      : path_(std::filesystem::temp_directory_path() / ("etch_" + std::to_string(::getpid()) + "_" + name)) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  folder(const folder&) = delete;
  ~folder() { std::filesystem::remove_all(path_); }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// While it lives nothing may be written into a folder, nor by root, whom permissions do not bind: a test that root runs goes on as nobody.
class read_only {
 public:
  explicit read_only(std::filesystem::path folder) : folder_(std::move(folder)), user_(::geteuid()) {
    using std::filesystem::perms;
    std::filesystem::permissions(folder_, perms::owner_read | perms::owner_exec | perms::others_read | perms::others_exec);
    if (user_ == 0) REQUIRE(::seteuid(65534) == 0);
  }
  read_only(const read_only&) = delete;
  ~read_only() {
    if (user_ == 0) CHECK(::seteuid(user_) == 0);
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
  }

 private:
  std::filesystem::path folder_;
  ::uid_t user_;
};

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline void write(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// What a call throws; "" where it throws nothing.
template <class F>
std::string error_of(const F& call) {
  try {
    call();
  } catch (const etch::error& e) {
    return e.what();
  }
  return "";
}

/// How many random changes of each file tests try: ETCH_MUTATIONS, which `tools/check --all` makes 10,000 under the address sanitizer, or
/// 2,000.
inline int mutations() {
  const char* told = std::getenv("ETCH_MUTATIONS");
  return told != nullptr ? std::atoi(told) : 2000;
}

/// Errors of damaged files. All but a few say where: an empty file or a wrong number of elements is nowhere.
class damage_errors {
 public:
  void add(std::string_view error) {
    CHECK_MESSAGE(error.find('\n') == error.npos, error);
    ++all_;
    placed_ += error.find(": at byte ") != error.npos || error.find(": record ") != error.npos;
  }
  ~damage_errors() { CHECK_MESSAGE(placed_ * 100 >= all_ * 99, placed_, " of ", all_, " errors say where"); }

 private:
  int all_ = 0, placed_ = 0;
};

/// Whether `call` gives nothing or an error that begins with the file's name and says where: of each truncation of the file, which must be
/// refused, and of `mutations()` random changes of one to four bytes. How many changes are refused.
template <class F>
int try_damaged(const std::filesystem::path& path, const F& call) {
  const std::string whole = read(path);
  const auto is_named = [&](const std::string& error) { return error.starts_with(path.string() + ": "); };
  damage_errors errors;
  CHECK(error_of(call) == "");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write(path, std::string_view(whole).substr(0, size));
    const std::string error = error_of(call);
    CHECK_MESSAGE(is_named(error), "cut to ", size, " bytes: ", error);
    errors.add(error);
  }
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0, all = mutations(); i < all; ++i) {
    std::string changed = whole;
    for (unsigned j = 0; j <= random() % 4; ++j) {
      const std::size_t at = random() % whole.size();
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ (1 + random() % 255));
    }
    write(path, changed);
    const std::string error = error_of(call);
    refused += !error.empty();
    if (!error.empty()) errors.add(error);
    CHECK_MESSAGE((error.empty() || is_named(error)), "change ", i, ": ", error);
  }
  write(path, whole);
  return refused;
}

}  // namespace files
