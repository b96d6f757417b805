// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <xtensor/xview.hpp>

#include <etch/print.hpp>
#include "reference/run.hpp"

#include "../session/executors.hpp"
#include "plain_product.hpp"

/// Products of int8 and uint8 with sums in int32: one step that reads the bytes, and results that are plain loops' in int64, modulo 2^32.
namespace {

using namespace etch;
using namespace etch::literals;

template <class T>
using array = xt::xtensor<T, 2>;

/// What elements are drawn from.
enum class range { all, lowest, highest, extremes };

template <class T, std::size_t Rank>
xt::xtensor<T, Rank> bytes(std::array<std::size_t, Rank> extents, range from, unsigned seed) {
  xt::xtensor<T, Rank> made = xt::zeros<T>(extents);
  std::mt19937 generator(seed);
  constexpr int low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  for (T& v : made) {
    const auto draw = generator();
    const bool is_low = from == range::lowest || (from == range::extremes && draw % 2 == 0);
    v = static_cast<T>(from == range::all ? low + static_cast<int>(draw % 256) : is_low ? low : high);
  }
  return made;
}
std::int32_t modulo(std::int64_t x) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(x & 0xffffffff)); }

/// The sums of left(i, p) * right(p, j), modulo 2^32.
template <class Left, class Right>
array<std::int32_t> product(std::size_t m, std::size_t n, std::size_t k, const Left& left, const Right& right) {
  array<std::int32_t> a = xt::zeros<std::int32_t>({m, k}), b = xt::zeros<std::int32_t>({k, n});
  for (std::size_t p = 0; p < k; ++p) {
    for (std::size_t i = 0; i < m; ++i) a(i, p) = left(i, p);
    for (std::size_t j = 0; j < n; ++j) b(p, j) = right(p, j);
  }
  return laws::plain_product(a, b);
}

constexpr auto wide = [](auto x) { return astype<std::int32_t>(x); };

/// Every layout of the operands, for matrices of each of these sizes.
template <class Left, class Right>
void check_layouts(std::initializer_list<std::array<std::size_t, 3>> sizes, std::initializer_list<range> ranges) {
  constexpr placeholder<"x", Left, any<"m">, any<"k">> x;
  constexpr placeholder<"xt", Left, any<"k">, any<"m">> xt;
  constexpr placeholder<"w", Right, any<"k">, any<"n">> w;
  constexpr placeholder<"wt", Right, any<"n">, any<"k">> wt;
  constexpr auto plain = matmul(wide(x), wide(w));
  constexpr auto by_columns = matmul(wide(x), transpose(wide(wt)));
  constexpr auto by_rows = matmul(wide(transpose(xt)), wide(w));
  constexpr auto by_both = matmul(transpose(wide(xt)), wide(transpose(wt)));
  static_assert(plan_of(plain, x, w).kernel_count == 1);
  static_assert(plan_of(by_columns, x, wt).kernel_count == 1);
  static_assert(plan_of(by_rows, xt, w).kernel_count == 1);
  static_assert(plan_of(by_both, xt, wt).kernel_count == 1);
  session s(plain, by_columns, by_rows, by_both);
  for (const auto [m, k, n] : sizes)
    for (const range from : ranges) {
      CAPTURE(m);
      CAPTURE(k);
      CAPTURE(n);
      CAPTURE(static_cast<int>(from));
      const auto vx = bytes<Left, 2>({m, k}, from, 1);
      const auto vw = bytes<Right, 2>({k, n}, from, 2);
      const array<Left> vxt = xt::transpose(vx);
      const array<Right> vwt = xt::transpose(vw);
      const array<std::int32_t> expected = product(m, n, k, vx, vw);
      CHECK(s.run(plain, x = vx, w = vw) == expected);
      CHECK(s.run(by_columns, x = vx, wt = vwt) == expected);
      CHECK(s.run(by_rows, xt = vxt, w = vw) == expected);
      CHECK(s.run(by_both, xt = vxt, wt = vwt) == expected);
    }
}
template <class Left, class Right>
void check_all() {
  check_layouts<Left, Right>({{1, 1, 1},
                              {0, 5, 3},
                              {3, 0, 5},
                              {5, 3, 0},
                              {1, 700, 600},
                              {2, 41, 1030},
                              {4, 130, 65},
                              {7, 33, 17},
                              {31, 100, 49},
                              {33, 257, 130},
                              {50, 402, 64},
                              {97, 70, 50},
                              {100, 70, 4},
                              {300, 33, 1}},
                             {range::all, range::lowest, range::highest, range::extremes});
  check_layouts<Left, Right>({{5, 8450, 33}, {100, 61, 600}}, {range::extremes});
}

/// Results of threads, which share calls, are those of one.
template <int M, int K, int N>
void check_threads_of() {
  const executors::fed<"x", std::uint8_t, M, K> x;
  const executors::fed<"y", std::int8_t, M, K> y;
  const executors::fed<"w", std::int8_t, K, N> w;
  const executors::fed<"wt", std::int8_t, N, K> wt;
  CAPTURE(M);
  CAPTURE(K);
  CAPTURE(N);
  CHECK(executors::shared(matmul(wide(x.slot), wide(w.slot)), x(), w()) >= 1);
  CHECK(executors::shared(matmul(wide(y.slot), transpose(wide(wt.slot))), y(), wt()) >= 1);
}

}  // namespace

TEST_CASE("law: products of int8 and uint8 are exact, in every layout") {
  check_all<std::uint8_t, std::int8_t>();
  check_all<std::int8_t, std::int8_t>();
  check_all<std::int8_t, std::uint8_t>();
  check_all<std::uint8_t, std::uint8_t>();
}

TEST_CASE("law: sums of products of bytes do not saturate, and beyond int32 are what they are modulo 2^32") {
  constexpr placeholder<"a", std::int8_t, any<"m">, any<"k">> a;
  constexpr placeholder<"b", std::int8_t, any<"n">, any<"k">> b;
  constexpr placeholder<"u", std::uint8_t, any<"m">, any<"k">> u;
  constexpr placeholder<"v", std::uint8_t, any<"n">, any<"k">> v;
  constexpr auto ab = matmul(wide(a), transpose(wide(b)));
  constexpr auto ub = matmul(wide(u), transpose(wide(b)));
  constexpr auto av = matmul(wide(a), transpose(wide(v)));
  constexpr auto uv = matmul(wide(u), transpose(wide(v)));
  constexpr placeholder<"vt", std::uint8_t, any<"k">, any<"n">> vt;
  constexpr placeholder<"bt", std::int8_t, any<"k">, any<"n">> bt;
  constexpr auto uvt = matmul(wide(u), wide(vt));
  constexpr auto ubt = matmul(wide(u), wide(bt));
  session s(ab, ub, av, uv, uvt, ubt);
  for (const std::size_t depth : {std::size_t{2}, std::size_t{100000}, std::size_t{140003}})
    for (const std::size_t m : {std::size_t{1}, std::size_t{9}, std::size_t{70}}) {
      const std::size_t n = 5;
      const array<std::int8_t> low = -128 * xt::ones<std::int8_t>({m, depth}),
                               low_columns = -128 * xt::ones<std::int8_t>({n, depth});
      const array<std::uint8_t> high = 255 * xt::ones<std::uint8_t>({m, depth}),
                                high_columns = 255 * xt::ones<std::uint8_t>({n, depth});
      const auto count = static_cast<std::int64_t>(depth);
      const auto all_are = [&](const array<std::int32_t>& c, std::int64_t each) {
        bool are = c.shape()[0] == m && c.shape()[1] == n;
        for (const std::int32_t x : c) are = are && x == modulo(each * count);
        return are;
      };
      CHECK(all_are(s.run(ab, a = low, b = low_columns), 128 * 128));
      CHECK(all_are(s.run(ub, u = high, b = low_columns), -255 * 128));
      CHECK(all_are(s.run(av, a = low, v = high_columns), -128 * 255));
      CHECK(all_are(s.run(uv, u = high, v = high_columns), 255 * 255));
      const array<std::uint8_t> high_rows = xt::transpose(high_columns);
      const array<std::int8_t> low_rows = xt::transpose(low_columns);
      CHECK(all_are(s.run(uvt, u = high, vt = high_rows), 255 * 255));
      CHECK(all_are(s.run(ubt, u = high, bt = low_rows), -255 * 128));
    }
}

TEST_CASE("law: what follows a product of bytes is its epilogue: dequantised, biased, clipped") {
  constexpr placeholder<"x", std::uint8_t, any<"m">, 77> x;
  constexpr placeholder<"w", std::int8_t, 50, 77> w;
  constexpr placeholder<"scale", float, 50> scale;
  constexpr placeholder<"bias", float, 50> bias;
  constexpr placeholder<"offset", std::int32_t, 50> offset;
  constexpr auto sums = matmul(wide(x), transpose(wide(w)));
  constexpr auto z = relu(astype<float>(sums - offset) * scale + bias);
  static_assert(plan_of(z, x, w, scale, bias, offset).kernel_count == 1);
  static_assert(plan_of(z, sums, x, w, scale, bias, offset).kernel_count == 1);
  constexpr auto next = astype<std::int8_t>(minimum(z, 127_c));
  session s(z, sums, next);
  for (const std::size_t m : {1u, 4u, 40u, 100u}) {
    const auto vx = bytes<std::uint8_t, 2>({m, 77}, range::all, 1);
    const auto vw = bytes<std::int8_t, 2>({50, 77}, range::all, 2);
    xt::xtensor<float, 1> vscale = xt::zeros<float>({50}), vbias = vscale;
    xt::xtensor<std::int32_t, 1> voffset = xt::zeros<std::int32_t>({50});
    for (std::size_t j = 0; j < 50; ++j) {
      vscale(j) = 1.0f / static_cast<float>(1 << (j % 9 + 3));  // exact
      vbias(j) = static_cast<float>(j) - 20;
      voffset(j) = 1000 * static_cast<std::int32_t>(j) - 25000;
    }
    const auto [got, both, narrow] = s.run(z, sums, next, x = vx, w = vw, scale = vscale, bias = vbias, offset = voffset);
    const array<std::int32_t> dots = product(m, 50, 77, vx, [&](std::size_t p, std::size_t j) { return vw(j, p); });
    CHECK(both == dots);
    int wrong = 0;
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < 50; ++j) {
        const float expected = std::max(static_cast<float>(dots(i, j) - voffset(j)) * vscale(j) + vbias(j), 0.0f);
        wrong += got(i, j) == expected && narrow(i, j) == static_cast<std::int8_t>(std::min(expected, 127.0f)) ? 0 : 1;
      }
    CHECK(wrong == 0);
    CHECK(reference::run(z, x = vx, w = vw, scale = vscale, bias = vbias, offset = voffset) == got);
  }
}

TEST_CASE("law: layers of bytes, of which each quantises what the next multiplies") {
  constexpr placeholder<"x", std::uint8_t, any<"batch">, 60> x;
  constexpr placeholder<"first", std::int8_t, 130, 60> first;
  constexpr placeholder<"second", std::int8_t, 130, 20> second;
  constexpr auto hidden =
      astype<std::uint8_t>(minimum(relu(astype<float>(matmul(wide(x), transpose(wide(first)))) * literal<0.0009765625>), 255_c));
  constexpr auto last = matmul(wide(hidden), wide(second));
  static_assert(plan_of(last, x, first, second).kernel_count == 3);
  session s(last);
  const auto vfirst = bytes<std::int8_t, 2>({130, 60}, range::all, 2);
  const auto vsecond = bytes<std::int8_t, 2>({130, 20}, range::all, 3);
  for (const std::size_t batch : {1u, 3u, 30u}) {
    const auto vx = bytes<std::uint8_t, 2>({batch, 60}, range::all, 1);
    const array<std::int32_t> sums = product(batch, 130, 60, vx, [&](std::size_t p, std::size_t j) { return vfirst(j, p); });
    const auto vhidden = [&](std::size_t i, std::size_t p) { return std::clamp(sums(i, p) / 1024, 0, 255); };
    CHECK(s.run(last, x = vx, first = vfirst, second = vsecond) == product(batch, 20, 130, vhidden, vsecond));
    CHECK(reference::run(last, x = vx, first = vfirst, second = vsecond) == product(batch, 20, 130, vhidden, vsecond));
  }
}

TEST_CASE("law: stacks, slices and vectors of bytes") {
  constexpr placeholder<"x", std::int8_t, 3, 20, 90> x;
  constexpr placeholder<"w", std::uint8_t, 3, 90, 40> w;
  constexpr placeholder<"one", std::int8_t, 100, 90> one;
  constexpr auto part = slice(x, section<>, section<2, 20, 3>, section<5, 86>);
  constexpr auto stacked = matmul(wide(part), wide(slice(w, section<>, section<5, 86>, section<1, 40, 2>)));
  constexpr auto shared = matmul(wide(part), transpose(wide(slice(one, section<>, section<9, 90>))));
  constexpr auto flipped = matmul(wide(flip(part, axis<2>)), wide(slice(w, section<2, 3>, section<5, 86>)));
  constexpr auto vector = matmul(wide(slice(x, section<1, 2>, section<3, 4>)), wide(slice(one, section<0, 90>)));
  constexpr auto column = matmul(wide(x), wide(slice(w, section<>, section<>, section<7, 8>)));
  static_assert(plan_of(stacked, x, w).kernel_count == 1);
  static_assert(plan_of(shared, x, one).kernel_count == 1);
  static_assert(plan_of(flipped, x, w).kernel_count == 1);
  const auto vx = bytes<std::int8_t, 3>({3, 20, 90}, range::all, 1);
  const auto vw = bytes<std::uint8_t, 3>({3, 90, 40}, range::all, 2);
  const auto vone = bytes<std::int8_t, 2>({100, 90}, range::all, 3);
  session s(stacked, shared, flipped, vector, column);
  const auto [a, b, c, d, e] = s.run(stacked, shared, flipped, vector, column, x = vx, w = vw, one = vone);
  int wrong = 0;
  for (std::size_t t = 0; t < 3; ++t) {
    const auto left = [&](std::size_t i, std::size_t p) { return vx(t, 2 + 3 * i, 5 + p); };
    const auto pa = product(6, 20, 81, left, [&](std::size_t p, std::size_t j) { return vw(t, 5 + p, 1 + 2 * j); });
    const auto pb = product(6, 100, 81, left, [&](std::size_t p, std::size_t j) { return vone(j, 9 + p); });
    const auto pc = product(
        6, 40, 81, [&](std::size_t i, std::size_t p) { return left(i, 80 - p); },
        [&](std::size_t p, std::size_t j) { return vw(2, 5 + p, j); });
    const auto pe = product(
        20, 1, 90, [&](std::size_t i, std::size_t p) { return vx(t, i, p); },
        [&](std::size_t p, std::size_t) { return vw(t, p, 7); });
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 20; ++j) wrong += a(t, i, j) == pa(i, j) ? 0 : 1;
      for (std::size_t j = 0; j < 100; ++j) wrong += b(t, i, j) == pb(i, j) ? 0 : 1;
      for (std::size_t j = 0; j < 40; ++j) wrong += c(t, i, j) == pc(i, j) ? 0 : 1;
    }
    for (std::size_t i = 0; i < 20; ++i) wrong += e(t, i, 0) == pe(i, 0) ? 0 : 1;
  }
  const auto pd = product(
      1, 90, 90, [&](std::size_t, std::size_t p) { return vx(1, 3, p); }, [&](std::size_t p, std::size_t j) { return vone(p, j); });
  for (std::size_t j = 0; j < 90; ++j) wrong += d.data()[j] == pd(0, j) ? 0 : 1;
  CHECK(wrong == 0);
}

TEST_CASE("law: threads share products of bytes, and give what one gives") {
  check_threads_of<1, 300, 401>();
  check_threads_of<3, 100, 257>();
  check_threads_of<50, 300, 128>();
  check_threads_of<101, 333, 117>();
  check_threads_of<97, 64, 1023>();
  check_threads_of<800, 77, 33>();
  check_threads_of<10, 8500, 140>();
  check_threads_of<1000, 40, 3>();
}

TEST_CASE("law: long sums of bytes have a workspace, though blocks of more terms may be less deep") {
  constexpr placeholder<"x", std::uint8_t, 64, 5100> x;
  constexpr placeholder<"y", std::int8_t, 5100, 410> y;
  constexpr auto sums = matmul(astype<std::int32_t>(x), astype<std::int32_t>(y));
  session s(sums);
  array<std::uint8_t> rows = xt::zeros<std::uint8_t>({64, 5100});
  for (std::size_t i = 0; i < 64; ++i)
    for (std::size_t p = 0; p < 5100; ++p) rows(i, p) = static_cast<std::uint8_t>(i);
  const auto columns = bytes<std::int8_t, 2>({5100, 410}, range::all, 1);
  const array<std::int32_t> r = s.run(sums, x = rows, y = columns);
  int wrong = 0;
  for (std::size_t j = 0; j < 410; ++j) {
    std::int32_t total = 0;
    for (std::size_t p = 0; p < 5100; ++p) total += columns(p, j);
    for (std::size_t i = 0; i < 64; ++i) wrong += r(i, j) == static_cast<std::int32_t>(i) * total ? 0 : 1;
  }
  CHECK(wrong == 0);
  for (const cpu::index in_word : {2, 4})
    for (cpu::index k = 1; k < 20'000; k += 7)
      for (const cpu::index n : {1, 100, 149, 410, 1000})
        if (cpu::narrow_matmul_workspace(96, n, k, in_word) <
            cpu::matmul_detail::blocked_workspace<float>(96, n, cpu::matmul_detail::divide_up(k, in_word), true, true, true))
          ++wrong;
  CHECK(wrong == 0);
}

TEST_CASE("which products read bytes, and casts that several products share") {
  constexpr placeholder<"x", std::int8_t, 40, 40> x;
  constexpr placeholder<"y", std::uint8_t, 40, 40> y;
  constexpr placeholder<"short", std::int16_t, 40, 40> shorts;
  constexpr placeholder<"int", std::int32_t, 40, 40> ints;
  constexpr auto first = matmul(wide(x), wide(y));
  constexpr auto second = matmul(wide(y), wide(x));
  static_assert(plan_of(first, second, x, y).kernel_count == 2);
  static_assert(plan_of(first, wide(x), x, y).kernel_count == 2);
  // One of which is no cast of bytes, or not alone, is multiplied as int32, after steps that cast.
  static_assert(plan_of(matmul(wide(x), ints), x, ints).kernel_count == 2);
  static_assert(plan_of(matmul(wide(x), wide(shorts)), x, shorts).kernel_count == 3);
  static_assert(plan_of(matmul(wide(x) - 3_c, wide(y)), x, y).kernel_count == 3);
  static_assert(plan_of(matmul(astype<std::int64_t>(x), astype<std::int64_t>(y)), x, y).kernel_count == 3);
  CHECK(to_text(plan_of(astype<float>(first), x, y)) == "0 contraction [40, 40 x 40] widening_matmul cast : x y -> fetch0\n");
  session s(matmul(wide(x), ints), first, wide(x), matmul(wide(x) - 3_c, wide(y)));
  const auto vx = bytes<std::int8_t, 2>({40, 40}, range::all, 1);
  const auto vy = bytes<std::uint8_t, 2>({40, 40}, range::all, 2);
  const array<std::int32_t> vints = xt::cast<std::int32_t>(vx) * 100000;
  const auto [a, b, c, d] =
      s.run(matmul(wide(x), ints), first, wide(x), matmul(wide(x) - 3_c, wide(y)), x = vx, y = vy, ints = vints);
  CHECK(a == product(40, 40, 40, vx, vints));
  CHECK(b == product(40, 40, 40, vx, vy));
  CHECK(c == array<std::int32_t>(xt::cast<std::int32_t>(vx)));
  CHECK(d == product(40, 40, 40, [&](std::size_t i, std::size_t p) { return vx(i, p) - 3; }, vy));
}
