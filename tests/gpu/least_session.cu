// SPDX-License-Identifier: MIT
// The least that a session on a GPU compiles: a feed, a map, a reduction; and sessions on the CPU beside it, with a draw, a map of a vector
// and a small product, whose vectors nvcc knows as the host's only. That nvcc takes it, tools/check shows in every run.
#include <etch/gpu.hpp>
#include <etch/session.hpp>
#include <xtensor/xtensor.hpp>

constexpr etch::placeholder<"x", float, etch::any<"rows">, 3> x;
constexpr etch::placeholder<"row", float, 1, 33> row;
constexpr etch::placeholder<"eight", float, 8> eight;

int main() {
  constexpr auto y = etch::sum(x * x);
  etch::gpu::session session(y);
  const xt::xtensor<float, 2> fed{{1, 2, 3}, {4, 5, 6}};
  constexpr auto z = etch::random_normal<"z">(etch::shape<>{});
  etch::session on_host(etch::tanh(z));
  constexpr auto product = etch::matmul(row, etch::ones<float>(etch::shape<33, 60>{}));
  constexpr auto map = etch::sigmoid(eight) * etch::tanh(eight) + etch::erf(eight);
  etch::session small(product, map);
  const auto [p, m] = small.run(product, map, row = xt::ones<float>({1, 33}), eight = xt::zeros<float>({8}));
  return session.run(y, x = fed) == 91 && on_host.run(etch::tanh(z)) < 1 && p(0, 59) == 33 && m(7) == 0 ? 0 : 1;
}
