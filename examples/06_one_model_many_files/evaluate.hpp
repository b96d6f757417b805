// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "model.hpp"

/// Points of a square, and which of them lie within the circle.
struct samples {
  std::vector<float> points, inside;
};
/// As many batches as are asked for.
samples draw(std::size_t batches, unsigned seed);

/// The part of the samples that the model takes for what they are.
double accuracy(circle_model& model, const samples& of);
