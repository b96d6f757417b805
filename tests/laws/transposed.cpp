// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include <etch/etch.hpp>

/// Elementwise ops of transposed operands, whose tiles are transposed on the way, against plain loops.
namespace {

using namespace etch::literals;

template <class T, std::size_t N>
void number(xt::xtensor<T, N>& x) {
  unsigned g = 7;
  for (T& e : x) {
    g = g * 1664525u + 1013904223u;
    e = std::is_same_v<T, bool> ? static_cast<T>(g >> 31) : static_cast<T>((g >> 8) % 113);
  }
}

template <class T>
bool equal(T a, T b) {
  return a == b || (a != a && b != b);
}

/// Of an array of two axes: its transpose, beside what is not transposed, in one kernel and in results of two dtypes.
template <class T, class U, int M, int N>
void check_matrix() {
  static constexpr etch::placeholder<"x", T, M, N> x;
  static constexpr etch::placeholder<"y", U, N, M> y;
  static constexpr etch::placeholder<"r", U, M> r;
  CAPTURE(std::string(typeid(T).name()));
  CAPTURE(M);
  CAPTURE(N);
  xt::xtensor<T, 2> xs = xt::zeros<T>({M, N});
  xt::xtensor<U, 2> ys = xt::zeros<U>({N, M});
  xt::xtensor<U, 1> rs = xt::zeros<U>({M});
  number(xs);
  number(ys);
  number(rs);
  if constexpr (std::is_floating_point_v<T>) xs(M - 1, N / 2) = std::numeric_limits<T>::quiet_NaN();
  const auto t = etch::transpose(x);
  const auto sum = etch::astype<U>(t) * 2_c + y - r;
  etch::session s(t, sum);
  const auto [ts, sums] = s.run(t, sum, x = xs, y = ys, r = rs);
  int wrong = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) {
      wrong += equal<T>(ts(i, j), xs(j, i)) ? 0 : 1;
      wrong += equal<U>(sums(i, j), static_cast<U>(static_cast<U>(xs(j, i)) * U(2) + ys(i, j) - rs(j))) ? 0 : 1;
    }
  CHECK(wrong == 0);
}

/// So large that results are written by non-temporal stores, where all rows of them begin at the same place within a vector.
template <int M, int N>
void check_large() {
  static_assert(8 * M * N >= etch::cpu::least_streamed_bytes);
  static constexpr etch::placeholder<"x", float, M, N> x;
  static constexpr etch::placeholder<"r", float, M> r;
  CAPTURE(M);
  xt::xtensor<float, 2> xs = xt::zeros<float>({M, N});
  xt::xtensor<float, 1> rs = xt::zeros<float>({M});
  number(xs);
  number(rs);
  const auto e = etch::transpose(x) - r;
  etch::session s(e);
  const auto got = s.run(e, x = xs, r = rs);
  int wrong = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) wrong += got(i, j) == xs(j, i) - rs(j) ? 0 : 1;
  CHECK(wrong == 0);
}

template <class T, int A, int B, int C, int D>
void check_axes() {
  static constexpr etch::placeholder<"x", T, A, B, C, D> x;
  xt::xtensor<T, 4> xs = xt::zeros<T>({A, B, C, D});
  number(xs);
  CAPTURE(A);
  CAPTURE(B);
  const auto back = etch::transpose(x);                                   // (D, C, B, A)
  const auto channels_last = etch::transpose(x, etch::axis<0, 2, 3, 1>);  // (A, C, D, B)
  const auto both = etch::transpose(x, etch::axis<0, 3, 2, 1>) + etch::transpose(x, etch::axis<0, 3, 2, 1>) * 3_c;
  etch::session s(back + 1_c, channels_last + 1_c, both);
  const auto [b, l, a] = s.run(back + 1_c, channels_last + 1_c, both, x = xs);
  int wrong = 0;
  for (int i = 0; i < A; ++i)
    for (int j = 0; j < B; ++j)
      for (int k = 0; k < C; ++k)
        for (int m = 0; m < D; ++m) {
          const T e = xs(i, j, k, m);
          wrong += b(m, k, j, i) == e + 1 ? 0 : 1;
          wrong += l(i, k, m, j) == e + 1 ? 0 : 1;
          wrong += a(i, m, k, j) == 4 * e ? 0 : 1;
        }
  CHECK(wrong == 0);
}

}  // namespace

TEST_SUITE("transposed") {
  TEST_CASE("matrices with edges of all kinds") {
    check_matrix<float, float, 64, 32>();
    check_matrix<float, float, 131, 67>();
    check_matrix<float, float, 3, 700>();
    check_matrix<float, float, 700, 3>();
    check_matrix<float, float, 1, 2000>();
    check_matrix<float, float, 2000, 1>();
    check_matrix<float, float, 37, 260>();
    check_matrix<float, float, 70, 512>();
    check_matrix<double, double, 131, 67>();
    check_matrix<std::int32_t, std::int32_t, 66, 130>();
    check_matrix<std::int32_t, float, 66, 35>();
    check_matrix<std::uint8_t, float, 70, 135>();
    check_matrix<float, double, 70, 135>();
    check_matrix<std::int64_t, std::int64_t, 33, 65>();
    check_matrix<bool, float, 70, 65>();
  }

  TEST_CASE("interleaved elements, as of pixels, as rows of their own") {
    check_matrix<float, float, 1031, 2>();
    check_matrix<float, float, 1031, 3>();
    check_matrix<float, float, 531, 4>();
    check_matrix<std::int32_t, float, 512, 3>();
    check_matrix<double, double, 600, 3>();
    check_matrix<std::uint8_t, float, 1031, 2>();
    check_matrix<std::uint8_t, float, 1031, 3>();
    check_matrix<std::uint8_t, std::int32_t, 1000, 4>();
    check_matrix<std::int8_t, float, 513, 3>();
    check_matrix<bool, float, 700, 3>();
    check_axes<float, 3, 40, 30, 3>();
  }

  TEST_CASE("large ones") {
    check_large<2048, 2050>();
    check_large<2000, 2099>();
    check_large<2047, 2051>();
  }

  TEST_CASE("four axes in other orders") {
    check_axes<float, 3, 17, 5, 9>();
    check_axes<float, 2, 64, 8, 8>();
    check_axes<float, 40, 3, 2, 33>();
    check_axes<double, 3, 17, 5, 9>();
    check_axes<std::int32_t, 1, 30, 1, 70>();
  }

  TEST_CASE("a named extent") {
    static constexpr etch::placeholder<"x", float, etch::any<"n">, 40> x;
    const auto t = etch::exp(etch::transpose(x));
    etch::session s(t);
    for (const int n : {0, 1, 3, 4, 30, 31, 32, 33, 64, 100}) {
      xt::xtensor<float, 2> xs = xt::zeros<float>({static_cast<std::size_t>(n), std::size_t{40}});
      number(xs);
      xs = xs / 20;
      const auto got = s.run(t, x = xs);
      int wrong = 0;
      for (int i = 0; i < 40; ++i)
        for (int j = 0; j < n; ++j) wrong += std::abs(got(i, j) - std::exp(xs(j, i))) <= 1e-5f * got(i, j) ? 0 : 1;
      CHECK(wrong == 0);
    }
  }

  TEST_CASE("a variable that takes its own transpose") {
    constexpr auto w = etch::variable<"w">(etch::zeros<float>(etch::shape<70, 70>{}));
    const auto turn = etch::assign(w, etch::transpose(w) + 1_c);
    etch::session s(w, turn);
    s.initialize();
    xt::xtensor<float, 2> ws = xt::zeros<float>({70, 70});
    number(ws);
    s.set(w, ws);
    s.run(turn);
    const auto got = s.get(w);
    int wrong = 0;
    for (std::size_t i = 0; i < 70; ++i)
      for (std::size_t j = 0; j < 70; ++j) wrong += got(i, j) == ws(j, i) + 1 ? 0 : 1;
    CHECK(wrong == 0);
  }

  TEST_CASE("many transposed operands, whose tiles are lower") {
    static constexpr etch::placeholder<"a", double, 50, 70> a;
    static constexpr etch::placeholder<"b", double, 50, 70> b;
    static constexpr etch::placeholder<"c", double, 50, 70> c;
    static constexpr etch::placeholder<"d", double, 50, 70> d;
    static constexpr etch::placeholder<"e", double, 50, 70> e;
    const auto y = etch::transpose(a) + etch::transpose(b) * etch::transpose(c) - etch::transpose(d) * etch::transpose(e);
    xt::xtensor<double, 2> v[5];
    for (int k = 0; k < 5; ++k) {
      v[k] = xt::zeros<double>({50, 70});
      number(v[k]);
      v[k] = v[k] + k;
    }
    etch::session s(y);
    const auto got = s.run(y, a = v[0], b = v[1], c = v[2], d = v[3], e = v[4]);
    int wrong = 0;
    for (std::size_t i = 0; i < 70; ++i)
      for (std::size_t j = 0; j < 50; ++j)
        wrong += got(i, j) == v[0](j, i) + v[1](j, i) * v[2](j, i) - v[3](j, i) * v[4](j, i) ? 0 : 1;
    CHECK(wrong == 0);
  }
}
