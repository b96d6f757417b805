// SPDX-License-Identifier: MIT
#include "differences.hpp"
#include "modes.hpp"

/// Arrays that repeat, shift, surround or divide another: results of NumPy, and gradients as differences.
namespace {

using namespace etch;
using laws::check_gradients;
using laws::check_modes;
using laws::weighted;
using matrix = xt::xtensor<double, 2>;

constexpr placeholder<"x", double, any<"n">, any<"m">> x;
constexpr placeholder<"fixed", double, 2, 3> fixed;
const matrix numbers = {{1, 2, 3}, {4, 5, 6}};

/// With named extents and with numbers.
void check(auto f, const laws::expected& wanted, const char* what) {
  check_modes(f, x, numbers, wanted, what);
  laws::check_graph_modes(f, fixed, numbers, wanted, what);
}

template <expression F, expression Slot>
constexpr auto slope(F f, Slot slot) {
  return weighted(gradient(weighted(f), slot));
}

}  // namespace

TEST_CASE("law: tile and repeat give NumPy's results") {
  check([](auto v) { return tile<2, 3>(v); },
        {{4, 9}, {1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6, 4, 5, 6, 1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6, 4, 5, 6}},
        "tile of both axes");
  check([](auto v) { return tile<2>(v); }, {{2, 6}, {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}}, "tile of the last axis");
  check([](auto v) { return tile<2, 1, 1>(v); }, {{2, 2, 3}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}}, "tile with an axis more");
  check([](auto v) { return tile<3, 1, 2>(v); },
        {{3, 2, 6}, {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6, 1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6, 1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}},
        "tile of three");
  check([](auto v) { return tile<0, 2>(v); }, {{0, 6}, {}}, "tile no times");
  check([](auto v) { return repeat<2>(v, axis<0>); }, {{4, 3}, {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}}, "repeat rows");
  check([](auto v) { return repeat<3>(v, axis<-1>); }, {{2, 9}, {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6}},
        "repeat columns");
  check([](auto v) { return repeat<2>(v); }, {{12}, {1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}}, "repeat all");
  check([](auto v) { return repeat<1>(transpose(v), axis<0>); }, {{3, 2}, {1, 4, 2, 5, 3, 6}}, "repeat once");
}

TEST_CASE("law: roll gives NumPy's results, by more than the extent too") {
  check([](auto v) { return roll<1>(v, axis<0>); }, {{2, 3}, {4, 5, 6, 1, 2, 3}}, "rows");
  check([](auto v) { return roll<-1>(v, axis<1>); }, {{2, 3}, {2, 3, 1, 5, 6, 4}}, "columns");
  check([](auto v) { return roll<7>(v, axis<-1>); }, {{2, 3}, {3, 1, 2, 6, 4, 5}}, "columns by 7");
  check([](auto v) { return roll<1, 2>(v, axis<0, 1>); }, {{2, 3}, {5, 6, 4, 2, 3, 1}}, "both");
  check([](auto v) { return roll<0>(transpose(v), axis<0>); }, {{3, 2}, {1, 4, 2, 5, 3, 6}}, "by nothing");
  laws::check_graph_modes([](auto v) { return roll<2>(v); }, fixed, numbers, {{2, 3}, {5, 6, 1, 2, 3, 4}}, "all");
  laws::check_graph_modes([](auto v) { return roll<-8>(v); }, x, numbers, {{2, 3}, {3, 4, 5, 6, 1, 2}}, "all by -8");
  check_modes([](auto v) { return roll<1>(v, axis<0>); }, x, matrix(matrix::from_shape({0, 3})), {{0, 3}, {}}, "of nothing");
}

TEST_CASE("law: pad gives NumPy's results for a number, a reflection, and the outermost elements") {
  check([](auto v) { return pad(v, padding<1, 0>, padding<2, 1>, -1_c); },
        {{3, 6}, {-1, -1, -1, -1, -1, -1, -1, -1, 1, 2, 3, -1, -1, -1, 4, 5, 6, -1}}, "number");
  check([](auto v) { return pad(v, padding<1, 1>, padding<2, 1>, reflect); },
        {{4, 6}, {6, 5, 4, 5, 6, 5, 3, 2, 1, 2, 3, 2, 6, 5, 4, 5, 6, 5, 3, 2, 1, 2, 3, 2}}, "reflection");
  check([](auto v) { return pad(v, padding<0, 2>, padding<2, 1>, edge); },
        {{4, 6}, {1, 1, 1, 2, 3, 3, 4, 4, 4, 5, 6, 6, 4, 4, 4, 5, 6, 6, 4, 4, 4, 5, 6, 6}}, "edge");
  check([](auto v) { return pad(v, padding<0>, padding<0>, reflect); }, {{2, 3}, {1, 2, 3, 4, 5, 6}}, "with nothing");
  check_modes([](auto v) { return pad(v, padding<0, 1>, padding<1, 0>, 7_c); }, x, matrix(matrix::from_shape({0, 1})),
              {{1, 2}, {7, 7}}, "around nothing");
}

TEST_CASE("law: an axis that is too short to be reflected, or has no edge, is refused") {
  constexpr auto reflected = pad(x, padding<0>, padding<3, 0>, reflect);
  constexpr auto edged = pad(x, padding<0, 1>, padding<0>, edge);
  session s(reflected, edged);
  const matrix none = matrix::from_shape({0, 3});
  CHECK_THROWS_AS(s.run(reflected, x = numbers), error);
  CHECK_THROWS_AS(s.run(edged, x = none), error);
  CHECK_THROWS_AS(pad(tensor<double, 2>(numbers), padding<0>, padding<3, 0>, reflect), error);
  CHECK_THROWS_AS(pad(tensor<double, 2>(none), padding<0, 1>, padding<0>, edge), error);
}

TEST_CASE("law: split gives equal parts, of extents that are numbers, named, or multiples of named ones") {
  constexpr placeholder<"pairs", double, any<"n">, 2> pairs;
  const auto part = []<int I>(std::integral_constant<int, I>) { return [](auto v) { return std::get<I>(split<3>(v, axis<-1>)); }; };
  laws::check_graph_modes(part(std::integral_constant<int, 0>{}), fixed, numbers, {{2, 1}, {1, 4}}, "first of three");
  laws::check_graph_modes(part(std::integral_constant<int, 2>{}), fixed, numbers, {{2, 1}, {3, 6}}, "last of three");
  const auto second = [](auto v) { return std::get<1>(split<2>(v, axis<0>)); };
  laws::check_graph_modes(second, fixed, numbers, {{1, 3}, {4, 5, 6}}, "second row");
  const auto half = [](auto v) { return std::get<1>(split<2>(reshape(v, shape<inferred>{}), axis<0>)); };
  laws::check_graph_modes(half, pairs, matrix{{1, 2}, {3, 4}, {5, 6}}, {{3}, {4, 5, 6}}, "half of named extents");
  const auto [a, b, c] = split<3>(tensor<double, 2>(numbers), axis<1>);
  laws::check_described(laws::described(b), {{2, 1}, {2, 5}}, 0, "at once");
  CHECK_THROWS_AS(split<2>(tensor<double, 2>(numbers), axis<1>), error);
  const auto [q, k, v] = split<3>(fixed, axis<1>);
  session s(q + k * v);
  laws::check_described(laws::described(s.run(q + k * v, fixed = numbers)), {{2, 1}, {7, 34}}, 0, "parts put together");
}

TEST_CASE("law: gradients of what repeats, shifts, surrounds and divides are central differences, of second order too") {
  const auto at = laws::numbers_between(-1.3, 1.2, 1, 2, 3);
  const auto all = [](auto v) {
    return std::tuple(tile<2, 2>(v) * 1_c, repeat<3>(v, axis<1>), repeat<2>(v * v), roll<1>(v, axis<1>) * v,
                      pad(v, padding<1>, padding<2, 1>, reflect), pad(v, padding<1, 0>, padding<2, 1>, edge),
                      pad(v * v, padding<1, 0>, padding<2, 1>, 3_c));
  };
  std::apply([&](auto... f) { check_gradients("first order", std::tuple(weighted(f)...), std::tuple(x), std::tuple(at)); }, all(x));
  std::apply(
      [&](auto... f) {
        check_gradients<laws::where::on_reference>("second order", std::tuple(slope(f, x)...), std::tuple(x), std::tuple(at));
      },
      all(x));
  const auto [a, b, c] = split<3>(fixed, axis<1>);
  check_gradients("parts", std::tuple(weighted(a * b), weighted(c), slope(a * c * c, fixed)), std::tuple(fixed), std::tuple(at));
}
