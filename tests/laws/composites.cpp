// SPDX-License-Identifier: MIT
#include "differences.hpp"
#include "modes.hpp"

/// Triangles, norms, attention and running sums of exponentials: results of NumPy, special values, gradients as differences.
namespace {

using namespace etch;
using laws::check_gradients;
using laws::check_modes;
using laws::weighted;
using matrix = xt::xtensor<double, 2>;
using array = xt::xtensor<double, 1>;

constexpr placeholder<"x", double, any<"n">, any<"m">> x;
constexpr placeholder<"line", double, any<"n">> line;
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <expression F, expression Slot>
constexpr auto slope(F f, Slot slot) {
  return weighted(gradient(weighted(f), slot));
}

}  // namespace

TEST_CASE("law: triangles are NumPy's, of every dtype and of stacks") {
  const matrix a = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  check_modes([](auto v) { return tril(v); }, x, a, {{3, 4}, {1, 0, 0, 0, 5, 6, 0, 0, 9, 10, 11, 0}}, "tril");
  check_modes([](auto v) { return tril<-1>(v); }, x, a, {{3, 4}, {0, 0, 0, 0, 5, 0, 0, 0, 9, 10, 0, 0}}, "tril below");
  check_modes([](auto v) { return tril<1>(v); }, x, a, {{3, 4}, {1, 2, 0, 0, 5, 6, 7, 0, 9, 10, 11, 12}}, "tril above");
  check_modes([](auto v) { return tril<2147483647>(v); }, x, a, {{3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}, "tril, all");
  check_modes([](auto v) { return triu<2147483647>(v); }, x, a, {{3, 4}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}, "triu, nothing");
  check_modes([](auto v) { return triu<INT32_MIN>(v); }, x, a, {{3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}, "triu, all");
  check_modes([](auto v) { return tril<INT32_MIN>(v); }, x, a, {{3, 4}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}, "tril, nothing");
  check_modes([](auto v) { return triu(v); }, x, a, {{3, 4}, {1, 2, 3, 4, 0, 6, 7, 8, 0, 0, 11, 12}}, "triu");
  check_modes([](auto v) { return triu<-1>(v); }, x, a, {{3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 0, 10, 11, 12}}, "triu below");
  check_modes([](auto v) { return triu<1>(v); }, x, a, {{3, 4}, {0, 2, 3, 4, 0, 0, 7, 8, 0, 0, 0, 12}}, "triu above");
  check_modes([](auto v) { return tril(v); }, placeholder<"b", bool, 2, 2>{}, xt::xtensor<bool, 2>{{true, true}, {true, true}},
              {{2, 2}, {1, 0, 1, 1}}, "tril of bools");
  check_modes([](auto v) { return triu(v); }, placeholder<"i", std::int8_t, 2, 1, 2>{},
              xt::xtensor<std::int8_t, 3>{{{1, 2}}, {{3, 4}}}, {{2, 1, 2}, {1, 2, 3, 4}}, "triu of a stack");
  check_modes([](auto v) { return tril(v); }, x, matrix{{not_a_number, not_a_number}, {1, inf}},
              {{2, 2}, {not_a_number, 0, 1, inf}}, "tril of NaN");
}

TEST_CASE("law: norms and standard deviations are NumPy's") {
  const matrix a = {{1, 2, 3}, {4, 5, 6}};
  constexpr double near = 1e-15;
  check_modes([](auto v) { return norm(v, axis<0>); }, x, a, {{3}, {4.123105625617661, 5.385164807134504, 6.708203932499369}},
              "norm", near);
  check_modes([](auto v) { return norm(v); }, x, a, {{}, {9.539392014169456}}, "of all", near);
  check_modes([](auto v) { return norm<1>(v, axis<1>); }, x, a, {{2}, {6, 15}}, "of order 1");
  check_modes([](auto v) { return norm<infinity>(v - 3_c, axis<0>, keep_dims); }, x, a, {{1, 3}, {2, 2, 3}}, "of infinite order");
  check_modes([](auto v) { return norm(v, axis<1>); }, placeholder<"i", std::int32_t, 2, 2>{},
              xt::xtensor<std::int32_t, 2>{{3, 4}, {0, -5}}, {{2}, {5, 5}}, "of integers");
  static_assert(decltype(norm(placeholder<"i", std::int32_t, 2, 2>{}))::type == dtype::float32);
  check_modes([](auto v) { return norm(v, axis<1>); }, x, matrix{{not_a_number, 1}, {inf, 1}, {0, 0}},
              {{3}, {not_a_number, inf, 0}}, "of special values");
  check_modes([](auto v) { return norm<infinity>(v, axis<1>); }, x, matrix{{not_a_number, 1}, {-inf, 1}, {0, 0}},
              {{3}, {not_a_number, inf, 0}}, "largest");
  check_modes([](auto v) { return norm<infinity>(v, axis<1>); }, x, matrix(matrix::from_shape({2, 0})), {{2}, {0, 0}},
              "of nothing");
  check_modes([](auto v) { return standard_deviation(v, axis<1>); }, x, a, {{2}, {0.816496580927726, 0.816496580927726}},
              "deviation", near);
  check_modes([](auto v) { return standard_deviation(v); }, x, a, {{}, {1.707825127659933}}, "deviation of all", near);
  check_modes([](auto v) { return standard_deviation(v, axis<1>); }, x, matrix{{2, 2}, {not_a_number, 0}}, {{2}, {0, not_a_number}},
              "deviation of equals");
}

TEST_CASE("law: the gradients of norms and standard deviations are 0 where there is no direction") {
  const matrix at = {{0, 0, 0}, {3, 0, -4}};
  laws::check_graph_modes([](auto v) { return gradient(sum(norm(v, axis<1>)), v); }, x, at, {{2, 3}, {0, 0, 0, 0.6, 0, -0.8}},
                          "norm", 1e-15);
  laws::check_graph_modes([](auto v) { return gradient(sum(norm<1>(v, axis<1>)), v); }, x, at, {{2, 3}, {0, 0, 0, 1, 0, -1}},
                          "order 1");
  laws::check_graph_modes([](auto v) { return gradient(sum(standard_deviation(v, axis<1>)), v); }, x, matrix{{7, 7}, {1, 3}},
                          {{2, 2}, {0, 0, -0.5, 0.5}}, "deviation");
}

TEST_CASE("law: attention is what NumPy makes of its formula, with and without a causal mask") {
  constexpr placeholder<"k", double, any<"k">, any<"m">> k;
  constexpr placeholder<"v", double, any<"k">, any<"m">> v;
  const matrix queries = {{1, 0}, {0, 1}, {2, -1}}, keys = {{1, 2}, {0, -1}, {1, 1}}, values = {{1, 2}, {3, 4}, {5, 6}};
  const laws::expected all = {{3, 2}, {3, 4, 2.371420265587937, 3.371420265587937, 3.4066725560787154, 4.406672556078716}};
  const laws::expected seen = {{3, 2}, {1, 2, 1.214083602930341, 2.214083602930341, 3.4066725560787154, 4.406672556078716}};
  constexpr auto plain = attention(x, k, v);
  constexpr auto masked = attention(x, k, v, causal);
  session s(plain, masked);
  const auto check = [&](const auto& got, const char* what) {
    laws::check_described(laws::described(std::get<0>(got)), all, 1e-14, what);
    laws::check_described(laws::described(std::get<1>(got)), seen, 1e-14, what);
  };
  check(s.run(plain, masked, x = queries, k = keys, v = values), "attention");
  check(reference::run(plain, masked, x = queries, k = keys, v = values), "attention by the reference");
  const tensor<double, 2> q(queries), of(keys), to(values);
  check(std::tuple(attention(q, of, to), attention(q, of, to, causal)), "attention at once");
  const matrix two = {{1, 0}, {0, 1}};
  laws::check_described(laws::described(s.run(masked, x = two, k = keys, v = values)),
                        {{2, 2}, {1, 2, 1.214083602930341, 2.214083602930341}}, 1e-14, "fewer queries than keys");
  const auto a = laws::numbers_between(-1, 1, 3, 3, 2), b = laws::numbers_between(-1, 1, 4, 3, 2),
             c = laws::numbers_between(-1, 1, 5, 3, 2);
  check_gradients("attention", std::tuple(weighted(plain), weighted(masked)), std::tuple(x, k, v), std::tuple(a, b, c));
  check_gradients<laws::where::on_reference>("attention of second order", std::tuple(slope(masked, x)), std::tuple(x, k, v),
                                             std::tuple(a, b, c));
}

TEST_CASE("law: attention of stacks of heads is that of each head") {
  constexpr placeholder<"heads", double, 2, 3, 2> heads;
  constexpr auto together = attention(heads, heads, heads, causal);
  constexpr auto first = reshape(slice(heads, section<0, 1>), shape<3, 2>{});
  constexpr auto second = reshape(slice(heads, section<1, 2>), shape<3, 2>{});
  constexpr auto apart = stack(axis<0>, attention(first, first, first, causal), attention(second, second, second, causal));
  session s(together, apart);
  const auto [a, b] = s.run(together, apart, heads = laws::numbers_between(-1, 1, 3, 2, 3, 2));
  laws::check_described(laws::described(a), laws::described(b), 1e-14, "heads");
}

TEST_CASE("law: running sums of exponentials are NumPy's, also where the exponentials overflow or are zero") {
  const array v = {1, -2, 1000, 999, -1000};
  constexpr double near = 1e-15, z = 1.048587351573742;
  check_modes([](auto a) { return logcumsumexp(a, axis<0>); }, line, v, {{5}, {1, z, 1000, 1000.3132616875182, 1000.3132616875182}},
              "forward", near);
  check_modes([](auto a) { return logcumsumexp(a, axis<0>, reverse); }, line, v,
              {{5}, {1000.3132616875182, 1000.3132616875182, 1000.3132616875182, 999, -1000}}, "reverse", near);
  check_modes([](auto a) { return logcumsumexp(a, axis<0>, exclusive); }, line, v, {{5}, {-inf, 1, z, 1000, 1000.3132616875182}},
              "exclusive", near);
  check_modes([](auto a) { return logcumsumexp(a, axis<0>, exclusive, reverse); }, line, v,
              {{5}, {1000.3132616875182, 1000.3132616875182, 999, -1000, -inf}}, "both", near);
  check_modes([](auto a) { return logcumsumexp(a, axis<0>); }, line, array{-inf, -inf, 0, 0, inf, not_a_number},
              {{6}, {-inf, -inf, 0, 0.6931471805599453, inf, not_a_number}}, "special values", near);
  const matrix m = laws::numbers_between(-3, 3, 1, 5, 20);
  constexpr auto both = std::tuple(logcumsumexp(x, axis<0>), logcumsumexp(transpose(x), axis<0>, exclusive));
  session s(std::get<0>(both), std::get<1>(both));
  const auto got = s.run(std::get<0>(both), std::get<1>(both), x = m);
  const auto wanted = reference::run(std::get<0>(both), std::get<1>(both), x = m);
  laws::check_described(laws::described(std::get<0>(got)), laws::described(std::get<0>(wanted)), 1e-15, "columns");
  laws::check_described(laws::described(std::get<1>(got)), laws::described(std::get<1>(wanted)), 1e-15, "rows");
}

TEST_CASE("law: gradients of these functions are central differences, of second order too") {
  const matrix at = laws::numbers_between(-1.3, 1.2, 1, 3, 4);
  constexpr auto f =
      std::tuple(tril(x) * x, triu<1>(x * x), norm(x, axis<1>), norm<1>(x * x, axis<0>), norm<infinity>(x),
                 standard_deviation(x, axis<0>), logcumsumexp(x, axis<1>), logcumsumexp(x, axis<0>, reverse),
                 etch::exp(logcumsumexp(x, axis<1>, exclusive)), etch::exp(logcumsumexp(x, axis<1>, exclusive, reverse)));
  std::apply([&](auto... y) { check_gradients("first order", std::tuple(weighted(y)...), std::tuple(x), std::tuple(at)); }, f);
  std::apply(
      [&](auto... y) {
        check_gradients<laws::where::on_reference>("second order", std::tuple(slope(y, x)...), std::tuple(x), std::tuple(at));
      },
      f);
}

TEST_CASE("law: a running sum of exponentials has finite gradients beside -inf and far beyond the exponential's range") {
  laws::check_graph_modes([](auto a) { return gradient(sum(logcumsumexp(a, axis<0>)), a); }, line, array{-inf, -inf, 0, 0},
                          {{4}, {0, 0, 1.5, 0.5}}, "beside -inf", 1e-15);
  laws::check_graph_modes([](auto a) { return gradient(sum(logcumsumexp(a, axis<0>)), a); }, line, array{1000, -1000, 1000},
                          {{3}, {2.5, 0, 0.5}}, "large", 1e-12);  // sums near 1000 are rounded by up to 1e-13
}
