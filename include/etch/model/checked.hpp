// SPDX-License-Identifier: MIT
#pragma once
#include <etch/losses.hpp>
#include <etch/metrics.hpp>

/// Whether what a model is made of is a loss and metrics; what is none is an error, and harmless from there on.
namespace etch::detail {

template <class Loss>
constexpr auto checked_loss() {
  using example = decltype(placeholder<"y", float, any<"batch">, 1>{});
  if constexpr (requires { Loss::template target<example>; }) {
    return Loss{};
  } else {
    // The name of a function's type says nothing, but the error must depend on it.
    raise<std::enable_if_t<sizeof(Loss) != 0, this_is_no_loss_of_a_model>, in_function<"model">,
          instead_write<"losses::mean_squared_error">>();
    return losses::mean_squared_error;
  }
}
template <class Metric>
constexpr auto checked_metric() {
  if constexpr (std::is_base_of_v<metrics::metric<Metric>, Metric>) {
    return Metric{};
  } else {
    raise<std::enable_if_t<sizeof(Metric) != 0, this_is_no_metric_of_a_model>, in_function<"model">,
          instead_write<"metrics::mean<\"name\">(f)">>();
    return metrics::mean<"none">([](auto y, auto) { return y; });
  }
}
/// Two metrics of one name would have the same sums.
template <fixed_string Name, fixed_string... Names>
constexpr void check_names() {
  if constexpr ((std::is_same_v<name_of<Name>, name_of<Names>> || ...))
    raise<two_metrics_of_a_model_have_this_name, in_function<"metrics::" + Name>,
          instead_write<"metrics::named<\"another\">(metrics::" + Name + "())">>();
  else if constexpr (sizeof...(Names) > 1)
    check_names<Names...>();
}

}  // namespace etch::detail
