// SPDX-License-Identifier: MIT
#include <cmath>

#include <doctest/doctest.h>

#include <etch/image.hpp>
#include <etch/tape.hpp>
#include <format/files.hpp>

/// Where pixels go, by their definition; gradients; what is no image.
namespace {

using namespace etch;
using namespace etch::literals;

/// Element (i, j, c) is 100 i + 10 j + c.
tensor<float, 3> numbered(int height, int width, int channels) {
  xt::xtensor<float, 3> x = xt::zeros<float>({height, width, channels});
  for (int i = 0; i < height; ++i)
    for (int j = 0; j < width; ++j)
      for (int c = 0; c < channels; ++c) x(i, j, c) = static_cast<float>(100 * i + 10 * j + c);
  return x;
}
/// Whether y(i, j, c) is expected(i, j, c), and y has these extents.
template <class Y, class F>
void check(const Y& y, int height, int width, F expected) {
  REQUIRE(static_cast<int>(y.shape()[0]) == height);
  REQUIRE(static_cast<int>(y.shape()[1]) == width);
  int wrong = 0;
  for (int i = 0; i < height; ++i)
    for (int j = 0; j < width; ++j)
      for (int c = 0; c < 2; ++c) wrong += y(i, j, c) != static_cast<float>(expected(i, j, c));
  CHECK(wrong == 0);
}
int at(int i, int j, int c) { return 100 * i + 10 * j + c; }
int within(int i, int j, int c) { return i < 0 || i >= 4 || j < 0 || j >= 7 ? 0 : at(i, j, c); }

}  // namespace

TEST_CASE("IMG-02: turned to the left, and flipped") {
  const auto x = numbered(4, 7, 2);
  check(image::rot90(x), 7, 4, [](int i, int j, int c) { return at(j, 7 - 1 - i, c); });
  check(image::rot90<2>(x), 4, 7, [](int i, int j, int c) { return at(3 - i, 6 - j, c); });
  check(image::rot90<-1>(x), 7, 4, [](int i, int j, int c) { return at(3 - j, i, c); });
  check(image::rot90<4>(x), 4, 7, at);
  check(image::transpose(x), 7, 4, [](int i, int j, int c) { return at(j, i, c); });
  check(image::flip_left_right(x), 4, 7, [](int i, int j, int c) { return at(i, 6 - j, c); });
  check(image::flip_up_down(x), 4, 7, [](int i, int j, int c) { return at(3 - i, j, c); });
}

TEST_CASE("image: parts and borders, given in angle brackets and as arguments") {
  const auto x = numbered(4, 7, 2);
  const auto part = [](int i, int j, int c) { return at(i + 1, j + 2, c); };
  check(image::crop_to_bounding_box<1, 2, 3, 4>(x), 3, 4, part);
  check(image::crop_to_bounding_box(x, 1, 2, 3, 4), 3, 4, part);
  const auto bordered = [](int i, int j, int c) { return within(i - 2, j - 1, c); };
  check(image::pad_to_bounding_box<2, 1, 8, 9>(x), 8, 9, bordered);
  check(image::pad_to_bounding_box(x, 2, 1, 8, 9), 8, 9, bordered);
  check(image::central_crop(x, 0.5_c), 2, 5, [](int i, int j, int c) { return at(i + 1, j + 1, c); });
  check(image::central_crop(x, 0.5), 2, 5, [](int i, int j, int c) { return at(i + 1, j + 1, c); });
  const auto both = [](int i, int j, int c) { return within(i - 1, j + 1, c); };
  check(image::resize_with_crop_or_pad<7, 4>(x), 7, 4, both);
  check(image::resize_with_crop_or_pad(x, 7, 4), 7, 4, both);
}

TEST_CASE("image: turned, cut and bordered in a graph") {
  constexpr placeholder<"x", float, 4, 7, 2> x;
  constexpr auto turned = image::rot90(x);
  constexpr auto part = image::crop_to_bounding_box<1, 2, 3, 4>(x);
  constexpr auto bordered = image::pad_to_bounding_box<2, 1, 8, 9>(x);
  constexpr auto middle = image::central_crop(x, 0.5_c);
  constexpr auto fitted = image::resize_with_crop_or_pad<7, 4>(x);
  session s(turned, part, bordered, middle, fitted);
  const xt::xtensor<float, 3> v = numbered(4, 7, 2);
  check(s.run(turned, x = v), 7, 4, [](int i, int j, int c) { return at(j, 6 - i, c); });
  check(s.run(part, x = v), 3, 4, [](int i, int j, int c) { return at(i + 1, j + 2, c); });
  check(s.run(bordered, x = v), 8, 9, [](int i, int j, int c) { return within(i - 2, j - 1, c); });
  check(s.run(middle, x = v), 2, 5, [](int i, int j, int c) { return at(i + 1, j + 1, c); });
  check(s.run(fitted, x = v), 7, 4, [](int i, int j, int c) { return within(i - 1, j + 1, c); });
}

TEST_CASE("image: gradients pass, by tapes and in graphs") {
  // Of linear maps: <f(x), y> = <x, gradient>.
  const auto x = numbered(4, 7, 3);
  const auto check_adjoint = [&](auto f) {
    tape t;
    t.watch(x);
    const auto y = f(x);
    const auto dx = t.gradient(sum(y * y), x);
    const double forward = static_cast<double>(sum(y * y).item()), backward = static_cast<double>(sum(dx * x).item()) / 2;
    CHECK(backward == doctest::Approx(forward).epsilon(1e-5));
  };
  check_adjoint([](auto v) { return image::resize<3, 5>(v); });
  check_adjoint([](auto v) { return image::resize<9, 5>(v, bicubic); });
  check_adjoint([](auto v) { return image::resize<3, 5>(v, bicubic, antialias); });
  check_adjoint([](auto v) { return image::resize<3, 5>(v, area); });
  check_adjoint([](auto v) { return image::rot90(v); });
  check_adjoint([](auto v) { return image::crop_to_bounding_box(v, 1, 2, 3, 4); });
  check_adjoint([](auto v) { return image::pad_to_bounding_box(v, 1, 2, 8, 9); });
  check_adjoint([](auto v) { return image::adjust_contrast(v, 1.5f); });
  check_adjoint([](auto v) { return image::rgb_to_grayscale(v); });

  // Of others against differences: a hue and a saturation.
  constexpr placeholder<"x", double, 1, 2, 3> p;
  constexpr auto loss = sum(square(image::adjust_hue(image::adjust_saturation(p, 0.7_c), 0.1_c) - 0.3_c));
  constexpr auto slope = gradient(loss, p);
  session s(loss, slope);
  const xt::xtensor<double, 3> v{{{0.2, 0.5, 0.9}, {0.7, 0.1, 0.4}}};
  const xt::xtensor<double, 3> got = s.run(slope, p = v);
  for (std::size_t i = 0; i < v.size(); ++i) {
    xt::xtensor<double, 3> above = v, below = v;
    above.data()[i] += 1e-6;
    below.data()[i] -= 1e-6;
    CHECK(got.data()[i] == doctest::Approx((s.run(loss, p = above) - s.run(loss, p = below)) / 2e-6).epsilon(1e-6));
  }
}

TEST_CASE("image: no pixel beyond the last is between two, where floats do not count pixels") {
  for (const std::int64_t from : {7L, 16'777'217L, 16'777'219L, 33'554'435L, 100'000'003L})
    for (const std::int64_t count : {from, from + 1, from + 2, 2 * from, 3 * from}) {
      const float scale = static_cast<float>(from) / static_cast<float>(count);
      for (std::int64_t i = std::max<std::int64_t>(0, count - 64); i < count; ++i) {
        const auto [before, behind, way] = image::detail::neighbours_of(i, scale, from);
        CHECK(before >= 0);
        CHECK(before < from);
        CHECK(behind >= 0);
        CHECK(behind < from);
      }
    }
}
TEST_CASE("image: what is not within an image is a sentence") {
  const auto x = numbered(4, 7, 2);
  const auto refuses = [](auto call, const char* text) { CHECK(files::error_of(call) == std::string(text)); };
  refuses([&] { image::crop_to_bounding_box(x, 1, 4, 3, 4); },
          "image::crop_to_bounding_box: 3 x 4 pixels at 1, 4 are not within 4 x 7");
  refuses([&] { image::crop_to_bounding_box<-1, 0, 3, 4>(x); },
          "image::crop_to_bounding_box: 3 x 4 pixels at -1, 0 are not within 4 x 7");
  refuses([&] { image::crop_to_bounding_box(x, INT64_MAX, 0, 3, INT64_MIN); },
          "image::crop_to_bounding_box: 3 x -9223372036854775808 pixels at 9223372036854775807, 0 are not within 4 x 7");
  refuses([&] { image::pad_to_bounding_box(x, 0, 0, 4, 6); },
          "image::pad_to_bounding_box: 4 x 7 pixels at 0, 0 are not within 4 x 6");
  refuses([&] { image::stateless_random_crop(x, 5, 2, {1, 2}); },
          "image::stateless_random_crop: 5 x 2 pixels at 0, 0 are not within 4 x 7");
  refuses([&] { image::stateless_random_pad(x, 4, 6, {1, 2}); },
          "image::stateless_random_pad: 4 x 7 pixels at 0, 0 are not within 4 x 6");
  refuses([&] { image::stateless_random_rot90(expand_dims(x, axis<0>), {1, 2}); },
          "image::stateless_random_rot90: images of 4 x 7 pixels in a batch, which must be square");
  refuses([&] { image::central_crop(x, 1.5); }, "image::central_crop: a fraction of 1.5, expected is one above 0 and at most 1");
  refuses([&] { image::adjust_hue(x, 0.5f); }, "image::adjust_hue: images have 2 channels, expected are 3");
  refuses([&] { image::resize(x, 0, 5); }, "image: resize: 4 x 7 pixels to 0 x 5");
  refuses([&] { image::stateless_random_contrast(x, 2, 1, {1, 2}); },
          "image::stateless_random_contrast: from 2 up to 1, expected is a range from 0 on");
  refuses([&] { image::stateless_random_brightness(x, -0.5f, {1, 2}); },
          "image::stateless_random_brightness: max_delta is -0.5, expected is at least 0");
  refuses([&] { image::stateless_random_hue(x, 0.7f, {1, 2}); },
          "image::stateless_random_hue: max_delta is 0.7, half a turn is 0.5");
}
TEST_CASE("image: a random turn is one of four, each as often as the next, of each image of a batch its own") {
  const auto x = numbered(3, 5, 2), square = numbered(4, 4, 2);
  const auto batch = stack(axis<0>, square, square + 100_c, square + 200_c);
  int counts[4] = {}, differ = 0;
  for (std::int64_t i = 0; i < 400; ++i) {
    const auto y = image::stateless_random_rot90(x, {5, i});
    const bool lies = y.extent(0) == 5;
    CHECK(y.extent(lies ? 1 : 0) == 3);
    // Where the first pixel is says how often: of one turn pixel (i, j) is pixel (j, width - 1 - i).
    int turns = 0;
    if (lies)
      turns = y.data()[0] == x(0, 4, 0) ? 1 : 3;
    else
      turns = y.data()[0] == x(0, 0, 0) ? 0 : 2;
    ++counts[turns];
    for (int r = 0; r < y.extent(0); ++r)
      for (int c = 0; c < y.extent(1); ++c) {
        const int rows[] = {r, c, 2 - r, 2 - c}, columns[] = {c, 4 - r, 4 - c, r};
        CHECK(y(r, c, 1) == x(rows[turns], columns[turns], 1));
      }
    const auto all = image::stateless_random_rot90(batch, {5, i});
    const auto first = all(0, 0, 0, 0), second = all(1, 0, 0, 0) - 100, third = all(2, 0, 0, 0) - 200;
    differ += first != second || second != third ? 1 : 0;
  }
  for (const int count : counts) CHECK(std::abs(count - 100) < 35);
  CHECK(differ > 330);  // 15 of 16
}
TEST_CASE("image: a random border puts an image at each place as often as at the next") {
  const auto x = numbered(2, 3, 1) + 1_c;
  int counts[3][2] = {};
  for (std::int64_t i = 0; i < 600; ++i) {
    const auto y = image::stateless_random_pad(x, 4, 4, {6, i});
    int row = 0, column = 0, others = 0;
    while (row < 3 && y(row, column, 0) != x(0, 0, 0)) {
      row += column;
      column = 1 - column;
    }
    REQUIRE(row < 3);
    ++counts[row][column];
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c) {
        const bool inside = r >= row && r < row + 2 && c >= column && c < column + 3;
        others += y(r, c, 0) != (inside ? x(r - row, c - column, 0) : 0.0f) ? 1 : 0;
      }
    CHECK(others == 0);
  }
  for (const auto& row : counts)
    for (const int count : row) CHECK(std::abs(count - 100) < 35);
}
TEST_CASE("image: brightness and hue that change by at most 0 leave an image as it is") {
  const auto x = numbered(4, 7, 3);
  const auto kept = image::stateless_random_brightness(x, 0, {1, 2});
  for (std::int64_t i = 0; i < x.size(); ++i) CHECK(kept.data()[i] == x.data()[i]);
  const auto turned = image::stateless_random_hue(x * 0.001_c, 0, {1, 2});
  for (std::int64_t i = 0; i < x.size(); ++i) CHECK(turned.data()[i] == doctest::Approx(0.001f * x.data()[i]).epsilon(1e-5));
}
TEST_CASE("image: the gradient of a standardised image of equal pixels is finite") {
  const tensor<float, 3> ones(xt::xtensor<float, 3>(xt::ones<float>({2, 2, 3})));
  tape recorded;
  recorded.watch(ones);
  const auto y = sum(image::per_image_standardization(ones) * numbered(2, 2, 3));
  // (x - mean) / least: its slope by each element is what multiplies it, less their mean, times the root of 12.
  const auto slope = recorded.gradient(y, ones);
  const auto by = numbered(2, 2, 3);
  double mean = 0;
  for (std::int64_t i = 0; i < 12; ++i) mean += by.data()[i] / 12.0;
  for (std::int64_t i = 0; i < 12; ++i)
    CHECK(slope.data()[i] == doctest::Approx((by.data()[i] - mean) * std::sqrt(12)).epsilon(1e-5));
}
