// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/computed.hpp>
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
/// own budget of constexpr steps (clang allows 2^20 in one evaluation).
namespace etch {

namespace detail {

/// What the stages find wrong, for whoever reports it.
struct stage_failure {
  gradient_failure gradient;
  effect_failure effects;
};

/// What a stage gives.
template <graph_sizes Capacity>
struct stage_result : frozen_graph<Capacity> {
  stage_failure failure;
};
template <class Stage>
struct graph_maker {
  static constexpr graph_sizes capacity = Stage::capacity;
  template <graph_sizes Capacity>
  static constexpr stage_result<Capacity> attempt() {
    stage_failure failure;
    const graph g = Stage::make(failure);
    return {freeze<Capacity>(g), failure};
  }
};
/// A stage's graph.
template <class Stage>
using kept_graph = computed<graph_maker<Stage>>;

/// Room for a stage's result: `more` nodes, and so much of the rest.
constexpr graph_sizes room_for(const graph_sizes& before, int factor, int more) {
  return {factor * before.nodes + more,
          factor * before.operands + 2 * more,
          factor * before.words + 4 * more,
          before.types + more,
          before.fetches,
          before.assignments};
}

template <hash_t Fetches, hash_t Feeds, variables Mode>
struct flatten_stage {
  using fetches = defined<list_key, Fetches>;
  using feeds = defined<list_key, Feeds>;
  static constexpr graph_sizes capacity = {192, 320, 320, 64, fetches::size};
  static constexpr graph make(stage_failure&) {
    return flatten(fetches::records, fetches::size, feeds::contents, feeds::size, Mode);
  }
};
template <class Before>
struct effects_stage {
  static constexpr graph_sizes capacity = [] {
    graph_sizes room = room_for(kept_graph<Before>::size, 1, 16);
    room.assignments = kept_graph<Before>::size.nodes;
    return room;
  }();
  static constexpr graph make(stage_failure& failure) {
    const graph g = kept_graph<Before>::value.thaw();
    return order_effects(g, failure.effects);
  }
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
  static constexpr graph_sizes before = kept_graph<Before>::size;
  static constexpr graph_sizes capacity = room_for(before, 1, before.fetches + before.assignments + 16);
  static constexpr graph make(stage_failure&) {
    const graph g = kept_graph<Before>::value.thaw();
    return materialise(g);
  }
};

/// The clusters of a graph.
template <class Graph>
struct fused_stage {
  static constexpr int nodes = kept_graph<Graph>::size.nodes;
  static constexpr cluster_sizes capacity = {nodes, nodes / 2 + 16, nodes / 2 + 16, nodes + 16};
  template <cluster_sizes Capacity>
  static constexpr frozen_fusion<Capacity> attempt() {
    graph g = kept_graph<Graph>::value.thaw();
    const fusion f = fuse(g);
    return freeze<Capacity>(g, f);
  }
};

/// Their order.
template <class Graph>
struct ordered_stage {
  using fused = computed<fused_stage<Graph>>;
  static constexpr sequence_sizes capacity = {fused::size.nodes, fused::size.nodes / 4 + 16};
  template <sequence_sizes Capacity>
  static constexpr frozen_sequence<Capacity> attempt() {
    if constexpr (!fused::is_made) return {};
    const graph g = kept_graph<Graph>::value.thaw();
    fusion f = fused::value.thaw();
    const sequence s = order_steps(g, f);
    return freeze<Capacity>(s);
  }
};

/// A plan from clusters. That of a large graph is lowered in parts of so many steps, each an evaluation of its own.
inline constexpr int steps_of_a_part = 192;

template <class Graph, hash_t Feeds>
struct planned_stage {
  using feeds = defined<list_key, Feeds>;
  using fused = computed<fused_stage<Graph>>;
  using ordered = computed<ordered_stage<Graph>>;
  static constexpr int tasks = ordered::size.tasks;
  static constexpr int parts = (tasks + steps_of_a_part - 1) / steps_of_a_part;

  static constexpr plan_sizes capacity(int nodes, int fetches) {
    return {nodes / 2 + 8,  nodes + 16, 2 * nodes + 32, nodes + 16, nodes / 2 + 8,
            4 * nodes + 32, nodes + 32, feeds::size,    nodes,      fetches};
  }

  static constexpr plan make() {
    if constexpr (!is_possible<(parts > 1 ? parts : 0)>()) {
      return {};
    } else if constexpr (parts <= 1) {
      lowering l(fused::value.extents);
      return make_plan(l.g, l.clusters, l.order, feeds::contents, feeds::size);
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
  /// Whether there is what is made from so many parts.
  template <int Parts>
  static constexpr bool is_possible() {
    if constexpr (Parts == 0)
      return fused::is_made && ordered::is_made;
    else
      return computed<lowered_part<Parts - 1>>::is_made;
  }
  template <int Part>
  static constexpr plan lower() {
    const int first = Part * steps_of_a_part, last = Part + 1 == parts ? tasks : first + steps_of_a_part;
    lowering l(extents_before<Part>());
    return make_part(l.g, l.clusters, l.order, feeds::contents, feeds::size, first, last);
  }
  template <int... Part>
  static constexpr plan join(std::integer_sequence<int, Part...>) {
    lowering l(extents_before<parts>());
    return join_parts(l.g, l.clusters, l.order, feeds::contents, feeds::size, computed<lowered_part<Part>>::value...);
  }
  template <int Part>
  static constexpr const extent_table& extents_before() {
    if constexpr (Part == 0)
      return fused::value.extents;
    else
      return computed<lowered_part<Part - 1>>::value.extents;
  }
  /// A part, whose buffers are those of the whole.
  template <int Part>
  struct lowered_part {
    static constexpr plan_sizes capacity = [] {
      plan_sizes r = planned_stage::capacity(kept_graph<Graph>::size.nodes, kept_graph<Graph>::size.fetches);
      r.steps = r.kernels = steps_of_a_part;
      r.accesses = 6 * steps_of_a_part;
      r.extents = 24 * steps_of_a_part;
      r.program_words = 32 * steps_of_a_part;
      r.attributes = 8 * steps_of_a_part;
      return r;
    }();
    template <plan_sizes Capacity>
    static constexpr frozen_plan<Capacity> attempt() {
      if constexpr (!is_possible<Part>()) return {};
      const plan p = lower<Part>();
      return freeze<Capacity>(p, sizes_of(p));
    }
  };
};

template <graph_sizes Capacity>
constexpr bool has_any(op_kind kind, const frozen_graph<Capacity>& g) {
  for (int i = 0; i < g.size.nodes; ++i)
    if (g.nodes[i].op->kind == kind) return true;
  return false;
}
/// Stage of a graph where that has nodes of a kind, else what comes before it.
template <template <class> class Stage, op_kind Kind, class Before>
using stage_if_any = std::conditional_t<has_any(Kind, kept_graph<Before>::value), Stage<Before>, Before>;

}  // namespace detail

/// The stages of one signature: which expressions are fetched, which are fed, as the hashes of lists.
template <hash_t Fetches, hash_t Feeds, variables Mode = variables::are_read>
struct compiled {
  using fetches = defined<list_key, Fetches>;
  using feeds = defined<list_key, Feeds>;
  using flattened = detail::flatten_stage<Fetches, Feeds, Mode>;
  using ordered = detail::stage_if_any<detail::effects_stage, op_kind::effect, flattened>;
  using expanded = detail::stage_if_any<detail::gradient_stage, op_kind::meta, ordered>;
  using simplified = detail::tidy_stage<expanded>;
  using materialised = detail::materialised_stage<simplified>;

  static constexpr gradient_failure failure = detail::kept_graph<expanded>::value.failure.gradient;
  static constexpr effect_failure order_failure = detail::kept_graph<ordered>::value.failure.effects;

 private:
  struct planned {
    using stage = detail::planned_stage<materialised, Feeds>;
    static constexpr plan_sizes capacity =
        stage::capacity(detail::kept_graph<materialised>::size.nodes, defined<list_key, Fetches>::size);
    template <plan_sizes Capacity>
    static constexpr frozen_plan<Capacity> attempt() {
      plan p = stage::make();
      p.nodes_before = detail::kept_graph<expanded>::size.nodes;
      for (int f = 0; f < p.feeds.size(); ++f) p.feeds[f].name = detail::name_in_errors(feeds::records[f]);
      return freeze<Capacity>(p, sizes_of(p));
    }
  };

 public:
  static constexpr plan_sizes size = detail::computed<planned>::size;
  /// In arrays of exactly its size, since programs hold it.
  static constexpr frozen_plan<size> value = freeze<size>(detail::computed<planned>::value, size);
#ifdef ETCH_VERIFY
  static_assert(detail::verify_stages<detail::kept_graph<flattened>, detail::kept_graph<ordered>, detail::kept_graph<expanded>,
                                      detail::kept_graph<simplified>, detail::kept_graph<materialised>, compiled>());
#endif
};

}  // namespace etch
