// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <etch/image.hpp>
#include <image/expected.hpp>
#include <image/pictures.hpp>

/// Flips by chance, of one image and of each of a batch: what comes of many seeds is an image or its mirror image, each as often.
namespace {

using namespace etch;

constexpr int height = 4, width = 5, channels = 3, size = height * width * channels;
constexpr int images = 5;

/// Pictures of which none is its own mirror image, nor another's.
template <class T>
tensor<T, 4> batch_of_pictures() {
  const image::pixels bytes = pictures::noise(images * height, width, channels);
  xt::xtensor<T, 4> x = xt::zeros<T>({images, height, width, channels});
  std::transform(bytes.data(), bytes.data() + images * size, x.data(), [](std::uint8_t v) { return static_cast<T>(v); });
  return x;
}
template <class T>
tensor<T, 3> picture(const tensor<T, 4>& batch, int number) {
  xt::xtensor<T, 3> x = xt::zeros<T>({height, width, channels});
  std::copy_n(batch.data() + number * size, size, x.data());
  return x;
}
/// 0 where an image is as it was, 1 where it is its mirror image, -1 where it is neither.
template <class T>
int outcome(const T* y, const T* x, bool columns_are_reversed) {
  if (std::equal(x, x + size, y)) return 0;
  for (int i = 0; i < height; ++i)
    for (int j = 0; j < width; ++j)
      for (int c = 0; c < channels; ++c) {
        const int row = columns_are_reversed ? i : height - 1 - i, column = columns_are_reversed ? width - 1 - j : j;
        if (y[(i * width + j) * channels + c] != x[(row * width + column) * channels + c]) return -1;
      }
  return 1;
}

template <class T, class Flip>
void check_one_image(bool columns_are_reversed, const Flip& flip) {
  const tensor<T, 4> batch = batch_of_pictures<T>();
  const tensor<T, 3> x = picture(batch, 1);
  int counts[2] = {};
  for (std::int64_t i = 0; i < 400; ++i) {
    const tensor<T, 3> y = flip(x, image::seed{i % 20, i / 20});
    REQUIRE(y.shape() == x.shape());
    const int of_seed = outcome(y.data(), x.data(), columns_are_reversed);
    REQUIRE(of_seed >= 0);
    ++counts[of_seed];
    CHECK(outcome(flip(x, image::seed{i % 20, i / 20}).data(), x.data(), columns_are_reversed) == of_seed);
  }
  CHECK(std::abs(counts[1] - 200) < 50);  // five standard deviations
}
template <class T, class Flip>
void check_batch(bool columns_are_reversed, const Flip& flip) {
  const tensor<T, 4> x = batch_of_pictures<T>();
  int flipped[images] = {}, together[images][2][2] = {};
  for (std::int64_t i = 0; i < 400; ++i) {
    const tensor<T, 4> y = flip(x, image::seed{i % 20, i / 20});
    REQUIRE(y.shape() == x.shape());
    int of_seed[images];
    for (int n = 0; n < images; ++n) {
      of_seed[n] = outcome(y.data() + n * size, x.data() + n * size, columns_are_reversed);
      REQUIRE(of_seed[n] >= 0);
      flipped[n] += of_seed[n];
      ++together[n][of_seed[0]][of_seed[n]];
    }
  }
  for (const int count : flipped) CHECK(std::abs(count - 200) < 50);
  // Each image has a coin of its own.
  for (int n = 1; n < images; ++n)
    for (const auto& row : together[n])
      for (const int count : row) CHECK(std::abs(count - 100) < 44);  // five standard deviations
}
constexpr auto left_right = [](const auto& x, const image::seed& s) { return image::stateless_random_flip_left_right(x, s); };
constexpr auto up_down = [](const auto& x, const image::seed& s) { return image::stateless_random_flip_up_down(x, s); };

}  // namespace

TEST_CASE("image: a random flip of one image gives the image or its mirror image, each of half of the seeds") {
  check_one_image<std::uint8_t>(true, left_right);
  check_one_image<float>(true, left_right);
  check_one_image<std::uint8_t>(false, up_down);
  check_one_image<float>(false, up_down);
}
TEST_CASE("image: a random flip of a batch gives each image or its mirror image, by a coin of its own") {
  check_batch<std::uint8_t>(true, left_right);
  check_batch<float>(true, left_right);
  check_batch<std::uint8_t>(false, up_down);
  check_batch<float>(false, up_down);
}
TEST_CASE("image: the seeds that flip are TensorFlow's") {
  const auto x = batch_of_pictures<std::uint8_t>();
  const auto of_seeds = [&](bool columns_are_reversed, const auto& flip) {
    std::vector<int> one, all;
    for (std::int64_t i = 0; i < 32; ++i) {
      const auto first = picture(x, 0);
      one.push_back(outcome(flip(first, image::seed{i, 7}).data(), first.data(), columns_are_reversed));
      const auto y = flip(x, image::seed{i, 7});
      for (int n = 0; n < images; ++n) all.push_back(outcome(y.data() + n * size, x.data() + n * size, columns_are_reversed));
    }
    return std::pair(one, all);
  };
  const auto [columns, columns_of_batch] = of_seeds(true, left_right);
  CHECK(columns == tensorflow::flips_left_right);
  CHECK(columns_of_batch == tensorflow::flips_left_right_batch);
  const auto [rows, rows_of_batch] = of_seeds(false, up_down);
  CHECK(rows == tensorflow::flips_up_down);
  CHECK(rows_of_batch == tensorflow::flips_up_down_batch);
}
