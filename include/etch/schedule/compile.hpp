// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/flatten.hpp>
#include <etch/passes/gradient.hpp>
#include <etch/passes/materialise.hpp>
#include <etch/passes/order_effects.hpp>
#include <etch/passes/simplify.hpp>
#include <etch/schedule/schedule.hpp>
#ifdef ETCH_VERIFY
#include <etch/schedule/verified.hpp>
#endif

/// From expressions to a plan, as constants: the order of the passes. Each stage is a constant of its own, so that each has its
/// own budget of constexpr steps (clang allows 2^20 in one evaluation).
namespace etch {

template <hash_t... Hashes>
struct hash_list {};

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
  static constexpr auto attempted = run_stage<Stage, Stage::capacity>();
  template <graph_sizes Size>
  static constexpr auto again = run_stage<Stage, Size>();

 public:
  static constexpr graph_sizes size = attempted.value.size;
  static constexpr stage_failure failure = attempted.failure;
  static constexpr const auto& value = []() -> const auto& {
    if constexpr (size.fit(Stage::capacity))
      return attempted.value;
    else
      return again<size>.value;
  }();
};

/// Room for a stage's result: `more` nodes, and so much of the rest.
constexpr graph_sizes room_for(const graph_sizes& before, int factor, int more) {
  return {factor * before.nodes + more, factor * before.operands + 2 * more, factor * before.words + 4 * more,
          before.types + more, before.fetches};
}

template <class Fetches, class Feeds, variables Mode>
struct flatten_stage;
template <hash_t... Fetch, hash_t... Feed, variables Mode>
struct flatten_stage<hash_list<Fetch...>, hash_list<Feed...>, Mode> {
  static constexpr graph_sizes capacity = {192, 320, 320, 64, sizeof...(Fetch)};
  static constexpr graph make(stage_failure&) {
    const record* const fetches[] = {record_address<Fetch>..., nullptr};
    const hash_t fed[] = {Feed..., 0};
    return flatten(fetches, sizeof...(Fetch), fed, sizeof...(Feed), Mode);
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
  static constexpr graph_sizes capacity = room_for(kept_graph<Before>::size, 1, kept_graph<Before>::size.fetches + 16);
  static constexpr graph make(stage_failure& failure) {
    const graph g = kept_graph<Before>::value.thaw();
    const graph ordered = order_effects(g, failure.effects);
    return materialise(ordered);
  }
};

template <graph_sizes Capacity>
constexpr bool has_gradients(const frozen_graph<Capacity>& g) {
  for (int i = 0; i < g.size.nodes; ++i)
    if (g.nodes[i].op->role == op_role::gradient) return true;
  return false;
}

}  // namespace detail

/// The stages of one signature: which expressions are fetched, which are fed.
template <class Fetches, class Feeds, variables Mode = variables::are_read>
struct compiled;
template <hash_t... Fetch, hash_t... Feed, variables Mode>
struct compiled<hash_list<Fetch...>, hash_list<Feed...>, Mode> {
  using flattened = detail::flatten_stage<hash_list<Fetch...>, hash_list<Feed...>, Mode>;
  static constexpr bool differentiates = detail::has_gradients(detail::kept_graph<flattened>::value);
  using expanded = std::conditional_t<differentiates, detail::gradient_stage<flattened>, flattened>;
  using simplified = detail::tidy_stage<expanded>;
  using materialised = detail::materialised_stage<simplified>;

  static constexpr gradient_failure failure = detail::kept_graph<expanded>::failure.gradient;
  static constexpr effect_failure order_failure = detail::kept_graph<materialised>::failure.effects;

 private:
  static constexpr plan make() {
    const hash_t fed[] = {Feed..., 0};
    const graph g = detail::kept_graph<materialised>::value.thaw();
    plan p = schedule(g, fed, sizeof...(Feed));
    p.nodes_before = detail::kept_graph<expanded>::size.nodes;
    return p;
  }
  /// As with graphs: first in arrays that are probably large enough.
  static constexpr plan_sizes capacity = [] {
    const int nodes = detail::kept_graph<materialised>::size.nodes;
    return plan_sizes{nodes / 2 + 8,     nodes + 16, 2 * nodes + 32,  nodes + 16, nodes / 2 + 8,
                      4 * nodes + 32, nodes + 32, sizeof...(Feed), nodes,      sizeof...(Fetch)};
  }();
  template <plan_sizes Capacity>
  static constexpr frozen_plan<Capacity> attempt() {
    const plan p = make();
    return freeze<Capacity>(p, sizes_of(p));
  }
  static constexpr frozen_plan<capacity> attempted = attempt<capacity>();

 public:
  static constexpr plan_sizes size = attempted.size;
  /// In arrays of exactly its size, since programs hold it.
  static constexpr frozen_plan<size> value = [] {
    if constexpr (size.fit(capacity))
      return freeze<size>(attempted, size);
    else
      return attempt<size>();
  }();
#ifdef ETCH_VERIFY
  static_assert(detail::verify_stages<detail::kept_graph<flattened>, detail::kept_graph<expanded>, detail::kept_graph<simplified>,
                                      detail::kept_graph<materialised>, compiled>());
#endif
};

}  // namespace etch
