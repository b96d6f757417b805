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

TEST_CASE("layers: bidirectional of go_backwards has the directions changed, and outputs from the last step on") {
  const auto weights = [](auto& session, const std::string& forward, const std::string& backward) {
    for (const auto& [direction, k] : {std::pair{forward, 0}, std::pair{backward, 3}}) {
      int n = k;
      for (const char* name : {"kernel", "recurrent_kernel", "bias"}) {
        auto v = session.variables().at("bidirectional/" + direction + "_lstm/lstm_cell/" + name);
        v.set(layers_test::filled(static_cast<std::size_t>(v.elements()), n++));
      }
    }
  };
  constexpr auto plain = layers::bidirectional(layers::lstm<2>(layers::return_sequences), etch::add)(x);
  constexpr auto back = layers::bidirectional(layers::lstm<2>(layers::return_sequences, layers::go_backwards), etch::add)(x);
  constexpr auto plain_last = layers::bidirectional(layers::lstm<2>, etch::add)(x);
  constexpr auto back_last = layers::bidirectional(layers::lstm<2>(layers::go_backwards), etch::add)(x);
  session s(flip(plain, axis<1>), plain_last);
  session other(back, back_last);
  weights(s, "forward", "backward");
  weights(other, "backward", "forward");
  xt::xtensor<float, 3> in = xt::zeros<float>({2, 4, 3});
  const auto values = layers_test::filled(in.size(), 7, 1);
  std::copy(values.begin(), values.end(), in.begin());
  const xt::xtensor<float, 3> expected = s.run(flip(plain, axis<1>), x = in), got = other.run(back, x = in);
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got.data()[i] == doctest::Approx(expected.data()[i]));
  const xt::xtensor<float, 2> last = s.run(plain_last, x = in), got_last = other.run(back_last, x = in);
  for (std::size_t i = 0; i < got_last.size(); ++i) CHECK(got_last.data()[i] == doctest::Approx(last.data()[i]));
}
TEST_CASE("layers: bidirectional is Keras's") {
  agrees(layers::bidirectional(layers::lstm<2>(layers::return_sequences))(x), x, keras("bidirectional_lstm"));
  agrees(layers::bidirectional(layers::gru<2>)(x), x, keras("bidirectional_gru"));
  agrees(layers::bidirectional(layers::simple_rnn<2>, etch::add)(x), x, keras("bidirectional_sum"));
}
