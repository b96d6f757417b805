// SPDX-License-Identifier: MIT
#pragma once
#include <etch/data/array_file.hpp>
#include <etch/format/npy.hpp>

namespace etch::data {

/// A dataset of the slices of a npy file's array along its first axis: `data::npy<float, 2>("x.npy")` has elements of one axis. The file
/// is mapped, not copied. Throws `etch::error` where it is no such file, or has another dtype or number of axes.
template <class T, int Rank>
dataset<array_file_stage<T, Rank>> npy(const std::filesystem::path& path) {
  return detail::slices_of_file<T, Rank>(format::read_npy(path), "npy(" + detail::file_text(path) + ")");
}

}  // namespace etch::data
