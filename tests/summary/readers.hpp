// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include <format/client.hpp>

/// Event files as others read them. Tests run in the folder tests.
namespace readers {

/// A folder that is gone afterwards.
struct folder {
  std::filesystem::path path;
  explicit folder(const std::string& name)
      : path(std::filesystem::temp_directory_path() / ("etch_summary_" + name + "_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path);
  }
  folder(const folder&) = delete;
  ~folder() { std::filesystem::remove_all(path); }

  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> all;
    for (const auto& entry : std::filesystem::directory_iterator(path)) all.push_back(entry.path());
    std::sort(all.begin(), all.end());
    return all;
  }
};

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What a command prints, as sorted lines. Fails where it does.
inline std::vector<std::string> lines_of(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::vector<std::string> lines(1);
  for (int c; (c = std::getc(pipe)) != EOF;)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += static_cast<char>(c);
  CHECK(::pclose(pipe) == 0);
  lines.pop_back();
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// Whether the project's own reader runs.
inline bool has_python() { return std::system("python3 -c 0 2> /dev/null") == 0; }
/// Checks that what is at a path has these lines, as the project's own reader sees them and as a Python package does. What lacks its
/// Python is skipped, and says so.
inline void check_lines(const std::filesystem::path& path, std::vector<std::string> expected, const char* own_script,
                        const char* package, const char* script) {
  std::sort(expected.begin(), expected.end());
  const auto check = [&](const std::string& python, const char* reader) {
    const std::vector<std::string> found = lines_of(python + " -B -W ignore summary/" + reader + " " + path.string());
    CHECK(found.size() == expected.size());
    for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i)
      if (found[i] != expected[i]) CHECK(found[i] == expected[i]);
  };
  if (has_python())
    check("python3", own_script);
  else
    MESSAGE("skipped: no python3 reads what was written");
  if (client::is_there(package)) check(client::python(), script);
}
inline void check_values(const std::filesystem::path& folder, std::vector<std::string> expected) {
  check_lines(folder, std::move(expected), "decode_events.py", "tensorboard", "read_events.py");
}
inline void check_profile(const std::filesystem::path& file, std::vector<std::string> expected) {
  check_lines(file, std::move(expected), "decode_profile.py", "xprof", "read_profile.py");
}

}  // namespace readers
