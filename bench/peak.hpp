// SPDX-License-Identifier: MIT
#pragma once
#include <etch/session/machine_limits.hpp>

#include "measure.hpp"

/// The most that one core can do: fused multiply-adds that wait for nothing.
namespace bench {

/// Float32 operations of `etch::detail::multiply_add_chains(steps)`.
constexpr double flops_of_fma_chains(long steps) {
  return 2.0 * etch::detail::chain_count * static_cast<double>(steps) * (etch::detail::widest_register / sizeof(float));
}

/// Float32 FLOP/s.
inline double fma_peak() {
  constexpr long steps = 1000;
  const std::vector<timing> t = measure({{"multiply-adds", [] { etch::detail::multiply_add_chains(steps); }}});
  return flops_of_fma_chains(steps) / t[0].minimum;
}

}  // namespace bench
