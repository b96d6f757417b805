// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <variant>

#include <etch/format/npz.hpp>
#include <etch/format/object_graph.hpp>
#include <etch/format/safetensors.hpp>
#include <etch/format/tensor_bundle_writer.hpp>

/// The files of checkpoints: TensorFlow's, whose path is a prefix of files' names, or one file: safetensors, whose path ends with
/// .safetensors, or npz, whose path ends with .npz.
namespace etch::detail {

inline bool is_safetensors(const std::filesystem::path& path) { return path.extension() == ".safetensors"; }
inline bool is_npz(const std::filesystem::path& path) { return path.extension() == ".npz"; }
inline bool is_one_file(const std::filesystem::path& path) { return is_safetensors(path) || is_npz(path); }

/// The file without which there is no checkpoint of this path.
inline std::filesystem::path main_file(const std::filesystem::path& path) {
  return is_one_file(path) ? path : std::filesystem::path(format::detail::bundle_index(path));
}
inline bool has_checkpoint(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(main_file(path), ignored);
}

/// Strings of npz are members that are no arrays.
inline void write_npz(const std::filesystem::path& path, const std::vector<format::named_tensor>& tensors) {
  format::npz_writer file(path);
  for (const format::named_tensor& t : tensors)
    t.are_strings() ? file.add_text(t.name, t.strings.at(0)) : file.add(t.name, t.array);
  file.commit();
}

/// Strings of safetensors are its metadata. No two tensors have one name.
inline void write_checkpoint(const std::filesystem::path& path, const std::vector<format::named_tensor>& tensors) {
  if (is_npz(path)) return write_npz(path, tensors);
  if (!is_safetensors(path)) return format::write_tensor_bundle(path, format::with_object_graph(tensors));
  std::vector<format::named_tensor> numbers;
  std::map<std::string, std::string> texts;
  for (const format::named_tensor& t : tensors)
    t.are_strings() ? static_cast<void>(texts.emplace(t.name, t.strings.at(0))) : numbers.push_back(t);
  format::write_safetensors(path, numbers, texts);
}

/// Deletes a checkpoint, first the file without which there is none.
inline void remove_checkpoint(const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::remove(main_file(path), ignored);
  if (is_one_file(path)) return;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const std::string begin = path.filename().string() + ".data-";
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(folder, ignored))
    if (file.path().filename().string().starts_with(begin)) files.push_back(file.path());
  for (const auto& file : files) std::filesystem::remove(file, ignored);
}

/// A checkpoint that is read: its tensors by the names under which a program knows them.
class checkpoint_file {
 public:
  explicit checkpoint_file(const std::filesystem::path& path) {
    if (is_safetensors(path)) {
      const auto& reader = reader_.emplace<format::safetensors_reader>(path);
      tensors_ = reader.tensors();
      for (const auto& [name, value] : reader.metadata()) tensors_.push_back(format::text(name, value));
    } else if (is_npz(path)) {
      const format::npz_file file(path);
      for (const std::string& name : file.names()) {
        const format::kept_array& array = arrays_.emplace_back(file.read(name));
        tensors_.push_back(format::numbers(name, array.array));
      }
      for (const std::string& name : file.texts()) tensors_.push_back(format::text(name, file.read_text(name)));
    } else {
      tensors_ = reader_.emplace<format::tensor_bundle_reader>(path).tensors();
      for (format::named_tensor& t : tensors_) t.name = format::name_of_stored(t.name);
    }
    for (std::size_t i = 0; i < tensors_.size(); ++i)
      if (!numbers_.emplace(tensors_[i].name, i).second)
        fail("%s: there are two tensors \"%s\"", main_file(path).string().c_str(), tensors_[i].name.c_str());
  }

  /// Of TensorFlow's files without bytes.
  const std::vector<format::named_tensor>& tensors() const { return tensors_; }
  const format::named_tensor* find(const std::string& name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? nullptr : &tensors_[found->second];
  }
  /// Whole, with its checksum compared where there is one. Its bytes lie in the file.
  format::named_tensor read(const format::named_tensor& t) {
    if (auto* bundle = std::get_if<format::tensor_bundle_reader>(&reader_)) {
      format::named_tensor whole = bundle->read(numbers_.at(t.name));
      whole.name = t.name;
      return whole;
    }
    return t;
  }
  /// Whether the program need not know it: what TensorFlow adds, and safetensors' metadata, in which tools note where a file is from.
  bool may_be_left(const format::named_tensor& t) const {
    return t.name == format::object_graph_name || (t.are_strings() && std::holds_alternative<format::safetensors_reader>(reader_));
  }

 private:
  std::variant<std::monostate, format::safetensors_reader, format::tensor_bundle_reader> reader_;
  std::vector<format::kept_array> arrays_;  ///< of npz
  std::vector<format::named_tensor> tensors_;
  std::map<std::string, std::size_t> numbers_;
};

}  // namespace etch::detail
