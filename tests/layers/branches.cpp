// SPDX-License-Identifier: MIT
#include "agrees.hpp"

/// Layers of layers, and what is known of them.
namespace {

using namespace etch;
using namespace etch::literals;
using layers_test::agrees;
using layers_test::keras;

constexpr placeholder<"x", float, any<"batch">, 4, 3> x;
constexpr placeholder<"wide", float, any<"batch">, 4, 6> wide;

}  // namespace

TEST_CASE("KER-07: branches and residuals are Keras's, and name their variables") {
  constexpr auto net = sequential(layers::concatenate(layers::dense<3>, layers::dense<2>(layers::relu)),
                                  layers::residual(layers::layer_norm, layers::dense<5>));
  agrees(net(wide), wide, keras("branches"),
         {"concatenate/dense/kernel", "concatenate/dense/bias", "concatenate/dense_1/kernel", "concatenate/dense_1/bias",
          "residual/layer_norm/scale", "residual/layer_norm/offset", "residual/dense/kernel", "residual/dense/bias"});
}
TEST_CASE("KER-07: means, maxima and products of branches") {
  agrees(layers::average(layers::identity, layers::tanh)(x), x, keras("branches_average"));
  agrees(layers::maximum([](auto h) { return -h; }, layers::tanh)(x), x, keras("branches_maximum"));
  agrees(layers::multiply(layers::identity, layers::tanh)(x), x, keras("branches_multiply"));
}
TEST_CASE("KER-05: a sequence's layers, names and scope") {
  constexpr auto net = sequential(layers::dense<4>(layers::relu), layers::named<"out">(layers::dense<2>), layers::dense<1>);
  static_assert(net.size == 3);
  static_assert(std::tuple_size_v<decltype(net.layers())> == 3);
  static_assert(std::is_same_v<decltype(net.layer<0>()), std::remove_const_t<decltype(layers::dense<4>(layers::relu))>>);
  CHECK(std::string(net.kind.text) == "sequential");
  CHECK(std::string(net.name<0>().text) == "dense");
  CHECK(std::string(net.name<1>().text) == "out");
  CHECK(std::string(net.name<2>().text) == "dense_1");
}
TEST_CASE("KER-04: layers are frozen wherever they stand") {
  constexpr auto net = sequential(layers::residual(layers::dense<3>, layers::frozen(layers::named<"kept">(layers::dense<3>))),
                                  sequential(layers::frozen(layers::dense<2>), layers::dense<2>),
                                  layers::named<"out">(layers::time_distributed(layers::frozen(layers::dense<1>))));
  constexpr auto trained = decltype(net)::trained_variables<"">();
  const auto is_trained = [&](const char* name) { return std::remove_cvref_t<decltype(trained)>::has(name); };
  CHECK(is_trained("residual/dense/kernel"));
  CHECK(!is_trained("residual/kept/kernel"));
  CHECK(!is_trained("sequential/dense/bias"));
  CHECK(is_trained("sequential/dense_1/bias"));
  CHECK(!is_trained("out/dense/kernel"));
}
