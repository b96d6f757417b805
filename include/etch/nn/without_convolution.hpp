// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/refusal.hpp>

/// What calls get of functions that `<etch/convolution.hpp>` has: where that is not included a sentence which says so, and else one about
/// their arguments. All that etch.hpp compiles of them.
namespace etch {

struct max_pool;

namespace detail {
/// Whether the header is included where a call is compiled.
template <class... A>
inline constexpr bool has_convolutions = requires { sizeof(std::conditional_t<(sizeof...(A) >= 0), struct max_pool, void>); };

template <fixed_string Function, fixed_string Instead, class... A>
constexpr auto refuse_convolution(const A&... a) {
  using why = std::conditional_t<has_convolutions<A...>, this_call_has_the_wrong_arguments,
                                 this_function_is_in_a_header_of_its_own_include_etch_convolution_hpp>;
  return refuse_function<why, Function, Instead>(a...);
}
}  // namespace detail

#define ETCH_REFUSE_CONVOLUTION(NAME)                                    \
  template <class... A>                                                  \
  constexpr auto NAME(const A&... a) {                                   \
    return detail::refuse_convolution<#NAME, #NAME "($, kernel)">(a...); \
  }
ETCH_REFUSE_CONVOLUTION(conv1d)
ETCH_REFUSE_CONVOLUTION(conv2d)
ETCH_REFUSE_CONVOLUTION(conv3d)
ETCH_REFUSE_CONVOLUTION(conv1d_transpose)
ETCH_REFUSE_CONVOLUTION(conv2d_transpose)
ETCH_REFUSE_CONVOLUTION(conv3d_transpose)
#undef ETCH_REFUSE_CONVOLUTION

namespace nn {
template <fixed_string Name, int... Numbers, class... A>
constexpr auto conv1d(const A&... a) {
  return etch::detail::refuse_convolution<"nn::conv1d", "nn::conv1d<\"name\", 32, 3>($)">(a...);
}
template <fixed_string Name, int... Numbers, class... A>
constexpr auto conv2d(const A&... a) {
  return etch::detail::refuse_convolution<"nn::conv2d", "nn::conv2d<\"name\", 32, 5>($)">(a...);
}
}  // namespace nn

}  // namespace etch
