// SPDX-License-Identifier: MIT
#include <vector>

#include "compare.hpp"

/// "A rule is there wherever a gradient is taken": in the middle of a file, in a function that is no template. There clang
/// evaluates a graph with the rules whose bodies it has made by then.
namespace {

using namespace etch;

constexpr placeholder<"x", float, 3, 4> x;
constexpr placeholder<"i", std::int32_t, 2> i;
constexpr placeholder<"places", std::int32_t, 3, 4> places;
constexpr placeholder<"at", std::int32_t, 5, 2> at;

/// Whether the second derivative of y's squares is a graph.
template <expression Y>
constexpr bool has_second_derivative(Y y) {
  const auto slope = gradient(sum(y * y), x);
  const auto curvature = gradient(sum(slope * slope), x);
  return !static_cast<bool>(compiled_stages<list_of<decltype(curvature)::hash>, list_of<decltype(x)::hash>>::failure);
}

/// A handle that is no node of a graph: all that it knows is its type.
struct typed {
  tensor_type of;
  bool there = false;

  typed() = default;
  explicit typed(const tensor_type& t) : of(t), there(true) {}
  bool valid() const { return there; }
  tensor_type type() const { return of; }
};
extent_table& extents_of(const typed&) {
  static extent_table table;
  return table;
}
template <class Op>
typed emit_node(op_tag<Op>, const words& attributes, const typed* operands, int count) {
  const int first = Op::arity == 3 ? 1 : 0;
  std::vector<tensor_type> in;
  std::vector<dtype> types;
  for (int k = 0; k < count; ++k) {
    REQUIRE(operands[k].valid());
    in.push_back(operands[k].type());
    if (k >= first) types.push_back(operands[k].type().type);
  }
  const dtype common = promote(types.data(), count - first);
  for (int k = first; k < count && Op::operands == dtype_rule::promote; ++k) in[static_cast<std::size_t>(k)].type = common;
  inference context{extents_of(operands[0])};
  const tensor_type result = Op::infer(context, in.data(), count, attributes);
  CHECK(context.failure == reason::none);
  return typed(result);
}
template <class Op>
typed emit_node_as(op_tag<Op>, const words&, const tensor_type& type, const typed& operand) {
  CHECK(operand.valid());
  return typed(type);
}
typed emit_constant(const typed&, const scalar& value) {
  tensor_type t;
  t.type = value.type;
  return typed(t);
}

}  // namespace
template <>
inline constexpr bool etch::is_handle<typed> = true;
namespace {

tensor_type array_of(dtype type, std::initializer_list<extent_value> extents) {
  tensor_type t;
  t.type = type;
  for (extent_value e : extents) t.extents[t.rank++] = e;
  return t;
}
tensor_type floats(std::initializer_list<extent_value> extents) { return array_of(dtype::float64, extents); }
tensor_type indices(std::initializer_list<extent_value> extents) { return array_of(dtype::int32, extents); }

/// The rule of Op on such handles: each gradient has its operand's type, when it has been brought back to that shape.
template <class Op>
void check_rule(const words& w, std::initializer_list<tensor_type> operands) {
  if constexpr (Op::differentiable) {
    CAPTURE(Op::name);
    std::vector<typed> in, dx;
    for (const tensor_type& t : operands) {
      in.emplace_back(t);
      dx.emplace_back();
    }
    const int count = static_cast<int>(in.size());
    const typed y = emit_node(op_tag<Op>{}, w, in.data(), count);
    Op::vjp(gradient_rule<typed>{w, in.data(), count, y, y, dx.data()});
    for (std::size_t k = 0; k < in.size(); ++k)
      if (dx[k].valid()) CHECK(etch::detail::unbroadcast(dx[k], in[k].type()).type() == in[k].type());
  }
}
template <class Op>
void check_elementwise_rule() {
  constexpr dtype type = contains(Op::accepts, dtype::float64) ? dtype::float64
                         : contains(Op::accepts, dtype::int32) ? dtype::int32
                                                               : dtype::boolean;
  if constexpr (std::is_same_v<Op, cast>)
    check_rule<Op>(words(static_cast<int>(dtype::float32)), {floats({3, 4})});
  else if constexpr (Op::arity == 1)
    check_rule<Op>(words(), {array_of(type, {3, 4})});
  else if constexpr (Op::arity == 2)
    check_rule<Op>(words(), {array_of(type, {3, 1}), array_of(type, {4})});
  else
    check_rule<Op>(words(), {array_of(dtype::boolean, {2, 1, 1}), array_of(type, {3, 1}), array_of(type, {4})});
}
template <class... Ops>
void check_elementwise_rules(op_list<Ops...>) {
  (check_elementwise_rule<Ops>(), ...);
}
template <class... Ops>
void check_reduction_rules(op_list<Ops...>) {
  const auto type = [](auto op) { return contains(decltype(op)::accepts, dtype::float64) ? dtype::float64 : dtype::boolean; };
  for (int mask : {0, 2, 5, 7})
    for (int keep : {0, 1}) (check_rule<Ops>(words(mask, keep), {array_of(type(Ops{}), {3, 4, 2})}), ...);
}

}  // namespace

TEST_CASE("law: gradient rules are written for any handle, and give what has the operands' types") {
  check_elementwise_rules(elementwise_ops{});
  check_reduction_rules(reduction_ops{});
  check_rule<struct transpose>(words(1, 2, 0), {floats({3, 4, 2})});
  check_rule<struct slice>(words(1, 3, 1, 3, 0, -2), {floats({3, 4})});
  check_rule<struct pad>(words(1, 2, 1, 0, 0, 2), {floats({3, 4})});
  check_rule<struct concat>(words(1), {floats({3, 4}), floats({3, 1}), floats({3, 2})});
  check_rule<struct matmul>(words(), {floats({2, 3, 4}), floats({4, 5})});
  check_rule<struct gather>(words(0), {floats({3, 4}), indices({5, 2})});
  check_rule<struct gather>(words(1), {floats({3, 4}), indices({5, 2})});
  check_rule<struct scatter_add>(words(), {floats({3, 4}), indices({5}), floats({5, 4})});
  check_rule<struct take_along_axis>(words(1), {floats({3, 4}), indices({3, 2})});
  check_rule<struct add_along_axis>(words(1), {floats({3, 4}), indices({3, 2}), floats({3, 2})});
  check_rule<nd_gather>(words(2), {floats({3, 4, 5}), indices({6, 2})});
  for (int how : {0, 1, 2, 3}) check_rule<nd_scatter>(words(2, how), {floats({3, 4, 5}), indices({6, 2}), floats({6, 5})});
  check_rule<struct sort>(words(0, -1), {floats({3, 4})});
  for (int options : {0, 1, 2, 3}) {
    check_rule<struct cumsum>(words(1, options), {floats({3, 4})});
    check_rule<struct cumprod>(words(1, options), {floats({3, 4})});
    check_rule<struct logcumsumexp>(words(1, options), {floats({3, 4})});
  }
  check_rule<struct linear_recurrence>(words(1, 0), {floats({3, 4}), floats({3, 4})});
  check_rule<cyclic_shift>(words(1, 2), {floats({3, 4})});
}

TEST_CASE("law: rules of ops that name each other are there when a plain function takes a gradient") {
  static_assert(has_second_derivative(slice(x, section<1, 3>)));
  static_assert(has_second_derivative(pad(x, padding<1>, padding<2>)));
  static_assert(has_second_derivative(concat(axis<0>, x, x)));
  static_assert(has_second_derivative(transpose(x)));
  static_assert(has_second_derivative(reshape(x, shape<12>{})));
  static_assert(has_second_derivative(broadcast_to(x, shape<2, 3, 4>{})));
  static_assert(has_second_derivative(cumsum(x, axis<0>)));
  static_assert(has_second_derivative(cumprod(x, axis<1>)));
  static_assert(has_second_derivative(linear_recurrence(x, x, axis<0>)));
  static_assert(has_second_derivative(prod(x)));
  static_assert(has_second_derivative(max(x, axis<1>)));
  static_assert(has_second_derivative(matmul(x, transpose(x))));
  static_assert(has_second_derivative(gather(x, i)));
  static_assert(has_second_derivative(scatter_add(x, i, gather(x, i))));
  static_assert(has_second_derivative(gather(x, i, axis<1>)));
  static_assert(has_second_derivative(take_along_axis(x, places, axis<1>)));
  static_assert(has_second_derivative(add_along_axis(x, places, x, axis<1>)));
  static_assert(has_second_derivative(gather_nd(x, at)));
  static_assert(has_second_derivative(scatter_nd(x, at, gather_nd(x, at))));
  static_assert(has_second_derivative(scatter_nd(x, at, gather_nd(x, at), maximum)));
  static_assert(has_second_derivative(logcumsumexp(x, axis<1>)));
  static_assert(has_second_derivative(roll<1>(x, axis<1>)));
  static_assert(has_second_derivative(sort(x, axis<0>)));
}
