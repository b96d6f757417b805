// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

#include <etch/checkpoint.hpp>
#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <etch/layers/attention.hpp>
#include <etch/layers/recurrent.hpp>
#include <etch/model.hpp>
#include <etch/module.hpp>

namespace {

using namespace etch;
using namespace etch::literals;

constexpr auto net =
    sequential(layers::gru<8>(layers::return_sequences), layers::residual(layers::multi_head_attention<2, 4>(causal)),
               layers::layer_norm, layers::global_average_pool, layers::dense<3>);

/// Sequences whose class is the feature with the largest sum.
struct sequences {
  xt::xtensor<float, 3> steps = xt::zeros<float>({240, 6, 3});
  xt::xtensor<std::int32_t, 1> classes = xt::zeros<std::int32_t>({240});
  sequences() {
    std::uint32_t state = 1;
    for (std::size_t n = 0; n < 240; ++n) {
      float sums[3] = {};
      for (std::size_t t = 0; t < 6; ++t)
        for (std::size_t f = 0; f < 3; ++f) {
          state = state * 1664525u + 1013904223u;
          sums[f] += steps(n, t, f) = static_cast<float>(state >> 8) / static_cast<float>(1 << 23) - 1;
        }
      classes(n) = static_cast<std::int32_t>(std::max_element(sums, sums + 3) - sums);
    }
  }
};

}  // namespace

TEST_CASE("KER-02, KER-10, MOD-06: a GRU and attention in one sequence are counted, trained, saved and restored") {
  const sequences data;
  model m(input<float, 6, 3>, net, optimizers::adam(1e-2_c), losses::sparse_softmax_cross_entropy, metrics::accuracy);
  static_assert(has_variables<decltype(m)>);
  static_assert(decltype(m)::parameter_count == 3 * 8 * (3 + 8 + 2) + 4 * (8 * 8 + 8) + 2 * 8 + 8 * 3 + 3);
  const std::string summary = m.summary();
  for (const char* line :
       {" gru                         (None, 6, 8)              312 ",
        " residual                    (None, 6, 8)              288 ", " layer_norm                  (None, 6, 8)              16 ",
        " dense                       (None, 3)                 27 ", "Total params: 643\n"})
    CHECK(summary.find(line) != std::string::npos);
  m.initialize(4);
  m.fit(data.steps, data.classes, {.epochs = 25, .batch = 32, .seed = 1});
  CHECK(m.evaluate(data.steps, data.classes)[1] > 0.9);

  const auto path = std::filesystem::temp_directory_path() / ("etch_sequences_" + std::to_string(::getpid()));
  checkpoint saved;
  saved.track("model", m.session()).save(path.string());
  model other(input<float, 6, 3>, net, optimizers::adam(1e-2_c), losses::sparse_softmax_cross_entropy, metrics::accuracy);
  checkpoint restored;
  restored.track("model", other.session()).restore(path.string());
  for (const char* file : {".index", ".data-00000-of-00001"}) std::filesystem::remove(path.string() + file);
  CHECK(other.predict(data.steps) == m.predict(data.steps));
  m.fit(data.steps, data.classes, {.epochs = 1, .batch = 32, .seed = 9});
  other.fit(data.steps, data.classes, {.epochs = 1, .batch = 32, .seed = 9});
  CHECK(other.predict(data.steps) == m.predict(data.steps));
}
