// SPDX-License-Identifier: MIT
// A model that one file compiles and others call: docs/many_files.md.
#include <cstdio>

#include "evaluate.hpp"

#ifdef ETCH_VERSION_MAJOR
#error "the header of a model brings etch with it"
#endif

int main() {
  circle_model model(/*seed*/ 1);
  const samples seen = draw(32, 1), unseen = draw(32, 2);
  const double before = accuracy(model, unseen);
  float loss = 0;
  for (int epoch = 0; epoch < 50; ++epoch)
    for (std::size_t first = 0; first < seen.inside.size(); first += circle_model::batch)
      loss = model.train(&seen.points[2 * first], &seen.inside[first]);
  const double after = accuracy(model, unseen);
  std::printf("accuracy on unseen points: %.3f before training, %.3f after; the last loss: %.3f\n", before, after,
              static_cast<double>(loss));
  return after > 0.95 && after > before ? 0 : 1;
}
