// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <random>
#include <string>

/// Makes an empty folder the current one, for programs that write where they stand, and takes it away.
class in_empty_folder {
 public:
  in_empty_folder() {
    std::filesystem::create_directory(folder_);
    std::filesystem::current_path(folder_);
  }
  in_empty_folder(const in_empty_folder&) = delete;
  in_empty_folder& operator=(const in_empty_folder&) = delete;
  ~in_empty_folder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / ("etch_docs_" + std::to_string(std::random_device{}()));
};
