// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <xtensor/xtensor.hpp>

#include <etch/format/idx.hpp>
#include <etch/format/inflate.hpp>

/// Ready-made datasets of labelled images, from files on the disk: nothing is downloaded. Link with zlib.
namespace etch::data {

/// Images of classes: element i of both arrays belongs to the same image.
struct labelled_images {
  xt::xtensor<std::uint8_t, 4> images;  ///< (n, height, width, channels), row by row from the top, 0 to 255
  xt::xtensor<std::int32_t, 1> labels;  ///< (n), the number of each image's class, from 0 on

  std::size_t size() const { return labels.size(); }
  /// `images` / 255, 0 to 1: (n, height, width, channels).
  xt::xtensor<float, 4> pixels() const { return scaled(xt::xtensor<float, 4>::from_shape(images.shape())); }
  /// The same, of each image in a row: (n, height * width * channels).
  xt::xtensor<float, 2> rows() const { return scaled(xt::xtensor<float, 2>::from_shape({size(), size_of_image()})); }

 private:
  std::size_t size_of_image() const { return images.shape()[1] * images.shape()[2] * images.shape()[3]; }
  template <class Array>
  Array scaled(Array to) const {
    std::transform(images.data(), images.data() + images.size(), to.data(),
                   [](std::uint8_t value) { return static_cast<float>(value) / 255; });
    return to;
  }
};

struct labelled_sets {
  labelled_images train, test;
};

namespace detail {

inline void check_folder(const std::filesystem::path& folder, const char* of) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) fail("%s: it is no folder: %s", folder.string().c_str(), of);
}
/// Refuses a label of no class: `first`: of the first of these images in its file.
inline void check_labels_of(std::span<const std::uint8_t> labels, std::size_t first, int classes, const std::string& file) {
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i] >= classes) fail("%s: label %zu is %d, labels are 0 to %d", file.c_str(), first + i, int{labels[i]}, classes - 1);
}

/// The file `name` in `folder`, with .gz if there is one.
inline std::filesystem::path plain_or_compressed(const std::filesystem::path& folder, const std::string& name) {
  const std::filesystem::path compressed = folder / (name + ".gz");
  std::error_code ignored;  // an unreadable folder is reported when the file is opened
  if (!std::filesystem::exists(compressed, ignored) && std::filesystem::exists(folder / name, ignored)) return folder / name;
  return compressed;
}

/// Of MNIST's format: images of 28 x 28 grey pixels in ten classes, in the idx files that begin with `prefix`.
inline labelled_images read_mnist_set(const std::filesystem::path& folder, const std::string& prefix) {
  format::kept_array images = format::read_idx(plain_or_compressed(folder, prefix + "-images-idx3-ubyte"), format::inflate);
  format::kept_array labels = format::read_idx(plain_or_compressed(folder, prefix + "-labels-idx1-ubyte"), format::inflate);
  format::expect(images, dtype::uint8, 3);
  format::expect(labels, dtype::uint8, 1);
  const auto& shape = images.array.extents;
  if (shape[0] == 0 || shape[1] != 28 || shape[2] != 28)
    fail("%s: its images are %s, expected are some of 28 x 28", images.file.c_str(), format::shape_text(shape).c_str());
  const auto count = static_cast<std::size_t>(shape[0]);
  if (labels.array.extents[0] != shape[0])
    fail("%s: it has %lld labels, %s has %lld images", labels.file.c_str(), static_cast<long long>(labels.array.extents[0]),
         images.file.c_str(), static_cast<long long>(shape[0]));
  const std::span classes(format::values_of<std::uint8_t>(labels), count);
  check_labels_of(classes, 0, 10, labels.file);

  labelled_images set;
  set.images.resize({count, 28, 28, 1});
  set.labels.resize({count});
  std::copy_n(format::values_of<std::uint8_t>(images), set.images.size(), set.images.data());
  std::copy(classes.begin(), classes.end(), set.labels.data());
  return set;
}
inline labelled_sets read_mnist(const std::filesystem::path& folder) {
  return {read_mnist_set(folder, "train"), read_mnist_set(folder, "t10k")};
}

/// CIFAR-10's binary version: of each image a byte for its label, then 32 x 32 bytes of red, of green, of blue.
inline labelled_images read_cifar10_files(const std::filesystem::path& folder, std::span<const char* const> names) {
  constexpr std::size_t places = 32 * 32, record = 1 + 3 * places;
  std::vector<format::input_file> files;
  std::size_t count = 0;
  for (const char* name : names) {
    const std::span<const std::byte> bytes = files.emplace_back(folder / name).bytes();
    if (bytes.empty() || bytes.size() % record != 0)
      fail("%s: it has %zu bytes, expected is a multiple of %zu, of an image of 32 x 32 and its label", files.back().name().c_str(),
           bytes.size(), record);
    count += bytes.size() / record;
  }
  labelled_images set;
  set.images.resize({count, 32, 32, 3});
  set.labels.resize({count});
  std::uint8_t* to = set.images.data();
  std::int32_t* label = set.labels.data();
  for (const format::input_file& file : files) {
    const auto* from = reinterpret_cast<const std::uint8_t*>(file.bytes().data());
    for (std::size_t i = 0; i < file.bytes().size() / record; ++i, from += record, to += 3 * places) {
      check_labels_of({from, 1}, i, 10, file.name());
      *label++ = *from;
      for (std::size_t at = 0; at < places; ++at)
        for (std::size_t channel = 0; channel < 3; ++channel) to[3 * at + channel] = from[1 + channel * places + at];
    }
  }
  return set;
}

}  // namespace detail

/// Where Debian's package dataset-fashion-mnist puts its files.
inline constexpr const char* fashion_mnist_folder = "/usr/share/datasets/fashion-mnist";
/// What Fashion-MNIST's labels 0 to 9 mean.
inline constexpr std::array<std::string_view, 10> fashion_mnist_classes{
    "T-shirt/top", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot"};
/// What CIFAR-10's labels 0 to 9 mean.
inline constexpr std::array<std::string_view, 10> cifar10_classes{"airplane", "automobile", "bird",  "cat",  "deer",
                                                                  "dog",      "frog",       "horse", "ship", "truck"};

/// Fashion-MNIST: 60,000 images to train on and 10,000 to test with, 28 x 28 grey pixels each, (n, 28, 28, 1), in ten classes. `folder`: of the
/// four idx files, plain or as gzip compresses them. Throws `etch::error` where one is missing or damaged, where images are not 28 x 28,
/// where there are more or fewer labels than images, and of a label above 9.
inline labelled_sets load_fashion_mnist(const std::filesystem::path& folder = fashion_mnist_folder) {
  detail::check_folder(folder, "install Debian's package dataset-fashion-mnist or name the folder of the files of Fashion-MNIST");
  return detail::read_mnist(folder);
}
/// MNIST, handwritten digits: as `load_fashion_mnist`.
inline labelled_sets load_mnist(const std::filesystem::path& folder) {
  detail::check_folder(folder, "name the folder of the files of MNIST");
  return detail::read_mnist(folder);
}
/// CIFAR-10: 50,000 images to train on and 10,000 to test with, 32 x 32 pixels of red, green and blue each, (n, 32, 32, 3), in ten classes.
/// `folder`: of the files of its binary version, `data_batch_1.bin` to `data_batch_5.bin` and `test_batch.bin`. Throws `etch::error` where one is
/// missing, of a size of no whole images, and of a label above 9.
inline labelled_sets load_cifar10(const std::filesystem::path& folder) {
  detail::check_folder(folder, "name the folder of the files of CIFAR-10's binary version");
  constexpr const char* train[] = {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                                   "data_batch_5.bin"};
  constexpr const char* test[] = {"test_batch.bin"};
  return {detail::read_cifar10_files(folder, train), detail::read_cifar10_files(folder, test)};
}

}  // namespace etch::data
