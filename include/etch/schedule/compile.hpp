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

/// Makes a graph twice: once for its size, once to keep.
template <class Stage>
struct kept_graph {
  static constexpr graph_sizes size = sizes_of(Stage::make());
  static constexpr auto value = freeze<size>(Stage::make());
};

template <class Fetches, class Feeds>
struct flatten_stage;
template <hash_t... Fetch, hash_t... Feed>
struct flatten_stage<hash_list<Fetch...>, hash_list<Feed...>> {
  static constexpr graph make() {
    const record* const fetches[] = {record_address<Fetch>..., nullptr};
    const hash_t fed[] = {Feed..., 0};
    return flatten(fetches, sizeof...(Fetch), fed, sizeof...(Feed));
  }
};
template <class Before>
struct gradient_stage {
  static constexpr graph make() {
    gradient_failure found;
    return expand_gradients(kept_graph<Before>::value.thaw(), found);
  }
  static constexpr gradient_failure failure = [] {
    gradient_failure f;
    expand_gradients(kept_graph<Before>::value.thaw(), f);
    return f;
  }();
};
template <class Before>
struct simplified_stage {
  static constexpr graph make() {
    return dead_nodes(rewrite(kept_graph<Before>::value.thaw(), rules::fold_constants{}, rules::simplify{},
                              rules::common_subexpressions{}));
  }
};
template <class Before>
struct materialised_stage {
  static constexpr graph make() { return materialise(kept_graph<Before>::value.thaw()); }
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

  static constexpr gradient_failure failure = [] {
    if constexpr (differentiates)
      return expanded::failure;
    else
      return gradient_failure{};
  }();

  static constexpr plan make_plan() {
    const hash_t fed[] = {Feed..., 0};
    return schedule(detail::kept_graph<materialised>::value.thaw(), fed, sizeof...(Feed),
                    detail::kept_graph<expanded>::size.nodes);
  }
  static constexpr plan_sizes size = sizes_of(make_plan());
  static constexpr frozen_plan<size> value = freeze<size>(make_plan());
};

}  // namespace etch
