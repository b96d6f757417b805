// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>

#include "joined_arrays.hpp"

// Elementwise values of padded and concatenated arrays, which are computed part by part, beside the reference, which makes them as they are
// written; and what `concat` joins, which its operands' steps write where it lies. Those of other dtypes: split_index_set_dtypes.cpp.

using namespace joined_arrays;

TEST_CASE("operands that are repeated, steps, and axes in reverse") {
  const auto r = numbers<float, 1>({100}, 31);
  constexpr auto margined = pad(one_x, padding<2>, padding<0>, edge);
  check(slice(pad(one_x, padding<4>, padding<0>, edge), section<8>) * row + slice(margined, section<0, 90>, section<0, 100>),
        one_x = xs<float>, row = r);
  check(slice(margined, section<2, 92>) + pad(slice(row, section<0, 90>), padding<4, 6>), one_x = xs<float>, row = r);
  check(flip(margined, axis<0>) + concat(axis<0>, one_y, ones<float>(shape<4, 100>{})), one_x = xs<float>, one_y = ys<float>);
  check(slice(margined, section<0, 94, 2>) * 3_c + slice(margined, section<47>), one_x = xs<float>);
}

TEST_CASE("three axes, and one whose extent has a name") {
  const auto v = numbers<float, 3>({14, 22, 32}, 7919);
  constexpr auto margined = pad(volume, padding<1>, padding<1>, padding<1>);
  constexpr auto inside = [](auto... s) { return slice(pad(volume, padding<1>, padding<1>, padding<1>), s...); };
  constexpr auto m = section<1, -1>;
  constexpr auto seven = inside(section<0, -2>, m, m) + inside(section<2>, m, m) + 3_c * inside(m, section<0, -2>, m) -
                         inside(m, section<2>, m) + inside(m, m, section<0, -2>) * 5_c + inside(m, m, section<2>) -
                         6_c * inside(m, m, m);
  check(seven, volume = v);
  check(margined * 2_c, volume = v);
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
    const auto some = numbers<float, 2>({n, 3000}, 7919);
    constexpr auto q = pad(rows, padding<0>, padding<1>, edge);
    check(slice(q, section<>, section<0, -2>) - slice(q, section<>, section<2>), rows = some);
    check(concat(axis<0>, rows, rows * 2_c) * 3_c, rows = some);
  }
}

TEST_CASE("what others need as well, products, sums, and several values of one margin") {
  constexpr auto margined = pad(wide_x, padding<1>, padding<1>, edge);
  constexpr auto a = five_points(margined);
  constexpr auto b = a * wide_y + slice(margined, section<2>, section<2>);
  constexpr auto c = sum(a, axis<1>);
  constexpr auto product = matmul(a, transpose(b));
  const auto expected = reference::run(a, b, c, product, margined, wide_x = xs<double>, wide_y = ys<double>);
  etch::session s(a, b, c, product, margined);
  CHECK(s.run(a, b, c, product, margined, wide_x = xs<double>, wide_y = ys<double>) == expected);
  CHECK(s.run(product, wide_x = xs<double>, wide_y = ys<double>) == std::get<3>(expected));
  CHECK(s.run(a, c, wide_x = xs<double>, wide_y = ys<double>) == std::tuple(std::get<0>(expected), std::get<2>(expected)));
  CHECK(s.run(b, margined, wide_x = xs<double>, wide_y = ys<double>) == std::tuple(std::get<1>(expected), std::get<4>(expected)));
}

TEST_CASE("gradients of what reads slices: sums of slices between zeros") {
  constexpr auto w = slice(wide_x, section<0, 6>, section<3>);
  constexpr auto loss =
      sum(slice(w, section<0, 2>) * slice(w, section<1, 3>)) + sum(slice(w, section<2>) * slice(w, section<0, 4>) * 3_c);
  check(gradient(loss, wide_x), wide_x = xs<double>);
  constexpr auto c = []<int K>(std::integral_constant<int, K>) { return slice(wide_coefficients, section<K, K + 1>); };
  constexpr auto polynomial = c(std::integral_constant<int, 0>{}) +
                              wide_x * (c(std::integral_constant<int, 1>{}) + wide_x * c(std::integral_constant<int, 2>{}));
  const xt::xtensor<double, 1> coefficients = {2, -3, 5};
  constexpr auto slopes = gradient(sum(polynomial * wide_y), wide_coefficients);
  CHECK(!has_opaque(slopes, wide_x, wide_y, wide_coefficients));
  check(slopes, wide_x = xs<double>, wide_y = ys<double>, wide_coefficients = coefficients);
  constexpr auto gates = split<4>(wide_x, axis<1>);
  constexpr auto y = std::get<0>(gates) * std::get<1>(gates) - std::get<2>(gates) * std::get<3>(gates) * std::get<0>(gates);
  constexpr auto of_gates = gradient(sum(y), wide_x);
  check(matmul(of_gates, transpose(wide_y)), wide_x = xs<double>, wide_y = ys<double>);
  check(of_gates, wide_x = xs<double>);
}

TEST_CASE("special values are those of the whole: a zero that is added, NaN times a margin") {
  auto v = xs<float>;
  for (std::size_t i = 0; i < v.size(); i += 3) v.data()[i] = i % 2 == 0 ? -0.f : std::numeric_limits<float>::quiet_NaN();
  constexpr auto e = one_x + pad(slice(one_x, section<1, -1>) * 0_c, padding<1>, padding<0>);
  const auto expected = reference::run(e, one_x = v);
  etch::session s(e);
  const auto got = s.run(e, one_x = v);
  int wrong = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const float a = got.data()[i], b = expected.data()[i];
    const bool same = std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
    wrong += same ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("a variable that is assigned a value of its own margins") {
  constexpr auto edges = assign(u, five_points(pad(u, padding<1>, padding<1>, edge)));
  constexpr auto inner = [](auto f) { return assign(u, u + pad(f, padding<1>, padding<1>)); };
  constexpr auto zeros_around = inner(five_points(u));
  constexpr auto joined = assign(u, concat(axis<0>, slice(u, section<30>) * 2_c, slice(u, section<0, 30>) + 1_c));
  constexpr auto rolled = assign(u, concat(axis<1>, slice(u, section<>, section<1>), slice(u, section<>, section<0, 1>)));
  const auto all = [](auto step) {
    auto now = xs<double>;
    etch::session s(group(step), u);
    s.initialize();
    s.set(u, now);
    auto bound = s.bind(group(step));
    for (int i = 0; i < 4; ++i) {
      if (i < 2)
        s.run(group(step));
      else
        bound();
      now = reference::run(step, u = now);
      CHECK(s.get(u) == now);
    }
  };
  all(edges);
  all(zeros_around);
  all(joined);
  all(rolled);
  // The interior in place, its edges behind it: nothing is copied.
  static_assert(plan_of(group(zeros_around)).kernel_count == 9);
}

TEST_CASE("steps write what they compute where it lies in a join") {
  constexpr auto sums =
      concat(axis<0>, sum(one_x, axis<0>, keep_dims), one_x * 2_c, matmul(slice(one_x, section<0, 5>, section<0, 90>), one_y));
  static_assert(plan_of(sums, one_x, one_y).kernel_count == 3);
  check(sums, one_x = xs<float>, one_y = ys<float>);
  constexpr auto beside = concat(axis<1>, one_x * 2_c, one_y, cumsum(one_x, axis<1>));
  static_assert(plan_of(beside, one_x, one_y).kernel_count == 3);
  check(beside, one_x = xs<float>, one_y = ys<float>);
  constexpr auto nested = concat(axis<0>, concat(axis<1>, one_x + 1_c, one_x + 2_c), concat(axis<1>, one_y - 1_c, one_y));
  CHECK(!has_opaque(nested, one_x, one_y));
  check(nested, one_x = xs<float>, one_y = ys<float>);
  // Twice the same, what others need, short rows, and numbers.
  constexpr auto t = one_x * 3_c;
  check(concat(axis<0>, t, t), one_x = xs<float>);
  check(stack(axis<2>, one_x * 2_c, one_x * 3_c), one_x = xs<float>);
  check(stack(axis<0>, sum(one_x), max(one_x), sum(one_y)), one_x = xs<float>, one_y = ys<float>);
  check(matmul(concat(axis<1>, one_x * 2_c, one_y + 1_c), transpose(concat(axis<1>, one_x, one_y * 2_c))), one_x = xs<float>,
        one_y = ys<float>);
}

TEST_CASE("gradients of slices of a named axis are no joins along it") {
  constexpr placeholder<"z", float, any<"n">, 100> z;
  constexpr auto corner = slice(z, section<0, 5>, section<0, 50>);
  const auto v = numbers<float, 2>({8, 100}, 7);
  check(z - 0.1_c * gradient(sum(square(corner)), z), z = v);
  check(gradient(sum(square(slice(z, section<0, 5>))) + sum(square(slice(z, section<>, section<0, 50>))), z), z = v);
}
