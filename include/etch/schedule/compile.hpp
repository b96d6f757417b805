// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/flatten.hpp>
#include <etch/passes/gradient.hpp>
#include <etch/passes/materialise.hpp>
#include <etch/passes/order_effects.hpp>
#include <etch/passes/simplify.hpp>
#include <etch/schedule/clustered.hpp>
#include <etch/schedule/schedule.hpp>
#ifdef ETCH_VERIFY
#include <etch/schedule/verified.hpp>
#endif

/// From expressions to a plan, as constants: the order of the passes. Each stage is a constant of its own, so that each has its
/// own budget of constexpr steps (clang allows 2^20 in one evaluation). Where a graph is too large for that, the name of the constant is
/// on the first line of clang's error, which says no flag itself; g++ names its own, -fconstexpr-ops-limit.
namespace etch {

namespace detail {

/// What the stages find wrong, for whoever reports it.
struct stage_failure {
  gradient_failure gradient;
  effect_failure effects;
};

/// What a stage gives, in arrays that are probably large enough: the size is known only when it has been made, and most
/// stages cost more than copying their result.
template <graph_sizes Capacity>
struct stage_result {
  frozen_graph<Capacity> value;
  stage_failure failure;
};
template <class Stage, graph_sizes Capacity>
constexpr stage_result<Capacity> run_stage() {
  stage_result<Capacity> r;
  const graph g = Stage::make(r.failure);
  r.value = freeze<Capacity>(g);
  return r;
}

/// A stage's graph as a constant; where the arrays were too small, it is made again.
template <class Stage>
struct kept_graph {
 private:
  static constexpr auto made_within_the_limit_of_fconstexpr_steps = run_stage<Stage, Stage::capacity>();
  template <graph_sizes Size>
  static constexpr auto again = run_stage<Stage, Size>();

 public:
  static constexpr graph_sizes size = made_within_the_limit_of_fconstexpr_steps.value.size;
  static constexpr stage_failure failure = made_within_the_limit_of_fconstexpr_steps.failure;
  static constexpr const auto& value = []() -> const auto& {
    if constexpr (size.fit(Stage::capacity))
      return made_within_the_limit_of_fconstexpr_steps.value;
    else
      return again<size>.value;
  }();
};

/// Room for a stage's result: `more` nodes, and so much of the rest.
constexpr graph_sizes room_for(const graph_sizes& before, int factor, int more) {
  return {factor * before.nodes + more, factor * before.operands + 2 * more, factor * before.words + 4 * more, before.types + more,
          before.fetches};
}

template <hash_t Fetches, hash_t Feeds, variables Mode>
struct flatten_stage {
  using fetches = defined<list_key, Fetches>;
  using feeds = defined<list_key, Feeds>;
  static constexpr graph_sizes capacity = {192, 320, 320, 64, fetches::size};
  static constexpr graph make(stage_failure&) { return flatten(fetches::records, fetches::size, feeds::at, feeds::size, Mode); }
};
template <class Before>
struct gradient_stage {
  static constexpr graph_sizes capacity = room_for(kept_graph<Before>::size, 3, 64);
  static constexpr graph make(stage_failure& failure) {
    const graph g = kept_graph<Before>::value.thaw();
    return expand_gradients(g, failure.gradient);
  }
};
template <class Before>
struct tidy_stage {
  static constexpr graph_sizes capacity = room_for(kept_graph<Before>::size, 1, 16);
  static constexpr graph make(stage_failure&) {
    const graph g = kept_graph<Before>::value.thaw();
    return tidy(g);
  }
};
template <class Before>
struct materialised_stage {
  static constexpr graph_sizes capacity = room_for(kept_graph<Before>::size, 1, kept_graph<Before>::size.fetches + 16);
  static constexpr graph make(stage_failure& failure) {
    const graph g = kept_graph<Before>::value.thaw();
    const graph ordered = order_effects(g, failure.effects);
    return materialise(ordered);
  }
};

/// The clusters of a graph.
template <class Graph>
struct fused_stage {
 private:
  template <cluster_sizes Capacity>
  static constexpr frozen_fusion<Capacity> attempt() {
    graph g = kept_graph<Graph>::value.thaw();
    const fusion f = fuse(g);
    return freeze<Capacity>(g, f);
  }
  static constexpr int nodes = kept_graph<Graph>::size.nodes;
  static constexpr cluster_sizes capacity = {nodes, nodes / 2 + 16, nodes / 2 + 16, nodes + 16};
  static constexpr frozen_fusion<capacity> made_within_the_limit_of_fconstexpr_steps = attempt<capacity>();
  template <cluster_sizes Size>
  static constexpr frozen_fusion<Size> again = attempt<Size>();

 public:
  static constexpr const auto& value = []() -> const auto& {
    if constexpr (made_within_the_limit_of_fconstexpr_steps.size.fit(capacity))
      return made_within_the_limit_of_fconstexpr_steps;
    else
      return again<made_within_the_limit_of_fconstexpr_steps.size>;
  }();
};

/// Their order.
template <class Graph>
struct ordered_stage {
 private:
  static constexpr int nodes = kept_graph<Graph>::size.nodes, capacity = nodes / 4 + 16;
  template <int Tasks>
  static constexpr frozen_sequence<nodes, Tasks> attempt() {
    const graph g = kept_graph<Graph>::value.thaw();
    fusion f = fused_stage<Graph>::value.thaw();
    const sequence s = order_steps(g, f);
    return freeze<nodes, Tasks>(s);
  }
  static constexpr frozen_sequence<nodes, capacity> made_within_the_limit_of_fconstexpr_steps = attempt<capacity>();
  template <int Tasks>
  static constexpr frozen_sequence<nodes, Tasks> again = attempt<Tasks>();

 public:
  static constexpr int tasks = made_within_the_limit_of_fconstexpr_steps.task_count;
  static constexpr const auto& value = []() -> const auto& {
    if constexpr (tasks <= capacity)
      return made_within_the_limit_of_fconstexpr_steps;
    else
      return again<tasks>;
  }();
};

/// A plan from clusters. That of a large graph is lowered in parts of so many steps, each an evaluation of its own.
inline constexpr int steps_of_a_part = 192;

template <class Graph, hash_t Feeds>
struct planned_stage {
  using feeds = defined<list_key, Feeds>;
  using fused = fused_stage<Graph>;
  using ordered = ordered_stage<Graph>;
  static constexpr int tasks = ordered::tasks;
  static constexpr int parts = (tasks + steps_of_a_part - 1) / steps_of_a_part;

  static constexpr plan_sizes capacity(int nodes, int fetches) {
    return {nodes / 2 + 8,  nodes + 16, 2 * nodes + 32, nodes + 16, nodes / 2 + 8,
            4 * nodes + 32, nodes + 32, feeds::size,    nodes,      fetches};
  }

  static constexpr plan make() {
    if constexpr (parts <= 1) {
      lowering l(fused::value.extents);
      return make_plan(l.g, l.clusters, l.order, feeds::at, feeds::size);
    } else {
      return join(std::make_integer_sequence<int, parts>{});
    }
  }

 private:
  /// What a plan is made from, with the extents that there are by then: lowering may add some.
  struct lowering {
    graph g = kept_graph<Graph>::value.thaw();
    fusion clusters = fused::value.thaw();
    sequence order = ordered::value.thaw();
    constexpr explicit lowering(const extent_table& extents) { g.extents = extents; }
  };
  template <int Part>
  static constexpr plan lower() {
    const int first = Part * steps_of_a_part, last = Part + 1 == parts ? tasks : first + steps_of_a_part;
    lowering l(extents_before<Part>());
    return make_part(l.g, l.clusters, l.order, feeds::at, feeds::size, first, last);
  }
  template <int... Part>
  static constexpr plan join(std::integer_sequence<int, Part...>) {
    lowering l(extents_before<parts>());
    return join_parts(l.g, l.clusters, l.order, feeds::at, feeds::size, kept<Part>()...);
  }
  template <int Part>
  static constexpr const extent_table& extents_before() {
    if constexpr (Part == 0)
      return fused::value.extents;
    else
      return kept<Part - 1>().extents;
  }
  template <int Part, plan_sizes Capacity>
  static constexpr frozen_plan<Capacity> attempt() {
    const plan p = lower<Part>();
    return freeze<Capacity>(p, sizes_of(p));
  }
  /// Of a part, whose buffers are those of the whole.
  static constexpr plan_sizes room = [] {
    plan_sizes r = capacity(kept_graph<Graph>::size.nodes, kept_graph<Graph>::size.fetches);
    r.steps = r.kernels = steps_of_a_part;
    r.accesses = 6 * steps_of_a_part;
    r.extents = 24 * steps_of_a_part;
    r.program_words = 32 * steps_of_a_part;
    r.attributes = 8 * steps_of_a_part;
    return r;
  }();
  template <int Part>
  static constexpr auto made_within_the_limit_of_fconstexpr_steps = attempt<Part, room>();
  template <int Part, plan_sizes Size>
  static constexpr auto again = attempt<Part, Size>();
  template <int Part>
  static constexpr const auto& kept() {
    if constexpr (made_within_the_limit_of_fconstexpr_steps<Part>.size.fit(room))
      return made_within_the_limit_of_fconstexpr_steps<Part>;
    else
      return again<Part, made_within_the_limit_of_fconstexpr_steps<Part>.size>;
  }
};

template <graph_sizes Capacity>
constexpr bool has_gradients(const frozen_graph<Capacity>& g) {
  for (int i = 0; i < g.size.nodes; ++i)
    if (g.nodes[i].op->role == op_role::gradient) return true;
  return false;
}

}  // namespace detail

/// The stages of one signature: which expressions are fetched, which are fed, as the hashes of lists.
template <hash_t Fetches, hash_t Feeds, variables Mode = variables::are_read>
struct compiled {
  using flattened = detail::flatten_stage<Fetches, Feeds, Mode>;
  static constexpr bool differentiates = detail::has_gradients(detail::kept_graph<flattened>::value);
  using expanded = std::conditional_t<differentiates, detail::gradient_stage<flattened>, flattened>;
  using simplified = detail::tidy_stage<expanded>;
  using materialised = detail::materialised_stage<simplified>;

  static constexpr gradient_failure failure = detail::kept_graph<expanded>::failure.gradient;
  static constexpr effect_failure order_failure = detail::kept_graph<materialised>::failure.effects;

 private:
  using planned = detail::planned_stage<materialised, Feeds>;
  static constexpr plan make() {
    plan p = planned::make();
    p.nodes_before = detail::kept_graph<expanded>::size.nodes;
    return p;
  }
  /// As with graphs: first in arrays that are probably large enough.
  static constexpr plan_sizes capacity =
      planned::capacity(detail::kept_graph<materialised>::size.nodes, defined<list_key, Fetches>::size);
  template <plan_sizes Capacity>
  static constexpr frozen_plan<Capacity> attempt() {
    const plan p = make();
    return freeze<Capacity>(p, sizes_of(p));
  }
  static constexpr frozen_plan<capacity> made_within_the_limit_of_fconstexpr_steps = attempt<capacity>();

 public:
  static constexpr plan_sizes size = made_within_the_limit_of_fconstexpr_steps.size;
  /// In arrays of exactly its size, since programs hold it.
  static constexpr frozen_plan<size> value = [] {
    if constexpr (size.fit(capacity))
      return freeze<size>(made_within_the_limit_of_fconstexpr_steps, size);
    else
      return attempt<size>();
  }();
#ifdef ETCH_VERIFY
  static_assert(detail::verify_stages<detail::kept_graph<flattened>, detail::kept_graph<expanded>, detail::kept_graph<simplified>,
                                      detail::kept_graph<materialised>, compiled>());
#endif
};

}  // namespace etch
