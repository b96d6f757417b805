// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/slot.hpp>
#include <etch/ops/arithmetic.hpp>
#include <etch/ops/assigned_part.hpp>
#include <etch/ops/conversion.hpp>
#include <etch/ops/movement.hpp>

/// Ops that change variables, or order others. Within one run every read of a variable gives its value before the run's
/// assignments; an assignment's own value is the new one.
namespace etch {

namespace detail {
/// Whether a plan has something for all of these.
template <class... A>
inline constexpr bool are_planned = all_hold<(expression<A> || planned_host_value<A>)...>;

template <class First, class...>
struct first_plan_value : plan_value<First> {};

struct effect : op_defaults {
  static constexpr op_kind kind = op_kind::effect;
  static constexpr bool stateful = true;
  static constexpr bool differentiable = false;
  static constexpr dtype_rule operands = dtype_rule::free;
};

/// The first operand, and beside it the assignments that making it makes: a region's, or what orders a call of the host. Where these have
/// been made it is what it was then: no region runs, and no function is called, a second time.
struct with_effects : effect {
  static constexpr const char* name = "with_effects";
  static constexpr op_role role = op_role::beside;
  static constexpr int arity = -1;
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words&) { return in[0]; }
};

/// An error about an assignment: that it is none to a variable, else of what it is one.
template <class Where, fixed_string Instead, class... A>
constexpr void refuse_assignment() {
  constexpr bool to_variable = first_true({assignable<A>..., false}) == 0;
  constexpr bool one_value = sizeof...(A) == 2 && to_variable;
  refuse_as<std::conditional_t<
                !to_variable, only_a_variable_can_be_assigned,
                std::conditional_t<one_value, a_run_time_value_cannot_stand_in_an_expression_write_2_c_or_feed_a_placeholder,
                                   this_call_has_the_wrong_number_of_operands>>,
            Where, Instead, A...>();
}
/// Whether something can be added to a variable.
template <fixed_string Function, class V, class E>
constexpr bool takes_assignment() {
  if constexpr (assignable<V> && expression<E>) {
    return true;
  } else {
    refuse_assignment<in_function<Function>, Function + "(w, value)", V, E>();
    return false;
  }
}
}  // namespace detail

/// Stores a value in a variable: `assign(v, v * 2_c)`. In a part of one: `assign(slice(v, section<1, -1>), 0_c)`, which writes the
/// slice's elements and no other. Its own value is the variable's new one.
/// Attributes: none, or the slice's, per axis.
inline constexpr struct assign : detail::effect {
  static constexpr const char* name = "assign";
  static constexpr op_role role = op_role::assign;
  static constexpr int arity = 2;
  static constexpr attribute_names names = slice.names;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int count, const words& w) {
    if (w.count > 0) return with_part::infer(context, in, count, w);
    if (in[0].type != in[1].type) return context.fail(reason::dtypes_differ, in[0]);
    if (!context.agree(in[0], in[1])) return context.fail(reason::extents_differ, in[0]);
    return in[0];
  }
  template <assignable V, expression E>
  constexpr auto operator()(V v, E value) const {
    if constexpr (detail::is_literal<E>)
      return (*this)(v, broadcast_to(E::template node<typename V::value_type>(), typename V::shape_type{}));
    else if constexpr (variable_expression<V>)
      return call<struct assign, attributes<>>(v, value);
    else
      return part(v, value);
  }
  template <class... A>
  constexpr auto operator()(const A&... a) const {
    detail::refuse_assignment<in_op<struct assign>, "assign(w, value)", A...>();
    return detail::refused(a...);
  }

 private:
  /// An error shows the part, not the variable.
  template <class V, class E>
  static constexpr auto part(V v, E value) {
    using to = detail::assigned_part<V>;
    if constexpr (V::type != E::type) {
      detail::refuse_call<dtypes_differ, struct assign, attributes<>, V, E>();
      return detail::refused(v, value);
    } else if constexpr (!detail::may_be_alike<typename V::shape_type, typename E::shape_type>) {
      detail::refuse_call<extents_differ, struct assign, attributes<>, V, E>();
      return detail::refused(v, value);
    } else {
      return call<struct assign, typename to::attributes_type>(typename to::variable{}, value);
    }
  }
} assign;

/// assign(variable, variable + value).
template <class V, class E>
constexpr auto assign_add(V variable, E value) {
  if constexpr (!detail::takes_assignment<"assign_add", V, E>())
    return detail::refused(variable, value);
  else
    return assign(variable, variable + value);
}
/// assign(variable, variable - value).
template <class V, class E>
constexpr auto assign_sub(V variable, E value) {
  if constexpr (!detail::takes_assignment<"assign_sub", V, E>())
    return detail::refused(variable, value);
  else
    return assign(variable, variable - value);
}

namespace detail {
/// What eager code has: its effects have happened.
template <class A>
concept is_there = evaluated<A> || std::is_same_v<A, no_value> || (host_value<A> && !planned_host_value<A>);
}  // namespace detail

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
  template <class... A>
    requires(!detail::are_expressions<A...>)
  constexpr auto operator()(const A&... a) const {
    if constexpr (detail::are_planned<A...>)
      return (*this)(typename plan_value<A>::node{}...);
    else if constexpr (sizeof...(A) > 0 && (detail::is_there<A> && ...))
      return no_value{};
    else
      return detail::refuse_op<this_call_has_the_wrong_arguments, struct group, "(assign(w, value), train)">(a...);
  }
} group;

/// The value of `e` after the other operands have run (control dependencies). All reads of variables that it is made of give what
/// they leave, and assignments in it are made then. What they assign themselves is not assigned again. In eager code, where all have run
/// already, it is the first operand.
inline constexpr struct after : detail::effect {
  static constexpr const char* name = "after";
  static constexpr op_role role = op_role::after;
  static constexpr int arity = -1;
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words&) { return in[0]; }
  template <expression E, expression... Dependencies>
  constexpr auto operator()(E e, Dependencies... dependencies) const {
    return make_node_of<struct after, typename E::value_type, typename E::shape_type, attributes<>>(e, dependencies...);
  }
  template <detail::is_there First, detail::is_there... Rest>
  constexpr First operator()(const First& first, const Rest&...) const {
    return first;
  }
  template <class... A>
  constexpr auto operator()(const A&... a) const {
    if constexpr (sizeof...(A) > 0 && detail::are_planned<A...>)
      return detail::first_plan_value<A...>::like((*this)(typename plan_value<A>::node{}...));
    else
      return detail::refuse_op<this_call_has_the_wrong_arguments, struct after, "(w, assign(w, value))">(a...);
  }
} after;

}  // namespace etch
