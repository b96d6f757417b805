// SPDX-License-Identifier: MIT
#include <etch/layers/convolution.hpp>
#include <etch/layers/dense.hpp>
#include "agrees.hpp"

/// Convolutions as layers are Keras's.
namespace {

using namespace etch;
using namespace etch::literals;
using layers_test::agrees;
using layers_test::keras;

constexpr placeholder<"x", float, any<"batch">, 4, 3> x;
constexpr placeholder<"image", float, any<"batch">, 5, 4, 2> image;
constexpr placeholder<"volume", float, any<"batch">, 3, 4, 3, 2> volume;
constexpr placeholder<"small_volume", float, any<"batch">, 2, 3, 2, 2> small_volume;

}  // namespace

TEST_CASE("KER-09: conv1d and conv3d are Keras's") {
  agrees(layers::conv1d<3, 2>(same_padding, layers::relu)(x), x, keras("conv1d"));
  agrees(layers::conv3d<2, 2, 1, 2>(strides<1, 2, 1>)(volume), volume, keras("conv3d"));
}
TEST_CASE("KER-09: conv2d is Keras's") {
  agrees(layers::conv2d<3, 3, 2>(image), image, keras("conv2d"));
  agrees(layers::conv2d<3, 3>(strides<2, 1>, same_padding, layers::relu)(image), image, keras("conv2d_same"));
  agrees(layers::conv2d<2, 2>(dilations<2, 3>, layers::tanh)(image), image, keras("conv2d_dilated"));
  agrees(layers::conv2d<4, 3>(groups<2>, layers::without_bias)(image), image, keras("conv2d_groups"));
}
TEST_CASE("KER-09: conv3d_transpose is Keras's") {
  agrees(layers::conv3d_transpose<3, 2>(small_volume), small_volume, keras("conv3d_transpose"));
  agrees(layers::conv3d_transpose<2, 2, 3, 1>(strides<2, 2, 1>, same_padding, layers::elu)(small_volume), small_volume,
         keras("conv3d_transpose_same"));
}
TEST_CASE("KER-09: conv2d_transpose is Keras's") {
  agrees(layers::conv2d_transpose<3, 3>(strides<2>)(image), image, keras("conv2d_transpose"));
  agrees(layers::conv2d_transpose<3, 3, 2>(layers::elu, strides<2>, same_padding)(image), image, keras("conv2d_transpose_same"));
}
TEST_CASE("KER-09: transposed convolutions whose windows have gaps between them are Keras's") {
  agrees(layers::conv2d_transpose<3, 2, 1>(strides<3, 2>)(image), image, keras("conv2d_transpose_gaps"));
  agrees(layers::conv1d_transpose<2, 1>(valid_padding, strides<2>)(x), x, keras("conv1d_transpose_gaps"));
  // With a padding that is told it stays as told.
  static_assert(extent_along<1>(decltype(layers::conv1d_transpose<2, 1>(strides<2>, padding<0>)(x))::shape_type{}) == 7);
}
TEST_CASE("KER-09: depthwise and separable convolutions are Keras's") {
  agrees(layers::depthwise_conv2d<3>(layers::depth_multiplier<2>)(image), image, keras("depthwise_conv2d"));
  agrees(layers::depthwise_conv1d<2>(same_padding)(x), x, keras("depthwise_conv1d"));
  agrees(layers::separable_conv2d<3, 2>(strides<2>, same_padding, layers::depth_multiplier<2>)(image), image,
         keras("separable_conv2d"));
  agrees(layers::separable_conv1d<2, 2>(x), x, keras("separable_conv1d"));
}
TEST_CASE("KER-01, KER-09: layers without a bias are Keras's with use_bias=False") {
  constexpr auto without_bias = layers::without_bias;
  agrees(layers::dense<2>(layers::tanh, without_bias)(x), x, keras("dense_without_bias"));
  agrees(layers::conv1d<3, 2>(without_bias, layers::relu)(x), x, keras("conv1d_without_bias"));
  agrees(layers::conv2d_transpose<3, 3>(strides<2>, without_bias)(image), image, keras("conv2d_transpose_without_bias"));
  agrees(layers::depthwise_conv2d<3>(without_bias, layers::depth_multiplier<2>, strides<2>)(image), image,
         keras("depthwise_conv2d_without_bias"));
  agrees(layers::separable_conv2d<3, 2>(same_padding, without_bias)(image), image, keras("separable_conv2d_without_bias"));
  // However it is said.
  using y = decltype(layers::dense<2>(without_bias)(x));
  static_assert(std::is_same_v<y, decltype(nn::dense<"dense", 2>(x, initializers::glorot_uniform, nn::without_bias))>);
  static_assert(std::is_same_v<y, decltype(layers::dense<2>(layers::identity, initializers::glorot_uniform, without_bias)(x))>);
  static_assert(std::is_same_v<decltype(layers::dense<2>(without_bias, layers::tanh)),
                               decltype(layers::dense<2>(layers::tanh, without_bias))>);
  session s(nn::conv1d<"first", 3, 2>(x, same_padding, nn::without_bias));
  CHECK(s.variables().size() == 1);
}
