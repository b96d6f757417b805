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

TEST_CASE("layers: bidirectional is Keras's") {
  agrees(layers::bidirectional(layers::lstm<2>(layers::return_sequences))(x), x, keras("bidirectional_lstm"));
  agrees(layers::bidirectional(layers::gru<2>)(x), x, keras("bidirectional_gru"));
  agrees(layers::bidirectional(layers::simple_rnn<2>, etch::add)(x), x, keras("bidirectional_sum"));
}
