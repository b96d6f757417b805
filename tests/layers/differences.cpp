// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <etch/layers/attention.hpp>
#include <etch/layers/bidirectional.hpp>

#include "base/larger.hpp"

/// Gradients of layers of doubles, with respect to each of their variables, are what differences of their values say; orthogonal matrices.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", double, 2, 3, 4> x;

/// By how much the gradient of each variable is off that of differences, at most; the step of descent by 1 is the gradient.
template <class Y>
double farthest_from_differences(Y) {
  constexpr auto loss = sum(square(Y{}));
  constexpr auto step = optimizers::sgd(1_c).minimize(loss);
  session s(loss, step);
  s.initialize(11);
  xt::xtensor<double, 3> in = xt::zeros<double>({2, 3, 4});
  for (std::size_t i = 0; i < in.size(); ++i) in.data()[i] = std::sin(0.7 * static_cast<double>(i) + 0.3);
  auto variables = s.variables();
  std::vector<std::vector<double>> before, gradients;
  for (auto v : variables) before.push_back(v.template get<double>());
  s.run(step, x = in);
  for (std::size_t k = 0; auto v : variables) {
    gradients.push_back(v.template get<double>());
    for (std::size_t i = 0; i < gradients.back().size(); ++i) gradients.back()[i] = before[k][i] - gradients.back()[i];
    ++k;
  }
  for (std::size_t k = 0; auto v : variables) v.set(before[k++]);
  double farthest = 0;
  for (std::size_t k = 0; auto v : variables) {
    for (std::size_t i = 0; i < before[k].size(); i += 5) {
      std::vector<double> moved = before[k];
      moved[i] += 1e-5;
      v.set(moved);
      const double above = s.run(loss, x = in);
      moved[i] -= 2e-5;
      v.set(moved);
      const double below = s.run(loss, x = in);
      farthest = larger_or_nan(farthest, std::abs((above - below) / 2e-5 - gradients[k][i]));
      v.set(before[k]);
    }
    ++k;
  }
  return farthest;
}

}  // namespace

TEST_CASE("layers: gradients of recurrent layers are those of differences") {
  CHECK(farthest_from_differences(layers::bidirectional(layers::lstm<3>(layers::return_sequences))(x)) < 1e-7);
  CHECK(farthest_from_differences(layers::gru<3>(layers::go_backwards)(x)) < 1e-7);
}
TEST_CASE("layers: gradients of attention are those of differences") {
  CHECK(farthest_from_differences(layers::multi_head_attention<2, 4>(etch::causal, layers::rotary_positions)(x)) < 1e-7);
}
TEST_CASE("layers: orthogonal matrices have orthonormal rows, or columns where these are fewer") {
  constexpr auto wide = variable<"wide">(shape<32, 96>{}, initializers::orthogonal);
  constexpr auto square_one = variable<"square">(shape<64, 64>{}, initializers::orthogonal);
  constexpr auto tall = variable<"tall">(shape<40, 10>{}, initializers::orthogonal);
  constexpr auto of_wide = matmul(wide, matrix_transpose(wide));
  constexpr auto of_square = matmul(square_one, matrix_transpose(square_one));
  constexpr auto of_tall = matmul(matrix_transpose(tall), tall);
  session s(of_wide, of_square, of_tall);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    s.initialize(seed);
    const auto check = [](const xt::xtensor<float, 2>& a) {
      float farthest = 0;
      for (std::size_t i = 0; i < a.shape()[0]; ++i)
        for (std::size_t k = 0; k < a.shape()[1]; ++k) farthest = larger_or_nan(farthest, std::abs(a(i, k) - (i == k ? 1.f : 0.f)));
      CHECK(farthest < 1e-5f);
    };
    check(s.run(of_wide));
    check(s.run(of_square));
    check(s.run(of_tall));
  }
}
