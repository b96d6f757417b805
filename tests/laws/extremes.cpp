// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <limits>
#include <random>
#include <string>

#include <etch/etch.hpp>

/// argmax and argmin against the definition: the first NaN, else the first of equal ones.
namespace {

template <class T>
bool beats(bool largest, T a, T b) {
  return largest ? a > b : a < b;
}

/// Of n elements, `step` apart.
template <class T>
std::int64_t place(bool largest, const T* x, std::int64_t n, std::int64_t step) {
  std::int64_t best = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    if (x[i * step] != x[i * step]) return i;
    if (beats(largest, x[i * step], x[best * step])) best = i;
  }
  return best;
}

/// Few values, so that there are equal ones; zeros of both signs; with `nans`, some of those.
template <class T>
void fill(T* to, std::size_t n, int range, bool nans, unsigned seed) {
  std::mt19937 g(seed);
  for (std::size_t i = 0; i < n; ++i) {
    const int value = std::uniform_int_distribution<int>(-range, range)(g);
    to[i] = std::is_unsigned_v<T> ? static_cast<T>(value + range) : static_cast<T>(value);
    if constexpr (std::is_floating_point_v<T>) {
      if (value == 0 && g() % 2 == 0) to[i] = -to[i];
      if (nans && g() % 64 == 0) to[i] = std::numeric_limits<T>::quiet_NaN();
      if (g() % 50 == 0) to[i] = g() % 2 == 0 ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
    }
  }
}

template <class T, int A, int B, int C>
void check() {
  static constexpr etch::placeholder<"x", T, A, B, C> x;
  etch::session s(etch::argmax(x, etch::axis<0>), etch::argmax(x, etch::axis<1>), etch::argmax(x, etch::axis<2>),
                  etch::argmin(x, etch::axis<0>), etch::argmin(x, etch::axis<1>), etch::argmin(x, etch::axis<2>),
                  etch::argmax(etch::transpose(x), etch::axis<0>), etch::argmin(etch::transpose(x), etch::axis<2>),
                  etch::argmax(x));
  xt::xtensor<T, 3> xs = xt::zeros<T>({A, B, C});
  CAPTURE(std::string(typeid(T).name()));
  CAPTURE(A);
  CAPTURE(B);
  CAPTURE(C);
  for (const bool nans : {false, true})
    for (const int range : {1, 50}) {
      fill(xs.data(), xs.size(), range, nans, static_cast<unsigned>(A + B + C + range));
      const auto [m0, m1, m2, n0, n1, n2, t0, t2, all] =
          s.run(etch::argmax(x, etch::axis<0>), etch::argmax(x, etch::axis<1>), etch::argmax(x, etch::axis<2>),
                etch::argmin(x, etch::axis<0>), etch::argmin(x, etch::axis<1>), etch::argmin(x, etch::axis<2>),
                etch::argmax(etch::transpose(x), etch::axis<0>), etch::argmin(etch::transpose(x), etch::axis<2>), etch::argmax(x),
                x = xs);
      int wrong = 0;
      const T* const at = xs.data();
      for (int b = 0; b < B; ++b)
        for (int c = 0; c < C; ++c) {
          wrong += m0(b, c) == place(true, at + b * C + c, A, B * C) ? 0 : 1;
          wrong += n0(b, c) == place(false, at + b * C + c, A, B * C) ? 0 : 1;
          wrong += t2(c, b) == n0(b, c) ? 0 : 1;
        }
      for (int a = 0; a < A; ++a)
        for (int c = 0; c < C; ++c) {
          wrong += m1(a, c) == place(true, at + a * B * C + c, B, C) ? 0 : 1;
          wrong += n1(a, c) == place(false, at + a * B * C + c, B, C) ? 0 : 1;
        }
      for (int a = 0; a < A; ++a)
        for (int b = 0; b < B; ++b) {
          wrong += m2(a, b) == place(true, at + (a * B + b) * C, C, 1) ? 0 : 1;
          wrong += n2(a, b) == place(false, at + (a * B + b) * C, C, 1) ? 0 : 1;
          wrong += t0(b, a) == m2(a, b) ? 0 : 1;
        }
      wrong += all == place(true, at, A * B * C, 1) ? 0 : 1;
      CHECK(wrong == 0);
    }
}

template <class T>
void check_shapes() {
  check<T, 3, 5, 7>();
  check<T, 70, 1, 67>();
  check<T, 2, 71, 8>();
  check<T, 150, 4, 3>();
  check<T, 5, 33, 130>();
  check<T, 1, 1, 5000>();
  check<T, 4100, 2, 1>();
}

}  // namespace

TEST_SUITE("extremes") {
  TEST_CASE("of float") { check_shapes<float>(); }
  TEST_CASE("of double") { check_shapes<double>(); }
  TEST_CASE("of integers") {
    check_shapes<std::int32_t>();
    check<std::int64_t, 3, 33, 40>();
    check<std::uint8_t, 3, 33, 70>();
    check<std::uint32_t, 33, 3, 70>();
  }
}
