// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <etch/backend/host_memory.hpp>
#include <etch/format/named_tensor.hpp>

/// What a checkpoint is made of: parts of a program that give their values as tensors under names, and take them back.
namespace etch::detail {

/// Values at one moment: copies, or where nothing changes them meanwhile, where they lie.
class saved_values {
 public:
  /// Begins anew, in the memory of the copies before.
  void begin(bool copies) {
    copies_ = copies;
    used_ = 0;
    tensors_.clear();
  }
  /// Elements that lie there row by row.
  void add(std::string name, dtype type, std::vector<std::int64_t> extents, const void* at) {
    const std::size_t bytes = bytes_of(type, extents);
    if (!copies_)
      tensors_.push_back(format::numbers(std::move(name), {type, std::move(extents), {static_cast<const std::byte*>(at), bytes}}));
    else if (std::byte* copy = add(std::move(name), type, std::move(extents)); bytes > 0)
      std::memcpy(copy, at, bytes);
  }
  /// Room for an array, to write its elements to, row by row.
  std::byte* add(std::string name, dtype type, std::vector<std::int64_t> extents) {
    const std::size_t bytes = bytes_of(type, extents);
    if (used_ == blocks_.size()) blocks_.emplace_back();
    aligned_block& block = blocks_[used_++];
    block.reserve(static_cast<std::int64_t>(bytes));
    auto* const room = reinterpret_cast<std::byte*>(block.data());
    tensors_.push_back(format::numbers(std::move(name), {type, std::move(extents), {room, bytes}}));
    return room;
  }
  void add(std::string name, const std::string& text) { tensors_.push_back(format::text(std::move(name), text)); }
  const std::vector<format::named_tensor>& tensors() const { return tensors_; }

 private:
  static std::size_t bytes_of(dtype type, const std::vector<std::int64_t>& extents) {
    return static_cast<std::size_t>(format::count_elements(extents) * size_of_dtype(type));
  }
  std::vector<aligned_block> blocks_;
  std::size_t used_ = 0;  ///< of the blocks
  std::vector<format::named_tensor> tensors_;
  bool copies_ = true;
};

/// A tensor that a part takes.
struct expected_tensor {
  std::string name, type_name;
  std::vector<std::int64_t> extents;  ///< -1: any

  expected_tensor(std::string n, dtype type, std::vector<std::int64_t> e)
      : name(std::move(n)), type_name(name_of_dtype(type)), extents(std::move(e)) {}
  explicit expected_tensor(std::string n) : name(std::move(n)), type_name("string") {}

  bool is_taken_by(const format::named_tensor& t) const {
    bool fits = t.type_name == type_name && t.array.extents.size() == extents.size();
    for (std::size_t i = 0; fits && i < extents.size(); ++i) fits = extents[i] < 0 || extents[i] == t.array.extents[i];
    return fits;
  }
  std::string type_text() const {
    std::string text = type_name + " " + format::shape_text(extents);
    for (std::size_t at; (at = text.find("-1")) != text.npos;) text.replace(at, 2, "any");
    return text;
  }
};

/// What was read, by name, of the dtypes and shapes that parts expect.
using restored_values = std::map<std::string, format::named_tensor, std::less<>>;

inline const format::named_tensor* find_value(const restored_values& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? nullptr : &found->second;
}
inline void copy_value(const format::named_tensor& from, void* to) {
  if (!from.array.bytes.empty()) std::memcpy(to, from.array.bytes.data(), from.array.bytes.size());
}

class checkpoint_part {
 public:
  explicit checkpoint_part(std::string name) : name_(std::move(name)) {}
  checkpoint_part(const checkpoint_part&) = delete;
  virtual ~checkpoint_part() = default;

  virtual void save(saved_values& to) const = 0;
  virtual void expect(std::vector<expected_tensor>& list) const = 0;
  /// Throws `etch::error` where `restore` would: it changes nothing, `restore` then cannot fail.
  virtual void check(const restored_values&) const {}
  /// Takes what is there of what it expects.
  virtual void restore(const restored_values& values) = 0;

  const std::string& name() const { return name_; }

 protected:
  /// The name of something in it.
  std::string name_of(const std::string& inner) const { return name_.empty() ? inner : name_ + "/" + inner; }

 private:
  std::string name_;
};

}  // namespace etch::detail
