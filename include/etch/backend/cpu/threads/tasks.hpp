// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/denormals.hpp>
#include <etch/backend/memory.hpp>
#include <etch/base/executor.hpp>
#include <etch/config.hpp>

namespace etch::cpu {

/// What a step is called with that one of several workers runs alone.
inline run_values values_of_worker(const run_values& run, int worker) {
  run_values own = run;
  own.scratch += worker * run.scratch_bytes;
  own.threads = nullptr;
  return own;
}

/// Calls f(task, worker) for each task in [0, tasks) on an executor's threads, with the numbers of the calling one.
template <class F>
ETCH_NOINLINE void run_tasks(executor& threads, int tasks, const F& f) noexcept {
  struct work {
    const F& f;
    arithmetic_mode mode;
  };
  const work all{f, arithmetic_mode::current()};
  threads.run(
      tasks,
      [](void* at, int task, int worker) {
        const work& w = *static_cast<const work*>(at);
        const arithmetic_mode before = arithmetic_mode::current();
        w.mode.set();
        w.f(task, worker);
        before.set();
      },
      const_cast<work*>(&all));
}

}  // namespace etch::cpu
