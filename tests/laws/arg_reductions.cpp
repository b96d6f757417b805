// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include <etch/control.hpp>
#include <etch/eager.hpp>
#include <etch/eager/xtensor.hpp>
#include <etch/function.hpp>
#include <reference/run.hpp>

#include "session/executors.hpp"

/// argmax and argmin as reductions: what is before them is computed in their kernel, other reductions of the same rows are too, threads
/// share them, and they stand in bodies.
namespace {

using namespace etch;
using namespace etch::literals;
using executors::backwards;

constexpr placeholder<"x", float, any<"m">, any<"n">> x;
constexpr placeholder<"fixed", float, 40, 50> fixed;
constexpr placeholder<"row", float, any<"n">> row;
constexpr placeholder<"bytes", std::uint8_t, any<"m">, any<"n">> bytes;
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

template <class... E>
constexpr int steps_of(E...) {
  constexpr auto plan = plan_of(E{}...);
  return decltype(plan)::plan_type::size.steps;
}

xt::xtensor<float, 2> numbers(std::size_t m, std::size_t n) {
  xt::xtensor<float, 2> a = xt::zeros<float>({m, n});
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = static_cast<float>(i * 7919 % 1009) - 500;
  return a;
}

/// The definition, of element(0) to element(n - 1).
template <class F>
std::int64_t first_extreme(std::int64_t n, bool largest, F element) {
  std::int64_t best = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    if (element(i) != element(i)) return i;
    if (largest ? element(i) > element(best) : element(i) < element(best)) best = i;
  }
  return best;
}

}  // namespace

TEST_SUITE("extremes") {
  TEST_CASE("OPTG-08: what is before a position is computed in its kernel, and other reductions of the rows are") {
    static_assert(steps_of(argmax(fixed * fixed + 1_c, axis<1>)) == 1);
    static_assert(steps_of(argmin(etch::exp(fixed), axis<0>)) == 1);
    static_assert(steps_of(argmax(fixed, axis<1>), max(fixed, axis<1>)) == steps_of(min(fixed, axis<1>), max(fixed, axis<1>)));
    static_assert(steps_of(argmax(2_c * fixed, axis<1>), max(2_c * fixed, axis<1>), argmin(2_c * fixed, axis<1>), 2_c * fixed) ==
                  1);
    static_assert(steps_of(argmax(fixed - max(fixed, axis<1>, keep_dims), axis<1>)) == 1);
    static_assert(steps_of(argmax(softmax(fixed), axis<1>), softmax(fixed)) == 1);
    static_assert(steps_of(argmax(fixed, axis<0>), max(fixed, axis<1>)) == 2);
    static_assert(steps_of(equal(argmax(fixed, axis<1>), 3_c)) == 2);  // indices are twice as wide
    const auto a = numbers(40, 50);
    session s(argmax(fixed, axis<1>), max(fixed, axis<1>), argmin(fixed * fixed, axis<1>), argmax(softmax(fixed), axis<1>));
    const auto [place, most, least, likely] = s.run(argmax(fixed, axis<1>), max(fixed, axis<1>), argmin(fixed * fixed, axis<1>),
                                                    argmax(softmax(fixed), axis<1>), fixed = a);
    for (std::size_t i = 0; i < 40; ++i) {
      CHECK(a(i, static_cast<std::size_t>(place(i))) == most(i));
      CHECK(place(i) == first_extreme(50, true, [&](auto j) { return a(i, static_cast<std::size_t>(j)); }));
      CHECK(least(i) == first_extreme(50, false, [&](auto j) {
              const float v = a(i, static_cast<std::size_t>(j));
              return v * v;
            }));
      CHECK(likely(i) == place(i));
    }
  }

  TEST_CASE("positions in rows of every length, of what is contiguous, turned and flipped") {
    session s(argmax(x, axis<1>), argmin(x, axis<0>), argmax(transpose(x), axis<0>), argmin(flip(x, axis<1>), axis<1>));
    for (std::size_t n = 1; n < 150; n += n < 70 ? 1 : 13) {
      auto a = numbers(n % 3 + 1, n);
      if (n % 4 == 0) a(0, n / 2) = not_a_number;
      if (n % 5 == 0) a(0, n - 1) = inf;
      const auto [along, across, turned, flipped] =
          s.run(argmax(x, axis<1>), argmin(x, axis<0>), argmax(transpose(x), axis<0>), argmin(flip(x, axis<1>), axis<1>), x = a);
      const auto count = static_cast<std::int64_t>(n);
      int wrong = turned == along ? 0 : 1;
      for (std::size_t i = 0; i < a.shape(0); ++i) {
        wrong += along(i) == first_extreme(count, true, [&](auto j) { return a(i, static_cast<std::size_t>(j)); }) ? 0 : 1;
        const auto from_the_end = [&](auto j) { return a(i, static_cast<std::size_t>(count - 1 - j)); };
        wrong += flipped(i) == first_extreme(count, false, from_the_end) ? 0 : 1;
      }
      for (std::size_t j = 0; j < n; ++j) {
        const auto rows = static_cast<std::int64_t>(a.shape(0));
        wrong += across(j) == first_extreme(rows, false, [&](auto i) { return a(static_cast<std::size_t>(i), j); }) ? 0 : 1;
      }
      CAPTURE(n);
      CHECK(wrong == 0);
    }
  }

  TEST_CASE("zeros of both signs are equal, and so are rows of the lowest value; of nothing the index is 0") {
    session s(argmax(row, axis<0>), argmin(row, axis<0>), argmax(x, axis<1>), argmax(x, axis<0>));
    const auto both = [&](const xt::xtensor<float, 1>& a) {
      const auto found = s.run(argmax(row, axis<0>), argmin(row, axis<0>), row = a);
      CHECK(argmax(tensor(a), axis<0>).item() == std::get<0>(found));
      CHECK(argmin(tensor(a), axis<0>).item() == std::get<1>(found));
      return found;
    };
    CHECK(both({-0.0f, 0.0f, -0.0f}) == std::tuple(0, 0));
    CHECK(both({-1, -0.0f, 0.0f, 1, 0}) == std::tuple(3, 0));
    CHECK(both({1, not_a_number, inf, not_a_number}) == std::tuple(1, 1));
    for (const std::size_t n : {1u, 5u, 16u, 17u, 200u, 40000u}) {
      CHECK(both(xt::xtensor<float, 1>({n}, -inf)) == std::tuple(0, 0));
      CHECK(both(xt::xtensor<float, 1>({n}, inf)) == std::tuple(0, 0));
      xt::xtensor<float, 1> last({n}, -inf);
      last(n - 1) = std::numeric_limits<float>::lowest();
      CHECK(both(last) == std::tuple(static_cast<std::int64_t>(n) - 1, 0));
      xt::xtensor<float, 1> two({n}, not_a_number);
      CHECK(both(two) == std::tuple(0, 0));
    }
    CHECK(both(xt::xtensor<float, 1>(std::array<std::size_t, 1>{0})) == std::tuple(0, 0));
    CHECK(s.run(argmax(x, axis<1>), x = numbers(3, 0)) == xt::xtensor<std::int64_t, 1>{0, 0, 0});
    CHECK(s.run(argmax(x, axis<0>), x = numbers(3, 0)).size() == 0);
  }

  TEST_CASE("positions in second gradients of a loop, beside them and beside extremes, in any order of fetches and in every mode") {
    constexpr auto f = [](auto v) {
      const auto turned = for_range<2>(
          [](auto, auto s) { return cond(sum(s) > 0_c, [=] { return etch::tanh(s * s); }, [=] { return s * etch::exp(s); }); }, v);
      const auto slope = gradient(sum(turned), v);
      const auto bend = gradient(sum(slope), v);
      return std::tuple{argmax(bend, axis<0>),
                        max(bend, axis<0>),
                        argmin(slope, axis<0>),
                        bend,
                        slope,
                        gradient(sum(gradient(sum(3_c * v), v)), v)};
    };
    constexpr auto made = f(row);
    const xt::xtensor<float, 1> a{0.5f,   -0.25f,  0.75f,   0.125f,  -0.5f,   0.375f,  0.0f,    0.25f,    0.625f, -0.125f,
                                  0.875f, 0.3125f, 0.1875f, -0.375f, 0.4375f, 0.5625f, 0.6875f, -0.0625f, 0.8125f};
    std::apply(
        [&](auto... e) {
          session s(e...);
          const auto together = s.run(e..., row = a);
          CHECK(std::tuple(s.run(e, row = a)...) == together);
          [&]<std::size_t... I>(std::index_sequence<I...>) {
            const auto back = s.run(std::get<sizeof...(I) - 1 - I>(made)..., row = a);
            CHECK(std::tuple(std::get<sizeof...(I) - 1 - I>(back)...) == together);
          }(std::index_sequence_for<decltype(e)...>{});
          backwards threads(3);
          s.set_executor(&threads);
          CHECK(s.run(e..., row = a) == together);
          function traced(f);
          const auto called = traced(a);
          CHECK(std::get<0>(called).item() == std::get<0>(together));
          CHECK(std::get<2>(called).item() == std::get<2>(together));
          CHECK(std::equal(std::get<3>(together).begin(), std::get<3>(together).end(), std::get<3>(called).data()));
          const auto checked = reference::run(e..., row = a);
          const auto& [place, most, least, bend, slope, none] = together;
          CHECK(place == std::get<0>(checked));
          CHECK(least == std::get<2>(checked));
          CHECK(xt::allclose(bend, std::get<3>(checked), 1e-4, 1e-5));
          CHECK(none == xt::xtensor<float, 1>(xt::zeros<float>({19})));
          CHECK(bend(static_cast<std::size_t>(place)) == most);
          CHECK(argmin(tensor(slope), axis<0>).item() == least);
        },
        made);
  }

  TEST_CASE("indices of bytes go on behind 255 and 65,535") {
    session s(argmax(bytes, axis<1>), argmax(bytes, axis<0>), argmin(bytes));
    for (const std::size_t n : {300u, 70000u}) {
      xt::xtensor<std::uint8_t, 2> along({2, n}, 7), across({n, 2}, 7);
      along(0, n - 3) = across(n - 3, 0) = 200;
      along(1, n - 1) = across(n - 1, 1) = 8;
      const xt::xtensor<std::int64_t, 1> expected = {static_cast<std::int64_t>(n) - 3, static_cast<std::int64_t>(n) - 1};
      CHECK(s.run(argmax(bytes, axis<1>), bytes = along) == expected);
      CHECK(s.run(argmax(bytes, axis<0>), bytes = across) == expected);
      CHECK(argmax(tensor(along), axis<1>).array() == expected);
      along(1, 5) = 3;
      CHECK(s.run(argmin(bytes), bytes = along) == static_cast<std::int64_t>(n) + 5);
    }
  }

  TEST_CASE("threads share positions along rows, along columns, and of all elements") {
    session s(argmax(x, axis<1>), argmin(x, axis<0>), argmax(x * 2_c));
    const auto shared = [&](const auto& e, const xt::xtensor<float, 2>& a) {
      const auto alone = s.run(e, x = a);
      int calls = 0;
      for (const int workers : {1, 2, 3, 7}) {
        backwards turned(workers);
        s.set_executor(&turned);
        CHECK(s.run(e, x = a) == alone);
        s.set_executor(nullptr);
        calls = turned.shared;
      }
      return calls;
    };
    auto a = numbers(700, 300);
    CHECK(shared(argmax(x, axis<1>), a) == 1);
    CHECK(shared(argmin(x, axis<0>), a) == 1);
    CHECK(shared(argmax(x * 2_c), a) > 0);
    for (const std::size_t at : {std::size_t{0}, std::size_t{77777}, a.size() - 1}) {
      auto with_nan = a;
      with_nan.data()[at] = not_a_number;
      CHECK(shared(argmax(x * 2_c), with_nan) > 0);
      CHECK(s.run(argmax(x * 2_c), x = with_nan) == static_cast<std::int64_t>(at));
    }
    a.fill(-inf);
    CHECK(shared(argmax(x * 2_c), a) > 0);
    CHECK(s.run(argmax(x * 2_c), x = a) == 0);
  }

  TEST_CASE("positions in bodies of branches and loops") {
    constexpr auto chosen =
        cond(sum(fixed) > 0_c, [] { return argmax(fixed, axis<1>); }, [] { return argmin(fixed * fixed, axis<1>); });
    constexpr auto each =
        std::get<1>(scan([](auto best, auto line) { return std::pair{best + argmax(line, axis<0>), argmin(line)}; },
                         literal<std::int64_t{0}>, fixed));
    session s(chosen, each, argmax(fixed, axis<1>), argmin(fixed * fixed, axis<1>), argmin(fixed, axis<1>));
    auto a = numbers(40, 50);
    for (const float moved : {-600.0f, 600.0f}) {
      xt::xtensor<float, 2> b = a + moved;
      const auto expected = moved > 0 ? s.run(argmax(fixed, axis<1>), fixed = b) : s.run(argmin(fixed * fixed, axis<1>), fixed = b);
      CHECK(s.run(chosen, fixed = b) == expected);
      CHECK(s.run(each, fixed = b) == s.run(argmin(fixed, axis<1>), fixed = b));
    }
  }
}
