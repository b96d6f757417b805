// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/nest.hpp>
#include <etch/session/sections.hpp>

/// What binding memory to a plan, and running it, needs to know of it: no types, so that the code that reads it is compiled
/// once and not once per plan.
namespace etch {

/// How a plan uses a variable.
struct variable_traffic {
  bool read = false;  ///< it needs the value that is there when it starts
  bool written = false;
};

struct plan_interface {
  step_tables tables;
  const kernel_function* kernels;  ///< by the steps' kernel numbers; null where `run_in_place` runs them all
  void (*run_in_place)(char* const* buffers);
  const extent_table* extents;
  const buffer* buffers;
  const port *feeds, *variables, *fetches;
  const variable_traffic* uses;  ///< of the variables
  const detail::section_reach* reaches;
  int buffer_count, feed_count, variable_count, fetch_count, reach_count;
  bool draws;  ///< random numbers
};

namespace detail {

/// What only interfaces need of a plan.
template <class Plan>
struct interface_tables {
  static constexpr const auto& plan = Plan::value;

  struct tables {
    variable_traffic uses[Plan::size.variables + 1]{};
    bool draws = false;
  };
  /// Stores to variables are whole: one that is stored first is not read.
  static constexpr tables value = [] {
    tables t;
    for (int i = 0; i < Plan::size.steps; ++i) {
      const plan_step& s = plan.steps[i];
      t.draws = t.draws || s.draws;
      for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < s.access_count; ++k) {
          const access& a = plan.accesses[s.first_access + k];
          if (a.buffer < 0 || plan.buffers[a.buffer].kind != storage::variable) continue;
          variable_traffic& use = t.uses[plan.buffers[a.buffer].index];
          if (pass == 0 && a.loads && !use.written) use.read = true;
          if (pass == 1 && a.stores) use.written = true;
        }
    }
    return t;
  }();
};

template <class Plan, class Backend, class Kernels>
struct kernel_table;
template <class Plan, class Backend, int... K>
struct kernel_table<Plan, Backend, std::integer_sequence<int, K...>> {
  static constexpr kernel_function at[sizeof...(K) + 1] = {Backend::template kernel<Plan, Plan::value.kernels[K]>..., nullptr};
};

template <class Plan, class Backend>
void run_plan_in_place(char* const* buffers) {
  Backend::template run_in_place<Plan>(buffers);
}

}  // namespace detail

template <class Plan, class Backend>
inline constexpr plan_interface interface_of = [] {
  using tables = detail::interface_tables<Plan>;
  using reaches = detail::section_reaches<Plan>;
  constexpr const auto& p = Plan::value;
  const kernel_function* kernels = nullptr;
  void (*in_place)(char* const*) = nullptr;
  if constexpr (Backend::template expands<Plan>)
    in_place = &detail::run_plan_in_place<Plan, Backend>;
  else
    kernels = detail::kernel_table<Plan, Backend, std::make_integer_sequence<int, Plan::size.kernels>>::at;
  return plan_interface{{p.steps, p.accesses, p.extents_pool, p.attributes, Plan::size.steps},
                        kernels,
                        in_place,
                        &p.extents,
                        p.buffers,
                        p.feeds,
                        p.variables,
                        p.fetches,
                        tables::value.uses,
                        reaches::value.at,
                        Plan::size.buffers,
                        Plan::size.feeds,
                        Plan::size.variables,
                        Plan::size.fetches,
                        reaches::count,
                        tables::value.draws};
}();

}  // namespace etch
