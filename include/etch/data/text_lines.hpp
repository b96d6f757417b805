// SPDX-License-Identifier: MIT
#pragma once
#include <etch/data/dataset.hpp>
#include <etch/data/file_list.hpp>
#include <etch/format/text_file.hpp>

namespace etch::data {

/// The lines of a file.
struct text_lines_stage {
  using element = std::tuple<component<std::string, 0>>;
  std::shared_ptr<const format::text_file> file;
  std::string text;

  std::int64_t size() const { return file->size(); }
  std::string describe() const { return text; }

  class reader {
   public:
    explicit reader(const text_lines_stage& s) : file_(s.file) {}
    element at(std::int64_t i) {
      line_ = file_->line(i);
      return {component<std::string, 0>{&line_, {}}};
    }

   private:
    std::shared_ptr<const format::text_file> file_;
    std::string line_;
  };
};

/// A dataset of a file's lines as std::string, without their ends, \n or \r\n, of the last one also \r. The file is mapped, and
/// lines have numbers. Throws `etch::error` where there is no file.
inline dataset<text_lines_stage> text_lines(const std::filesystem::path& path) {
  auto file = std::make_shared<const format::text_file>(path);
  file_list_text files;
  files.add(path, file->size_in_bytes());
  const std::string lines = std::to_string(file->size()) + " lines)";
  return dataset(text_lines_stage{std::move(file), "text_lines(" + files.text() + ", " + lines});
}

}  // namespace etch::data
