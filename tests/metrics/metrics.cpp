// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include <etch/metrics.hpp>
#include <metrics/values.hpp>
#include <nn/numbers.hpp>

/// Metrics over batches of 300 samples beside Keras's and scikit-learn's over all.
namespace {

using namespace etch;
using namespace etch::literals;

using matrix = xt::xtensor<double, 2>;

constexpr placeholder<"p", double, any<"n">, 1> p;
constexpr placeholder<"so", double, any<"n">, 1> so;
constexpr placeholder<"scores", double, any<"n">, 6> scores;
constexpr placeholder<"labels", std::int32_t, any<"n">> labels;
constexpr placeholder<"y", double, any<"n">, 2> y;
constexpr placeholder<"t", double, any<"n">, 2> t;

/// Keras adds 1e-7 to divisors.
doctest::Approx about(double value) { return doctest::Approx(value).epsilon(1e-7); }

matrix rows(const matrix& all, std::size_t begin, std::size_t count) {
  matrix some = xt::zeros<double>({count, all.shape()[1]});
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < all.shape()[1]; ++k) some(i, k) = all(begin + i, k);
  return some;
}
/// Calls f with the beginnings and sizes of batches of 300.
void for_batches(const auto& f) {
  for (std::size_t begin = 0; begin < 300; begin += 64) f(begin, std::min<std::size_t>(64, 300 - begin));
}

const matrix probabilities = numbers(1, 300, 1), many_scores = 4 * numbers(3, 300, 6) - 2;
matrix draws() {
  const matrix drawn = numbers(2, 300, 1);
  matrix z = xt::zeros<double>({300, 1});
  for (std::size_t i = 0; i < 300; ++i) z(i, 0) = drawn(i, 0) < 0.2 + 0.6 * probabilities(i, 0) ? 1 : 0;
  return z;
}
xt::xtensor<std::int32_t, 1> best() {
  const matrix noisy = many_scores + 3 * numbers(4, 300, 6);
  xt::xtensor<std::int32_t, 1> z = xt::zeros<std::int32_t>({300});
  for (std::size_t i = 0; i < 300; ++i)
    for (std::int32_t k = 1; k < 6; ++k)
      if (noisy(i, static_cast<std::size_t>(k)) > noisy(i, static_cast<std::size_t>(z(i)))) z(i) = k;
  return z;
}
const matrix drawn = draws();
const xt::xtensor<std::int32_t, 1> classes = best();

}  // namespace

TEST_CASE("MET: metrics of what is so or not add up over batches: Keras's and scikit-learn's") {
  constexpr auto all = std::tuple{metrics::binary_accuracy()(p, so),
                                  metrics::binary_accuracy(0.3_c).of<"lower">(p, so),
                                  metrics::precision()(p, so),
                                  metrics::named<"sure">(metrics::precision(0.8_c))(p, so),
                                  metrics::recall()(p, so),
                                  metrics::recall(0.2_c).of<"most">(p, so),
                                  metrics::f1()(p, so),
                                  metrics::auc(p, so),
                                  metrics::auc_metric<50>{}.of<"auc_of_50">(p, so),
                                  metrics::precision_recall_auc(p, so),
                                  metrics::accuracy(p, so),
                                  metrics::from_logits(metrics::auc).of<"auc_of_logits">(etch::log(p) - etch::log(1_c - p), so)};
  constexpr auto update = std::apply([](auto... m) { return group(m.update()...); }, all);
  constexpr auto reset = std::apply([](auto... m) { return group(m.reset()...); }, all);
  constexpr auto results = std::apply([](auto... m) { return std::tuple{m.result()...}; }, all);
  session s(update, reset, results);
  s.initialize();
  const auto nothing = s.run(results);
  CHECK(std::get<2>(nothing) == 0);
  CHECK(std::get<7>(nothing) == 0);
  CHECK(std::get<9>(nothing) == 0);
  for (int round = 0; round < 2; ++round) {
    for_batches([&](std::size_t begin, std::size_t count) {
      s.run(update, p = rows(probabilities, begin, count), so = rows(drawn, begin, count));
    });
    const auto [binary, lower, precision, sure, recall, most, f1, auc, auc_of_50, curve, accuracy, of_logits] = s.run(results);
    CHECK(binary == about(oracle::binary_accuracy));
    CHECK(accuracy == about(oracle::binary_accuracy));
    CHECK(lower == about(oracle::binary_accuracy_at_3));
    CHECK(precision == about(oracle::precision));
    CHECK(precision == doctest::Approx(oracle::precision_by_sklearn).epsilon(1e-14));
    CHECK(sure == about(oracle::precision_at_8));
    CHECK(recall == about(oracle::recall));
    CHECK(recall == doctest::Approx(oracle::recall_by_sklearn).epsilon(1e-14));
    CHECK(most == about(oracle::recall_at_2));
    CHECK(f1 == about(oracle::f1));
    CHECK(f1 == doctest::Approx(oracle::f1_by_sklearn).epsilon(1e-14));
    CHECK(auc == about(oracle::auc));
    CHECK(of_logits == about(oracle::auc));
    CHECK(auc_of_50 == about(oracle::auc_of_50));
    CHECK(std::abs(auc - oracle::auc_by_sklearn) < 1e-3);
    CHECK(curve == about(oracle::precision_recall_auc));
    CHECK(s.get<"metrics/sure/predicted">() > 0);
    s.run(reset);
    CHECK(s.get<"metrics/precision/true_positives">() == 0);
  }
}
TEST_CASE("MET-01: metrics of classes: Keras's and scikit-learn's") {
  constexpr auto one_hot = astype<double>(etch::one_hot<6>(labels));
  constexpr auto all = std::tuple{metrics::accuracy(scores, labels),
                                  metrics::accuracy.of<"of_one_hot">(scores, one_hot),
                                  metrics::top_k_accuracy<3>(scores, labels),
                                  metrics::top_k_accuracy<3>.of<"top_of_one_hot">(scores, one_hot),
                                  metrics::macro_f1(scores, labels),
                                  metrics::perplexity(scores, labels),
                                  metrics::confusion_matrix(scores, labels),
                                  metrics::confusion_matrix.of<"matrix_of_one_hot">(scores, one_hot),
                                  metrics::mean<"mean">(scores)};
  constexpr auto update = std::apply([](auto... m) { return group(m.update()...); }, all);
  constexpr auto results = std::apply([](auto... m) { return std::tuple{m.result()...}; }, all);
  session s(update, results);
  s.initialize();
  for_batches([&](std::size_t begin, std::size_t count) {
    s.run(update, scores = rows(many_scores, begin, count),
          labels = std::vector<std::int32_t>(classes.data() + begin, classes.data() + begin + count));
  });
  const auto [accuracy, of_one_hot, top, top_of_one_hot, macro_f1, perplexity, counts, counts_of_one_hot, mean_of] = s.run(results);
  CHECK(accuracy == about(oracle::accuracy));
  CHECK(of_one_hot == accuracy);
  CHECK(top == about(oracle::top_3_accuracy));
  CHECK(top_of_one_hot == about(oracle::top_3_accuracy_of_one_hot));
  CHECK(macro_f1 == about(oracle::macro_f1));
  CHECK(macro_f1 == doctest::Approx(oracle::macro_f1_by_sklearn).epsilon(1e-14));
  CHECK(std::log(perplexity) == about(oracle::cross_entropy));
  CHECK(mean_of == about(oracle::mean));
  REQUIRE(counts.shape() == std::array<std::size_t, 2>{6, 6});
  for (std::size_t i = 0; i < 36; ++i) CHECK(counts.data()[i] == oracle::confusion_matrix[i]);
  CHECK(counts_of_one_hot == counts);
}
TEST_CASE("MET: metrics of numbers: Keras's and scikit-learn's") {
  constexpr auto first = [](auto x) { return squeeze(slice(x, section<>, section<0, 1>), axis<1>); };
  constexpr auto all = std::tuple{metrics::mean_squared_error(y, t),
                                  metrics::mean_absolute_error(y, t),
                                  metrics::root_mean_squared_error(y, t),
                                  metrics::mean_absolute_percentage_error(y, t),
                                  metrics::mean<"log_cosh">(losses::log_cosh)(y, t),
                                  metrics::r2(y, t),
                                  metrics::r2.of<"r2_of_first">(first(y), first(t)),
                                  metrics::mean<"above">([](auto of, auto) { return of > 0_c; })(y, t)};
  constexpr auto update = std::apply([](auto... m) { return group(m.update()...); }, all);
  constexpr auto results = std::apply([](auto... m) { return std::tuple{m.result()...}; }, all);
  session s(update, results);
  s.initialize();
  const matrix predicted = 4 * numbers(5, 300, 2) - 1, values = predicted + numbers(6, 300, 2) - 0.4;
  double above = 0;
  for (const double v : predicted) above += v > 0 ? 1. / 600 : 0;
  for_batches([&](std::size_t begin, std::size_t count) {
    s.run(update, y = rows(predicted, begin, count), t = rows(values, begin, count));
  });
  const auto [mse, mae, rmse, mape, log_cosh, r2, r2_of_first, share] = s.run(results);
  CHECK(mse == about(oracle::mean_squared_error));
  CHECK(mae == about(oracle::mean_absolute_error));
  CHECK(rmse == about(oracle::root_mean_squared_error));
  CHECK(mape == about(oracle::mean_absolute_percentage_error));
  CHECK(log_cosh == about(oracle::log_cosh));
  CHECK(r2 == about(oracle::r2));
  CHECK(r2 == doctest::Approx(oracle::r2_by_sklearn).epsilon(1e-12));
  CHECK(r2_of_first == doctest::Approx(oracle::r2_of_first).epsilon(1e-12));
  CHECK(share == doctest::Approx(above).epsilon(1e-12));
}
TEST_CASE("MET: a mean with weights: what has none does not count, even a NaN") {
  constexpr auto weighted = metrics::mean<"weighted">(p, so);
  session s(weighted.update(), weighted.result());
  s.initialize();
  CHECK(s.run(weighted.result()) == 0);
  s.run(weighted.update(), p = {{1}, {2}, {std::numeric_limits<double>::quiet_NaN()}}, so = {{1}, {0.5}, {0}});
  s.run(weighted.update(), p = {{4}}, so = {{2.5}});
  CHECK(s.run(weighted.result()) == 3);
}
TEST_CASE("MET: a weight for each row of values counts for each of its elements: Keras's Mean") {
  constexpr auto rows_weighed = metrics::mean<"rows">(y, p);
  constexpr auto elements_weighed = metrics::mean<"elements">(p, y);
  session s(rows_weighed.update(), rows_weighed.result(), elements_weighed.update(), elements_weighed.result());
  s.initialize();
  s.run(rows_weighed.update(), y = {{1, 2}, {5, 6}}, p = {{1}, {3}});
  CHECK(s.run(rows_weighed.result()) == 4.5);
  s.run(rows_weighed.update(), y = {{std::numeric_limits<double>::quiet_NaN(), 1}}, p = {{0}});
  CHECK(s.run(rows_weighed.result()) == 4.5);
  s.run(elements_weighed.update(), p = {{1}, {5}}, y = {{1, 1}, {0, 2}});
  CHECK(s.run(elements_weighed.result()) == 3);
}
TEST_CASE("MET-01: a label that is no class is nowhere right") {
  constexpr auto all = std::tuple{metrics::accuracy(scores, labels), metrics::top_k_accuracy<1>.of<"best">(scores, labels),
                                  metrics::top_k_accuracy<6>(scores, labels), metrics::macro_f1(scores, labels)};
  constexpr auto update = std::apply([](auto... m) { return group(m.update()...); }, all);
  constexpr auto results = std::apply([](auto... m) { return std::tuple{m.result()...}; }, all);
  session s(update, results);
  s.initialize();
  const matrix below_zero = -1 - numbers(1, 3, 6);
  s.run(update, scores = below_zero, labels = {-1, 6, 1 << 30});
  CHECK(s.run(results) == std::tuple{0., 0., 0., 0.});
  s.run(update, scores = below_zero, labels = {0, 5, 3});
  CHECK(std::get<2>(s.run(results)) == 0.5);
}
TEST_CASE("MET: areas of outputs outside of [0, 1] have both ends of their curves: Keras's AUC") {
  constexpr auto all = std::tuple{metrics::auc(p, so), metrics::precision_recall_auc(p, so)};
  constexpr auto update = std::apply([](auto... m) { return group(m.update()...); }, all);
  constexpr auto results = std::apply([](auto... m) { return std::tuple{m.result()...}; }, all);
  session s(update, results);
  s.initialize();
  s.run(update, p = {{-0.5}, {1.5}, {0.2}, {0.7}}, so = {{0}, {1}, {1}, {0}});
  CHECK(std::get<0>(s.run(results)) == 0.75);
  CHECK(std::get<1>(s.run(results)) == doctest::Approx(0.797267436981).epsilon(1e-7));
}
TEST_CASE("MET: before any sample results are 0") {
  constexpr auto all = std::tuple{metrics::r2(y, t), metrics::auc(p, so), metrics::accuracy(scores, labels),
                                  metrics::root_mean_squared_error(y, t), metrics::perplexity(scores, labels)};
  constexpr auto update = std::apply([](auto... m) { return group(m.update()...); }, all);
  constexpr auto results = std::apply([](auto... m) { return std::tuple{m.result()...}; }, all);
  session s(update, results);
  s.initialize();
  CHECK(s.run(results) == std::tuple{0., 0., 0., 0., 1.});
  const matrix none = xt::zeros<double>({0, 1}), none_of_two = xt::zeros<double>({0, 2});
  s.run(update, p = none, so = none, y = none_of_two, t = none_of_two, scores = matrix(xt::zeros<double>({0, 6})),
        labels = std::vector<std::int32_t>{});
  CHECK(s.run(results) == std::tuple{0., 0., 0., 0., 1.});
  // From there on as if there had been no such batch.
  s.run(update, p = {{0.7}}, so = {{1}}, y = {{1, 2}}, t = {{1, 3}}, scores = matrix(xt::ones<double>({1, 6})), labels = {0});
  CHECK(std::get<0>(s.run(results)) == 0.5);
}
TEST_CASE("MET: r2 of a constant target is 0, whatever it is and however it is batched; far from 0 it is as near 0") {
  constexpr auto r2 = metrics::r2(p, so);
  session s(r2.update(), r2.result(), r2.reset());
  s.initialize();
  for (const double level : {0.1, 0.3, 0.7, 1.1, 1000.1}) {
    s.run(r2.reset());
    for (const std::size_t rows : {std::size_t{100}, std::size_t{1}, std::size_t{7}})
      s.run(r2.update(), p = matrix(xt::ones<double>({rows, std::size_t{1}})),
            so = matrix(xt::ones<double>({rows, std::size_t{1}}) * level));
    CHECK(s.run(r2.result()) == 0);
  }
  const auto of = [&](double offset) {
    s.run(r2.reset());
    s.run(r2.update(), p = {{offset + 1}, {offset + 2}}, so = {{offset + 1.5}, {offset + 2}});
    s.run(r2.update(), p = {{offset}}, so = {{offset - 2}});
    return s.run(r2.result());
  };
  CHECK(of(0) == doctest::Approx(1 - 4.25 / (1.5 * 1.5 + 4 + 4 - 1.5 * 1.5 / 3)).epsilon(1e-12));
  CHECK(of(1 << 30) == doctest::Approx(of(0)).epsilon(1e-12));
}
TEST_CASE("MET: what has no spread, nothing predicted, and outputs that are not finite") {
  constexpr auto all =
      std::tuple{metrics::r2(y, t), metrics::precision()(p, so), metrics::f1()(p, so), metrics::top_k_accuracy<2>(scores, labels)};
  constexpr auto update = std::apply([](auto... m) { return group(m.update()...); }, all);
  constexpr auto results = std::apply([](auto... m) { return std::tuple{m.result()...}; }, all);
  session s(update, results);
  s.initialize();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const matrix strange = {{nan, 1, 1, 1, 1, 1}, {0, 5, 4, 4, 4, 1}, {3, 3, 3, 3, 3, 3}};
  s.run(update, y = {{1, 2}, {1, 3}, {1, 3}}, t = {{1, 2}, {1, 2}, {1, 2}}, p = {{0.1}, {0.2}, {0.3}}, so = {{0}, {1}, {0}},
        scores = strange, labels = {0, 2, 5});
  const auto [r2, precision, f1, top] = s.run(results);
  CHECK(r2 == 0.5);
  CHECK(precision == 0);
  CHECK(f1 == 0);
  // Keras's in_top_k: ties count, a NaN does not.
  CHECK(top == doctest::Approx(2. / 3));
}
