// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/opaque/pooling.hpp>
#include <etch/etch.hpp>
#include <etch/nn/batch_norm.hpp>
#include <etch/nn/convolution.hpp>
#include <etch/ops/resize.hpp>

/// Convolutions and pools, in graphs and on values. Not in etch.hpp: who sees no images does not compile them.
namespace etch {

/// What `conv2d`, `max_pool2d` and the like are made of.
using window_ops = op_list<struct convolution, struct convolution_transpose, struct convolution_kernel, struct max_pool,
                           struct max_pool_gradient, struct max_pool_choice, struct average_pool, struct average_pool_gradient>;

}  // namespace etch
