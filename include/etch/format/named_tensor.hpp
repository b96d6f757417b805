// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <utility>
#include <vector>

#include <etch/format/array_view.hpp>

namespace etch::format {

/// A tensor of a file that holds several: numbers, which it refers to, or strings.
struct named_tensor {
  std::string name;
  array_view array;                  ///< `dtype::none`, without bytes, for strings and what etch has no dtype for
  std::string type_name;             ///< as etch or else the format calls the dtype: "float32", "string", "F16"
  std::vector<std::string> strings;  ///< row by row

  bool are_strings() const { return type_name == "string"; }
  /// "float32 [28, 28]"
  std::string type_text() const { return type_name + " " + shape_text(array.extents); }
};

inline named_tensor numbers(std::string name, array_view array) { return {std::move(name), array, name_of_dtype(array.type), {}}; }
/// A scalar.
inline named_tensor text(std::string name, std::string value) { return {std::move(name), {}, "string", {std::move(value)}}; }

}  // namespace etch::format
