// SPDX-License-Identifier: MIT
#include "differences.hpp"

/// Gradients of ops that move, combine and choose elements, and of what is made of them.
namespace {

using namespace etch;
using laws::check_gradients;
using laws::numbers_between;
using laws::weighted;

constexpr placeholder<"x", double, any<"n">, any<"m">> x;
constexpr placeholder<"y", double, any<"n">, any<"m">> y;
constexpr placeholder<"row", double, any<"m">> row;
constexpr placeholder<"fixed", double, 3, 4, 2> fixed;
constexpr placeholder<"w", double, any<"m">, 3> w;
constexpr placeholder<"labels", std::int32_t, any<"n">> labels;

const auto values = [] { return numbers_between(-1.3, 1.2, 1, 3, 4); };

}  // namespace

TEST_CASE("law: gradients of reductions are central differences") {
  check_gradients("reductions",
                  std::tuple(weighted(sum(x, axis<1>)), weighted(sum(x, axis<0>, keep_dims) * x), weighted(sum(x)),
                             weighted(prod(x, axis<1>)), weighted(prod(x)), weighted(max(x, axis<0>)),
                             weighted(min(x, axis<1>, keep_dims)), weighted(max(x)), weighted(mean(x, axis<0>)), weighted(mean(x)),
                             weighted(variance(x, axis<1>)), weighted(cumsum(x, axis<0>)), weighted(cumsum(x, axis<1>))),
                  std::tuple(x), std::tuple(values()));
  check_gradients<laws::where::on_reference>(
      "reductions of fixed extents",
      std::tuple(weighted(sum(fixed, axis<0, 2>)), weighted(max(fixed, axis<1>)), weighted(mean(fixed, axis<-1>)),
                 weighted(prod(fixed, axis<0, 1>)), weighted(variance(fixed))),
      std::tuple(fixed), std::tuple(numbers_between(-1.3, 1.2, 2, 3, 4, 2)));
}

TEST_CASE("law: the gradient of a product is right where elements are zero") {
  auto a = values();
  a(0, 1) = a(1, 0) = a(1, 2) = 0;
  check_gradients("products with zeros", std::tuple(weighted(prod(x, axis<1>)), weighted(prod(x, axis<0>))), std::tuple(x),
                  std::tuple(a));
}

TEST_CASE("law: gradients of movement are central differences") {
  check_gradients("movement of named extents",
                  std::tuple(weighted(transpose(x)), weighted(flip(x) * x), weighted(flip(x, axis<1>)),
                             weighted(reshape(transpose(x), shape<inferred>{})),
                             weighted(broadcast_to(expand_dims(x, axis<1>), shape<any<"n">, 2, any<"m">>{})),
                             weighted(pad(x, padding<1, 2>, padding<0, 1>)), weighted(slice(x, section<1>, section<2>)),
                             weighted(slice(x, section<0, 2>, section<1, 3, 2>)), weighted(pad(flip(x), padding<1>, padding<1>))),
                  std::tuple(x), std::tuple(values()));
  check_gradients(
      "movement of fixed extents",
      std::tuple(weighted(slice(fixed, section<1, 3>, section<0, to_end, 2>)), weighted(slice(fixed, section<-1>, section<1, -1>)),
                 weighted(slice(fixed, section<>, section<3, 0, -2>, section<from_start, to_end, -1>)),
                 weighted(transpose(fixed, axis<1, 2, 0>)), weighted(pad(fixed, padding<0, 1>, padding<2>, padding<1, 0>)),
                 weighted(reshape(fixed, shape<2, 12>{})), weighted(concat(axis<1>, fixed, fixed * fixed)),
                 weighted(concat(axis<0>, slice(fixed, section<1>), fixed)), weighted(stack(axis<1>, fixed, flip(fixed))),
                 weighted(stack(axis<-1>, fixed, fixed * fixed))),
      std::tuple(fixed), std::tuple(numbers_between(-1.3, 1.2, 2, 3, 4, 2)));
}

TEST_CASE("law: gradients of concatenation are central differences, along a named extent as well") {
  check_gradients("concatenation",
                  std::tuple(weighted(concat(axis<1>, x, y * y)), weighted(concat(axis<0>, x, y)),
                             weighted(concat(axis<0>, y, x, y)), weighted(stack(axis<0>, x, y))),
                  std::tuple(x, y), std::tuple(values(), numbers_between(-1.3, 1.2, 5, 3, 4)));
}

TEST_CASE("law: gradients of gather and scatter_add are central differences") {
  const xt::xtensor<std::int32_t, 1> rows = {2, 0, 2};
  check_gradients<laws::where::on_reference>(
      "rows",
      std::tuple(weighted(gather(x, labels)), weighted(scatter_add(x, labels, x)), weighted(gather(transpose(x), labels)),
                 weighted(scatter_add(flip(x), labels, etch::exp(x)))),
      std::tuple(x), std::tuple(values()), labels = rows);
}

TEST_CASE("law: gradients of matrix products are central differences") {
  constexpr placeholder<"v", double, 2, any<"m">, 3> v;
  constexpr placeholder<"u", double, any<"k">, 1, any<"n">, any<"m">> u;
  const auto a = values();
  const auto b = numbers_between(-1, 1, 3, 4, 3);
  check_gradients("products",
                  std::tuple(weighted(matmul(x, w)), weighted(matmul(transpose(w), transpose(x))),
                             weighted(relu(matmul(x, w) + 0.25_c)), weighted(matmul(matmul(x, w), transpose(w)))),
                  std::tuple(x, w), std::tuple(a, b));
  check_gradients("stacks", std::tuple(weighted(matmul(x, v))), std::tuple(x, v),
                  std::tuple(a, numbers_between(-1, 1, 4, 2, 4, 3)));
  check_gradients("stacks that broadcast", std::tuple(weighted(matmul(u, v))), std::tuple(u, v),
                  std::tuple(numbers_between(-1, 1, 4, 3, 1, 2, 2), numbers_between(-1, 1, 4, 2, 2, 3)));
}

TEST_CASE("TAPE-03, law: gradients of layers and losses are central differences") {
  const xt::xtensor<std::int32_t, 1> classes = {2, 0, 3};
  check_gradients(
      "softmax",
      std::tuple(weighted(softmax(x)), weighted(softmax(x, axis<0>)), weighted(log_softmax(x)), weighted(logsumexp(x, axis<1>)),
                 weighted(logsumexp(x)), mean(nn::sparse_softmax_cross_entropy(x, labels))),
      std::tuple(x), std::tuple(values()), labels = classes);
  check_gradients<laws::where::on_reference>("losses",
                                             std::tuple(nn::mean_squared_error(x, y), weighted(nn::sigmoid_cross_entropy(x, y)),
                                                        weighted(nn::softmax_cross_entropy(x, softmax(y)))),
                                             std::tuple(x, y), std::tuple(values(), numbers_between(-1.3, 1.2, 5, 3, 4)));
  check_gradients("normalisation", std::tuple(weighted(layer_norm(x, row, row * row))), std::tuple(x, row),
                  std::tuple(values(), numbers_between(0.2, 1.2, 6, 4)));
}

TEST_CASE("law: second derivatives of softmax and products are central differences of gradients") {
  check_gradients("second order of concatenation", std::tuple(weighted(gradient(weighted(concat(axis<0>, x, y, x)), y) * x)),
                  std::tuple(x, y), std::tuple(values(), numbers_between(-1.3, 1.2, 5, 3, 4)));
  check_gradients<laws::where::on_reference>(
      "second order",
      std::tuple(weighted(gradient(weighted(softmax(x)), x)), weighted(gradient(weighted(prod(x, axis<1>)), x)),
                 weighted(gradient(weighted(matmul(x, transpose(x))), x))),
      std::tuple(x), std::tuple(values()));
}
