// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <etch/data/dataset.hpp>
#include <etch/data/file_list.hpp>
#include <etch/format/tfrecord.hpp>

namespace etch::data {

/// The records of TFRecord files, one file behind another.
struct tfrecord_stage {
  using element = std::tuple<component<std::string, 0>>;
  struct content {
    std::vector<format::tfrecord_file> files;
    std::vector<std::int64_t> ends;  ///< how many records there are up to the end of each file
  };
  std::shared_ptr<const content> files;
  std::string text;

  std::int64_t size() const { return files->ends.empty() ? 0 : files->ends.back(); }
  std::string describe() const { return text; }

  class reader {
   public:
    explicit reader(const tfrecord_stage& s) : files_(s.files) {}
    element at(std::int64_t i) {
      const auto file = static_cast<std::size_t>(std::ranges::upper_bound(files_->ends, i) - files_->ends.begin());
      const auto record = files_->files[file].record(file == 0 ? i : i - files_->ends[file - 1]);
      record_.assign(reinterpret_cast<const char*>(record.data()), record.size());
      return {component<std::string, 0>{&record_, {}}};
    }

   private:
    std::shared_ptr<const content> files_;
    std::string record_;
  };
};

/// A dataset of the records of TFRecord files as std::string: `data::tfrecord({"a.tfrecord"}).map(parse)`. Their sizes are read at once and
/// are a table, so that records have numbers; each is looked at when it is its turn. `inflate`: `format::inflate` of
/// `<etch/format/inflate.hpp>` for compressed files. Throws `etch::error` where one is no such file or cut off, and in loops where a
/// record's checksum is not right.
inline dataset<tfrecord_stage> tfrecord(const std::vector<std::filesystem::path>& paths,
                                        format::inflate_function inflate = nullptr) {
  auto all = std::make_shared<tfrecord_stage::content>();
  file_list_text files;
  std::int64_t count = 0;
  for (const std::filesystem::path& path : paths) {
    const format::tfrecord_file& file = all->files.emplace_back(path, inflate);
    all->ends.push_back(count += file.size());
    files.add(path, file.size_in_bytes());
  }
  return dataset(tfrecord_stage{all, "tfrecord(" + files.text() + ", " + std::to_string(count) + " records)"});
}

}  // namespace etch::data
