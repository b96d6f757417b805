// SPDX-License-Identifier: MIT
#pragma once
#include <etch/data/file_slices.hpp>
#include <etch/format/kept_array.hpp>

namespace etch::data {

/// Rows of an array of a file.
template <class T, int Rank>
using array_file_stage = file_slices_stage<component<T, Rank>>;

namespace detail {

/// `text`: what it is, for positions: `npy("x.npy")`, to which the array's type and shape are added.
template <class T, int Rank>
dataset<array_file_stage<T, Rank>> slices_of_file(format::kept_array a, const std::string& text) {
  static_assert(Rank > 0, "data: a number has no slices: an array of a file has at least 1 axis here");
  format::expect(a, dtype_of<T>, Rank);
  component<T, Rank> array;
  array.values = format::values_of<T>(a);
  for (std::size_t i = 0; i < array.extents.size(); ++i) array.extents[i] = a.array.extents[i];
  return dataset(array_file_stage<T, Rank>{{array, a.owner}, text + " " + format::type_text(a.array.type, a.array.extents)});
}
/// A file's name without its folder: a position of data that has been moved is a good one.
inline std::string file_text(const std::filesystem::path& path) { return '"' + path.filename().string() + '"'; }

}  // namespace detail

}  // namespace etch::data
