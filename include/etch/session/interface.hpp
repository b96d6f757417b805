// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/step_sharing.hpp>
#include <etch/session/sections.hpp>

/// What binding memory to a plan, and running it, needs to know of it: no types, so that the code that reads it is compiled
/// once and not once per plan.
namespace etch {

/// How a plan uses a variable.
struct variable_traffic {
  bool read = false;  ///< it needs the value that is there when it starts
  bool written = false;
};

/// Bytes of scratch memory that a backend's kernels need for any of a plan's products, of one worker, by the counts of the named extents.
using scratch_function = std::int64_t (*)(const step_tables&, const extent_table&, const std::int64_t* values);

/// Whether a run with these counts keeps subnormal numbers.
using few_elements_function = bool (*)(const step_tables&, const buffer*, const run_values&);

/// What running steps needs of a backend, and of a session. Functions are null where no extent is named.
struct step_services {
  scratch_function scratch_for;
  few_elements_function has_few_elements;
  step_sharing sharing;

  int workers() const { return sharing.threads == nullptr ? 1 : sharing.threads->workers(); }
};

struct plan_interface;
class region_runner;

/// A loop or a branch: the plans of its sub-graphs.
struct call_interface {
  const plan_interface* const* parts;
  const std::int64_t* attributes;  ///< region_call's, then the numbers of the results that are wanted
  int part_count, operand_count, result_count;
};

/// Whether a run counts subnormal numbers as 0; by_count: of the elements, once the named extents have numbers.
enum class denormal_mode { kept, flushed, by_count };

struct plan_interface {
  step_tables tables;
  const kernel_function* kernels;  ///< by the steps' kernel numbers; null where `run_in_place` runs them all
  void (*run_in_place)(char* const* buffers);
  const extent_table* extents;
  std::int64_t scratch_bytes;  ///< for products, of one worker; -1: by the counts of the named extents
  const buffer* buffers;
  const port *feeds, *variables, *fetches;
  const variable_traffic* uses;  ///< of the variables
  const detail::section_reach* reaches;
  int buffer_count, feed_count, variable_count, fetch_count, reach_count;
  bool draws;                   ///< random numbers
  bool on_host;                 ///< makes values of the host, or calls it
  denormal_mode denormals;      ///< unless the session says otherwise
  const call_interface* calls;  ///< by their numbers
  int call_count;
  region_runner* (*make_region)(const call_interface&, const step_services&);  ///< null where there are no calls
  blocker_maker make_blocks;                                                   ///< null where no steps can be run block by block
};

namespace detail {

/// A run whose steps have at most so many elements, or multiplications, keeps subnormal numbers. To set the thread's mode and to set it
/// back waits for all arithmetic before it, up to 30 ns in which the next call could have begun (Sapphire Rapids): half of what 8 x 8
/// times 8 x 8 takes, and lost beside 32 x 32 times 32 x 32, which are 32,768.
inline constexpr std::int64_t most_elements_with_denormals = 65536;

/// Whether the elements of loop nests, and of what steps walk without one, are at most that many. Value: of an extent; negative where it is
/// not known.
template <class Value>
constexpr bool has_few_elements(const step_tables& t, const buffer* buffers, const Value& value) {
  std::int64_t left = most_elements_with_denormals;
  for (int i = 0; i < t.step_count; ++i) {
    const plan_step& s = t.steps[i];
    std::int64_t count = 1;
    const auto fits = [&](std::int64_t extent) {
      if (extent < 0 || (extent > 0 && count > left / extent)) return false;
      count *= extent;
      return true;
    };
    if (!s.walks_whole_operands()) {
      for (int d = 0; d < s.rank; ++d)
        if (!fits(value(t.extents_pool[s.first_extent + d]))) return false;
      left -= count;
      continue;
    }
    for (int k = 0; k < s.access_count; ++k) {
      const access& a = t.accesses[s.first_access + k];
      if (a.buffer < 0) continue;
      count = 1;
      if (!fits(value(buffers[a.buffer].elements))) return false;
      left -= count;
    }
  }
  // A step without axes is one element, and may be one too many.
  return left >= 0;
}
inline bool run_has_few_elements(const step_tables& t, const buffer* buffers, const run_values& run) {
  return has_few_elements(t, buffers, [&](extent_value e) { return run.value(e); });
}

/// What only interfaces need of a plan.
template <class Plan>
struct interface_tables {
  static constexpr const auto& plan = Plan::value;

  struct tables {
    variable_traffic uses[Plan::size.variables + 1]{};
    bool draws = false, on_host = false;
    denormal_mode denormals = denormal_mode::kept;
  };
  static constexpr step_tables steps = {plan.steps, plan.accesses, plan.extents_pool, plan.attributes, Plan::size.steps};
  static constexpr bool has_names = Plan::facts.extents.symbol_count() > 0;
  /// How many elements of a variable a step stores; all where an extent is named.
  static constexpr std::int64_t count_stored(const plan_step& s, const access& a) {
    const int rank = s.walks_whole_operands() ? a.rank : s.rank;
    const int first = s.walks_whole_operands() ? a.first_stride + rank : s.first_extent;
    std::int64_t n = 1;
    for (int d = 0; d < rank; ++d) {
      const extent_value extent = plan.extents_pool[first + d], stride = plan.extents_pool[a.first_stride + d];
      if (!is_static(extent) || !is_static(stride)) return plan.buffers[a.buffer].elements;
      if (stride != 0 || extent == 0) n *= extent;
    }
    return n;
  }
  /// A variable that is stored first is not read, if all of it is.
  static constexpr tables value = [] {
    tables t;
    std::int64_t kept[Plan::size.variables + 1]{};  // elements that no step stores, where those of the steps do not overlap
    for (int v = 0; v < Plan::size.variables; ++v) kept[v] = plan.buffers[plan.variables[v].buffer].elements;
    for (int i = 0; i < Plan::size.steps; ++i)
      for (int k = 0; k < plan.steps[i].access_count; ++k) {
        const access& a = plan.accesses[plan.steps[i].first_access + k];
        if (a.stores && a.buffer >= 0 && plan.buffers[a.buffer].kind == storage::variable)
          kept[plan.buffers[a.buffer].index] -= count_stored(plan.steps[i], a);
      }
    if (Plan::calls > 0)
      t.denormals = denormal_mode::flushed;
    else if (has_names)
      t.denormals = denormal_mode::by_count;
    else if (!has_few_elements(steps, plan.buffers, [](extent_value e) { return e; }))
      t.denormals = denormal_mode::flushed;
    for (int i = 0; i < Plan::size.steps; ++i) {
      const plan_step& s = plan.steps[i];
      t.draws = t.draws || s.draws;
      t.on_host = t.on_host || s.on_host;
      for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < s.access_count; ++k) {
          const access& a = plan.accesses[s.first_access + k];
          if (a.buffer < 0 || plan.buffers[a.buffer].kind != storage::variable) continue;
          const int v = plan.buffers[a.buffer].index;
          variable_traffic& use = t.uses[v];
          if (pass == 0 && a.loads && !use.written) use.read = true;
          if (pass == 1 && a.stores) {
            if (!use.written && kept[v] > 0) use.read = true;
            use.written = true;
            // What orders the host is no variable of the program.
            if (!plan.variables[v].orders_host) t.denormals = denormal_mode::flushed;
          }
        }
    }
    return t;
  }();
};

/// Calls the runner whose address stands where an opaque step has its attributes'.
inline void run_region(frame f, const run_values& run);

template <class Plan, class Backend, int K>
constexpr kernel_function function_of_kernel() {
  if constexpr (Plan::value.kernels[K].key.kind == cluster_kind::call)
    return &run_region;
  else
    return Backend::template kernel<kernel_at<Plan, K>, ops_of_step<Plan, Plan::value.kernels[K].first_step>>;
}
template <class Plan, class Backend, class Kernels>
struct kernel_table;
template <class Plan, class Backend, int... K>
struct kernel_table<Plan, Backend, std::integer_sequence<int, K...>> {
  static constexpr kernel_function at[sizeof...(K) + 1] = {function_of_kernel<Plan, Backend, K>()..., nullptr};
};

template <class Backend>
constexpr std::int64_t scratch_for(const step_tables& t, const extent_table& extents, const std::int64_t* values) {
  std::int64_t most = 0;
  for (int i = 0; i < t.step_count; ++i) {
    const plan_step& s = t.steps[i];
    if (s.kind != cluster_kind::contraction) continue;
    const product_size size(s, t.accesses[s.first_access], t.extents_pool,
                            [&](extent_value e) ETCH_NOINLINE { return extents.evaluate(e, values); });
    const std::int64_t bytes = Backend::scratch_bytes(s.type, size);
    if (bytes > most) most = bytes;
  }
  return most;
}

/// Of plans that name no extents. Not constant, for then it would take 3.7 kB of each program's file.
inline constinit extent_table no_named_extents;
template <class Plan>
inline constexpr extent_table table_of_extents = Plan::facts.extents;

template <class Plan, class Backend>
void run_plan_in_place(char* const* buffers) {
  Backend::template run_in_place<Plan>(buffers);
}

}  // namespace detail

namespace detail {

template <class Plan, class Backend>
struct interface_address;

template <class Memory>
region_runner* make_region(const call_interface& c, const step_services& services);

/// The plans of call `Number`.
template <class Plan, class Backend, int Number, class Parts>
struct part_table;
template <class Plan, class Backend, int Number, int... Part>
struct part_table<Plan, Backend, Number, std::integer_sequence<int, Part...>> {
  static constexpr const plan_interface* at[sizeof...(Part) + 1] = {
      interface_address<typename Plan::template part<Number, Part>, Backend>::value..., nullptr};
  static constexpr bool draws = (interface_tables<typename Plan::template part<Number, Part>>::value.draws || ...);
  static constexpr bool on_host = (at[Part]->on_host || ...);
};
template <class Plan, class Backend, class Calls>
struct call_table;
template <class Plan, class Backend, int... Number>
struct call_table<Plan, Backend, std::integer_sequence<int, Number...>> {
  template <int N>
  using parts = part_table<Plan, Backend, N, std::make_integer_sequence<int, Plan::template parts<N>>>;
  static constexpr call_interface entry(int number, const plan_interface* const* parts, int part_count) {
    const auto& p = Plan::value;
    for (int i = 0; i < Plan::size.steps; ++i) {
      const plan_step& s = p.steps[i];
      if (s.kind != cluster_kind::call || p.attributes[s.first_attribute + 1] != number) continue;
      const int results = s.attribute_count - call_attributes;
      return {parts, p.attributes + s.first_attribute, part_count, s.access_count - results, results};
    }
    return {};
  }
  static constexpr call_interface at[sizeof...(Number) + 1] = {entry(Number, parts<Number>::at, Plan::template parts<Number>)...,
                                                               {}};
  static constexpr bool draws = (parts<Number>::draws || ...);
  static constexpr bool on_host = (parts<Number>::on_host || ...);
};

}  // namespace detail

template <class Plan, class Backend>
inline constexpr plan_interface interface_of = [] {
  using tables = detail::interface_tables<Plan>;
  using reaches = detail::section_reaches<Plan>;
  constexpr const auto& p = Plan::value;
  constexpr step_tables steps = tables::steps;
  std::int64_t scratch_bytes = -1;
  const extent_table* extents = &detail::no_named_extents;
  if constexpr (Plan::facts.extents.symbol_count() > 0)
    extents = &detail::table_of_extents<Plan>;
  else
    scratch_bytes = detail::scratch_for<Backend>(steps, Plan::facts.extents, nullptr);
  const kernel_function* kernels = nullptr;
  void (*in_place)(char* const*) = nullptr;
  region_runner* (*make_region)(const call_interface&, const step_services&) = nullptr;
  const call_interface* call_entries = nullptr;
  bool draws = tables::value.draws, on_host = tables::value.on_host;
  if constexpr (Plan::calls > 0) {
    using calls = detail::call_table<Plan, Backend, std::make_integer_sequence<int, Plan::calls>>;
    make_region = &detail::make_region<typename Backend::memory>;
    call_entries = calls::at;
    draws = draws || calls::draws;
    on_host = on_host || calls::on_host;
  }
  if constexpr (Backend::template expands<Plan>)
    in_place = &detail::run_plan_in_place<Plan, Backend>;
  else
    kernels = detail::kernel_table<Plan, Backend, std::make_integer_sequence<int, Plan::size.kernels>>::at;
  return plan_interface{steps,
                        kernels,
                        in_place,
                        extents,
                        scratch_bytes,
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
                        draws,
                        on_host,
                        tables::value.denormals,
                        call_entries,
                        Plan::calls,
                        make_region,
                        Backend::template make_blocks<Plan>};
}();

/// What a plan asks of its backend. Where all extents are numbers, scratch memory is one, and no program has what counts it.
template <class Plan, class Backend>
constexpr step_services services_of(const step_sharing& sharing) {
  if constexpr (Plan::facts.extents.symbol_count() > 0)
    return {&detail::scratch_for<Backend>, &detail::run_has_few_elements, sharing};
  else
    return {nullptr, nullptr, sharing};
}

namespace detail {
template <class Plan, class Backend>
struct interface_address {
  static constexpr const plan_interface* value = &interface_of<Plan, Backend>;
};
}  // namespace detail

}  // namespace etch
