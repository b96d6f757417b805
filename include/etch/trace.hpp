// SPDX-License-Identifier: MIT
#pragma once
#include <etch/session.hpp>
#include <etch/session/tracer.hpp>

/// Runs that tell what they did: which steps, when, how long, how many bytes and operations.
namespace etch {

namespace detail {

/// The CPU, on which each step of a plan is a call, however small it is.
struct stepwise_cpu : cpu::backend {
  template <class Plan>
  static constexpr bool expands = false;
};

struct traced_execution {
  run_metadata& to;

  template <class Plan>
  void run(plan_memory<host_memory>& memory, std::uint64_t number) const {
    static const std::vector<described_step> steps = describe_steps<Plan>();
    tracer t(steps, frame_access::frames(memory));
    t.run(memory, number);
    t.write(to);
  }
};

}  // namespace detail

/// What `session.run(arguments...)` gives; `metadata` holds what this run did and nothing else. The plan is the same, but its steps are
/// called one by one also where `run` would have them in one function. On the CPU. Throws what `run` throws; `metadata` is then as it was.
template <class... Roots, class... A>
auto traced_run(session<Roots...>& session, run_metadata& metadata, A&&... arguments) {
  using signature = detail::signature_of<A...>;
  if constexpr (detail::check_arguments<"traced_run", A...>()) {
    auto& state = detail::session_access::state(session);
    state.check_open();
    return detail::run_signature<detail::stepwise_cpu, typename detail::session_access::graph_of<etch::session<Roots...>>,
                                 signature>(state, detail::traced_execution{metadata}, typename signature::fetches{},
                                            typename signature::feeds{}, arguments...);
  }
}
template <class... A>
auto traced_run(const A&...) {
  return detail::refuse_run<this_call_has_the_wrong_arguments, "traced_run", "traced_run(session, metadata, y)", A...>();
}

}  // namespace etch
