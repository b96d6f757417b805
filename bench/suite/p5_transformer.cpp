// SPDX-License-Identifier: MIT
// P5: a step of training of one transformer block (attention of 4 heads, feed forward of 512 neurons) by gradient descent.
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "session.hpp"

using namespace bench::suite;
using namespace etch::literals;

namespace {

constexpr int batch = 8, length = 64, width = 128, heads = 4, wide = 512;
constexpr etch::placeholder<"x", float, batch, length, width> x;
constexpr etch::placeholder<"y", float, batch, length, width> y;

template <etch::fixed_string Name>
constexpr auto norm(auto of) {
  const auto scale = etch::variable<Name / "scale">(etch::ones(etch::shape<width>{}));
  const auto offset = etch::variable<Name / "offset">(etch::zeros(etch::shape<width>{}));
  return etch::layer_norm(of) * scale + offset;
}
constexpr auto split(auto of) {
  return etch::transpose(etch::reshape(of, etch::shape<batch, length, heads, width / heads>{}), etch::axis<0, 2, 1, 3>);
}
constexpr auto block() {
  const auto h = norm<"attention_norm">(x);
  const auto q = split(etch::nn::dense<"query", width>(h));
  const auto k = split(etch::nn::dense<"key", width>(h));
  const auto v = split(etch::nn::dense<"value", width>(h));
  const auto scores = etch::softmax(etch::matmul(q, etch::matrix_transpose(k)) * 0.17677669_c);
  const auto mixed =
      etch::reshape(etch::transpose(etch::matmul(scores, v), etch::axis<0, 2, 1, 3>), etch::shape<batch, length, width>{});
  const auto a = x + etch::nn::dense<"mixed", width>(mixed);
  return a + etch::nn::dense<"narrow", width>(etch::gelu(etch::nn::dense<"wide", wide>(norm<"feed_norm">(a))));
}

constexpr auto loss = etch::nn::mean_squared_error(block(), y);
constexpr auto train = etch::optimizers::sgd(1e-2_c).minimize(loss);

struct training {
  decltype(etch::session(loss, train)) session{loss, train};
  filled<float, batch, length, width> images{1u}, wanted{2u};

  auto bind() {
    session.set_executor(pool());
    start();
    return session.bind(loss, train, x = images.values, y = wanted.values);
  }
  void start() {
    session.initialize();
    std::uint32_t array = 10;
    for (const char* name : {"query/kernel", "key/kernel", "value/kernel", "mixed/kernel", "wide/kernel", "narrow/kernel"}) {
      auto variable = session.variables().at(name);
      std::vector<float> values(static_cast<std::size_t>(variable.elements()));
      fill(array++, values.data(), values.size(), static_cast<float>(std::sqrt(3.0 / static_cast<double>(variable.shape()[0]))));
      variable.copy_from(values.data());
    }
  }
};

/// Results are the losses of the first four steps.
job steps() {
  const auto t = std::make_shared<training>();
  const auto step = std::make_shared<decltype(t->bind())>(t->bind());
  return make_job([t, step] { (*step)(); },
                  [t, step] {
                    t->start();
                    std::vector<float> losses;
                    for (int i = 0; i < 4; ++i) losses.push_back((*step)());
                    return losses;
                  });
}

/// Three times those of the products forward.
constexpr double flops() {
  constexpr double tokens = batch * length, dense = 4.0 * width * width + 2.0 * width * wide, attention = 2.0 * length * width;
  return 3 * 2 * tokens * (dense + attention);
}

}  // namespace

int main() {
  worker w;
  w.add("P5 transformer block, batch 8, 64 tokens of 128", "etch", flops(), 0, steps);
  return w.serve();
}
