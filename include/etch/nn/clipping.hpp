// SPDX-License-Identifier: MIT
#pragma once
#include <tuple>

#include <etch/ops.hpp>

/// Limits of gradients.
namespace etch::optimizers {

namespace detail {

/// A hyper-parameter in the dtype of what it meets.
template <class T, class P>
constexpr auto parameter(P p) {
  return etch::detail::converted<T>(etch::detail::symbolic_number<"minimize">(p));
}

template <class X>
constexpr auto largest_of(X x) {
  return x;
}
template <class X, class Y, class... Rest>
constexpr auto largest_of(X x, Y y, Rest... rest) {
  return largest_of(maximum(x, y), rest...);
}

}  // namespace detail

/// Gradients scaled so that the square root of the sum of all their squares is at most `limit` (Pascanu, Mikolov, Bengio
/// 2013): `adam(1e-3_c).apply_gradients(clip_by_global_norm(gradients(loss, w, b), 1_c), w, b)`. The squares are scaled, and cannot overflow.
/// Where an element is infinite or NaN all are NaN, as in TensorFlow. PyTorch adds 1e-6 to the norm.
template <class... G, class Limit>
constexpr auto clip_by_global_norm(const std::tuple<G...>& gradients_of, Limit limit) {
  return std::apply(
      [&](auto... g) {
        const auto scale = etch::detail::scale_of_squares(detail::largest_of(max(abs(g))...));
        const auto norm = sqrt((sum(square(g * scale)) + ...));
        using T = typename decltype(norm)::value_type;
        const auto share = detail::parameter<T>(limit) / norm;
        // In two factors, since one of large numbers is below the smallest that is normal. norm - norm: NaN where it is not finite, else 0.
        const auto clips = share * scale < 1_c;
        const auto first = where(clips, scale, 1_c);
        const auto second = where(clips, share, 1_c) + (norm - norm);
        return std::tuple{g * first * second...};
      },
      gradients_of);
}
ETCH_REFUSE_CALLS(clip_by_global_norm, this_call_has_the_wrong_arguments, "gradients(loss, w)")

/// Each gradient by a norm of its own.
template <class... G, class Limit>
constexpr auto clip_by_norm(const std::tuple<G...>& gradients_of, Limit limit) {
  return std::apply([&](auto... g) { return std::tuple_cat(clip_by_global_norm(std::tuple{g}, limit)...); }, gradients_of);
}
ETCH_REFUSE_CALLS(clip_by_norm, this_call_has_the_wrong_arguments, "gradients(loss, w)")

/// Each element between -limit and limit.
template <class... G, class Limit>
constexpr auto clip_by_value(const std::tuple<G...>& gradients_of, Limit limit) {
  return std::apply(
      [&](auto... g) {
        return std::tuple{[&](auto x) {
          const auto bound = detail::parameter<typename decltype(x)::value_type>(limit);
          return clip(x, -bound, bound);
        }(g)...};
      },
      gradients_of);
}
ETCH_REFUSE_CALLS(clip_by_value, this_call_has_the_wrong_arguments, "gradients(loss, w)")

}  // namespace etch::optimizers
