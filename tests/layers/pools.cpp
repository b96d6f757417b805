// SPDX-License-Identifier: MIT
#include <etch/layers/convolution.hpp>
#include "agrees.hpp"

/// Pools as layers are Keras's.
namespace {

using namespace etch;
using namespace etch::literals;
using layers_test::agrees;
using layers_test::keras;

constexpr placeholder<"x", float, any<"batch">, 4, 3> x;
constexpr placeholder<"image", float, any<"batch">, 5, 4, 2> image;
constexpr placeholder<"volume", float, any<"batch">, 3, 4, 3, 2> volume;

}  // namespace

TEST_CASE("KER-09: pools of which each begins where the one before ends are Keras's") {
  agrees(layers::max_pool1d<2>(x), x, keras("max_pool1d"));
  agrees(layers::max_pool2d<2, 3>(image), image, keras("max_pool2d_valid"));
  agrees(layers::max_pool3d<2>(volume), volume, keras("max_pool3d"));
  agrees(layers::average_pool2d<2>(image), image, keras("average_pool2d"));
  agrees(layers::average_pool3d<1, 2, 3>(volume), volume, keras("average_pool3d"));
}
TEST_CASE("KER-09: pools with options are Keras's") {
  agrees(layers::max_pool1d<3>(strides<2>, same_padding)(x), x, keras("max_pool1d_same"));
  agrees(layers::max_pool2d<3>(strides<2>, same_padding)(image), image, keras("max_pool2d"));
  agrees(layers::max_pool3d<2, 3, 1>(strides<2>, same_padding)(volume), volume, keras("max_pool3d_same"));
  agrees(layers::average_pool1d<2>(same_padding)(x), x, keras("average_pool1d"));
  agrees(layers::average_pool1d<3>(strides<1>)(x), x, keras("average_pool1d_valid"));
  agrees(layers::average_pool2d<3, 2>(strides<2, 1>, same_padding)(image), image, keras("average_pool2d_same"));
  agrees(layers::average_pool3d<2, 3, 1>(strides<2>, same_padding)(volume), volume, keras("average_pool3d_same"));
}
TEST_CASE("KER-09: global pools of any number of axes are Keras's") {
  agrees(layers::global_average_pool(x), x, keras("global_average_pool1d"));
  agrees(layers::global_average_pool(volume), volume, keras("global_average_pool3d"));
  agrees(layers::global_max_pool(image), image, keras("global_max_pool2d"));
  agrees(layers::global_max_pool(volume), volume, keras("global_max_pool3d"));
}
