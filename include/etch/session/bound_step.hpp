// SPDX-License-Identifier: MIT
#pragma once
#include <etch/session/plan_memory.hpp>
#include <etch/session/results.hpp>

namespace etch {

/// A plan that is bound to memory: calling it runs it. On the CPU it neither throws nor allocates. It holds what it needs of the
/// session, so it stays valid after that is closed, and the arrays that were fed must stay where they are.
template <class Plan, class Backend, class Feeds, class Results>
class bound_step {
 public:
  /// The value that the call gives: a number, a reference to an array that the next call overwrites, or a tuple of them.
  ETCH_INLINE decltype(auto) operator()() noexcept(!Backend::throws) {
    std::uint64_t run = 0;
    if constexpr (interface_of<Plan, Backend>.draws) run = ++store_->runs;
    if constexpr (Backend::template expands<Plan>)
      Backend::template run_in_place<Plan>(state_->memory.buffers());
    else
      state_->memory.execute(run);
    return value();
  }
  /// What the last call gave.
  decltype(auto) value() const noexcept { return detail::views_of(state_->results); }

 private:
  template <class, class...>
  friend class basic_session;

  using memory_type = typename Backend::memory;
  struct state {
    plan_memory<memory_type> memory{interface_of<Plan, Backend>, &Backend::scratch_bytes};
    Feeds feeds;
    Results results;
  };

  bound_step(const shared_variables<memory_type>& store, state* s) : store_(store), state_(s) {}

  shared_variables<memory_type> store_;
  owner<state> state_;
};

}  // namespace etch
