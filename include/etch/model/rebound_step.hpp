// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <tuple>
#include <utility>

namespace etch::detail {

/// A bound step for batches, which is bound again where a batch has other extents than the one before it: pointers alone say nothing of
/// extents, and binding refuses what does not fit the slots. `bind(components...)`: a bound step of these.
template <class Bind, class Components>
class rebound_step;
template <class Bind, class... Components>
class rebound_step<Bind, std::tuple<Components...>> {
 public:
  explicit rebound_step(Bind bind) : bind_(std::move(bind)) {}

  decltype(auto) operator()(const Components&... components) {
    const shapes of_these{components.shape()...};
    if (step_ && of_these == shapes_) return (*step_)(components.data()...);
    step_.emplace(bind_(components...));
    shapes_ = of_these;
    return (*step_)();
  }

 private:
  using shapes = std::tuple<typename Components::shape_type...>;
  Bind bind_;
  std::optional<decltype(std::declval<Bind&>()(std::declval<const Components&>()...))> step_;
  shapes shapes_{};
};
/// For components as the loop over a dataset sees them.
template <class Components, class Bind>
rebound_step<Bind, Components> rebound(Bind bind) {
  return rebound_step<Bind, Components>(std::move(bind));
}

}  // namespace etch::detail
