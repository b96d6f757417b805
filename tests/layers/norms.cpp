// SPDX-License-Identifier: MIT
#include <limits>

#include "agrees.hpp"

/// Norms, embeddings, and layers that draw numbers.
namespace {

using namespace etch;
using namespace etch::literals;
using layers_test::agrees;
using layers_test::keras;

constexpr placeholder<"x", float, any<"batch">, 4, 3> x;
constexpr placeholder<"wide", float, any<"batch">, 4, 6> wide;
constexpr placeholder<"image", float, any<"batch">, 5, 4, 2> image;

}  // namespace

TEST_CASE("layers: norms are Keras's") {
  agrees(layers::layer_norm(x), x, keras("layer_norm"), {"layer_norm/scale", "layer_norm/offset"});
  agrees(layers::group_norm<2>(wide), wide, keras("group_norm"), {"group_norm/scale", "group_norm/offset"});
  agrees(layers::rms_norm(x), x, keras("rms_norm"), {"rms_norm/scale"});
  agrees(layers::unit_norm(x), x, keras("unit_norm"));
}
TEST_CASE("layers: batch_norm is Keras's, in evaluation and in training, where its averages move") {
  const std::vector<std::string> names = {"batch_norm/scale", "batch_norm/offset", "batch_norm/moving_mean",
                                          "batch_norm/moving_variance"};
  agrees(layers::batch_norm(x), x, keras("batch_norm"), names);
  agrees(layers::batch_norm(x, nn::training), x, keras("batch_norm_training"), names);
  agrees(layers::batch_norm(0.75_c)(image, nn::training), image, keras("batch_norm_of_images"), names);
}
TEST_CASE("layers: an embedding gives its table's rows as Keras's does, and learns what comes of each") {
  constexpr placeholder<"ids", std::int32_t, any<"batch">, 4> ids;
  agrees(layers::embedding<7, 3>(ids), ids, keras("embedding"), {"embedding/table"});
  constexpr placeholder<"flat", std::int32_t, any<"batch">> flat;
  agrees(layers::embedding<5, 4>(flat), flat, keras("embedding_flat"), {"embedding/table"});
}
TEST_CASE("layers: noise is drawn in training, and whole channels are dropped") {
  constexpr auto noise = layers::gaussian_noise(0.5_c)(image, nn::training);
  constexpr auto scaled = layers::gaussian_dropout(0.2_c)(image, nn::training);
  constexpr auto dropped = layers::spatial_dropout(0.5_c)(image, nn::training);
  static_assert(std::is_same_v<decltype(layers::gaussian_noise(0.5_c)(image)), std::remove_const_t<decltype(image)>>);
  session s(noise, scaled, dropped);
  const xt::xtensor<float, 4> in = xt::ones<float>({100, 5, 4, 2});
  const auto moments = [](const xt::xtensor<float, 4>& a) {
    double total = 0, squares = 0;
    for (const float v : a) total += static_cast<double>(v), squares += static_cast<double>(v) * static_cast<double>(v);
    const double middle = total / static_cast<double>(a.size());
    return std::pair{middle, std::sqrt(squares / static_cast<double>(a.size()) - middle * middle)};
  };
  for (const auto& [middle, deviation] : {moments(s.run(noise, image = in)), moments(s.run(scaled, image = in))}) {
    CHECK(std::abs(middle - 1) < 0.05);  // 6 standard errors
    CHECK(std::abs(deviation - 0.5) < 0.04);
  }
  const xt::xtensor<float, 4> out = s.run(dropped, image = in);
  int kept = 0;
  for (std::size_t n = 0; n < 100; ++n)
    for (std::size_t c = 0; c < 2; ++c) {
      kept += out(n, 0, 0, c) > 0 ? 1 : 0;
      for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t k = 0; k < 4; ++k) CHECK(out(n, i, k, c) == out(n, 0, 0, c));
    }
  CHECK(kept > 60);
  CHECK(kept < 140);
}
TEST_CASE("layers: a channel that is dropped is 0, whatever it was, and so is its gradient") {
  constexpr auto dropped = layers::spatial_dropout(0.5_c)(image, nn::training);
  constexpr auto slope = gradient(sum(dropped), image);
  session s(group(dropped, slope), dropped, slope);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto [out, by] = s.run(dropped, slope, image = xt::xtensor<float, 4>(xt::ones<float>({100, 5, 4, 2}) * nan));
  int zeros = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    CHECK((out.data()[i] == 0 || std::isnan(out.data()[i])));
    CHECK(by.data()[i] == (out.data()[i] == 0 ? 0.f : 2.f));
    zeros += out.data()[i] == 0 ? 1 : 0;
  }
  CHECK(zeros > 1200);
  CHECK(zeros < 2800);
}
