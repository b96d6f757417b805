// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <checkpoint/model.hpp>
#include <etch/optimizers.hpp>
#include <format/files.hpp>

namespace {

using namespace etch;

/// All that an optimizer can keep, in the midst of an accumulation; and a second one beside it.
const auto both = group(optimizers::nadam(schedules::cosine_decay_restarts(1e-2_c, 4_c))
                            .accumulate(3_c)
                            .moving_average(0.9_c)
                            .weight_decay(0.1_c, variables_not_named<"bias">)
                            .clip_by_global_norm(0.5_c)
                            .minimize(model::loss, variables_under<"first">),
                        optimizers::adagrad(0.1_c).minimize(model::loss, variables_under<"last">));

void train(auto& s, int from, int to) {
  const auto [a, b] = model::samples();
  for (int i = from; i < to; ++i) {
    const std::vector<float> x(a.begin() + i % 5 * 8, a.begin() + i % 5 * 8 + 8),
        y(b.begin() + i % 5 * 8, b.begin() + i % 5 * 8 + 8);
    s.run(both, model::x = x, model::y = y);
  }
}

}  // namespace

TEST_CASE("OPT-04: all state of two optimizers is restored, and training goes on to the same bits") {
  const files::folder folder("optimizers");
  session whole(both);
  whole.initialize(5);
  train(whole, 0, 23);
  for (const char* name : {"saved", "saved.safetensors"}) {
    CAPTURE(name);
    {
      session stopped(both);
      stopped.initialize(5);
      train(stopped, 0, 10);
      CHECK(stopped.get<"first/kernel/nadam/gradients">() == 1);
      checkpoint saved;
      saved.track("model", stopped).save(folder / name);
    }
    session resumed(both);
    checkpoint saved;
    saved.track("model", resumed).restore(folder / name);
    train(resumed, 10, 23);
    CHECK(model::values_of(resumed) == model::values_of(whole));
  }
}
