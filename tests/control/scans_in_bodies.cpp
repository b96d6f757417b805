// SPDX-License-Identifier: MIT
#include <array>
#include <tuple>

#include "control/nested.hpp"

#include <etch/function.hpp>
#include <etch/tape.hpp>

/// Scans (`cumsum`, `cumprod`) in bodies of loops and branches, beside positions (`argmax`) that they, or what is behind them, are read by:
/// values and two derivatives, alone, in one plan in both orders, eagerly and in a function, against the same in plain C++ on integers.
namespace {

using namespace etch;
using namespace etch::literals;
using nested::a;
using nested::jet;

constexpr int rows = 3, columns = 5;
constexpr placeholder<"x", double, rows, columns> x;

constexpr auto step = [](auto t, auto by, auto table) {
  return cumsum(t, axis<1>) * by - cumsum(table * by, axis<0>, reverse) + cumsum(t, axis<1>, exclusive);
};
/// What is behind two steps, in a loop or, if it is positive, in a branch in it.
template <bool Branches>
constexpr auto after_steps = [](auto by, auto table) {
  return for_range<2>(
      [=](auto, auto t) {
        if constexpr (Branches)
          return cond(etch::sum(t) > 0_c, [=] { return step(t, by, table); }, [=] { return cumprod(table * by, axis<0>) - t; });
        else
          return step(t, by, table);
      },
      table * by);
};

using jets = std::array<jet, rows * columns>;
jet& at(jets& t, int i, int j) { return t[static_cast<std::size_t>(i * columns + j)]; }

jets plain_step(jets t, const jet& by, jets table) {
  jets r;
  for (int i = 0; i < rows; ++i) {
    jet before;
    for (int j = 0; j < columns; ++j) {
      const jet with = before + at(t, i, j);
      jet below;
      for (int k = i; k < rows; ++k) below = below + at(table, k, j) * by;
      at(r, i, j) = with * by - below + before;
      before = with;
    }
  }
  return r;
}
jets plain_products(const jets& t, const jet& by, jets table) {
  jets r;
  for (int j = 0; j < columns; ++j) {
    jet product{1};
    for (int i = 0; i < rows; ++i) {
      product = product * at(table, i, j) * by;
      at(r, i, j) = product - t[static_cast<std::size_t>(i * columns + j)];
    }
  }
  return r;
}
template <bool Branches>
jets plain_steps(const jet& by, const jets& table) {
  jets t;
  for (std::size_t i = 0; i < t.size(); ++i) t[i] = table[i] * by;
  for (int n = 0; n < 2; ++n) {
    double total = 0;
    for (const jet& e : t) total += e.value;
    t = !Branches || total > 0 ? plain_step(t, by, table) : plain_products(t, by, table);
  }
  return t;
}

template <bool Branches>
void check() {
  constexpr auto last = after_steps<Branches>(a, x);
  constexpr auto y = etch::sum(last * last);
  constexpr auto first = gradient(y, a);
  constexpr auto second = gradient(first, a);
  constexpr auto place = argmax(last, axis<1>);
  constexpr auto counted = cumsum(argmax(last * last, axis<0>) + argmin(last, axis<0>), axis<0>);
  session s(last, y, first, second, place, counted);
  function f([](auto by, auto table) {
    auto t = after_steps<Branches>(by, table);
    return std::tuple(t, argmax(t, axis<1>));
  });
  xt::xtensor<double, 2> numbers = xt::zeros<double>({rows, columns});
  jets table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    numbers.data()[i] = static_cast<double>(i * 7919 % 11) - 4.5 < 0 ? -1 : 2;
    table[i] = {numbers.data()[i]};
  }
  for (const double by : {2., -1., 3.}) {
    CAPTURE(by);
    jets expected = plain_steps<Branches>({by, 1, 0}, table);
    jet sum;
    for (const jet& e : expected) sum = sum + e * e;
    xt::xtensor<std::int64_t, 1> highest = xt::zeros<std::int64_t>({rows}), total = xt::zeros<std::int64_t>({columns});
    for (int i = 0; i < rows; ++i)
      for (int j = 1; j < columns; ++j) {
        std::int64_t& best = highest.data()[i];
        if (at(expected, i, j).value > at(expected, i, static_cast<int>(best)).value) best = j;
      }
    std::int64_t before = 0;
    for (int j = 0; j < columns; ++j) {
      int high = 0, low = 0;
      const auto square = [&](int i) { return at(expected, i, j).value * at(expected, i, j).value; };
      for (int i = 1; i < rows; ++i) {
        if (square(i) > square(high)) high = i;
        if (at(expected, i, j).value < at(expected, low, j).value) low = i;
      }
      total.data()[j] = before += high + low;
    }
    const auto check_values = [&](const auto& t, double loss, double slope, double curve, const auto& places, const auto& counts) {
      for (std::size_t i = 0; i < expected.size(); ++i) CHECK(t.data()[i] == expected[i].value);
      nested::check_equal({loss, slope, curve}, sum);
      CHECK(places == highest);
      CHECK(counts == total);
    };
    const auto [t, loss, slope, curve, places, counts] = s.run(last, y, first, second, place, counted, a = by, x = numbers);
    check_values(t, loss, slope, curve, places, counts);
    const auto [counts2, places2, curve2, slope2, loss2, t2] = s.run(counted, place, second, first, y, last, a = by, x = numbers);
    check_values(t2, loss2, slope2, curve2, places2, counts2);
    check_values(s.run(last, a = by, x = numbers), s.run(y, a = by, x = numbers), s.run(first, a = by, x = numbers),
                 s.run(second, a = by, x = numbers), s.run(place, a = by, x = numbers), s.run(counted, a = by, x = numbers));

    const tensor<double, 2> given = numbers;
    const tensor<double, 0> factor = by;
    const auto check_tensors = [&](const auto& values, const auto& indices) {
      for (std::size_t i = 0; i < expected.size(); ++i) CHECK(values.data()[i] == expected[i].value);
      for (int i = 0; i < rows; ++i) CHECK(indices(i) == highest.data()[i]);
    };
    const auto [traced, traced_places] = f(factor, given);
    check_tensors(traced, traced_places);
    tape records;
    const auto eager = after_steps<Branches>(factor, given);
    check_tensors(eager, argmax(eager, axis<1>));
    CHECK(records.gradient(etch::sum(eager * eager), factor).item() == sum.first);
  }
}

}  // namespace

TEST_CASE("scans in a loop, beside positions, to the second derivative, in every mode") { check<false>(); }
TEST_CASE("scans in a branch in a loop, beside positions, to the second derivative, in every mode") { check<true>(); }
