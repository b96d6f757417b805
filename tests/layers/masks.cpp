// SPDX-License-Identifier: MIT
#include <etch/control.hpp>
#include <etch/eager.hpp>
#include <etch/layers/attention.hpp>
#include <etch/layers/bidirectional.hpp>
#include <etch/layers/branches.hpp>
#include <etch/layers/convolution.hpp>
#include "agrees.hpp"

namespace {

using namespace etch;
using namespace etch::literals;
using layers_test::agrees;
using layers_test::keras;

constexpr placeholder<"two", float, 2, 4, 3> two;
// True, true, false, true; true, false, true, false.
constexpr auto t = arange<std::int32_t>(shape<4>{});
constexpr auto b = expand_dims(arange<std::int32_t>(shape<2>{}), axis<-1>);
constexpr auto seen = where(b == 0_c, t, 2_c * (t % 2_c)) != 2_c;
/// With zeros in the steps that are hidden.
constexpr auto with_zeros = two * astype<float>(expand_dims(seen, axis<-1>));

}  // namespace

TEST_CASE("layers: masked steps of recurrent layers are left out as Keras leaves them") {
  agrees(layers::lstm<3>(layers::return_sequences, layers::return_state)(two, seen), two, keras("lstm_masked"));
  agrees(layers::bidirectional(layers::gru<2>)(two, seen), two, keras("bidirectional_masked"));
  agrees(layers::bidirectional(layers::lstm<2>(layers::return_sequences))(two, seen), two, keras("bidirectional_masked_sequences"));
}

TEST_CASE("layers: a sequence hands a mask on from layer to layer as Keras does") {
  agrees(sequential(layers::masking, layers::lstm<3>(layers::return_sequences), layers::dense<2>(layers::tanh),
                    layers::gru<2>)(with_zeros),
         two, keras("mask_through_lstm"));
  agrees(sequential(layers::masking, layers::bidirectional(layers::gru<2>(layers::return_sequences)), layers::layer_norm,
                    layers::global_average_pool)(with_zeros),
         two, keras("mask_through_bidirectional"),
         {"bidirectional/forward_gru/gru_cell/kernel", "bidirectional/forward_gru/gru_cell/recurrent_kernel",
          "bidirectional/forward_gru/gru_cell/bias", "bidirectional/backward_gru/gru_cell/kernel",
          "bidirectional/backward_gru/gru_cell/recurrent_kernel", "bidirectional/backward_gru/gru_cell/bias", "layer_norm/scale",
          "layer_norm/offset"});
  agrees(sequential(layers::masking, layers::dense<3>, layers::conv1d<2, 2>(same_padding), layers::lstm<2>)(with_zeros), two,
         keras("mask_ended"));
}

TEST_CASE("layers: masks go through branches, attention, names and frozen layers") {
  const std::string attention = "residual/multi_head_attention/";
  agrees(sequential(layers::masking,
                    layers::add(layers::named<"first">(layers::dense<4>), sequential(layers::gru<4>(layers::return_sequences))),
                    layers::residual(layers::multi_head_attention<2, 3>), layers::simple_rnn<2>)(with_zeros),
         two, keras("mask_in_branches"),
         {"add/first/kernel", "add/first/bias", "add/sequential/gru/gru_cell/kernel",
          "add/sequential/gru/gru_cell/recurrent_kernel", "add/sequential/gru/gru_cell/bias", attention + "query/kernel",
          attention + "query/bias", attention + "key/kernel", attention + "key/bias", attention + "value/kernel",
          attention + "value/bias", attention + "attention_output/kernel", attention + "attention_output/bias"});
  constexpr auto net = sequential(layers::masking, layers::gru<2>(layers::return_sequences), layers::gru<2>);
  constexpr auto frozen = sequential(layers::masking, layers::frozen(layers::gru<2>(layers::return_sequences)), layers::gru<2>);
  static_assert(std::is_same_v<decltype(net(two)), decltype(frozen(two))>);
}

TEST_CASE("layers: batch_norm in training has the mean and the variance of the steps that are seen, as Keras's") {
  constexpr auto trained = sequential(layers::masking, layers::batch_norm(0.9_c))(two, nn::training);
  session s(trained);
  s.initialize();
  xt::xtensor<float, 3> x = xt::zeros<float>({2, 4, 3});
  for (std::size_t i = 0; i < 15; ++i) x.data()[i] = static_cast<float>(i * i % 11 + 1);  // five steps are seen
  const xt::xtensor<float, 3> y = s.run(trained, two = x);
  for (std::size_t c = 0; c < 3; ++c) {
    double mean = 0, variance = 0;
    for (std::size_t step = 0; step < 5; ++step) mean += static_cast<double>(x.data()[3 * step + c]) / 5;
    for (std::size_t step = 0; step < 5; ++step) variance += std::pow(static_cast<double>(x.data()[3 * step + c]) - mean, 2) / 5;
    for (std::size_t step = 0; step < 8; ++step)
      CHECK(y.data()[3 * step + c] ==
            doctest::Approx((static_cast<double>(x.data()[3 * step + c]) - mean) / std::sqrt(variance + 1e-3)).epsilon(1e-5));
    CHECK(s.get<"batch_norm/moving_mean">()(c) == doctest::Approx(0.1 * mean).epsilon(1e-5));
    CHECK(s.get<"batch_norm/moving_variance">()(c) == doctest::Approx(0.9 + 0.1 * variance).epsilon(1e-5));
  }
  // Where no step is seen, both move towards 0.
  const xt::xtensor<float, 3> hidden = s.run(trained, two = xt::xtensor<float, 3>(xt::zeros<float>({2, 4, 3})));
  for (const float value : hidden) CHECK(value == 0);
  // Without a mask it is what it was.
  static_assert(
      std::is_same_v<decltype(sequential(layers::batch_norm)(two, nn::training)), decltype(layers::batch_norm(two, nn::training))>);
}

TEST_CASE("layers: which layers make a mask, hand it on and end it") {
  using layers::detail::no_mask;
  const auto has = [](auto net) { return !std::is_same_v<decltype(net.mask(two)), no_mask>; };
  CHECK(!has(sequential(layers::dense<2>)));
  CHECK(has(sequential(layers::masking)));
  CHECK(has(sequential(layers::masking, layers::dropout(0.5_c), layers::relu, layers::leaky_relu(0.1_c), layers::prelu,
                       layers::batch_norm, layers::position_embedding<4>, layers::time_distributed(layers::dense<2>))));
  CHECK(has(sequential(layers::masking, sequential(layers::dense<2>))));
  CHECK(!has(sequential(layers::masking, sequential(layers::gru<2>))));
  CHECK(!has(sequential(layers::masking, layers::flatten)));
  CHECK(!has(sequential(layers::masking, layers::permute<2, 1>)));
  CHECK(!has(sequential(layers::masking, [](auto x) { return x; })));
  constexpr placeholder<"ids", std::int32_t, any<"batch">, 4> ids;
  static_assert(std::is_same_v<decltype(sequential(layers::embedding<5, 3>).mask(ids)), no_mask>);
  constexpr auto words =
      sequential(layers::embedding<5, 3>(layers::mask_zero), layers::gru<2>(layers::return_sequences, layers::go_backwards));
  // Outputs from the last step on have their mask in that order.
  session s(words.mask(ids), sequential(layers::masking(2_c)).mask(two));
  CHECK(s.run(words.mask(ids), ids = xt::xtensor<std::int32_t, 2>{{1, 2, 0, 0}}) ==
        xt::xtensor<bool, 2>{{false, false, true, true}});
  xt::xtensor<float, 3> x = xt::zeros<float>({2, 4, 3});
  x(0, 1, 0) = x(0, 1, 1) = x(0, 1, 2) = x(1, 0, 0) = 2;
  CHECK(s.run(sequential(layers::masking(2_c)).mask(two), two = x) ==
        xt::xtensor<bool, 2>{{true, false, true, true}, {true, true, true, true}});
}
