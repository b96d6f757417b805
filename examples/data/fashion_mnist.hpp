// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <xtensor/xtensor.hpp>

#include <etch/format/idx.hpp>
#include <etch/format/inflate.hpp>

/// Fashion-MNIST: 60,000 images to train on and 10,000 to test with, 28 x 28 grey pixels each, in ten classes. Debian
/// packages it as dataset-fashion-mnist; MNIST's own files have the same names and format and load as well.
namespace data {

/// What the labels 0 to 9 mean.
inline constexpr std::array<std::string_view, 10> fashion_mnist_classes{
    "T-shirt/top", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot"};

/// Where Debian's package dataset-fashion-mnist puts the files.
inline constexpr const char* fashion_mnist_directory = "/usr/share/datasets/fashion-mnist";

/// One set of n images; row i of each array belongs to the same image.
struct fashion_mnist {
  xt::xtensor<std::uint8_t, 2> images;  ///< shape (n, 784), row by row from the top, 0 (background) to 255
  xt::xtensor<float, 2> pixels;         ///< shape (n, 784), `images` / 255: 0 to 1
  xt::xtensor<std::int32_t, 1> labels;  ///< shape (n), 0 to 9

  std::size_t size() const { return labels.size(); }
};

struct fashion_mnist_sets {
  fashion_mnist train;
  fashion_mnist test;
};

namespace detail {

/// The file `name` in `directory`, with .gz if there is one.
inline std::filesystem::path idx_path(const std::filesystem::path& directory, const std::string& name) {
  const std::filesystem::path compressed = directory / (name + ".gz");
  std::error_code ignored;  // an unreadable folder is reported when the file is opened
  if (!std::filesystem::exists(compressed, ignored) && std::filesystem::exists(directory / name, ignored)) return directory / name;
  return compressed;
}

/// The set whose files begin with `prefix`: "train" or "t10k".
inline fashion_mnist load_fashion_mnist_set(const std::filesystem::path& directory, const std::string& prefix) {
  etch::format::kept_array images =
      etch::format::read_idx(idx_path(directory, prefix + "-images-idx3-ubyte"), etch::format::inflate);
  etch::format::kept_array labels =
      etch::format::read_idx(idx_path(directory, prefix + "-labels-idx1-ubyte"), etch::format::inflate);
  expect(images, etch::dtype::uint8, 3);
  expect(labels, etch::dtype::uint8, 1);
  const auto& shape = images.array.extents;
  if (shape[0] == 0 || shape[1] != 28 || shape[2] != 28)
    etch::fail("%s: its images are %s, expected are some of 28 x 28", images.file.c_str(), etch::format::shape_text(shape).c_str());
  const auto count = static_cast<std::size_t>(shape[0]);
  if (labels.array.extents[0] != shape[0])
    etch::fail("%s: it has %lld labels, %s has %lld images", labels.file.c_str(), static_cast<long long>(labels.array.extents[0]),
               images.file.c_str(), static_cast<long long>(shape[0]));
  const auto* const pixels = etch::format::values_of<std::uint8_t>(images);
  const auto* const classes = etch::format::values_of<std::uint8_t>(labels);
  const auto* const wrong = std::find_if(classes, classes + count, [](std::uint8_t label) { return label > 9; });
  if (wrong != classes + count)
    etch::fail("%s: label %td is %d, labels are 0 to 9", labels.file.c_str(), wrong - classes, int{*wrong});

  fashion_mnist set;
  set.images.resize({count, std::size_t{784}});
  set.pixels.resize({count, std::size_t{784}});
  set.labels.resize({count});
  std::copy_n(pixels, set.images.size(), set.images.data());
  std::copy_n(classes, count, set.labels.data());
  std::transform(pixels, pixels + set.pixels.size(), set.pixels.data(), [](std::uint8_t value) { return float(value) / 255.0f; });
  return set;
}

}  // namespace detail

/// Reads the four files (gzip-compressed or plain) in `directory`. Throws `etch::error` if one is missing or damaged, if the
/// images are not 28 x 28 pixels, if images and labels differ in number, or if a label is not 0 to 9.
inline fashion_mnist_sets load_fashion_mnist(const std::filesystem::path& directory = fashion_mnist_directory) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(directory, ignored))
    etch::fail(
        "%s: it is no folder: install Debian's package dataset-fashion-mnist or name the folder of the files of Fashion-MNIST",
        directory.string().c_str());
  return {detail::load_fashion_mnist_set(directory, "train"), detail::load_fashion_mnist_set(directory, "t10k")};
}

}  // namespace data
