// SPDX-License-Identifier: MIT
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <etch/function.hpp>
#include <etch/strings.hpp>
#include <etch/tape.hpp>

/// Arguments of traced functions by name: values of the slots that a body names itself.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, any<"n">, 2> x;
constexpr placeholder<"w", float, 2, 3> w;
constexpr placeholder<"k", std::int64_t> k;

const tensor<float, 2> images{{1, 2}, {3, 4}}, weights{{1, 0, 1}, {0, 1, 1}};

}  // namespace

TEST_CASE("FUN-15: arguments by name, in any order") {
  function product([] { return matmul(x, w); });
  CHECK(product(x = images, w = weights)(1, 2) == 7);
  CHECK(product(w = weights, x = images)(1, 2) == 7);
  CHECK(product.trace_count() == 1);
  const tensor<float, 2> one_row = product(w = weights, x = {{5, 6}});
  CHECK(one_row.shape() == std::array<std::int64_t, 2>{1, 3});
  CHECK(one_row(0, 2) == 11);
  const std::vector<float> flat{1, 2, 3, 4, 5, 6};
  CHECK(product(x = std::span(flat), w = weights)(2, 2) == 11);
  CHECK(product.trace_count() == 1);
  CHECK_THROWS_AS(product(x = tensor<float, 2>{{1, 2, 3}}, w = weights), error);
  CHECK(product(x = images, w = weights)(0, 2) == 3);
}

TEST_CASE("FUN-15: texts by name") {
  constexpr placeholder<"first", std::string> first;
  constexpr placeholder<"second", std::string> second;
  function join([=] { return strings::join<" ">(first, second); });
  CHECK(join(second = "world", first = "hello").item() == "hello world");
  CHECK(join(first = "hello", second = std::string("you")).item() == "hello you");
}

TEST_CASE("FUN-15: some by name, and some by place") {
  int traced = 0;
  function scaled([&](auto a, auto b) {
    on_trace([&] { ++traced; });
    return matmul(x, w) * a - b;
  });
  CHECK(scaled(2_c, tensor(1.f), w = weights, x = images)(1, 2) == 13);
  CHECK(scaled(x = images, 2_c, w = weights, 2.f)(1, 2) == 12);
  CHECK(traced == 1);
  CHECK(scaled(x = images, 3_c, w = weights, 2.f)(1, 2) == 19);
  CHECK(traced == 2);
  function once([](auto a) { return a * k; }, input_signature<tensor_spec<std::int64_t, any<"m">>>);
  CHECK(once(k = 3, tensor<std::int64_t, 1>{1, 2})[1].item() == 6);
}

TEST_CASE("FUN-15: a tape follows arguments by name") {
  function product([](auto a) { return sum(matmul(x, w) * a * astype<float>(k)); });
  const std::vector<float> flat{1, 2, 3, 4, 5, 6};
  const auto gradient_of = [&](const auto& call) {
    tape t;
    t.watch(weights);
    const tensor<float, 2> g = t.gradient(call(), weights);
    return std::array{g(0, 0), g(1, 2)};
  };
  CHECK(gradient_of([&] { return product(2.f, w = weights, x = images, k = 1); }) == std::array{8.f, 12.f});
  CHECK(gradient_of([&] { return product(w = weights, x = std::span(flat), k = 2, 2.f); }) == std::array{36.f, 48.f});
  CHECK(gradient_of([&] { return product(w = weights, 1.f, x = {{1, 2}}, k = 3); }) == std::array{3.f, 6.f});
  eager::variable v(weights);
  tape t;
  CHECK(t.gradient(product(2.f, w = v, x = images, k = 1), v)(1, 2) == 12);
}

TEST_CASE("FUN-15: what a session's run can be fed can be an argument by name") {
  const auto hidden = etch::tanh(x);
  function output([=](auto a) { return sum(hidden * 2_c) + a; });
  CHECK(output(1_c, hidden = images).item() == 21);
  CHECK(output(x = tensor<float, 2>{{0, 0}}, 1_c).item() == 1);
}

TEST_CASE("FUN-15: the extents of what comes by place are those of what comes by name, where an op needs it") {
  constexpr placeholder<"bias", float, any<"m">> bias;
  const tensor<float, 2> three = {{1, 2}, {3, 4}, {5, 6}}, ones = {{1, 1}, {1, 1}, {1, 1}}, kernel = {{1, 0, 0}, {0, 1, 0}};
  function sums([](auto a) { return a + x; });
  CHECK(sums(three, x = ones)(2, 1) == 7);
  CHECK_THROWS_WITH_AS(sums(tensor<float, 2>{{1, 2}}, x = ones),
                       "feed \"x\": axis 0 (\"n\"): expected extent 1, which feed \"argument_0\" has given it, got 3", error);
  CHECK_THROWS_AS(sums(tensor<float, 2>{{1, 2, 3}}, x = ones), error);
  function layer([=](auto a) { return matmul(x, a) + bias; });
  CHECK(layer(kernel, x = three, bias = {10, 20, 30})(2, 1) == 26);
  CHECK_THROWS_AS(layer(kernel, x = three, bias = {10, 20}), error);
  CHECK_THROWS_AS(layer(ones, x = three, bias = {10, 20}), error);
  function both([](auto a, auto b) { return a + b + x; });
  CHECK(both(three, three, x = ones)(2, 1) == 13);
  CHECK_THROWS_AS(both(three, tensor<float, 2>{{1, 2}}, x = ones), error);
}
