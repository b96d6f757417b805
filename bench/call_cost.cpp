// SPDX-License-Identifier: MIT
// P4: what a call costs: a scalar addition, and dense layers of one sample with bias and tanh, against hand-written C. Its
// tanh is either std::tanh, or etch's own on vectors: the latter tells what the call and the product cost.
#include <cmath>
#include <vector>

#include <etch/etch.hpp>

#include "measure.hpp"

using namespace etch::literals;

namespace {

/// to = tanh(x * w + b), with w of inputs x units. Fast: etch's tanh on whole vectors and, for the rest, on a masked one.
template <int N, bool Fast>
__attribute__((noinline)) void dense_by_hand(const float* __restrict x, const float* __restrict w, const float* __restrict b,
                                             float* __restrict to) {
  float sum[N];
  for (int j = 0; j < N; ++j) sum[j] = b[j];
  for (int k = 0; k < N; ++k)
    for (int j = 0; j < N; ++j) sum[j] += x[k] * w[k * N + j];
  if constexpr (Fast) {
    constexpr int width = etch::cpu::lanes<float>;
    int j = 0;
    for (; j + width <= N; j += width) etch::cpu::store(to + j, etch::math::tanh(etch::cpu::load(sum + j)));
    if constexpr (N % width != 0)
      etch::cpu::store_partial(to + j, etch::math::tanh(etch::cpu::load_partial(sum + j, N % width)), N % width);
  } else {
    for (int j = 0; j < N; ++j) to[j] = std::tanh(sum[j]);
  }
}

__attribute__((noinline)) float add_by_hand(float a, float b) { return a + b; }

void scalar_add() {
  constexpr etch::placeholder<"a", float> a;
  constexpr etch::placeholder<"b", float> b;
  constexpr auto sum = a + b;
  etch::session session(sum);
  session.initialize();
  float x[1] = {1.5f}, y[1] = {2.25f}, to[1] = {};
  auto step = session.bind(sum, a = x[0], b = y[0]);
  auto pointed = session.bind(sum, a = x[0], b = y[0]);
  etch::step<float()> stored = session.bind(sum, a = x[0], b = y[0]);
  etch::step<float(const float*, const float*)> stored_pointed = session.bind(sum, a = x[0], b = y[0]);
  const std::vector<bench::candidate> candidates = {
      {"bound etch", [&] { to[0] = step(); }},
      {"with pointers", [&] { to[0] = pointed(x, y); }},
      {"etch::step", [&] { to[0] = stored(); }},
      {"etch::step with pointers", [&] { to[0] = stored_pointed(x, y); }},
      {"run", [&] { to[0] = session.run(sum, a = x[0], b = y[0]); }},
      {"function call", [&] { to[0] = add_by_hand(x[0], y[0]); }},
  };
  for (const bench::candidate& c : candidates) {
    to[0] = 0;
    c.repeat(1);
    bench::check("scalar add, " + c.name, to, {3.75}, 0, 1);
  }
  bench::print("P4 scalar add", bench::measure(candidates));
}

template <int N>
void dense() {
  constexpr etch::placeholder<"x", float, 1, N> x;
  constexpr etch::placeholder<"w", float, N, N> w;
  constexpr etch::placeholder<"b", float, N> b;
  constexpr auto y = etch::tanh(etch::matmul(x, w) + b);
  xt::xtensor<float, 2> vx(std::array<std::size_t, 2>{1, N}), vw(std::array<std::size_t, 2>{N, N});
  xt::xtensor<float, 1> vb(std::array<std::size_t, 1>{N});
  bench::fill(vx.data(), vx.size(), -1, 1, 1);
  bench::fill(vw.data(), vw.size(), -0.5f, 0.5f, 2);
  bench::fill(vb.data(), vb.size(), -1, 1, 3);
  etch::session session(y);
  session.initialize();
  auto step = session.bind(y, x = vx, w = vw, b = vb);
  float* const to = const_cast<float*>(step.value().data());
  const std::vector<bench::candidate> candidates = {
      {"etch", [&] { step(); }},
      {"hand", [&] { dense_by_hand<N, true>(vx.data(), vw.data(), vb.data(), to); }},
      {"hand, std::tanh", [&] { dense_by_hand<N, false>(vx.data(), vw.data(), vb.data(), to); }},
  };
  std::vector<double> reference(N);
  for (int j = 0; j < N; ++j) {
    double sum = static_cast<double>(vb(j));
    for (int k = 0; k < N; ++k) sum += static_cast<double>(vx(0, k)) * static_cast<double>(vw(k, j));
    reference[static_cast<std::size_t>(j)] = std::tanh(sum);
  }
  const std::string row = "P4 dense " + std::to_string(N) + " x " + std::to_string(N) + ", bias, tanh";
  for (const bench::candidate& c : candidates) {
    std::fill(to, to + N, 0.f);
    c.repeat(1);
    bench::check(row + ", " + c.name, to, reference, 2e-6, 1);
  }
  bench::print(row, bench::measure(candidates));
}

}  // namespace

int main() {
  bench::heading("P4: the cost of a call, one sample");
  scalar_add();
  dense<4>();
  dense<16>();
  dense<64>();
}
