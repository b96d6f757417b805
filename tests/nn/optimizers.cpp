// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include <etch/etch.hpp>

// The expected values are the published rules as plain loops in double, with gradients derived by hand.
using namespace etch::literals;
using etch::shape;

namespace {

using vector = std::vector<double>;

const vector first = {1, -2, 0.5}, goal = {0.25, 3, -1};
constexpr auto w = etch::variable<"w">(etch::zeros<double>(shape<3>{}));
constexpr etch::placeholder<"target", double, 3> target;
constexpr auto distance = etch::sum(etch::square(w - target));

/// The gradient of sum((w - target)^2).
vector slope(const vector& at) {
  vector g(3);
  for (std::size_t i = 0; i < 3; ++i) g[i] = 2 * (at[i] - goal[i]);
  return g;
}

vector scaled(vector x, double by) {
  for (double& e : x) e *= by;
  return x;
}

double norm_of(const std::vector<vector>& parts) {
  double squares = 0;
  for (const vector& part : parts) squares += std::inner_product(part.begin(), part.end(), part.begin(), 0.0);
  return std::sqrt(squares);
}

bool near(const auto& values, const vector& expected, double tolerance = 1e-12) {
  bool all = values.size() == expected.size();
  for (std::size_t i = 0; i < expected.size() && all; ++i)
    all = std::abs(double(values.data()[i]) - expected[i]) <= tolerance * std::abs(expected[i]) + 1e-300;
  return all;
}

/// Polyak's rule (1964); with momentum 0, plain gradient descent.
struct momentum_by_hand {
  double rate, momentum = 0;
  vector m = {};

  void step(vector& x, const vector& g) {
    m.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      m[i] = momentum * m[i] + g[i];
      x[i] -= rate * m[i];
    }
  }
};

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

constexpr auto a = etch::variable<"a">(etch::zeros<double>(shape<2, 3>{}));
constexpr auto b = etch::variable<"b">(etch::zeros<double>(shape<3>{}));
constexpr auto c = etch::variable<"c">(etch::zeros<double>(shape<>{}));
constexpr auto scale = etch::variable<"scale">(2_c - 3_c * etch::arange<double>(shape<2>{}), etch::not_trainable);
constexpr auto coupled = etch::sum(etch::square(etch::sum(a * b, etch::axis<1>) + c - scale));

/// `coupled` by hand.
struct coupled_values {
  vector a = {1, -0.5, 2, 0.25, 3, -1}, b = {0.5, 1.5, -2}, c = {0.5};

  double error(std::size_t row) const {
    return a[3 * row] * b[0] + a[3 * row + 1] * b[1] + a[3 * row + 2] * b[2] + c[0] - (row == 0 ? 2 : -1);
  }
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
};

void start_coupled(auto& s) {
  s.initialize();
  s.set(a, coupled_values{}.a);
  s.set(b, coupled_values{}.b);
  s.set(c, coupled_values{}.c[0]);
}

/// Three steps of `train` beside three of a rule by hand, which is given back as they leave it.
template <class Rule, class Variable = decltype(w), class Slot = decltype(target)>
Rule three_steps(auto& s, auto train, Rule rule, auto gradient, double tolerance = 1e-12, Variable variable = w,
                 Slot slot = target) {
  using T = typename Variable::value_type;
  s.initialize();
  s.set(variable, std::vector<T>(first.begin(), first.end()));
  vector expected = first;
  for (int step = 1; step <= 3; ++step) {
    s.run(train, slot = std::vector<T>(goal.begin(), goal.end()));
    rule.step(expected, gradient(expected));
    CHECK(near(s.get(variable), expected, tolerance));
  }
  return rule;
}

template <etch::fixed_string Name>
void three_adam_steps(auto& s, auto train, const adam_by_hand& rule) {
  const adam_by_hand after = three_steps(s, train, rule, slope);
  CHECK(near(s.template get<"w/" + Name + "/m">(), after.m));
  CHECK(near(s.template get<"w/" + Name + "/v">(), after.v));
  CHECK(s.template get<"w/" + Name + "/step">() == 3);
}

}  // namespace

TEST_SUITE("optimizers") {
  TEST_CASE("OPT-05: optimizers of different variables count their steps apart") {
    constexpr auto u = etch::variable<"u">(etch::zeros<double>(shape<3>{}));
    constexpr auto v = etch::variable<"v">(etch::zeros<double>(shape<3>{}));
    const auto rule = etch::optimizers::adam(0.1_c);
    const auto train_u = rule.minimize(etch::sum(etch::square(u - target)));
    const auto train_v = rule.minimize(etch::sum(etch::square(v - target)));
    etch::session s(train_u, train_v);
    s.initialize();
    adam_by_hand u_by_hand{0.1}, v_by_hand{0.1};
    vector u_expected(3), v_expected(3);
    for (int step = 0; step < 4; ++step) {
      s.run(train_u, target = goal);
      u_by_hand.step(u_expected, slope(u_expected));
    }
    s.run(train_v, target = goal);
    v_by_hand.step(v_expected, slope(v_expected));
    CHECK(near(s.get(u), u_expected));
    CHECK(near(s.get(v), v_expected));
    CHECK(s.get<"u/adam/step">() == 4);
    CHECK(s.get<"v/adam/step">() == 1);
  }
  TEST_CASE("OPT-05: sgd: w -= rate g; with a penalty on the weights in the loss") {
    const auto train = etch::optimizers::sgd(0.1_c).minimize(distance);
    const auto decayed = etch::optimizers::sgd(0.1_c).minimize(distance + 0.25_c * etch::sum(etch::square(w)));
    etch::session s(train, decayed);
    three_steps(s, train, momentum_by_hand{0.1}, slope);
    three_steps(s, decayed, momentum_by_hand{0.1}, [](const vector& x) {
      vector g = slope(x);
      for (std::size_t i = 0; i < 3; ++i) g[i] += 0.5 * x[i];
      return g;
    });
  }

  TEST_CASE("OPT-05: the rate can be a placeholder: another one at each step") {
    constexpr etch::placeholder<"rate", double> rate;
    const auto train = etch::optimizers::sgd(rate).minimize(distance);
    etch::session s(train);
    s.initialize();
    s.set(w, first);
    vector expected = first;
    for (const double r : {0.5, 0.125, 0.0}) {
      s.run(train, target = goal, rate = r);
      momentum_by_hand{r}.step(expected, slope(expected));
      CHECK(near(s.get(w), expected));
    }
  }

  TEST_CASE("OPT: momentum: m = momentum m + g; w -= rate m") {
    const auto usual = etch::optimizers::momentum(0.05_c).minimize(distance);
    const auto chosen = etch::optimizers::momentum<"light">(0.05_c, 0.5_c).minimize(distance);
    etch::session s(usual, chosen);
    const vector heavy = three_steps(s, usual, momentum_by_hand{0.05, 0.9}, slope).m;
    CHECK(near(s.get<"w/momentum/m">(), heavy));
    const vector light = three_steps(s, chosen, momentum_by_hand{0.05, 0.5}, slope).m;
    CHECK(near(s.get<"w/light/m">(), light));
  }

  TEST_CASE("OPT-01: adam: its defaults, and chosen parameters") {
    const auto usual = etch::optimizers::adam(0.1_c).minimize(distance);
    const auto chosen = etch::optimizers::adam<"chosen">(0.1_c, 0.5_c, 0.75_c, 1e-3_c).minimize(distance);
    const auto without_mean = etch::optimizers::adam<"without_mean">(0.1_c, 0_c, 0.9_c).minimize(distance);
    etch::session s(usual, chosen, without_mean);
    three_adam_steps<"adam">(s, usual, {0.1});
    three_adam_steps<"chosen">(s, chosen, {0.1, 0, 0.5, 0.75, 1e-3});
    three_adam_steps<"without_mean">(s, without_mean, {0.1, 0, 0, 0.9});
  }

  TEST_CASE("OPT-01: adam: the bias correction makes the first step as long as the rate, whatever the gradient") {
    const auto train = etch::optimizers::adam(0.1_c).minimize(1e-2_c * distance);
    etch::session s(train);
    s.initialize();
    s.set(w, first);
    s.run(train, target = goal);
    vector expected = first;
    for (std::size_t i = 0; i < 3; ++i) {
      // m / (1 - b1) = g and v / (1 - b2) = g^2; epsilon is added to sqrt(v) = |g| sqrt(1 - b2).
      const double g = 0.02 * (first[i] - goal[i]);
      expected[i] -= 0.1 * g / (std::abs(g) + 1e-7 / std::sqrt(1 - 0.999));
      CHECK(std::abs(expected[i] - first[i]) == doctest::Approx(0.1).epsilon(1e-3));
    }
    CHECK(near(s.get(w), expected));
  }

  TEST_CASE("OPT: adamw: the decay acts on the weights and not through the moments") {
    const auto usual = etch::optimizers::adamw(0.1_c).minimize(distance);
    const auto chosen = etch::optimizers::adamw<"chosen">(0.1_c, 0.3_c, 0.8_c, 0.9_c, 1e-4_c).minimize(distance);
    const auto idle = etch::optimizers::adamw<"idle">(0.5_c, 0.25_c).minimize(0_c * distance);
    etch::session s(usual, chosen, idle);
    three_adam_steps<"adamw">(s, usual, {0.1, 0.01});
    three_adam_steps<"chosen">(s, chosen, {0.1, 0.3, 0.8, 0.9, 1e-4});
    // Without a gradient the decay is left.
    three_steps(s, idle, adam_by_hand{0.5, 0.25}, [](const vector&) { return vector(3); });
    CHECK(near(s.get(w), scaled(first, 0.875 * 0.875 * 0.875)));
  }

  TEST_CASE("OPT-01, OPT-05: float variables: the rules to float's precision") {
    constexpr auto u = etch::variable<"u">(etch::zeros(shape<3>{}));
    constexpr etch::placeholder<"point", float, 3> point;
    const auto loss = etch::sum(etch::square(u - point));
    const auto sgd = etch::optimizers::sgd(0.1_c).minimize(loss);
    const auto momentum = etch::optimizers::momentum(0.1_c).minimize(loss);
    const auto adam = etch::optimizers::adam(0.1_c).minimize(loss);
    etch::session s(sgd, momentum, adam);
    three_steps(s, sgd, momentum_by_hand{0.1}, slope, 1e-6, u, point);
    three_steps(s, momentum, momentum_by_hand{0.1, 0.9}, slope, 1e-6, u, point);
    three_steps(s, adam, adam_by_hand{0.1}, slope, 1e-6, u, point);
  }

  TEST_CASE("OPT-02, OPT-03: several variables of different shapes; one step reads all of them before it writes") {
    const auto train = etch::optimizers::adam(0.1_c).minimize(coupled);
    const auto plain = etch::optimizers::sgd(0.01_c).apply_gradients(etch::gradients(coupled, a, b, c), a, b, c);
    etch::session s(train, plain, coupled);
    const auto check = [&](auto step, auto of_a, auto of_b, auto of_c) {
      start_coupled(s);
      coupled_values v;
      for (int i = 1; i <= 3; ++i) {
        CHECK(s.run(coupled, step) == doctest::Approx(v.error(0) * v.error(0) + v.error(1) * v.error(1)).epsilon(1e-12));
        const coupled_values g = v.gradient();
        of_a.step(v.a, g.a);
        of_b.step(v.b, g.b);
        of_c.step(v.c, g.c);
        CHECK(near(s.get(a), v.a));
        CHECK(near(s.get(b), v.b));
        CHECK(near(vector{s.get(c)}, v.c));
        CHECK(near(s.get(scale), {2, -1}, 0));
      }
    };
    check(train, adam_by_hand{0.1}, adam_by_hand{0.1}, adam_by_hand{0.1});
    check(plain, momentum_by_hand{0.01}, momentum_by_hand{0.01}, momentum_by_hand{0.01});
  }

  TEST_CASE("OPT-03: minimize changes the variables that are named, and those only") {
    const auto train = etch::optimizers::momentum(0.01_c).minimize(coupled, b);
    etch::session s(train);
    start_coupled(s);
    coupled_values v;
    momentum_by_hand by_hand{0.01, 0.9};
    for (int step = 1; step <= 3; ++step) {
      s.run(train);
      by_hand.step(v.b, v.gradient().b);
      CHECK(near(s.get(b), v.b));
    }
    CHECK(near(s.get(a), coupled_values{}.a, 0));
    CHECK(s.get(c) == 0.5);
    CHECK(near(s.get(scale), {2, -1}, 0));
  }

  TEST_CASE("OPT-03: minimize trains what the loss reaches by floats, and leaves the others") {
    // `by_choice` reaches the loss by a comparison only, `unused` not at all.
    constexpr auto by_choice = etch::variable<"by_choice">(etch::ones<double>(shape<3>{}));
    constexpr auto unused = etch::variable<"unused">(etch::ones<double>(shape<3>{}));
    constexpr auto loss = etch::sum(etch::where(by_choice > 0_c, etch::square(w - target), 0_c));
    const auto train = etch::optimizers::sgd(0.1_c).minimize(loss);
    etch::session s(train, unused);
    three_steps(s, train, momentum_by_hand{0.1}, slope);
    CHECK(near(s.get(by_choice), {1, 1, 1}, 0));
    CHECK(near(s.get(unused), {1, 1, 1}, 0));
  }

  TEST_CASE("OPT-03: minimize changes the variables under a prefix, whole segments of the name") {
    constexpr auto inner = etch::variable<"net/inner/w">(etch::zeros<double>(shape<3>{}));
    constexpr auto outer = etch::variable<"net">(etch::zeros<double>(shape<3>{}));
    constexpr auto other = etch::variable<"network">(etch::zeros<double>(shape<3>{}));
    constexpr auto loss = etch::sum(etch::square(inner - target) + etch::square(outer - target) + etch::square(other - target));
    const auto train = etch::optimizers::sgd(0.1_c).minimize(loss, etch::variables_under<"net">);
    const auto train_inner = etch::optimizers::adam(0.1_c).minimize(loss, etch::variables_under<"net/inner">);
    etch::session s(train, train_inner, loss);
    s.initialize();
    s.run(train, target = goal);
    momentum_by_hand rule{0.1};
    vector expected(3);
    rule.step(expected, slope(expected));
    CHECK(near(s.get(inner), expected));
    CHECK(near(s.get(outer), expected));
    CHECK(near(s.get(other), {0, 0, 0}, 0));
    adam_by_hand adam{0.1};
    vector inner_expected = expected;
    s.run(train_inner, target = goal);
    adam.step(inner_expected, slope(inner_expected));
    CHECK(near(s.get(inner), inner_expected));
    CHECK(near(s.get(outer), expected));
    CHECK(s.get<"net/inner/w/adam/step">() == 1);
  }

  TEST_CASE("OPT-03: minimize changes the variables that have none of some prefixes") {
    constexpr auto inner = etch::variable<"net/inner/w">(etch::zeros<double>(shape<3>{}));
    constexpr auto outer = etch::variable<"net">(etch::zeros<double>(shape<3>{}));
    constexpr auto other = etch::variable<"network">(etch::zeros<double>(shape<3>{}));
    constexpr auto loss = etch::sum(etch::square(inner - target) + etch::square(outer - target) + etch::square(other - target));
    const auto one = etch::optimizers::sgd(0.1_c).minimize(loss, etch::variables_outside<"net/inner">);
    const auto two = etch::optimizers::sgd(0.1_c).minimize(loss, etch::variables_outside<"net/inner", "network">);
    etch::session s(one, two, loss);
    s.initialize();
    momentum_by_hand rule{0.1}, again{0.1};
    vector expected(3);
    s.run(one, target = goal);
    rule.step(expected, slope(expected));
    CHECK(near(s.get(inner), {0, 0, 0}, 0));
    CHECK(near(s.get(outer), expected));
    CHECK(near(s.get(other), expected));
    s.run(two, target = goal);
    const vector before = expected;
    again.step(expected, slope(expected));
    CHECK(near(s.get(inner), {0, 0, 0}, 0));
    CHECK(near(s.get(outer), expected));
    CHECK(near(s.get(other), before));
  }

  TEST_CASE("OPT-04: what optimizers keep: names, dtypes and shapes; none of it is trainable") {
    constexpr auto p = etch::variable<"net/p">(etch::zeros(shape<2, 3>{}));
    constexpr auto q = etch::variable<"net/q">(etch::zeros<double>(shape<3>{}));
    const auto loss = etch::sum(p * q);
    const auto kept = [&](auto train) {
      etch::session s(train);
      std::vector<std::string> found;
      for (const auto v : s.variables()) {
        std::string text = std::string(v.name()) + " " + etch::name_of_dtype(v.type());
        for (const std::int64_t extent : v.shape()) text += " " + std::to_string(extent);
        if (std::string(v.name()).find('/', 4) == std::string::npos)
          CHECK(v.trainable());
        else
          found.push_back(text + (v.trainable() ? " trainable" : ""));
      }
      std::sort(found.begin(), found.end());
      return found;
    };
    using names = std::vector<std::string>;
    CHECK(kept(etch::optimizers::sgd(0.1_c).minimize(loss)) == names{});
    CHECK(kept(etch::optimizers::momentum(0.1_c).minimize(loss)) ==
          names{"net/p/momentum/m float32 2 3", "net/q/momentum/m float64 3"});
    const names adam = {"net/p/adam/m float32 2 3", "net/p/adam/step float64", "net/p/adam/v float32 2 3", "net/q/adam/m float64 3",
                        "net/q/adam/v float64 3"};
    CHECK(kept(etch::optimizers::adam(0.1_c).minimize(loss)) == adam);
    CHECK(kept(etch::optimizers::adam(0.1_c).minimize(loss, p, q)) == adam);
    CHECK(kept(etch::optimizers::adamw<"slow">(0.1_c).minimize(loss, q, p)) ==
          names{"net/p/slow/m float32 2 3", "net/p/slow/v float32 2 3", "net/q/slow/m float64 3", "net/q/slow/step float64",
                "net/q/slow/v float64 3"});
  }

  TEST_CASE("OPT: a named optimizer has state of its own: two take turns on one variable as if each were alone with it") {
    const auto fast = etch::optimizers::momentum<"fast">(0.05_c).minimize(distance);
    const auto slow = etch::optimizers::momentum<"slow">(0.01_c).minimize(distance);
    etch::session s(fast, slow);
    s.initialize();
    s.set(w, first);
    momentum_by_hand fast_by_hand{0.05, 0.9}, slow_by_hand{0.01, 0.9};
    vector expected = first;
    for (int step = 0; step < 6; ++step) {
      if (step % 2 == 0) {
        s.run(fast, target = goal);
        fast_by_hand.step(expected, slope(expected));
      } else {
        s.run(slow, target = goal);
        slow_by_hand.step(expected, slope(expected));
      }
      CHECK(near(s.get(w), expected));
    }
    CHECK(near(s.get<"w/fast/m">(), fast_by_hand.m));
    CHECK(near(s.get<"w/slow/m">(), slow_by_hand.m));
  }

  TEST_CASE("OPT: clip_by_global_norm: one scale for all gradients where their norm is above the limit, else none") {
    const auto all = etch::gradients(coupled, a, b, c);
    const auto [loose_a, loose_b, loose_c] = etch::optimizers::clip_by_global_norm(all, 1e6_c);
    const auto [tight_a, tight_b, tight_c] = etch::optimizers::clip_by_global_norm(all, 0.5_c);
    etch::session s(loose_a, loose_b, loose_c, tight_a, tight_b, tight_c);
    start_coupled(s);
    const coupled_values g = coupled_values{}.gradient();
    const double norm = norm_of({g.a, g.b, g.c});
    REQUIRE(norm > 1);
    const auto check = [&](const auto& values, double by) {
      CHECK(near(std::get<0>(values), scaled(g.a, by)));
      CHECK(near(std::get<1>(values), scaled(g.b, by)));
      CHECK(near(vector{std::get<2>(values)}, scaled(g.c, by)));
    };
    check(s.run(loose_a, loose_b, loose_c), 1);
    check(s.run(tight_a, tight_b, tight_c), 0.5 / norm);
  }

  TEST_CASE("OPT: clip_by_global_norm: steps whose norm falls from above the limit to below it; a norm of 0") {
    const auto clipped = etch::optimizers::clip_by_global_norm(etch::gradients(distance, w), 5_c);
    const auto train = etch::optimizers::sgd(0.45_c).apply_gradients(clipped, w);
    etch::session s(train);
    std::vector<bool> above;
    three_steps(s, train, momentum_by_hand{0.45}, [&](const vector& x) {
      const vector g = slope(x);
      const double norm = norm_of({g});
      above.push_back(norm > 5);
      return scaled(g, norm > 5 ? 5 / norm : 1);
    });
    CHECK(above == std::vector<bool>{true, true, false});
    s.set(w, goal);
    s.run(train, target = goal);
    CHECK(near(s.get(w), goal, 0));
  }
}
