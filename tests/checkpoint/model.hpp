// SPDX-License-Identifier: MIT
#pragma once
#include <etch/checkpoint.hpp>
#include <etch/data.hpp>
#include <etch/etch.hpp>

/// A small model with dropout and an optimizer, for tests of checkpoints.
namespace model {

using namespace etch::literals;

constexpr etch::placeholder<"x", float, etch::any<"batch">> x;
constexpr etch::placeholder<"y", float, etch::any<"batch">> y;
constexpr auto inputs = etch::reshape(x, etch::shape<-1, 1>{});
constexpr auto hidden = etch::dropout<"hidden">(etch::tanh(etch::nn::dense<"first", 4>(inputs)), 0.2_c);
constexpr auto loss = etch::nn::mean_squared_error(etch::nn::dense<"last", 1>(hidden), etch::reshape(y, etch::shape<-1, 1>{}));
constexpr auto train = etch::optimizers::adam(1e-2_c).minimize(loss);

/// Names and bytes of all variables.
template <class Session>
std::map<std::string, std::vector<char>> values_of(const Session& session) {
  std::map<std::string, std::vector<char>> values;
  for (const auto v : session.variables()) {
    std::vector<char>& bytes = values[v.name()];
    bytes.resize(static_cast<std::size_t>(v.bytes()));
    if (v.is_initialised()) v.copy_to(bytes.data());
  }
  return values;
}

/// 40 samples, shuffled, in batches of 8.
inline auto samples() {
  std::vector<float> a(40), b(40);
  for (std::size_t i = 0; i < 40; ++i) {
    a[i] = static_cast<float>(i) / 20 - 1;
    b[i] = a[i] * a[i];
  }
  return std::pair(a, b);
}

}  // namespace model
