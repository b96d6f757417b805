// SPDX-License-Identifier: MIT
#include <cmath>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <etch/function.hpp>
#include <etch/tape.hpp>
#include <tape/linked/shared_function.hpp>

/// Calls of traced functions under a tape.
namespace {

using namespace etch;
using namespace etch::literals;

}  // namespace

TEST_CASE("TAPE-04: gradients pass through a call as they pass through its body") {
  const auto body = [](auto x, auto w) { return etch::tanh(matmul(x, w)) * 2_c; };
  function f(body);
  const tensor<double, 2> x = {{0.5, -1.5}, {2, 0.25}, {1, 1}}, w = {{1, 0.5}, {-0.75, 2}};
  tape eagerly;
  const auto y = sum(square(body(x, w)));
  const auto [dx, dw] = eagerly.gradient(y, x, w);
  tape by_call;
  const auto z = sum(square(f(x, w)));
  CHECK(z.item() == doctest::Approx(y.item()).epsilon(1e-14));
  const auto [ex, ew] = by_call.gradient(z, x, w);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j) CHECK(ex(i, j) == doctest::Approx(dx(i, j)).epsilon(1e-12));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) CHECK(ew(i, j) == doctest::Approx(dw(i, j)).epsilon(1e-12));
}

etch::tensor<double, 1> called_elsewhere(const etch::tensor<double, 1>& x);  // linked/without_rules.cpp

TEST_CASE("TAPE-04: a function that files with the tape's header and without it call is recorded in both") {
  const tensor<double, 1> x = {0};
  tape here, there;
  CHECK(here.gradient(shared_function(x), x)(0) == 1);
  CHECK(there.gradient(called_elsewhere(x), x)(0) == 1);
}

TEST_CASE("TAPE-04: several results, arguments without floats, results that do not depend on one") {
  function f([](auto x, auto n, auto y) { return std::tuple{x * x * astype<float>(n), n + 1_c, y * 3_c, cumsum(x, axis<0>)}; });
  const tensor<float, 1> x = {1, 2, 3}, y = {4, 5, 6};
  tape t;
  const auto [a, b, c, d] = f(x, tensor<int, 0>(2), y);
  const auto loss = sum(a) + sum(c * y) + sum(d);
  const auto [dx, dy] = t.gradient(loss, x, y);
  CHECK(dx(0) == 4.f + 3.f);
  CHECK(dx(2) == 12.f + 1.f);
  CHECK(dy(1) == 30.f);
}

TEST_CASE("TAPE-04: a result of a call that is not made of an argument has no gradient with respect to it, as in eager code") {
  function f([](auto a, auto b) { return std::tuple{a * 2_c, b * 3_c, etch::floor(a) * b}; });
  const tensor<float, 1> a = {1, 2}, b = {3, 4};
  tape t(persistent);
  const auto [p, q, zero_in_a] = f(a, b);
  CHECK_THROWS_WITH_AS(t.gradient(q, a), "tape: the result does not depend on source 0 through what this tape has recorded", error);
  CHECK_THROWS_AS(t.gradient(p, b), error);
  CHECK(t.gradient(q, b)(1) == 3);
  CHECK(t.gradient(p + q, a)(0) == 2);
  CHECK(t.gradient(zero_in_a, a)(1) == 0);
  CHECK(t.gradient(zero_in_a, b)(1) == 2);
}

TEST_CASE("TAPE-04: a call of arrays and numbers alone depends on nothing that a tape records, beside a tensor it does") {
  function f([](auto a, auto b) { return a * b; });
  const xt::xtensor<float, 1> array = {1, 2};
  const tensor<float, 1> x = {3, 4};
  tape t(persistent);
  t.watch(x);
  const auto alone = f(array, 2.f);
  const auto beside = f(array, x);
  CHECK(alone(1) == 4);
  CHECK_THROWS_WITH_AS(t.gradient(alone, x), "tape: the result does not depend on source 0 through what this tape has recorded",
                       error);
  CHECK(t.gradient(beside + alone, x)(1) == 2);
}

TEST_CASE("TAPE-04: a gradient that needs of an argument its extents only") {
  function f([](auto x) { return std::tuple{sum(x * 2_c), mean(x)}; });
  const tensor<float, 2> x = {{1, 2}, {3, 4}};
  tape t;
  const auto [total, average] = f(x);
  const auto dx = t.gradient(total + average, x);
  CHECK(dx.shape()[0] == 2);
  CHECK(dx(1, 1) == 2.25f);
}

TEST_CASE("TAPE-04: variables of eager code are watched through a call") {
  function f([](auto w, auto x) { return w * x; });
  eager::variable<float, 0> w(tensor<float, 0>(3.f));
  tape t;
  const auto y = f(w, tensor<float, 0>(5.f));
  CHECK(t.gradient(y, w).item() == 5.f);
}

TEST_CASE("TAPE-04: a call whose body has variables or effects is refused when its gradient is asked for") {
  constexpr auto v = variable<"v">(literal<2.f>);
  function f([=](auto x) { return x * v; });
  const tensor<float, 0> x = 3.f;
  tape t;
  const auto y = f(x) * x;
  CHECK_THROWS_WITH_AS(t.gradient(y, x),
                       "tape: a traced function that has variables, draws or effects is called; take the gradient in its body",
                       error);
}

TEST_CASE("TAPE-04: a tape outside refuses the second gradient through a call, and gives what does not go through it") {
  function f([](auto x) { return x * x * x; });
  const tensor<float, 0> x = 2.f, k = 5.f;
  {
    tape outer;
    tape inner;
    const auto y = f(x) * x;
    const auto dx = inner.gradient(y, x);
    CHECK(dx.item() == 32.f);
    // Its part f(x) alone would be 12.
    CHECK_THROWS_WITH_AS(outer.gradient(dx, x),
                         "tape: the gradient of a traced function is a graph, through which no other tape goes; take the second "
                         "gradient in its body",
                         error);
  }
  tape outer;
  tape inner;
  const auto y = f(x) * x;
  const auto scaled = inner.gradient(y, x) * k;
  CHECK(outer.gradient(scaled, k).item() == 32.f);
}

TEST_CASE("TAPE-04: through a call whose body takes a gradient, a tape goes by the other values only") {
  function f([](auto x) {
    const auto y = sum(x * x * x);
    return std::tuple{y, gradient(y, x)};
  });
  const tensor<float, 1> x = {1, 2};
  tape t(persistent);
  t.watch(x);
  const auto [y, dy] = f(x);
  CHECK(t.gradient(y, x)[1].item() == 12);
  const auto both = sum(dy * x);
  CHECK_THROWS_WITH_AS(t.gradient(both, x),
                       "tape: a traced function gives a gradient, which its body takes; take that of the gradient in its body, too",
                       error);
  function twice([](auto in) { return gradient(sum(gradient(sum(in * in * in), in)), in); });
  CHECK(twice(x)[1].item() == 12);
}

TEST_CASE("TAPE-04: threads call one function, each on a tape of its own") {
  function f([](auto x) { return sum(x * x * x); });
  std::vector<std::thread> threads;
  int wrong[4] = {};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&f, &wrong, t] {
      for (int i = 0; i < 100; ++i) {
        const tensor<float, 1> x = {static_cast<float>(t), 2};
        tape own;
        const auto dx = own.gradient(f(x), x);
        wrong[t] += dx(0) == static_cast<float>(3 * t * t) && dx(1) == 12 ? 0 : 1;
      }
    });
  for (std::thread& t : threads) t.join();
  for (const int w : wrong) CHECK(w == 0);
}
