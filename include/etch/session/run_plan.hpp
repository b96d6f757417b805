// SPDX-License-Identifier: MIT
#pragma once
#include <etch/session/results.hpp>
#include <etch/session/signature.hpp>
#include <etch/session/state.hpp>

/// Runs of plans on the state of a session, or of what has such a state.
namespace etch {

namespace detail {
/// Runs a plan's steps as they are.
struct plain_execution {};
}  // namespace detail

/// What a run of a plan keeps for the host, where it has such steps: as long as its results are made of it.
template <class Plan, class Backend>
using host_values_of = detail::host_values<interface_of<Plan, Backend>.on_host>;

/// Runs a plan once. Arrays: what is fed, in the order of its feeds; results: a plain_tuple of what its fetches give. Execution: another
/// one's `run<Plan>(memory, number)` runs its steps.
template <class Plan, class Backend, class Results, class Execution = detail::plain_execution>
void run_plan(session_state<typename Backend::memory>& state, const fed_array* arrays, Results& results,
              host_values_of<Plan, Backend>& host, [[maybe_unused]] Execution execution = {}) {
  using memory = typename Backend::memory;
  const plan_interface& plan = interface_of<Plan, Backend>;
  const typename session_state<memory>::activity going_on(state.store());
  owner<plan_memory<memory>> m = state.take(plan, services_of<Plan, Backend>(state.store().sharing));
  state.prepare(plan, *m, arrays);
  detail::place_results(*m, results);
  m->make_ready();
  {
    [[maybe_unused]] const typename host_values_of<Plan, Backend>::scope host_scope(host);
    const typename Backend::run_scope scope(state.store().flushes_denormals(m->flushes_denormals()),
                                            state.store().always_keeps_denormals());
    if constexpr (std::is_same_v<Execution, detail::plain_execution>)
      m->execute(state.next_run(plan));
    else
      execution.template run<Plan>(*m, state.next_run(plan));
  }
  mark_written(plan, state.store());
  state.give_back(plan, std::move(m));
}

/// Gives all variables of a graph, which are those of the state, their initial values. Where one throws, none has a value.
template <class RootGraph, class Backend>
void initialize_variables(session_state<typename Backend::memory>& state) {
  if constexpr (RootGraph::size.variables > 0) {
    using memory = typename Backend::memory;
    constexpr hash_t nothing = list_of<>, initial = []<int... V>(std::integer_sequence<int, V...>) {
      return list_of<RootGraph::value.variables[V]->slot->initial->hash...>;
    }(std::make_integer_sequence<int, RootGraph::size.variables>{});
    using Plan = compiled<typename Backend::target, initial, nothing, variables::are_initial_values>;
    detail::check_plan<RootGraph, Plan>();
    plan_memory<memory> m(interface_of<Plan, Backend>, services_of<Plan, Backend>(state.store().sharing));
    m.bind_feeds(nullptr);
    m.bind_variables(state.store());
    for (int v = 0; v < state.store().count; ++v) m.keep_fetch(v, state.store().entries[v].memory.data());
    m.make_ready();
    host_values_of<Plan, Backend> host;
    for (int v = 0; v < state.store().count; ++v) state.store().entries[v].forget_value();
    {
      [[maybe_unused]] const typename host_values_of<Plan, Backend>::scope host_scope(host);
      const typename Backend::run_scope scope(state.store().flushes_denormals(true), state.store().always_keeps_denormals());
      m.execute(0);
    }
    for (int v = 0; v < state.store().count; ++v) state.store().entries[v].mark_initialised();
  }
}

}  // namespace etch
