// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include <etch/core/diagnostics.hpp>

/// What tests of files share: folders, bytes, NumPy, damage.
namespace files {

using bytes = std::vector<std::byte>;

struct temporary_folder {
  std::filesystem::path path;
  temporary_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "etch-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path operator/(std::string_view name) const { return path / name; }
};

inline bytes bytes_of(std::string_view text) {
  const auto all = std::as_bytes(std::span(text));
  return {all.begin(), all.end()};
}
inline bytes read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  return bytes_of(std::string(std::istreambuf_iterator<char>(file), {}));
}
inline void write(const std::filesystem::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  REQUIRE(file.flush());
}

/// Runs a program of Python with a folder as its argument; false, with a message that is counted in the report, where there is no NumPy.
inline bool run_numpy(const temporary_folder& folder, std::string_view program) {
  const std::string python = "/usr/bin/python3 ";
  if (std::system((python + "-c 'import numpy' 2> /dev/null").c_str()) != 0) {
    MESSAGE("skipped: NumPy is not there");
    return false;
  }
  const std::filesystem::path path = folder / "program.py";
  write(path, "import sys, numpy as np\nfolder = sys.argv[1] + '/'\n" + std::string(program));
  REQUIRE(std::system((python + path.string() + " " + folder.path.string()).c_str()) == 0);
  return true;
}

/// Every cut and 2,000 seeded changes of up to three bytes of a file: `read_and_check(bytes)` finds a right value, or throws one
/// `etch::error` that begins with the file's name. Bytes lie in memory of exactly that size, so that a sanitizer sees what reads beyond.
/// Returns how many of the changed files were read.
template <class Read>
int check_damaged(const bytes& whole, const std::string& name, bool must_refuse_cuts, Read read_and_check) {
  const auto is_read = [&](const bytes& damaged) {
    const bytes exact(damaged);
    try {
      read_and_check(exact);
      return true;
    } catch (const etch::error& e) {
      CHECK_MESSAGE(std::string_view(e.what()).starts_with(name), e.what());
      CHECK_MESSAGE(std::string_view(e.what()).find('\n') == std::string_view::npos, e.what());
      return false;
    }
  };
  CHECK(is_read(whole));
  for (std::size_t size = 0; size < whole.size(); ++size)
    if (is_read({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)})) CHECK_MESSAGE(!must_refuse_cuts, size);
  std::mt19937 random(35);
  int read = 0;
  for (int i = 0; i < 2000; ++i) {
    bytes changed = whole;
    for (auto n = random() % 3 + 1; n > 0; --n) changed[random() % changed.size()] = static_cast<std::byte>(random());
    read += is_read(changed);
  }
  return read;
}

}  // namespace files
