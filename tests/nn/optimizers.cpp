// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include <etch/etch.hpp>

// The expected values are the published rules as plain loops in double, with gradients derived by hand.
using namespace etch::literals;
using etch::shape;

namespace {

using vector = std::vector<double>;

constexpr double start[] = {1, -2, 0.5}, goal[] = {0.25, 3, -1};
constexpr auto w = etch::variable<"w">(etch::zeros<double>(shape<3>{}));
constexpr etch::placeholder<"target", double, 3> target;
constexpr auto distance = etch::sum(etch::square(w - target));

/// The gradient of sum((w - target)^2).
vector slope(const vector& at) {
  vector g(3);
  for (std::size_t i = 0; i < 3; ++i) g[i] = 2 * (at[i] - goal[i]);
  return g;
}

template <class Values>
bool near(const Values& values, const vector& expected, double tolerance = 1e-12) {
  bool all = values.size() == expected.size();
  for (std::size_t i = 0; i < expected.size() && all; ++i)
    all = std::abs(double(values.data()[i]) - expected[i]) <= tolerance * std::abs(expected[i]) + 1e-300;
  return all;
}

/// Adam's rule (Kingma, Ba 2015, end of section 2), with the decay of Loshchilov, Hutter (2019).
struct adam_by_hand {
  double rate, decay = 0, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-7;
  int t = 0;
  vector m = {}, v = {};

  void step(vector& x, const vector& g) {
    m.resize(x.size());
    v.resize(x.size());
    ++t;
    const double corrected = rate * std::sqrt(1 - std::pow(beta2, t)) / (1 - std::pow(beta1, t));
    for (std::size_t i = 0; i < x.size(); ++i) {
      m[i] = beta1 * m[i] + (1 - beta1) * g[i];
      v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
      x[i] = x[i] - rate * decay * x[i] - corrected * m[i] / (std::sqrt(v[i]) + epsilon);
    }
  }
};

/// sum((a b + c - scale)^2) of a (2, 3), b (3) and the number c; `scale` (2) is not trainable.
constexpr auto coupled() {
  constexpr auto a = etch::variable<"a">(etch::zeros<double>(shape<2, 3>{}));
  constexpr auto b = etch::variable<"b">(etch::zeros<double>(shape<3>{}));
  constexpr auto c = etch::variable<"c">(etch::zeros<double>(shape<>{}));
  constexpr auto scale = etch::variable<"scale">(2_c - 3_c * etch::arange<double>(shape<2>{}), etch::not_trainable);
  const auto loss = etch::sum(etch::square(etch::sum(a * b, etch::axis<1>) + c - scale));
  return std::tuple(loss, a, b, c, scale);
}

struct coupled_values {
  static vector first_a() { return {1, -0.5, 2, 0.25, 3, -1}; }
  static vector first_b() { return {0.5, 1.5, -2}; }
  vector a = first_a(), b = first_b(), c = {0.5};

  double error(std::size_t row) const {
    return a[3 * row] * b[0] + a[3 * row + 1] * b[1] + a[3 * row + 2] * b[2] + c[0] - (row == 0 ? 2 : -1);
  }
  double loss() const { return error(0) * error(0) + error(1) * error(1); }
  coupled_values gradient() const {
    coupled_values g;
    g.b = vector(3);
    for (std::size_t r = 0; r < 2; ++r)
      for (std::size_t i = 0; i < 3; ++i) {
        g.a[3 * r + i] = 2 * error(r) * b[i];
        g.b[i] += 2 * error(r) * a[3 * r + i];
      }
    g.c[0] = 2 * error(0) + 2 * error(1);
    return g;
  }
  double norm() const {
    double squares = 0;
    for (const vector* part : {&a, &b, &c})
      for (const double e : *part) squares += e * e;
    return std::sqrt(squares);
  }
};

/// Three steps of `train` beside three of `by_hand(values)`.
template <class Session, class Train, class ByHand>
void three_steps(Session& s, Train train, ByHand by_hand) {
  s.initialize();
  s.set(w, vector(start, start + 3));
  vector expected(start, start + 3);
  for (int step = 1; step <= 3; ++step) {
    s.run(train, target = vector(goal, goal + 3));
    by_hand(expected);
    INFO("step ", step);
    CHECK(near(s.get(w), expected));
  }
}

}  // namespace

TEST_SUITE("optimizers") {
  TEST_CASE("OPT-05: sgd: w -= rate g") {
    const auto train = etch::optimizers::sgd(0.1_c).minimize(distance);
    etch::session s(train);
    three_steps(s, train, [](vector& x) {
      const vector g = slope(x);
      for (std::size_t i = 0; i < 3; ++i) x[i] -= 0.1 * g[i];
    });
  }

  TEST_CASE("OPT-05: sgd with a penalty on the weights in the loss") {
    const auto train = etch::optimizers::sgd(0.1_c).minimize(distance + 0.25_c * etch::sum(etch::square(w)));
    etch::session s(train);
    three_steps(s, train, [](vector& x) {
      const vector g = slope(x);
      for (std::size_t i = 0; i < 3; ++i) x[i] -= 0.1 * (g[i] + 0.5 * x[i]);
    });
  }

  TEST_CASE("OPT-05: the rate can be a placeholder: another one at each step") {
    constexpr etch::placeholder<"rate", double> rate;
    const auto train = etch::optimizers::sgd(rate).minimize(distance);
    etch::session s(train);
    s.initialize();
    s.set(w, vector(start, start + 3));
    vector expected(start, start + 3);
    for (const double r : {0.5, 0.125, 0.0}) {
      s.run(train, target = vector(goal, goal + 3), rate = r);
      const vector g = slope(expected);
      for (std::size_t i = 0; i < 3; ++i) expected[i] -= r * g[i];
      CHECK(near(s.get(w), expected));
    }
  }

  TEST_CASE("OPT: momentum: m = momentum m + g; w -= rate m") {
    const auto usual = etch::optimizers::momentum(0.05_c).minimize(distance);
    const auto chosen = etch::optimizers::momentum(0.05_c, 0.5_c).minimize(distance);
    etch::session s(usual, chosen);
    const auto check = [&](auto train, double momentum) {
      vector m(3);
      three_steps(s, train, [&](vector& x) {
        const vector g = slope(x);
        for (std::size_t i = 0; i < 3; ++i) {
          m[i] = momentum * m[i] + g[i];
          x[i] -= 0.05 * m[i];
        }
      });
      CHECK(near(s.template get<"w/momentum">(), m));
    };
    check(usual, 0.9);
    check(chosen, 0.5);
  }

  TEST_CASE("OPT-01: adam: its defaults, and chosen parameters") {
    const auto usual = etch::optimizers::adam(0.1_c).minimize(distance);
    const auto chosen = etch::optimizers::adam(0.1_c, 0.5_c, 0.75_c, 1e-3_c).minimize(distance);
    etch::session s(usual, chosen);
    const auto check = [&](auto train, adam_by_hand by_hand) {
      three_steps(s, train, [&](vector& x) { by_hand.step(x, slope(x)); });
      CHECK(near(s.template get<"w/adam/m">(), by_hand.m));
      CHECK(near(s.template get<"w/adam/v">(), by_hand.v));
      CHECK(s.template get<"adam/step">() == 3);
    };
    check(usual, {0.1});
    check(chosen, {0.1, 0, 0.5, 0.75, 1e-3});
  }

  TEST_CASE("OPT-01: adam: the bias correction makes the first step as long as the rate, whatever the gradient") {
    const auto train = etch::optimizers::adam(0.1_c).minimize(1e-2_c * distance);
    etch::session s(train);
    s.initialize();
    s.set(w, vector(start, start + 3));
    s.run(train, target = vector(goal, goal + 3));
    vector expected(3);
    for (std::size_t i = 0; i < 3; ++i) {
      // m / (1 - b1) = g and v / (1 - b2) = g^2; epsilon is added to sqrt(v) = |g| sqrt(1 - b2).
      const double g = 0.02 * (start[i] - goal[i]);
      expected[i] = start[i] - 0.1 * g / (std::abs(g) + 1e-7 / std::sqrt(1 - 0.999));
      CHECK(std::abs(expected[i] - start[i]) == doctest::Approx(0.1).epsilon(1e-3));
    }
    CHECK(near(s.get(w), expected));
  }

  TEST_CASE("OPT-01: adam of a gradient that is 0 does not move") {
    const auto train = etch::optimizers::adam(0.1_c).minimize(distance);
    etch::session s(train);
    s.initialize();
    s.set(w, vector(goal, goal + 3));
    for (int i = 0; i < 3; ++i) s.run(train, target = vector(goal, goal + 3));
    CHECK(near(s.get(w), vector(goal, goal + 3), 0));
  }

  TEST_CASE("OPT: adamw: the decay acts on the weights and not through the moments") {
    const auto usual = etch::optimizers::adamw(0.1_c).minimize(distance);
    const auto chosen = etch::optimizers::adamw(0.1_c, 0.3_c, 0.8_c, 0.9_c, 1e-4_c).minimize(distance);
    etch::session s(usual, chosen);
    const auto check = [&](auto train, adam_by_hand by_hand) {
      three_steps(s, train, [&](vector& x) { by_hand.step(x, slope(x)); });
      CHECK(near(s.template get<"w/adam/m">(), by_hand.m));
      CHECK(near(s.template get<"w/adam/v">(), by_hand.v));
    };
    check(usual, {0.1, 0.01});
    check(chosen, {0.1, 0.3, 0.8, 0.9, 1e-4});
  }

  TEST_CASE("OPT: adamw with a gradient of 0: only the decay is left") {
    const auto train = etch::optimizers::adamw(0.5_c, 0.25_c).minimize(0_c * distance);
    etch::session s(train);
    three_steps(s, train, [](vector& x) {
      for (double& e : x) e *= 1 - 0.5 * 0.25;
    });
  }

  TEST_CASE("OPT-01: float variables: the rules to float's precision") {
    constexpr auto u = etch::variable<"u">(etch::zeros(shape<3>{}));
    constexpr etch::placeholder<"point", float, 3> point;
    const auto loss = etch::sum(etch::square(u - point));
    const auto sgd = etch::optimizers::sgd(0.1_c).minimize(loss);
    const auto momentum = etch::optimizers::momentum(0.1_c).minimize(loss);
    etch::session s(sgd, momentum);
    const auto check = [&](auto train, double decay) {
      s.initialize();
      s.set(u, {1, -2, 0.5});
      vector expected(start, start + 3), m(3);
      for (int step = 1; step <= 3; ++step) {
        s.run(train, point = {0.25, 3, -1});
        const vector g = slope(expected);
        for (std::size_t i = 0; i < 3; ++i) {
          m[i] = decay * m[i] + g[i];
          expected[i] -= 0.1 * m[i];
        }
        CHECK(near(s.get(u), expected, 1e-6));
      }
    };
    check(sgd, 0);
    check(momentum, 0.9);
  }

  TEST_CASE("OPT-01: adam on float variables") {
    constexpr auto u = etch::variable<"u">(etch::zeros(shape<3>{}));
    constexpr etch::placeholder<"point", float, 3> point;
    const auto train = etch::optimizers::adam(0.1_c).minimize(etch::sum(etch::square(u - point)));
    etch::session s(train);
    s.initialize();
    s.set(u, {1, -2, 0.5});
    vector expected(start, start + 3);
    adam_by_hand by_hand{0.1};
    for (int step = 1; step <= 3; ++step) {
      s.run(train, point = {0.25, 3, -1});
      by_hand.step(expected, slope(expected));
      for (std::size_t i = 0; i < 3; ++i) MESSAGE((double(s.get(u)(i)) - expected[i]), " ", expected[i]);
      CHECK(near(s.get(u), expected, 1e-6));
    }
  }

  TEST_CASE("OPT-02, OPT-03: several variables of different shapes; one step reads all of them before it writes") {
    const auto [loss, a, b, c, scale] = coupled();
    const auto train = etch::optimizers::adam(0.1_c).minimize(loss);
    const auto plain = etch::optimizers::sgd(0.01_c).apply_gradients(etch::gradients(loss, a, b, c), a, b, c);
    etch::session s(train, plain, loss);
    for (const bool use_adam : {true, false}) {
      s.initialize();
      s.set(a, coupled_values::first_a());
      s.set(b, coupled_values::first_b());
      s.set(c, 0.5);
      coupled_values v;
      adam_by_hand of_a{0.1}, of_b{0.1}, of_c{0.1};
      for (int step = 1; step <= 3; ++step) {
        const double before = use_adam ? s.run(loss, train) : s.run(loss, plain);
        CHECK(before == doctest::Approx(v.loss()).epsilon(1e-12));
        const coupled_values g = v.gradient();
        if (use_adam) {
          of_a.step(v.a, g.a);
          of_b.step(v.b, g.b);
          of_c.step(v.c, g.c);
        } else {
          for (std::size_t i = 0; i < 6; ++i) v.a[i] -= 0.01 * g.a[i];
          for (std::size_t i = 0; i < 3; ++i) v.b[i] -= 0.01 * g.b[i];
          v.c[0] -= 0.01 * g.c[0];
        }
        CHECK(near(s.get(a), v.a));
        CHECK(near(s.get(b), v.b));
        CHECK(near(vector{s.get(c)}, v.c));
        CHECK(near(s.get(scale), {2, -1}, 0));
      }
    }
  }

  TEST_CASE("OPT-03: minimize changes the variables that are named, and those only") {
    const auto [loss, a, b, c, scale] = coupled();
    const auto train = etch::optimizers::momentum(0.01_c).minimize(loss, b);
    etch::session s(train);
    s.initialize();
    s.set(a, coupled_values::first_a());
    s.set(b, coupled_values::first_b());
    s.set(c, 0.5);
    coupled_values v;
    vector m(3);
    for (int step = 1; step <= 3; ++step) {
      s.run(train);
      const vector g = v.gradient().b;
      for (std::size_t i = 0; i < 3; ++i) {
        m[i] = 0.9 * m[i] + g[i];
        v.b[i] -= 0.01 * m[i];
      }
      CHECK(near(s.get(b), v.b));
    }
    CHECK(near(s.get(a), coupled_values{}.a, 0));
    CHECK(s.get(c) == 0.5);
    CHECK(near(s.get(scale), {2, -1}, 0));
  }

  TEST_CASE("OPT: clip_by_global_norm: one scale for all gradients where their norm is above the limit, else none") {
    const auto [loss, a, b, c, scale] = coupled();
    const auto all = etch::gradients(loss, a, b, c);
    const auto [loose_a, loose_b, loose_c] = etch::optimizers::clip_by_global_norm(all, 1e6_c);
    const auto [tight_a, tight_b, tight_c] = etch::optimizers::clip_by_global_norm(all, 0.5_c);
    etch::session s(loose_a, loose_b, loose_c, tight_a, tight_b, tight_c);
    s.initialize();
    s.set(a, coupled_values::first_a());
    s.set(b, coupled_values::first_b());
    s.set(c, 0.5);
    coupled_values g = coupled_values{}.gradient();
    const auto [a1, b1, c1] = s.run(loose_a, loose_b, loose_c);
    CHECK(near(a1, g.a));
    CHECK(near(b1, g.b));
    CHECK(near(vector{c1}, g.c));
    const double norm = g.norm();
    REQUIRE(norm > 1);
    for (vector* part : {&g.a, &g.b, &g.c})
      for (double& e : *part) e *= 0.5 / norm;
    const auto [a2, b2, c2] = s.run(tight_a, tight_b, tight_c);
    CHECK(near(a2, g.a));
    CHECK(near(b2, g.b));
    CHECK(near(vector{c2}, g.c));
  }

  TEST_CASE("OPT: clip_by_global_norm: steps whose norm falls from above the limit to below it; a norm of 0") {
    const auto clipped = etch::optimizers::clip_by_global_norm(etch::gradients(distance, w), 5_c);
    const auto train = etch::optimizers::sgd(0.45_c).apply_gradients(clipped, w);
    etch::session s(train);
    std::vector<bool> above;
    three_steps(s, train, [&](vector& x) {
      const vector g = slope(x);
      const double norm = std::sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
      above.push_back(norm > 5);
      for (std::size_t i = 0; i < 3; ++i) x[i] -= 0.45 * g[i] * (norm > 5 ? 5 / norm : 1);
    });
    CHECK(above == std::vector<bool>{true, true, false});
    s.set(w, vector(goal, goal + 3));
    s.run(train, target = vector(goal, goal + 3));
    CHECK(near(s.get(w), vector(goal, goal + 3), 0));
  }
}
