// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>

#include "../session/executors.hpp"
#include "base/larger.hpp"
#include "compare.hpp"

// Rows that fill no registers beside operands that are one number for each row, one for all, or the same row in each: the results of loops, of every
// dtype, in two axes and three, cut among threads, and changed in place.

namespace {

using namespace etch;
using namespace etch::literals;

template <class T, class... N>
xt::xtensor<T, sizeof...(N)> numbers(int first, N... n) {
  xt::xtensor<T, sizeof...(N)> v = xt::zeros<T>({static_cast<std::size_t>(n)...});
  int i = first;
  for (T& e : v) e = static_cast<T>(i++ * 7919 % 113);
  return v;
}

template <class Value, class F>
bool is(const Value& result, const F& f) {
  const auto& shape = result.shape();
  const std::size_t n = shape[0], m = shape[1], r = shape[2];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t k = 0; k < r; ++k)
        if (result(i, j, k) != f(i, j, k)) return false;
  return true;
}

/// N x M rows of R.
template <int N, int M, int R>
void check_shape() {
  INFO(N, " x ", M, " rows of ", R);
  constexpr placeholder<"x", float, N, M, R> x;
  constexpr placeholder<"bytes", std::uint8_t, N, M, R> bytes;
  constexpr placeholder<"doubles", double, N, M, R> doubles;
  constexpr placeholder<"along", float, M, 1> along;     // the same for each of N
  constexpr placeholder<"each", float, N, M, 1> each;    // one for each row
  constexpr placeholder<"outer", float, N, 1, 1> outer;  // one for M rows
  constexpr placeholder<"row", float, R> row;
  constexpr placeholder<"one", float> one;
  constexpr placeholder<"flags", bool, M, 1> flags;
  constexpr placeholder<"few", std::uint8_t, M, 1> few;
  constexpr placeholder<"wide", double, N, M, 1> wide;
  constexpr auto weighed = x * along;
  constexpr auto normalised = (x * each - row) * one;
  constexpr auto of_outer = x * outer + each;
  constexpr auto from_bytes = astype<float>(bytes) * along + row;
  constexpr auto chosen = where(flags, x, row);
  constexpr auto of_bytes = bytes + few;
  constexpr auto in_doubles = doubles * wide;
  constexpr auto compared = x > each;
  constexpr auto two = std::tuple(x + each, x - each);
  const auto check_session = [&](auto& s) {
    const auto vx = numbers<float>(1, N, M, R), veach = numbers<float>(3, N, M, 1), vouter = numbers<float>(4, N, 1, 1);
    const auto vbytes = numbers<std::uint8_t>(5, N, M, R);
    const auto vdoubles = numbers<double>(6, N, M, R), vwide = numbers<double>(7, N, M, 1);
    const auto valong = numbers<float>(8, M, 1);
    const auto vrow = numbers<float>(9, R);
    const auto vfew = numbers<std::uint8_t>(2, M, 1);
    xt::xtensor<bool, 2> vflags = xt::zeros<bool>({std::size_t{M}, std::size_t{1}});
    for (std::size_t j = 0; j < vflags.size(); ++j) vflags(j, 0) = j % 3 == 1;
    CHECK(is(s.run(weighed, x = vx, along = valong), [&](auto i, auto j, auto k) { return vx(i, j, k) * valong(j, 0); }));
    CHECK(is(s.run(normalised, x = vx, each = veach, row = vrow, one = 2.0f),
             [&](auto i, auto j, auto k) { return (vx(i, j, k) * veach(i, j, 0) - vrow(k)) * 2.0f; }));
    CHECK(is(s.run(of_outer, x = vx, each = veach, outer = vouter),
             [&](auto i, auto j, auto k) { return vx(i, j, k) * vouter(i, 0, 0) + veach(i, j, 0); }));
    CHECK(is(s.run(from_bytes, bytes = vbytes, along = valong, row = vrow),
             [&](auto i, auto j, auto k) { return static_cast<float>(vbytes(i, j, k)) * valong(j, 0) + vrow(k); }));
    CHECK(is(s.run(chosen, flags = vflags, x = vx, row = vrow),
             [&](auto i, auto j, auto k) { return vflags(j, 0) ? vx(i, j, k) : vrow(k); }));
    CHECK(is(s.run(of_bytes, bytes = vbytes, few = vfew),
             [&](auto i, auto j, auto k) { return static_cast<std::uint8_t>(vbytes(i, j, k) + vfew(j, 0)); }));
    CHECK(is(s.run(in_doubles, doubles = vdoubles, wide = vwide),
             [&](auto i, auto j, auto k) { return vdoubles(i, j, k) * vwide(i, j, 0); }));
    CHECK(is(s.run(compared, x = vx, each = veach), [&](auto i, auto j, auto k) { return vx(i, j, k) > veach(i, j, 0); }));
    const auto [sum, difference] = s.run(two, x = vx, each = veach);
    CHECK(is(sum, [&](auto i, auto j, auto k) { return vx(i, j, k) + veach(i, j, 0); }));
    CHECK(is(difference, [&](auto i, auto j, auto k) { return vx(i, j, k) - veach(i, j, 0); }));
  };
  session s(weighed, normalised, of_outer, from_bytes, chosen, of_bytes, in_doubles, compared, two);
  check_session(s);
  executors::backwards threads(3);
  s.set_executor(&threads);
  check_session(s);
}

}  // namespace

TEST_CASE("law: rows of a few elements beside columns are what loops give") {
  check_shape<5, 257, 3>();
  check_shape<1, 1030, 2>();
  check_shape<3, 80, 7>();
}
TEST_CASE("law: longer rows beside columns are what loops give") {
  check_shape<2, 40, 50>();
  check_shape<2, 12, 127>();
  check_shape<1, 300, 9>();
}

TEST_CASE("law: a variable of short rows is changed in place by columns of its own and of others") {
  constexpr auto w = variable<"w">(zeros<float>(shape<500, 3>{}));
  constexpr placeholder<"each", float, 500, 1> each;
  constexpr auto change = group(assign(w, w * each - slice(w, section<>, section<1, 2>)));
  session s(change);
  const auto some = numbers<float>(1, 500, 3), veach = numbers<float>(2, 500, 1);
  s.set(w, some);
  s.run(change, each = veach);
  const auto got = s.get(w);
  bool same = true;
  for (std::size_t i = 0; i < 500; ++i)
    for (std::size_t k = 0; k < 3; ++k) same = same && got(i, k) == some(i, k) * veach(i, 0) - some(i, 1);
  CHECK(same);
}

TEST_CASE("law: NaN and 0 beside short rows stay in theirs") {
  constexpr placeholder<"x", float, 401, 5> x;
  constexpr placeholder<"each", float, 401, 1> each;
  constexpr auto y = x / each;
  session s(y);
  auto vx = numbers<float>(1, 401, 5), veach = numbers<float>(2, 401, 1);
  veach(7, 0) = std::numeric_limits<float>::quiet_NaN();
  veach(400, 0) = 0;
  auto step = s.bind(y, x = vx, each = veach);
  const auto& got = step();
  bool same = true;
  for (std::size_t i = 0; i < 401; ++i)
    for (std::size_t k = 0; k < 5; ++k) {
      const float wanted = vx(i, k) / veach(i, 0);
      same = same && (std::isnan(wanted) ? std::isnan(got(i, k)) : got(i, k) == wanted);
    }
  CHECK(same);
}
