// SPDX-License-Identifier: MIT
#include <laws/modes.hpp>

#include <etch/tape.hpp>

/// Gradients of contractions on a tape, of first and second order, are those of the graph, in the reference.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", double, 2, 3, 2, 4> x;
constexpr placeholder<"w", double, 3, 4, 2> w;

template <class F>
void check(F f, const char* what) {
  constexpr auto loss = sum(F{}(x, w) * (F{}(x, w) + 1_c));
  constexpr auto by_x = gradient(loss, x);
  constexpr auto by_w = gradient(loss, w);
  constexpr auto second = gradient(sum(by_x * x), w);
  xt::xtensor<double, 4> at_x = xt::zeros<double>({2, 3, 2, 4});
  xt::xtensor<double, 3> at_w = xt::zeros<double>({3, 4, 2});
  for (std::size_t i = 0; i < at_x.size(); ++i) at_x.data()[i] = static_cast<double>(i % 7) - 3;
  for (std::size_t i = 0; i < at_w.size(); ++i) at_w.data()[i] = static_cast<double>(i % 5) - 2;
  const auto [of_x, of_w, of_both] = reference::run(by_x, by_w, second, x = at_x, w = at_w);
  const tensor<double, 4> given_x = at_x;
  const tensor<double, 3> given_w = at_w;
  tape outer, inner;
  outer.watch(given_x, given_w);
  inner.watch(given_x, given_w);
  const auto made = f(given_x, given_w);
  const auto [dx, dw] = inner.gradient(sum(made * (made + 1_c)), given_x, given_w);
  laws::check_described(laws::described(dx), laws::described(of_x), 0, std::string(what) + " by x");
  laws::check_described(laws::described(dw), laws::described(of_w), 0, std::string(what) + " by w");
  laws::check_described(laws::described(outer.gradient(sum(dx * given_x), given_w)), laws::described(of_both), 0,
                        std::string(what) + " by both");
}

}  // namespace

TEST_CASE("tape: gradients of contractions along any axes are the graph's, of second order too") {
  check([](auto a, auto b) { return einsum<"bhsd,hde->bse">(a, b); }, "of two inner axes");
  check([](auto a, auto b) { return einsum<"bhsd,hde->ehsb">(a, b); }, "of a stack in the middle");
  check([](auto a, auto b) { return einsum<"bhsd,hde->sb">(a, b); }, "of axes that are summed alone");
  check([](auto a, auto b) { return einsum<"bhsd,hde->bsedh">(a, b); }, "of none that is summed");
  check([](auto a, auto b) { return einsum<"bhsd,hdb->s">(a, b); }, "of all of the second");
}

TEST_CASE("tape: gradients of products with vectors, which lack an axis") {
  const tensor<double, 3> stack = {{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {1, 0, 1}}};
  const tensor<double, 1> column = {1, -1, 2}, row = {1, 2};
  tape first, second, third, fourth;
  for (tape* t : {&first, &second, &third, &fourth}) t->watch(stack, column, row);
  const auto [by_stack, by_column] = first.gradient(sum(matmul(stack, column)), stack, column);
  laws::check_described(laws::described(by_stack), {{2, 2, 3}, {1, -1, 2, 1, -1, 2, 1, -1, 2, 1, -1, 2}}, 0, "a stack");
  laws::check_described(laws::described(by_column), {{3}, {13, 15, 19}}, 0, "its column");
  const auto [behind, by_row] = second.gradient(sum(matmul(row, stack)), stack, row);
  laws::check_described(laws::described(behind), {{2, 2, 3}, {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2}}, 0, "a stack behind a row");
  laws::check_described(laws::described(by_row), {{2}, {30, 17}}, 0, "its row");
  laws::check_described(laws::described(third.gradient(matmul(column, column), column)), {{3}, {2, -2, 4}}, 0, "a square");
  const auto [of_stack, of_column] = fourth.gradient(sum(einsum<"bij,j->ib">(stack, column)), stack, column);
  laws::check_described(laws::described(of_stack), laws::described(by_stack), 0, "an einsum's stack");
  laws::check_described(laws::described(of_column), laws::described(by_column), 0, "an einsum's column");
}
