// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <etch/etch.hpp>

// Samples are compared with the distribution within five standard errors. Seeds are fixed: the outcome is, too.
using namespace etch::literals;
using etch::name_of;
using etch::shape;
namespace initializers = etch::initializers;

namespace {

/// A variable that an initializer starts.
template <etch::fixed_string Name, class T = float, class Initializer, class Shape>
constexpr auto started(Initializer initializer, Shape s) {
  return etch::variable<Name>(initializer.template make<name_of<Name>, T>(s));
}

/// The values that the session gives the variable of that name, in the order of memory.
template <class Variable>
std::vector<double> values_of(Variable v, std::uint64_t seed) {
  etch::session s(v);
  s.initialize(seed);
  const auto array = s.get(v);
  return {array.begin(), array.end()};
}

struct moments {
  double mean = 0, variance = 0, third = 0, fourth = 0, smallest = 0, largest = 0, repeated = 0;
};
moments moments_of(const std::vector<double>& values) {
  moments m{0, 0, 0, 0, values.at(0), values.at(0), 0};
  const double n = double(values.size());
  for (const double v : values) {
    m.mean += v / n;
    m.smallest = std::min(m.smallest, v);
    m.largest = std::max(m.largest, v);
  }
  for (const double v : values) {
    const double d = v - m.mean;
    m.variance += d * d / n;
    m.third += d * d * d / n;
    m.fourth += d * d * d * d / n;
  }
  for (std::size_t i = 1; i < values.size(); ++i) m.repeated += values[i] * values[i - 1] / n;
  return m;
}

/// Uniform in [low, high): variance w^2 / 12; of the sample variance, (w^4 / 80 - w^4 / 144) / n. Among n draws the gap
/// to either end exceeds 20 w / n with probability e^-20.
void check_uniform(const std::vector<double>& values, double low, double high) {
  const double n = double(values.size()), w = high - low;
  REQUIRE(n >= 10000);
  const moments m = moments_of(values);
  CHECK(m.smallest >= low);
  CHECK(m.largest < high);
  CHECK(m.smallest < low + 20 * w / n);
  CHECK(m.largest > high - 20 * w / n);
  CHECK(std::abs(m.mean - (low + high) / 2) < 5 * w / std::sqrt(12 * n));
  CHECK(std::abs(m.variance - w * w / 12) < 5 * w * w * std::sqrt((1 / 80. - 1 / 144.) / n));
  // Each tenth of the interval has its tenth of the draws.
  std::vector<double> count(10);
  for (const double v : values) ++count[std::min<std::size_t>(9, std::size_t((v - low) / w * 10))];
  for (const double c : count) CHECK(std::abs(c - n / 10) < 5 * std::sqrt(n * 0.1 * 0.9));
}

/// Normal with mean 0: of the sample's variance s^2, the standard error is s^2 sqrt(2 / n); of its third moment,
/// s^3 sqrt(6 / n) about its mean; of its fourth, s^4 sqrt(96 / n), about 3 s^4. 200,000 draws tell a variance that is off
/// by 2 %.
void check_normal(const std::vector<double>& values, double deviation) {
  const double n = double(values.size()), s2 = deviation * deviation;
  REQUIRE(n >= 10000);
  const moments m = moments_of(values);
  CHECK(std::abs(m.mean) < 5 * deviation / std::sqrt(n));
  CHECK(std::abs(m.variance - s2) < 5 * s2 * std::sqrt(2 / n));
  CHECK(std::abs(m.third) < 5 * s2 * deviation * std::sqrt(6 / n));
  CHECK(std::abs(m.fourth - 3 * s2 * s2) < 5 * s2 * s2 * std::sqrt(96 / n));
  CHECK(std::abs(m.repeated) < 5 * s2 / std::sqrt(n));
  double inside = 0;
  for (const double v : values) inside += std::abs(v) < deviation;
  const double p = std::erf(1 / std::sqrt(2.0));
  CHECK(std::abs(inside - p * n) < 5 * std::sqrt(n * p * (1 - p)));
}

bool all_are(const std::vector<double>& values, double expected) {
  bool all = !values.empty();
  for (const double v : values) all = all && v == expected;
  return all;
}

}  // namespace

TEST_SUITE("initializers") {
  TEST_CASE("SCO-07: zeros, ones, constant: every element, of every shape and dtype") {
    CHECK(all_are(values_of(started<"a">(initializers::zeros, shape<100, 100>{}), 1), 0));
    CHECK(all_are(values_of(started<"b">(initializers::ones, shape<100, 100>{}), 1), 1));
    CHECK(all_are(values_of(started<"c">(initializers::constant(-0.1_c), shape<100, 100>{}), 1), double(-0.1f)));
    CHECK(all_are(values_of(started<"d", double>(initializers::constant(0.1_c), shape<7>{}), 1), 0.1));
    CHECK(all_are(values_of(started<"e", std::int32_t>(initializers::constant(-3_c), shape<2, 3, 4>{}), 1), -3));
    CHECK(all_are(values_of(started<"f", std::int64_t>(initializers::ones, shape<5>{}), 1), 1));
  }

  TEST_CASE("SCO-07: full, zeros, ones as expressions; a number") {
    const auto half = etch::full<double>(shape<2, 3>{}, 0.5_c);
    const auto none = etch::variable<"none">(etch::zeros(shape<>{}));
    const auto one = etch::variable<"one">(initializers::ones.make<name_of<"one">, double>(shape<>{}));
    etch::session s(half, none, one);
    s.initialize();
    CHECK(s.run(half) == xt::xtensor<double, 2>{{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}});
    CHECK(s.get(none) == 0.f);
    CHECK(s.get(one) == 1.0);
  }

  TEST_CASE("SCO-07: a variable is started by an initializer as by the expression that it makes") {
    const auto w = etch::variable<"w">(shape<50, 250>{}, initializers::glorot_uniform);
    const auto v = etch::variable<"v", double>(shape<3>{}, initializers::ones, etch::not_trainable);
    static_assert(std::is_same_v<decltype(w), const decltype(started<"w">(initializers::glorot_uniform, shape<50, 250>{}))>);
    static_assert(
        std::is_same_v<decltype(v), const decltype(etch::variable<"v">(etch::ones<double>(shape<3>{}), etch::not_trainable))>);
  }

  TEST_CASE("SCO-07: uniform in [low, high)") {
    check_uniform(values_of(started<"u">(initializers::uniform(0_c, 1_c), shape<100, 200>{}), 1), 0, 1);
    check_uniform(values_of(started<"v">(initializers::uniform(-0.25_c, 0.75_c), shape<20000>{}), 2), -0.25, 0.75);
    check_uniform(values_of(started<"w", double>(initializers::uniform(3_c, 5_c), shape<10, 20, 100>{}), 3), 3, 5);
  }

  TEST_CASE("SCO-07: normal of mean 0 and the given standard deviation") {
    check_normal(values_of(started<"n">(initializers::normal(1_c), shape<100, 200>{}), 1), 1);
    check_normal(values_of(started<"o", double>(initializers::normal(0.02_c), shape<20000>{}), 2), 0.02);
    check_normal(values_of(started<"p">(initializers::normal(30_c), shape<3, 67, 101>{}), 3), 30);
  }

  // The fans of a kernel of shape (5, 5, 16, 40): 25 * 16 = 400 inputs, 25 * 40 = 1000 outputs.
  TEST_CASE("SCO-07: glorot_uniform: +-sqrt(6 / (in + out)) (Glorot, Bengio 2010)") {
    const auto check = [](const std::vector<double>& values, double limit) { check_uniform(values, -limit, limit); };
    check(values_of(started<"a">(initializers::glorot_uniform, shape<50, 250>{}), 1), std::sqrt(6 / 300.));
    check(values_of(started<"b">(initializers::glorot_uniform, shape<250, 50>{}), 2), std::sqrt(6 / 300.));
    check(values_of(started<"c">(initializers::glorot_uniform, shape<5, 5, 16, 40>{}), 3), std::sqrt(6 / 1400.));
    check(values_of(started<"d", double>(initializers::glorot_uniform, shape<10000>{}), 4), std::sqrt(6 / 10001.));
  }

  TEST_CASE("SCO-07: glorot_normal: variance 2 / (in + out) (Glorot, Bengio 2010)") {
    check_normal(values_of(started<"a">(initializers::glorot_normal, shape<200, 1000>{}), 1), std::sqrt(2 / 1200.));
    check_normal(values_of(started<"b", double>(initializers::glorot_normal, shape<5, 5, 16, 40>{}), 2), std::sqrt(2 / 1400.));
  }

  TEST_CASE("SCO-07: he_uniform: +-sqrt(6 / in) (He, Zhang, Ren, Sun 2015)") {
    const auto check = [](const std::vector<double>& values, double limit) { check_uniform(values, -limit, limit); };
    check(values_of(started<"a">(initializers::he_uniform, shape<50, 250>{}), 1), std::sqrt(6 / 50.));
    check(values_of(started<"b">(initializers::he_uniform, shape<250, 50>{}), 2), std::sqrt(6 / 250.));
    check(values_of(started<"c", double>(initializers::he_uniform, shape<5, 5, 16, 40>{}), 3), std::sqrt(6 / 400.));
  }

  TEST_CASE("SCO-07: he_normal: variance 2 / in (He, Zhang, Ren, Sun 2015)") {
    check_normal(values_of(started<"a">(initializers::he_normal, shape<200, 1000>{}), 1), std::sqrt(2 / 200.));
    check_normal(values_of(started<"b">(initializers::he_normal, shape<1000, 200>{}), 2), std::sqrt(2 / 1000.));
    check_normal(values_of(started<"c", double>(initializers::he_normal, shape<5, 5, 16, 40>{}), 3), std::sqrt(2 / 400.));
  }

  TEST_CASE("SCO-07: a seed gives its values again, another seed others, another name others") {
    const auto check = [](auto initializer) {
      const auto first = started<"first">(initializer, shape<100, 120>{});
      const auto second = started<"second">(initializer, shape<100, 120>{});
      etch::session s(first, second);
      s.initialize(5);
      const auto a = s.get(first), b = s.get(second);
      s.initialize(6);
      const auto c = s.get(first);
      s.initialize(5);
      CHECK(s.get(first) == a);
      CHECK(s.get(second) == b);
      // In a session that has one of them only, too.
      CHECK(values_of(first, 5) == std::vector<double>(a.begin(), a.end()));
      // Floats of 24 bits: a few of 12000 pairs may agree by chance.
      int same_name = 0, same_seed = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        same_seed += a.data()[i] == b.data()[i];
        same_name += a.data()[i] == c.data()[i];
      }
      CHECK(same_seed <= 5);
      CHECK(same_name <= 5);
    };
    check(initializers::uniform(0_c, 1_c));
    check(initializers::normal(1_c));
    check(initializers::glorot_uniform);
    check(initializers::glorot_normal);
    check(initializers::he_uniform);
    check(initializers::he_normal);
  }

  TEST_CASE("SCO-07: a dense layer's kernel is glorot_uniform and its bias zeros, unless others are given") {
    constexpr etch::placeholder<"images", float, etch::any<"n">, 100> images;
    const auto usual = etch::nn::dense<"usual", 150>(images);
    const auto chosen = etch::nn::dense<"chosen", 150>(images, initializers::he_normal, initializers::ones);
    etch::session s(usual, chosen);
    s.initialize(9);
    const auto kernel = s.get<"usual/kernel">(), other = s.get<"chosen/kernel">();
    const auto bias = s.get<"usual/bias">(), ones = s.get<"chosen/bias">();
    check_uniform({kernel.begin(), kernel.end()}, -std::sqrt(6 / 250.), std::sqrt(6 / 250.));
    check_normal({other.begin(), other.end()}, std::sqrt(2 / 100.));
    REQUIRE(bias.size() == 150);
    CHECK(all_are({bias.begin(), bias.end()}, 0));
    CHECK(all_are({ones.begin(), ones.end()}, 1));
  }
}
