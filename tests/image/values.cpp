// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include <etch/image.hpp>
#include <image/expected.hpp>

#include "base/larger.hpp"

/// Functions of images against what tf.image gives: on values, in graphs, of a batch.
namespace {

using namespace etch;
using namespace etch::literals;

tensor<std::uint8_t, 3> bytes() {
  xt::xtensor<std::uint8_t, 3> x = xt::zeros<std::uint8_t>({4, 3, 3});
  for (unsigned i = 0; i < 36; ++i) x.data()[i] = static_cast<std::uint8_t>(i * i * 7 + i * 13);
  return x;
}

/// Floats to 2e-6 of 1, since sums have other orders there; bytes to the last bit.
template <class Y, class T>
void check(const char* name, const Y& y, const std::vector<T>& expected) {
  static_assert(std::is_same_v<typename Y::value_type, T>);
  CAPTURE(name);
  std::size_t size = 1;
  for (const auto extent : y.shape()) size *= static_cast<std::size_t>(extent);
  REQUIRE(size == expected.size());
  double largest = 0;
  for (std::size_t i = 0; i < size; ++i)
    largest = larger_or_nan(largest, std::abs(static_cast<double>(y.data()[i]) - static_cast<double>(expected[i])));
  CHECK(largest <= (std::is_same_v<T, float> ? 2e-6 : 0));
}
#define CHECK_IMAGE(NAME, CALL) check(#NAME, CALL, tensorflow::NAME)

}  // namespace

TEST_CASE("image: bytes become TensorFlow's bytes") {
  const auto x = bytes();
  CHECK_IMAGE(bytes_brightness, image::adjust_brightness(x, 0.23f));
  CHECK_IMAGE(bytes_contrast, image::adjust_contrast(x, 1.7f));
  CHECK_IMAGE(bytes_gamma, image::adjust_gamma(x, 0.6f, 1.2f));
  CHECK_IMAGE(bytes_saturation, image::adjust_saturation(x, 1.6f));
  CHECK_IMAGE(bytes_saturation_less, image::adjust_saturation(x, 0.3f));
  CHECK_IMAGE(bytes_hue, image::adjust_hue(x, 0.31f));
  CHECK_IMAGE(bytes_hue_back, image::adjust_hue(x, -0.17f));
  CHECK_IMAGE(bytes_grayscale, image::rgb_to_grayscale(x));
}

TEST_CASE("image: seeds draw what they draw in TensorFlow") {
  const auto x = bytes();
  CHECK_IMAGE(bytes_random_flip, image::stateless_random_flip_left_right(x, {1, 2}));
  CHECK_IMAGE(bytes_random_flip_not, image::stateless_random_flip_up_down(x, {1, 3}));
  CHECK_IMAGE(bytes_random_brightness, image::stateless_random_brightness(x, 0.4f, {5, 6}));
  CHECK_IMAGE(bytes_random_contrast, image::stateless_random_contrast(x, 0.4f, 1.8f, {5, 6}));
  CHECK_IMAGE(bytes_random_saturation, image::stateless_random_saturation(x, 0.4f, 1.8f, {5, 7}));
  CHECK_IMAGE(bytes_random_hue, image::stateless_random_hue(x, 0.4f, {-5, 7}));
  CHECK_IMAGE(bytes_random_crop, image::stateless_random_crop(x, 2, 2, {123456789012, 7}));
  const auto f = image::convert_image_dtype<float>(x);
  CHECK_IMAGE(random_flip, image::stateless_random_flip_left_right(f, {1, 2}));
  CHECK_IMAGE(random_brightness, image::stateless_random_brightness(f, 0.4f, {5, 6}));
  CHECK_IMAGE(random_contrast, image::stateless_random_contrast(f, 0.4f, 1.8f, {5, 6}));
  CHECK_IMAGE(random_saturation, image::stateless_random_saturation(f, 0.4f, 1.8f, {5, 7}));
  CHECK_IMAGE(random_hue, image::stateless_random_hue(f, 0.4f, {-5, 7}));

  // Of a batch each image has its own coin: by tf.image.stateless_random_flip_left_right of 12 images (1, 2, 1) with the seed (3, 4).
  xt::xtensor<float, 4> batch = xt::zeros<float>({12, 1, 2, 1});
  for (std::size_t i = 0; i < 12; ++i) batch(i, 0, 1, 0) = 1;
  const auto flipped = image::stateless_random_flip_left_right(tensor<float, 4>(batch), {3, 4});
  std::vector<int> which;
  for (int i = 0; i < 12; ++i) which.push_back(flipped(i, 0, 0, 0) == 1);
  CHECK(which == std::vector<int>{0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1});
}

TEST_CASE("image: floats on values") {
  const auto x = image::convert_image_dtype<float>(bytes());
  CHECK_IMAGE(brightness, image::adjust_brightness(x, 0.23f));
  CHECK_IMAGE(contrast, image::adjust_contrast(x, 1.7f));
  CHECK_IMAGE(gamma, image::adjust_gamma(x, 0.6f, 1.2f));
  CHECK_IMAGE(saturation, image::adjust_saturation(x, 1.6f));
  CHECK_IMAGE(saturation_less, image::adjust_saturation(x, 0.3f));
  CHECK_IMAGE(hue, image::adjust_hue(x, 0.31f));
  CHECK_IMAGE(hue_back, image::adjust_hue(x, -0.17f));
  CHECK_IMAGE(grayscale, image::rgb_to_grayscale(x));
  CHECK_IMAGE(hsv, image::rgb_to_hsv(x));
  CHECK_IMAGE(rgb, image::hsv_to_rgb(image::rgb_to_hsv(x)));
  CHECK_IMAGE(standard, image::per_image_standardization(x));
  CHECK_IMAGE(standard, image::per_image_standardization(bytes()));
  // Bytes that differ by 1 are no flat image.
  xt::xtensor<std::uint8_t, 3> flat = xt::zeros<std::uint8_t>({4, 3, 3});
  for (std::size_t i = 1; i < 36; i += 3) flat.data()[i] = 1;
  CHECK_IMAGE(standard_flat, image::per_image_standardization(tensor<std::uint8_t, 3>(flat)));
}

TEST_CASE("image: floats in a graph") {
  constexpr placeholder<"x", float, 4, 3, 3> x;
  constexpr auto brightness = image::adjust_brightness(x, 0.23_c);
  constexpr auto contrast = image::adjust_contrast(x, 1.7_c);
  constexpr auto saturation = image::adjust_saturation(x, 1.6_c);
  constexpr auto hue = image::adjust_hue(x, -0.17_c);
  constexpr auto grayscale = image::rgb_to_grayscale(x);
  constexpr auto hsv = image::rgb_to_hsv(x);
  constexpr auto rgb = image::hsv_to_rgb(hsv);
  constexpr auto standard = image::per_image_standardization(x);
  constexpr placeholder<"b", std::uint8_t, any<"n">, 4, 3, 3> b;
  constexpr auto batch = image::adjust_saturation(b, 0.3_c);
  session s(brightness, contrast, saturation, hue, grayscale, hsv, rgb, standard, batch);
  const xt::xtensor<float, 3> at = image::convert_image_dtype<float>(bytes());
  CHECK_IMAGE(brightness, s.run(brightness, x = at));
  CHECK_IMAGE(contrast, s.run(contrast, x = at));
  CHECK_IMAGE(saturation, s.run(saturation, x = at));
  CHECK_IMAGE(hue_back, s.run(hue, x = at));
  CHECK_IMAGE(grayscale, s.run(grayscale, x = at));
  CHECK_IMAGE(hsv, s.run(hsv, x = at));
  CHECK_IMAGE(rgb, s.run(rgb, x = at));
  CHECK_IMAGE(standard, s.run(standard, x = at));
  // Of a batch each image is what it is alone.
  const xt::xtensor<std::uint8_t, 3> one = bytes();
  xt::xtensor<std::uint8_t, 4> two = xt::zeros<std::uint8_t>({2, 4, 3, 3});
  std::copy_n(one.data(), 36, std::copy_n(one.data(), 36, two.data()));
  std::vector<std::uint8_t> twice = tensorflow::bytes_saturation_less;
  twice.insert(twice.end(), tensorflow::bytes_saturation_less.begin(), tensorflow::bytes_saturation_less.end());
  check("batch", s.run(batch, b = two), twice);
}

TEST_CASE("IMG-01: images are resized as by tf.image.resize, on values") {
  const auto u = bytes();
  const auto f = image::convert_image_dtype<float>(u);
  const auto both = [&]<int H, int W>(const char* name, shape<H, W>, const std::vector<float>& expected, auto... how) {
    check(name, image::resize<H, W>(f, how...), expected);
    check(name, image::resize(f, H, W, how...), expected);
    // Of bytes the same, 255 times.
    const auto of_bytes = image::resize<H, W>(u, how...);
    check(name, image::convert_image_dtype<float>(of_bytes) * (1 / 255.f), expected);
  };
  both("bilinear", shape<3, 5>{}, tensorflow::bilinear_3x5);
  both("bilinear", shape<2, 2>{}, tensorflow::bilinear_2x2, bilinear);
  both("bilinear, antialias", shape<3, 5>{}, tensorflow::bilinear_smooth_3x5, bilinear, antialias);
  both("bilinear, antialias", shape<2, 2>{}, tensorflow::bilinear_smooth_2x2, bilinear, antialias);
  both("bicubic", shape<3, 5>{}, tensorflow::bicubic_3x5, bicubic);
  both("bicubic", shape<2, 2>{}, tensorflow::bicubic_2x2, bicubic);
  both("bicubic, antialias", shape<3, 5>{}, tensorflow::bicubic_smooth_3x5, bicubic, antialias);
  both("bicubic, antialias", shape<2, 2>{}, tensorflow::bicubic_smooth_2x2, bicubic, antialias);
  both("area", shape<3, 5>{}, tensorflow::area_3x5, area);
  both("area", shape<2, 2>{}, tensorflow::area_2x2, area);
  check("nearest", image::resize<3, 5>(f, nearest), tensorflow::nearest_3x5);
  const auto near = image::resize<2, 2>(u, nearest);
  check("nearest", image::convert_image_dtype<float>(near), tensorflow::nearest_2x2);

  // An image of one colour stays that, on lines to the last bit.
  const tensor<std::uint8_t, 4> ones(xt::xtensor<std::uint8_t, 4>(xt::ones<std::uint8_t>({2, 37, 23, 3})));
  const auto off = [](const auto& y) {
    float most = 0;
    for (const float v : std::span(y.data(), static_cast<std::size_t>(y.size()))) most = larger_or_nan(most, std::abs(v - 1));
    return most;
  };
  CHECK(off(image::resize<256, 256>(ones)) == 0);
  CHECK(off(image::resize<7, 5>(ones)) == 0);
  CHECK(off(image::resize<7, 5>(ones, area)) < 1e-6f);
  CHECK(off(image::resize<7, 5>(ones, bicubic, antialias)) < 1e-6f);
  CHECK(image::resize<7, 5>(ones).shape() == std::array<std::int64_t, 4>{2, 7, 5, 3});
}

TEST_CASE("image: resized in a graph") {
  constexpr placeholder<"x", float, 4, 3, 3> x;
  constexpr auto line = image::resize<3, 5>(x);
  constexpr auto smooth = image::resize<3, 5>(x, bilinear, antialias);
  constexpr auto cubic = image::resize<3, 5>(x, bicubic);
  constexpr auto smooth_cubic = image::resize<2, 2>(x, bicubic, antialias);
  constexpr auto areas = image::resize<3, 5>(x, area);
  constexpr auto near = image::resize<3, 5>(x, nearest);
  session s(line, smooth, cubic, smooth_cubic, areas, near);
  const xt::xtensor<float, 3> at = image::convert_image_dtype<float>(bytes());
  check("bilinear", s.run(line, x = at), tensorflow::bilinear_3x5);
  check("bilinear, antialias", s.run(smooth, x = at), tensorflow::bilinear_smooth_3x5);
  check("bicubic", s.run(cubic, x = at), tensorflow::bicubic_3x5);
  check("bicubic, antialias", s.run(smooth_cubic, x = at), tensorflow::bicubic_smooth_2x2);
  check("area", s.run(areas, x = at), tensorflow::area_3x5);
  check("nearest", s.run(near, x = at), tensorflow::nearest_3x5);
}
