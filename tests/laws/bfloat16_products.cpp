// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include "../session/executors.hpp"

/// Products of float32 whose operands are bfloat16 in memory: against sums in double, and exact where all sums are.
namespace {

using namespace etch;
using namespace etch::literals;

using array = xt::xtensor<float, 2>;
using stored = xt::xtensor<bfloat16, 2>;

stored numbers(std::size_t rows, std::size_t columns, bool whole, unsigned seed) {
  stored x({rows, columns});
  std::mt19937 generator(seed);
  for (bfloat16& v : x)
    v = whole ? bfloat16(static_cast<int>(generator() % 17) - 8) : bfloat16(static_cast<float>(generator() % 20001) / 1e4f - 1);
  return x;
}

/// Sums of a(i, p) * b(p, j) in double, and of their sizes.
template <class A, class B>
void add_products(std::size_t m, std::size_t k, std::size_t n, const A& a, const B& b, xt::xtensor<double, 2>& sums,
                  xt::xtensor<double, 2>& sizes) {
  sums = xt::zeros<double>({m, n});
  sizes = sums;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t p = 0; p < k; ++p)
      for (std::size_t j = 0; j < n; ++j) {
        const double part = static_cast<double>(float(a(i, p))) * static_cast<double>(float(b(p, j)));
        sums(i, j) += part;
        sizes(i, j) += std::abs(part);
      }
}
/// Whether each is that sum but for the roundings of k additions.
bool close(const array& got, const xt::xtensor<double, 2>& sums, const xt::xtensor<double, 2>& sizes, std::size_t k) {
  bool right = got.shape() == sums.shape();
  for (std::size_t i = 0; right && i < got.size(); ++i)
    right = std::abs(got.data()[i] - sums.data()[i]) <= sizes.data()[i] * static_cast<double>(k) * 0x1p-24;
  return right;
}

constexpr placeholder<"a", bfloat16, any<"m">, any<"k">> a;
constexpr placeholder<"b", bfloat16, any<"k">, any<"n">> b;
constexpr placeholder<"left", float, any<"m">, any<"k">> left;
constexpr placeholder<"right", float, any<"k">, any<"n">> right;
constexpr placeholder<"residual", bfloat16, any<"m">, any<"n">> residual;
constexpr auto both = matmul(astype<float>(a), astype<float>(b));

}  // namespace

TEST_CASE("law: products of bfloat16 in memory are the sums of their products in float32") {
  constexpr auto by_left = matmul(astype<float>(a), right);
  constexpr auto by_right = matmul(left, astype<float>(b));
  constexpr auto behind = astype<bfloat16>(relu(both + astype<float>(residual)));
  static_assert(plan_of(both, a, b).kernel_count == 1);
  static_assert(plan_of(by_left, a, right).kernel_count == 1);
  static_assert(plan_of(by_right, left, b).kernel_count == 1);
  static_assert(plan_of(behind, a, b, residual).kernel_count == 1);
  session s(both, by_left, by_right, behind);
  for (const auto [m, k, n] : std::initializer_list<std::array<std::size_t, 3>>{{1, 1, 1},
                                                                                {0, 5, 3},
                                                                                {3, 0, 5},
                                                                                {5, 3, 0},
                                                                                {1, 2, 1},
                                                                                {2, 3, 33},
                                                                                {1, 701, 600},
                                                                                {2, 40, 1030},
                                                                                {7, 33, 17},
                                                                                {31, 100, 49},
                                                                                {33, 257, 530},
                                                                                {97, 2101, 50},
                                                                                {100, 70, 4},
                                                                                {800, 33, 1}})
    for (const bool whole : {false, true}) {
      CAPTURE(m);
      CAPTURE(k);
      CAPTURE(n);
      const stored va = numbers(m, k, whole, 1), vb = numbers(k, n, whole, 2), beside = numbers(m, n, whole, 3);
      const array fa = xt::cast<float>(va), fb = xt::cast<float>(vb);
      xt::xtensor<double, 2> sums, sizes;
      add_products(m, k, n, va, vb, sums, sizes);
      const array got = s.run(both, a = va, b = vb);
      CHECK(close(got, sums, sizes, k));
      CHECK(close(s.run(by_left, a = va, right = fb), sums, sizes, k));
      CHECK(close(s.run(by_right, left = fa, b = vb), sums, sizes, k));
      if (whole) CHECK(std::equal(got.begin(), got.end(), sums.begin()));
      const stored last = s.run(behind, a = va, b = vb, residual = beside);
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) CHECK(last(i, j).bits == bfloat16(std::max(got(i, j) + float(beside(i, j)), 0.f)).bits);
      // Shared, to the last bit the same.
      for (const int workers : {2, 3, 7}) {
        executors::backwards threads(workers);
        s.set_executor(&threads);
        const array shared = s.run(both, a = va, b = vb);
        s.set_executor(nullptr);
        CHECK(std::equal(shared.begin(), shared.end(), got.begin(), got.end()));
      }
    }
}

TEST_CASE("law: views and stacks of bfloat16 in products") {
  constexpr placeholder<"x", bfloat16, 3, 20, 80> x;
  constexpr placeholder<"w", bfloat16, 2, 80, 120> w;
  constexpr placeholder<"v", bfloat16, 120> v;
  constexpr auto part = reshape(slice(w, section<1, 2>, section<>, section<10, 110>), shape<80, 100>{});
  constexpr auto stacked = matmul(astype<float>(x), astype<float>(part));
  constexpr auto turned = matmul(astype<float>(transpose(part)), astype<float>(transpose(reshape(x, shape<60, 80>{}))));
  constexpr auto by_vector = matmul(astype<float>(w), astype<float>(v));
  session s(stacked, turned, by_vector);
  const stored vx = numbers(60, 80, true, 1), vw = numbers(160, 120, true, 2), vv = numbers(1, 120, true, 3);
  const auto [p, q, r] =
      s.run(stacked, turned, by_vector, x = std::span<const bfloat16>(vx.data(), vx.size()),
            w = std::span<const bfloat16>(vw.data(), vw.size()), v = std::span<const bfloat16>(vv.data(), vv.size()));
  int wrong = 0;
  for (std::size_t i = 0; i < 60; ++i)
    for (std::size_t j = 0; j < 100; ++j) {
      float total = 0;
      for (std::size_t k = 0; k < 80; ++k) total += float(vx(i, k)) * float(vw(80 + k, 10 + j));
      wrong += p(i / 20, i % 20, j) != total || q(j, i) != total;
    }
  for (std::size_t i = 0; i < 160; ++i) {
    float total = 0;
    for (std::size_t k = 0; k < 120; ++k) total += float(vw(i, k)) * float(vv(0, k));
    wrong += r(i / 80, i % 80) != total;
  }
  CHECK(wrong == 0);
}

TEST_CASE("law: infinities and NaN of bfloat16 operands stay in their rows and columns") {
  session s(both);
  stored va = numbers(70, 90, true, 1), vb = numbers(90, 110, true, 2);
  for (std::size_t p = 0; p < 90; ++p)
    if (float(vb(p, 5)) == 0) vb(p, 5) = bfloat16(1);
  va(69, 89) = std::numeric_limits<bfloat16>::quiet_NaN();
  va(3, 0) = std::numeric_limits<bfloat16>::infinity();
  const array got = s.run(both, a = va, b = vb);
  for (std::size_t i = 0; i < 70; ++i)
    for (std::size_t j = 0; j < 110; ++j) {
      float total = 0;
      for (std::size_t p = 0; p < 90; ++p) total += float(va(i, p)) * float(vb(p, j));
      CHECK((got(i, j) == total || (got(i, j) != got(i, j) && total != total)));
    }
}
