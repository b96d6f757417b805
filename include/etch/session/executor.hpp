// SPDX-License-Identifier: MIT
#pragma once
#include <etch/session/plan_memory.hpp>

namespace etch {

/// One plan with memory to run in: the kernels, which know the plan's types.
template <class Plan, class Backend>
class executor : public plan_memory<typename Backend::memory> {
  using base = plan_memory<typename Backend::memory>;

 public:
  executor() : base(interface_of<Plan>, memory_, memory_.buffer, &Backend::template scratch_bytes<run_values>) {}

  ETCH_INLINE void execute(std::uint64_t run) noexcept(noexcept(Backend::template execute<Plan>(memory_))) {
    memory_.run = run;
    if constexpr (!Backend::memory::is_host) this->copy_in();
    Backend::template execute<Plan>(memory_);
    if constexpr (!Backend::memory::is_host) this->copy_out();
  }

 private:
  run_memory<Plan::size.buffers> memory_;
};

}  // namespace etch
