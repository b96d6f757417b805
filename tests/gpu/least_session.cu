// SPDX-License-Identifier: MIT
// The least that a session on a GPU compiles: a feed, a map, a reduction; and a session on the CPU beside it, with a draw, whose vectors nvcc
// knows as the host's only. That nvcc takes it, tools/check shows in every run.
#include <etch/gpu.hpp>
#include <etch/session.hpp>
#include <xtensor/xtensor.hpp>

constexpr etch::placeholder<"x", float, etch::any<"rows">, 3> x;

int main() {
  constexpr auto y = etch::sum(x * x);
  etch::gpu::session session(y);
  const xt::xtensor<float, 2> fed{{1, 2, 3}, {4, 5, 6}};
  constexpr auto z = etch::random_normal<"z">(etch::shape<>{});
  etch::session on_host(etch::tanh(z));
  return session.run(y, x = fed) == 91 && on_host.run(etch::tanh(z)) < 1 ? 0 : 1;
}
