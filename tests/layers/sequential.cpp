// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <etch/etch.hpp>
#include <etch/layers.hpp>
#include <etch/layers/attention.hpp>
#include <etch/layers/convolution.hpp>
#include <etch/layers/recurrent.hpp>

namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, any<"batch">, 10> x;
constexpr placeholder<"images", float, any<"batch">, 8, 8, 1> images;

/// "dense/kernel [10, 4]"
template <class Session>
std::vector<std::string> names_of(const Session& s) {
  std::vector<std::string> all;
  for (auto v : s.variables()) {
    std::string text = std::string(v.name()) + " [";
    for (std::size_t i = 0; i < v.shape().size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(v.shape()[i]);
    all.push_back(text + "]");
  }
  std::ranges::sort(all);
  return all;
}
using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("KER-01, KER-03, KER-06: a sequence names its variables as Keras does, and knows its shapes") {
  constexpr auto net = sequential(layers::dense<4>, layers::dense<2>, layers::dense<1>);
  constexpr auto y = net(x);
  static_assert(std::is_same_v<decltype(y)::shape_type, shape<any<"batch">, 1>>);
  session s(y);
  CHECK(names_of(s) == texts{"dense/bias [4]", "dense/kernel [10, 4]", "dense_1/bias [2]", "dense_1/kernel [4, 2]",
                             "dense_2/bias [1]", "dense_2/kernel [2, 1]"});
  s.initialize(1);
  CHECK(s.get<"dense/bias">() == xt::xtensor<float, 1>{0, 0, 0, 0});
}
TEST_CASE("KER-07: a sequence, functions of expressions, and the same by hand are the same graph") {
  constexpr auto net = sequential(
      layers::dense<4>(layers::relu), [](auto h) { return h * 2_c; },
      [](auto in, auto h) { return h + nn::dense<in / "inner", 4>(h); }, layers::dense<3>(layers::softmax));
  constexpr auto h = relu(nn::dense<"dense", 4>(x)) * 2_c;
  constexpr auto by_hand = softmax(nn::dense<"dense_1", 3>(h + nn::dense<"layer_1/inner", 4>(h)), axis<-1>);
  static_assert(etch::detail::content_with<decltype(net(x))::hash> == etch::detail::content_with<decltype(by_hand)::hash>);
}
TEST_CASE("layers in training and in evaluation share their variables") {
  constexpr auto net = sequential(layers::dense<4>, layers::dropout(0.5_c), layers::dense<1>);
  constexpr auto evaluated = net(x);
  constexpr auto trained = net(x, nn::training);
  session s(evaluated, trained);
  CHECK(s.variables().size() == 4);
  s.initialize(2);
  xt::xtensor<float, 2> ones = xt::ones<float>({3, 10});
  CHECK(s.run(evaluated, x = ones) == s.run(evaluated, x = ones));
  CHECK(s.run(trained, x = ones) != s.run(trained, x = ones));
}
TEST_CASE("a sequence in a sequence is a scope of its own; images; batch norm") {
  constexpr auto block = sequential(layers::conv2d<4, 3>(layers::relu, same_padding), layers::batch_norm);
  constexpr auto net = sequential(block, layers::max_pool2d<2>, block, layers::flatten, layers::dense<2>);
  constexpr auto y = net(images, nn::training);
  static_assert(std::is_same_v<decltype(y)::shape_type, shape<any<"batch">, 2>>);
  session s(y);
  CHECK(s.variables().contains("sequential/conv2d/kernel"));
  CHECK(s.variables().contains("sequential_1/conv2d/bias"));
  CHECK(s.variables().contains("sequential_1/batch_norm/moving_mean"));
  CHECK(s.variables().contains("dense/kernel"));
  CHECK(s.variables().size() == 14);
}
TEST_CASE("a layer alone has the name of its kind") {
  constexpr auto y = layers::dense<4>(x);
  static_assert(etch::detail::content_with<decltype(y)::hash> ==
                etch::detail::content_with<decltype(nn::dense<"dense", 4>(x))::hash>);
}

TEST_CASE("a layer called with nothing is itself, as Keras writes it") {
  static_assert(std::is_same_v<decltype(layers::dense<4>()), std::remove_const_t<decltype(layers::dense<4>)>>);
  static_assert(std::is_same_v<decltype(sequential(layers::gru<4>(), layers::multi_head_attention<2, 4>(), layers::dense<4>())),
                               decltype(sequential(layers::gru<4>, layers::multi_head_attention<2, 4>, layers::dense<4>))>);
}
