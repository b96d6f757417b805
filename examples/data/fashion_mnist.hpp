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

#include "idx.hpp"

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
  const auto images_path = idx_path(directory, prefix + "-images-idx3-ubyte");
  const auto labels_path = idx_path(directory, prefix + "-labels-idx1-ubyte");
  const idx images = read_idx(images_path, 3);
  const idx labels = read_idx(labels_path, 1);

  const std::size_t count = images.shape[0];
  if (images.shape[1] != 28 || images.shape[2] != 28)
    throw error(quoted(images_path) + " does not hold images of 28 x 28 pixels: its shape is " + shape_text(images.shape));
  if (count == 0) throw error(quoted(images_path) + " holds no images");
  if (labels.shape[0] != count)
    throw error(quoted(labels_path) + " holds " + std::to_string(labels.shape[0]) + " labels, but " + quoted(images_path) +
                " holds " + std::to_string(count) + " images");
  const auto wrong = std::ranges::find_if(labels.values, [](std::uint8_t label) { return label > 9; });
  if (wrong != labels.values.end())
    throw error(quoted(labels_path) + " holds a label that is not 0 to 9: " + std::to_string(*wrong) + " at index " +
                std::to_string(wrong - labels.values.begin()));

  fashion_mnist set;
  set.images.resize({count, std::size_t{784}});
  set.pixels.resize({count, std::size_t{784}});
  set.labels.resize({count});
  std::ranges::copy(images.values, set.images.data());
  std::ranges::transform(images.values, set.pixels.data(), [](std::uint8_t value) { return float(value) / 255.0f; });
  std::ranges::copy(labels.values, set.labels.data());
  return set;
}

}  // namespace detail

/// Reads the four files (gzip-compressed or plain) in `directory`. Throws `error` if one is missing or damaged, if the
/// images are not 28 x 28 pixels, if images and labels differ in number, or if a label is not 0 to 9.
inline fashion_mnist_sets load_fashion_mnist(const std::filesystem::path& directory = fashion_mnist_directory) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(directory, ignored))
    throw error(detail::quoted(directory) +
                " is not a folder: install Debian's package dataset-fashion-mnist or name the folder that holds the "
                "files of Fashion-MNIST");
  return {detail::load_fashion_mnist_set(directory, "train"), detail::load_fashion_mnist_set(directory, "t10k")};
}

}  // namespace data
