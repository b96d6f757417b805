// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <etch/etch.hpp>
#include <etch/layers.hpp>

/// Layers compared with Keras's.
namespace layers_test {

/// What Keras gives in one case of keras_values.txt: outputs, the gradient of the sum of their squares with respect to the input, which
/// integers lack, and, of weights that are trained, to each of them; of others what they are afterwards.
struct keras {
  std::vector<std::size_t> shape;
  std::vector<std::vector<float>> outputs;
  std::vector<int> ids;
  std::vector<float> input_gradient;
  struct weight {
    std::string name;
    std::vector<float> gradient, afterwards{};
  };
  std::vector<weight> weights;

  explicit keras(const std::string& name) {
    std::ifstream file("layers/keras_values.txt");
    std::string line;
    while (std::getline(file, line) && line != "case " + name) continue;
    while (std::getline(file, line) && line.compare(0, 5, "case ") != 0) {
      std::istringstream words(line);
      std::string word, path;
      words >> word;
      if (word == "weight") words >> path;
      const std::vector<float> numbers{std::istream_iterator<float>(words), {}};
      if (word == "shape") shape.assign(numbers.begin(), numbers.end());
      if (word == "ids") ids.assign(numbers.begin(), numbers.end());
      if (word == "output") outputs.push_back(numbers);
      if (word == "input") input_gradient = numbers;
      if (word == "weight") weights.push_back({path, numbers});
      if (word == "afterwards") weights.back().afterwards = numbers;
    }
    REQUIRE(!outputs.empty());
  }
};

/// scale * sin(0.37 i + k) for element i: what keras_values.py fills inputs and weights with.
inline std::vector<float> filled(std::size_t count, int k, double scale = 0.4, double shift = 0) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(scale * std::sin(0.37 * static_cast<double>(i) + k)) + static_cast<float>(shift);
  return values;
}

template <class A, class B>
void close(const A& got, const B& expected, const std::string& what, double tolerance = 1e-5) {
  INFO(what);
  REQUIRE(got.size() == expected.size());
  double largest = 1;
  for (const float v : expected) largest = std::max(largest, static_cast<double>(std::abs(v)));
  double farthest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double distance = std::abs(static_cast<double>(got.data()[i]) - static_cast<double>(expected[i]));
    if (!(distance <= farthest) && !std::isnan(farthest)) farthest = distance;
  }
  CHECK(farthest <= tolerance * largest);
}

template <class Y>
constexpr auto as_tuple(Y y) {
  return std::tuple{y};
}
template <class... Y>
constexpr auto as_tuple(std::tuple<Y...> y) {
  return y;
}

/// The outputs of an expression, or of a tuple of some, and the gradients of the sum of their squares. Variables get what a weight of Keras has
/// at the same place; `names` where they are called otherwise. What one step of gradient descent takes away is a variable's gradient.
template <class Outputs, class X>
void agrees(Outputs outputs, X x, const keras& known, const std::vector<std::string>& names = {}) {
  using namespace etch::literals;
  constexpr auto all = as_tuple(Outputs{});
  constexpr auto loss = std::apply([](auto... y) { return (etch::sum(etch::square(y)) + ...); }, all);
  constexpr bool has_slope = etch::is_floating(etch::dtype_of<typename X::value_type>);
  constexpr auto dx = [=] {
    if constexpr (has_slope)
      return etch::gradient(loss, X{});
    else
      return loss;
  }();
  constexpr bool learns = etch::detail::root_graph<decltype(loss)::hash>::value.read_variables > 0;
  constexpr auto step = [=] {
    if constexpr (learns)
      return etch::optimizers::sgd(1_c).minimize(loss);
    else
      return loss;
  }();
  etch::session s(outputs, dx, step);
  REQUIRE(s.variables().size() == known.weights.size());
  const auto name_of = [&](std::size_t k) { return k < names.size() ? names[k] : known.weights[k].name; };
  const auto first_value = [&](std::size_t k, std::int64_t elements) {
    const std::string& text = known.weights[k].name;
    const bool one = text.find("variance") != text.npos || text.find("gamma") != text.npos;
    return filled(static_cast<std::size_t>(elements), static_cast<int>(k), 0.4, one ? 1 : 0);
  };
  const auto set_weights = [&] {
    for (std::size_t k = 0; k < known.weights.size(); ++k) {
      auto v = s.variables().at(name_of(k));
      v.set(first_value(k, v.elements()));
    }
  };
  set_weights();
  xt::xtensor<typename X::value_type, X::rank> in;
  in.resize(known.shape);
  REQUIRE(known.ids.size() == (has_slope ? 0 : in.size()));
  if constexpr (has_slope) {
    const std::vector<float> values = filled(in.size(), 100, 1);
    std::copy(values.begin(), values.end(), in.begin());
  } else {
    std::copy(known.ids.begin(), known.ids.end(), in.begin());
  }
  std::apply(
      [&](auto... y) {
        std::size_t k = 0;
        (close(s.run(y, x = in), known.outputs.at(k++), "output"), ...);
        CHECK(k == known.outputs.size());
      },
      all);
  if constexpr (has_slope) close(s.run(dx, x = in), known.input_gradient, "gradient of the input");
  if constexpr (learns) {
    // What a run in training has changed is what it was.
    set_weights();
    s.run(step, x = in);
    for (std::size_t k = 0; k < known.weights.size(); ++k) {
      auto v = s.variables().at(name_of(k));
      const keras::weight& weight = known.weights[k];
      CHECK(v.trainable() == !weight.gradient.empty());
      const auto now = v.template get<float>();
      if (!v.trainable()) {
        close(now, weight.afterwards, weight.name + " afterwards");
        continue;
      }
      std::vector<float> change = first_value(k, v.elements());
      for (std::size_t i = 0; i < change.size(); ++i) change[i] -= now[i];
      close(change, weight.gradient, weight.name);
    }
  }
}

}  // namespace layers_test
