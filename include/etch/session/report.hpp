// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <etch/ops/regions.hpp>
#include <etch/session/interface.hpp>
#include <etch/session/signature.hpp>

/// What a plan costs, as constants: `static_assert(etch::plan_of(y, x).workspace_bytes <= 4096)`.
namespace etch {

/// The figures of a plan whose extents are all static. For plans with named extents the members that depend on them are functions
/// of their counts, in the order in which the names first appear among the feeds.
template <class Plan, class Backend>
struct plan_report {
  using plan_type = Plan;
  static constexpr int kernel_count = Plan::size.steps;
  /// Nodes after differentiation, and after all passes.
  static constexpr int nodes_before = Plan::facts.nodes_before;
  static constexpr int nodes_after = Plan::facts.nodes;

  static constexpr bool is_static = Plan::facts.extents.symbol_count() == 0;

 protected:
  struct figures {
    std::int64_t workspace_bytes = 0, arena_bytes = 0, flops = 0, intermediate_bytes = 0;
  };
  static constexpr std::int64_t arena_for(const std::int64_t* values) {
    const auto bytes_of = [&](const buffer* buffers) {
      return lay_out(buffers, Plan::size.buffers, Plan::facts.extents, values).bytes;
    };
    if constexpr (Backend::template make_blocks<Plan> != nullptr) {
      // What is too large for any memory is refused by its whole size, before sizes are computed with it.
      if (find_too_large(Plan::value.buffers, Plan::size.buffers, Plan::facts.extents, values) < 0)
        return bytes_of(Backend::template buffers_of<Plan>(interface_of<Plan, Backend>.tables, values).data());
    }
    return bytes_of(Plan::value.buffers);
  }
  static constexpr std::int64_t workspace_for(const std::int64_t* values) {
    return arena_for(values) + detail::scratch_for<Backend>(interface_of<Plan, Backend>.tables, Plan::facts.extents, values) +
           calls_for(values, std::make_integer_sequence<int, Plan::calls>{});
  }
  /// Of what runs sub-graphs one step runs at a time.
  template <int... Number>
  static constexpr std::int64_t calls_for([[maybe_unused]] const std::int64_t* values, std::integer_sequence<int, Number...>) {
    std::int64_t most = 0;
    ((most = std::max(most, call_for<Number>(values, std::make_integer_sequence<int, Plan::template parts<Number>>{}))), ...);
    return most;
  }
  template <int Number, int... Part>
  static constexpr std::int64_t call_for(const std::int64_t* values, std::integer_sequence<int, Part...>) {
    constexpr const auto& p = Plan::value;
    const std::int64_t parts[] = {plan_report<typename Plan::template part<Number, Part>, Backend>::workspace_for(values)...};
    std::int64_t most = 0, all = 0;
    for (const std::int64_t bytes : parts) {
      most = std::max(most, bytes);
      all += bytes;
    }
    const auto* const step = std::find_if(p.steps, p.steps + Plan::size.steps, [&](const plan_step& s) {
      return s.kind == cluster_kind::call && p.attributes[s.first_attribute + 1] == Number;
    });
    const auto kind = static_cast<detail::call_kind>(p.attributes[step->first_attribute]);
    const bool loop = kind == detail::call_kind::loop || kind == detail::call_kind::loop_with_condition;
    return loop ? all + states_for<typename Plan::template part<Number, 0>>(*step, values) : most;
  }
  /// A loop's states go back and forth between two places, of which one is the result's where that is wanted.
  template <class Body>
  static constexpr std::int64_t states_for(const plan_step& s, const std::int64_t* values) {
    const std::int64_t* const attributes = Plan::value.attributes + s.first_attribute;
    std::int64_t bytes = 0;
    for (int state = 0; state < attributes[2]; ++state) {
      const tensor_type& type = Body::value.fetches[state].type;
      std::int64_t of_state = size_of_dtype(type.type);
      for (int i = 0; i < type.rank; ++i) of_state *= Body::facts.extents.evaluate(type.extents[i], values);
      const auto* const results = attributes + call_attributes;
      const bool wanted = std::find(results, attributes + s.attribute_count, state) != attributes + s.attribute_count;
      bytes += (wanted ? 1 : 2) * of_state;
    }
    return bytes;
  }
  template <class, class>
  friend struct plan_report;

  static constexpr figures figures_for(const std::int64_t* values) {
    figures f;
    f.arena_bytes = arena_for(values);
    f.workspace_bytes = workspace_for(values);
    f.flops = Plan::facts.flops.evaluate(Plan::facts.extents, values);
    f.intermediate_bytes = Plan::facts.intermediate_bytes.evaluate(Plan::facts.extents, values);
    return f;
  }
};

/// Figures as members.
template <class Plan, class Backend>
struct static_plan_report : plan_report<Plan, Backend> {
  /// Bytes of the arena, of the kernels' scratch memory and of what runs sub-graphs; of the arena alone.
  static constexpr std::int64_t workspace_bytes = plan_report<Plan, Backend>::figures_for(nullptr).workspace_bytes;
  static constexpr std::int64_t arena_bytes = plan_report<Plan, Backend>::figures_for(nullptr).arena_bytes;
  /// Floating-point operations of one run, each op counted as its `cost` says (add 1, matmul 2, exp 10).
  static constexpr std::int64_t flops = plan_report<Plan, Backend>::figures_for(nullptr).flops;
  /// Bytes that all nodes' values would take, each in memory of its own.
  static constexpr std::int64_t intermediate_bytes = plan_report<Plan, Backend>::figures_for(nullptr).intermediate_bytes;
};

/// Figures as functions: `plan_of(y, x).workspace_bytes(50)`.
template <class Plan, class Backend>
struct named_plan_report : plan_report<Plan, Backend> {
  template <class... Counts>
  static constexpr std::int64_t workspace_bytes(Counts... counts) {
    return at(counts...).workspace_bytes;
  }
  template <class... Counts>
  static constexpr std::int64_t arena_bytes(Counts... counts) {
    return at(counts...).arena_bytes;
  }
  template <class... Counts>
  static constexpr std::int64_t flops(Counts... counts) {
    return at(counts...).flops;
  }
  template <class... Counts>
  static constexpr std::int64_t intermediate_bytes(Counts... counts) {
    return at(counts...).intermediate_bytes;
  }

 private:
  template <class... Counts>
  static constexpr auto at(Counts... counts) {
    static_assert(sizeof...(Counts) == Plan::facts.extents.symbol_count(), "plan: give one count for each named extent");
    const std::int64_t values[] = {static_cast<std::int64_t>(counts)...};
    return plan_report<Plan, Backend>::figures_for(values);
  }
};

namespace detail {
template <class Plan, class Backend>
using report_of = std::conditional_t<Plan::facts.extents.symbol_count() == 0, static_plan_report<Plan, Backend>,
                                     named_plan_report<Plan, Backend>>;

template <class Backend, class... E, class... B>
constexpr auto plan_for(type_list<E...>, type_list<B...>) {
  constexpr hash_t fetches = list_of<E::hash...>, fed = list_of<B::hash...>;
  using Plan = compiled<typename Backend::target, fetches, fed>;
  return report_of<Plan, Backend>{};
}

template <class Backend, class... F, class Feeds>
constexpr auto plan_for_leaves(type_list<F...>, Feeds feeds) {
  return plan_for<Backend>(typename fetched_members<F...>::leaves{}, feeds);
}

/// Placeholders among the arguments are feeds, all else is fetched. By the op, since nvcc does not match a specialisation for
/// `placeholder<N, T, D...>`.
template <class E>
inline constexpr bool is_placeholder = record_of<E::hash>().op->role == op_role::placeholder;
template <class F>
  requires(!expression<F>)
inline constexpr bool is_placeholder<F> = false;

template <class... A>
struct split_placeholders {
  using fetches = chosen_types<type_list<A...>, !is_placeholder<A>...>;
  using feeds = chosen_types<type_list<A...>, is_placeholder<A>...>;
};
}  // namespace detail

}  // namespace etch
