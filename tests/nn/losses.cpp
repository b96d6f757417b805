// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include <xtensor/xview.hpp>

#include <etch/etch.hpp>

// Expected values are worked out by hand or by plain loops in long double.
using namespace etch::literals;
using etch::any;

namespace {

using real = long double;
using matrix = xt::xtensor<double, 2>;
using column = xt::xtensor<double, 1>;

constexpr etch::placeholder<"logits", double, any<"batch">, 3> logits;
constexpr etch::placeholder<"targets", double, any<"batch">, 3> targets;
constexpr etch::placeholder<"classes", std::int32_t, any<"batch">> classes;

bool near(real value, real expected) { return std::abs(value - expected) <= 1e-14L * (1 + std::abs(expected)); }

/// softmax(row r of z)[c], by its definition: only for logits whose exponentials are finite.
real softmax_at(const matrix& z, std::size_t r, std::size_t c) {
  real total = 0;
  for (std::size_t k = 0; k < z.shape()[1]; ++k) total += std::exp(real(z(r, k)));
  return std::exp(real(z(r, c))) / total;
}

const matrix moderate = {{1, 2, 3}, {0, 0, 0}, {-1.5, 0.25, 4}, {2, 2, -7}};
constexpr double log_2 = 0.693147180559945309;

}  // namespace

TEST_SUITE("losses") {
  TEST_CASE("mean squared error: the mean over all elements, and its gradients") {
    const auto loss = etch::nn::mean_squared_error(logits, targets);
    const auto [by_logits, by_targets] = etch::gradients(loss, logits, targets);
    etch::session s(loss, by_logits, by_targets);
    const auto [value, g, h] =
        s.run(loss, by_logits, by_targets, logits = {{1, 2, 3}, {4, 5, 6}}, targets = {{1, 0, 6}, {4, 4, 2}});
    // 0 + 4 + 9 + 0 + 1 + 16 = 30, over 6 elements.
    CHECK(near(value, 5));
    const matrix expected = {{0, 2 / 3., -1}, {0, 1 / 3., 4 / 3.}};
    for (std::size_t r = 0; r < 2; ++r)
      for (std::size_t c = 0; c < 3; ++c) {
        CHECK(near(g(r, c), expected(r, c)));
        CHECK(near(h(r, c), -expected(r, c)));
      }
    CHECK(s.run(loss, logits = {{7, 8, 9}}, targets = {{7, 8, 9}}) == 0);
    CHECK(near(s.run(loss, logits = {{1000, 0, 0}}, targets = {{-1000, 0, 0}}), 4e6L / 3));
  }

  TEST_CASE("mean squared error: of a number") {
    constexpr etch::placeholder<"one", double> one;
    const auto loss = etch::nn::mean_squared_error(one, 3_c);
    etch::session s(loss);
    CHECK(s.run(loss, one = 5.0) == 4);
  }

  TEST_CASE("sigmoid cross entropy: -z log(sigmoid(x)) - (1 - z) log(1 - sigmoid(x)); its gradient is sigmoid(x) - z") {
    const auto loss = etch::nn::sigmoid_cross_entropy(logits, targets);
    const auto [by_logits, by_targets] = etch::gradients(etch::sum(loss), logits, targets);
    etch::session s(loss, by_logits, by_targets);
    const matrix labels = {{0, 1, 0.25}, {0.5, 0.5, 0.5}, {1, 0, 0.9}, {1, 0, 1}};
    const matrix values = {{1, 2, 3}, {0.125, -0.25, 1e-9}, {-1.5, 0.25, 4}, {2, 2, -7}};
    const auto [value, g, h] = s.run(loss, by_logits, by_targets, logits = values, targets = labels);
    for (std::size_t r = 0; r < 4; ++r)
      for (std::size_t c = 0; c < 3; ++c) {
        const real x = values(r, c), z = labels(r, c), p = 1 / (1 + std::exp(-x));
        CHECK(near(value(r, c), -z * std::log(p) - (1 - z) * std::log(1 - p)));
        CHECK(near(g(r, c), p - z));
        CHECK(near(h(r, c), -x));
      }
  }

  TEST_CASE("sigmoid cross entropy: at logit 0 the loss is log 2 for every label, the gradient 1/2 less the label") {
    const auto loss = etch::nn::sigmoid_cross_entropy(logits, targets);
    const auto by_logits = etch::gradient(etch::sum(loss), logits);
    etch::session s(loss, by_logits);
    const auto [value, g] = s.run(loss, by_logits, logits = {{0, 0, 0}}, targets = {{0, 0.25, 1}});
    for (std::size_t c = 0; c < 3; ++c) CHECK(near(value(0, c), log_2));
    CHECK(g == matrix{{0.5, 0.25, -0.5}});
  }

  TEST_CASE("sigmoid cross entropy: logits of +-100 and +-1000 neither overflow nor lose what is small") {
    const auto loss = etch::nn::sigmoid_cross_entropy(logits, targets);
    const auto by_logits = etch::gradient(etch::sum(loss), logits);
    etch::session s(loss, by_logits);
    const auto [value, g] = s.run(loss, by_logits, logits = {{100, -100, 1000}, {-1000, 1000, -1000}, {100, -100, 1000}},
                                  targets = {{1, 0, 1}, {0, 0, 1}, {0, 1, 0.5}});
    // log(1 + e^-100) is e^-100 to 43 digits.
    const double tail = std::exp(-100.0);
    CHECK(value(0, 0) / tail == doctest::Approx(1).epsilon(1e-13));
    CHECK(value(0, 1) / tail == doctest::Approx(1).epsilon(1e-13));
    CHECK(value(0, 2) == 0);
    CHECK(xt::view(value, 1) == column{0, 1000, 1000});
    CHECK(xt::view(value, 2) == column{100, 100, 500});
    CHECK(xt::view(g, 1) == column{0, 1, -1});
    CHECK(xt::view(g, 2) == column{1, -1, 0.5});
    CHECK(g(0, 0) / -tail == doctest::Approx(1).epsilon(1e-13));
    CHECK(g(0, 1) / tail == doctest::Approx(1).epsilon(1e-13));
  }

  TEST_CASE("softmax cross entropy: -sum(y log softmax(z)); its gradient is sum(y) softmax(z) - y") {
    const auto loss = etch::nn::softmax_cross_entropy(logits, targets);
    const auto by_logits = etch::gradient(etch::sum(loss), logits);
    etch::session s(loss, by_logits);
    // The last row is no distribution.
    const matrix y = {{0, 0, 1}, {0.5, 0.25, 0.25}, {1, 0, 0}, {0.5, 1, 0.5}};
    const auto [value, g] = s.run(loss, by_logits, logits = moderate, targets = y);
    REQUIRE(value.size() == 4);
    for (std::size_t r = 0; r < 4; ++r) {
      real expected = 0, total = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        expected -= real(y(r, c)) * std::log(softmax_at(moderate, r, c));
        total += real(y(r, c));
      }
      CHECK(near(value(r), expected));
      for (std::size_t c = 0; c < 3; ++c) CHECK(near(g(r, c), total * softmax_at(moderate, r, c) - real(y(r, c))));
    }
    // log(e^1 + e^2 + e^3) - 3.
    CHECK(value(0) == doctest::Approx(0.40760596444438).epsilon(1e-13));
  }

  TEST_CASE("LOS-01: sparse softmax cross entropy: -log(softmax(z)[label]); its gradient is softmax(z) - one_hot") {
    const auto loss = etch::nn::sparse_softmax_cross_entropy(logits, classes);
    const auto mean_by_logits = etch::gradient(etch::mean(loss), logits);
    etch::session s(loss, mean_by_logits);
    for (std::int32_t shift = 0; shift < 3; ++shift) {
      const xt::xtensor<std::int32_t, 1> label = {shift, (1 + shift) % 3, (2 + shift) % 3, shift};
      const auto [value, g] = s.run(loss, mean_by_logits, logits = moderate, classes = label);
      REQUIRE(value.size() == 4);
      for (std::size_t r = 0; r < 4; ++r) {
        const auto picked = static_cast<std::size_t>(label(r));
        CHECK(near(value(r), -std::log(softmax_at(moderate, r, picked))));
        for (std::size_t c = 0; c < 3; ++c) CHECK(near(g(r, c), (softmax_at(moderate, r, c) - (c == picked ? 1 : 0)) / 4));
      }
    }
  }

  TEST_CASE("LOS-01: softmax cross entropies: logits of +-100 and +-1000 neither overflow nor give nan") {
    const auto dense = etch::nn::softmax_cross_entropy(logits, targets);
    const auto sparse = etch::nn::sparse_softmax_cross_entropy(logits, classes);
    const auto dense_gradient = etch::gradient(etch::sum(dense), logits);
    const auto sparse_gradient = etch::gradient(etch::sum(sparse), logits);
    etch::session s(dense, sparse, dense_gradient, sparse_gradient);
    const auto [d, p, dg, pg] = s.run(dense, sparse, dense_gradient, sparse_gradient,
                                      logits = {{1000, 0, -1000}, {1000, 0, -1000}, {100, -100, 100}, {-1000, -1000, -1000}},
                                      targets = {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 0, 1}}, classes = {0, 2, 1, 2});
    const matrix gradient = {{0, 0, 0}, {1, 0, -1}, {0.5, -1, 0.5}, {1 / 3., 1 / 3., -2 / 3.}};
    const column expected = {0, 2000, 200 + log_2, std::log(3.0)};
    for (std::size_t r = 0; r < 4; ++r) {
      CHECK(near(d(r), expected(r)));
      CHECK(near(p(r), expected(r)));
      for (std::size_t c = 0; c < 3; ++c) {
        CHECK(near(dg(r, c), gradient(r, c)));
        CHECK(near(pg(r, c), gradient(r, c)));
      }
    }
  }

  TEST_CASE("LOS-01: in float, too, large logits give finite losses and gradients") {
    constexpr etch::placeholder<"z", float, any<"batch">, 2> z;
    constexpr etch::placeholder<"y", float, any<"batch">, 2> y;
    constexpr etch::placeholder<"label", std::int64_t, any<"batch">> label;
    const auto dense = etch::nn::softmax_cross_entropy(z, y);
    const auto sparse = etch::nn::sparse_softmax_cross_entropy(z, label);
    const auto sigmoid = etch::nn::sigmoid_cross_entropy(z, y);
    const auto total = etch::sum(dense) + etch::sum(sparse) + etch::sum(sigmoid);
    const auto g = etch::gradient(total, z);
    etch::session s(dense, sparse, sigmoid, g);
    const auto [d, p, b, slope] =
        s.run(dense, sparse, sigmoid, g, z = {{1000, -1000}, {-100, 100}}, y = {{0, 1}, {0, 1}}, label = {1, 1});
    CHECK(d == xt::xtensor<float, 1>{2000, 0});
    CHECK(p == xt::xtensor<float, 1>{2000, 0});
    CHECK(xt::view(b, 0) == xt::xtensor<float, 1>{1000, 1000});
    CHECK(b(1, 0) < 1e-38f);
    CHECK(b(1, 1) < 1e-38f);
    // Row 0: 1 + 1 - 0 from the two softmaxes, sigmoid - y = 1 and -1. Row 1 has nothing left to learn.
    CHECK(xt::view(slope, 0) == xt::xtensor<float, 1>{3, -3});
    for (std::size_t c = 0; c < 2; ++c) CHECK(std::abs(slope(1, c)) < 1e-38f);
  }

  TEST_CASE("LOS-01: a batch of one, and one class only") {
    constexpr etch::placeholder<"z", double, any<"batch">, 1> z;
    constexpr etch::placeholder<"y", double, any<"batch">, 1> y;
    const auto dense = etch::nn::softmax_cross_entropy(z, y);
    const auto sparse = etch::nn::sparse_softmax_cross_entropy(z, classes);
    const auto g = etch::gradient(etch::sum(dense) + etch::sum(sparse), z);
    const auto wide = etch::nn::sparse_softmax_cross_entropy(logits, classes);
    etch::session s(dense, sparse, g, wide);
    const auto [d, p, slope] = s.run(dense, sparse, g, z = {{5}, {-1000}}, y = {{1}, {1}}, classes = {0, 0});
    CHECK(d == column{0, 0});
    CHECK(p == column{0, 0});
    CHECK(slope == matrix{{0}, {0}});
    const column one = s.run(wide, logits = {{0, 0, 0}}, classes = {1});
    REQUIRE(one.size() == 1);
    CHECK(near(one(0), std::log(3.0L)));
  }

  TEST_CASE("LOS-01: losses are along the last axis, whatever lies before it") {
    constexpr etch::placeholder<"z", double, any<"batch">, 2, 3> z;
    constexpr etch::placeholder<"y", double, any<"batch">, 2, 3> y;
    constexpr etch::placeholder<"label", std::uint8_t, any<"batch">, 2> label;
    const auto dense = etch::nn::softmax_cross_entropy(z, y);
    const auto sparse = etch::nn::sparse_softmax_cross_entropy(z, label);
    etch::session s(dense, sparse);
    xt::xtensor<double, 3> values = xt::zeros<double>({2, 2, 3}), one_hot = values;
    const xt::xtensor<std::uint8_t, 2> picked = {{0, 1}, {2, 1}};
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t t = 0; t < 2; ++t) {
        for (std::size_t c = 0; c < 3; ++c) values(b, t, c) = moderate(2 * b + t, c);
        one_hot(b, t, picked(b, t)) = 1;
      }
    const auto [d, p] = s.run(dense, sparse, z = values, y = one_hot, label = picked);
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t t = 0; t < 2; ++t) {
        const real expected = -std::log(softmax_at(moderate, 2 * b + t, picked(b, t)));
        CHECK(near(d(b, t), expected));
        CHECK(near(p(b, t), expected));
      }
  }

  TEST_CASE("LOS-01: a label that is no class picks nothing") {
    const auto loss = etch::nn::sparse_softmax_cross_entropy(logits, classes);
    etch::session s(loss);
    const column value = s.run(loss, logits = {{1, 2, 3}, {1, 2, 3}}, classes = {-1, 3});
    const real expected = std::log(1 + std::exp(-1.0L) + std::exp(-2.0L));
    for (std::size_t r = 0; r < 2; ++r) CHECK(near(value(r), expected));
  }
}
