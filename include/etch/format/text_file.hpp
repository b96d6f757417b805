// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include <etch/format/input_file.hpp>

namespace etch::format {

/// A file of lines, by number: to open it looks for their ends, of which a table is kept. A line ends with \n or \r\n, the last
/// one also with \r, which are no part of it; what follows the last end is a line unless it is empty. The bytes may be any.
/// Throws `etch::error` where there is no file.
class text_file {
 public:
  explicit text_file(const std::filesystem::path& path) : text_file(std::make_shared<const input_file>(path)) {}
  /// In memory, which `owner` keeps.
  text_file(std::span<const std::byte> bytes, std::shared_ptr<const void> owner)
      : text_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), owner_(std::move(owner)) {
    for (std::size_t begin = 0; begin < text_.size();) {
      const void* const end = std::memchr(text_.data() + begin, '\n', text_.size() - begin);
      begin = end == nullptr ? text_.size() : static_cast<std::size_t>(static_cast<const char*>(end) - text_.data()) + 1;
      behind_.push_back(begin);
    }
  }

  std::size_t size_in_bytes() const { return text_.size(); }
  std::int64_t size() const { return static_cast<std::int64_t>(behind_.size()); }
  /// Line i, in the file's memory.
  std::string_view line(std::int64_t i) const {
    const auto number = static_cast<std::size_t>(i);
    const std::size_t begin = number == 0 ? 0 : behind_[number - 1];
    std::string_view line = text_.substr(begin, behind_[number] - begin);
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

 private:
  explicit text_file(std::shared_ptr<const input_file> file) : text_file(file->bytes(), file) {}

  std::string_view text_;
  std::shared_ptr<const void> owner_;
  std::vector<std::size_t> behind_;  ///< where the next line begins
};

}  // namespace etch::format
