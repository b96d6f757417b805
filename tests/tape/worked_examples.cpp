// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/tape.hpp>

#include <eager/contents.hpp>

// The worked examples of gradients.

using namespace etch::literals;

using contents::text;

TEST_CASE("AT-7, TAPE-01: the gradient of a square") {
  const etch::eager::variable w(etch::tensor<float, 2>{{1}});
  etch::tape tape;
  const auto loss = w * w;
  CHECK(text(tape.gradient(loss, w)) == "etch.tensor([[2.]], shape=(1, 1), dtype=float32)");
}

TEST_CASE("AT-H5, TAPE-02: a square at 3, and a sum of squares with its gradients") {
  const etch::eager::variable x(etch::tensor<float, 0>(3));
  etch::tape first;
  const auto y = etch::square(x);
  const auto slope = first.gradient(y, x);
  CHECK(text(y) + text(slope) == "etch.tensor(9.0, shape=(), dtype=float32)etch.tensor(6.0, shape=(), dtype=float32)");

  const etch::tensor<float, 2> points = {{1, 2}, {3, 4}}, targets = {{1}, {2}};
  const etch::eager::variable w(etch::tensor<float, 2>{{1}, {2}});
  const etch::eager::variable b(etch::tensor<float, 0>(1));
  etch::tape tape;
  const auto loss = 0.5_c * etch::sum(etch::square(etch::matmul(points, w) + b - targets));
  const auto [dw, db] = tape.gradient(loss, w, b);
  CHECK(text(loss) == "etch.tensor(62.5, shape=(), dtype=float32)");
  CHECK(text(dw) == "etch.tensor(\n[[35.]\n [50.]], shape=(2, 1), dtype=float32)");
  CHECK(text(db) == "etch.tensor(15.0, shape=(), dtype=float32)");
}

namespace {

/// a x + b through five points by 10,000 steps of gradient descent with rate 1e-3, from 0.
template <class T>
struct line {
  T a = 0, b = 0;
};
template <class T>
const xt::xtensor<T, 1>& years() {
  static const xt::xtensor<T, 1> x = {0, T(0.25), T(0.5), T(0.75), 1};
  return x;
}
/// (12000, 14000, 15000, 16500, 17500) less 12000, over 5500.
template <class T>
const xt::xtensor<T, 1>& prices() {
  static const xt::xtensor<T, 1> y = {0, T(2000 / 5500.), T(3000 / 5500.), T(4500 / 5500.), 1};
  return y;
}
constexpr int epochs = 10'000;

/// By a step of a session.
template <class T, class Step>
line<T> by_session(Step) {
  constexpr etch::placeholder<"x", T, 5> x;
  constexpr etch::placeholder<"y", T, 5> y;
  constexpr auto a = etch::variable<"a">(etch::zeros<T>(etch::shape<>{}));
  constexpr auto b = etch::variable<"b">(etch::zeros<T>(etch::shape<>{}));
  constexpr auto train = Step{}(x, y, a, b);
  etch::session s(train);
  s.initialize();
  auto step = s.bind(train, x = years<T>(), y = prices<T>());
  for (int epoch = 0; epoch < epochs; ++epoch) step();
  return {s.get(a), s.get(b)};
}
constexpr auto loss_of = [](auto x, auto y, auto a, auto b) { return 0.5_c * etch::sum(etch::square(a * x + b - y)); };
constexpr auto by_hand = [](auto x, auto y, auto a, auto b) {
  const auto distance = a * x + b - y;
  return etch::group(etch::assign_sub(a, 1e-3_c * etch::sum(distance * x)), etch::assign_sub(b, 1e-3_c * etch::sum(distance)));
};
constexpr auto by_gradients = [](auto x, auto y, auto a, auto b) {
  const auto [da, db] = etch::gradients(loss_of(x, y, a, b), a, b);
  return etch::group(etch::assign_sub(a, 1e-3_c * da), etch::assign_sub(b, 1e-3_c * db));
};
constexpr auto by_minimize = [](auto x, auto y, auto a, auto b) {
  return etch::optimizers::sgd(1e-3_c).minimize(loss_of(x, y, a, b), a, b);
};

template <class T>
line<T> by_hand_at_once() {
  const etch::tensor<T, 1> x = years<T>(), y = prices<T>();
  etch::tensor<T, 0> a = 0, b = 0;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const auto distance = a * x + b - y;
    a -= 1e-3_c * etch::sum(distance * x);
    b -= 1e-3_c * etch::sum(distance);
  }
  return {a.item(), b.item()};
}
template <class T>
line<T> by_tape() {
  const etch::tensor<T, 1> x = years<T>(), y = prices<T>();
  etch::eager::variable a(etch::tensor<T, 0>(0)), b(etch::tensor<T, 0>(0));
  for (int epoch = 0; epoch < epochs; ++epoch) {
    etch::tape tape;
    const auto [da, db] = tape.gradient(loss_of(x, y, a, b), a, b);
    a.assign_sub(1e-3_c * da);
    b.assign_sub(1e-3_c * db);
  }
  return {a.read().item(), b.read().item()};
}

/// All five ways end where `wanted` says.
template <class T>
void check_line(line<T> wanted, double within) {
  for (const line<T>& found :
       {by_session<T>(by_hand), by_session<T>(by_gradients), by_session<T>(by_minimize), by_hand_at_once<T>(), by_tape<T>()}) {
    CHECK(std::abs(found.a - wanted.a) <= within);
    CHECK(std::abs(found.b - wanted.b) <= within);
  }
}

}  // namespace

TEST_CASE("AT-H6, OPT-03, OPT-05, TAPE-03: a line through five prices: by hand, by gradients, by an optimizer and by a tape") {
  check_line<double>({0.97637021, 0.05756498}, 5e-9);
  // Ten thousand roundings.
  check_line<float>({0.97637f, 0.05757f}, 1e-5);
}

TEST_CASE("AT-H6: all of these give what a loop of C++ gives") {
  line<double> plain;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    double da = 0, db = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      const double distance = plain.a * years<double>()[i] + plain.b - prices<double>()[i];
      da += distance * years<double>()[i];
      db += distance;
    }
    plain.a -= 1e-3 * da;
    plain.b -= 1e-3 * db;
  }
  check_line<double>(plain, 1e-12);
}
