// SPDX-License-Identifier: MIT
// The least that a session on a GPU compiles: a feed, a map, a reduction. That nvcc takes it, tools/check shows in every run.
#include <etch/gpu.hpp>
#include <xtensor/xtensor.hpp>

constexpr etch::placeholder<"x", float, etch::any<"rows">, 3> x;

int main() {
  constexpr auto y = etch::sum(x * x);
  etch::gpu::session session(y);
  const xt::xtensor<float, 2> fed{{1, 2, 3}, {4, 5, 6}};
  return session.run(y, x = fed) == 91 ? 0 : 1;
}
