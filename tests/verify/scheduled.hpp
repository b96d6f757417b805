// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/facts.hpp>
#include <etch/passes/fuse.hpp>
#include <etch/schedule/verified.hpp>

#include "verify/order.hpp"
#include "verify/plan.hpp"

/// Read before any plan is compiled: with ETCH_VERIFY each plan is verified too, and what the schedule breaks is a compile error.
namespace etch {

struct the_schedule_broke_this_invariant;
template <int Number>
struct at_step;
/// An instruction or an access of a step.
template <int Number>
struct part_of_it;

namespace detail {
template <class Graph, class Target>
inline constexpr plan_fault fault_of_order = [] {
  graph g = Graph::value.thaw();
  fusion f = fuse(g, Target::description);
  const sequence s = order_steps(g, f);
  return verify(g, f, s);
}();

/// The first step whose kernel is not compiled from that step's key; -1 where there is none.
template <class Target, class Plan>
constexpr int step_of_another_kernel(const Plan& p) {
  for (int i = 0; i < p.size.steps; ++i) {
    const plan_step& s = p.steps[i];
    if (!(Target::description.key_of({s, p.accesses + s.first_access, p.extents_pool}) == p.kernels[s.kernel].key)) return i;
  }
  return -1;
}
}  // namespace detail

template <class Graph, class Target, class Compiled>
constexpr void verify_scheduled(scheduled<Graph, Target, Compiled>) {
  constexpr plan_fault order = detail::fault_of_order<Graph, Target>;
  if constexpr (static_cast<bool>(order)) {
    raise<the_schedule_broke_this_invariant, invariant<order.broken>, at_step<order.at>, at_node<order.part>>();
  } else {
    constexpr plan_fault f = verify(Compiled::value, Compiled::facts);
    if constexpr (static_cast<bool>(f))
      raise<the_schedule_broke_this_invariant, invariant<f.broken>, at_step<f.at>, part_of_it<f.part>>();
    constexpr int other = detail::step_of_another_kernel<Target>(Compiled::value);
    if constexpr (other >= 0)
      raise<the_schedule_broke_this_invariant, invariant<plan_invariant::kernels_are_one_program>, at_step<other>>();
  }
}

}  // namespace etch
