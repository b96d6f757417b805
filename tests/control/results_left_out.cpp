// SPDX-License-Identifier: MIT
#include <cmath>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <etch/function.hpp>

// What a loop, a branch, a scan or a function gives is joined with other arrays, and all that is needed of the joined one lies beside it: the
// kernels that read it are made part by part, and nothing reads the results that are left out.

namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"a", float, 1024> a;
constexpr placeholder<"b", float, 1024> b;

struct arrays {
  xt::xtensor<float, 1> first = xt::linspace<float>(-1, 1, 1024), second = xt::linspace<float>(0, 2, 1024);
};
/// exp(tanh()) of what lies in front of the results.
template <class Joined>
constexpr auto in_front(Joined) {
  return etch::exp(slice(etch::tanh(Joined{}), section<0, 2048>));
}
void check(const xt::xtensor<float, 1>& got, const arrays& v) {
  REQUIRE(got.size() == 2048);
  for (std::size_t i = 0; i < 2048; ++i) {
    const float x = i < 1024 ? v.first(i) : v.second(i - 1024);
    CHECK(got(i) == doctest::Approx(std::exp(std::tanh(x))).epsilon(1e-5));
  }
}

}  // namespace

TEST_CASE("AG-01: a loop, a branch and a scan of which nothing is left") {
  const arrays v;
  constexpr auto loop = while_loop<3>([](auto t) { return sum(t) < 100_c; }, [](auto t) { return t + 1_c; }, a);
  constexpr auto branch = cond(sum(a) > 0_c, [=] { return a * 2_c; }, [=] { return b; });
  constexpr auto outputs = std::get<1>(scan([](auto t, auto x) { return std::pair{t + x, t * x}; }, 0_c * sum(a), b));
  session s(in_front(concat(axis<0>, a, b, loop)), in_front(concat(axis<0>, a, b, branch)),
            in_front(concat(axis<0>, a, b, outputs)));
  check(s.run(in_front(concat(axis<0>, a, b, loop)), a = v.first, b = v.second), v);
  check(s.run(in_front(concat(axis<0>, a, b, branch)), a = v.first, b = v.second), v);
  check(s.run(in_front(concat(axis<0>, a, b, outputs)), a = v.first, b = v.second), v);
}

TEST_CASE("AG-01: one of several results is left out") {
  const arrays v;
  constexpr auto both = scan([](auto t, auto x) { return std::pair{t + x, t * x}; }, 0_c * sum(a), b);
  constexpr auto y = in_front(concat(axis<0>, a, b, std::get<1>(both))) + std::get<0>(both) * 0.0009765625_c;
  session s(y, std::get<0>(both));
  const float last = s.run(std::get<0>(both), a = v.first, b = v.second);
  check(xt::xtensor<float, 1>(s.run(y, a = v.first, b = v.second) - last / 1024), v);
}

TEST_CASE("AG-01: of two calls of a function one result is left out") {
  const arrays v;
  function f([](auto x) {
    const auto t = etch::tanh(x) * sigmoid(x);
    const auto q = cumsum(t, axis<0>);
    return std::tuple(t + cumsum(x, axis<0>), q, cumsum(q, axis<0>));
  });
  const auto part_of = [&](auto x) {
    const auto [p, q, r] = f(x);
    return in_front(concat(axis<0>, p, q, r));
  };
  const auto y = part_of(a);
  const auto z = part_of(b);
  session s(y, z);
  const auto [first, second] = s.run(y, z, a = v.first, b = v.second);
  for (const auto& [got, x] : {std::pair(first, v.first), std::pair(second, v.second)}) {
    double sums = 0, sum_of_t = 0;
    for (std::size_t i = 0; i < 1024; ++i) {
      const double t = std::tanh(x(i)) / (1 + std::exp(-static_cast<double>(x(i))));
      sums += x(i);
      sum_of_t += t;
      CHECK(got(i) == doctest::Approx(std::exp(std::tanh(t + sums))).epsilon(1e-4));
      CHECK(got(1024 + i) == doctest::Approx(std::exp(std::tanh(sum_of_t))).epsilon(1e-4));
    }
  }
}
