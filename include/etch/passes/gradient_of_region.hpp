// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/gradient_of_branch.hpp>
#include <etch/passes/gradient_of_loop.hpp>
#include <etch/passes/gradient_of_recompute.hpp>

namespace etch::detail {

constexpr void all_regions::differentiate(reverse_mode<all_regions>& mode, graph& g, reverse_sweep<all_regions>& s, int n,
                                          parameter_numbers& numbers, gradient_failure& failure) {
  if (g.is(n, op_role::branch)) {
    branch_gradient gradient(mode, g, s, n);
    gradient.run();
  } else if (g.is(n, op_role::recompute)) {
    recompute_gradient gradient(mode, g, s, n, numbers);
    gradient.run();
  } else if (g.word(n, 2) == 0) {
    if (failure.op == nullptr) failure.op = g[n].op;  // it makes any number of steps
  } else {
    const int begin = g.size();
    loop_gradient gradient(mode, g, s, n, numbers);
    gradient.run();
    for (int i = begin; i < g.size() && failure.op == nullptr; ++i)
      if (g.is(i, op_role::stack) && g.type(g.operand(i, 1)).rank == max_rank) failure.op = g[i].op;
  }
}

}  // namespace etch::detail
