// SPDX-License-Identifier: MIT
#include "agrees.hpp"

/// Norms, layers that move elements, branches, and activations are Keras's.
namespace {

using namespace etch;
using namespace etch::literals;
using layers_test::agrees;
using layers_test::keras;

constexpr placeholder<"x", float, any<"batch">, 4, 3> x;
constexpr placeholder<"wide", float, any<"batch">, 4, 6> wide;
constexpr placeholder<"image", float, any<"batch">, 5, 4, 2> image;
constexpr placeholder<"row", float, any<"batch">, 4> row;
constexpr placeholder<"rows", float, any<"batch">, 7> rows;

}  // namespace

TEST_CASE("layers: norms are Keras's") {
  agrees(layers::layer_norm(x), x, keras("layer_norm"), {"layer_norm/scale", "layer_norm/offset"});
  agrees(layers::group_norm<2>(wide), wide, keras("group_norm"), {"group_norm/scale", "group_norm/offset"});
  agrees(layers::rms_norm(x), x, keras("rms_norm"), {"rms_norm/scale"});
  agrees(layers::unit_norm(x), x, keras("unit_norm"));
}
TEST_CASE("KER-09: layers that move elements are Keras's") {
  agrees(layers::reshape<inferred, 4>(image), image, keras("reshape"));
  agrees(layers::permute<2, 1>(x), x, keras("permute"));
  agrees(layers::repeat_vector<3>(row), row, keras("repeat_vector"));
  agrees(layers::zero_padding(padding<1, 0>, padding<2, 1>)(image), image, keras("zero_padding"));
  agrees(layers::up_sampling<2, 3>(image), image, keras("up_sampling"));
}
TEST_CASE("KER-09: global pools, and a layer for each step") {
  agrees(layers::global_average_pool(image), image, keras("global_average_pool"));
  agrees(layers::global_max_pool(x), x, keras("global_max_pool"));
  agrees(layers::time_distributed(layers::dense<2>(layers::tanh))(x), x, keras("time_distributed"));
  agrees(layers::time_distributed(layers::global_average_pool)(image), image, keras("time_distributed_pool"));
}
TEST_CASE("KER-07: branches and residuals are Keras's, and name their variables") {
  constexpr auto net = sequential(layers::concatenate(layers::dense<3>, layers::dense<2>(layers::relu)),
                                  layers::residual(layers::layer_norm, layers::dense<5>));
  agrees(net(wide), wide, keras("branches"),
         {"concatenate/dense/kernel", "concatenate/dense/bias", "concatenate/dense_1/kernel", "concatenate/dense_1/bias",
          "residual/layer_norm/scale", "residual/layer_norm/offset", "residual/dense/kernel", "residual/dense/bias"});
}

#define ACTIVATION(NAME) agrees(layers::NAME(rows), rows, keras("activation_" #NAME));
TEST_CASE("KER-09: activations are Keras's, by exponentials") {
  ACTIVATION(elu)
  ACTIVATION(celu)
  ACTIVATION(exponential)
  ACTIVATION(gelu)
  ACTIVATION(log_sigmoid)
  ACTIVATION(log_softmax)
  ACTIVATION(mish)
  ACTIVATION(selu)
  ACTIVATION(sigmoid)
  ACTIVATION(silu)
  ACTIVATION(softmax)
  ACTIVATION(softplus)
  ACTIVATION(tanh)
  ACTIVATION(tanh_shrink)
  agrees(layers::elu(0.5_c)(rows), rows, keras("activation_elu_half"));
}
TEST_CASE("KER-09: activations are Keras's, by parts") {
  ACTIVATION(hard_sigmoid)
  ACTIVATION(hard_silu)
  ACTIVATION(hard_tanh)
  ACTIVATION(hard_shrink)
  ACTIVATION(soft_shrink)
  ACTIVATION(leaky_relu)
  ACTIVATION(relu6)
  ACTIVATION(softsign)
  ACTIVATION(squareplus)
  agrees(layers::leaky_relu(0.1_c)(rows), rows, keras("activation_leaky_relu_tenth"));
}
