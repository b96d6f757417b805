// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/branches.hpp>
#include <etch/layers/dense.hpp>
#include <etch/layers/normalization.hpp>
#include <etch/layers/regularization.hpp>
#include <etch/layers/sequential.hpp>
#include <etch/layers/shaping.hpp>
/// Layers as objects: `constexpr auto net = etch::sequential(layers::dense<100>(layers::relu), layers::dense<10>);`. Those of images are in
/// `<etch/layers/convolution.hpp>`, recurrent ones in `recurrent.hpp` and `bidirectional.hpp` there, `attention.hpp` and `positions.hpp`:
/// only programs with them compile them.
