// SPDX-License-Identifier: MIT
#include "agrees.hpp"

/// Activations are Keras's.
namespace {

using namespace etch;
using namespace etch::literals;
using layers_test::agrees;
using layers_test::keras;

constexpr placeholder<"rows", float, any<"batch">, 7> rows;
constexpr placeholder<"eights", float, any<"batch">, 8> eights;
constexpr placeholder<"x", float, any<"batch">, 4, 3> x;

}  // namespace

#define ACTIVATION(NAME) agrees(layers::NAME(rows), rows, keras("activation_" #NAME));
TEST_CASE("KER-09: activations are Keras's, by exponentials") {
  ACTIVATION(elu)
  ACTIVATION(celu)
  ACTIVATION(exponential)
  ACTIVATION(gelu)
  ACTIVATION(log_sigmoid)
  ACTIVATION(log_softmax)
  ACTIVATION(mish)
  ACTIVATION(selu)
  ACTIVATION(sigmoid)
  ACTIVATION(silu)
  ACTIVATION(softmax)
  ACTIVATION(softplus)
  ACTIVATION(tanh)
  ACTIVATION(tanh_shrink)
  agrees(layers::elu(0.5_c)(rows), rows, keras("activation_elu_half"));
}
TEST_CASE("KER-09: activations are Keras's, by parts") {
  ACTIVATION(hard_sigmoid)
  ACTIVATION(hard_silu)
  ACTIVATION(hard_tanh)
  ACTIVATION(hard_shrink)
  ACTIVATION(soft_shrink)
  ACTIVATION(leaky_relu)
  ACTIVATION(relu6)
  ACTIVATION(softsign)
  ACTIVATION(squareplus)
  ACTIVATION(sparse_plus)
  ACTIVATION(sparse_sigmoid)
  agrees(layers::threshold(0.25_c, 2_c)(rows), rows, keras("activation_threshold"));
  agrees(layers::glu(eights), eights, keras("activation_glu"));
  agrees(layers::prelu(x), x, keras("prelu"), {"prelu/alpha"});
  agrees(layers::leaky_relu(0.1_c)(rows), rows, keras("activation_leaky_relu_tenth"));
}
// Not Keras's, whose rows do not sum to 1 (3.15).
TEST_CASE("KER-09: sparsemax is the nearest point of the simplex") {
  constexpr auto y = layers::sparsemax(rows);
  session s(y);
  xt::xtensor<float, 2> in = xt::zeros<float>({3, 7});
  const auto values = layers_test::filled(in.size(), 100, 1);
  std::copy(values.begin(), values.end(), in.begin());
  in(2, 0) = 5;
  const xt::xtensor<float, 2> out = s.run(y, rows = in);
  for (std::size_t r = 0; r < 3; ++r) {
    // What is kept has moved by one number; what is not lies below it.
    float total = 0, moved = 0;
    for (std::size_t i = 0; i < 7; ++i) {
      total += out(r, i);
      if (out(r, i) > 0) moved = in(r, i) - out(r, i);
    }
    CHECK(total == doctest::Approx(1));
    for (std::size_t i = 0; i < 7; ++i) {
      CHECK(out(r, i) >= 0);
      CHECK((out(r, i) > 0 ? std::abs(in(r, i) - out(r, i) - moved) < 1e-6f : in(r, i) <= moved + 1e-6f));
    }
  }
  CHECK(out(2, 0) == 1);
}
