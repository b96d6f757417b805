// SPDX-License-Identifier: MIT
#include "differences.hpp"
#include "differentiable.hpp"

/// "The gradient of a gradient is what central differences of the gradient say", for every op that has one, also at points
/// where a rule that divides, or that chooses by a comparison, can lose what the second derivative needs: zeros, equal
/// elements, ends of domains. At such points closed forms are written down beside.
namespace {

using namespace etch;
using laws::check_gradients;
using laws::elements;
using laws::numbers_between;
using laws::ops;
using laws::weighted;
using laws::where::on_reference;
using array = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;

constexpr placeholder<"x", double, any<"n">> x;
constexpr placeholder<"y", double, any<"n">> y;
constexpr placeholder<"m", double, any<"n">, any<"m">> m;
constexpr placeholder<"fixed", double, 2, 3, 2> fixed;
constexpr placeholder<"rows", std::int32_t, any<"k">> rows;

/// A scalar made of the gradient of what f gives: its own gradient needs every second derivative of f.
template <expression F, expression Slot>
constexpr auto slope(F f, Slot slot) {
  return weighted(gradient(weighted(f), slot));
}

/// Times x + 2, so that what is constant, or linear, has second derivatives as well; small, so that differences are precise.
template <class... Op>
constexpr auto slopes(ops<Op...>) {
  return std::tuple(slope(Op{}(x) * (x + 2_c), x)...);
}
template <class... Op>
constexpr auto slopes_by_first(ops<Op...>) {
  return std::tuple(slope(Op{}(x, y) * (x + 2_c) * (y + 3_c) * 0.1_c, x)...);
}
template <class... Op>
constexpr auto slopes_by_second(ops<Op...>) {
  return std::tuple(slope(Op{}(x, y) * (x + 2_c) * (y + 3_c) * 0.1_c, y)...);
}

void check_numbers(const std::vector<double>& got, const std::vector<double>& expected, const std::string& what) {
  laws::check_that(got.size() == expected.size(), what + ": as many elements");
  for (std::size_t i = 0; i < got.size() && i < expected.size(); ++i) {
    const bool near = std::abs(got[i] - expected[i]) <= 1e-14 * (1 + std::abs(expected[i]));
    laws::check_that(
        near, what + ", element " + std::to_string(i) + ": " + std::to_string(got[i]) + " for " + std::to_string(expected[i]));
  }
}
/// The gradient of the sum of the gradient of f(x): the sums of the rows of the matrix of second derivatives.
template <class Value>
void check_sums(auto f, const Value& at, const std::vector<double>& expected, const std::string& what, auto slot) {
  constexpr decltype(f) function{};
  constexpr auto curvature = gradient(sum(gradient(function(slot), slot)), slot);
  session s(curvature);
  check_numbers(elements(s.run(curvature, slot = at)), expected, what);
  check_numbers(elements(reference::run(curvature, slot = at)), expected, what + " by the reference");
}
/// The four second derivatives of f(a, b), element by element: by aa, ab, ba, bb.
void check_matrices(auto f, const array& a, const array& b, const std::vector<std::array<double, 4>>& expected,
                    const std::string& what) {
  constexpr decltype(f) function{};
  constexpr auto by_x = gradient(function(x, y), x);
  constexpr auto by_y = gradient(function(x, y), y);
  const auto results = reference::run(gradient(by_x, x), gradient(by_x, y), gradient(by_y, x), gradient(by_y, y), x = a, y = b);
  const auto derivative = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
    std::vector<double> column;
    for (const auto& e : expected) column.push_back(e[K]);
    check_numbers(elements(std::get<K>(results)), column, what + ", derivative " + std::to_string(K));
  };
  derivative(std::integral_constant<std::size_t, 0>{});
  derivative(std::integral_constant<std::size_t, 1>{});
  derivative(std::integral_constant<std::size_t, 2>{});
  derivative(std::integral_constant<std::size_t, 3>{});
}

const auto values = [] { return numbers_between(-1.3, 1.2, 1, 3, 4); };
/// No zero in the last row, one in the first, two in the second.
const auto values_with_zeros = [] {
  matrix v = values();
  v(0, 2) = v(1, 0) = v(1, 3) = 0;
  return v;
};

}  // namespace

TEST_CASE("law: second derivatives of functions of one operand are differences of gradients") {
  constexpr auto at_zero = ops<struct negative, struct etch::exp, struct etch::expm1, struct etch::log1p, struct etch::sin,
                               struct etch::cos, struct etch::tanh, struct sigmoid, struct etch::erf>{};
  constexpr auto below_zero = ops<struct etch::abs, struct sign, struct etch::floor, struct etch::ceil, struct etch::round>{};
  // One plan for all the points of an op.
  const auto check = [](auto losses, const char* what, const array& at) {
    check_gradients<on_reference>(what, losses, std::tuple(x), std::tuple(at));
  };
  const array above_zero = {0.1, 0.45, 0.3, 1.2, 1.9};
  check(slopes(laws::without(at_zero + below_zero, laws::above_zero)), "positive operand", above_zero);
  check(slopes(at_zero), "positive operand", above_zero);
  check(slopes(at_zero), "zero", {0, -0.5, 0.25});
  check(slopes(below_zero), "positive operand", above_zero);
  check(slopes(below_zero), "negative operand", {-0.3, -1.7});
  check(slopes(laws::below_one), "operand below 1", {0.1, 0.45, 0.3});
  check(slopes(laws::above_one), "operand above 1", {1.2, 1.9});
  check_gradients<on_reference>(
      "composites at zero",
      std::tuple(slope(gelu(x), x), slope(silu(x), x), slope(softplus(x), x), slope(square(x), x), slope(etch::pow(x, 3_c), x),
                 slope(etch::pow(x, 2_c), x), slope(clip(x * x, -1_c, 1_c), x), slope(relu(x + 1_c), x),
                 slope(etch::where(x < 1_c, etch::sin(x), x), x), slope(nn::sigmoid_cross_entropy(x, 0.25_c), x)),
      std::tuple(x), std::tuple(array{0, 0.5, -0.5}));
}

TEST_CASE("law: second derivatives of functions of two operands are differences of gradients, by either operand") {
  const array a = {0.6, 1.2, 0.8, 0.9}, b = {0.7, 1.1, 0.45, -1.2};
  const auto check = [&](auto losses, const char* what, const array& at, const array& and_at) {
    check_gradients<on_reference>(what, losses, std::tuple(x, y), std::tuple(at, and_at));
  };
  const auto check_both = [&](auto of, const char* what, const array& at, const array& and_at) {
    check(slopes_by_first(of), what, at, and_at);
    check(slopes_by_second(of), what, at, and_at);
  };
  // a = 0 and b = 0 where the function is differentiable twice; one plan for all the points of an op.
  constexpr auto linear = ops<struct add, struct subtract, struct multiply>{};
  constexpr ops<struct divide> ratio;
  constexpr ops<struct etch::pow> power;
  check_both(laws::without(linear + ratio + power, laws::binary), "two operands", a, b);
  check_both(linear, "linear", a, b);
  check_both(linear, "linear, at zeros", {0, 0, 1}, {0, 1, 0});
  check_both(ratio, "ratios", a, b);
  check_both(ratio, "0 divided", {0, 0}, {1, -2});
  check_both(power, "powers", a, b);
  check_both(power, "powers 0 and 1", {2, 1, 0.25, 3}, {0, 0, 0, 1});
  const auto chosen = etch::where(x > y, x * x * y, y * y);
  check(std::tuple(slope(chosen, x), slope(chosen, y)), "where", {0, 0.5, -1}, {-1, 1, -2});
}

TEST_CASE("law: second derivatives of reductions are differences of gradients, with zeros among the elements") {
  const auto check = [](auto losses, const char* what, const matrix& at) {
    check_gradients(what, losses, std::tuple(m), std::tuple(at));
  };
  const auto all = std::tuple(slope(prod(m), m), slope(prod(m, axis<0>), m), slope(prod(m, axis<1>), m),
                              slope(prod(m, axis<1>, keep_dims) * m, m), slope(sum(m, axis<0>, keep_dims) * m, m),
                              slope(mean(m, axis<1>), m), slope(variance(m), m));
  check(all, "no zeros", values());
  check(all, "zeros", values_with_zeros());
  check(std::tuple(slope(max(m, axis<0>), m), slope(min(m, axis<1>, keep_dims), m), slope(max(m), m)), "extremes", values());
  auto block = numbers_between(-1.3, 1.2, 2, 2, 3, 2);
  block(0, 1, 0) = block(1, 0, 1) = block(1, 1, 0) = 0;
  check_gradients("products over axes that lie apart, and side by side",
                  std::tuple(slope(prod(fixed, axis<0, 2>), fixed), slope(prod(fixed, axis<0, 1>, keep_dims), fixed),
                             slope(prod(fixed, axis<1, 2>), fixed), slope(prod(fixed), fixed)),
                  std::tuple(fixed), std::tuple(block));
}

TEST_CASE("law: second derivatives of running sums and products are differences of gradients, with zeros as well") {
  const auto by = [](auto v) {
    return std::tuple(slope(cumprod(v, axis<0>), v), slope(cumprod(v, axis<1>), v), slope(cumprod(v, axis<1>, reverse), v),
                      slope(cumprod(v, axis<1>, exclusive), v), slope(cumprod(v, axis<0>, reverse, exclusive), v),
                      slope(cumsum(v * v, axis<1>), v), slope(cumsum(v * v, axis<0>, exclusive), v),
                      slope(cumsum(v * v, axis<1>, exclusive, reverse), v), slope(linear_recurrence(v, v * v, axis<1>), v),
                      slope(linear_recurrence(v * v, v, axis<0>, reverse), v));
  };
  check_gradients("no zeros", by(m), std::tuple(m), std::tuple(values()));
  check_gradients("zeros", by(m), std::tuple(m), std::tuple(values_with_zeros()));
}

TEST_CASE("law: second derivatives of what moves and chooses elements are differences of gradients") {
  const xt::xtensor<std::int32_t, 1> chosen = {2, 0, 2};
  check_gradients<on_reference>(
      "structure",
      std::tuple(slope(transpose(m) * 2_c, m), slope(reshape(m, shape<inferred>{}), m), slope(flip(m) * m, m),
                 slope(broadcast_to(m, shape<2, any<"n">, any<"m">>{}), m), slope(pad(m, padding<1>, padding<0, 2>), m),
                 slope(slice(m, section<1>, section<0, 3, 2>), m), slope(concat(axis<0>, m, m * m), m), slope(gather(m, rows), m),
                 slope(scatter_add(m * m, rows, gather(m, rows) * 2_c), m), slope(matmul(m, transpose(m)), m),
                 slope(astype<double>(m), m)),
      std::tuple(m), std::tuple(values_with_zeros()), rows = chosen);
}

TEST_CASE("law: second derivatives of layers are differences of gradients where elements are equal or zero") {
  const matrix ties = {{0.5, 0.5, -0.25, 0.5}, {0, 0, 0, 0}, {1, -1, 1, -1}};
  check_gradients<on_reference>(
      "ties",
      std::tuple(slope(softmax(m), m), slope(softmax(m, axis<0>), m), slope(log_softmax(m), m), slope(logsumexp(m, axis<1>), m),
                 slope(logsumexp(m, axis<0>, keep_dims), m), slope(nn::softmax_cross_entropy(m, 0.25_c + m * m), m)),
      std::tuple(m), std::tuple(ties));
  check_gradients<on_reference>("normalisation", std::tuple(slope(layer_norm(m), m)), std::tuple(m),
                                std::tuple(values_with_zeros()));
}

TEST_CASE("law: second derivatives of products where elements are zero, in closed form") {
  const auto product = [](auto v) { return prod(v); };
  check_sums(product, array{2, 3, 0}, {3, 2, 5}, "one zero", x);
  check_sums(product, array{0, 0, 3}, {3, 3, 0}, "two zeros", x);
  check_sums(product, array{0, 0, 0, 7}, {0, 0, 0, 0}, "three zeros", x);
  check_sums(product, array{0}, {0}, "one element", x);
  check_sums([](auto v) { return prod(v, axis<0>); }, matrix{{2, 0}, {3, 0}, {0, 4}}, {3, 4, 2, 4, 5, 0}, "columns", m);
  // x0 + x0 x1 + x0 x1 x2; with exclusive 1 + x0 + x0 x1; backwards x2 + x1 x2 + x0 x1 x2, and exclusive 1 + x2 + x1 x2.
  check_sums([](auto v) { return cumprod(v, axis<0>); }, array{2, 3, 0}, {4, 3, 5}, "cumprod", x);
  check_sums([](auto v) { return cumprod(v, axis<0>, exclusive); }, array{0, 3, 5}, {1, 1, 0}, "exclusive", x);
  check_sums([](auto v) { return cumprod(v, axis<0>, reverse); }, array{2, 0, 5}, {5, 8, 3}, "reverse", x);
  check_sums([](auto v) { return cumprod(v, axis<0>, reverse, exclusive); }, array{2, 0, 5}, {0, 1, 1}, "both", x);
  // The third derivative of x0 x1 x2 x3 by three of its factors is the fourth.
  constexpr auto third = gradient(sum(gradient(sum(gradient(prod(x), x)), x)), x);
  check_numbers(elements(reference::run(third, x = array{0, 0, 0, 7})), {14, 14, 14, 0}, "third derivative");
}

TEST_CASE("law: second derivatives at zero, in closed form") {
  // Of each function at one point, in one plan.
  const auto check = [](double at, const std::vector<double>& expected, auto... f) {
    const auto results = reference::run(gradient(sum(gradient(f(x), x)), x)..., x = array{at});
    std::vector<double> got;
    std::apply([&](const auto&... r) { (got.push_back(r(0)), ...); }, results);
    check_numbers(got, expected, "the functions at " + std::to_string(at));
  };
  check(
      0, {1, 1, -1, 1, -1, 2, 2, 2, 0.25, 0.7978845608028654, 0.5, 2}, [](auto v) { return etch::exp(v); },
      [](auto v) { return etch::expm1(v); }, [](auto v) { return etch::log1p(v); },
      [](auto v) { return etch::sin(v) + 0.5_c * v * v; }, [](auto v) { return etch::cos(v); },
      [](auto v) { return etch::tanh(v) + v * v; }, [](auto v) { return sigmoid(v) + v * v; },
      [](auto v) { return etch::erf(v) + v * v; }, [](auto v) { return softplus(v); }, [](auto v) { return gelu(v); },
      [](auto v) { return silu(v); }, [](auto v) { return etch::pow(v, v - v) + v * v; });
  check(
      1, {-1, -0.25, 0.75}, [](auto v) { return etch::log(v); }, [](auto v) { return etch::sqrt(v); },
      [](auto v) { return rsqrt(v); });
  check(-2, {-12, -10}, [](auto v) { return etch::pow(v, 3_c); }, [](auto v) { return etch::pow(v, 3_c) + v * v; });
}

TEST_CASE("law: second derivatives of functions of two operands where one is zero, in closed form") {
  constexpr double log2 = 0.6931471805599453;
  check_matrices([](auto a, auto b) { return etch::pow(a, b); }, {2, 1, 0.5, 0, 0, 4}, {0, 0, 0, 2, 3, 1},
                 {{0, 0.5, 0.5, log2 * log2},
                  {0, 1, 1, 0},
                  {0, 2, 2, log2 * log2},
                  {2, 0, 0, 0},
                  {0, 0, 0, 0},
                  {0, 1 + 2 * log2, 1 + 2 * log2, 16 * log2 * log2}},
                 "pow");
  check_matrices([](auto a, auto b) { return a * b + a * a + b * b; }, {0, 0}, {0, 3}, {{2, 1, 1, 2}, {2, 1, 1, 2}}, "multiply");
  check_matrices([](auto a, auto b) { return a / b + a * a; }, {0, 0}, {1, 2}, {{2, -1, -1, 0}, {2, -0.25, -0.25, 0}}, "divide");
  // 7.5 - 2 * 3 and -7.5 + 2 * 4: linear in a and in b.
  check_matrices([](auto a, auto b) { return (a % b) * (a % b); }, {7.5, -7.5}, {2, 2}, {{2, -6, -6, 18}, {2, 8, 8, 32}},
                 "remainder");
}

TEST_CASE("law: second derivatives of squared extremes share what the equal elements share") {
  check_sums([](auto v) { return max(v) * max(v); }, array{3, 3, 1}, {1, 1, 0}, "max", x);
  check_sums([](auto v) { return min(v, axis<0>) * min(v, axis<0>); }, array{4, 1, 1, 1, 1}, {0, 0.5, 0.5, 0.5, 0.5}, "min", x);
  check_matrices([](auto a, auto b) { return maximum(a, b) * maximum(a, b); }, {2, 2, 1}, {2, 1, 2},
                 {{0, 0, 0, 2}, {2, 0, 0, 0}, {0, 0, 0, 2}}, "maximum");
}
