// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <etch/control.hpp>
#include <etch/eager.hpp>
#include <etch/eager/xtensor.hpp>
#include <etch/etch.hpp>
#include <etch/function.hpp>

/// Arrays in the shape of others: `zeros_like`, `ones_like`, `full_like`.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, any<"n">, 2> x;

/// Where loops, branches and blocks begin with such arrays, or make them.
constexpr auto everywhere = [](auto a) {
  const auto looped = for_range<3>([](auto, auto s) { return s * 2_c + ones_like(s); }, zeros_like(a));
  const auto chosen = cond(sum(a) > 0_c, [=] { return full_like(a, 3_c) * a; }, [=] { return zeros_like(a); });
  const auto again = recompute([](auto v) { return v * full_like(v, sum(v)); }, a);
  const auto scanned = scan([](auto s, auto row) { return s + row * ones_like(s); }, zeros_like(sum(a, axis<0>)), a);
  return std::tuple{looped, chosen, again, scanned};
};

bool are_right(const tensor<float, 2>& looped, const tensor<float, 2>& chosen, const tensor<float, 2>& again,
               const tensor<float, 1>& scanned) {
  return looped.array() == xt::xtensor<float, 2>{{7, 7}, {7, 7}, {7, 7}} &&
         chosen.array() == xt::xtensor<float, 2>{{3, 6}, {9, 12}, {15, 18}} &&
         again.array() == xt::xtensor<float, 2>{{21, 42}, {63, 84}, {105, 126}} && scanned.array() == xt::xtensor<float, 1>{9, 12};
}

TEST_CASE("zeros_like is fetched alone where an extent is named, which its array binds") {
  constexpr auto zeros = named<"zeros">(zeros_like(x));
  constexpr auto ones = ones_like<std::int64_t>(x);
  session s(zeros, ones);
  const xt::xtensor<float, 2> fed = {{1, 2}, {3, 4}, {5, 6}};
  CHECK(s.run(zeros, x = fed) == xt::zeros<float>({3, 2}));
  CHECK(s.run(ones, x = fed) == xt::ones<std::int64_t>({3, 2}));
  CHECK(plan_of(zeros, x).kernel_count == 1);
}

TEST_CASE("zeros_like, ones_like and full_like in loops, branches and blocks: a session, a function, eager code") {
  constexpr auto all = everywhere(x);
  constexpr auto a = std::get<0>(all);
  constexpr auto b = std::get<1>(all);
  constexpr auto c = std::get<2>(all);
  constexpr auto d = std::get<3>(all);
  constexpr auto slope = gradient(sum(a) + sum(b) + sum(c) + sum(d), x);
  session s(a, b, c, d, slope);
  const tensor<float, 2> fed = {{1, 2}, {3, 4}, {5, 6}};
  const auto [ra, rb, rc, rd] = s.run(a, b, c, d, x = fed);
  CHECK(are_right(ra, rb, rc, rd));
  // 3 of the branch, 2 * 21 of the block's square of a sum, 1 of the scan.
  CHECK(s.run(slope, x = fed) == 46 * xt::ones<float>({3, 2}));
  etch::function f(everywhere);
  std::apply([](const auto&... r) { CHECK(are_right(r...)); }, f(fed));
  std::apply([](const auto&... r) { CHECK(are_right(r...)); }, everywhere(fed));
}

TEST_CASE("zeros_like: no gradient passes, so what a loss needs the shape of alone is not trained") {
  constexpr auto w = variable<"w">(ones(shape<2>{}));
  constexpr auto other = variable<"other">(ones(shape<2>{}));
  constexpr auto loss = sum(w * (full_like(other, 2_c) + zeros_like(other)));
  constexpr auto train = optimizers::sgd(0.5_c).minimize(loss);
  session s(train);
  s.initialize();
  s.run(train);
  CHECK(s.get(w) == xt::xtensor<float, 1>{0, 0});
  constexpr auto both = optimizers::sgd(0.5_c).minimize(sum(full_like(w, sum(other))));
  session t(both);
  t.initialize();
  t.run(both);
  CHECK(t.get(w) == xt::xtensor<float, 1>{1, 1});
  CHECK(t.get(other) == xt::xtensor<float, 1>{0, 0});
}

}  // namespace
