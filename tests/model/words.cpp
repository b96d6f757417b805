// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <etch/layers/bidirectional.hpp>
#include <etch/layers/positions.hpp>
#include <etch/model.hpp>

using namespace etch;
using namespace etch::literals;

TEST_CASE("KER-10: a model of words: embeddings, places, an LSTM in both directions") {
  constexpr auto words =
      sequential(layers::embedding<20, 8>, layers::position_embedding<6>, layers::bidirectional(layers::lstm<4>), layers::dense<2>);
  model m(input<std::int32_t, 6>, words, optimizers::adam(1e-2_c), losses::sparse_softmax_cross_entropy, metrics::accuracy);
  static_assert(decltype(m)::parameter_count == 20 * 8 + 6 * 8 + 2 * 4 * 4 * (8 + 4 + 1) + 8 * 2 + 2);
  // Whether word 3 comes before word 7.
  xt::xtensor<std::int32_t, 2> texts = xt::zeros<std::int32_t>({200, 6});
  xt::xtensor<std::int32_t, 1> classes = xt::zeros<std::int32_t>({200});
  for (std::size_t n = 0; n < 200; ++n) {
    for (std::size_t t = 0; t < 6; ++t) texts(n, t) = 8 + static_cast<std::int32_t>((n * 7 + t * 5) % 12);
    const std::size_t first = n % 5, second = first + 1 + n / 5 % (5 - first);
    texts(n, first) = n % 2 == 0 ? 3 : 7;
    texts(n, second) = n % 2 == 0 ? 7 : 3;
    classes(n) = n % 2 == 0 ? 1 : 0;
  }
  m.initialize(2);
  m.fit(texts, classes, {.epochs = 20, .batch = 20, .seed = 3});
  CHECK(m.evaluate(texts, classes)[1] > 0.95);
}
