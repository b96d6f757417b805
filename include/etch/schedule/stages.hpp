// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/computed.hpp>
#include <etch/graph/flatten.hpp>
#include <etch/passes/gradient.hpp>
#include <etch/passes/materialise.hpp>
#include <etch/passes/narrow_products.hpp>
#include <etch/passes/sink_transposes.hpp>
#include <etch/passes/sparse_updates.hpp>
#include <etch/passes/split_index_sets.hpp>
#include <etch/passes/order_effects.hpp>
#include <etch/passes/simplify.hpp>

/// The graphs that a compilation goes through, as constants. Each stage is a constant of its own, so that each has its own budget of
/// constexpr steps (clang allows 2^20 in one evaluation).
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

  constexpr stage_result() = default;
  constexpr stage_result(const graph& g, const stage_failure& f) : frozen_graph<Capacity>(g), failure(f) {}
};
/// What a pass gives is held by no local variable where templates compute constants: clang evaluates the initialiser of one that has a
/// destructor a second time, to see whether it is constant (a fifth of what a compilation took).
template <class Stage>
struct graph_maker {
  static constexpr graph_sizes capacity = Stage::capacity;
  template <graph_sizes Capacity>
  static constexpr stage_result<Capacity> attempt() {
    stage_failure failure;
    return {Stage::make(failure), failure};
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
          before.assignments,
          before.bodies == 0 ? 0 : factor * before.bodies + 16,
          before.results == 0 ? 0 : factor * before.results + 2 * more};
}

/// Of a graph that is part of another and may fetch any of its nodes.
constexpr graph_sizes room_for_part(const graph_sizes& whole) {
  graph_sizes room = room_for(whole, 1, 16);
  room.fetches = whole.nodes;
  return room;
}

template <graph_sizes Capacity>
constexpr bool has_any(op_kind kind, const frozen_graph<Capacity>& g) {
  for (int i = 0; i < g.size.nodes; ++i)
    if (g.nodes[i].op->kind == kind) return true;
  return false;
}
/// What passes do with the loops and branches of a stage's graph.
template <class Before>
using regions_of = std::conditional_t<has_any(op_kind::region, kept_graph<Before>::value), all_regions, no_regions>;

template <hash_t Fetches, hash_t Feeds, variables Mode>
struct flatten_stage {
  using fetches = defined<list_key, Fetches>;
  using feeds = defined<list_key, Feeds>;
  static constexpr graph_sizes capacity = {448, 768, 384, 64, fetches::size};
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
    if constexpr (has_any(op_kind::region, kept_graph<Before>::value))
      return order_effects(regions_of<Before>::lift_effects(kept_graph<Before>::value.thaw(), failure.effects), failure.effects);
    else
      return order_effects(kept_graph<Before>::value.thaw(), failure.effects);
  }
};
/// Regions have bodies from here on.
template <class Before>
struct nested_stage {
  static constexpr graph_sizes capacity = [] {
    graph_sizes room = room_for(kept_graph<Before>::size, 1, 32);
    room.bodies = 32;
    room.results = 96;
    return room;
  }();
  static constexpr graph make(stage_failure&) { return regions_of<Before>::nest(kept_graph<Before>::value.thaw()); }
};
/// How often gradients are taken of gradients.
template <graph_sizes Capacity>
constexpr int order_of_gradients(const frozen_graph<Capacity>& g) {
  int order_at[Capacity.nodes + 1]{}, most = 0;
  for (int i = 0; i < g.size.nodes; ++i) {
    for (int k = 0; k < g.nodes[i].count; ++k) {
      const int order = order_at[g.operands_of(i)[k]];
      if (order > order_at[i]) order_at[i] = order;
    }
    if (g.nodes[i].op->role == op_role::gradient) ++order_at[i];
    if (order_at[i] > most) most = order_at[i];
  }
  return most;
}
template <class Before>
struct gradient_stage {
  /// A sweep is two to three times what it goes through.
  static constexpr graph_sizes capacity =
      room_for(kept_graph<Before>::size, order_of_gradients(kept_graph<Before>::value) < 2 ? 4 : 9, 64);
  static constexpr graph make(stage_failure& failure) {
    return expand_gradients<regions_of<Before>>(kept_graph<Before>::value.thaw(), failure.gradient);
  }
};
template <class Before>
struct tidy_stage {
  static constexpr bool has_regions = has_any(op_kind::region, kept_graph<Before>::value);
  /// Gradients of convolutions with strides become convolutions of phases, with eight words each.
  static constexpr graph_sizes capacity = [] {
    graph_sizes room = room_for(kept_graph<Before>::size, has_regions ? 2 : 1, 16);
    room.words += 256;
    return room;
  }();
  static constexpr graph make(stage_failure&) {
    if constexpr (has_regions)
      return regions_of<Before>::tidy(kept_graph<Before>::value.thaw());
    else
      return tidy(kept_graph<Before>::value.thaw());
  }
};
template <class Before>
struct sparse_stage {
  static constexpr graph_sizes capacity = room_for(kept_graph<Before>::size, 1, 16);
  static constexpr graph make(stage_failure&) { return sum_sparse_updates(kept_graph<Before>::value.thaw()); }
};
template <class Before>
using sparse_if_any = std::conditional_t<may_have_sparse_sums(kept_graph<Before>::value), sparse_stage<Before>, Before>;
template <class Before>
struct sunk_stage {
  static constexpr graph_sizes capacity = room_for(kept_graph<Before>::size, 1, 32);
  static constexpr graph make(stage_failure&) { return sink_transposes(kept_graph<Before>::value.thaw()); }
};
template <class Before>
using sunk_if_any = std::conditional_t<may_sink_transposes(kept_graph<Before>::value), sunk_stage<Before>, Before>;
template <class Before>
struct split_stage {
  static constexpr graph_sizes capacity = room_for(kept_graph<Before>::size, 4, 64);
  static constexpr graph make(stage_failure&) { return split_index_sets(kept_graph<Before>::value.thaw()); }
};
template <class Before>
using split_if_any = std::conditional_t<may_split_index_sets(kept_graph<Before>::value), split_stage<Before>, Before>;
template <class Before>
struct materialised_stage {
  static constexpr graph_sizes before = kept_graph<Before>::size;
  static constexpr graph_sizes capacity = room_for(before, 1, before.fetches + before.assignments + 16);
  static constexpr graph make(stage_failure&) { return materialise(kept_graph<Before>::value.thaw()); }
};

/// Target: what has a `description`, of a backend.
template <class Before, class Target>
struct narrowed_stage {
  static constexpr graph_sizes capacity = room_for(kept_graph<Before>::size, 1, 16);
  static constexpr graph make(stage_failure&) {
    return read_narrow_operands<widening_matmul>(kept_graph<Before>::value.thaw(), Target::description.narrow);
  }
};
template <class Before, class Target>
using narrowed_if_any = std::conditional_t<may_have_narrow_products(kept_graph<Before>::value, Target::description.narrow),
                                           narrowed_stage<Before, Target>, Before>;

/// What passes do with the calls of functions: all_regions, by name, since a graph that has some has included it.
template <class Before>
using functions_of = std::conditional_t<(kept_graph<Before>::value.groups > 0), all_regions, no_regions>;

template <class Before>
struct outlined_stage {
  static constexpr graph_sizes capacity = room_for(kept_graph<Before>::size, 1, 16);
  static constexpr graph make(stage_failure&) {
    return functions_of<Before>::with_function_calls(kept_graph<Before>::value.thaw());
  }
};
template <class Before, int Number>
struct function_stage {
  static constexpr graph_sizes capacity = room_for_part(kept_graph<Before>::size);
  static constexpr graph make(stage_failure&) {
    return functions_of<Before>::function_part(kept_graph<Before>::value.thaw(), Number);
  }
};
template <class Before>
struct outer_stage {
  static constexpr graph_sizes capacity = room_for(kept_graph<Before>::size, 2, 16);
  static constexpr graph make(stage_failure&) { return regions_of<Before>::without_regions(kept_graph<Before>::value.thaw()); }
};
template <class Before, int Number, int Part>
struct region_stage {
  static constexpr graph_sizes capacity = room_for_part(kept_graph<Before>::size);
  static constexpr graph make(stage_failure&) { return regions_of<Before>::part(kept_graph<Before>::value.thaw(), Number, Part); }
};
/// The feeds of a signature, by a short name.
template <hash_t Feeds>
struct listed_feeds {
  static constexpr int size = defined<list_key, Feeds>::size;
  static constexpr const hash_t* contents = defined<list_key, Feeds>::contents;
  static constexpr const record* const* records = defined<list_key, Feeds>::records;
};
/// The feeds of a sub-graph: the operands of its call, by number.
template <class Region>
struct region_feeds {
  static constexpr int size = [] {
    int last = 0;
    for (int n = 0; n < kept_graph<Region>::size.nodes; ++n) {
      const node& d = kept_graph<Region>::value.nodes[n];
      if (d.op->role == op_role::placeholder && static_cast<int>(d.content) > last) last = static_cast<int>(d.content);
    }
    return last;
  }();
  struct numbers {
    hash_t at[size + 1]{};
  };
  static constexpr numbers all = [] {
    numbers r;
    for (int i = 0; i < size; ++i) r.at[i] = static_cast<hash_t>(i + 1);
    return r;
  }();
  static constexpr const hash_t* contents = all.at;
};

}  // namespace detail

}  // namespace etch
