// SPDX-License-Identifier: MIT
#pragma once
#include <tuple>

#include <etch/nn/initializers.hpp>

/// Layers whose result is not moved by a bias, as those before a normalisation, which would take it away again.
namespace etch::nn {

/// In the place of a bias, or among a convolution's options: there is none. Keras's `use_bias=False`, PyTorch's `bias=False`.
inline constexpr struct without_bias {
} without_bias;

namespace detail {

template <class... Options>
inline constexpr bool has_bias = !(std::is_same_v<Options, struct without_bias> || ...);

/// f(a..., options...) without that option.
template <class F, class... Options>
constexpr auto call_without_bias(F f, Options... options) {
  [[maybe_unused]] const auto kept = []<class O>(O o) {
    if constexpr (std::is_same_v<O, struct without_bias>)
      return std::tuple<>{};
    else
      return std::tuple{o};
  };
  return std::apply(f, std::tuple_cat(kept(options)...));
}

}  // namespace detail

}  // namespace etch::nn
