// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>

#include <etch/eager.hpp>
#include <etch/eager/xtensor.hpp>
#include <etch/losses.hpp>
#include <etch/losses/circle.hpp>
#include <etch/losses/ctc.hpp>
#include <nn/loss_values.hpp>
#include <nn/numbers.hpp>

/// Losses as objects beside Keras's, for each of five samples; gradients are those of their ops.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"y", double, any<"n">, 4> y;
constexpr placeholder<"t", double, any<"n">, 4> t;
constexpr placeholder<"labels", std::int32_t, any<"n">> labels;

using matrix = xt::xtensor<double, 2>;
const matrix scores = numbers(1, 5, 4, -2, 2), values = numbers(2, 5, 4, -2, 2);
const xt::xtensor<std::int32_t, 1> classes = {3, 0, 2, 2, 1};

matrix probabilities() {
  matrix p = numbers(3, 5, 4);
  p(0, 0) = 0;
  p(1, 1) = 1;
  return p;
}
matrix ones() {
  matrix z = numbers(4, 5, 4);
  for (double& x : z) x = x > 0.5 ? 1 : 0;
  return z;
}
matrix shares() {
  matrix s = numbers(5, 5, 4);
  for (std::size_t i = 0; i < 5; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) sum += s(i, k);
    for (std::size_t k = 0; k < 4; ++k) s(i, k) /= sum;
  }
  return s;
}
matrix one_hot_classes() {
  matrix z = xt::zeros<double>({5, 4});
  for (std::size_t i = 0; i < 5; ++i) z(i, static_cast<std::size_t>(classes(i))) = 1;
  return z;
}
const matrix p = probabilities(), binary = ones(), distribution = shares(), chosen = one_hot_classes();

void check(const char* name, const xt::xtensor<double, 1>& got) {
  bool found = false;
  for (const oracle::losses& l : oracle::of_samples)
    if (std::strcmp(l.name, name) == 0) {
      found = true;
      REQUIRE(got.size() == 5);
      // Keras takes means in float.
      for (std::size_t i = 0; i < 5; ++i) CHECK_MESSAGE(got(i) == doctest::Approx(l.values[i]).epsilon(1e-6), std::string(name));
    }
  CHECK(found);
}
template <class Loss>
void check(const char* name, Loss loss, const matrix& predicted, const matrix& target) {
  session s(loss(y, t));
  check(name, s.run(loss(y, t), y = predicted, t = target));
}
template <class Loss>
void check_labels(const char* name, Loss loss, const matrix& predicted) {
  session s(loss(y, labels));
  check(name, s.run(loss(y, labels), y = predicted, labels = classes));
}

}  // namespace

TEST_CASE("LOS: losses of numbers are Keras's") {
  check("mean_squared_error", losses::mean_squared_error, scores, values);
  check("mean_absolute_error", losses::mean_absolute_error, scores, values);
  check("mean_absolute_percentage_error", losses::mean_absolute_percentage_error, scores, values);
  check("mean_squared_logarithmic_error", losses::mean_squared_logarithmic_error, scores, values);
  check("log_cosh", losses::log_cosh, matrix(30 * scores), values);
  check("huber", losses::huber(), scores, values);
  check("huber of 0.5", losses::huber(0.5_c), scores, values);
  check("poisson", losses::poisson, p, matrix(3 * binary));
  check("cosine_similarity", losses::cosine_similarity, scores, values);
}
TEST_CASE("LOS-01: losses of logits are Keras's") {
  check("softmax_cross_entropy", losses::softmax_cross_entropy, scores, distribution);
  check_labels("sparse_softmax_cross_entropy", losses::sparse_softmax_cross_entropy, scores);
  check("sigmoid_cross_entropy", losses::sigmoid_cross_entropy, scores, binary);
  check("smoothed_softmax_cross_entropy", losses::smoothed_softmax_cross_entropy(0.2_c), scores, distribution);
  check_labels("smoothed_sparse_softmax_cross_entropy", losses::smoothed_sparse_softmax_cross_entropy(0.2_c), scores);
}
TEST_CASE("LOS-01: losses of probabilities are Keras's, where one is 0 or 1 too") {
  check("binary_cross_entropy", losses::binary_cross_entropy, p, binary);
  check("categorical_cross_entropy", losses::categorical_cross_entropy, p, distribution);
  check_labels("sparse_categorical_cross_entropy", losses::sparse_categorical_cross_entropy, p);
  check("binary_focal_cross_entropy", losses::binary_focal_cross_entropy(), p, binary);
  check("binary_focal_cross_entropy of 1.5, 0.3", losses::binary_focal_cross_entropy(1.5_c, 0.3_c), p, binary);
  check("categorical_focal_cross_entropy", losses::categorical_focal_cross_entropy(), p, distribution);
  check_labels("categorical_generalized_cross_entropy", losses::categorical_generalized_cross_entropy(0.7_c), p);
  check("kl_divergence", losses::kl_divergence, p, matrix(binary * distribution));
}
TEST_CASE("LOS: hinges and overlaps are Keras's") {
  check("hinge", losses::hinge, scores, binary);
  check("hinge of signs", losses::hinge, scores, matrix(2 * binary - 1));
  check("squared_hinge", losses::squared_hinge, scores, binary);
  check("categorical_hinge", losses::categorical_hinge, scores, chosen);
  check("dice", losses::dice, p, binary);
  check("tversky", losses::tversky(0.3_c, 0.8_c), p, binary);
}
TEST_CASE("LOS: circle is Keras's: samples without another of their label, too") {
  matrix embeddings = scores;
  for (std::size_t i = 0; i < 5; ++i) {
    double squares = 0;
    for (std::size_t k = 0; k < 4; ++k) squares += scores(i, k) * scores(i, k);
    for (std::size_t k = 0; k < 4; ++k) embeddings(i, k) /= std::sqrt(squares);
  }
  check_labels("circle", losses::circle(), embeddings);
  check_labels("circle of 20, 0.2", losses::circle(20_c, 0.2_c), embeddings);
  constexpr auto slope = gradient(losses::circle()(y, labels), y);
  session s(slope);
  for (const double g : s.run(slope, y = embeddings, labels = classes)) CHECK(std::isfinite(g));
}
TEST_CASE("LOS: ctc is Keras's: labels that repeat, rows that end early, none at all; its gradient as differences") {
  constexpr placeholder<"steps", double, any<"n">, any<"steps">, 5> steps;
  constexpr placeholder<"said", std::int32_t, any<"n">, 3> said;
  constexpr auto loss = losses::ctc<3>(steps, said);
  constexpr auto slope = gradient(loss, steps);
  session s(loss, slope);
  const matrix flat = 4 * numbers(6, 5, 30) - 2;
  xt::xtensor<double, 3> logits = xt::zeros<double>({5, 6, 5});
  std::copy(flat.data(), flat.data() + 150, logits.data());
  const xt::xtensor<std::int32_t, 2> words = {{1, 2, 3}, {2, 2, 0}, {4, 0, 0}, {3, 3, 3}, {0, 0, 0}};
  check("ctc", s.run(loss, steps = logits, said = words));
  const xt::xtensor<double, 3> by = s.run(slope, steps = logits, said = words);
  for (std::size_t i = 0; i < 150; i += 7) {
    const double kept = logits.data()[i];
    const std::size_t sample = i / 30;
    logits.data()[i] = kept + 1e-5;
    const double up = s.run(loss, steps = logits, said = words)(sample);
    logits.data()[i] = kept - 1e-5;
    const double down = s.run(loss, steps = logits, said = words)(sample);
    logits.data()[i] = kept;
    CHECK(by.data()[i] == doctest::Approx((up - down) / 2e-5).epsilon(1e-6));
  }
  // Three equal labels need five steps.
  CHECK(s.run(loss, steps = xt::xtensor<double, 3>(xt::zeros<double>({1, 4, 5})), said = {{3, 3, 3}})(0) > 1e29);
}
TEST_CASE("LOS: a loss of eager tensors; of samples of several axes; in float, far from where it is small") {
  const tensor<double, 2> a(scores), b(values);
  const auto now = losses::huber(0.5_c)(a, b);
  check("huber of 0.5", xt::xtensor<double, 1>(now.array()));
  constexpr placeholder<"image", double, any<"n">, 2, 3> image;
  constexpr auto squares = losses::mean_squared_error(image, image * 0_c);
  constexpr auto overlap = losses::dice(image, image);
  session s(squares, overlap);
  const xt::xtensor<double, 3> two = {{{1, 2, 3}, {4, 5, 6}}, {{1, 1, 0}, {0, 1, 0}}};
  const auto [mean_of, share] = s.run(squares, overlap, image = two);
  CHECK(mean_of == xt::xtensor<double, 1>{91. / 6, 0.5});
  CHECK(share(1) == doctest::Approx(0).epsilon(1e-6));
  constexpr placeholder<"f", float, any<"n">, 1> f;
  constexpr auto far = losses::log_cosh(f, f * 0_c);
  session large_session(far);
  const xt::xtensor<float, 2> large = {{-500}, {500}, {0}};
  CHECK(large_session.run(far, f = large) == xt::xtensor<float, 1>{500 - 0.693147180559945f, 500 - 0.693147180559945f, 0});
}
