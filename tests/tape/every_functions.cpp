// SPDX-License-Identifier: MIT
#include "every_gradient.hpp"

namespace etch::every_gradient {

TEST_CASE("TAPE-03, TAPE-05: every differentiable op, functions: a tape gives the gradients of graphs") {
  ETCH_CHECK(x * 2.5_c);
  ETCH_CHECK(mean(x, axis<0>));
  ETCH_CHECK(relu(x));
  ETCH_CHECK(gelu(x));
  ETCH_CHECK(silu(x));
  ETCH_CHECK(softplus(x));
  ETCH_CHECK(square(x));
  ETCH_CHECK(clip(x, -1_c, 1_c));
  ETCH_CHECK(variance(x, axis<0>));
  ETCH_CHECK(softmax(x, axis<-1>));
  ETCH_CHECK(log_softmax(x, axis<-1>));
  ETCH_CHECK(logsumexp(x, axis<-1>));
  ETCH_CHECK(layer_norm(x, 1_c, 2_c));
  ETCH_CHECK(stack(axis<0>, x, y));
  ETCH_CHECK(std::get<1>(split<2>(x, axis<0>)));
  ETCH_CHECK(tile<2, 1>(x));
  ETCH_CHECK(repeat<2>(x, axis<0>));
  ETCH_CHECK(tril(x));
  ETCH_CHECK(triu<1>(x));
  ETCH_CHECK(standard_deviation(x, axis<0>));
  ETCH_CHECK(norm(x, axis<0>));
  ETCH_CHECK(norm<1>(x));
  ETCH_CHECK(norm<infinity>(x));
  ETCH_CHECK(attention(x, y, y));
  ETCH_CHECK(attention(x, y, y, causal));
  ETCH_CHECK(flip(x, axis<0>));
  ETCH_CHECK(expand_dims(x, axis<0>));
  ETCH_CHECK(squeeze(expand_dims(x, axis<1>), axis<1>));
  ETCH_CHECK(x * zeros(shape<4, 6>{}));
  ETCH_CHECK(x * ones(shape<4, 6>{}));
  ETCH_CHECK(x * full(shape<4, 6>{}, 0.5_c));
  ETCH_CHECK(nn::mean_squared_error(x, y));
  ETCH_CHECK(nn::huber(x, y));
  ETCH_CHECK(nn::kl_divergence(x, y));
  ETCH_CHECK(nn::sigmoid_cross_entropy(x, y));
  ETCH_CHECK(nn::weighted_softmax_cross_entropy(x, y, 2_c));
  ETCH_CHECK(nn::weighted_sparse_softmax_cross_entropy(x, labels, slice(reshape(y, shape<24>{}), section<0, 6>)));
  ETCH_CHECK(nn::smoothed_softmax_cross_entropy(x, y, 0.1_c));
  ETCH_CHECK(nn::smoothed_sparse_softmax_cross_entropy(x, labels, 0.1_c));
  ETCH_CHECK(nn::softmax_cross_entropy(x, y));
  ETCH_CHECK(nn::sparse_softmax_cross_entropy(x, labels));
}

}  // namespace etch::every_gradient
