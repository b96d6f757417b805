// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/nest.hpp>
#include <etch/base/executor.hpp>
#include <etch/base/vector.hpp>
#include <etch/schedule/plan.hpp>

/// Who runs the steps of a plan together, and how.
namespace etch {

/// A step as a run calls it.
struct kernel_call {
  kernel_function function = nullptr;
  frame with{};
};

/// What a step needs of threads.
enum class step_use : std::uint8_t {
  any_thread,   ///< one, whichever
  all_threads,  ///< those that are there
  in_order,     ///< those that are there, after all steps before it and before all behind it
  the_caller    ///< the thread that runs, after all steps before it and before all behind it
};

/// What a step, or a plan, takes of threads.
struct thread_needs {
  step_use use = step_use::any_thread;
  std::int64_t work = 0;  ///< flops and accesses to elements, about
};

/// Consecutive steps of one plan that are run block by block of their rows.
class step_blocker {
 public:
  virtual ~step_blocker() = default;
  /// Finds them, by the counts of the named extents, for so many workers.
  virtual void find(const run_values& run, int workers) = 0;
  /// The first of the steps that run with this one; -1 where it runs alone.
  virtual int first_of(int step) const = 0;
  /// The plan's buffers as these steps need them. stages: in whose stages the lifetimes of `buffers` are counted; null: in steps.
  virtual const buffer* lay_out(const buffer* buffers, const class step_sharer* stages) = 0;
  /// Takes the calls of all steps: the first of consecutive ones becomes that of all.
  virtual void make_ready(vector<kernel_call>& calls) = 0;
};
/// Of a plan that may have such steps.
using blocker_maker = step_blocker* (*)(const step_tables&, const buffer*, int buffer_count);

/// The steps of one plan as threads share them.
class step_sharer {
 public:
  virtual ~step_sharer() = default;
  /// Takes the counts of the named extents. calls: what they need, by steps; of a loop what one turn needs. Other steps are `in_order` where a
  /// `step_blocker` has them. Gives the plan's buffers, with the lifetimes that they have if steps run at the same time.
  virtual const buffer* lay_out(const run_values& run, const thread_needs* calls) = 0;
  /// In which stage a step is then: those of one stage run at the same time.
  virtual int stage_of(int step) const = 0;
  /// The most that a step needs, and the work of all.
  virtual thread_needs needs() const = 0;
  /// Takes the calls of all steps, which may become others; gives those that a run makes, one after the other.
  virtual const vector<kernel_call>& make_ready(vector<kernel_call>& calls) = 0;
};

/// Who runs steps together. Null: the thread that runs does all.
struct step_sharing {
  executor* threads = nullptr;
  step_sharer* (*make)(const step_tables&, const buffer*, int buffer_count, const executor&) = nullptr;
  /// How many executors the session had been given with this one: another may lie where an earlier one did, with more workers.
  std::uint64_t number = 0;

  /// Of a backend; nobody where there is one worker only, since the thread that runs is another. Programs that give no session an executor
  /// compile nothing of this, since what overrides `step_sharer` is a template.
  template <class Backend>
  static step_sharing on(executor* threads) {
    if (threads == nullptr || threads->workers() == 1) return {};
    return {threads, Backend::template make_sharer<step_sharer>, 0};
  }
};

}  // namespace etch
