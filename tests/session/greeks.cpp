// SPDX-License-Identifier: MIT
#include <cmath>
#include <tuple>

#include <doctest/doctest.h>

#include <etch/etch.hpp>

/// Many results of one chain of elementwise work: the price of a call and its derivatives, first and second, by gradients.
namespace etch {
namespace {

using namespace etch::literals;

constexpr int options = 37;  // no multiple of any vector

constexpr placeholder<"spot", double, options> spot;
constexpr placeholder<"strike", double, options> strike;
constexpr placeholder<"time", double, options> years;
constexpr placeholder<"rate", double, options> rate;
constexpr placeholder<"volatility", double, options> volatility;

constexpr auto normal(auto x) { return 0.5_c * (1_c + erf(x * 0.70710678118654752_c)); }
constexpr auto total = volatility * sqrt(years);
constexpr auto d1 = (log(spot / strike) + (rate + 0.5_c * volatility * volatility) * years) / total;
constexpr auto discounted = strike * exp(-rate * years);
constexpr auto call_price = spot * normal(d1) - discounted * normal(d1 - total);
constexpr auto put_price = call_price - spot + discounted;
constexpr auto first = gradients(sum(call_price), spot, strike, years, rate, volatility);
constexpr auto of_delta = gradients(sum(std::get<0>(first)), spot, volatility, years);
constexpr auto of_vega = gradients(sum(std::get<4>(first)), volatility);

TEST_CASE("OPTG-08: price and Greeks, 11 results of 5 operands, are one kernel") {
  constexpr auto plan = plan_of(call_price, put_price, std::get<0>(first), std::get<1>(first), std::get<2>(first),
                                std::get<3>(first), std::get<4>(first), std::get<0>(of_delta), std::get<1>(of_delta),
                                std::get<2>(of_delta), std::get<0>(of_vega), spot, strike, years, rate, volatility);
  CHECK(plan.kernel_count == 1);
  CHECK(plan.arena_bytes == 0);

  xt::xtensor<double, 1> s(std::array<std::size_t, 1>{options}), k = s, t = s, r = s, v = s;
  for (std::size_t i = 0; i < options; ++i) {
    const auto x = static_cast<double>(i);
    s(i) = 80 + 1.5 * x;
    k(i) = 120 - x;
    t(i) = 0.1 + 0.07 * x;
    r(i) = 0.05 - 0.002 * x;
    v(i) = 0.1 + 0.011 * x;
  }
  session on(call_price, put_price, std::get<0>(first), std::get<1>(first), std::get<2>(first), std::get<3>(first),
             std::get<4>(first), std::get<0>(of_delta), std::get<1>(of_delta), std::get<2>(of_delta), std::get<0>(of_vega));
  on.initialize();
  const auto [call, put, delta, dual, theta, rho, vega, gamma, vanna, charm, volga] =
      on.run(call_price, put_price, std::get<0>(first), std::get<1>(first), std::get<2>(first), std::get<3>(first),
             std::get<4>(first), std::get<0>(of_delta), std::get<1>(of_delta), std::get<2>(of_delta), std::get<0>(of_vega),
             spot = s, strike = k, years = t, rate = r, volatility = v);
  // The closed forms, with the standard library's functions.
  const auto distribution = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  const auto density = [](double x) { return std::exp(-x * x / 2) / std::sqrt(2 * 3.14159265358979323846); };
  for (std::size_t i = 0; i < options; ++i) {
    CAPTURE(i);
    const double root = std::sqrt(t(i)), a = (std::log(s(i) / k(i)) + (r(i) + v(i) * v(i) / 2) * t(i)) / (v(i) * root),
                 b = a - v(i) * root;
    const double discount = std::exp(-r(i) * t(i)), price = s(i) * distribution(a) - k(i) * discount * distribution(b);
    const auto near = [](double got, double expected) { return std::abs(got - expected) <= 1e-12 * (100 + std::abs(expected)); };
    CHECK(near(call(i), price));
    CHECK(near(put(i), price - s(i) + k(i) * discount));
    CHECK(near(delta(i), distribution(a)));
    CHECK(near(dual(i), -discount * distribution(b)));
    CHECK(near(theta(i), s(i) * density(a) * v(i) / (2 * root) + r(i) * k(i) * discount * distribution(b)));
    CHECK(near(rho(i), k(i) * t(i) * discount * distribution(b)));
    CHECK(near(vega(i), s(i) * density(a) * root));
    CHECK(near(gamma(i), density(a) / (s(i) * v(i) * root)));
    CHECK(near(vanna(i), -density(a) * b / v(i)));
    CHECK(near(charm(i), density(a) * (2 * r(i) * t(i) - b * v(i) * root) / (2 * t(i) * v(i) * root)));
    CHECK(near(volga(i), s(i) * density(a) * root * a * b / v(i)));
  }
}

}  // namespace
}  // namespace etch
