// SPDX-License-Identifier: MIT
#include "differences.hpp"
#include "modes.hpp"

/// Elements in order: results of NumPy's stable sort, NaN and zeros of both signs, every stride as by the reference, gradients.
namespace {

using namespace etch;
using laws::check_described;
using laws::check_equal;
using laws::check_gradients;
using laws::check_modes;
using laws::described;
using laws::weighted;
using matrix = xt::xtensor<double, 2>;

constexpr placeholder<"x", double, any<"n">, any<"m">> x;
constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();
const matrix numbers = {{3, 1, 2, 1}, {none, -inf, inf, 0}, {2, 2, -5, 2}};

template <expression F, expression Slot>
constexpr auto slope(F f, Slot slot) {
  return weighted(gradient(weighted(f), slot));
}

}  // namespace

TEST_CASE("law: sort and argsort give NumPy's results, NaN last") {
  check_modes([](auto v) { return sort(v); }, x, numbers, {{3, 4}, {1, 1, 2, 3, -inf, 0, inf, none, -5, 2, 2, 2}}, "rows");
  check_modes([](auto v) { return argsort(v); }, x, numbers, {{3, 4}, {1, 3, 2, 0, 1, 3, 2, 0, 2, 0, 1, 3}}, "positions in rows");
  check_modes([](auto v) { return sort(v, axis<0>); }, x, numbers, {{3, 4}, {2, -inf, -5, 0, 3, 1, 2, 1, none, 2, inf, 2}},
              "columns");
  check_modes([](auto v) { return argsort(v, axis<-2>); }, x, numbers, {{3, 4}, {2, 1, 2, 1, 0, 0, 0, 0, 1, 2, 1, 2}},
              "positions in columns");
}

TEST_CASE("law: in descending order NaN is last as well, and equal elements keep their order") {
  check_modes([](auto v) { return sort(v, axis<1>, descending); }, x, numbers,
              {{3, 4}, {3, 2, 1, 1, inf, 0, -inf, none, 2, 2, 2, -5}}, "rows");
  check_modes([](auto v) { return argsort(v, axis<1>, descending); }, x, numbers, {{3, 4}, {0, 2, 1, 3, 2, 3, 1, 0, 0, 1, 3, 2}},
              "positions");
  check_modes([](auto v) { return sort(v, axis<0>, descending); }, x, numbers,
              {{3, 4}, {3, 2, inf, 2, 2, 1, 2, 1, none, -inf, -5, 0}}, "columns");
}

TEST_CASE("law: of zeros sort puts the negative ones first, and argsort keeps their order") {
  const matrix zeros = {{0.0, -0.0, 0.0, -0.0}};
  check_modes([](auto v) { return 1_c / sort(v); }, x, zeros, {{1, 4}, {-inf, -inf, inf, inf}}, "ascending");
  check_modes([](auto v) { return 1_c / sort(v, axis<1>, descending); }, x, zeros, {{1, 4}, {inf, inf, -inf, -inf}}, "descending");
  check_modes([](auto v) { return argsort(v); }, x, zeros, {{1, 4}, {0, 1, 2, 3}}, "positions");
}

TEST_CASE("law: top_k gives the largest elements and where they are, of named extents and of numbers") {
  constexpr placeholder<"fixed", double, 3, 4> fixed;
  const laws::expected values = {{3, 2}, {3, 2, inf, 0, 2, 2}}, positions = {{3, 2}, {0, 2, 2, 3, 0, 1}};
  const auto first = [](auto v) { return std::get<0>(top_k<2>(v)); };
  const auto second = [](auto v) { return std::get<1>(top_k<2>(v, axis<1>)); };
  check_modes(first, x, numbers, values, "values");
  check_modes(second, x, numbers, positions, "positions");
  laws::check_graph_modes(first, fixed, numbers, values, "values of numbers");
  laws::check_graph_modes(second, fixed, numbers, positions, "positions of numbers");
  laws::check_graph_modes([](auto v) { return std::get<0>(top_k<1>(v, axis<0>)); }, fixed, numbers, {{1, 4}, {3, 2, inf, 2}},
                          "of columns");
  laws::check_graph_modes([](auto v) { return std::get<0>(top_k<4>(v)); }, fixed, numbers,
                          {{3, 4}, {3, 2, 1, 1, inf, 0, -inf, none, 2, 2, 2, -5}}, "all");
  laws::check_graph_modes([](auto v) { return std::get<1>(top_k<0>(v)); }, fixed, numbers, {{3, 0}, {}}, "none");
  constexpr auto too_many = std::get<0>(top_k<5>(x));
  session s(too_many);
  CHECK_THROWS_AS(s.run(too_many, x = numbers), error);
  CHECK_THROWS_AS(top_k<5>(tensor<double, 2>(numbers)), error);
}

TEST_CASE_TEMPLATE("law: elements of every dtype and stride are ordered as by the reference", T, std::uint8_t, std::int32_t,
                   float) {
  constexpr placeholder<"v", T, any<"n">, any<"m">> v;
  constexpr placeholder<"wide", T, any<"n">, 40> wide;
  constexpr auto e =
      std::tuple(sort(v), sort(v, axis<0>), sort(transpose(v), axis<1>, descending), sort(flip(v), axis<1>), argsort(v),
                 argsort(flip(v), axis<0>), argsort(transpose(v), axis<0>, descending), std::get<0>(top_k<7>(wide)),
                 std::get<1>(top_k<7>(flip(wide))), std::get<1>(top_k<40>(wide, axis<1>)), sort(v + v) * v);
  std::apply(
      [&](auto... y) {
        session s(y...);
        std::mt19937 generator(61);
        for (const int n : {0, 1, 3, 40})
          for (const int m : {0, 1, 2, 17, 100, 700}) {
            const auto a = laws::random_array<T>(generator, n, m);
            auto b = laws::random_array<T>(generator, n, 40);
            if constexpr (std::is_floating_point_v<T>)
              for (std::size_t q = 0; q < b.size(); ++q)
                b.data()[q] = q % 7 == 3 ? std::numeric_limits<T>::quiet_NaN() : std::rint(b.data()[q]);
            check_equal(s.run(y..., v = a, wide = b), reference::run(y..., v = a, wide = b),
                        "order of " + std::to_string(n) + " by " + std::to_string(m));
          }
      },
      e);
}

TEST_CASE("law: gradients of what is in order are central differences, of second order too") {
  constexpr placeholder<"fixed", double, 3, 4> fixed;
  const matrix a = laws::numbers_between(-1.3, 1.2, 1, 3, 4);
  constexpr auto order =
      std::tuple(sort(x), sort(x * x, axis<0>, descending), std::get<0>(top_k<2>(x * x)), std::get<0>(top_k<1>(x, axis<0>)));
  std::apply(
      [&](auto... y) {
        check_gradients("order", std::tuple(weighted(y * (y + 1_c))...), std::tuple(x), std::tuple(a));
        check_gradients<laws::where::on_reference>("order of second order", std::tuple(slope(y, x)...), std::tuple(x),
                                                   std::tuple(a));
      },
      order);
  check_gradients("largest",
                  std::tuple(weighted(std::get<0>(top_k<3>(fixed))), weighted(slice(sort(fixed), section<>, section<1>) * 2_c)),
                  std::tuple(fixed), std::tuple(a));
}
