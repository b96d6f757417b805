// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/gradient_of_loop.hpp>
#include <etch/passes/gradient_of_parts.hpp>

namespace etch::detail {

constexpr void all_regions::differentiate(reverse_mode<all_regions>& mode, graph& g, reverse_sweep<all_regions>& s, int n,
                                          gradient_failure& failure) {
  const int body = g.body;
  if (!g.is(n, op_role::loop)) {
    parts_gradient gradient(mode, g, s, n);
    gradient.run();
  } else if (sequences_of(g, n) == 0) {
    if (failure.op == nullptr) failure.op = g[n].op;  // it makes any number of steps
  } else {
    loop_gradient gradient(mode, g, s, n, failure);
    gradient.run();
  }
  g.body = body;
}

}  // namespace etch::detail
