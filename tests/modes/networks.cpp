// SPDX-License-Identifier: MIT
#include <random>

#include <doctest/doctest.h>

#include <etch/control.hpp>

#include "modes/training.hpp"

// The networks of the examples, each one function of its parameters and its data: the same loss, gradients and trained parameters in
// every mode; those that train have variables.
namespace etch::modes {
namespace {

/// The operand of a slot, uniform in (low, high); integers in [low, high).
template <class Slot>
operand<Slot> random_operand(Slot, std::mt19937& random, float low, float high) {
  operand<Slot> o;
  o.array = decltype(o.array)::from_shape(operand<Slot>::extents());
  using T = typename Slot::value_type;
  for (std::size_t k = 0; k < o.array.size(); ++k)
    if constexpr (std::is_floating_point_v<T>)
      o.array.data()[k] = std::uniform_real_distribution<T>(low, high)(random);
    else
      o.array.data()[k] =
          static_cast<T>(std::uniform_int_distribution<int>(static_cast<int>(low), static_cast<int>(high) - 1)(random));
  return o;
}

template <int Parameters, class F, class... Operand>
void check_network(const char* what, F f, const Operand&... operands) {
  check_modes<Parameters, by_the_reference, in_a_session, at_once, as_a_function>(what, f, operands...);
  check_modes<Parameters, trained_in_a_session, trained_by_a_tape>(what, f, operands...);
}

/// What f(state, x) gives of each x along the first axis of xs: a scan of expressions, of tensors an ordinary loop.
template <class F, class State, expression Sequence>
constexpr auto outputs_of_steps(F f, State state, Sequence xs) {
  return std::get<1>(scan(f, state, xs));
}
template <class F, class State>
auto outputs_of_steps(F f, State state, const tensor<float, 3>& xs) {
  std::vector<tensor<float, 2>> outputs;
  for (const auto x : xs) {
    const auto [next, output] = f(state, x);
    state = next;
    outputs.push_back(output);
  }
  return stack(axis<0>, outputs[0], outputs[1], outputs[2]);
}

constexpr placeholder<"images", float, 5, 784> images;
constexpr placeholder<"labels", std::int32_t, 5> labels;
constexpr placeholder<"hidden/kernel", float, 784, 100> hidden_kernel;
constexpr placeholder<"hidden/bias", float, 100> hidden_bias;
constexpr placeholder<"logits/kernel", float, 100, 10> logits_kernel;
constexpr placeholder<"logits/bias", float, 10> logits_bias;

}  // namespace

TEST_CASE("EAG-11, TAPE-03, FUN-18: the network of examples/fashion_mnist.cpp in every mode") {
  const auto loss = [](auto first, auto first_bias, auto last, auto last_bias, auto x, auto y) {
    const auto hidden = relu(nn::dense(x, first, first_bias));
    return mean(nn::sparse_softmax_cross_entropy(nn::dense(hidden, last, last_bias), y));
  };
  std::mt19937 random(1);
  check_network<4>("fashion_mnist", loss, random_operand(hidden_kernel, random, -0.08f, 0.08f),
                   random_operand(hidden_bias, random, -1, 1), random_operand(logits_kernel, random, -0.2f, 0.2f),
                   random_operand(logits_bias, random, -1, 1), random_operand(images, random, 0, 1),
                   random_operand(labels, random, 0, 10));
}

TEST_CASE("EAG-11, TAPE-03, FUN-18: the network of examples/05_training.cpp in every mode, its penalty too") {
  constexpr placeholder<"first", float, 2, 32> first;
  constexpr placeholder<"first_bias", float, 32> first_bias;
  constexpr placeholder<"last", float, 32, 1> last;
  constexpr placeholder<"last_bias", float, 1> last_bias;
  constexpr placeholder<"points", float, 16, 2> points;
  constexpr placeholder<"inside", float, 16, 1> inside;
  const auto loss = [](auto w, auto b, auto v, auto c, auto x, auto y) {
    const auto logits = nn::dense(relu(nn::dense(x, w, b)), v, c);
    return mean(nn::sigmoid_cross_entropy(logits, y)) + 1e-2_c * sum(square(w));
  };
  std::mt19937 random(2);
  check_network<4>("05_training", loss, random_operand(first, random, -1, 1), random_operand(first_bias, random, -1, 1),
                   random_operand(last, random, -1, 1), random_operand(last_bias, random, -1, 1),
                   random_operand(points, random, -1, 1), random_operand(inside, random, 0, 1));
}

TEST_CASE("EAG-11, TAPE-03, FUN-18: the network of examples/07_stop_and_go_on.cpp in every mode, what is dropped given") {
  constexpr placeholder<"first", float, 1, 16> first;
  constexpr placeholder<"first_bias", float, 16> first_bias;
  constexpr placeholder<"last", float, 16, 1> last;
  constexpr placeholder<"last_bias", float, 1> last_bias;
  constexpr placeholder<"x", float, 64, 1> inputs;
  constexpr placeholder<"y", float, 64, 1> targets;
  constexpr placeholder<"drawn", float, 64, 16> drawn;
  const auto loss = [](auto w, auto b, auto v, auto c, auto x, auto y, auto uniform) {
    const auto hidden = etch::tanh(nn::dense(x, w, b));
    const auto kept = where(uniform >= 0.2_c, hidden / 0.8_c, 0_c);
    return nn::mean_squared_error(nn::dense(kept, v, c), y);
  };
  std::mt19937 random(3);
  check_network<4>("07_stop_and_go_on", loss, random_operand(first, random, -1, 1), random_operand(first_bias, random, -1, 1),
                   random_operand(last, random, -1, 1), random_operand(last_bias, random, -1, 1),
                   random_operand(inputs, random, -1, 1), random_operand(targets, random, 0, 1),
                   random_operand(drawn, random, 0, 1));
}

TEST_CASE("EAG-11, TAPE-03, FUN-18: the network of examples/08_tape.cpp in every mode") {
  constexpr placeholder<"first", float, 2, 8> first;
  constexpr placeholder<"first_bias", float, 8> first_bias;
  constexpr placeholder<"last", float, 8, 1> last;
  constexpr placeholder<"last_bias", float, 1> last_bias;
  constexpr placeholder<"points", float, 4, 2> points;
  constexpr placeholder<"targets", float, 4, 1> targets;
  const auto loss = [](auto w, auto b, auto v, auto c, auto x, auto y) {
    const auto hidden = etch::tanh(matmul(x, w) + b);
    return mean(nn::sigmoid_cross_entropy(matmul(hidden, v) + c, y));
  };
  std::mt19937 random(4);
  operand<decltype(points)> corners{{{0, 0}, {0, 1}, {1, 0}, {1, 1}}};
  operand<decltype(targets)> exclusive_or{{{0}, {1}, {1}, {0}}};
  check_network<4>("08_tape", loss, random_operand(first, random, -2, 2), random_operand(first_bias, random, -1, 1),
                   random_operand(last, random, -1, 1), random_operand(last_bias, random, -1, 1), corners, exclusive_or);
}

TEST_CASE(
    "EAG-11, TAPE-03, AG-03: the GRU of examples/10_recurrent_network.cpp in every mode: a scan of expressions, a loop of "
    "tensors") {
  constexpr placeholder<"table", float, 20, 6> table;
  constexpr placeholder<"update", float, 14, 8> update;
  constexpr placeholder<"reset", float, 14, 8> reset;
  constexpr placeholder<"candidate", float, 14, 8> candidate;
  constexpr placeholder<"last", float, 8, 20> last;
  constexpr placeholder<"state", float, 4, 8> state;
  constexpr placeholder<"text", std::int32_t, 3, 4> text;
  constexpr placeholder<"next", std::int32_t, 3, 4> next;
  const auto loss = [](auto rows, auto u, auto r, auto c, auto l, auto start, auto from, auto wanted) {
    const auto cell = [=](auto h, auto x) {
      const auto both = concat(axis<1>, x, h);
      const auto kept = sigmoid(matmul(both, u));
      const auto seen = sigmoid(matmul(both, r)) * h;
      const auto made = etch::tanh(matmul(concat(axis<1>, x, seen), c));
      const auto now = kept * h + (1_c - kept) * made;
      return std::pair{now, now};
    };
    const auto outputs = outputs_of_steps(cell, start, nn::embedding(from, rows));
    return mean(nn::sparse_softmax_cross_entropy(matmul(outputs, l), wanted));
  };
  std::mt19937 random(5);
  check_network<5>("GRU", loss, random_operand(table, random, -1, 1), random_operand(update, random, -1, 1),
                   random_operand(reset, random, -1, 1), random_operand(candidate, random, -1, 1),
                   random_operand(last, random, -1, 1), random_operand(state, random, -1, 1), random_operand(text, random, 0, 20),
                   random_operand(next, random, 0, 20));
}

TEST_CASE("EAG-11, TAPE-03, FUN-18: a network with a norm, a gather and a mask in every mode") {
  constexpr placeholder<"x", float, 4, 3> x;
  constexpr placeholder<"kernel", float, 3, 5> kernel;
  constexpr placeholder<"bias", float, 5> bias;
  constexpr placeholder<"last", float, 5, 4> last;
  constexpr placeholder<"rows", std::int32_t, 2> rows;
  constexpr placeholder<"six_labels", std::int32_t, 6> six_labels;
  const auto loss = [](auto in, auto w, auto b, auto v, auto chosen, auto y) {
    const auto hidden = gelu(layer_norm(nn::dense(in, w, b), 1_c, b));
    const auto picked = concat(axis<0>, gather(hidden, chosen), hidden * hidden);
    const auto kept = where(picked > 0.1_c, picked, 0.01_c * picked);
    return mean(nn::sparse_softmax_cross_entropy(matmul(kept, v), y));
  };
  std::mt19937 random(6);
  for (int i = 0; i < 5; ++i)
    check_network<4>("norm, gather, mask", loss, random_operand(x, random, -2, 2), random_operand(kernel, random, -2, 2),
                     random_operand(bias, random, -2, 2), random_operand(last, random, -2, 2), random_operand(rows, random, 0, 4),
                     random_operand(six_labels, random, 0, 4));
}

}  // namespace etch::modes
