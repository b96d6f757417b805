// SPDX-License-Identifier: MIT
// P9: leapfrog steps of 64 bodies that attract each other, positions and velocities of [64, 3] floats, as a bound step, against the
// loop over pairs. Ten steps are compared first, with double precision.
#include <cmath>
#include <vector>

#include <etch/etch.hpp>

#include "measure.hpp"

using namespace etch::literals;

namespace {

constexpr int n = 64;

/// Velocities by a whole step of the acceleration, then positions: what lies half a step apart in a leapfrog.
template <class T>
__attribute__((noinline)) void step_by_hand(T* __restrict x, T* __restrict v, const T* __restrict m) {
  for (int i = 0; i < n; ++i) {
    T a[3] = {0, 0, 0};
    for (int j = 0; j < n; ++j) {
      const T dx = x[3 * j] - x[3 * i], dy = x[3 * j + 1] - x[3 * i + 1], dz = x[3 * j + 2] - x[3 * i + 2];
      const T square = dx * dx + dy * dy + dz * dz + T(0.01);
      const T w = m[j] / (square * std::sqrt(square));
      a[0] += dx * w;
      a[1] += dy * w;
      a[2] += dz * w;
    }
    for (int k = 0; k < 3; ++k) v[3 * i + k] += T(0.001) * a[k];
  }
  for (int i = 0; i < 3 * n; ++i) x[i] += T(0.001) * v[i];
}

constexpr auto x = etch::variable<"x">(etch::zeros(etch::shape<n, 3>{}), etch::not_trainable);
constexpr auto v = etch::variable<"v">(etch::zeros(etch::shape<n, 3>{}), etch::not_trainable);
constexpr auto m = etch::variable<"m">(etch::ones(etch::shape<n>{}), etch::not_trainable);
constexpr auto apart = etch::expand_dims(x, etch::axis<0>) - etch::expand_dims(x, etch::axis<1>);
constexpr auto square = etch::sum(apart * apart, etch::axis<2>) + 0.01_c;
constexpr auto pull = m / (square * etch::sqrt(square));
constexpr auto acceleration = etch::sum(apart * etch::expand_dims(pull, etch::axis<2>), etch::axis<1>);
constexpr auto faster = v + 0.001_c * acceleration;
constexpr auto step = etch::group(etch::assign(v, faster), etch::assign(x, x + 0.001_c * faster));

}  // namespace

int main() {
  bench::heading("P9: a step of 64 bodies");
  xt::xtensor<float, 2> x0(std::array<std::size_t, 2>{n, 3}), v0 = x0;
  xt::xtensor<float, 1> m0(std::array<std::size_t, 1>{n});
  bench::fill(x0.data(), x0.size(), -1, 1, 1);
  bench::fill(v0.data(), v0.size(), -0.1f, 0.1f, 2);
  bench::fill(m0.data(), m0.size(), 0.5f, 1.5f, 3);

  std::vector<double> expected(x0.begin(), x0.end()), speeds(v0.begin(), v0.end()), masses(m0.begin(), m0.end());
  std::vector<float> at(x0.begin(), x0.end()), velocity(v0.begin(), v0.end());
  for (int i = 0; i < 10; ++i) {
    step_by_hand(expected.data(), speeds.data(), masses.data());
    step_by_hand(at.data(), velocity.data(), m0.data());
  }
  etch::session session(step, x, v);
  session.initialize();
  session.set(x, x0);
  session.set(v, v0);
  session.set(m, m0);
  auto bound = session.bind(step);
  for (int i = 0; i < 10; ++i) bound();
  bench::check("hand", at.data(), expected, 1e-5, 1);
  bench::check("etch", session.get(x).data(), expected, 1e-5, 1);
  bench::check("etch, velocities", session.get(v).data(), speeds, 1e-4, 1);

  bench::print("P9 bodies", bench::measure({{"etch", [&] { bound(); }},
                                            {"hand", [&] { step_by_hand(at.data(), velocity.data(), m0.data()); }}}));
}
