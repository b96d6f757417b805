// SPDX-License-Identifier: MIT
#include <cmath>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/etch.hpp>
#include "reference/run.hpp"

/// Blocks by repeat against the same blocks written out.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", double, any<"n">, 3> x;

constexpr auto body = [](auto in, auto h) {
  const auto kernel = variable<in / "kernel">(random_normal<in / "kernel", double>(shape<3, 3>{}) * 0.5_c);
  const auto bias = variable<in / "bias">(zeros<double>(shape<3>{}));
  return h + etch::tanh(matmul(h, kernel) + bias);
};
template <int I>
constexpr auto written_block(auto h) {
  constexpr auto path = "block" / digits<I>;
  const auto kernel = variable<path / "kernel">(zeros<double>(shape<3, 3>{}));
  const auto bias = variable<path / "bias">(zeros<double>(shape<3>{}));
  return h + etch::tanh(matmul(h, kernel) + bias);
}

xt::xtensor<double, 2> rows(std::size_t n) {
  xt::xtensor<double, 2> v = xt::zeros<double>({n, std::size_t{3}});
  for (std::size_t i = 0; i < v.size(); ++i) v.data()[i] = std::sin(static_cast<double>(i) * 1.7);
  return v;
}
/// Block i of a variable of all blocks.
std::vector<double> part(const std::vector<double>& all, std::size_t i, std::size_t count) {
  return {all.begin() + static_cast<std::ptrdiff_t>(i * count), all.begin() + static_cast<std::ptrdiff_t>((i + 1) * count)};
}

}  // namespace

TEST_CASE("repeat: values and gradients are those of the blocks written out") {
  constexpr auto y = repeat<3, "block">(body, x);
  constexpr auto loss = sum(y * y);
  constexpr auto kernel = find_variable<"block/kernel">(y);
  constexpr auto bias = find_variable<"block/bias">(y);
  constexpr auto dk = gradient(loss, kernel);
  constexpr auto db = gradient(loss, bias);
  constexpr auto dx = gradient(loss, x);
  session s(y, dk, db, dx);
  s.initialize(4);
  const auto kernels = s.variables().at("block/kernel").get<double>();
  const auto biases = s.variables().at("block/bias").get<double>();
  REQUIRE(kernels.size() == 27);
  REQUIRE(biases.size() == 9);

  const auto written = written_block<2>(written_block<1>(written_block<0>(x)));
  const auto written_loss = sum(written * written);
  const auto [k0, k1, k2] = std::tuple{find_variable<"block/0/kernel">(written), find_variable<"block/1/kernel">(written),
                                       find_variable<"block/2/kernel">(written)};
  const auto b1 = find_variable<"block/1/bias">(written);
  const auto g0 = gradient(written_loss, k0);
  const auto g1 = gradient(written_loss, k1);
  const auto g2 = gradient(written_loss, k2);
  const auto h1 = gradient(written_loss, b1);
  const auto gx = gradient(written_loss, x);
  session w(written, g0, g1, g2, h1, gx);
  w.initialize();
  w.set(k0, part(kernels, 0, 9));
  w.set(k1, part(kernels, 1, 9));
  w.set(k2, part(kernels, 2, 9));
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{5}}) {
    const auto fed = rows(n);
    const auto [value, of_kernel, of_bias, of_x] = s.run(y, dk, db, dx, x = fed);
    const auto [value_w, w0, w1, w2, v1, wx] = w.run(written, g0, g1, g2, h1, gx, x = fed);
    REQUIRE(value.size() == value_w.size());
    for (std::size_t i = 0; i < value.size(); ++i) CHECK(value.data()[i] == doctest::Approx(value_w.data()[i]).epsilon(1e-13));
    for (std::size_t i = 0; i < 9; ++i) {
      CHECK(of_kernel.data()[i] == doctest::Approx(w0.data()[i]).epsilon(1e-12));
      CHECK(of_kernel.data()[9 + i] == doctest::Approx(w1.data()[i]).epsilon(1e-12));
      CHECK(of_kernel.data()[18 + i] == doctest::Approx(w2.data()[i]).epsilon(1e-12));
    }
    for (std::size_t i = 0; i < 3; ++i) CHECK(of_bias.data()[3 + i] == doctest::Approx(v1.data()[i]).epsilon(1e-12));
    for (std::size_t i = 0; i < of_x.size(); ++i) CHECK(of_x.data()[i] == doctest::Approx(wx.data()[i]).epsilon(1e-12));
  }
}

TEST_CASE("repeat: with recompute, gradients are the same") {
  constexpr auto loss = sum(repeat<4, "block">(body, x));
  constexpr auto again = sum(repeat<4, "block">(body, x, recompute));
  constexpr auto kernel = find_variable<"block/kernel">(loss);
  constexpr auto dk = gradient(loss, kernel);
  constexpr auto dk_again = gradient(again, kernel);
  session s(dk, dk_again);
  s.initialize(1);
  const auto [a, b] = s.run(dk, dk_again, x = rows(4));
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(a.data()[i] == doctest::Approx(b.data()[i]).epsilon(1e-13));
}

TEST_CASE("repeat: blocks start apart, by the same distribution; constants are constants") {
  constexpr auto y = repeat<64, "block">(
      [](auto in, auto h) {
        const auto kernel = variable<in / "kernel">(random_normal<in / "kernel", double>(shape<3, 3>{}) * 0.5_c + 1_c);
        const auto scale = variable<in / "scale">(ones<double>(shape<3>{}) * 2_c);
        return matmul(h, kernel) * scale;
      },
      x);
  session s(y);
  s.initialize(9);
  const auto kernels = s.variables().at("block/kernel").get<double>();
  REQUIRE(kernels.size() == 576);
  CHECK(s.variables().at("block/kernel").shape()[0] == 64);
  double mean = 0, variance = 0;
  for (const double k : kernels) mean += k / 576;
  for (const double k : kernels) variance += (k - mean) * (k - mean) / 576;
  // Standard errors of 576 draws: 0.021 of the mean, 0.0147 of the variance 0.25. Five of them.
  CHECK(std::abs(mean - 1) < 0.105);
  CHECK(std::abs(variance - 0.25) < 0.074);
  for (std::size_t i = 0; i < 9; ++i) CHECK(kernels[i] != kernels[9 + i]);
  for (const double v : s.variables().at("block/scale").get<double>()) CHECK(v == 2.0);
}

TEST_CASE("repeat: layers, a tuple as state, variables that all blocks share") {
  constexpr auto shared = variable<"shared">(full<double>(shape<>{}, 2_c));
  constexpr auto result = repeat<5, "block">(
      [=](auto in, auto state) {
        const auto [a, b] = state;
        const auto w = variable<in / "w">(random_uniform<in / "w", double>(shape<>{}));
        return std::tuple{b + 0_c * a, a * w + shared};
      },
      std::tuple{sum(x), sum(x) * 2_c});
  constexpr auto first = std::get<0>(result);
  constexpr auto second = std::get<1>(result);
  constexpr auto slope = gradient(second, shared);
  session s(first, second, slope);
  s.initialize(2);
  const auto w = s.variables().at("block/w").get<double>();
  REQUIRE(w.size() == 5);
  xt::xtensor<double, 2> fed = xt::ones<double>({1, 3});
  const auto [a, b, da] = s.run(first, second, slope, x = fed);
  double p = 3, q = 6, dp = 0, dq = 0;
  for (const double v : w) {
    std::tie(dp, dq) = std::pair{dq, dp * v + 1};
    std::tie(p, q) = std::pair{q, p * v + 2.};
  }
  CHECK(a == doctest::Approx(p));
  CHECK(b == doctest::Approx(q));
  CHECK(da == doctest::Approx(dq));
}

TEST_CASE("repeat: without variables, once, and not at all") {
  session s(repeat<10, "a">([](auto, auto h) { return h * 2_c; }, x), repeat<1, "b">(body, x), repeat<0, "c">(body, x));
  s.initialize();
  const auto fed = rows(2);
  const auto doubled = s.run(repeat<10, "a">([](auto, auto h) { return h * 2_c; }, x), x = fed);
  CHECK(doubled == fed * 1024.);
  const auto none = s.run(repeat<0, "c">(body, x), x = fed);
  CHECK(none == fed);
  CHECK(s.run(repeat<1, "b">(body, x), x = fed) != fed);
}

TEST_CASE("repeat in repeat: a variable for each pair") {
  constexpr auto y = repeat<2, "outer">(
      [](auto in, auto h) {
        const auto scale = variable<in / "scale">(random_uniform<in / "scale", double>(shape<>{}));
        return repeat<3, in / "inner">(
                   [](auto at, auto k) {
                     const auto w = variable<at / "w">(random_uniform<at / "w", double>(shape<>{}));
                     return k * w + 1_c;
                   },
                   h) *
               scale;
      },
      sum(x));
  constexpr auto w = find_variable<"outer/inner/w">(y);
  constexpr auto dw = gradient(y, w);
  session s(y, dw);
  s.initialize(3);
  const auto ws = s.variables().at("outer/inner/w").get<double>();
  const auto scales = s.variables().at("outer/scale").get<double>();
  REQUIRE(s.variables().at("outer/inner/w").shape().size() == 2);
  REQUIRE(ws.size() == 6);
  const auto value_of = [&](const std::vector<double>& v) {
    double h = 3;
    for (std::size_t o = 0; o < 2; ++o) {
      for (std::size_t i = 0; i < 3; ++i) h = h * v[3 * o + i] + 1;
      h *= scales[o];
    }
    return h;
  };
  xt::xtensor<double, 2> fed = xt::ones<double>({1, 3});
  const auto [value, slope] = s.run(y, dw, x = fed);
  CHECK(value == doctest::Approx(value_of(ws)));
  for (std::size_t i = 0; i < 6; ++i) {
    auto up = ws, down = ws;
    up[i] += 1e-6;
    down[i] -= 1e-6;
    CHECK(slope.data()[i] == doctest::Approx((value_of(up) - value_of(down)) / 2e-6).epsilon(1e-6));
  }
}

TEST_CASE("repeat: a training of 2,000 steps follows that of the blocks written out") {
  constexpr auto loss = mean(square(repeat<3, "block">(body, x) - 0.25_c));
  constexpr auto train = optimizers::sgd(0.05_c).minimize(loss);
  session s(loss, train);
  s.initialize(4);
  const auto kernels = s.variables().at("block/kernel").get<double>();
  constexpr auto y = written_block<2>(written_block<1>(written_block<0>(x)));
  constexpr auto written_loss = mean(square(y - 0.25_c));
  constexpr auto written_train = optimizers::sgd(0.05_c).minimize(written_loss);
  session w(written_loss, written_train);
  w.initialize();
  w.set<"block/0/kernel">(part(kernels, 0, 9));
  w.set<"block/1/kernel">(part(kernels, 1, 9));
  w.set<"block/2/kernel">(part(kernels, 2, 9));
  const auto fed = rows(6);
  double a = 0, b = 0;
  for (int i = 0; i < 2000; ++i) {
    a = s.run(loss, train, x = fed);
    b = w.run(written_loss, written_train, x = fed);
    if (i % 250 == 0) CHECK(a == doctest::Approx(b).epsilon(1e-9));
  }
  CHECK(a == doctest::Approx(b).epsilon(1e-9));
  CHECK(a < 0.02);
}

TEST_CASE("repeat: the plan of 2 blocks has as many kernels as that of 200") {
  constexpr auto of_2 = sum(repeat<2, "block">(body, x));
  constexpr auto of_200 = sum(repeat<200, "block">(body, x));
  constexpr auto train_2 = optimizers::sgd(0.1_c).minimize(of_2);
  constexpr auto train_200 = optimizers::sgd(0.1_c).minimize(of_200);
  static_assert(plan_of(train_2, x).kernel_count == plan_of(train_200, x).kernel_count);
  static_assert(plan_of(train_2, x).nodes_after == plan_of(train_200, x).nodes_after);
}
