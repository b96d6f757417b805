// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <etch/model.hpp>

/// A small model of `line`'s points, with dropout, and what it has learnt.
inline auto make_line_model() {
  using namespace etch::literals;
  constexpr auto net = etch::sequential(etch::layers::dense<4>, etch::layers::dropout(0.2_c), etch::layers::dense<1>);
  etch::model m(etch::input<float, 1>, net, etch::optimizers::adam(0.01_c), etch::losses::mean_squared_error);
  m.initialize(1);
  return m;
}
template <class Model>
std::vector<float> values_of(Model& m) {
  std::vector<float> all;
  for (auto v : m.variables())
    for (const float x : v.template get<float>()) all.push_back(x);
  return all;
}
