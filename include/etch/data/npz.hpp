// SPDX-License-Identifier: MIT
#pragma once
#include <etch/data/array_file.hpp>
#include <etch/format/npz.hpp>

namespace etch::data {

/// A dataset of the slices of an array of a npz file along its first axis: `data::npz<float, 3>("mnist.npz", "x_train")`. What is not
/// compressed stays in the file, which is mapped. `inflate`: `format::inflate` of `<etch/format/inflate.hpp>` for what
/// numpy.savez_compressed writes. Throws `etch::error` where it is no such file, lacks the array, or has another dtype or number of axes.
template <class T, int Rank>
dataset<array_file_stage<T, Rank>> npz(const std::filesystem::path& path, const std::string& name,
                                       format::inflate_function inflate = nullptr) {
  return detail::slices_of_file<T, Rank>(format::npz_file(path, inflate).read(name),
                                         "npz(" + detail::file_text(path) + ", \"" + name + "\")");
}

}  // namespace etch::data
