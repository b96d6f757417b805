// SPDX-License-Identifier: MIT
#pragma once
#include <etch/session/interface.hpp>
#include <etch/session/signature.hpp>

/// What a plan costs, as constants: `static_assert(etch::plan_of(y, x).workspace_bytes <= 4096)`.
namespace etch {

/// The figures of a plan whose extents are all numbers. For plans with named extents the members that depend on them are
/// functions of their counts, in the order in which the names first appear among the feeds.
template <class Plan, class Backend>
struct plan_report {
  using plan_type = Plan;
  static constexpr int kernel_count = Plan::size.steps;
  /// Nodes after differentiation, and after all passes.
  static constexpr int nodes_before = Plan::value.nodes_before;
  static constexpr int nodes_after = Plan::value.nodes;

  static constexpr bool is_static = Plan::value.extents.symbol_count() == 0;

 protected:
  struct figures {
    std::int64_t workspace_bytes = 0, arena_bytes = 0, flops = 0, intermediate_bytes = 0;
  };
  static constexpr std::int64_t scratch_for(const std::int64_t* values) {
    constexpr const auto& p = Plan::value;
    std::int64_t most = 0;
    for (int i = 0; i < Plan::size.steps; ++i) {
      const plan_step& s = p.steps[i];
      if (s.kind != cluster_kind::contraction) continue;
      const product_size size(s, p.accesses[s.first_access], p.extents_pool,
                              [&](int d) { return p.extents.evaluate(p.extent(s, d), values); });
      const std::int64_t bytes = Backend::scratch_bytes(s.type, size);
      if (bytes > most) most = bytes;
    }
    return most;
  }
  static constexpr figures figures_for(const std::int64_t* values) {
    figures f;
    const arena_layout layout = lay_out(Plan::value.buffers, Plan::size.buffers, Plan::value.extents, values);
    f.arena_bytes = layout.bytes;
    f.workspace_bytes = f.arena_bytes + scratch_for(values);
    f.flops = Plan::value.flops.evaluate(Plan::value.extents, values);
    f.intermediate_bytes = Plan::value.intermediate_bytes.evaluate(Plan::value.extents, values);
    return f;
  }
};

/// Figures as members.
template <class Plan, class Backend>
struct static_plan_report : plan_report<Plan, Backend> {
  /// Bytes of the arena and of the kernels' scratch memory; of the arena alone.
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
    static_assert(sizeof...(Counts) == Plan::value.extents.symbol_count(), "plan: give one count for each named extent");
    const std::int64_t values[] = {static_cast<std::int64_t>(counts)...};
    return plan_report<Plan, Backend>::figures_for(values);
  }
};

namespace detail {
template <class Plan, class Backend>
using report_of = std::conditional_t<Plan::value.extents.symbol_count() == 0, static_plan_report<Plan, Backend>,
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
