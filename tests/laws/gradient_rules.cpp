// SPDX-License-Identifier: MIT
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
  return !static_cast<bool>(compiled<list_of<decltype(curvature)::hash>, list_of<decltype(x)::hash>>::failure);
}

}  // namespace

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
