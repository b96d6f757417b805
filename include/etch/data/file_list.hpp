// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>

#include <etch/base/hash.hpp>

namespace etch::data {

/// Says which files a dataset is of, for positions: of one its name and size, of several their number and a hash of these, so that a
/// position stays small. Names are without the folder: a position of data that has been moved is a good one.
class file_list_text {
 public:
  void add(const std::filesystem::path& path, std::uint64_t size) { add_named(path.filename().string(), size); }
  void add_named(const std::string& name, std::uint64_t size) {
    if (++count_ == 1) text_ = "\"" + name + "\", " + std::to_string(size) + " bytes";
    hash_ = mix(mix(hash_, hash_of(name.data(), name.size())), size);
  }
  /// `"x.csv", 120 bytes`, or `3 files 0123456789abcdef`.
  std::string text() const {
    if (count_ == 1) return text_;
    char text[64];
    std::snprintf(text, sizeof text, "%zu files %016llx", count_, static_cast<unsigned long long>(hash_));
    return text;
  }

 private:
  std::size_t count_ = 0;
  hash_t hash_ = 0;
  std::string text_;
};

}  // namespace etch::data
