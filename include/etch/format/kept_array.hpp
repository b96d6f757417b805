// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <etch/core/diagnostics.hpp>
#include <etch/format/array_view.hpp>
#include <etch/format/input_file.hpp>

namespace etch::format {

/// An array with what keeps its bytes: a mapped file, or memory.
struct kept_array {
  array_view array;
  std::shared_ptr<const void> owner;
  std::string file;  ///< where it is from, for errors: "train.npz: images"
};

/// An array whose bytes are kept in memory.
inline kept_array keep(dtype type, std::vector<std::int64_t> extents, std::vector<std::byte> bytes, std::string file) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return {{type, std::move(extents), *owner}, owner, std::move(file)};
}

/// "float32 [60000, 28, 28]"
inline std::string type_text(dtype type, std::span<const std::int64_t> extents) {
  // Not a sum of strings: inlined, g++ 12 warns of its memcpy (PR 105651).
  std::string text = name_of_dtype(type);
  text += ' ';
  text += shape_text(extents);
  return text;
}

/// Refuses an array of another type or number of axes.
inline void expect(const kept_array& a, dtype type, int rank) {
  if (a.array.type != type || a.array.extents.size() != static_cast<std::size_t>(rank))
    fail("%s: it has %s, expected is %s of %d axes", a.file.c_str(), type_text(a.array.type, a.array.extents).c_str(),
         name_of_dtype(type), rank);
}

/// Where its first element lies, as T for which `expect` has passed: bytes that no T may lie at are copied first.
template <class T>
const T* values_of(kept_array& a) {
  if (reinterpret_cast<std::uintptr_t>(a.array.bytes.data()) % alignof(T) != 0)
    a = keep(a.array.type, a.array.extents, {a.array.bytes.begin(), a.array.bytes.end()}, a.file);
  return reinterpret_cast<const T*>(a.array.bytes.data());
}

/// Refuses bytes that are no bool: other than 0 and 1.
inline void check_values(const array_view& a, const std::string& file, std::size_t offset) {
  if (a.type != dtype::boolean) return;
  for (std::size_t i = 0; i < a.bytes.size(); ++i)
    if (const auto b = std::to_integer<unsigned>(a.bytes[i]); b > 1)
      fail("%s: at byte %zu: a bool is 0 or 1, found is %u", file.c_str(), offset + i, b);
}

}  // namespace etch::format
