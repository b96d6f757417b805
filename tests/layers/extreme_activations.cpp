// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/layers.hpp>

/// Slopes of activations far from 0, where exponentials leave float32: closed forms.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, 4> x;

/// At -1000, -100, 100 and 1000.
template <class Activation>
void check_slopes(const char* name, Activation activation, std::array<double, 4> expected) {
  INFO(name);
  constexpr auto y = Activation{}(x);
  constexpr auto slopes = gradient(sum(y), x);
  session s(slopes);
  const auto found = s.run(slopes, x = {-1000.0f, -100.0f, 100.0f, 1000.0f});
  for (std::size_t i = 0; i < 4; ++i) CHECK(double{found(i)} == doctest::Approx(expected[i]).epsilon(1e-6));
  (void)activation;
}

}  // namespace

TEST_CASE("slopes of activations where exponentials overflow") {
  check_slopes("relu", layers::relu, {0, 0, 1, 1});
  check_slopes("sigmoid", layers::sigmoid, {0, 0, 0, 0});
  check_slopes("tanh", layers::tanh, {0, 0, 0, 0});
  check_slopes("softplus", layers::softplus, {0, 0, 1, 1});
  check_slopes("gelu", layers::gelu, {0, 0, 1, 1});
  check_slopes("silu", layers::silu, {0, 0, 1, 1});
  check_slopes("mish", layers::mish, {0, 0, 1, 1});
  check_slopes("relu6", layers::relu6, {0, 0, 0, 0});
  check_slopes("softsign", layers::softsign, {1 / (1001. * 1001), 1 / (101. * 101), 1 / (101. * 101), 1 / (1001. * 1001)});
  check_slopes("log_sigmoid", layers::log_sigmoid, {1, 1, 0, 0});
  check_slopes("hard_sigmoid", layers::hard_sigmoid, {0, 0, 0, 0});
  check_slopes("hard_silu", layers::hard_silu, {0, 0, 1, 1});
  check_slopes("hard_tanh", layers::hard_tanh, {0, 0, 0, 0});
  check_slopes("tanh_shrink", layers::tanh_shrink, {1, 1, 1, 1});
  check_slopes("hard_shrink", layers::hard_shrink, {1, 1, 1, 1});
  check_slopes("soft_shrink", layers::soft_shrink, {1, 1, 1, 1});
  check_slopes("sparse_plus", layers::sparse_plus, {0, 0, 1, 1});
  check_slopes("sparse_sigmoid", layers::sparse_sigmoid, {0, 0, 0, 0});
}
TEST_CASE("slopes of the exponential linear units") {
  check_slopes("leaky_relu", layers::leaky_relu, {0.2, 0.2, 1, 1});
  check_slopes("elu", layers::elu, {0, 0, 1, 1});
  check_slopes("celu", layers::celu, {0, 0, 1, 1});
  check_slopes("celu of 0.5", layers::celu(0.5_c), {0, 0, 1, 1});
  check_slopes("selu", layers::selu, {0, 0, 1.0507009873554805, 1.0507009873554805});
}
