// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include <etch/image.hpp>
#include <etch/tape.hpp>
#include <format/files.hpp>

/// What a network's inputs are made with: means and deviations of channels, and three channels of one.
namespace {

using namespace etch;
using namespace etch::literals;

/// Of the images on which torchvision's networks were trained.
const xt::xtensor<float, 1> means = {0.485f, 0.456f, 0.406f}, deviations = {0.229f, 0.224f, 0.225f};

/// Bytes (2, 1, 3), and by hand what the means and deviations make of them: (byte / 255 - mean) / deviation.
tensor<std::uint8_t, 3> bytes() { return xt::xtensor<std::uint8_t, 3>{{{0, 0, 0}}, {{255, 51, 204}}}; }
constexpr double normalized[] = {-2.117904, -2.035714, -1.804444, 2.248908, -1.142857, 1.751111};

template <class Y, class E>
void check(const Y& y, const E& values) {
  std::size_t i = 0;
  for (const double v : values) CHECK(static_cast<double>(y.data()[i++]) == doctest::Approx(v).epsilon(1e-6));
  CHECK(i == static_cast<std::size_t>(y.size()));
}

}  // namespace

TEST_CASE("image: normalize takes the mean from each channel and divides by its deviation") {
  const tensor<float, 1> mean(means), deviation(deviations);
  const auto of_bytes = image::normalize(bytes(), mean, deviation);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(of_bytes)>, tensor<float, 3>>);
  check(of_bytes, normalized);
  check(image::normalize(image::convert_image_dtype<float>(bytes()), mean, deviation), normalized);
  // One number for all channels.
  check(image::normalize(bytes(), 0.5f, 0.25f), std::vector{-2.0, -2.0, -2.0, 2.0, -1.2, 1.2});
  check(image::normalize(bytes(), 0.5_c, 0.25_c), std::vector{-2.0, -2.0, -2.0, 2.0, -1.2, 1.2});
  // Floats are not scaled, whatever they are.
  const tensor<float, 3> wide(xt::xtensor<float, 3>{{{300, -20, 4}}});
  check(image::normalize(wide, 100.f, 50.f), std::vector{4.0, -2.4, -1.92});
  // Of a batch each image.
  const auto twice = image::normalize(stack(axis<0>, bytes(), bytes()), mean, deviation);
  REQUIRE(twice.shape() == std::array<std::int64_t, 4>{2, 2, 1, 3});
  for (std::size_t i = 0; i < 12; ++i) CHECK(twice.data()[i] == of_bytes.data()[i % 6]);
}
TEST_CASE("image: normalize in a graph") {
  constexpr placeholder<"x", std::uint8_t, any<"batch">, 2, 1, 3> x;
  constexpr placeholder<"mean", float, 3> mean;
  constexpr placeholder<"deviation", float, 3> deviation;
  constexpr auto each = image::normalize(x, mean, deviation);
  constexpr auto all = image::normalize(x, 0.5_c, 0.25_c);
  session s(each, all);
  const xt::xtensor<std::uint8_t, 4> in{{{{0, 0, 0}}, {{255, 51, 204}}}};
  const xt::xtensor<float, 4> of_each = s.run(each, x = in, mean = means, deviation = deviations);
  check(of_each, normalized);
  const xt::xtensor<float, 4> of_all = s.run(all, x = in);
  check(of_all, std::vector{-2.0, -2.0, -2.0, 2.0, -1.2, 1.2});
}

TEST_CASE("image: grayscale_to_rgb gives a channel three times") {
  const tensor<std::uint8_t, 3> gray(xt::xtensor<std::uint8_t, 3>{{{7}, {0}}, {{255}, {31}}});
  const std::vector<int> three = {7, 7, 7, 0, 0, 0, 255, 255, 255, 31, 31, 31};
  const auto colours = image::grayscale_to_rgb(gray);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(colours)>, tensor<std::uint8_t, 3>>);
  CHECK(colours.shape() == std::array<std::int64_t, 3>{2, 2, 3});
  CHECK(std::vector<int>(colours.data(), colours.data() + 12) == three);
  // Of floats and of a batch.
  const auto floats = image::grayscale_to_rgb(stack(axis<0>, astype<float>(gray), astype<float>(gray) * 0.5_c));
  CHECK(floats.shape() == std::array<std::int64_t, 4>{2, 2, 2, 3});
  for (std::size_t i = 0; i < 12; ++i) {
    CHECK(floats.data()[i] == static_cast<float>(three[i]));
    CHECK(floats.data()[12 + i] == static_cast<float>(three[i]) / 2);
  }
  CHECK(files::error_of([&] { image::grayscale_to_rgb(colours); }) ==
        "image::grayscale_to_rgb: images have 3 channels, expected are 1");

  constexpr placeholder<"x", float, 2, 2, 1> x;
  constexpr auto in_graph = image::grayscale_to_rgb(x);
  static_assert(std::is_same_v<decltype(in_graph)::shape_type, shape<2, 2, 3>>);
  session s(in_graph);
  const xt::xtensor<float, 3> y = s.run(in_graph, x = xt::xtensor<float, 3>{{{7}, {0}}, {{255}, {31}}});
  for (std::size_t i = 0; i < 12; ++i) CHECK(y.data()[i] == static_cast<float>(three[i]));
}
TEST_CASE("image: the gradient of grayscale_to_rgb adds up what comes of the three channels") {
  const tensor<float, 3> gray(xt::xtensor<float, 3>{{{0.5f}, {2}}});
  const tensor<float, 3> by(xt::xtensor<float, 3>{{{1, 10, 100}, {-1, 2, 4}}});
  tape recorded;
  recorded.watch(gray);
  const auto slope = recorded.gradient(sum(image::grayscale_to_rgb(gray) * by), gray);
  CHECK(slope.shape() == std::array<std::int64_t, 3>{1, 2, 1});
  CHECK(slope.data()[0] == 111);
  CHECK(slope.data()[1] == 5);
}
