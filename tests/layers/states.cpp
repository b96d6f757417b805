// SPDX-License-Identifier: MIT
#include <etch/control.hpp>
#include <etch/layers/bidirectional.hpp>
#include "agrees.hpp"

namespace {

using namespace etch;
using namespace etch::literals;
using layers_test::agrees;
using layers_test::keras;

constexpr placeholder<"x", float, any<"batch">, 4, 3> x;

}  // namespace

TEST_CASE("layers: recurrent layers in a row are Keras's") {
  constexpr auto net = sequential(layers::lstm<3>(layers::return_sequences), layers::lstm<2>, layers::dense<2>);
  agrees(net(x), x, keras("stacked"));
}
TEST_CASE("layers: lstm begins with a given state") {
  constexpr placeholder<"h", float, any<"batch">, 3> h;
  constexpr placeholder<"c", float, any<"batch">, 3> c;
  const keras known("lstm_first_state");
  constexpr auto y = layers::lstm<3>(layers::return_state)(x, h, c);
  session s(y);
  for (std::size_t k = 0; k < known.weights.size(); ++k) {
    auto v = s.variables().at(known.weights[k].name);
    v.set(layers_test::filled(static_cast<std::size_t>(v.elements()), static_cast<int>(k)));
  }
  const auto array = [](auto to, int k, double scale) {
    const auto values = layers_test::filled(to.size(), k, scale);
    std::copy(values.begin(), values.end(), to.begin());
    return to;
  };
  const auto [last, now_h, now_c] = s.run(y, x = array(xt::xtensor<float, 3>::from_shape({2, 4, 3}), 100, 1),
                                          h = array(xt::xtensor<float, 2>::from_shape({2, 3}), 50, 0.4),
                                          c = array(xt::xtensor<float, 2>::from_shape({2, 3}), 51, 0.4));
  layers_test::close(last, known.outputs[0], "output");
  layers_test::close(now_h, known.outputs[1], "h");
  layers_test::close(now_c, known.outputs[2], "c");
}
