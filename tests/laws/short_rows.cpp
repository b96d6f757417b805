// SPDX-License-Identifier: MIT
#include "compare.hpp"

/// "Rows of any number of elements up to where they are no longer short": vectors lie across such rows, in whole tiles and in a last
/// one of fewer rows, and what is swept goes by groups of elements that divide a row or do not.
namespace {

using namespace etch;
using namespace etch::literals;

template <int Length>
void check_rows_of() {
  constexpr placeholder<"x", double, any<"rows">, Length> x;
  constexpr placeholder<"weight", double, any<"rows">> weight;
  constexpr auto of_row = expand_dims(weight, axis<1>);
  constexpr auto light = sum(x, axis<1>);
  constexpr auto heavy = sum(of_row * etch::sin(of_row + etch::exp(x)), axis<1>);
  constexpr auto largest = max(x, axis<1>);
  constexpr auto several = softmax(x * 0.5_c);
  session s(light, heavy, largest, several);
  for (const int rows : {1, 7, 8, 15, 16, 17, 31, 32, 33, 100}) {
    const auto n = static_cast<std::size_t>(rows), length = static_cast<std::size_t>(Length);
    auto values = xt::xtensor<double, 2>::from_shape({n, length});
    auto weights = xt::xtensor<double, 1>::from_shape({n});
    std::mt19937 random(static_cast<unsigned>(17 * rows + Length));
    std::uniform_real_distribution<double> number(-2, 2);
    for (double& v : values) v = number(random);
    for (double& w : weights) w = number(random);
    const auto [sums, weighted, maxima, shares] = s.run(light, heavy, largest, several, x = values, weight = weights);
    for (std::size_t r = 0; r < n; ++r) {
      double total = 0, of_weights = 0, most = values(r, 0), exponentials = 0;
      for (std::size_t j = 0; j < length; ++j) {
        total += values(r, j);
        of_weights += weights(r) * std::sin(weights(r) + std::exp(values(r, j)));
        most = std::max(most, values(r, j));
        exponentials += std::exp(0.5 * values(r, j));
      }
      CAPTURE(rows);
      CAPTURE(r);
      REQUIRE(std::abs(sums(r) - total) <= 1e-13 * Length);
      REQUIRE(std::abs(weighted(r) - of_weights) <= 1e-13 * Length);
      REQUIRE(maxima(r) == most);
      for (std::size_t j = 0; j < length; ++j)
        REQUIRE(std::abs(shares(r, j) - std::exp(0.5 * values(r, j)) / exponentials) <= 1e-14);
    }
  }
}

}  // namespace

TEST_CASE("law: short rows, few and many of them") {
  check_rows_of<1>();
  check_rows_of<3>();
  check_rows_of<5>();
  check_rows_of<7>();
  check_rows_of<8>();
  check_rows_of<10>();
  check_rows_of<11>();
  check_rows_of<12>();
  check_rows_of<15>();
  check_rows_of<cpu::target::description.short_row>();
  check_rows_of<cpu::target::description.short_row + 1>();
}
