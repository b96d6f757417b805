// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace etch {

/// Runs tasks at the same time: what sessions hand parts of their work to, `session.set_executor(&threads)`. `thread_pool` is one; a
/// class of your own lets etch's work run on the threads that a program has already.
class executor {
 public:
  /// Does not throw.
  using task_function = void (*)(void* work, int task, int worker);

  /// How many tasks of one call of `run` are done at the same time at most: at least 1, and always the same.
  virtual int workers() const noexcept = 0;

  /// How much a task should do at least, in flops and accesses to elements: some 10 us of work. More where it takes long to hand out a task.
  virtual std::int64_t least_work() const noexcept { return std::int64_t{1} << 17; }

  /// Calls f(work, task, worker) once for each task in [0, tasks), in any order, and returns when all calls have returned; what they
  /// have written is then seen by the caller. worker is in [0, workers()), and another one in each two calls of f that go on at the same
  /// time: that of one call of `run`. Several threads may call it at once.
  virtual void run(int tasks, task_function f, void* work) noexcept = 0;

 protected:
  executor() = default;
  executor(const executor&) = default;
  executor& operator=(const executor&) = default;
  ~executor() = default;
};

}  // namespace etch
