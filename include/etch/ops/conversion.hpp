// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/families.hpp>

/// Changes of dtype, and of what gradients see.
namespace etch {

/// Each element as another dtype: called as `astype<float>(x)`. Floats to integers truncate; a value that the integer cannot hold
/// gives an unspecified one; to bool: x != 0. Attribute: the dtype.
struct cast : elementwise<cast, 1> {
  static constexpr const char* name = "cast";
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr op_role role = op_role::cast;
  static constexpr attribute_names names = {{"dtype", attribute_kind::type}};
  static constexpr dtype_rule operands = dtype_rule::same;
  static constexpr dtype_set accepts = dtype_set::any;
  static constexpr bool foldable = false;
  static constexpr int cost = 0;
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words& w) {
    return in[0].with(static_cast<dtype>(w[0]));
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = emit<cast>(words(static_cast<int>(r.x[0].type().type)), r.dy);
  }
};

template <class T, operand_like X>
constexpr auto astype(X x) {
  static_assert(element<T>, "astype: the element type is bool, an integer, float, double, or bfloat16");
  if constexpr (detail::is_literal<X>)
    return X::template cast_node<T>();
  else
    return call<cast, attributes<static_cast<std::int64_t>(dtype_of<T>)>>(x);
}
template <operand_like X, class... A>
constexpr auto astype(const X& x, const A&... a) {
  return detail::refuse_function<name_the_dtype_in_angle_brackets, "astype", "astype<float>($)">(x, a...);
}

/// x, but no gradient passes.
inline constexpr struct stop_gradient : elementwise<struct stop_gradient, 1> {
  static constexpr const char* name = "stop_gradient";
  static constexpr op_role role = op_role::barrier;
  static constexpr dtype_set accepts = dtype_set::any;
  static constexpr int cost = 0;
  template <class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const V& x) {
    return x;
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>&) {}
} stop_gradient;

}  // namespace etch
