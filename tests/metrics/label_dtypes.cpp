// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>

#include <etch/etch.hpp>
#include <etch/metrics.hpp>

/// Labels whose dtype holds fewer numbers than there are classes: of 8 bits 300 would be class 44. What is counted is what loops count.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr int classes = 300;
constexpr std::size_t samples = 6;
/// What is predicted: classes that 8 bits hold, and such that are these modulo 256.
constexpr std::size_t predicted[samples] = {5, 261, 44, 299, 299, 127};
constexpr int labelled[samples] = {5, 5, 44, 43, 44, 127};

}  // namespace

TEST_CASE_TEMPLATE("MET: labels of each dtype of integers, of more classes than 8 bits count", T, std::uint8_t, std::int8_t,
                   std::int16_t, std::uint16_t, std::int32_t, std::int64_t) {
  constexpr placeholder<"scores", float, samples, classes> scores;
  constexpr placeholder<"labels", T, samples> labels;
  constexpr auto all = std::tuple{metrics::accuracy(scores, labels), metrics::confusion_matrix(scores, labels),
                                  metrics::macro_f1(scores, labels), metrics::top_k_accuracy<1>(scores, labels)};
  constexpr auto update = std::apply([](auto... m) { return group(m.update()...); }, all);
  constexpr auto results = std::apply([](auto... m) { return std::tuple{m.result()...}; }, all);
  session s(update, results);
  s.initialize();
  xt::xtensor<float, 2> highest = xt::zeros<float>({samples, std::size_t{classes}});
  xt::xtensor<T, 1> of = xt::zeros<T>({samples});
  for (std::size_t i = 0; i < samples; ++i) {
    highest(i, predicted[i]) = 1;
    of(i) = static_cast<T>(labelled[i]);
  }
  s.run(update, scores = highest, labels = of);
  const auto [accuracy, counts, f1, best] = s.run(results);
  CHECK(accuracy == 0.5);
  CHECK(best == 0.5);
  // Of 300 classes 5 and 44 have one of three right, 127 all.
  CHECK(f1 == doctest::Approx((2 / 3. + 2 / 3. + 1) / classes));
  double total = 0;
  for (const double count : counts) total += count;
  CHECK(total == samples);
  for (std::size_t i = 0; i < samples; ++i) CHECK(counts(static_cast<std::size_t>(labelled[i]), predicted[i]) == 1);
}
