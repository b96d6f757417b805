// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/dense.hpp>
#include <etch/layers/sequential.hpp>
/// Layers as objects; those of images are in `<etch/layers/convolution.hpp>`, which only programs with images compile: `constexpr auto net = etch::sequential(layers::dense<100>(layers::relu), layers::dense<10>);`
