// SPDX-License-Identifier: MIT
// What docs/training.md explains: dropout and validation, a penalty, a schedule, clipping, saving and restoring.
#include <cmath>
#include <cstdio>
#include <random>

#include <etch/etch.hpp>

using namespace etch::literals;

namespace {

constexpr etch::placeholder<"points", float, etch::any<"batch">, 2> points;
constexpr etch::placeholder<"inside", float, etch::any<"batch">, 1> inside;
constexpr etch::placeholder<"rate", float> rate;

// One model for training and for validation: what differs is an argument, the variables are the same by their names.
template <class Regularise>
constexpr auto logits_with(Regularise regularise) {
  const auto first = etch::nn::dense<"first", 32>(points, etch::initializers::he_normal);
  return etch::nn::dense<"last", 1>(regularise(etch::relu(first)));
}

constexpr auto trained = logits_with([](auto x) { return etch::dropout<"hidden">(x, 0.1_c); });
constexpr auto validated = logits_with([](auto x) { return x; });

constexpr auto kernel = etch::find_variable<"first/kernel">(trained);
constexpr auto bias = etch::find_variable<"first/bias">(trained);
constexpr auto last_kernel = etch::find_variable<"last/kernel">(trained);
constexpr auto last_bias = etch::find_variable<"last/bias">(trained);

constexpr auto loss = etch::mean(etch::nn::sigmoid_cross_entropy(trained, inside)) + 1e-4_c * etch::sum(etch::square(kernel));
constexpr auto gradients = etch::optimizers::clip_by_global_norm(etch::gradients(loss, kernel, bias, last_kernel, last_bias), 1_c);
constexpr auto train = etch::optimizers::momentum(rate).apply_gradients(gradients, kernel, bias, last_kernel, last_bias);
constexpr auto accuracy = etch::mean((validated > 0_c) == (inside > 0.5_c));

struct samples {
  xt::xtensor<float, 2> points, inside;
};
/// Points of a square, and whether they lie within a circle.
samples draw(std::size_t count, unsigned seed) {
  samples s{xt::zeros<float>({count, std::size_t{2}}), xt::zeros<float>({count, std::size_t{1}})};
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (std::size_t i = 0; i < count; ++i) {
    const float x = s.points(i, 0) = uniform(random), y = s.points(i, 1) = uniform(random);
    s.inside(i, 0) = x * x + y * y < 0.5f ? 1.f : 0.f;
  }
  return s;
}

}  // namespace

int main() {
  etch::session session(loss, train, accuracy);
  session.initialize(/*seed*/ 1);
  const samples data = draw(256, 1), unseen = draw(1000, 2);

  xt::xtensor<float, 0> current_rate = 0.f;  // an array: a bound step reads it at each call
  auto step = session.bind(train, points = data.points, inside = data.inside, rate = current_rate);
  for (int i = 0; i < 1000; ++i) {
    current_rate() = 0.1f * std::pow(0.1f, static_cast<float>(i) / 1000);
    step();
  }
  const float reached = session.run(accuracy, points = unseen.points, inside = unseen.inside);

  etch::session restored(accuracy);
  restored.set(kernel, session.get(kernel));
  restored.set<"first/bias">(session.get<"first/bias">());
  restored.set(last_kernel, session.get(last_kernel));
  restored.set(last_bias, session.get(last_bias));
  const float again = restored.run(accuracy, points = unseen.points, inside = unseen.inside);
  std::printf("accuracy on unseen points: %.3f, of the restored model: %.3f\n", reached, again);
  return reached > 0.95f && again == reached ? 0 : 1;
}
