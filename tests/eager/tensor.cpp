// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <span>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <xtensor/xarray.hpp>

#include <etch/eager.hpp>
#include <etch/eager/xtensor.hpp>
#include <etch/etch.hpp>

#include "graph/doubled.hpp"

// What tensors are beside operands: parts, conversions, changes, scalars; and where their memory goes.

using namespace etch::literals;

namespace {
using matrix = etch::tensor<float, 2>;
using vector = etch::tensor<float, 1>;
using scalar = etch::tensor<float, 0>;

template <class T, int Rank>
std::vector<T> elements(const etch::tensor<T, Rank>& t) {
  return std::vector<T>(t.data(), t.data() + t.size());
}
}  // namespace

TEST_CASE("EAG-02: parts along the first axis, and elements by index") {
  const matrix m = {{1, 2, 3}, {4, 5, 6}};
  CHECK(elements(m[1]) == std::vector<float>{4, 5, 6});
  CHECK(elements(m[-2]) == std::vector<float>{1, 2, 3});
  CHECK(m[1][2].item() == 6);
  CHECK(m(1, 2) == 6);
  CHECK(m(-1, 0) == 4);
  CHECK(m[1].data() == m.data() + 3);
  CHECK_THROWS_WITH_AS(m[2], "tensor: index 2 of axis 0, which has 2 elements", etch::error);
  CHECK_THROWS_WITH_AS(m(0, -4), "tensor: index -4 of axis 1, which has 3 elements", etch::error);
  // An unsigned one does not count from the end.
  CHECK(m(1u, std::size_t{2}) == m(1, 2));
  CHECK_THROWS_WITH_AS(m(0, std::size_t(-1)), "tensor: index 18446744073709551615 of axis 1, which has 3 elements", etch::error);
  CHECK_THROWS_WITH_AS(m[std::uint64_t(-1)], "tensor: index 18446744073709551615 of axis 0, which has 2 elements", etch::error);
  CHECK_THROWS_WITH_AS(m.item(), "tensor: item() of 6 elements", etch::error);
  float sum = 0;
  for (const auto row : m)
    for (const scalar element : row) sum += element.item();
  CHECK(sum == 21);
  CHECK(m.shape() == std::array<std::int64_t, 2>{2, 3});
  CHECK(m.size() == 6);
  CHECK(matrix().size() == 0);
  CHECK(scalar().item() == 0);
  CHECK_THROWS_AS((matrix{{1, 2}, {3}}), etch::error);
}

TEST_CASE("EAG-05: scalars stand in conditions, and comparisons give tensors") {
  scalar x = 3;
  int steps = 0;
  while (x > 0.5f) {
    x = x / 2_c;
    ++steps;
  }
  CHECK(steps == 3);
  const vector a = {1, 2, 3}, b = {3, 2, 1};
  CHECK(elements(a < b) == std::vector<bool>{true, false, false});
  CHECK(etch::reduce_any(a == b));
  CHECK_FALSE(etch::reduce_all(a == b));
  CHECK(static_cast<float>(scalar(2.5f)) == 2.5f);
}

TEST_CASE("EAG-02: a changed tensor leaves those that shared its elements as they are") {
  vector a = {1, 2, 3};
  const vector before = a;
  a += 1_c;
  CHECK(elements(a) == std::vector<float>{2, 3, 4});
  CHECK(elements(before) == std::vector<float>{1, 2, 3});
  const float* const where = a.data();
  a *= before;
  a -= 1;
  a /= vector{2};
  CHECK(a.data() == where);
  CHECK(elements(a) == std::vector<float>{0.5f, 2.5f, 5.5f});
  const auto part = a[0];
  a += a;
  CHECK(part.item() == 0.5f);
  CHECK(elements(a) == std::vector<float>{1, 5, 11});
  vector one = {1};
  one += before;
  CHECK(elements(one) == std::vector<float>{2, 3, 4});
  etch::tensor<int, 1> counts = {1, 2};
  counts += true;
  CHECK(elements(counts) == std::vector<int>{2, 3});
  CHECK_THROWS_AS(a += vector({1, 2}), etch::error);
}

TEST_CASE("NP-01, NP-02, NP-03, AT-7b: tensors come from xtensor's containers and expressions, and go to them") {
  const xt::xtensor<float, 2> x = {{1, 2}, {3, 4}};
  const matrix m = x, doubled = x * 2.f, turned = xt::transpose(x);
  CHECK(elements(doubled) == std::vector<float>{2, 4, 6, 8});
  CHECK(elements(turned) == std::vector<float>{1, 3, 2, 4});
  const xt::xtensor<float, 2> back = turned;
  const xt::xarray<float> dynamic = turned;
  const xt::xtensor<float, 2, xt::layout_type::column_major> columns = turned;
  CHECK(back == xt::transpose(x));
  CHECK(dynamic == xt::transpose(x));
  CHECK(columns == xt::transpose(x));
  CHECK(xt::sum(m.array())() == 10);
  CHECK(m.array().data() == m.data());
  const etch::tensor<float> any = dynamic;
  CHECK(any.shape() == std::vector<std::int64_t>{2, 2});
  const xt::xtensor<int, 2> a = {{1, 2}, {3, 4}};
  const etch::tensor<int, 2> b = etch::add(etch::tensor<int, 2>(a), 1);
  const xt::xtensor<int, 2> c = a * b.array();
  CHECK(c == xt::xtensor<int, 2>{{2, 6}, {12, 20}});
}

TEST_CASE("EAG-02: a tensor of one axis comes from a contiguous range, a scalar variable from a number") {
  const std::vector<float> values = {1, 2, 3};
  const vector from_vector = values, from_span = std::span(values).subspan(1), from_array = std::array{4.f, 5.f};
  CHECK(elements(from_vector) == values);
  CHECK(elements(from_span) == std::vector<float>{2, 3});
  CHECK(elements(from_array) == std::vector<float>{4, 5});
  CHECK(elements(vector(std::vector<float>{})) == std::vector<float>{});
  const etch::tensor<float> any = values;
  CHECK(any.shape() == std::vector<std::int64_t>{3});
  const etch::tensor deduced(values);
  static_assert(std::is_same_v<decltype(deduced), const vector>);
  const etch::eager::variable number(3.f);
  static_assert(std::is_same_v<decltype(number), const etch::eager::variable<float, 0>>);
  CHECK((number + 1.f).item() == 4);
}

TEST_CASE("EAG-02: a tensor whose rank is known at run time") {
  const matrix m = {{1, 2}, {3, 4}};
  etch::tensor<float> any = m;
  CHECK(any.dimension() == 2);
  CHECK(any.data() == m.data());
  any = any * 2_c + m;
  CHECK(elements(any) == std::vector<float>{3, 6, 9, 12});
  CHECK(elements(etch::matmul(any, m)) == std::vector<float>{21, 30, 45, 66});
  CHECK(any[1][0].item() == 9);
  const matrix again = any;
  CHECK(again(1, 1) == 12);
  CHECK_THROWS_WITH_AS(vector{any}, "tensor: one of 2 axes is taken for one of 1", etch::error);
  any = vector{1, 2};
  CHECK(any.dimension() == 1);
}

TEST_CASE("EAG-02: expressions of constants are values where they meet tensors") {
  const matrix zeros = etch::zeros(etch::shape<2, 3>{});
  CHECK(elements(zeros) == std::vector<float>(6));
  CHECK(elements(zeros + etch::ones(etch::shape<3>{})) == std::vector<float>(6, 1.f));
  CHECK(elements(etch::tensor(etch::arange<int>(etch::shape<4>{}) * 2_c)) == std::vector<int>{0, 2, 4, 6});
  CHECK(elements(etch::where(zeros == 0_c, 1_c, 2_c)) == std::vector<int>(6, 1));
  CHECK(elements(etch::concat(etch::axis<0>, vector{1}, etch::zeros(etch::shape<2>{}))) == std::vector<float>{1, 0, 0});
  CHECK(elements(etch::gather(vector{1, 2, 3}, etch::arange<int>(etch::shape<2>{}) + 1_c)) == std::vector<float>{2, 3});
  CHECK(elements(etch::pad(etch::tensor(etch::sum(etch::ones(etch::shape<2, 3>{}), etch::axis<1>)), etch::padding<1>)) ==
        std::vector<float>{0, 3, 3, 0});
  const scalar two = 2_c;
  CHECK(two.item() == 2);
  CHECK(elements(zeros + doubled<40>(etch::ones(etch::shape<3>{}))) == std::vector<float>(6, 0x1p40f));
}

TEST_CASE("EAG-02, AT-27: each evaluation of a draw draws anew, and a seed repeats") {
  etch::eager::seed(7);
  std::vector<std::vector<float>> draws;
  for (int i = 0; i < 4; ++i) {
    const matrix r = etch::random_uniform<"r">(etch::shape<2, 2>{});
    for (const float e : elements(r)) CHECK((e >= 0 && e < 1));
    for (const auto& before : draws) CHECK(before != elements(r));
    draws.push_back(elements(r));
  }
  etch::eager::seed(7);
  CHECK(elements(matrix(etch::random_uniform<"r">(etch::shape<2, 2>{}))) == draws[0]);
  CHECK(elements(matrix(etch::random_uniform<"other">(etch::shape<2, 2>{}))) != draws[1]);
  // As a session with that seed, whose runs are numbered likewise.
  constexpr auto drawn = etch::random_normal<"n">(etch::shape<5>{});
  etch::session s(drawn);
  s.initialize(7);
  etch::eager::seed(7);
  const xt::xtensor<float, 1> first = s.run(drawn), second = s.run(drawn);
  const vector now = drawn, then = drawn;
  CHECK(now.array() == first);
  CHECK(then.array() == second);
  const vector some = etch::dropout<"noise">(vector(etch::ones(etch::shape<1000>{})), 0.25);
  int left = 0;
  for (const float e : elements(some)) {
    CHECK((e == 0 || e == doctest::Approx(1 / 0.75)));
    left += e != 0;
  }
  CHECK((left > 680 && left < 820));
}

TEST_CASE("VAR-03, EAG-08: a variable is assigned to, and copies are the same variable") {
  etch::eager::variable w(matrix{{1, 2}});
  const auto same = w;
  const matrix before = w.read();
  w.assign_add(1_c);
  CHECK(elements(same.read()) == std::vector<float>{2, 3});
  CHECK(elements(before) == std::vector<float>{1, 2});
  w.assign_sub(before);
  CHECK(elements(w + same * 2_c) == std::vector<float>{3, 3});
  w.assign(before);
  CHECK(elements(etch::transpose(w)) == std::vector<float>{1, 2});
  CHECK_THROWS_WITH_AS(w.assign(matrix{{1}}), "assign: a variable of float32[1, 2] is given float32[1, 1]", etch::error);
  CHECK_THROWS_AS(w.assign_add(matrix{{1}, {2}}), etch::error);
  etch::eager::variable counter(scalar(0));
  std::vector<float> seen;
  for (int i = 0; i < 5; ++i) {
    counter.assign(counter + 1_c);
    seen.push_back(counter.read().item());
  }
  CHECK(seen == std::vector<float>{1, 2, 3, 4, 5});
}

TEST_CASE("EAG-06: tensors live in containers, and their memory goes when they do") {
  const std::int64_t before = etch::eager::live_bytes();
  {
    std::vector<scalar> collected;
    for (int i = 0; i < 2; ++i) collected.push_back(scalar(5) + i);
    CHECK(collected[0].item() == 5);
    CHECK(collected[1].item() == 6);
    CHECK(etch::eager::live_bytes() == before + 8);
    matrix large = etch::zeros(etch::shape<1000, 1000>{});
    large += 1_c;
    CHECK(etch::eager::live_bytes() == before + 8 + 4'000'000);
  }
  CHECK(etch::eager::live_bytes() == before);
  matrix made;
  std::thread([&] { made = matrix{{1, 2}} + 1_c; }).join();
  CHECK(made(0, 1) == 3);
}

TEST_CASE("EAG-06: a part of a number that stands beside a tensor owns its element, and so does what is padded with one") {
  const matrix nothing = etch::zeros(etch::shape<0, 1>{});
  const etch::eager::number<float> seven(7);
  const etch::eager::value one(seven, matrix{{1}}.described(), 0);
  CHECK(one.owns());
  CHECK(etch::pad(nothing, etch::padding<0, 1>, etch::padding<0>, 7_c).item() == 7);
  CHECK(etch::pad(nothing, etch::padding<1, 0>, etch::padding<0>, 5).item() == 5);
}

TEST_CASE("EAG-02: shapes broadcast in every way, of short rows and long ones") {
  const auto at = [](const auto& t, std::int64_t i, std::int64_t j, std::int64_t k) {
    const auto& e = t.described().extents;
    return t.data()[((e[0] == 1 ? 0 : i) * e[1] + (e[1] == 1 ? 0 : j)) * e[2] + (e[2] == 1 ? 0 : k)];
  };
  for (const std::int64_t last : {1, 2, 3, 17, 1023, 1025, 3000})
    for (int shapes = 0; shapes < 64; ++shapes) {
      const auto numbered = [&](int which, float first) {
        xt::xtensor<float, 3> x = xt::xtensor<float, 3>::from_shape(
            {(which & 1) != 0 ? 1u : 3u, (which & 2) != 0 ? 1u : 2u, (which & 4) != 0 ? 1u : static_cast<std::size_t>(last)});
        for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = first + static_cast<float>(i);
        return etch::tensor<float, 3>(x);
      };
      const auto a = numbered(shapes & 7, 1), b = numbered(shapes >> 3, 5000), sum = a - b;
      bool right = true;
      for (std::int64_t i = 0; i < sum.extent(0); ++i)
        for (std::int64_t j = 0; j < sum.extent(1); ++j)
          for (std::int64_t k = 0; k < sum.extent(2); ++k) right = right && at(sum, i, j, k) == at(a, i, j, k) - at(b, i, j, k);
      CHECK(right);
      CHECK(sum.size() ==
            std::max(a.extent(0), b.extent(0)) * std::max(a.extent(1), b.extent(1)) * std::max(a.extent(2), b.extent(2)));
    }
}

TEST_CASE("EAG-02: reductions over any set of axes, also of no elements") {
  xt::xtensor<float, 4> x = xt::xtensor<float, 4>::from_shape({3, 4, 5, 17});
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i % 97) - 40.f;
  const etch::tensor<float, 4> t = x;
  const auto check = [&](const auto& now, const xt::xarray<float>& later) {
    const xt::xarray<float> got = now;
    CHECK(got == later);
  };
  check(etch::sum(t, etch::axis<0>), xt::sum(x, {0}));
  check(etch::sum(t, etch::axis<1>), xt::sum(x, {1}));
  check(etch::sum(t, etch::axis<3>), xt::sum(x, {3}));
  check(etch::max(t, etch::axis<0, 2>), xt::amax(x, {0, 2}));
  check(etch::max(t, etch::axis<1, 3>), xt::amax(x, {1, 3}));
  check(etch::sum(t, etch::axis<0, 3>), xt::sum(x, {0, 3}));
  check(etch::sum(t, etch::axis<1, 2>), xt::sum(x, {1, 2}));
  check(etch::sum(t), xt::sum(x));
  const matrix none = etch::zeros(etch::shape<3, 0>{}), wide = etch::zeros(etch::shape<0, 3>{});
  CHECK(elements(etch::sum(none, etch::axis<1>)) == std::vector<float>(3));
  CHECK(elements(etch::sum(wide, etch::axis<0>)) == std::vector<float>(3));
  CHECK(elements(etch::max(wide, etch::axis<0>)) == std::vector<float>(3, -std::numeric_limits<float>::infinity()));
  CHECK(etch::sum(none, etch::axis<0>).size() == 0);
  CHECK((none + 1_c).size() == 0);
  CHECK(etch::matmul(none, wide).size() == 9);
  CHECK(etch::matmul(none, wide)(2, 2) == 0);
  CHECK(etch::transpose(none).shape() == std::array<std::int64_t, 2>{0, 3});
  CHECK(etch::concat(etch::axis<1>, none, none).size() == 0);
  CHECK(std::isnan(etch::mean(none).item()));
}

TEST_CASE("EAG-10, EAG-11: a session is fed with tensors, and layers take them as parameters") {
  constexpr etch::placeholder<"x", float, etch::any<"n">, 2> x;
  constexpr auto doubled = x + x;
  etch::session s(doubled);
  const matrix t = {{1, 2}, {3, 4}};
  const etch::tensor<float> any = t;
  CHECK(s.run(doubled, x = t) == xt::xtensor<float, 2>{{2, 4}, {6, 8}});
  CHECK(s.run(doubled, x = t + 1_c) == xt::xtensor<float, 2>{{4, 6}, {8, 10}});
  CHECK(s.run(doubled, x = any) == xt::xtensor<float, 2>{{2, 4}, {6, 8}});
  auto step = s.bind(doubled, x = t);
  CHECK(xt::xtensor<float, 2>(step()) == xt::xtensor<float, 2>{{2, 4}, {6, 8}});
  CHECK(elements(matrix(s.run(doubled, x = t))) == std::vector<float>{2, 4, 6, 8});

  const etch::eager::variable kernel(matrix{{1, 0, 2}, {0, 1, 2}});
  const vector bias = {1, 1, 1};
  CHECK(elements(etch::nn::dense(t, kernel, bias)) == std::vector<float>{2, 3, 7, 4, 5, 15});
  CHECK(elements(etch::nn::embedding(etch::tensor<int, 1>{1, 0}, t)) == std::vector<float>{3, 4, 1, 2});
  CHECK(elements(etch::layer_norm(t, 1_c, vector{1, 2}))[3] == doctest::Approx(3).epsilon(1e-3));
}
