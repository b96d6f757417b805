// SPDX-License-Identifier: MIT
#include "agrees.hpp"

/// Layers that move elements are Keras's.
namespace {

using namespace etch;
using namespace etch::literals;
using layers_test::agrees;
using layers_test::keras;

constexpr placeholder<"x", float, any<"batch">, 4, 3> x;
constexpr placeholder<"image", float, any<"batch">, 5, 4, 2> image;
constexpr placeholder<"row", float, any<"batch">, 4> row;

}  // namespace

TEST_CASE("KER-09: layers that move elements are Keras's") {
  agrees(layers::reshape<inferred, 4>(image), image, keras("reshape"));
  agrees(layers::permute<2, 1>(x), x, keras("permute"));
  agrees(layers::repeat_vector<3>(row), row, keras("repeat_vector"));
  agrees(layers::zero_padding(padding<1, 0>, padding<2, 1>)(image), image, keras("zero_padding"));
  agrees(layers::cropping(padding<1, 0>, padding<2, 1>)(image), image, keras("cropping"));
  agrees(layers::up_sampling<2, 3>(image), image, keras("up_sampling"));
}
TEST_CASE("KER-09: global pools, and a layer for each step") {
  agrees(layers::global_average_pool(image), image, keras("global_average_pool"));
  agrees(layers::global_max_pool(x), x, keras("global_max_pool"));
  agrees(layers::time_distributed(layers::dense<2>(layers::tanh))(x), x, keras("time_distributed"));
  agrees(layers::time_distributed(layers::global_average_pool)(image), image, keras("time_distributed_pool"));
}
