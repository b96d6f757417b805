// SPDX-License-Identifier: MIT
#pragma once
#include <etch/nn/initializers.hpp>

/// Layers: functions that declare their variables under a name.
namespace etch::nn {

/// x (..., inputs) times the variable `Name/kernel` (inputs, Units), plus the variable `Name/bias` (Units).
template <fixed_string Name, int Units, expression X, class Kernel = struct initializers::glorot_uniform,
          class Bias = struct initializers::zeros>
constexpr auto dense(X x, Kernel = {}, Bias = {}) {
  static_assert(X::rank >= 2, "dense: the input has no batch axis; its shape is (batch, inputs)");
  using T = typename X::value_type;
  constexpr auto inputs = extent_along<-1>(typename X::shape_type{});
  static_assert(std::is_integral_v<decltype(inputs)>, "dense: the number of inputs must be a number, not a named extent");
  using kernel_name = join<name_of<Name>, name_of<"/kernel">>;
  using bias_name = join<name_of<Name>, name_of<"/bias">>;
  const auto kernel =
      etch::detail::make_variable<kernel_name, true>(Kernel::template make<kernel_name, T>(shape<inputs, Units>{}));
  const auto bias = etch::detail::make_variable<bias_name, true>(Bias::template make<bias_name, T>(shape<Units>{}));
  return matmul(x, kernel) + bias;
}

}  // namespace etch::nn
