// SPDX-License-Identifier: MIT
#pragma once
#include <etch/data/array_file.hpp>
#include <etch/format/idx.hpp>

namespace etch::data {

/// A dataset of the slices of an idx file's array along its first axis: `data::idx<std::uint8_t, 3>("train-images-idx3-ubyte")`. `inflate`:
/// `format::inflate` of `<etch/format/inflate.hpp>` for what gzip has compressed. Throws `etch::error` where it is no such file, or has
/// another dtype or number of axes.
template <class T, int Rank>
dataset<array_file_stage<T, Rank>> idx(const std::filesystem::path& path, format::inflate_function inflate = nullptr) {
  return detail::slices_of_file<T, Rank>(format::read_idx(path, inflate), "idx(" + detail::file_text(path) + ")");
}

}  // namespace etch::data
