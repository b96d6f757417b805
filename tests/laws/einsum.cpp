// SPDX-License-Identifier: MIT
#include "differences.hpp"
#include "modes.hpp"

/// Sums of products by letters: results of numpy.einsum for small integers, which are exact in every order, and gradients.
namespace {

using namespace etch;
using laws::check_described;
using laws::check_gradients;
using laws::described;
using laws::weighted;
using matrix = xt::xtensor<double, 2>;

constexpr placeholder<"a", double, any<"n">, any<"m">> a;
constexpr placeholder<"b", double, any<"m">, 4> b;
constexpr placeholder<"square", double, any<"n">, any<"n">> even;
constexpr placeholder<"stack", double, any<"s">, any<"p">, any<"q">> stacked;

const matrix at_a = {{1, 2, 3}, {4, 5, 6}}, at_b = {{-4, -3, -2, -1}, {0, 1, 2, 3}, {4, 5, 6, 7}},
             at_square = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
const xt::xtensor<double, 3> at_stack = {{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}}};

/// In a session, by the reference and at once, with the values of the slots beside.
template <class F, class Slot, class... Slots, class Value, class... Values>
void check(F, const laws::expected& wanted, const char* what, std::tuple<Slot, Slots...>, const Value& value,
           const Values&... values) {
  constexpr auto y = F{}(Slot{}, Slots{}...);
  session s(y);
  check_described(described(s.run(y, Slot{} = value, (Slots{} = values)...)), wanted, 0, what);
  check_described(described(reference::run(y, Slot{} = value, (Slots{} = values)...)), wanted, 0,
                  what + std::string(" by the reference"));
  check_described(described(F{}(tensor(value), tensor(values)...)), wanted, 0, what + std::string(" at once"));
}

}  // namespace

TEST_CASE("law: einsum of one operand is NumPy's: transposes, sums, diagonals, traces") {
  check([](auto x) { return einsum<"ij->ji">(x); }, {{3, 2}, {1, 4, 2, 5, 3, 6}}, "transpose", std::tuple(a), at_a);
  check([](auto x) { return einsum<"ba">(x); }, {{3, 2}, {1, 4, 2, 5, 3, 6}}, "in the order of the alphabet", std::tuple(a), at_a);
  check([](auto x) { return einsum<"ij -> j">(x); }, {{3}, {5, 7, 9}}, "sum", std::tuple(a), at_a);
  check([](auto x) { return einsum<"ij->">(x); }, {{}, {21}}, "sum of all", std::tuple(a), at_a);
  check([](auto x) { return einsum<"ii">(x); }, {{}, {15}}, "trace", std::tuple(even), at_square);
  check([](auto x) { return einsum<"ii->i">(x); }, {{3}, {1, 5, 9}}, "diagonal", std::tuple(even), at_square);
  constexpr placeholder<"cube", double, any<"n">, any<"n">, 3> cube;
  xt::xtensor<double, 3> at_cube = xt::xtensor<double, 3>::from_shape({3, 3, 3});
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) at_cube(i, j, k) = at_square(i, k) + (j == 0 ? 0 : j == 1 ? 1 : -2);
  check([](auto x) { return einsum<"iij->j">(x); }, {{3}, {11, 14, 17}}, "sum along a diagonal", std::tuple(cube), at_cube);
}

TEST_CASE("law: einsum of two operands is NumPy's: products of matrices, of stacks, of elements, outer ones") {
  const auto both = std::tuple(a, b);
  check([](auto x, auto y) { return einsum<"ij,jk->ik">(x, y); }, {{2, 4}, {8, 14, 20, 26, 8, 23, 38, 53}}, "product", both, at_a,
        at_b);
  check([](auto x, auto y) { return einsum<"ij,jk">(x, y); }, {{2, 4}, {8, 14, 20, 26, 8, 23, 38, 53}}, "without an arrow", both,
        at_a, at_b);
  check([](auto x, auto y) { return einsum<"ij,jk->ki">(x, y); }, {{4, 2}, {8, 8, 14, 23, 20, 38, 26, 53}}, "transposed", both,
        at_a, at_b);
  check([](auto x) { return einsum<"ij,ij->ij">(x, x); }, {{2, 3}, {1, 4, 9, 16, 25, 36}}, "of elements", std::tuple(a), at_a);
  check([](auto x) { return einsum<"ij,ij">(x, x); }, {{}, {91}}, "inner", std::tuple(a), at_a);
  check([](auto x) { return einsum<"ij,ik->ijk">(x, x); },
        {{2, 3, 3}, {1, 2, 3, 2, 4, 6, 3, 6, 9, 16, 20, 24, 20, 25, 30, 24, 30, 36}}, "outer", std::tuple(a), at_a);
  check([](auto x) { return einsum<"bij,bkj->bik">(x, x); },
        {{2, 3, 3}, {5, 11, 17, 11, 25, 39, 17, 39, 61, 113, 143, 173, 143, 181, 219, 173, 219, 265}}, "of stacks",
        std::tuple(stacked), at_stack);
  check([](auto x) { return einsum<"bij,bij->b">(x, x); }, {{2}, {91, 559}}, "inner of stacks", std::tuple(stacked), at_stack);
  check([](auto x) { return einsum<"bij,cij->bc">(x, x); }, {{2, 2}, {91, 217, 217, 559}}, "over two axes", std::tuple(stacked),
        at_stack);
  check([](auto x, auto y) { return einsum<"bij,bi->j">(x, y); }, {{2}, {161, 182}}, "over the first axes",
        std::tuple(placeholder<"stack", double, any<"n">, any<"m">, 2>{}, a), at_stack, at_a);
  const matrix columns = {{1, 2}, {4, 5}};
  check([](auto x, auto y) { return einsum<"abc,dc->abd">(x, y); }, {{2, 3, 2}, {5, 14, 11, 32, 17, 50, 23, 68, 29, 86, 35, 104}},
        "of three axes and two", std::tuple(stacked, placeholder<"columns", double, any<"d">, any<"q">>{}), at_stack, columns);
  check([](auto x, auto y) { return einsum<"bij,kj->bki">(x, y); }, {{2, 2, 3}, {5, 11, 17, 14, 32, 50, 23, 29, 35, 68, 86, 104}},
        "of three axes and two, transposed", std::tuple(stacked, placeholder<"columns", double, any<"d">, any<"q">>{}), at_stack,
        columns);
  check([](auto x, auto y) { return einsum<"bij,cj->">(x, y); }, {{}, {474}}, "summed altogether",
        std::tuple(stacked, placeholder<"columns", double, any<"d">, any<"q">>{}), at_stack, columns);
  check([](auto x) { return einsum<"ii,ij->j">(x, x); }, {{3}, {84, 99, 114}}, "with a diagonal", std::tuple(even), at_square);
  const xt::xtensor<double, 1> line = {-4, -3, -2, -1};
  check([](auto x, auto y) { return einsum<"ij,k->ik">(x, y); }, {{2, 4}, {-24, -18, -12, -6, -60, -45, -30, -15}}, "sum and outer",
        std::tuple(a, placeholder<"line", double, any<"k">>{}), at_a, line);
}

TEST_CASE("law: an ellipsis of an einsum is NumPy's") {
  const laws::expected transposed_stack = {{2, 2, 3}, {1, 3, 5, 2, 4, 6, 7, 9, 11, 8, 10, 12}};
  check([](auto x) { return einsum<"...ij->...ji">(x); }, transposed_stack, "transposes", std::tuple(stacked), at_stack);
  check([](auto x) { return einsum<"... i j -> ... j i">(x); }, transposed_stack, "with spaces", std::tuple(stacked), at_stack);
  check([](auto x) { return einsum<"...ij->...ji">(x); }, {{3, 2}, {1, 4, 2, 5, 3, 6}}, "of no axis", std::tuple(a), at_a);
  check([](auto x) { return einsum<"i...->...">(x); }, {{3, 2}, {8, 10, 12, 14, 16, 18}}, "behind a sum", std::tuple(stacked),
        at_stack);
  check([](auto x) { return einsum<"b...a">(x); }, {{3, 2, 2}, {1, 7, 2, 8, 3, 9, 4, 10, 5, 11, 6, 12}}, "without an arrow",
        std::tuple(stacked), at_stack);
  check([](auto x) { return einsum<"...ii->...i">(x); }, {{3}, {1, 5, 9}}, "of a diagonal", std::tuple(even), at_square);
  check([](auto x) { return einsum<"...,...">(x, x); }, {{2, 3}, {1, 4, 9, 16, 25, 36}}, "of elements", std::tuple(a), at_a);
  check([](auto x) { return einsum<"...ij,...kj->...ik">(x, x); },
        {{2, 3, 3}, {5, 11, 17, 11, 25, 39, 17, 39, 61, 113, 143, 173, 143, 181, 219, 173, 219, 265}}, "of stacks",
        std::tuple(stacked), at_stack);
  const matrix columns = {{1, 2}, {4, 5}};
  check([](auto x, auto y) { return einsum<"...j,kj->...k">(x, y); }, {{2, 3, 2}, {5, 14, 11, 32, 17, 50, 23, 68, 29, 86, 35, 104}},
        "beside letters", std::tuple(stacked, placeholder<"columns", double, any<"d">, any<"q">>{}), at_stack, columns);
  const xt::xtensor<double, 1> line = {10, 100};
  check([](auto x, auto y) { return einsum<"...,...->...">(x, y); },
        {{2, 3, 2}, {10, 200, 30, 400, 50, 600, 70, 800, 90, 1000, 110, 1200}}, "of operands with different numbers of axes",
        std::tuple(stacked, placeholder<"line", double, any<"q">>{}), at_stack, line);
}

TEST_CASE("law: einsum of several operands multiplies them from left to right") {
  const matrix turned = {{-4, 0, 4}, {-3, 1, 5}, {-2, 2, 6}, {-1, 3, 7}};
  check([](auto x, auto y, auto z) { return einsum<"ij,jk,kl->il">(x, y, z); }, {{2, 3}, {-140, 132, 404, -230, 258, 746}}, "three",
        std::tuple(a, b, placeholder<"turned", double, 4, any<"l">>{}), at_a, at_b, turned);
}

TEST_CASE("law: einsum of eager tensors whose extents differ throws, and of expressions names what it is made of") {
  CHECK_THROWS_AS((einsum<"ij,jk->ik">(tensor(at_a), tensor(at_a))), error);
  constexpr auto product = einsum<"ij,jk->ik">(a, b);
  static_assert(decltype(product)::hash == decltype(matmul(a, b))::hash);
  static_assert(decltype(einsum<"ij,ij->ij">(a, a))::hash == decltype(a * a)::hash);
}

TEST_CASE("law: gradients of einsum are central differences, of second order too") {
  constexpr auto f = std::tuple(einsum<"ij,jk->ki">(a, b), einsum<"ij,jk,ik->j">(a, b, matmul(a, b)), einsum<"ij,ij->i">(a, a),
                                einsum<"ij,kj->ik">(a, a * a));
  const matrix at = laws::numbers_between(-1, 1, 1, 2, 3), and_at = laws::numbers_between(-1, 1, 2, 3, 4);
  std::apply(
      [&](auto... y) {
        check_gradients("products", std::tuple(weighted(y + sum(b))...), std::tuple(a, b), std::tuple(at, and_at));
      },
      f);
  std::apply(
      [&](auto... y) {
        check_gradients<laws::where::on_reference>("products of second order",
                                                   std::tuple(weighted(gradient(weighted(y), a) * a + sum(b))...), std::tuple(a, b),
                                                   std::tuple(at, and_at));
      },
      f);
  const matrix small = laws::numbers_between(-1, 1, 3, 3, 3);
  check_gradients("diagonals", std::tuple(weighted(einsum<"ii">(even)), weighted(einsum<"ii,ij->ij">(even, even))),
                  std::tuple(even), std::tuple(small));
}
