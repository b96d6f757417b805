// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/arithmetic.hpp>
#include <etch/ops/movement.hpp>

/// What has come together along an axis up to each element: running sums and products.
namespace etch {

struct cumsum;

namespace detail {
/// Of one operand, with options.
template <class Op>
struct cumulative : prefix_scan<Op, 1> {
  static constexpr attribute_names names = {{"axis"}, {"options"}};
  static constexpr dtype_set accepts = dtype_set::computed;
  static constexpr bool has_reach = true;
  static constexpr dtype result(dtype operand) { return dtype_of_sums(operand); }
  /// An element reaches what follows it.
  template <class V>
  static constexpr void reach(const gradient_rule<V>& r) {
    r.dx[0] = emit<cumsum>(words(r.attributes[0], r.attributes[1] ^ scan_backwards), r.dy);
  }
  template <operand_like X, int Axis, class... Options>
    requires((std::is_same_v<Options, struct exclusive> || std::is_same_v<Options, struct reverse>) && ...)
  constexpr auto operator()(X x, axis_list<Axis>, Options...) const {
    constexpr auto backwards = (std::is_same_v<Options, struct reverse> || ...) ? scan_backwards : 0;
    constexpr auto others = (std::is_same_v<Options, struct exclusive> || ...) ? scan_exclusive : 0;
    return call<Op, attributes<detail::axis_of<Axis, X>, backwards + others>>(as_result<Op>(x));
  }
  ETCH_REFUSE_OPERANDS(Op, name_the_axis_in_angle_brackets, "($, axis<0>)")
};
}  // namespace detail

/// Sums of the first elements along an axis: `cumsum(x, axis<0>)`; with `exclusive` without the element itself, with `reverse`
/// from the last element on. Of bools and of integers of 8 and 16 bits it is int64; others wrap around.
inline constexpr struct cumsum : detail::cumulative<struct cumsum> {
  static constexpr const char* name = "cumsum";
  static constexpr slope_kind slope = slope_kind::fixed;
  template <class V>
  ETCH_HOST_DEVICE static constexpr V identity() {
    return V(0);
  }
  template <class V>
  ETCH_HOST_DEVICE static constexpr V combine(const V& a, const V& b) {
    return math::add(a, b);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = emit<struct cumsum>(words(r.attributes[0], r.attributes[1] ^ 1), r.dy);
  }
} cumsum;

/// What a linear recurrence has made before each step: y[0] = 0, y[i + 1] = a[i] y[i] + b[i] along an axis, with `reverse` from
/// the last element on: `linear_recurrence(a, b, axis<0>)`. a and b have one shape.
inline constexpr struct linear_recurrence : prefix_scan<struct linear_recurrence, 2> {
  static constexpr const char* name = "linear_recurrence";
  static constexpr attribute_names names = {{"axis"}, {"reverse", attribute_kind::flag}};
  static constexpr bool is_exclusive = true;
  template <class V>
  ETCH_HOST_DEVICE static constexpr V identity() {
    return V(0);
  }
  template <class V>
  ETCH_HOST_DEVICE static constexpr V combine(const V& y, const V& a, const V& b) {
    return math::fma(a, y, b);
  }
  template <operand_like A, operand_like B, int Axis>
  constexpr auto operator()(A a, B b, axis_list<Axis>) const {
    return call<struct linear_recurrence, attributes<detail::axis_of<Axis, A>, 0>>(a, b);
  }
  template <operand_like A, operand_like B, int Axis>
  constexpr auto operator()(A a, B b, axis_list<Axis>, struct reverse) const {
    return call<struct linear_recurrence, attributes<detail::axis_of<Axis, A>, 1>>(a, b);
  }
  ETCH_REFUSE_OPERANDS(struct linear_recurrence, name_the_axis_in_angle_brackets, "(a, b, axis<0>)")
  /// What dy contributes to y[i + 1] and all that follows from it is such a recurrence the other way round.
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[1] = emit<struct linear_recurrence>(words(r.attributes[0], r.attributes[1] ^ 1), r.x[0], r.dy);
    r.dx[0] = r.dx[1] * r.y;
  }
  static constexpr bool has_reach = true;
  template <class V>
  static constexpr void reach(const gradient_rule<V>& r) {
    r.dx[0] = r.dx[1] = emit<struct cumsum>(words(r.attributes[0], (r.attributes[1] ^ 1) | 2), r.dy);
  }
} linear_recurrence;

/// Products of the first elements along an axis: `cumprod(x, axis<0>)`, with the options of `cumsum`. Its gradients, of any
/// order, are right with zeros among the elements too.
inline constexpr struct cumprod : detail::cumulative<struct cumprod> {
  static constexpr const char* name = "cumprod";
  template <class V>
  ETCH_HOST_DEVICE static constexpr V identity() {
    return V(1);
  }
  template <class V>
  ETCH_HOST_DEVICE static constexpr V combine(const V& a, const V& b) {
    return math::multiply(a, b);
  }
  /// Without division: element k is a factor of every product behind it, next to those before k and those between.
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    const std::int64_t axis = r.attributes[0], options = r.attributes[1];
    const words backwards(axis, (options & 1) ^ 1);
    if ((options & 2) != 0) {
      r.dx[0] = r.y * emit<struct linear_recurrence>(backwards, r.x[0], r.dy);
    } else {
      const V before = emit<struct cumprod>(words(axis, options | 2), r.x[0]);
      r.dx[0] = before * (r.dy + emit<struct linear_recurrence>(backwards, r.x[0], r.dy * r.x[0]));
    }
  }
} cumprod;

}  // namespace etch
