// SPDX-License-Identifier: MIT
// The passes on the training step of an LSTM of 16 steps, at run time: what a constant expression spends where. Its cost is that of calls
// and statements, which callgrind counts:
//   g++ -std=c++20 -O0 -g1 -DETCH_UNOPTIMISED -Iinclude bench/compile/passes.cpp -o passes -fconstexpr-ops-limit=1000000000
//   valgrind --tool=callgrind --callgrind-out-file=passes.out ./passes; callgrind_annotate --inclusive=yes passes.out
#include <cstdio>

#include <etch/passes/order_effects.hpp>
#include <etch/passes/sink_transposes.hpp>
#include <etch/schedule/schedule.hpp>

#include "recurrent.hpp"

int main() {
  constexpr auto loss = loss_of<"lstm/out">(lstm(zero_state(), zero_state()));
  constexpr auto train = etch::optimizers::sgd(1e-1_c).minimize(loss);
  using fetches = etch::defined<etch::list_key, etch::list_of<decltype(loss)::hash, decltype(train)::hash>>;
  using feeds = etch::defined<etch::list_key, etch::list_of<decltype(x)::hash, decltype(y)::hash>>;
  etch::detail::stage_failure failure;
  etch::graph g = etch::flatten(fetches::records, fetches::size, feeds::contents, feeds::size, etch::variables::are_read);
  const int flat = g.size();
  g = etch::order_effects(g, failure.effects);
  g = etch::expand_gradients<etch::detail::no_regions>(g, failure.gradient);
  const int expanded = g.size();
  g = etch::tidy(g);
  g = etch::sink_transposes(g);
  g = etch::materialise(g);
  etch::fusion clusters = etch::fuse(g, etch::cpu::target::description);
  const etch::sequence order = etch::order_steps(g, clusters);
  const etch::plan plan = etch::make_plan(g, clusters, order, etch::cpu::target::description, feeds::contents, feeds::size);
  std::printf("%d nodes, %d with gradients, %d tidy; %d steps, %d kernels\n", flat, expanded, g.size(), plan.steps.size(),
              plan.kernels.size());
  return failure.gradient || failure.effects ? 1 : 0;
}
