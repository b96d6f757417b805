// SPDX-License-Identifier: MIT
// The only file that includes etch. What is compiled here is called through etch::step, whose type says what it takes and gives.
#include "model.hpp"

#include <etch/etch.hpp>

using namespace etch::literals;

namespace {

constexpr int batch = circle_model::batch;

constexpr etch::placeholder<"points", float, batch, 2> points;
constexpr etch::placeholder<"inside", float, batch, 1> inside;
constexpr auto hidden = etch::relu(etch::nn::dense<"hidden", 32>(points, etch::initializers::he_normal));
constexpr auto logits = etch::nn::dense<"logits", 1>(hidden);
constexpr auto loss = etch::mean(etch::nn::sigmoid_cross_entropy(logits, inside));
constexpr auto update = etch::optimizers::adam(1e-2_c).minimize(loss);
constexpr auto probabilities = etch::sigmoid(logits);

}  // namespace

struct circle_model::steps {
  etch::step<float(const float*, const float*)> train;
  etch::step<std::span<const float>(const float*)> predict;
};

circle_model::circle_model(std::uint64_t seed) : steps_(std::make_unique<steps>()) {
  etch::session session(loss, update, probabilities);
  session.initialize(seed);
  // What is bound says how large the arrays are; each call names those that are read. The steps keep the variables.
  const auto no_points = xt::xtensor<float, 2>::from_shape({batch, 2});
  const auto none_inside = xt::xtensor<float, 2>::from_shape({batch, 1});
  steps_->train = session.bind(loss, update, points = no_points, inside = none_inside);
  steps_->predict = session.bind(probabilities, points = no_points);
}
circle_model::~circle_model() = default;
circle_model::circle_model(circle_model&&) noexcept = default;
circle_model& circle_model::operator=(circle_model&&) noexcept = default;

float circle_model::train(const float* these_points, const float* are_inside) { return steps_->train(these_points, are_inside); }
std::span<const float> circle_model::predict(const float* these_points) { return steps_->predict(these_points); }
