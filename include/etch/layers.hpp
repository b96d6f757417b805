// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/convolution.hpp>
#include <etch/layers/dense.hpp>
#include <etch/layers/sequential.hpp>
/// Layers as objects: `constexpr auto net = etch::sequential(layers::dense<100>(layers::relu), layers::dense<10>);`
