// SPDX-License-Identifier: MIT
#include <docs/op_examples.hpp>

// Examples of the reference: what networks are made of.

namespace {

using namespace op_operands;

TEST_CASE("docs: the reference's examples of convolutions, norms and losses") {
  op_examples examples("golden/op_examples_networks.txt");
  ETCH_EXAMPLE(etch::conv2d(image, kernel))
  ETCH_EXAMPLE(etch::conv2d_transpose(image, kernel, etch::strides<2>))
  ETCH_EXAMPLE(etch::conv3d(volume, cube, etch::same_padding))
  ETCH_EXAMPLE(etch::max_pool2d(image, etch::window<2>, etch::strides<1>))
  ETCH_EXAMPLE(etch::average_pool2d(image, etch::window<2>, etch::strides<1>))
  ETCH_EXAMPLE(etch::resize(image, etch::shape<2, 2>{}, etch::bilinear))
  ETCH_EXAMPLE(etch::layer_norm(m))
  ETCH_EXAMPLE(etch::batch_norm(m, etch::mean(m, etch::axis<0>), etch::variance(m, etch::axis<0>), 1_c, 0_c))
  ETCH_EXAMPLE(etch::group_norm<1>(m, a, 0_c))
  ETCH_EXAMPLE(etch::instance_norm(image, 1_c, 0_c))
  ETCH_EXAMPLE(etch::attention(m, m, n))
  ETCH_EXAMPLE(etch::dropout<"some">(m, 0.5_c))
  ETCH_EXAMPLE(etch::nn::flatten(image))
  ETCH_EXAMPLE(etch::nn::mean_squared_error(a, b))
  ETCH_EXAMPLE(etch::nn::huber(a, b))
  ETCH_EXAMPLE(etch::nn::kl_divergence(shares, etch::softmax(logits)))
  ETCH_EXAMPLE(etch::nn::sigmoid_cross_entropy(logits, shares))
  ETCH_EXAMPLE(etch::nn::softmax_cross_entropy(logits, shares))
  ETCH_EXAMPLE(etch::nn::sparse_softmax_cross_entropy(logits, labels))
  ETCH_EXAMPLE(etch::nn::weighted_softmax_cross_entropy(logits, shares, 2_c))
  ETCH_EXAMPLE(etch::nn::weighted_sparse_softmax_cross_entropy(logits, labels, a))
  ETCH_EXAMPLE(etch::nn::smoothed_softmax_cross_entropy(logits, shares, 0.1_c))
  ETCH_EXAMPLE(etch::nn::smoothed_sparse_softmax_cross_entropy(logits, labels, 0.1_c))
}

}  // namespace
