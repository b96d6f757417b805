// SPDX-License-Identifier: MIT
#include <nn/regression.hpp>

/// Each optimizer beside Keras or PyTorch, over 200 steps.
using namespace etch::literals;
using regression::check;
namespace optimizers = etch::optimizers;

TEST_CASE("OPT-05: sgd, momentum and nesterov are Keras's or PyTorch's") {
  check("sgd", optimizers::sgd(0.05_c));
  check("momentum", optimizers::momentum(0.02_c));
  check("nesterov", optimizers::nesterov(0.02_c, 0.8_c));
  check("nesterov of keras", optimizers::nesterov(0.02_c, 0.8_c));
}
TEST_CASE("OPT-01: adam and what was made of it are Keras's; nadam PyTorch's, too") {
  check("adam", optimizers::adam(0.01_c));
  check("adamw", optimizers::adamw(0.01_c, 0.1_c));
  check("adamax", optimizers::adamax(0.02_c));
  check("nadam", optimizers::nadam(0.01_c));
  // PyTorch has the product of its weights in float.
  check("nadam of torch", optimizers::nadam(0.01_c, 0.9_c, 0.999_c, 1e-8_c, 0.9797958971132712_c), 1e-6);
  check("lion", optimizers::lion(0.003_c));
  check("lamb", optimizers::lamb(0.02_c).weight_decay(0.1_c));
}
TEST_CASE("OPT: rmsprop, adagrad, adadelta and ftrl are Keras's") {
  check("rmsprop", optimizers::rmsprop(0.01_c));
  check("rmsprop with momentum", optimizers::rmsprop(0.01_c, 0.8_c, 0.7_c, 1e-3_c));
  check("adagrad", optimizers::adagrad(0.1_c));
  check("adagrad of torch", optimizers::adagrad(0.1_c, 0.5_c, 0_c));
  check("adadelta", optimizers::adadelta(1_c));
  check("adadelta of torch", optimizers::adadelta(0.5_c, 0.9_c, 1e-6_c));
  check("ftrl", optimizers::ftrl(0.1_c));
  check("ftrl with penalties", optimizers::ftrl(0.1_c, 0.05_c, 0.01_c, 0.2_c));
}

namespace {

/// One variable for each optimizer, which moves from 1 towards the numbers of a placeholder.
template <class T>
struct in_dtype {
  static constexpr etch::placeholder<"goal", T, 3> goal{};
  template <etch::fixed_string Name>
  static constexpr auto w() {
    return etch::variable<Name>(etch::ones<T>(etch::shape<3>{}));
  }
  template <etch::fixed_string Name, class Optimizer>
  static constexpr auto step(Optimizer optimizer) {
    return optimizer.minimize(etch::sum(etch::square(w<Name>() - goal)));
  }
  static constexpr auto steps =
      etch::group(step<"a">(optimizers::rmsprop(0.01_c, 0.9_c, 0.5_c)), step<"b">(optimizers::adagrad(0.1_c)),
                  step<"c">(optimizers::adadelta(1_c)), step<"d">(optimizers::adamax(0.02_c)), step<"e">(optimizers::nadam(0.02_c)),
                  step<"f">(optimizers::lamb(0.01_c)), step<"g">(optimizers::ftrl(0.2_c, 0.01_c, 0.01_c)),
                  step<"h">(optimizers::nesterov(0.01_c)));
  static std::vector<double> run() {
    etch::session s(steps);
    s.initialize();
    for (int i = 0; i < 60; ++i) s.run(steps, goal = {T(-0.5), T(2), T(1.25)});
    std::vector<double> all;
    for (auto v : s.variables())
      if (v.trainable())
        for (const T x : v.template get<T>()) all.push_back(static_cast<double>(x));
    return all;
  }
};

}  // namespace

TEST_CASE("OPT: of float variables, to float's precision what they are of doubles") {
  const std::vector<double> floats = in_dtype<float>::run(), doubles = in_dtype<double>::run();
  REQUIRE(floats.size() == 24);
  for (std::size_t i = 0; i < 24; ++i) {
    CAPTURE(i);
    CHECK(floats[i] == doctest::Approx(doubles[i]).epsilon(1e-4));
    CHECK(floats[i] != 1);
  }
}
