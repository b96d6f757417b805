// SPDX-License-Identifier: MIT
// A function that runs a session and has a loop of its own: what etch optimises for size must not make g++ do so here. The roots are
// computed by vectors of instructions, as they are without etch (cmake/gimple_cost.cmake).
#include <cmath>

#include <etch/etch.hpp>

void program(float* values, int count) {
  constexpr etch::placeholder<"x", float, etch::any<"n">, 8> x;
  constexpr auto w = etch::variable<"w">(etch::ones(etch::shape<8, 4>{}));
  constexpr auto y = etch::softmax(etch::matmul(x, w));
  constexpr auto plan = etch::plan_of(y, x);
  etch::session session(y);
  session.initialize();
  xt::xtensor<float, 2> in = xt::ones<float>({3, 8}), out = session.run(y, x = in);
  auto step = session.bind(y, x = in);
  step();
  values[0] = static_cast<float>(plan.arena_bytes(count) + plan.workspace_bytes(count)) + out(0, 0);
  for (int i = 0; i < count; ++i) values[i] = std::sqrt(values[i]);
}
