// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <format/client.hpp>
#include <format/files.hpp>

/// Files in memory, what damages them, and the Python that they are exchanged with.
namespace files {

using bytes = std::vector<std::byte>;

inline bytes bytes_of(std::string_view text) {
  const auto all = std::as_bytes(std::span(text));
  return {all.begin(), all.end()};
}
inline bytes bytes_at(const std::filesystem::path& path) { return bytes_of(read(path)); }

/// Every cut and `mutations()` seeded changes of up to three bytes of a file: `read_and_check(bytes)` finds a right value, or throws one
/// `etch::error` that begins with the file's name and says where. Bytes lie in memory of exactly that size, so that a sanitizer sees what
/// reads beyond.
template <class Read>
void check_damaged(const bytes& whole, const std::string& name, bool must_refuse_cuts, Read read_and_check) {
  damage_errors errors;
  const auto is_read = [&](const bytes& damaged) {
    const bytes exact(damaged);
    try {
      read_and_check(exact);
      return true;
    } catch (const etch::error& e) {
      CHECK_MESSAGE(std::string_view(e.what()).starts_with(name), e.what());
      errors.add(e.what());
      return false;
    }
  };
  CHECK(is_read(whole));
  for (std::size_t size = 0; size < whole.size(); ++size)
    if (is_read({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)})) CHECK_MESSAGE(!must_refuse_cuts, size);
  std::mt19937 random(35);
  for (int i = 0, all = mutations(); i < all; ++i) {
    bytes changed = whole;
    for (auto n = random() % 3 + 1; n > 0; --n) changed[random() % changed.size()] = static_cast<std::byte>(random());
    is_read(changed);
  }
}

/// Runs a program of Python, in which `folder` is the path of that folder with a stroke behind it; false, with a message in the report,
/// where that Python has no such package.
inline bool run_python(const std::string& python, const char* package, const folder& in, std::string_view program) {
  if (std::system((python + " -c 'import " + package + "' > /dev/null 2>&1").c_str()) != 0) {
    MESSAGE("skipped: ", python, " has no ", std::string(package));
    return false;
  }
  write(in / "program.py", "import sys\nfolder = sys.argv[1] + '/'\n" + std::string(program));
  REQUIRE(std::system((python + " " + (in / "program.py").string() + " " + in.path().string()).c_str()) == 0);
  return true;
}
inline bool run_numpy(const folder& in, std::string_view program) {
  return run_python("/usr/bin/python3", "numpy", in, "import numpy as np\n" + std::string(program));
}
/// In build/clients or the environment that ETCH_CLIENTS names.
inline bool run_tensorflow(const folder& in, std::string_view program) {
  return run_python("TF_CPP_MIN_LOG_LEVEL=3 " + client::python(), "tensorflow", in,
                    "import numpy as np, tensorflow as tf\n" + std::string(program));
}

}  // namespace files
