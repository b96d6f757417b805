// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/refusal.hpp>

/// The families of ops: shape rule, dtype rule and call operator, which an op inherits and overrides where it differs.
namespace etch {

/// Calls with operands alone: of an op without attributes.
template <class Op, int Arity>
struct called_with_operands : op_defaults {
  static constexpr int arity = Arity;

  template <class... A>
    requires(!any_handle<A...>)
  constexpr auto operator()(const A&... a) const {
    if constexpr (Arity >= 0 && sizeof...(A) != Arity)
      return detail::refusal<this_call_has_the_wrong_number_of_operands, in_op<Op>, typename detail::shown_argument<A>::type...,
                             expected<number_of_operands<Arity>>>(a...);
    else
      return call<Op, attributes<>>(a...);
  }
  template <class A, class... B>
  constexpr handle_among<A, B...> operator()(A a, B... b) const {
    return detail::call_handles<Op, attributes<>>(a, b...);
  }
};

/// One result element from one element of each operand, after broadcasting. An op adds `name` and a `kernel` that is
/// generic in the value type; `vjp` where it has a gradient.
template <class Op, int Arity>
struct elementwise : called_with_operands<Op, Arity> {
  static_assert(Arity >= 1 && Arity <= 3, "elementwise: an op has one, two or three operands");
  static constexpr op_kind kind = op_kind::elementwise;
  static constexpr dtype_rule operands = dtype_rule::promote;
  static constexpr dtype_set accepts = dtype_set::numeric;
  static constexpr bool foldable = true;
  static constexpr int cost = 1;

  static constexpr dtype result(dtype operand) { return operand; }

  static constexpr tensor_type infer(inference& context, const tensor_type* in, int count, const words&) {
    tensor_type r = in[count - 1];
    for (int i = count - 2; i >= 0; --i) r = rules::broadcast(context, in[i], r);
    const int first = Op::arity == 3 ? 1 : 0;
    for (int i = first; i < count; ++i) {
      if (in[i].type != in[first].type) return context.fail(reason::dtypes_differ, r);
      if (!contains(Op::accepts, in[i].type)) return context.fail(why_not_accepted(in[i].type), r);
    }
    if (first == 1 && in[0].type != dtype::boolean) return context.fail(reason::condition_is_not_bool, r);
    return r.with(Op::result(in[first].type));
  }
};

/// Name and kernel of an op that is a function of `math`, of one operand or of two.
#define ETCH_KERNEL_OF_ONE(NAME)                              \
  static constexpr const char* name = #NAME;                  \
  template <class V>                                          \
  ETCH_HOST_DEVICE static constexpr auto kernel(const V& x) { \
    return ::etch::math::NAME(x);                             \
  }
#define ETCH_KERNEL_OF_TWO(NAME)                                          \
  static constexpr const char* name = #NAME;                              \
  template <class V>                                                      \
  ETCH_HOST_DEVICE static constexpr auto kernel(const V& a, const V& b) { \
    return ::etch::math::NAME(a, b);                                      \
  }

/// Bits of a set of axes, negative ones counted from the last; -1 where one is out of range, -2 where one is named twice.
constexpr std::int64_t axes_mask(int rank, const int* axes, int count) {
  if (count == 0) return (std::int64_t{1} << rank) - 1;
  std::int64_t mask = 0;
  for (int i = 0; i < count; ++i) {
    const int a = axes[i] < 0 ? axes[i] + rank : axes[i];
    if (a < 0 || a >= rank) return -1;
    if ((mask >> a & 1) != 0) return -2;
    mask |= std::int64_t{1} << a;
  }
  return mask;
}

namespace detail {
/// x as the dtype that Op gives of its own.
template <class Op, operand_like X>
constexpr auto as_result(X x) {
  if constexpr (handle<X>) {
    const dtype result = Op::result(x.type().type);
    return result == x.type().type ? x : emit<cast>(words(static_cast<int>(result)), x);
  } else {
    constexpr dtype own = dtype_of<typename X::value_type>, result = Op::result(own);
    if constexpr (result == own || !contains(Op::accepts, own))
      return x;
    else
      return call<cast, attributes<static_cast<std::int64_t>(result)>>(x);
  }
}
}  // namespace detail

/// Combines the elements along some axes. Attributes: the mask of axes, whether they stay with extent 1.
/// An op adds `name`, `identity<T>()`, `combine(a, b)`, and `result` where its dtype is not its operand's: that is cast before.
template <class Op>
struct reduction : op_defaults {
  static constexpr op_kind kind = op_kind::reduction;
  static constexpr attribute_names names = {{"axis", attribute_kind::axes}, {"keep_dims", attribute_kind::flag}};
  static constexpr int arity = 1;
  static constexpr dtype_set accepts = dtype_set::numeric;
  static constexpr int cost = 1;

  static constexpr dtype result(dtype operand) { return operand; }

  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    tensor_type r = in[0];
    if (w[0] < 0) return context.fail(reason::axis_out_of_range, r);
    r.rank = 0;
    for (int i = 0; i < in[0].rank; ++i) {
      const bool reduced = (w[0] >> i & 1) != 0;
      if (!reduced)
        r.extents[r.rank++] = in[0].extents[i];
      else if (w[1] != 0)
        r.extents[r.rank++] = 1;
    }
    if (Op::result(r.type) != r.type || !contains(Op::accepts, r.type)) return context.fail(why_not_accepted(r.type), r);
    return r;
  }

  /// Reduces the given axes, or all of them.
  template <operand_like X, int... Axes>
  constexpr auto operator()(X x, axis_list<Axes...> = {}) const {
    return over<0, Axes...>(x);
  }
  template <operand_like X, int... Axes>
  constexpr auto operator()(X x, axis_list<Axes...>, struct keep_dims) const {
    return over<1, Axes...>(x);
  }
  template <operand_like X>
  constexpr auto operator()(X x, struct keep_dims) const {
    return over<1>(x);
  }
  template <class... A>
  constexpr auto operator()(const A&... a) const {
    if constexpr (detail::of_two_expressions<Op, A...>)
      return detail::refuse_operands<this_call_has_the_wrong_number_of_operands, in_op<Op>, Op::name_of_two + "(x, y)">(a...);
    else if constexpr ((std::is_same_v<A, bool> || ...))
      return detail::refuse_op<name_the_axis_in_angle_brackets, Op, "($, axis<0>, keep_dims)">(a...);
    else
      return detail::refuse_op<name_the_axis_in_angle_brackets, Op, "($, axis<0>)">(a...);
  }
  template <class X>
  constexpr auto operator()(const X& x, std::initializer_list<int> axes) const {
    return detail::refuse_op<name_the_axis_in_angle_brackets, Op, "($, axis<0, 1>)">(x, axes);
  }

 private:
  template <int Keep, int... Axes, class X>
  static constexpr auto over(X of) {
    const auto x = detail::as_result<Op>(of);
    constexpr int axes[] = {Axes..., 0};
    if constexpr (handle<X>) {
      return emit<Op>(words(axes_mask(x.type().rank, axes, sizeof...(Axes)), Keep), x);
    } else {
      constexpr std::int64_t mask = axes_mask(X::rank, axes, sizeof...(Axes));
      if constexpr (mask < 0) {
        raise<std::conditional_t<mask == -1, axis_out_of_range, an_axis_is_named_twice>, in_op<Op>, shown<X>, axis_list<Axes...>>();
        return call<Op, attributes<0, Keep>>(x);
      } else {
        const auto r = call<Op, attributes<mask, Keep>>(x);
        constexpr int reduced = [] {
          int n = 0;
          for (int i = 0; i < X::rank; ++i) n += static_cast<int>(mask >> i & 1);
          return n;
        }();
        if constexpr (detail::is_literal<std::remove_const_t<decltype(x)>>)
          return r;  // of the dtype that a literal takes where it meets none
        else if constexpr (evaluated<X> && std::is_same_v<decltype(r), decltype(x)>)
          return r;  // an eager tensor that nothing computes with, which has been said
        else if constexpr (decltype(r)::type != decltype(x)::type || decltype(r)::rank != X::rank - (Keep != 0 ? 0 : reduced))
          raise<a_reductions_shape_rule_is_its_familys_say_result_for_another_dtype, in_op<Op>, shown<X>>();
        return r;
      }
    }
  }
};

/// The options of a scan, by bit.
inline constexpr std::int64_t scan_backwards = 1, scan_exclusive = 2;

/// What the elements up to each one along an axis come to (a prefix sum); operands have one shape. Attributes: the axis; options. An op adds
/// `name`, `identity<T>()`, `combine(state, x...)`, which is what a state and the next element come to, a call operator, `result` where
/// its dtype is not its operand's, and `is_exclusive` where elements never count themselves.
template <class Op, int Arity>
struct prefix_scan : op_defaults {
  static_assert(Arity == 1 || Arity == 2, "prefix_scan: an op has one or two operands");
  static constexpr op_kind kind = op_kind::scan;
  static constexpr dtype_rule operands = dtype_rule::promote;
  static constexpr dtype_set accepts = dtype_set::numeric;
  static constexpr int arity = Arity, cost = Arity;
  static constexpr bool is_exclusive = false;

  static constexpr dtype result(dtype operand) { return operand; }

  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    if (w[0] < 0 || w[0] >= in[0].rank) return context.fail(reason::axis_out_of_range, in[0]);
    if (in[Arity - 1].type != in[0].type) return context.fail(reason::dtypes_differ, in[0]);
    if (Op::result(in[0].type) != in[0].type || !contains(Op::accepts, in[0].type))
      return context.fail(why_not_accepted(in[0].type), in[0]);
    if (Arity > 1 && !context.agree(in[0], in[1])) return context.fail(reason::extents_differ, in[0]);
    return in[0];
  }
};

/// Each result element is one element of the operand. An op adds `name`, a shape rule and
/// `map(extents, operand, result, attributes, index_map&)`, which says which; a call operator where it has attributes.
template <class Op>
struct movement : called_with_operands<Op, 1> {
  static constexpr op_kind kind = op_kind::movement;
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr dtype_rule operands = dtype_rule::free;
};

/// An op with a kernel of its own. An op adds `name`, a shape rule and
/// `run(strided<T> result, strided<const X> operand..., const std::int64_t* attributes)`, which writes every element of the
/// result and does not throw; a call operator where it has attributes.
template <class Op, int Arity>
struct opaque : called_with_operands<Op, Arity> {
  static constexpr op_kind kind = op_kind::opaque;
  static constexpr dtype_rule operands = dtype_rule::free;
};

}  // namespace etch
