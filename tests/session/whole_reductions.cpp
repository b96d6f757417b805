// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "executors.hpp"

/// Reductions to one number, or to few, whose blocks threads share: the same to the last bit on any number of workers and without.
namespace {

using namespace etch::literals;
using namespace executors;

constexpr etch::placeholder<"x", float, etch::any<"n">> x;
constexpr etch::placeholder<"y", double, etch::any<"n">> y;
constexpr etch::placeholder<"i", std::int32_t, etch::any<"n">> i;
constexpr etch::placeholder<"u", std::uint8_t, etch::any<"n">> u;
constexpr etch::placeholder<"p", bool, etch::any<"n">> p;

/// Numbers from 0.5 to 1.5.
template <class T>
xt::xtensor<T, 1> numbers(std::size_t n) {
  xt::xtensor<T, 1> a = xt::zeros<T>({n});
  std::mt19937 g(static_cast<unsigned>(n));
  for (T& v : a) v = static_cast<T>(std::uniform_real_distribution<double>(0.5, 1.5)(g));
  return a;
}

/// The elements of 256 vectors of floats for each of 8 accumulators.
constexpr std::size_t block = 256 * 8 * etch::cpu::batch<float>::size;

}  // namespace

TEST_SUITE("slices") {
  TEST_CASE("a sum of floats at lengths around the borders of blocks") {
    constexpr auto all = etch::sum(x);
    constexpr auto squares = etch::sum(etch::square(x));
    constexpr auto length = etch::sqrt(etch::sum(x * x) + 1_c);
    constexpr auto average = etch::mean(x);
    etch::session s(all, squares, length, average);
    const std::size_t lengths[] = {0, 1, 7, block - 1, block, block + 1, 2 * block, 2 * block + 17, 3 * block - 1};
    for (const std::size_t n : lengths) {
      CAPTURE(n);
      const auto a = numbers<float>(n);
      double sum = 0, of_squares = 0;
      for (const float v : a) {
        sum += double{v};
        of_squares += double{v} * double{v};
      }
      const int least = n > block ? 1 : 0;
      CHECK((shared_by(s, all, x = a) > 0) == (least > 0));
      CHECK(shared_by(s, squares, x = a) >= least);
      CHECK(shared_by(s, length, x = a) >= least);
      CHECK(shared_by(s, average, x = a) >= (n > 0 ? least : -1));
      CHECK(s.run(all, x = a) == doctest::Approx(sum).epsilon(1e-6));
      CHECK(s.run(squares, x = a) == doctest::Approx(of_squares).epsilon(1e-6));
      CHECK(s.run(length, x = a) == doctest::Approx(std::sqrt(of_squares + 1)).epsilon(1e-6));
      if (n > 0) CHECK(s.run(average, x = a) == doctest::Approx(sum / static_cast<double>(n)).epsilon(1e-6));
    }
  }

  TEST_CASE("more blocks than a total takes up at once, and than lie on a stack") {
    constexpr auto all = etch::sum(etch::astype<float>(u));
    etch::session s(all, etch::sum(u));
    const xt::xtensor<std::uint8_t, 1> ones = xt::ones<std::uint8_t>({70 * block + 5});
    CHECK(shared_by(s, all, u = ones) > 0);
    CHECK(s.run(all, u = ones) == static_cast<float>(70 * block + 5));
  }

  TEST_CASE("other reductions, and other dtypes") {
    constexpr std::size_t n = 3 * block + 11;
    const auto a = numbers<float>(n);
    const auto b = numbers<double>(n);
    CHECK(shared(etch::max(x), x = a) > 0);
    CHECK(shared(etch::min(x * 2_c), x = a) > 0);
    CHECK(shared(etch::prod(x), x = a) > 0);
    CHECK(shared(etch::sum(y * y), y = b) > 0);
    CHECK(shared(etch::max(y), y = b) > 0);
    CHECK(shared(etch::logsumexp(x), x = a) > 0);
    CHECK(shared(etch::softmax(x), x = a) > 0);
    CHECK(shared(etch::variance(x), x = a) > 0);
    CHECK(shared(etch::sum(x * etch::astype<float>(y)), x = a, y = b) > 0);
    CHECK(shared(etch::max(x) - etch::min(x) + etch::sum(x), x = a) > 0);
    CHECK(shared(etch::argmax(x), x = a) > 0);

    xt::xtensor<std::int32_t, 1> c = xt::zeros<std::int32_t>({n});
    xt::xtensor<bool, 1> q = xt::zeros<bool>({n});
    fill(c.data(), n, 3);
    std::int32_t sum = 0, most = c.data()[0];
    for (const std::int32_t v : c) {
      sum += v;
      most = std::max(most, v);
    }
    etch::session s(etch::sum(i), etch::max(i), etch::reduce_any(p), etch::reduce_all(p));
    CHECK(shared_by(s, etch::sum(i), i = c) > 0);
    CHECK(shared_by(s, etch::max(i), i = c) > 0);
    CHECK(shared_by(s, etch::reduce_any(p), p = q) > 0);
    CHECK(s.run(etch::sum(i), i = c) == sum);
    CHECK(s.run(etch::max(i), i = c) == most);
    CHECK_FALSE(s.run(etch::reduce_any(p), p = q));
    q.data()[2 * block + 3] = true;
    CHECK(s.run(etch::reduce_any(p), p = q));
    q.fill(true);
    CHECK(s.run(etch::reduce_all(p), p = q));
    q.data()[n - 1] = false;
    CHECK_FALSE(s.run(etch::reduce_all(p), p = q));
    // A product is 2^20 wherever its factors lie.
    xt::xtensor<float, 1> factors = xt::ones<float>({n});
    for (std::size_t k = 0; k < 20; ++k) factors.data()[k * (n / 20)] = 2;
    etch::session t(etch::prod(x));
    backwards three(3);
    t.set_executor(&three);
    CHECK(t.run(etch::prod(x), x = factors) == 1048576);
  }

  TEST_CASE("NaN and infinities in any block") {
    constexpr std::size_t n = 3 * block;
    constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    etch::session s(etch::sum(x), etch::max(x), etch::min(x));
    backwards seven(7);
    s.set_executor(&seven);
    for (const std::size_t at : {std::size_t{0}, block - 1, block, n - 1}) {
      auto a = numbers<float>(n);
      a(at) = infinity;
      CHECK(s.run(etch::sum(x), x = a) == infinity);
      CHECK(s.run(etch::max(x), x = a) == infinity);
      a((at + block) % n) = -infinity;
      CHECK(std::isnan(s.run(etch::sum(x), x = a)));
      CHECK(s.run(etch::min(x), x = a) == -infinity);
      a((at + 1) % n) = nan;
      CHECK(std::isnan(s.run(etch::sum(x), x = a)));
      CHECK(std::isnan(s.run(etch::max(x), x = a)));
      CHECK(std::isnan(s.run(etch::min(x), x = a)));
    }
    const xt::xtensor<float, 1> none = xt::zeros<float>({0});
    CHECK(s.run(etch::sum(x), x = none) == 0);
    CHECK(s.run(etch::max(x), x = none) == -infinity);
    CHECK(seven.shared > 0);
  }

  TEST_CASE("several axes that do not become one, and few long rows") {
    const fed<"m", float, 300, 1000> m;
    const fed<"c", float, 300, 1> c;
    const fed<"wide", float, 3, 100000> wide;
    const fed<"two", double, 2, 70000> two;
    constexpr auto part = etch::slice(m.slot, etch::section<0, 300>, etch::section<1, 999>);
    CHECK(shared(etch::sum(part), m()) > 0);
    CHECK(shared(etch::sum(m.slot * c.slot), m(), c()) > 0);
    CHECK(shared(etch::sum(wide.slot, etch::axis<1>), wide()) > 0);
    CHECK(shared(etch::softmax(wide.slot, etch::axis<1>), wide()) > 0);
    CHECK(shared(etch::max(two.slot, etch::axis<1>), two()) > 0);
    xt::xtensor<float, 2> ones = xt::ones<float>({300, 1000});
    etch::session s(etch::sum(part), etch::sum(wide.slot, etch::axis<1>));
    backwards seven(7);
    s.set_executor(&seven);
    CHECK(s.run(etch::sum(part), m.slot = ones) == 300 * 998);
    const xt::xtensor<float, 2> halves = 0.5f * xt::ones<float>({3, 100000});
    CHECK(s.run(etch::sum(wide.slot, etch::axis<1>), wide.slot = halves) == xt::xtensor<float, 1>{50000, 50000, 50000});
    CHECK(seven.shared >= 4);
  }
}
