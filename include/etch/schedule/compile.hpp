// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/flatten.hpp>
#include <etch/schedule/schedule.hpp>
#include <etch/passes/memory.hpp>

/// From expressions to a plan, as constants. Each stage is a constant of its own, so that each has its own budget of
/// constexpr steps (clang allows 2^20 in one evaluation).
namespace etch {

template <hash_t... Hashes>
struct hash_list {};

namespace detail {

/// What a stage gives, in arrays that are probably large enough: the size is known only when it has been made, and most
/// stages cost more than copying their result.
template <class Stage, graph_sizes Capacity>
struct attempt {
  decltype(freeze<Capacity>(graph{}, graph_sizes{})) value;
  graph_sizes size;
  gradient_failure failure;

  static constexpr attempt make() {
    attempt a;
    const graph g = Stage::make(a.failure);
    a.size = sizes_of(g);
    if (a.size.fit(Capacity)) a.value = freeze<Capacity>(g, a.size);
    return a;
  }
};

/// A stage's graph as a constant.
template <class Stage>
struct kept_graph {
 private:
  static constexpr auto attempted = attempt<Stage, Stage::capacity>::make();

 public:
  static constexpr graph_sizes size = attempted.size;
  static constexpr gradient_failure failure = attempted.failure;
  static constexpr auto value = [] {
    if constexpr (size.fit(Stage::capacity))
      return freeze<size>(attempted.value, size);
    else
      return attempt<Stage, size>::make().value;
  }();
};

/// Room for a stage's result: `more` nodes, and so much of the rest.
constexpr graph_sizes room_for(const graph_sizes& before, int factor, int more) {
  return {factor * before.nodes + more, factor * before.operands + 2 * more, factor * before.words + 4 * more,
          before.fetches};
}

template <class Fetches, class Feeds>
struct flatten_stage;
template <hash_t... Fetch, hash_t... Feed>
struct flatten_stage<hash_list<Fetch...>, hash_list<Feed...>> {
  static constexpr graph_sizes capacity = {128, 192, 256, sizeof...(Fetch)};
  static constexpr graph make(gradient_failure&) {
    const record* const fetches[] = {record_address<Fetch>..., nullptr};
    const hash_t fed[] = {Feed..., 0};
    return flatten(fetches, sizeof...(Fetch), fed, sizeof...(Feed));
  }
};
template <class Before>
struct gradient_stage {
  static constexpr graph_sizes capacity = room_for(kept_graph<Before>::size, 2, 64);
  static constexpr graph make(gradient_failure& failure) {
    return expand_gradients(kept_graph<Before>::value.thaw(), failure);
  }
};
template <class Before>
struct simplified_stage {
  static constexpr graph_sizes capacity = room_for(kept_graph<Before>::size, 1, 16);
  static constexpr graph make(gradient_failure&) { return simplified(kept_graph<Before>::value.thaw()); }
};
template <class Before>
struct materialised_stage {
  static constexpr graph_sizes capacity = room_for(kept_graph<Before>::size, 1, 16);
  static constexpr graph make(gradient_failure&) { return materialise(kept_graph<Before>::value.thaw()); }
};

constexpr bool has_gradients(const graph& g) {
  for (int i = 0; i < g.size(); ++i)
    if (g[i].op->kind == op_kind::meta) return true;
  return false;
}

}  // namespace detail

/// The stages of one signature: which expressions are fetched, which are fed.
template <class Fetches, class Feeds>
struct compiled;
template <hash_t... Fetch, hash_t... Feed>
struct compiled<hash_list<Fetch...>, hash_list<Feed...>> {
  using flattened = detail::flatten_stage<hash_list<Fetch...>, hash_list<Feed...>>;
  static constexpr bool differentiates = detail::has_gradients(detail::kept_graph<flattened>::value.thaw());
  using expanded = std::conditional_t<differentiates, detail::gradient_stage<flattened>, flattened>;
  using simplified = detail::simplified_stage<detail::simplified_stage<expanded>>;
  using materialised = detail::materialised_stage<simplified>;

  static constexpr gradient_failure failure = detail::kept_graph<expanded>::failure;

 private:
  static constexpr plan make_plan() {
    const hash_t fed[] = {Feed..., 0};
    return schedule(detail::kept_graph<materialised>::value.thaw(), fed, sizeof...(Feed),
                    detail::kept_graph<expanded>::size.nodes);
  }
  /// As with graphs: first in arrays that are probably large enough.
  static constexpr plan_sizes capacity = [] {
    const int nodes = detail::kept_graph<materialised>::size.nodes;
    return plan_sizes{nodes / 2 + 8, nodes + 16, nodes + 16, 4 * nodes + 32, nodes + 32,
                      sizeof...(Feed), nodes, sizeof...(Fetch)};
  }();
  template <plan_sizes Capacity>
  struct attempt {
    frozen_plan<Capacity> value;
    plan_sizes size;
    static constexpr attempt make() {
      attempt a;
      const plan p = make_plan();
      a.size = sizes_of(p);
      if (a.size.fit(Capacity)) a.value = freeze<Capacity>(p, a.size);
      return a;
    }
  };
  static constexpr attempt<capacity> attempted = attempt<capacity>::make();

 public:
  static constexpr plan_sizes size = attempted.size;
  static constexpr frozen_plan<size> value = [] {
    if constexpr (size.fit(capacity))
      return freeze<size>(attempted.value, size);
    else
      return attempt<size>::make().value;
  }();
};

}  // namespace etch
