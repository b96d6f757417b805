// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <heap/allocations.hpp>

#ifndef ETCH_HEAP_IS_THE_SANITIZERS
#include <etch/etch.hpp>
#include <etch/model.hpp>
#include <nn/numbers.hpp>

using namespace etch;
using namespace etch::literals;

TEST_CASE("P8: a bound step with a schedule, all options of an optimizer, and metrics does not touch the heap") {
  constexpr placeholder<"x", double, any<"n">, 3> x;
  constexpr placeholder<"y", double, any<"n">, 1> y;
  constexpr auto logits = nn::dense<"out", 1>(etch::tanh(nn::dense<"in", 4>(x)));
  constexpr auto train = optimizers::nadam(schedules::warm_up(schedules::cosine_decay_restarts(0.1_c, 10_c), 5_c))
                             .weight_decay(0.01_c, variables_not_named<"bias">)
                             .clip_by_global_norm(1_c)
                             .moving_average()
                             .accumulate(2_c)
                             .minimize(mean(losses::sigmoid_cross_entropy(logits, y)));
  constexpr auto auc = metrics::auc(sigmoid(logits), y);
  constexpr auto f1 = metrics::f1(0_c)(logits, y);
  session s(group(train, auc.update(), f1.update()), auc.result());
  s.initialize(1);
  const xt::xtensor<double, 2> points = numbers(1, 20, 3, -1, 1);
  xt::xtensor<double, 2> labels = xt::zeros<double>({20, 1});
  for (std::size_t i = 0; i < 20; ++i) labels(i, 0) = points(i, 0) > 0 ? 1 : 0;
  auto step = s.bind(group(train, auc.update(), f1.update()), x = points, y = labels);
  step();
  const long before = allocations;
  for (int i = 0; i < 40; ++i) step();
  CHECK(allocations == before);
  CHECK(s.run(auc.result()) > 0.8);
  CHECK(s.get<"in/kernel/nadam/step">() == 20);
}
#endif
