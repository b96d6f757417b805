// SPDX-License-Identifier: MIT
#include <etch/control.hpp>
#include <etch/layers/bidirectional.hpp>
#include "agrees.hpp"

/// Recurrent layers give what Keras's give with the same weights, under the same names, and so do their gradients.
namespace {

using namespace etch;
using namespace etch::literals;
using layers_test::agrees;
using layers_test::keras;

constexpr placeholder<"x", float, any<"batch">, any<"steps">, 3> x;

}  // namespace

TEST_CASE("layers: simple_rnn is Keras's") {
  agrees(layers::simple_rnn<3>(x), x, keras("simple_rnn"));
  agrees(layers::simple_rnn<3>(layers::relu, layers::return_sequences)(x), x, keras("simple_rnn_relu"));
}
TEST_CASE("layers: gru is Keras's, from both ends") {
  agrees(layers::gru<3>(x), x, keras("gru"));
  agrees(layers::gru<3>(layers::return_sequences, layers::go_backwards)(x), x, keras("gru_backwards"));
}
TEST_CASE("layers: gru with the reset gate before the product is Keras's with reset_after=False") {
  agrees(layers::gru<3>(layers::reset_before, layers::return_sequences)(x), x, keras("gru_reset_before"));
}
TEST_CASE("layers: lstm is Keras's") { agrees(layers::lstm<3>(x), x, keras("lstm")); }
TEST_CASE("layers: lstm gives sequences and states as Keras's does") {
  agrees(layers::lstm<3>(layers::return_sequences, layers::return_state)(x), x, keras("lstm_sequences"));
}
TEST_CASE("layers: lstm with other activations is Keras's") {
  agrees(layers::lstm<2>(layers::softsign, layers::recurrent_activation(layers::hard_sigmoid))(x), x, keras("lstm_hard"));
}

TEST_CASE("layers: dropout in a recurrent layer drops the same elements at all steps, in training") {
  constexpr auto kept = [](auto dropped) { return layers::simple_rnn<50>(layers::identity, layers::return_sequences, dropped); };
  constexpr placeholder<"first", float, any<"batch">, 50> first;
  // Of zeros, and a kernel that is the identity: each step is the state before it, without what is dropped.
  constexpr auto states = kept(layers::recurrent_dropout(0.5_c))(x, nn::training, first);
  constexpr auto evaluated = kept(layers::recurrent_dropout(0.5_c))(x, first);
  session s(states, evaluated);
  s.initialize();
  std::vector<float> identity(50 * 50);
  for (std::size_t i = 0; i < 50; ++i) identity[51 * i] = 1;
  s.variables().at("simple_rnn/simple_rnn_cell/recurrent_kernel").set(identity);
  const xt::xtensor<float, 3> zero = xt::zeros<float>({20, 4, 3});
  const xt::xtensor<float, 2> one = xt::ones<float>({20, 50});
  const xt::xtensor<float, 3> y = s.run(states, x = zero, first = one), same = s.run(evaluated, x = zero, first = one);
  int dropped = 0, differ = 0;
  for (std::size_t b = 0; b < 20; ++b)
    for (std::size_t u = 0; u < 50; ++u) {
      const float each = y(b, 0, u) == 0 ? 0 : 2;
      dropped += each == 0 ? 1 : 0;
      differ += y(b, 0, u) != y(0, 0, u) ? 1 : 0;
      for (std::size_t t = 0; t < 4; ++t) {
        CHECK(y(b, t, u) == std::pow(each, static_cast<float>(t + 1)));
        CHECK(same(b, t, u) == 1);
      }
    }
  CHECK(dropped > 430);
  CHECK(dropped < 570);
  CHECK(differ > 300);  // samples drop others

  // Its gradient, of the same draws in one plan: of the last step with respect to the first state what the state is then.
  constexpr auto last = layers::simple_rnn<50>(layers::identity, layers::recurrent_dropout(0.5_c))(x, nn::training, first);
  constexpr auto slope = gradient(sum(last), first);
  session g(group(last, slope), last, slope);
  g.initialize();
  g.variables().at("simple_rnn/simple_rnn_cell/recurrent_kernel").set(identity);
  const auto [at_end, of_first] = g.run(last, slope, x = zero, first = one);
  CHECK(xt::xtensor<float, 2>(at_end) == xt::xtensor<float, 2>(of_first));
  CHECK(xt::amax(xt::xtensor<float, 2>(of_first))() == 16);

  // Of the input the same features at all steps: with a mask, in both directions, without touching what is drawn elsewhere.
  constexpr auto sums =
      layers::bidirectional(layers::simple_rnn<1>(layers::identity, layers::dropout(0.5_c), layers::return_sequences));
  constexpr auto given = sums(x, nn::training);
  session both(given);
  both.initialize();
  for (const std::string way : {"forward", "backward"}) {
    const std::string cell = "bidirectional/" + way + "_simple_rnn/simple_rnn_cell/";
    both.variables().at(cell + "kernel").set(std::vector<float>{1, 10, 100});
    both.variables().at(cell + "recurrent_kernel").set(std::vector<float>{0});
  }
  const xt::xtensor<float, 3> ones = xt::ones<float>({20, 4, 3});
  const xt::xtensor<float, 3> z = both.run(given, x = ones);
  int apart = 0;
  for (std::size_t b = 0; b < 20; ++b) {
    apart += z(b, 0, 0) != z(b, 0, 1) ? 1 : 0;
    for (std::size_t t = 0; t < 4; ++t)
      for (std::size_t way = 0; way < 2; ++way) CHECK(z(b, t, way) == z(b, 0, way));
  }
  CHECK(apart > 8);
}
