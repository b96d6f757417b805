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
TEST_CASE("layers: lstm is Keras's") { agrees(layers::lstm<3>(x), x, keras("lstm")); }
TEST_CASE("layers: lstm gives sequences and states as Keras's does") {
  agrees(layers::lstm<3>(layers::return_sequences, layers::return_state)(x), x, keras("lstm_sequences"));
}
TEST_CASE("layers: lstm with other activations is Keras's") {
  agrees(layers::lstm<2>(layers::softsign, layers::recurrent_activation(layers::hard_sigmoid))(x), x, keras("lstm_hard"));
}
