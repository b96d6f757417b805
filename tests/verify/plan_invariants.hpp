// SPDX-License-Identifier: MIT
#pragma once
#include <etch/schedule/plan.hpp>

/// The vocabulary of `verify` for plans.
namespace etch {

enum class plan_invariant : std::uint8_t {
  none,
  ports_and_buffers_name_each_other,
  buffers_have_types_and_sizes,
  buffers_live_while_they_are_used,
  shared_buffers_are_alike,
  steps_lie_in_their_pools,
  nests_have_axes_and_extents,
  accesses_have_buffers_of_their_type,
  accesses_have_strides,
  accesses_stay_in_their_buffers,
  accesses_are_what_the_program_does,
  steps_write_something,
  kernels_exist,
  kernels_are_one_program,
  fields_have_their_values,
  unused_fields_are_zero,
  sections_are_in_order,
  slots_are_accesses,
  modes_are_those_of_strides,
  registers_are_defined_before_use,
  registers_have_the_type_that_is_used,
  values_are_written_before_they_are_read,
  values_are_written_once,
  fetches_are_written,
  results_go_back_behind_what_is_read,
  // Of a sequence of steps and the graph that it runs.
  every_cluster_runs_once,
  steps_follow_what_they_need,
  variables_are_read_before_they_are_written
};

constexpr const char* sentence(plan_invariant i) {
  switch (i) {
    case plan_invariant::none: return "nothing is broken";
    case plan_invariant::ports_and_buffers_name_each_other:
      return "a feed, variable or fetch and its buffer do not name each other";
    case plan_invariant::buffers_have_types_and_sizes: return "a buffer has no element type or no size";
    case plan_invariant::buffers_live_while_they_are_used:
      return "a buffer is used outside of its lifetime, or lives longer than it is used";
    case plan_invariant::shared_buffers_are_alike: return "a buffer takes over memory that is not like it, or is still needed";
    case plan_invariant::steps_lie_in_their_pools:
      return "a step's accesses, words, extents or attributes lie outside of their pools";
    case plan_invariant::nests_have_axes_and_extents: return "a step's loop nest has axes or extents that its kind cannot have";
    case plan_invariant::accesses_have_buffers_of_their_type: return "an access has no buffer, or one of another type";
    case plan_invariant::accesses_have_strides:
      return "an access has other axes than its step, or a stride that is not in the table";
    case plan_invariant::results_go_back_behind_what_is_read:
      return "a result goes back to where its step still reads, or not from memory of its own";
    case plan_invariant::accesses_stay_in_their_buffers: return "an access reaches outside of its buffer";
    case plan_invariant::accesses_are_what_the_program_does:
      return "an access does not say whether the program loads and stores by it";
    case plan_invariant::steps_write_something: return "a step writes nothing";
    case plan_invariant::kernels_exist: return "a step's kernel does not exist";
    case plan_invariant::kernels_are_one_program: return "steps of one kernel differ in what a kernel is made of";
    case plan_invariant::fields_have_their_values: return "a field of an instruction has a value that it cannot have";
    case plan_invariant::unused_fields_are_zero: return "a field that an instruction does not use is not 0";
    case plan_invariant::sections_are_in_order: return "an instruction is in a section where it cannot be";
    case plan_invariant::slots_are_accesses: return "an instruction names an access that its step does not have";
    case plan_invariant::modes_are_those_of_strides: return "an instruction moves otherwise along the lanes than its access does";
    case plan_invariant::registers_are_defined_before_use: return "a register is used where it has no value";
    case plan_invariant::registers_have_the_type_that_is_used:
      return "a register is stored or reduced as another type than its own";
    case plan_invariant::values_are_written_before_they_are_read: return "a value is read before it is written";
    case plan_invariant::values_are_written_once: return "a value is written twice, or a feed is written";
    case plan_invariant::fetches_are_written: return "a fetch is not written";
    case plan_invariant::every_cluster_runs_once: return "a cluster is not run, or is run twice";
    case plan_invariant::steps_follow_what_they_need: return "a step runs before one whose result it reads";
    case plan_invariant::variables_are_read_before_they_are_written:
      return "a variable is written before a step that reads its old value";
  }
  return "";
}

/// What is broken, and where: `at` is a step, of buffers a buffer and of ports a port; `part` an instruction or access of it.
struct plan_fault {
  plan_invariant broken = plan_invariant::none;
  int at = -1, part = -1;
  constexpr explicit operator bool() const { return broken != plan_invariant::none; }
};

namespace detail {

/// A plan, frozen or not.
struct plan_view {
  const plan_step* steps;
  const access* accesses;
  const extent_value* pool;
  const buffer* buffers;
  const plan_kernel* kernels;
  const std::uint64_t* words;
  const port *feeds, *variables, *fetches;
  const extent_table* extents;
  plan_sizes size;
};
constexpr plan_view view_of(const plan& p) {
  return {p.steps.data(), p.accesses.data(),  p.extents_pool.data(), p.buffers.data(), p.kernels.data(), p.program_words.data(),
          p.feeds.data(), p.variables.data(), p.fetches.data(),      &p.extents,       sizes_of(p)};
}
template <plan_sizes S>
constexpr plan_view view_of(const plan_tables<S>& p, const plan_facts& facts) {
  return {p.steps, p.accesses,  p.extents_pool, p.buffers,      p.kernels, p.program_words,
          p.feeds, p.variables, p.fetches,      &facts.extents, p.size};
}

}  // namespace detail

}  // namespace etch
