// SPDX-License-Identifier: MIT
#include <cmath>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/optimizers.hpp>
#include <etch/thread_pool.hpp>

/// Optimizers of rows alone: beside PyTorch's SparseAdam, and beside the rules as loops over the rows that were looked up, in double.
using namespace etch;
using namespace etch::literals;

namespace {

constexpr int rows = 40, width = 3;
constexpr auto rows_of_all = variable<"table">(zeros<double>(shape<rows, width>{}));
constexpr placeholder<"ids", std::int32_t, any<"batch">, 3> ids;
constexpr placeholder<"target", double, any<"batch">, 3, width> target;
constexpr auto distance = 0.5_c * sum(square(gather(rows_of_all, ids) - target));

using matrix = xt::xtensor<double, 2>;
using row = std::vector<double>;

struct batch {
  xt::xtensor<std::int32_t, 2> ids;
  xt::xtensor<double, 3> target;
};
/// Ids of which several are equal and some are outside, which are clamped. Of every fourth batch none.
batch batch_of(int step) {
  std::mt19937 generator(static_cast<unsigned>(step));
  const std::size_t n = step % 4 == 3 ? 0 : generator() % 5 + 1;
  batch b{xt::zeros<std::int32_t>({n, std::size_t{3}}), xt::zeros<double>({n, std::size_t{3}, std::size_t{width}})};
  for (auto& id : b.ids) id = static_cast<std::int32_t>(generator() % 16 * 3) - 2;
  for (auto& t : b.target) t = static_cast<double>(generator() % 1000) / 250 - 2;
  return b;
}
matrix start() {
  matrix m = xt::zeros<double>({std::size_t{rows}, std::size_t{width}});
  for (std::size_t i = 0; i < m.size(); ++i) m.data()[i] = static_cast<double>(i % 17) / 8 - 1;
  return m;
}

/// `change(row, gradient, state of the row, step)` for each row of a batch, with the sum of its gradients.
template <class Change>
matrix by_hand(int steps, const Change& change) {
  matrix w = start();
  std::vector<row> states(rows, row(2 * width));
  for (int step = 0; step < steps; ++step) {
    const batch b = batch_of(step);
    std::vector<row> gradients(rows);
    for (std::size_t k = 0; k < b.ids.size(); ++k) {
      const auto id = static_cast<std::size_t>(std::clamp(b.ids.data()[k], 0, rows - 1));
      gradients[id].resize(width);
      for (std::size_t j = 0; j < width; ++j) gradients[id][j] += w(id, j) - b.target.data()[k * width + j];
    }
    change(w, gradients, states, step + 1);
  }
  return w;
}
/// A rule that goes element by element, whose state are two numbers.
template <class Rule>
matrix element_by_element(int steps, const Rule& rule) {
  return by_hand(steps, [&](matrix& w, const std::vector<row>& gradients, std::vector<row>& states, int t) {
    for (std::size_t id = 0; id < gradients.size(); ++id)
      for (std::size_t j = 0; j < gradients[id].size(); ++j) rule(w(id, j), gradients[id][j], &states[id][2 * j], t);
  });
}

template <class Optimizer>
void check(Optimizer optimizer, const matrix& expected, const char* what) {
  constexpr auto step = optimizers::sparse(Optimizer{}).minimize(distance, rows_of_all, ids);
  static_cast<void>(optimizer);
  session s(step, rows_of_all);
  thread_pool three(3);
  for (int threads : {1, 3}) {
    s.set_executor(threads == 1 ? nullptr : &three);
    s.initialize();
    s.set(rows_of_all, start());
    for (int k = 0; k < 21; ++k) {
      const batch b = batch_of(k);
      s.run(step, ids = b.ids, target = b.target);
    }
    const matrix got = s.run(rows_of_all);
    for (std::size_t i = 0; i < got.size(); ++i)
      CHECK_MESSAGE(std::abs(got.data()[i] - expected.data()[i]) <= 1e-12, what, ", element ", i, ", threads ", threads);
  }
}

}  // namespace

TEST_CASE("sparse optimizers: adam is PyTorch's SparseAdam") {
  // torch.optim.SparseAdam(lr=0.1, eps=1e-7), PyTorch 2.15, of a table in double.
  static constexpr double expected[] = {-0.763476636968916,
                                        -0.635065229937575,
                                        -0.507285826540214,
                                        -0.815273614350894,
                                        -0.681812515613138,
                                        -0.54578605243064,
                                        -0.25,
                                        -0.125,
                                        0.0,
                                        0.161034680403838,
                                        0.307200622629728,
                                        0.453104151392555,
                                        0.441887202468973,
                                        0.566887204618315,
                                        0.691887207020519,
                                        0.551007159805272,
                                        0.784067710199049,
                                        1.018167185155761};
  static constexpr std::int32_t steps[][4] = {{3, 5, 3, 0}, {0, 0, 0, 0}, {1, 3, 5, 3}, {5, 4, 4, 1}, {3, 0, 1, 5}};
  constexpr auto small = variable<"small">(zeros<double>(shape<6, 3>{}));
  constexpr placeholder<"id", std::int32_t, 4> id;
  constexpr placeholder<"t", double, 4, 3> t;
  constexpr auto step = optimizers::sparse(optimizers::adam(0.1_c)).minimize(0.5_c * sum(square(gather(small, id) - t)), small, id);
  session s(step, small);
  s.initialize();
  matrix first = xt::zeros<double>({6, 3});
  for (std::size_t i = 0; i < 18; ++i) first.data()[i] = static_cast<double>(i) * 0.125 - 1;
  s.set(small, first);
  for (int k = 0; k < 5; ++k) {
    xt::xtensor<std::int32_t, 1> at = xt::zeros<std::int32_t>({4});
    matrix goal = xt::zeros<double>({4, 3});
    for (std::size_t i = 0; i < 4; ++i) at(i) = steps[k][i];
    for (std::size_t i = 0; i < 12; ++i) goal.data()[i] = static_cast<double>(i) * 0.25 - k;
    s.run(step, id = at, t = goal);
  }
  const matrix got = s.run(small);
  for (std::size_t i = 0; i < 18; ++i) CHECK_MESSAGE(std::abs(got.data()[i] - expected[i]) < 1e-12, i);
}

TEST_CASE("sparse optimizers: rules change the rows that were looked up, by the sums of their gradients") {
  check(optimizers::sgd(0.1_c), element_by_element(21, [](double& w, double g, double*, int) { w -= 0.1 * g; }), "sgd");
  check(optimizers::momentum(0.1_c),
        element_by_element(21,
                           [](double& w, double g, double* m, int) {
                             *m = 0.9 * *m + g;
                             w -= 0.1 * *m;
                           }),
        "momentum");
  check(optimizers::lion(0.01_c),
        element_by_element(21,
                           [](double& w, double g, double* m, int) {
                             const double c = 0.9 * *m + (1 - 0.9) * g;
                             w -= 0.01 * ((c > 0) - (c < 0));
                             *m = 0.99 * *m + (1 - 0.99) * g;
                           }),
        "lion");
  const auto adam = [](double& w, double g, double* state, double rate, int t) {
    state[0] = 0.9 * state[0] + (1 - 0.9) * g;
    state[1] = 0.999 * state[1] + (1 - 0.999) * g * g;
    w -= rate * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t)) * state[0] / (std::sqrt(state[1]) + 1e-7);
  };
  check(optimizers::adam(0.1_c), element_by_element(21, [&](double& w, double g, double* s, int t) { adam(w, g, s, 0.1, t); }),
        "adam");
  check(
      optimizers::adam(schedules::exponential_decay(0.1_c, 3_c, 0.5_c)),
      element_by_element(21, [&](double& w, double g, double* s, int t) { adam(w, g, s, 0.1 * std::pow(0.5, (t - 1) / 3.0), t); }),
      "adam whose rate falls");
  check(optimizers::adamw(0.1_c, 0.05_c),
        element_by_element(21,
                           [&](double& w, double g, double* s, int t) {
                             w -= 0.1 * 0.05 * w;
                             adam(w, g, s, 0.1, t);
                           }),
        "adamw");
  check(optimizers::sgd(0.1_c).clip_by_global_norm(2_c),
        by_hand(21,
                [](matrix& w, const std::vector<row>& gradients, auto&, int) {
                  double squares = 0;
                  for (const row& g : gradients)
                    for (const double e : g) squares += e * e;
                  const double by = squares > 4 ? 2 / std::sqrt(squares) : 1;
                  for (std::size_t id = 0; id < gradients.size(); ++id)
                    for (std::size_t j = 0; j < gradients[id].size(); ++j) w(id, j) -= 0.1 * by * gradients[id][j];
                }),
        "sgd of limited gradients");
}

TEST_CASE("sparse optimizers: a table that is looked up whole is trained as by the whole rule, an id alone by itself") {
  constexpr auto a = variable<"a">(ones<double>(shape<5, 2>{}));
  constexpr auto b = variable<"b">(ones<double>(shape<5, 2>{}));
  constexpr placeholder<"goal", double, 5, 2> goal;
  constexpr placeholder<"which", std::uint8_t, 5> which;
  constexpr auto loss_of = [=](auto of) { return sum(square(gather(of, which) - goal)); };
  constexpr auto sparse_step = optimizers::sparse(optimizers::adam(0.1_c)).minimize(loss_of(a), a, which);
  constexpr auto whole_step = optimizers::adam(0.1_c).minimize(loss_of(b), b);
  constexpr placeholder<"one", std::int64_t> one;
  constexpr auto row_step = optimizers::sparse(optimizers::adam<"row">(0.1_c)).minimize(sum(square(gather(a, one))), a, one);
  session s(sparse_step, whole_step, row_step, a, b);
  s.initialize();
  const xt::xtensor<std::uint8_t, 1> order = {3, 0, 4, 1, 2};
  for (int k = 0; k < 9; ++k) {
    const matrix wanted = xt::ones<double>({5, 2}) * (k % 3);
    s.run(sparse_step, whole_step, which = order, goal = wanted);
  }
  matrix got = s.run(a);
  const matrix expected = s.run(b);
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(std::abs(got.data()[i] - expected.data()[i]) <= 1e-14);
  const double before = got(2, 0);
  s.run(row_step, one = std::int64_t{2});
  got = s.run(a);
  CHECK(std::abs(std::abs(got(2, 0) - before) - 0.1) < 1e-6);
  CHECK(got(1, 0) == expected(1, 0));
}

TEST_CASE("sparse optimizers: an embedding beside layers that are trained whole") {
  constexpr placeholder<"words", std::int32_t, any<"n">, 4> words;
  constexpr placeholder<"labels", std::int32_t, any<"n">> labels;
  constexpr auto logits = nn::dense<"logits", 3>(mean(nn::embedding<"words", 50'000, 64>(words), axis<1>));
  constexpr auto loss = mean(nn::sparse_softmax_cross_entropy(logits, labels));
  constexpr auto table = find_variable<"words/table">(logits);
  constexpr auto train = group(optimizers::sparse(optimizers::adam(1e-3_c)).minimize(loss, table, words),
                               optimizers::adam(1e-3_c).minimize(loss, variables_outside<"words">));
  // Nothing is as large as the table.
  static_assert(plan_of(loss, train, words, labels).arena_bytes(30) < 50'000 * 64);
  session s(loss, train);
  s.initialize(3);
  xt::xtensor<std::int32_t, 2> sentences = xt::zeros<std::int32_t>({30, 4});
  xt::xtensor<std::int32_t, 1> classes = xt::zeros<std::int32_t>({30});
  for (std::size_t i = 0; i < 30; ++i) {
    classes(i) = static_cast<std::int32_t>(i % 3);
    for (std::size_t j = 0; j < 4; ++j) sentences(i, j) = static_cast<std::int32_t>((i * 7 + j * 13) % 100 * 3 + i % 3);
  }
  const float first = s.run(loss, words = sentences, labels = classes);
  for (int k = 0; k < 300; ++k) s.run(train, words = sentences, labels = classes);
  CHECK(s.run(loss, words = sentences, labels = classes) < 0.1f * first);
}

TEST_CASE("sparse optimizers: two tables in one plan, in both orders, beside what reads them, on threads, have the same bits") {
  constexpr placeholder<"u", std::int32_t, any<"n">> u;
  constexpr placeholder<"i", std::int32_t, any<"n">> i;
  constexpr placeholder<"rating", float, any<"n">> rating;
  constexpr auto users = variable<"users">(full(shape<50, 16>{}, 0.1_c));
  constexpr auto items = variable<"items">(full(shape<30, 16>{}, 0.2_c));
  constexpr auto score = sum(gather(users, u) * gather(items, i), axis<1>);
  constexpr auto loss = mean(square(score - rating));
  constexpr auto a = optimizers::sparse(optimizers::adam(0.02_c)).minimize(loss, users, u);
  constexpr auto b = optimizers::sparse(optimizers::momentum(0.5_c)).minimize(loss, items, i);
  constexpr auto running = cumsum(gather(users, u), axis<0>);
  constexpr auto chosen = where(score > rating, score > 0_c, rating > 1_c);
  session s(loss, a, b, running, chosen, users, items);
  xt::xtensor<std::int32_t, 1> at = xt::zeros<std::int32_t>({200}), of = at;
  xt::xtensor<float, 1> stars = xt::zeros<float>({200});
  for (std::size_t k = 0; k < 200; ++k) {
    at(k) = static_cast<std::int32_t>(k * 37 % 59) - 4;
    of(k) = static_cast<std::int32_t>(k * 11 % 37) - 3;
    stars(k) = static_cast<float>(k % 5) / 4;
  }
  thread_pool three(3);
  const auto trained = [&](const auto& run, executor* threads) {
    s.set_executor(threads);
    s.initialize();
    for (int k = 0; k < 10; ++k) run();
    const auto [x, y] = s.run(users, items);
    std::vector<float> all(x.begin(), x.end());
    all.insert(all.end(), y.begin(), y.end());
    return all;
  };
  const auto together = [&] { s.run(a, b, u = at, i = of, rating = stars); };
  const auto reversed = [&] { s.run(b, a, u = at, i = of, rating = stars); };
  const auto beside = [&] { s.run(running, b, chosen, loss, a, u = at, i = of, rating = stars); };
  const std::vector<float> expected = trained(together, nullptr);
  CHECK(trained(reversed, nullptr) == expected);
  CHECK(trained(beside, nullptr) == expected);
  CHECK(trained(together, &three) == expected);
  CHECK(trained(beside, &three) == expected);
}
