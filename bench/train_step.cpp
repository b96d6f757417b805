// SPDX-License-Identifier: MIT
// P5: a training step of the 784-100-10 network, batch 50, Adam: images and floating-point operations a second. What it
// computes is checked first: the loss against double precision, and that training reduces it. Then 2,000 steps from new weights,
// half of whose pixels are black from step 101 on: the moments of their weights decay into subnormal numbers.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <vector>

#include <etch/etch.hpp>

#include "measure.hpp"
#include "peak.hpp"

using namespace etch::literals;

namespace {

constexpr int batch = 50, inputs = 784, hidden_units = 100, classes = 10;

constexpr etch::placeholder<"images", float, etch::any<"batch">, inputs> images;
constexpr etch::placeholder<"labels", std::int32_t, etch::any<"batch">> labels;

/// The median times of the first and of the last 100 of 2,000 steps, in seconds.
struct run_of_steps {
  double first, last;
};
template <class Step>
run_of_steps time_steps(Step& step, xt::xtensor<float, 2>& x) {
  using clock = std::chrono::steady_clock;
  std::vector<double> seconds(2000);
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    if (i == 100)
      for (std::size_t r = 0; r < batch; ++r) std::fill_n(x.data() + r * inputs, inputs / 2, 0.0f);
    const auto start = clock::now();
    step();
    seconds[i] = std::chrono::duration<double>(clock::now() - start).count();
  }
  std::nth_element(seconds.begin(), seconds.begin() + 50, seconds.begin() + 100);
  std::nth_element(seconds.end() - 100, seconds.end() - 50, seconds.end());
  return {seconds[50], seconds[seconds.size() - 50]};
}

}  // namespace

int main() {
  bench::heading("P5: a training step of the 784-100-10 network, batch 50, Adam");
  constexpr auto hidden = etch::relu(etch::nn::dense<"hidden", hidden_units>(images));
  constexpr auto logits = etch::nn::dense<"logits", classes>(hidden);
  constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(logits, labels));
  constexpr auto train = etch::optimizers::adam(1e-3_c).minimize(loss);
  etch::session session(loss, train, logits);
  session.initialize(42);

  xt::xtensor<float, 2> x(std::array<std::size_t, 2>{batch, inputs});
  xt::xtensor<std::int32_t, 1> y(std::array<std::size_t, 1>{batch});
  bench::fill(x.data(), x.size(), 0, 1, 1);
  for (std::size_t i = 0; i < batch; ++i) y(i) = static_cast<std::int32_t>(i * 7 % classes);

  auto step = session.bind(loss, train, images = x, labels = y);
  const float before = session.run(loss, images = x, labels = y);
  std::vector<double> expected;
  {
    const xt::xtensor<float, 2> z = session.run(logits, images = x);
    double total = 0;
    for (std::size_t i = 0; i < batch; ++i) {
      double sum = 0;
      for (std::size_t c = 0; c < classes; ++c) sum += std::exp(static_cast<double>(z(i, c)));
      total += std::log(sum) - static_cast<double>(z(i, static_cast<std::size_t>(y(i))));
    }
    expected = {total / batch};
  }
  bench::check("loss", &before, expected, 1e-6, 1);

  float last = 0;
  const std::vector<bench::timing> t = bench::measure(
      {{"bound step", [&] { last = step(); }}, {"run", [&] { session.run(loss, train, images = x, labels = y); }}}, {41, 0.01});
  if (!(last < before / 10)) {
    std::fprintf(stderr, "training does not reduce the loss: %g before, %g after\n", static_cast<double>(before),
                 static_cast<double>(last));
    return 1;
  }
  constexpr auto plan = etch::plan_of(loss, train, images, labels);
  const auto flops = static_cast<double>(plan.flops(batch));
  char note[96];
  std::snprintf(note, sizeof note, "%.0f images/s, %.1f GFLOP/s of a peak of %.1f", batch / t[0].median, 1e-9 * flops / t[0].median,
                1e-9 * bench::fma_peak());
  bench::print("P5", t, note);

  const auto steps = [&](bool keeps_denormals) {
    session.initialize(42);
    session.keep_denormals(keeps_denormals);
    bench::fill(x.data(), x.size(), 0, 1, 1);
    return time_steps(step, x);
  };
  const run_of_steps flushed = steps(false), kept = steps(true);
  bench::print("P5, the last 100 of 2,000 steps", {{"flushed", flushed.last, flushed.last},
                                                   {"the first 100", flushed.first, flushed.first},
                                                   {"subnormal numbers kept", kept.last, kept.last}});
}
