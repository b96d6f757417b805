// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace etch {

/// What of a checkpoint and of a program did not fit each other.
struct restore_report {
  struct mismatch {
    std::string name;
    std::string expected, found;  ///< "float32 [10]"
  };
  std::vector<std::string> restored;   ///< names that were
  std::vector<std::string> missing;    ///< that the program has and the checkpoint does not
  std::vector<std::string> left_over;  ///< that the checkpoint has and the program does not
  std::vector<mismatch> different;     ///< of another dtype or shape

  bool is_complete() const { return missing.empty() && left_over.empty() && different.empty(); }
  /// In one line: at most three names of each kind.
  std::string text() const {
    std::string all;
    const auto list = [&](std::size_t count, const char* what, const auto& item) {
      if (count == 0) return;
      if (!all.empty()) all += "; ";
      all += std::to_string(count) + (count == 1 ? " is " : " are ") + what;
      for (std::size_t i = 0; i < count && i < 3; ++i) all += (i == 0 ? ": " : ", ") + item(i);
      if (count > 3) all += ", ...";
    };
    const auto quoted = [](const std::string& name) { return '"' + name + '"'; };
    list(different.size(), "of another dtype or shape", [&](std::size_t i) {
      return quoted(different[i].name) + " (expected " + different[i].expected + ", found " + different[i].found + ")";
    });
    list(missing.size(), "missing", [&](std::size_t i) { return quoted(missing[i]); });
    list(left_over.size(), "left over", [&](std::size_t i) { return quoted(left_over[i]); });
    return all;
  }
};

}  // namespace etch
