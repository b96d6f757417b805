// SPDX-License-Identifier: MIT
// Uses the model, and knows nothing of etch.
#include "evaluate.hpp"

#include <random>

samples draw(std::size_t batches, unsigned seed) {
  samples s;
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (std::size_t i = 0; i < batches * circle_model::batch; ++i) {
    const float x = uniform(random), y = uniform(random);
    s.points.insert(s.points.end(), {x, y});
    s.inside.push_back(x * x + y * y < 0.5f ? 1.f : 0.f);
  }
  return s;
}

double accuracy(circle_model& model, const samples& of) {
  std::size_t right = 0;
  for (std::size_t first = 0; first < of.inside.size(); first += circle_model::batch) {
    const std::span<const float> probabilities = model.predict(&of.points[2 * first]);
    for (std::size_t i = 0; i < circle_model::batch; ++i)
      right += (probabilities[i] > 0.5f) == (of.inside[first + i] == 1.f) ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(of.inside.size());
}
