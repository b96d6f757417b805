// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/cumulative.hpp>
#include <etch/ops/exponential.hpp>

/// Running sums of exponentials.
namespace etch {

/// log(cumsum(exp(x))) along an axis without overflow: `logcumsumexp(x, axis<0>)`, with the options of `cumsum`. Each sum is scaled
/// by its own largest element; -inf of nothing.
inline constexpr struct logcumsumexp : detail::cumulative<struct logcumsumexp> {
  static constexpr const char* name = "logcumsumexp";
  static constexpr dtype_set accepts = dtype_set::floating;
  static constexpr int cost = 20;
  template <class V>
  ETCH_HOST_DEVICE static constexpr V identity() {
    return V(math::lowest<V>());
  }
  /// Of two equal ones, infinite ones too, the distance is 0.
  template <class V>
  ETCH_HOST_DEVICE static constexpr V combine(const V& a, const V& b) {
    const V distance = math::select(math::equal(a, b), V(0), math::abs(V(a - b)));
    return V(math::maximum(a, b) + math::log1p(math::exp(V(-distance))));
  }
  /// Element i has the share exp(x[i] - y[j]) of each sum from its own on: exp(x[i] - y[i]) times what a recurrence adds up with the
  /// factors exp(y[j - 1] - y[j]), none of which is above 1. The differences are taken where there is anything in a sum.
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    const std::int64_t axis = r.attributes[0], options = r.attributes[1];
    const words backwards(axis, (options & 1) ^ 1);
    constexpr auto nothing = literal<-std::numeric_limits<double>::infinity()>;
    const V with = emit<struct logcumsumexp>(words(axis, options & 1), r.x[0]);
    const V without = emit<struct logcumsumexp>(words(axis, options | 2), r.x[0]);
    const V something = with > nothing;
    const V factor = exp(where(something, without - with, nothing));
    const V share = exp(where(something, r.x[0] - with, nothing));
    if ((options & 2) != 0)
      r.dx[0] = share * emit<struct linear_recurrence>(backwards, factor, r.dy);
    else
      r.dx[0] = share * (r.dy + emit<struct linear_recurrence>(backwards, factor, factor * r.dy));
  }
} logcumsumexp;

}  // namespace etch
