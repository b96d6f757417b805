// SPDX-License-Identifier: MIT
// Gradients are expressions: of first order, of second order, by variables and by placeholders.
#include <cmath>
#include <cstdio>

#include <etch/etch.hpp>

using namespace etch::literals;

int main() {
  constexpr etch::placeholder<"x", double> x;
  constexpr auto y = x * x * x;
  constexpr auto first = etch::gradient(y, x);
  constexpr auto second = etch::gradient(first, x);

  etch::session session(y, first, second);
  const auto [value, slope, curvature] = session.run(y, first, second, x = 2.0);
  std::printf("x^3 at 2: %g, first derivative %g, second %g\n", value, slope, curvature);

  // A line through five points by gradient descent on normalised years and prices.
  constexpr etch::placeholder<"year", double, 5> year;
  constexpr etch::placeholder<"price", double, 5> price;
  constexpr auto a = etch::variable<"a">(etch::zeros<double>(etch::shape<>{}));
  constexpr auto b = etch::variable<"b">(etch::zeros<double>(etch::shape<>{}));
  constexpr auto loss = 0.5_c * etch::sum(etch::square(a * year + b - price));
  constexpr auto train = etch::optimizers::sgd(1e-3_c).minimize(loss);

  etch::session regression(loss, train);
  regression.initialize();
  const xt::xtensor<double, 1> years = {0, 0.25, 0.5, 0.75, 1};
  const xt::xtensor<double, 1> prices = {0, 2000 / 5500., 3000 / 5500., 4500 / 5500., 1};
  auto step = regression.bind(train, year = years, price = prices);
  for (int i = 0; i < 10000; ++i) step();
  std::printf("after 10000 steps: a = %.8f, b = %.8f\n", regression.get(a), regression.get(b));
  const bool right = std::abs(regression.get(a) - 0.97637021) < 1e-7 && std::abs(regression.get(b) - 0.05756498) < 1e-7;
  return value == 8 && slope == 12 && curvature == 12 && right ? 0 : 1;
}
