// SPDX-License-Identifier: MIT
#pragma once
#include <etch/schedule/clustered.hpp>
#include <etch/schedule/schedule.hpp>
#include <etch/schedule/stages.hpp>
#ifdef ETCH_VERIFY
#include <etch/schedule/verified.hpp>
#endif

/// From expressions to a plan, as constants: the order of the passes.
namespace etch {

namespace detail {

/// The clusters of a graph. Target: what has a `description`, of a backend.
template <class Graph, class Target>
struct fused_stage {
  static constexpr int nodes = kept_graph<Graph>::size.nodes;
  static constexpr cluster_sizes capacity = {nodes, nodes / 2 + 16, nodes / 2 + 16, nodes + 16};
  template <cluster_sizes Capacity>
  static constexpr frozen_fusion<Capacity> attempt() {
    graph g = kept_graph<Graph>::value.thaw();
    const fusion f = fuse(g, Target::description);
    return {g, f};
  }
};

/// Their order.
template <class Graph, class Target>
struct ordered_stage {
  using fused = computed<fused_stage<Graph, Target>>;
  static constexpr sequence_sizes capacity = {fused::size.nodes, fused::size.nodes / 2 + 32};
  template <sequence_sizes Capacity>
  static constexpr frozen_sequence<Capacity> attempt() {
    if constexpr (!fused::is_made) return {};
    const graph g = kept_graph<Graph>::value.thaw();
    fusion f = fused::value.thaw();
    const sequence s = order_steps(g, f);
    return frozen_sequence<Capacity>(s);
  }
};

/// A plan from clusters. That of a large graph is lowered in parts of about this cost, each an evaluation of its own: the most that takes
/// 0.85 of the 2^20 constexpr steps that clang allows in one. Lowering a task costs six times what each of its nodes adds (callgrind, of
/// recurrent, attention and convolutional networks).
inline constexpr int cost_of_a_part = 2800;

template <class Graph, class Feeds, class Target>
struct planned_stage {
  using feeds = Feeds;
  using fused = computed<fused_stage<Graph, Target>>;
  using ordered = computed<ordered_stage<Graph, Target>>;
  static constexpr int tasks = ordered::size.tasks;
  static constexpr int wanted_parts = (kept_graph<Graph>::size.nodes + 6 * tasks) / cost_of_a_part + 1;
  static constexpr int parts = wanted_parts <= tasks ? wanted_parts : tasks > 0 ? tasks : 1;
  static constexpr int steps_of_a_part = (tasks + parts - 1) / parts;

  /// A convolution's nest and its operands' strides are 24 extents.
  static constexpr plan_sizes capacity(int nodes, int fetches) {
    return {nodes / 2 + 24,  nodes + nodes / 2 + 16,
            12 * nodes + 48, nodes + 16,
            nodes / 2 + 8,   4 * nodes + 32,
            nodes + 32,      feeds::size,
            nodes,           fetches};
  }

  static constexpr plan make() {
    if constexpr (!is_possible<(parts > 1 ? parts : 0)>()) {
      return {};
    } else if constexpr (parts == 1) {
      return lowering(fused::value.extents).whole();
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
    constexpr plan whole() { return make_plan(g, clusters, order, Target::description, feeds::contents, feeds::size); }
    constexpr plan part(int first, int last) {
      return make_part(g, clusters, order, Target::description, feeds::contents, feeds::size, first, last);
    }
    template <class... Part>
    constexpr plan joined(const Part&... made) {
      return join_parts(g, clusters, order, Target::description, feeds::contents, feeds::size, made...);
    }
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
    const int first = Part * steps_of_a_part, last = first + steps_of_a_part;
    return lowering(extents_before<Part>()).part(first < tasks ? first : tasks, last < tasks ? last : tasks);
  }
  template <int... Part>
  static constexpr plan join(std::integer_sequence<int, Part...>) {
    return lowering(extents_before<parts>()).joined(computed<lowered_part<Part>>::value...);
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
      if constexpr (!is_possible<Part>())
        return {};
      else
        return frozen_plan<Capacity>(lower<Part>());
    }
  };
};

/// Stage of a graph where that has nodes of a kind, else what comes before it.
template <template <class> class Stage, op_kind Kind, class Before>
using stage_if_any = std::conditional_t<has_any(Kind, kept_graph<Before>::value), Stage<Before>, Before>;

template <class Simplified, int Number, int Part, class Target>
struct region_plan;
template <class Simplified, int Number, class Target>
struct function_plan;

/// A graph in which equal calls of functions are calls, where it may have some.
template <class Before>
using outlined_if_any = std::conditional_t<(kept_graph<Before>::value.groups > 1), outlined_stage<Before>, Before>;

/// An attribute of a call of a graph.
template <class Graph>
constexpr std::int64_t call_attribute(int number, int attribute) {
  for (int n = 0; n < kept_graph<Graph>::size.nodes; ++n) {
    if (kept_graph<Graph>::value.nodes[n].op->role != op_role::call) continue;
    const std::int64_t* const w = kept_graph<Graph>::value.words_of(n);
    if (w[1] == number) return w[attribute];
  }
  return 0;
}
template <class Graph>
constexpr int count_calls() {
  int count = 0;
  for (int n = 0; n < kept_graph<Graph>::size.nodes; ++n)
    if (kept_graph<Graph>::value.nodes[n].op->role == op_role::call) ++count;
  return count;
}

/// A feed whose elements nobody reads has a type where its extents are those of something else, as in the gradient of a sum.
constexpr void bind_by_extents_only(plan& p, port& feed, const record& r) {
  const int known = p.extents.symbol_count();
  extent_table extents = p.extents;
  const tensor_type type = r.shape(extents, r.type);
  for (int i = 0; i < type.rank; ++i) {
    const int s = extents.symbol_index(type.extents[i]);
    if (s < 0 || s >= known || extents.exhausted()) continue;
    p.extents = extents;
    feed.type = type;
  }
}

/// From a graph of which only what is needed is left to its plan. Before: where it comes from, for figures.
template <class Before, class Simplified, class Feeds, class Target>
struct planned_graph {
  using outlined = outlined_if_any<Simplified>;
  using outer = stage_if_any<outer_stage, op_kind::region, outlined>;
  using materialised = narrowed_if_any<materialised_stage<split_if_any<sunk_if_any<sparse_if_any<outer>>>>, Target>;

 private:
  static constexpr int functions = count_calls<outlined>();
  template <int Number>
  struct of_function {
    using type = function_plan<Simplified, static_cast<int>(call_attribute<outlined>(Number, 2)), Target>;
  };
  template <int Number, int Part>
  struct of_region {
    using type = region_plan<outlined, Number, Part, Target>;
  };
  struct planned {
    using stage = planned_stage<materialised, Feeds, Target>;
    static constexpr plan_sizes capacity = stage::capacity(kept_graph<materialised>::size.nodes, kept_graph<outer>::size.fetches);
    template <plan_sizes Capacity>
    static constexpr frozen_plan<Capacity> attempt() {
      return described<Capacity>(stage::make());
    }
    template <plan_sizes Capacity>
    static constexpr frozen_plan<Capacity> described(plan p) {
      p.nodes_before = kept_graph<Before>::size.nodes;
      if constexpr (requires { Feeds::records; })
        for (int f = 0; f < p.feeds.size(); ++f) {
          p.feeds[f].name = name_in_errors(Feeds::records[f]);
          if (p.feeds[f].buffer < 0) bind_by_extents_only(p, p.feeds[f], *Feeds::records[f]);
        }
      return frozen_plan<Capacity>(p);
    }
  };

 public:
  static constexpr plan_sizes size = computed<planned>::size;
  /// In arrays of exactly its size, since programs hold it.
  static constexpr plan_tables<size> value{size, computed<planned>::value};
  static constexpr const plan_facts& facts = computed<planned>::value;

  /// How many functions, loops and branches it calls.
  static constexpr int calls = count_calls<outer>();
  /// How many plans a call runs.
  template <int Number>
  static constexpr int parts = static_cast<int>(call_attribute<outer>(Number, call_attributes - 1));
  /// Calls of functions come first. Those of equal sub-graphs have one plan, that of the first of them.
  template <int Number, int Part>
  using part = typename std::conditional_t<(Number < functions), of_function<Number>, of_region<Number - functions, Part>>::type;
};

/// The plan of a sub-graph. A name of its own, else that of a loop in a loop would contain the outer one's twice.
template <class Simplified, int Number, int Part, class Target>
struct region_plan : planned_graph<region_stage<Simplified, Number, Part>, region_stage<Simplified, Number, Part>,
                                   region_feeds<region_stage<Simplified, Number, Part>>, Target> {};
template <class Simplified, int Number, class Target>
struct function_plan : planned_graph<function_stage<Simplified, Number>, function_stage<Simplified, Number>,
                                     region_feeds<function_stage<Simplified, Number>>, Target> {};

}  // namespace detail

/// The stages of one signature: which expressions are fetched, which are fed, as the hashes of lists.
template <hash_t Fetches, hash_t Feeds, variables Mode = variables::are_read>
struct compiled_stages {
  using fetches = defined<list_key, Fetches>;
  using feeds = defined<list_key, Feeds>;
  using flattened = detail::flatten_stage<Fetches, Feeds, Mode>;
  using ordered = detail::stage_if_any<detail::effects_stage, op_kind::effect, flattened>;
  using nested = detail::stage_if_any<detail::nested_stage, op_kind::region, ordered>;
  using expanded = detail::stage_if_any<detail::gradient_stage, op_kind::meta, nested>;
  using simplified = detail::tidy_stage<expanded>;

  static constexpr gradient_failure failure = detail::kept_graph<expanded>::value.failure.gradient;
  static constexpr effect_failure order_failure = detail::kept_graph<ordered>::value.failure.effects;
};

/// Their plan for a backend's target.
template <class Target, hash_t Fetches, hash_t Feeds, variables Mode = variables::are_read>
struct compiled
    : compiled_stages<Fetches, Feeds, Mode>,
      detail::planned_graph<typename compiled_stages<Fetches, Feeds, Mode>::expanded,
                            typename compiled_stages<Fetches, Feeds, Mode>::simplified, detail::listed_feeds<Feeds>, Target> {
#ifdef ETCH_VERIFY
  using stages = compiled_stages<Fetches, Feeds, Mode>;
  static_assert(detail::verify_stages<
                Target, detail::kept_graph<typename stages::flattened>, detail::kept_graph<typename stages::ordered>,
                detail::kept_graph<typename stages::nested>, detail::kept_graph<typename stages::expanded>,
                detail::kept_graph<typename stages::simplified>, detail::kept_graph<typename compiled::materialised>, compiled>());
#endif
};

}  // namespace etch
