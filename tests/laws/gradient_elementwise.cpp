// SPDX-License-Identifier: MIT
#include "differences.hpp"
#include "differentiable.hpp"

/// Gradients of elementwise ops, of any number of operands, broadcast or not. Those of second order: gradient_second_order.cpp.
namespace {

using namespace etch;
using laws::numbers_between;
using laws::ops;
using laws::weighted;

constexpr placeholder<"x", double, any<"n">, any<"m">> x;
constexpr placeholder<"y", double, any<"n">, any<"m">> y;
constexpr placeholder<"row", double, any<"m">> row;
constexpr placeholder<"column", double, any<"n">, 1> column;

template <class... Op, class A, class B>
constexpr auto losses(ops<Op...>, A a, B b) {
  return std::tuple(weighted(Op{}(a, b))...);
}
template <class... Op>
constexpr auto losses(ops<Op...>) {
  return std::tuple(weighted(Op{}(x))...);
}

}  // namespace

TEST_CASE("TAPE-03, law: gradients of functions of one operand are central differences") {
  const auto small = numbers_between(0.1, 0.45, 1, 3, 5), large = numbers_between(1.61, 1.95, 2, 1, 4);
  auto both = small;
  for (std::size_t i = 0; i < 4; ++i) both(1, i) = large(0, i);
  laws::check_gradients("positive operand", losses(laws::above_zero), std::tuple(x), std::tuple(both));
  laws::check_gradients("operand below 1", losses(laws::below_one), std::tuple(x), std::tuple(small));
  laws::check_gradients("operand above 1", losses(laws::above_one), std::tuple(x), std::tuple(large));
}

TEST_CASE("law: gradients of functions of the whole line are central differences") {
  const auto all = std::tuple(
      weighted(etch::exp(x)), weighted(etch::expm1(x)), weighted(etch::sin(x)), weighted(etch::cos(x)), weighted(etch::tan(x)),
      weighted(etch::atan(x)), weighted(etch::sinh(x)), weighted(etch::cosh(x)), weighted(etch::asinh(x)), weighted(etch::exp2(x)),
      weighted(etch::asin(0.7_c * x)), weighted(etch::acos(0.7_c * x)), weighted(etch::atanh(0.7_c * x)),
      weighted(etch::acosh(2.5_c + x)), weighted(etch::cbrt(x - 2_c)), weighted(etch::tanh(x)), weighted(sigmoid(x)),
      weighted(etch::erf(x)), weighted(etch::abs(x)), weighted(-x), weighted(relu(x)), weighted(gelu(x)), weighted(silu(x)),
      weighted(softplus(x)), weighted(square(x)), weighted(clip(x, -0.5_c, 0.4_c)), weighted(x * x * x - 2_c / (x - 3_c)),
      weighted(astype<double>(astype<double>(x))), weighted(etch::pow(x, 3_c)), weighted(x + stop_gradient(1_c)));
  laws::check_gradients("whole line", all, std::tuple(x), std::tuple(numbers_between(-1.3, 1.2, 3, 2, 7)));
}

TEST_CASE("law: gradients of functions of two operands are central differences") {
  const auto a = numbers_between(0.6, 2.4, 4, 3, 4), b = numbers_between(0.7, 1.9, 5, 3, 4);
  laws::check_gradients<laws::where::on_reference>("two operands", losses(laws::binary, x, y), std::tuple(x, y), std::tuple(a, b));
}

TEST_CASE("law: gradients of atan2 and hypot are central differences in every quadrant") {
  const auto a = numbers_between(-2.4, 2.4, 14, 4, 4), b = numbers_between(-1.9, 1.9, 15, 4, 4);
  laws::check_gradients("all quadrants", losses(ops<struct etch::atan2, struct etch::hypot>{}, x, y), std::tuple(x, y),
                        std::tuple(a, b));
}

TEST_CASE("law: gradients of broadcast operands are summed over their copies") {
  const auto a = numbers_between(0.6, 2.4, 6, 3, 4);
  const auto b = numbers_between(0.7, 1.9, 7, 4);
  const auto c = numbers_between(0.8, 2.1, 8, 3, 1);
  laws::check_gradients("a row", losses(laws::binary, x, row), std::tuple(x, row), std::tuple(a, b));
  laws::check_gradients("row and column",
                        losses(ops<struct multiply, struct divide, struct etch::pow, struct maximum>{}, row, column),
                        std::tuple(row, column), std::tuple(b, c));
}

TEST_CASE("law: the gradient of where goes to the side that was chosen") {
  constexpr placeholder<"condition", bool, any<"n">, any<"m">> condition;
  std::mt19937 generator(9);
  const auto chosen = laws::random_array<bool>(generator, 3, 4);
  const auto a = numbers_between(0.6, 2.4, 10, 3, 4);
  const auto b = numbers_between(0.7, 1.9, 11, 4);
  const auto c = numbers_between(0.8, 2.1, 12, 3, 1);
  const auto w = where(condition, x, row) * where(x > 1.5_c, column, row);
  laws::check_gradients("where", std::tuple(weighted(w)), std::tuple(x, row, column), std::tuple(a, b, c), condition = chosen);
}
