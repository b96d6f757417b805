// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/data/idx.hpp>
#include <etch/format/inflate.hpp>
#include <etch/image.hpp>
#include <format/damage.hpp>

namespace {

using namespace etch;

const std::filesystem::path there = "/usr/share/datasets/fashion-mnist";

bool is_there() {
  const bool found = std::filesystem::exists(there);
  if (!found) MESSAGE("skipped: Fashion-MNIST is not there (Debian's dataset-fashion-mnist)");
  return found;
}
auto load(const std::string& part) {
  return data::zip(data::idx<std::uint8_t, 3>(there / (part + "-images-idx3-ubyte.gz"), format::inflate),
                   data::idx<std::uint8_t, 1>(there / (part + "-labels-idx1-ubyte.gz"), format::inflate));
}

}  // namespace

TEST_CASE("DATA-03: Fashion-MNIST as a dataset of images from 0 to 1 and labels") {
  if (!is_there()) return;
  auto d = load("train").map([](const tensor<std::uint8_t, 2>& image, std::uint8_t label) {
    xt::xtensor<float, 3> scaled({28, 28, 1});
    for (std::size_t i = 0; i < 28 * 28; ++i) scaled.flat(i) = static_cast<float>(image.data()[i]) / 255;
    return std::tuple(std::move(scaled), std::int32_t{label});
  });
  CHECK(d.size() == 60000);
  CHECK(load("t10k").size() == 10000);
  for (auto [image, label] : d.take(1)) {
    CHECK(image.shape() == std::array<std::size_t, 3>{28, 28, 1});
    CHECK(*std::ranges::max_element(image) == 1);
    CHECK(*std::ranges::min_element(image) == 0);
    CHECK(label == 9);
  }
}

TEST_CASE("AT-21: Fashion-MNIST's images are turned by 90 degrees and put into batches") {
  if (!is_there()) return;
  const auto turned = load("train").map([](const tensor<std::uint8_t, 2>& picture, std::uint8_t label) {
    return std::tuple(image::rot90(expand_dims(picture, axis<-1>)), label);
  });
  // Counter-clockwise: row y is column 27 - y.
  int wrong = 0, number = 0;
  for (auto [upright, label, left, same_label] : data::zip(load("train"), turned).take(100)) {
    CHECK(label == same_label);
    REQUIRE(left.shape() == std::array<std::size_t, 3>{28, 28, 1});
    for (std::size_t y = 0; y < 28; ++y)
      for (std::size_t x = 0; x < 28; ++x) wrong += left(y, x, 0) != upright(x, 27 - y);
    ++number;
  }
  CHECK(number == 100);
  CHECK(wrong == 0);
  const files::folder folder("fashion_mnist");
  for (auto [images, labels] : turned.take(8).batch(4)) {
    CHECK(images.shape() == std::array<std::size_t, 4>{4, 28, 28, 1});
    CHECK(std::vector<int>(labels.begin(), labels.end()) == std::vector{9, 0, 0, 3});
    files::write(folder / "turned", {reinterpret_cast<const char*>(images.data()), images.size()});
    break;
  }
  files::run_numpy(folder, R"(
import gzip
with gzip.open('/usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz') as f:
  images = np.frombuffer(f.read(16 + 4 * 784), np.uint8, offset=16).reshape(4, 28, 28)
assert (np.fromfile(folder + 'turned', np.uint8).reshape(4, 28, 28) == np.rot90(images, axes=(1, 2))).all()
)");
}

TEST_CASE("idx: all of Fashion-MNIST's bytes as NumPy sees them") {
  if (!is_there()) return;
  const format::kept_array images = format::read_idx(there / "train-images-idx3-ubyte.gz", format::inflate);
  CHECK(images.array.extents == std::vector<std::int64_t>{60000, 28, 28});
  const files::folder folder("fashion_mnist");
  files::write(folder / "images", {reinterpret_cast<const char*>(images.array.bytes.data()), images.array.bytes.size()});
  files::run_numpy(folder, R"(
import gzip
with gzip.open('/usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz') as f:
  expected = np.frombuffer(f.read(), np.uint8, offset=16)
assert (np.fromfile(folder + 'images', np.uint8) == expected).all()
)");
}
