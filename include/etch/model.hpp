// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers.hpp>
#include <etch/model/model.hpp>
#include <etch/optimizers.hpp>
/// Models: `etch::model m(etch::input<float, 784>, net, etch::optimizers::adam(1e-3_c), etch::losses::sparse_softmax_cross_entropy)`.
