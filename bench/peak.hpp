// SPDX-License-Identifier: MIT
#pragma once
#include <xsimd/xsimd.hpp>

#include "measure.hpp"

/// The most that one core can do: fused multiply-adds that wait for nothing.
namespace bench {

using fma_vector = float __attribute__((vector_size(sizeof(xsimd::batch<float>))));

/// Twelve chains of float32 multiply-adds in registers, of which none waits for another.
template <long Steps>
void fma_chains() {
  using V = fma_vector;
  V a = V{} + 0.999f, b = V{} + 0.001f;
  V x0 = a, x1 = a, x2 = a, x3 = a, x4 = a, x5 = a, x6 = a, x7 = a, x8 = a, x9 = a, x10 = a, x11 = a;
  asm volatile("" : "+v"(a), "+v"(b));
  for (long i = 0; i < Steps; ++i) {
    const auto step = [&](auto&... x) { ((x = x * a + b), ...); };
    step(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11);
    asm volatile("" : "+v"(x0), "+v"(x1), "+v"(x2), "+v"(x3), "+v"(x4), "+v"(x5));
    asm volatile("" : "+v"(x6), "+v"(x7), "+v"(x8), "+v"(x9), "+v"(x10), "+v"(x11));
  }
}
template <long Steps>
constexpr double flops_of_fma_chains = 2.0 * 12 * Steps * (sizeof(fma_vector) / sizeof(float));

/// Float32 FLOP/s.
inline double fma_peak() {
  constexpr long steps = 1000;
  const std::vector<timing> t = measure({{"multiply-adds", [] { fma_chains<steps>(); }}});
  return flops_of_fma_chains<steps> / t[0].minimum;
}

}  // namespace bench
