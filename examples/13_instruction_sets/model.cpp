// SPDX-License-Identifier: MIT
// A network, compiled once for each instruction set. Only `etch_model` leaves the library: see exports.map.
#include "model.hpp"

#include <algorithm>

#include <etch/etch.hpp>

namespace {

constexpr etch::placeholder<"x", float, 64, 32> x;
constexpr auto y = etch::softmax(etch::nn::dense<"logits", 10>(etch::tanh(etch::nn::dense<"hidden", 64>(x))), etch::axis<1>);

void predict(const float* samples, float* to) {
  static etch::session session = [] {
    etch::session made(y);
    made.initialize(1);
    return made;
  }();
  // Each thread has a step, and memory, of its own.
  thread_local auto step = session.bind(y, x = std::span(samples, 64 * 32));
  const auto& result = step(samples);
  std::copy(result.begin(), result.end(), to);
}

constexpr model_functions functions = {static_cast<int>(xsimd::batch<float>::size), &predict};

}  // namespace

extern "C" const model_functions* etch_model() { return &functions; }
