// SPDX-License-Identifier: MIT
#pragma once
#include <etch/session/executor.hpp>
#include <etch/session/results.hpp>

namespace etch {

/// A plan that is bound to memory: calling it runs it. Neither throws nor allocates. It holds what it needs of the session,
/// so it stays valid after that is closed, and the arrays that were fed must stay where they are.
template <class Plan, class Backend, class Feeds, class Results>
class bound_step {
 public:
  /// The value that the call gives: a number, a reference to an array that the next call overwrites, or a tuple of them.
  ETCH_INLINE decltype(auto) operator()() noexcept(noexcept(std::declval<executor<Plan, Backend>&>().execute(0))) {
    std::uint64_t run = 0;
    if constexpr (interface_of<Plan>.draws) run = ++store_->runs;
    state_->executor.execute(run);
    return value();
  }
  /// What the last call gave.
  decltype(auto) value() const noexcept { return detail::views_of(state_->results); }

 private:
  template <class, class...>
  friend class basic_session;

  struct state {
    etch::executor<Plan, Backend> executor;
    Feeds feeds;
    Results results;
  };

  bound_step(const shared_variables<typename Backend::memory>& store, state* s) : store_(store), state_(s) {}

  shared_variables<typename Backend::memory> store_;
  owner<state> state_;
};

}  // namespace etch
