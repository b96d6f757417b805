// SPDX-License-Identifier: MIT
#pragma once
#include <etch/data/dataset.hpp>
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
/// Of two datasets to validate with, the values would be one series.
template <class... More>
constexpr void check_validation() {
  if constexpr ((0 + ... + (data::detail::is_dataset<std::remove_cvref_t<More>> ? 1 : 0)) > 1)
    raise<one_dataset_validates_evaluate_others_in_a_callback, in_function<"fit">,
          instead_write<"[&](auto& m, auto&) { m.evaluate(other); }">, got<std::remove_cvref_t<More>...>>();
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

/// Labels of classes: a plan would clamp one that is out of range. `first`: samples of the epoch before these.
template <class Loss, class Output, class Target>
void check_labels([[maybe_unused]] const Target& target, [[maybe_unused]] std::int64_t first,
                  [[maybe_unused]] const char* function) {
  constexpr auto slot = Loss::template target<Output>;
  using value = typename decltype(slot)::value_type;
  if constexpr (losses::detail::has_classes<Loss>() && std::is_integral_v<value> && decltype(slot)::rank + 1 == Output::rank) {
    constexpr auto classes = extent_along<-1>(typename Output::shape_type{});
    // Of a part of an array `data` is that of the whole; tensors are contiguous, and their iterators give rows.
    auto label = [&] {
      if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(*target.begin())>>)
        return target.begin();
      else
        return target.data();
    }();
    const auto count = static_cast<long long>(target.size()), samples = static_cast<long long>(target.shape()[0]);
    for (long long i = 0; i < count; ++i, ++label)
      if (*label < 0 || *label >= static_cast<value>(classes))
        fail("%s: the label of sample %lld of the epoch is %lld, of %lld classes", function,
             static_cast<long long>(first) + i / (count / samples), static_cast<long long>(*label),
             static_cast<long long>(classes));
  }
}

}  // namespace etch::detail
