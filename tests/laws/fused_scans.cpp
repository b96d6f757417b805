// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>

#include <xtensor/xview.hpp>

#include <etch/etch.hpp>
#include <reference/run.hpp>

#include "session/executors.hpp"
#include "sharing.hpp"

/// Scans in kernels with what is before and behind them, with other scans, on threads. Numbers are small integers where values are
/// compared with the reference, which adds in another precision: then each order gives the same.
namespace {

using namespace etch;
using namespace etch::literals;
using executors::backwards;
using laws::bytes_of_all;

template <class T>
constexpr placeholder<"x", T, any<"m">, any<"n">> x;
template <class T>
constexpr placeholder<"y", T, any<"m">, any<"n">> y;
template <class T>
constexpr placeholder<"row", T, any<"n">> row;
constexpr placeholder<"fixed", float, 40, 50> fixed;
constexpr placeholder<"line", float, any<"n">> line;

template <class... E>
constexpr int steps_of(E...) {
  constexpr auto plan = plan_of(E{}...);
  return decltype(plan)::plan_type::size.steps;
}

/// From -3 to 3.
template <class T>
xt::xtensor<T, 2> numbers(std::size_t m, std::size_t n, std::size_t seed = 0) {
  xt::xtensor<T, 2> a = xt::zeros<T>({m, n});
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = static_cast<T>(static_cast<int>((i + seed) * 7919 % 1009 % 7) - 3);
  return a;
}
/// Fractions that sums round.
xt::xtensor<float, 2> fractions(std::size_t m, std::size_t n) {
  xt::xtensor<float, 2> a = xt::zeros<float>({m, n});
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = static_cast<float>(i * 7919 % 1009) / 301.0f - 1.5f;
  return a;
}

/// Rows, columns: one of each, parts of registers and of tiles, more than a tile of columns, of rows, none.
/// Of the last results are prefetched to be written.
constexpr std::size_t shapes[][2] = {{1, 1},  {3, 4},   {16, 64}, {17, 67}, {1, 200},  {200, 1},
                                     {33, 3}, {5, 300}, {0, 4},   {4, 0},   {129, 131}};

/// All by one plan, and by that on three threads, as the reference has it.
template <class... E, class... Feeds>
void check(const std::string& what, std::tuple<E...>, const Feeds&... feeds) {
  session s(E{}...);
  const auto expected = bytes_of_all(std::tuple(reference::run(E{}..., feeds...)));
  const auto got = bytes_of_all(std::tuple(s.run(E{}..., feeds...)));
  REQUIRE(expected.size() == got.size());
  backwards three(3);
  s.set_executor(&three);
  const auto shared = bytes_of_all(std::tuple(s.run(E{}..., feeds...)));
  for (std::size_t i = 0; i < got.size(); ++i) {
    CHECK_MESSAGE(got[i] == expected[i], what << ", value " << i);
    CHECK_MESSAGE(shared[i] == expected[i], what << ", value " << i << " on three threads");
  }
}

/// Maps on both sides of a scan, with operands that lie otherwise in memory than it does.
template <class T, int Axis>
constexpr auto with_maps() {
  constexpr auto a = x<T>;
  constexpr auto b = y<T>;
  constexpr auto c = row<T>;
  return std::tuple(cumsum(a * 2_c + 1_c, axis<Axis>) - b, where(cumsum(a, axis<Axis>, reverse) > 0_c, b, a),
                    etch::maximum(cumsum(a + b, axis<Axis>, exclusive), c),
                    etch::abs(cumsum(flip(a) * b, axis<Axis>, reverse, exclusive)),
                    linear_recurrence(where(a > 0_c, 1_c, -1_c), a * b, axis<Axis>) + a,
                    linear_recurrence(where(a > 0_c, 0_c, 1_c), b, axis<Axis>, reverse) * c);
}
template <class T, int Axis>
constexpr auto several() {
  constexpr auto a = x<T>;
  constexpr auto b = y<T>;
  constexpr auto once = cumsum(a, axis<Axis>);
  return std::tuple(once + cumsum(a * b, axis<Axis>, exclusive), cumsum(once * 2_c, axis<Axis>),
                    once * cumsum(b, axis<Axis>, reverse), cumsum(b, axis<1 - Axis>) - once, sum(once, axis<Axis>),
                    once - max(a, axis<Axis>, keep_dims), cumsum(transpose(once), axis<Axis>));
}

template <class T>
void check_shapes(const char* name) {
  for (const auto& shape : shapes) {
    const auto a = numbers<T>(shape[0], shape[1]), b = numbers<T>(shape[0], shape[1], 5);
    xt::xtensor<T, 1> c = xt::zeros<T>({shape[1]});
    for (std::size_t i = 0; i < c.size(); ++i) c(i) = static_cast<T>(i % 5);
    const std::string where = std::string(name) + " of " + std::to_string(shape[0]) + " by " + std::to_string(shape[1]);
    check("across " + where, with_maps<T, 0>(), x<T> = a, y<T> = b, row<T> = c);
    check("along " + where, with_maps<T, 1>(), x<T> = a, y<T> = b, row<T> = c);
    if (shape[1] == 0 || shape[0] == 0) continue;  // of nothing there is no largest element
    check("several across " + where, several<T, 0>(), x<T> = a, y<T> = b);
    check("several along " + where, several<T, 1>(), x<T> = a, y<T> = b);
  }
}

}  // namespace

TEST_SUITE("scans") {
  TEST_CASE("OPTG-08: maps before and behind a scan, and other scans of its axis and direction, are in its kernel") {
    static_assert(steps_of(cumsum(fixed * 2_c + 1_c, axis<0>) * fixed) == 1);
    static_assert(steps_of(etch::tanh(cumsum(etch::exp(fixed), axis<1>, reverse))) == 1);
    static_assert(steps_of(cumsum(fixed, axis<0>) * cumprod(fixed, axis<0>, exclusive), cumsum(fixed, axis<0>)) == 1);
    static_assert(steps_of(cumsum(cumsum(fixed, axis<1>) * 2_c, axis<1>)) == 1);
    static_assert(steps_of(linear_recurrence(etch::tanh(fixed), fixed * 2_c, axis<0>)) == 1);
    static_assert(steps_of(cumsum(astype<double>(fixed), axis<0>)) == 1);
    static_assert(steps_of(cumsum(fixed, axis<0>) * cumsum(fixed, axis<0>, reverse)) == 2);
    static_assert(steps_of(cumsum(fixed, axis<0>) * cumsum(fixed, axis<1>)) == 2);
    static_assert(steps_of(sum(cumsum(fixed, axis<1>), axis<1>)) == 2);  // sums have an order of their own
    static_assert(steps_of(cumsum(fixed, axis<1>), etch::max(fixed, axis<1>)) == 2);
    static_assert(steps_of(etch::matmul(cumsum(fixed, axis<1>), transpose(fixed))) == 2);
    // Running products forwards, then what recurs backwards with its factor.
    static_assert(steps_of(gradient(sum(cumprod(fixed, axis<1>)), fixed)) == 2);
  }

  TEST_CASE_TEMPLATE("law: scans with maps, and several scans, are those of the reference", T, float, double, std::int32_t,
                     std::int64_t) {
    check_shapes<T>("numbers");
  }

  TEST_CASE("law: scans of what is wider, narrower, counted or repeated are those of the reference") {
    constexpr auto places = arange<float>(shape<50>{});
    constexpr auto rows = reshape(arange<float>(shape<40>{}), shape<40, 1>{});
    constexpr auto all =
        std::tuple(cumsum(places * fixed, axis<0>), cumsum(fixed + places, axis<1>, reverse) + places,
                   cumsum(rows + 0_c * fixed, axis<1>) - rows, cumsum(rows * fixed, axis<0>, reverse, exclusive),
                   cumsum(astype<double>(fixed) * 0.5_c, axis<1>) + 1_c, cumsum(fixed > 0_c, axis<0>),
                   cumsum(astype<std::uint8_t>(etch::abs(fixed)), axis<1>, exclusive) * 2_c,
                   cumsum(broadcast_to(places, shape<40, 50>{}), axis<0>), cumsum(ones<float>(shape<40, 50>{}), axis<1>),
                   cumsum(slice(fixed, section<1, to_end, 3>, section<0, to_end, 2>) * 2_c, axis<1>));
    const auto a = numbers<float>(40, 50);
    check("fixed", all, fixed = a);
  }

  TEST_CASE("law: elements are taken one after another, in each place of tiles and registers") {
    // Twice an element is exact: where products and sums are contracted, results are the same.
    for (const auto& shape : shapes) {
      const auto a = fractions(shape[0], shape[1]);
      constexpr auto v = x<float>;
      constexpr auto down = cumsum(v * 2_c + 1_c, axis<0>) * v;
      constexpr auto along = cumsum(v * 2_c + 1_c, axis<1>) * v;
      constexpr auto back = cumsum(v * 2_c + 1_c, axis<1>, reverse) * v;
      session s(down, along, back);
      const auto [d, f, b] = s.run(down, along, back, x<float> = a);
      std::size_t wrong = 0;
      for (std::size_t j = 0; j < shape[1]; ++j) {
        float total = 0;
        for (std::size_t i = 0; i < shape[0]; ++i) wrong += d(i, j) != (total += a(i, j) * 2 + 1) * a(i, j);
      }
      for (std::size_t i = 0; i < shape[0]; ++i) {
        float total = 0;
        for (std::size_t j = 0; j < shape[1]; ++j) wrong += f(i, j) != (total += a(i, j) * 2 + 1) * a(i, j);
        total = 0;
        for (std::size_t j = shape[1]; j-- > 0;) wrong += b(i, j) != (total += a(i, j) * 2 + 1) * a(i, j);
      }
      CHECK(wrong == 0);
    }
  }

  TEST_CASE("law: a row has the same bits whatever rows are beside it") {
    constexpr auto v = x<float>;
    constexpr auto all =
        std::tuple(logcumsumexp(v, axis<1>), logcumsumexp(v * 0.5_c, axis<1>, reverse, exclusive) + v,
                   linear_recurrence(etch::tanh(v), etch::exp(v), axis<1>), cumprod(etch::sigmoid(v), axis<1>, reverse));
    std::apply(
        [](auto... e) {
          session s(e...);
          const auto a = fractions(37, 83);
          const auto together = s.run(e..., x<float> = a);
          for (std::size_t i = 0; i < 37; ++i) {
            xt::xtensor<float, 2> one = xt::view(a, xt::range(i, i + 1), xt::all());
            const auto alone = s.run(e..., x<float> = one);
            [&]<std::size_t... K>(std::index_sequence<K...>) {
              const bool equal[] = {
                  std::memcmp(std::get<K>(alone).data(), std::get<K>(together).data() + i * 83, 83 * sizeof(float)) == 0 ...};
              for (const bool is : equal) CHECK(is);
            }(std::index_sequence_for<decltype(e)...>{});
          }
        },
        all);
  }

  TEST_CASE("law: what is NaN or infinite reaches what comes behind it, and nothing before") {
    constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    constexpr auto e = cumsum(line * 2_c, axis<0>) + 1_c;
    constexpr auto r = cumprod(line, axis<0>, reverse) * 2_c;
    session s(e, r);
    xt::xtensor<float, 1> a = xt::ones<float>({40});
    a(20) = inf;
    a(30) = not_a_number;
    const auto [forwards, backwards] = s.run(e, r, line = a);
    for (std::size_t i = 0; i < 40; ++i) {
      const auto expected = static_cast<float>(2 * i + 3);
      CHECK((i < 20 ? forwards(i) == expected : i < 30 ? forwards(i) == inf : forwards(i) != forwards(i)));
      CHECK((i > 30 ? backwards(i) == 2 : backwards(i) != backwards(i)));
    }
  }

  TEST_CASE("law: a variable takes what its own elements come to, in place") {
    constexpr auto u = etch::variable<"u">(zeros<float>(shape<40, 50>{}));
    const auto step = group(assign(u, cumsum(u + fixed, axis<0>) * 2_c));
    static_assert(steps_of(step) == 1);
    session s(step);
    s.initialize();
    const auto a = numbers<float>(40, 50);
    xt::xtensor<float, 2> expected = xt::zeros<float>({40, 50});
    for (int turn = 0; turn < 2; ++turn) {
      s.run(step, fixed = a);
      for (std::size_t j = 0; j < 50; ++j) {
        float total = 0;
        for (std::size_t i = 0; i < 40; ++i) expected(i, j) = 2 * (total += expected(i, j) + a(i, j));
      }
    }
    CHECK(s.get(u) == expected);
  }
}
