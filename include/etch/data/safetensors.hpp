// SPDX-License-Identifier: MIT
#pragma once
#include <etch/data/array_file.hpp>
#include <etch/format/safetensors.hpp>

namespace etch::data {

/// A dataset of the slices of a tensor of a safetensors file along its first axis: `data::safetensors<float, 2>("x.safetensors", "images")`.
/// The file is mapped. Throws `etch::error` where it is no such file, lacks the tensor, or has another dtype or number of axes.
template <class T, int Rank>
dataset<array_file_stage<T, Rank>> safetensors(const std::filesystem::path& path, const std::string& name) {
  const auto file = std::make_shared<const format::safetensors_reader>(path);
  const auto found = std::ranges::find(file->tensors(), name, &format::named_tensor::name);
  if (found == file->tensors().end()) {
    std::string all;
    for (const format::named_tensor& t : file->tensors()) all += (all.empty() ? "" : ", ") + t.name;
    fail("%s: it has no tensor %s, but %s", file->name().c_str(), name.c_str(), all.c_str());
  }
  if (found->array.type == dtype::none)
    fail("%s: %s: etch has no dtype %s", file->name().c_str(), name.c_str(), found->type_name.c_str());
  return detail::slices_of_file<T, Rank>({found->array, file, file->name() + ": " + name},
                                         "safetensors(" + detail::file_text(path) + ", \"" + name + "\")");
}

}  // namespace etch::data
