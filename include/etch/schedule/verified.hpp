// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/facts.hpp>
#include <etch/passes/fuse.hpp>
#include <etch/passes/verify.hpp>
#include <etch/schedule/verify.hpp>
#include <etch/schedule/verify_order.hpp>

/// With ETCH_VERIFY each stage of the compilation is verified, and what it breaks is a compile error that says where. For whoever
/// writes ops or passes: define it for the whole program, before etch is included. Without it nothing of this is read.
namespace etch {

struct a_pass_broke_this_invariant;
struct the_schedule_broke_this_invariant;
template <graph_stage>
struct after_pass;
template <auto Invariant>
struct invariant;
/// A node; of types, fetches, buffers and ports one of these.
template <int Number>
struct at_node;
template <int Number>
struct at_step;
/// An instruction or an access of a step.
template <int Number>
struct part_of_it;

namespace detail {

/// Kept: where the compilation keeps the graph.
template <class Kept, graph_stage Stage>
inline constexpr graph_fault fault_after = [] { return verify(Kept::value.thaw(), Stage); }();
template <class Kept, class Target>
inline constexpr plan_fault fault_of_order = [] {
  graph g = Kept::value.thaw();
  fusion f = fuse(g, Target::description);
  const sequence s = order_steps(g, f);
  return verify(g, f, s);
}();

template <class Kept, graph_stage Stage>
constexpr bool breaks() {
  constexpr graph_fault f = fault_after<Kept, Stage>;
  if constexpr (static_cast<bool>(f)) raise<a_pass_broke_this_invariant, invariant<f.broken>, after_pass<Stage>, at_node<f.at>>();
  return static_cast<bool>(f);
}

/// The first step whose kernel is not compiled from that step's key; -1 where there is none.
template <class Target, class Plan>
constexpr int step_of_another_kernel(const Plan& p) {
  for (int i = 0; i < p.size.steps; ++i) {
    const plan_step& s = p.steps[i];
    if (!(Target::description.key_of({s, p.accesses + s.first_access, p.extents_pool}) == p.kernels[s.kernel].key)) return i;
  }
  return -1;
}

/// An error for the first stage that breaks something. Graphs: where the compilation keeps each; Compiled: what has the plan.
template <class Target, class Flattened, class Ordered, class Nested, class Expanded, class Simplified, class Materialised,
          class Compiled>
constexpr bool verify_stages() {
  if constexpr (breaks<Flattened, graph_stage::flatten>()) {
  } else if constexpr (breaks<Ordered, graph_stage::order_effects>()) {
  } else if constexpr (breaks<Nested, graph_stage::nest_regions>()) {
  } else if constexpr (breaks<Expanded, graph_stage::gradient>()) {
  } else if constexpr (breaks<Simplified, graph_stage::tidy>()) {
  } else if constexpr (breaks<Materialised, graph_stage::materialise>()) {
  } else {
    constexpr plan_fault order = fault_of_order<Materialised, Target>;
    if constexpr (static_cast<bool>(order)) {
      raise<the_schedule_broke_this_invariant, invariant<order.broken>, at_step<order.at>, at_node<order.part>>();
    } else {
      constexpr plan_fault f = verify(Compiled::value, Compiled::facts);
      if constexpr (static_cast<bool>(f))
        raise<the_schedule_broke_this_invariant, invariant<f.broken>, at_step<f.at>, part_of_it<f.part>>();
      constexpr int other = step_of_another_kernel<Target>(Compiled::value);
      if constexpr (other >= 0)
        raise<the_schedule_broke_this_invariant, invariant<plan_invariant::kernels_are_one_program>, at_step<other>>();
    }
  }
  return true;
}

}  // namespace detail

}  // namespace etch
