// SPDX-License-Identifier: MIT
#include <etch/convolution.hpp>

#include "modes.hpp"

/// Rows of equal numbers and rows that are masked: what normalisations, softmax and its losses give, written down.
namespace {

using namespace etch;
using namespace etch::literals;
using laws::check_described;
using laws::check_graph_modes;
using laws::check_modes;
using laws::described;

constexpr placeholder<"x", float, any<"n">, any<"m">> x;
constexpr placeholder<"labels", float, any<"n">, any<"m">> labels;
constexpr float inf = std::numeric_limits<float>::infinity();
constexpr double none = std::numeric_limits<double>::quiet_NaN();
using matrix = xt::xtensor<float, 2>;

matrix constant_rows(std::size_t width) {
  matrix r = matrix::from_shape({5, width});
  const float numbers[] = {16777215.f, 7.5e10f, 0.1f, -3e-5f, 1.f / 3};
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < width; ++j) r(i, j) = numbers[i];
  return r;
}
laws::expected zeros_of(const matrix& a) { return {{a.shape()[0], a.shape()[1]}, std::vector<double>(a.size())}; }

}  // namespace

TEST_CASE("law: layer norm of equal numbers is 0, and its gradient finite") {
  for (const std::size_t width : {1u, 5u, 7u, 100u, 1000u, 5001u}) {
    const matrix rows = constant_rows(width);
    check_modes([](auto v) { return layer_norm(v); }, x, rows, zeros_of(rows), "layer norm");
    check_graph_modes([](auto v) { return gradient(sum(layer_norm(v)), v); }, x, rows, zeros_of(rows), "its gradient", 1e-3);
  }
  // One number is another: nothing is lost of it. Of k numbers of which the last is larger by d: 0 - 1/k and 1 - 1/k times d.
  matrix almost = matrix::from_shape({1, 4});
  for (std::size_t j = 0; j < 4; ++j) almost(0, j) = j == 3 ? 16777214.f : 16777210.f;
  const double d = 1 / std::sqrt(3.0 + 1e-5);
  check_modes([](auto v) { return layer_norm(v); }, x, almost, {{1, 4}, {-d, -d, -d, 3 * d}}, "nearly equal", 1e-6);
}

TEST_CASE("law: instance norm and group norm of equal numbers are 0") {
  constexpr placeholder<"images", float, 1, 3, 3, 4> images;
  xt::xtensor<float, 4> at = xt::xtensor<float, 4>::from_shape({1, 3, 3, 4});
  for (float& v : at) v = 16777215.f;
  const laws::expected zeros = {{1, 3, 3, 4}, std::vector<double>(36)};
  check_graph_modes([](auto v) { return instance_norm(v, v * 0_c + 1_c, v * 0_c); }, images, at, zeros, "instance norm");
  check_graph_modes([](auto v) { return group_norm<2>(v, v * 0_c + 1_c, v * 0_c); }, images, at, zeros, "group norm");
}

TEST_CASE("law: softmax and log-softmax of a row that is masked in part, and whole") {
  const matrix at = {{0, -inf, 0}, {-inf, -inf, -inf}};
  const double half = std::log(0.5);
  check_modes([](auto v) { return softmax(v); }, x, at, {{2, 3}, {0.5, 0, 0.5, none, none, none}}, "softmax", 1e-6);
  check_modes([](auto v) { return log_softmax(v); }, x, at, {{2, 3}, {half, -inf, half, none, none, none}}, "log_softmax", 1e-6);
  // Both keys of the first query have the score -inf.
  constexpr placeholder<"k", float, 2, 1> k;
  constexpr placeholder<"v", float, 2, 1> v;
  constexpr placeholder<"q", float, 2, 1> q;
  constexpr auto attended = attention(q, k, v);
  const matrix queries = {{inf}, {1}}, keys = {{-1}, {-2}}, values = {{1}, {2}};
  session s(attended);
  check_described(described(s.run(attended, q = queries, k = keys, v = values)), {{2, 1}, {none, 1.2689414213699951}}, 1e-6,
                  "attention");
  check_described(described(attention(tensor<float, 2>(queries), tensor<float, 2>(keys), tensor<float, 2>(values))),
                  {{2, 1}, {none, 1.2689414213699951}}, 1e-6, "attention at once");
}

TEST_CASE("law: logsumexp of -inf alone is -inf, and its gradient 0") {
  const matrix at = {{-inf, -inf, -inf}, {0, -inf, 0}, {-inf, 3, -inf}};
  const double two = std::log(2.0);
  check_modes([](auto v) { return logsumexp(v, axis<1>); }, x, at, {{3}, {-inf, two, 3}}, "logsumexp", 1e-6);
  check_modes([](auto v) { return logsumexp(v, axis<1>, keep_dims); }, x, at, {{3, 1}, {-inf, two, 3}}, "with the axis kept", 1e-6);
  check_graph_modes([](auto v) { return gradient(sum(logsumexp(v, axis<1>)), v); }, x, at,
                    {{3, 3}, {0, 0, 0, 0.5, 0, 0.5, 0, 1, 0}}, "its gradient", 1e-6);
  check_graph_modes([](auto v) { return gradient(sum(logsumexp(v, axis<1>, keep_dims)), v); }, x, at,
                    {{3, 3}, {0, 0, 0, 0.5, 0, 0.5, 0, 1, 0}}, "its gradient with the axis kept", 1e-6);
  check_modes([](auto v) { return logsumexp(v, axis<1>); }, x, matrix{{inf, 0}, {static_cast<float>(none), 0}, {-inf, 1}},
              {{3}, {inf, none, 1}}, "of inf and NaN", 1e-6);
}

TEST_CASE("law: in a cross entropy 0 log 0 is 0, its gradients too") {
  constexpr auto loss = nn::softmax_cross_entropy(x, labels);
  constexpr auto weighted = nn::weighted_softmax_cross_entropy(x, labels, 1_c);
  constexpr auto by_logits = gradient(sum(loss), x);
  constexpr auto by_labels = gradient(sum(loss), labels);
  const matrix logits = {{0, -inf, 0}, {-inf, 0, -inf}}, shares = {{0.25f, 0, 0.75f}, {0, 1, 0}};
  const double two = std::log(2.0);
  const auto check = [&](const auto& r, const std::string& mode) {
    check_described(described(std::get<0>(r)), {{2}, {two, 0}}, 1e-6, "the loss" + mode);
    check_described(described(std::get<1>(r)), {{2, 3}, {0.25, 0, -0.25, 0, 0, 0}}, 1e-6, "by the logits" + mode);
    check_described(described(std::get<2>(r)), {{2, 3}, {two, 0, two, 0, 0, 0}}, 1e-6, "by the labels" + mode);
    check_described(described(std::get<3>(r)), {{2}, {two, 0}}, 1e-6, "the weighted loss" + mode);
  };
  session s(loss, by_logits, by_labels, weighted);
  check(s.run(loss, by_logits, by_labels, weighted, x = logits, labels = shares), "");
  check(reference::run(loss, by_logits, by_labels, weighted, x = logits, labels = shares), " by the reference");
  const tensor<float, 2> now(logits), shares_now(shares);
  check_described(described(nn::softmax_cross_entropy(now, shares_now)), {{2}, {two, 0}}, 1e-6, "at once");
  // Where the label is not 0 the loss is infinite, as before; by a label of 0 whose class can be there is a slope.
  const matrix others = {{0, 1, 0}, {0.5f, 0.5f, 0}};
  const auto r = s.run(loss, by_logits, by_labels, weighted, x = logits, labels = others);
  check_described(described(std::get<0>(r)), {{2}, {inf, inf}}, 0, "of what cannot be");
  CHECK(std::get<2>(r)(0, 0) == doctest::Approx(two));
}

TEST_CASE("law: dropout at a rate of 1 is 0, and so is its gradient") {
  constexpr placeholder<"rate", float> rate;
  const matrix at = {{1, -2, 3}, {0, inf, 5}};
  check_modes([](auto v) { return dropout<"drop">(v, 1_c); }, x, at, zeros_of(at), "dropout");
  check_graph_modes([](auto v) { return gradient(sum(dropout<"drop">(v, 1_c)), v); }, x, at, zeros_of(at), "its gradient");
  constexpr auto y = dropout<"drop">(x, rate);
  constexpr auto slope = gradient(sum(y), x);
  session s(y, slope);
  const auto [value, of_rate] = s.run(y, slope, x = at, rate = 1.f);
  check_described(described(value), zeros_of(at), 0, "of a rate that is fed");
  check_described(described(of_rate), zeros_of(at), 0, "its gradient at a rate that is fed");
  check_described(described(dropout<"drop">(tensor<float, 2>(at), 1)), zeros_of(at), 0, "of a number");
  check_described(described(dropout<"drop">(tensor<float, 2>(at), 1.0)), zeros_of(at), 0, "of a double");
}
