// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <etch/function.hpp>
#include <etch/layers.hpp>
#include <etch/layers/attention.hpp>
#include <etch/layers/recurrent.hpp>

/// Layers in blocks that are repeated, recomputed, and in traced functions.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, any<"batch">, 5, 4> x;

constexpr auto heads = layers::multi_head_attention<2, 3>(causal);
constexpr auto gru = layers::gru<4>(layers::return_sequences, layers::recurrent_initializer(initializers::glorot_uniform));
constexpr auto block = [](auto in, auto h) {
  const auto seen = h + layers::named<in / "heads">(heads)(h);
  return seen + layers::named<in / "gru">(gru)(seen);
};
constexpr auto net = sequential(layers::lstm<6>, layers::dense<2>);
xt::xtensor<float, 3> input_array() {
  xt::xtensor<float, 3> a = xt::zeros<float>({3, 5, 4});
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = std::sin(0.3f * static_cast<float>(i));
  return a;
}

}  // namespace

TEST_CASE("layers in repeated blocks have variables for each block") {
  constexpr auto repeated = repeat<2, "block">(block, x);
  constexpr auto one = scope<"one">(block, x);
  session s(repeated, one);
  s.initialize(3);
  CHECK(s.get<"block/heads/query/kernel">().shape()[0] == 2);
  // Two blocks are one applied twice, each with its variables.
  xt::xtensor<float, 3> by_hand = input_array();
  for (std::size_t i = 0; i < 2; ++i) {
    for (auto v : s.variables()) {
      const std::string name = v.name();
      if (name.rfind("one/", 0) != 0) continue;
      const std::vector<float> all = s.variables().at("block/" + name.substr(4)).get<float>();
      const auto count = static_cast<std::ptrdiff_t>(v.elements());
      v.set(std::vector<float>(all.begin() + static_cast<std::ptrdiff_t>(i) * count,
                               all.begin() + static_cast<std::ptrdiff_t>(i + 1) * count));
    }
    by_hand = s.run(one, x = by_hand);
  }
  const xt::xtensor<float, 3> out = s.run(repeated, x = input_array());
  for (std::size_t i = 0; i < out.size(); ++i) CHECK(out.data()[i] == doctest::Approx(by_hand.data()[i]).epsilon(1e-5));
}
TEST_CASE("layers whose steps are recomputed have the same gradients") {
  constexpr auto plain = sum(square(scope<"one">(block, x)));
  constexpr auto again = sum(square(recompute([](auto h) { return scope<"one">(block, h); }, x)));
  constexpr auto a = gradient(plain, x);
  constexpr auto b = gradient(again, x);
  session s(a, b);
  s.initialize(3);
  const xt::xtensor<float, 3> first = s.run(a, x = input_array()), second = s.run(b, x = input_array());
  for (std::size_t i = 0; i < first.size(); ++i) CHECK(first.data()[i] == doctest::Approx(second.data()[i]).epsilon(1e-4));
}
TEST_CASE("a sequence as a traced function, called with tensors") {
  function f(net, input_signature<tensor_spec<float, any<"batch">, 5, 4>>);
  f.initialize(4);
  const tensor<float, 3> in = input_array();
  const tensor<float, 2> out = f(in);
  constexpr auto y = net(x);
  session s(y);
  for (auto v : f.variables()) s.variables().at(v.name()).set(v.get<float>());
  const xt::xtensor<float, 2> expected = s.run(y, x = input_array());
  for (std::size_t i = 0; i < 6; ++i) CHECK(out.data()[i] == doctest::Approx(expected.data()[i]));
}
