// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/slot.hpp>
#include <etch/ops/arithmetic.hpp>
#include <etch/ops/conversion.hpp>
#include <etch/ops/movement.hpp>

/// Ops that change variables, or order others. Within one run every read of a variable gives its value before the run's
/// assignments; an assignment's own value is the new one.
namespace etch {

namespace detail {
struct effect : op_defaults {
  static constexpr op_kind kind = op_kind::effect;
  static constexpr bool stateful = true;
  static constexpr bool differentiable = false;
  static constexpr dtype_rule operands = dtype_rule::free;
};
}  // namespace detail

/// Stores a value in a variable: `assign(v, v * 2_c)`. Its own value is what was stored.
inline constexpr struct assign : detail::effect {
  static constexpr const char* name = "assign";
  static constexpr op_role role = op_role::assign;
  static constexpr int arity = 2;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words&) {
    if (in[0].type != in[1].type) return context.fail(reason::dtypes_differ, in[0]);
    if (!in[0].same_shape(in[1])) return context.fail(reason::extents_differ, in[0]);
    return in[0];
  }
  template <variable_expression V, expression E>
  constexpr auto operator()(V v, E value) const {
    if constexpr (detail::is_literal<E>)
      return (*this)(v, broadcast_to(E::template node<typename V::value_type>(), typename V::shape_type{}));
    else
      return call<struct assign, attributes<>>(v, value);
  }
} assign;

/// assign(variable, variable + value).
template <class V, class E>
constexpr auto assign_add(V variable, E value) {
  return assign(variable, variable + value);
}
/// assign(variable, variable - value).
template <class V, class E>
constexpr auto assign_sub(V variable, E value) {
  return assign(variable, variable - value);
}

/// Runs all of its operands and has no value: a training step.
inline constexpr struct group : detail::effect {
  static constexpr const char* name = "group";
  static constexpr op_role role = op_role::group;
  static constexpr int arity = -1;
  static constexpr tensor_type infer(inference&, const tensor_type*, int, const words&) { return {}; }
  template <expression... E>
  constexpr auto operator()(E... operations) const {
    return make_node_of<struct group, void, shape<>, attributes<>>(operations...);
  }
} group;

/// The value of `e`, after the other operands have run. If `e` is a variable, it is read after they ran.
inline constexpr struct after : detail::effect {
  static constexpr const char* name = "after";
  static constexpr op_role role = op_role::after;
  static constexpr int arity = -1;
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words&) { return in[0]; }
  template <expression E, expression... Dependencies>
  constexpr auto operator()(E e, Dependencies... dependencies) const {
    return make_node_of<struct after, typename E::value_type, typename E::shape_type, attributes<>>(e, dependencies...);
  }
} after;

}  // namespace etch
