// SPDX-License-Identifier: MIT
#pragma once
#include <etch/session/state.hpp>
#include <etch/session/results.hpp>

namespace etch {

/// A plan that is bound to memory: calling it runs it. On the CPU it neither throws nor allocates. It holds what it needs of the
/// session, so it stays valid after that is closed, and the arrays that were fed must stay where they are. It can be moved; to call
/// one that has been moved from ends the program with that sentence.
template <class Plan, class Backend, class Feeds, class Results>
class bound_step {
 public:
  /// The value that the call gives: a number, a reference to an array that the next call overwrites, or a tuple of them.
  ETCH_INLINE decltype(auto) operator()() noexcept(!Backend::throws) {
    if (!state_) [[unlikely]] fail("step: it has been moved from");
    std::uint64_t run = 0;
    if constexpr (plan->draws) run = store_->next_run();
    {
      const typename Backend::run_scope scope(!store_->keeps_denormals);
      if constexpr (Backend::template expands<Plan>)
        Backend::template run_in_place<Plan>(state_->memory.buffers());
      else
        state_->memory.execute(run);
    }
    if constexpr (writes_variables)
      if (!state_->has_run) [[unlikely]] {
        mark_written(*plan, *store_);
        state_->has_run = true;
      }
    return value();
  }
  /// What the last call gave.
  decltype(auto) value() const noexcept { return detail::views_of(state_->results); }

 private:
  template <class, class...>
  friend class basic_session;

  using memory_type = typename Backend::memory;
  static constexpr const plan_interface* plan = &interface_of<Plan, Backend>;
  static constexpr bool writes_variables = [] {
    bool writes = false;
    for (int v = 0; v < plan->variable_count; ++v) writes = writes || plan->uses[v].written;
    return writes;
  }();
  struct state {
    plan_memory<memory_type> memory{interface_of<Plan, Backend>, &Backend::scratch_bytes};
    Feeds feeds;
    Results results;
    bool has_run = false;
  };

  bound_step(const shared_variables<memory_type>& store, state* s) : store_(store), state_(s) {}

  shared_variables<memory_type> store_;
  owner<state> state_;
};

}  // namespace etch
