// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/facts.hpp>
#include <etch/passes/verify.hpp>

/// With ETCH_VERIFY each graph of the compilation is verified, and what a pass breaks is a compile error that says where. For whoever
/// writes ops or passes: define it for the whole program, before etch is included. Without it nothing of this is read. Plans, which no op
/// can break, are verified where the project's tests are compiled.
namespace etch {

struct a_pass_broke_this_invariant;
template <graph_stage>
struct after_pass;
template <auto Invariant>
struct invariant;
/// A node; of types and fetches one of these.
template <int Number>
struct at_node;
/// What a verifier of plans is called with, `verify_scheduled(scheduled<...>{})`, where one is declared.
template <class Graph, class Target, class Compiled>
struct scheduled {};

namespace detail {

/// Kept: where the compilation keeps the graph.
template <class Kept, graph_stage Stage>
inline constexpr graph_fault fault_after = [] { return verify(Kept::value.thaw(), Stage); }();

template <class Kept, graph_stage Stage>
constexpr bool breaks() {
  constexpr graph_fault f = fault_after<Kept, Stage>;
  if constexpr (static_cast<bool>(f)) raise<a_pass_broke_this_invariant, invariant<f.broken>, after_pass<Stage>, at_node<f.at>>();
  return static_cast<bool>(f);
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
  } else if constexpr (requires { verify_scheduled(scheduled<Materialised, Target, Compiled>{}); }) {
    verify_scheduled(scheduled<Materialised, Target, Compiled>{});
  }
  return true;
}

}  // namespace detail

}  // namespace etch
