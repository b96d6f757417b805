// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <xtensor/xmanipulation.hpp>

#include "base/larger.hpp"
#include "compare.hpp"
#include "plain_product.hpp"

/// Products of one column whose extents are known, which run in registers along the sum where that fills one: what plain loops give, wherever the
/// operands lie, the same bits alone and in a plan of many steps; a NaN beside them is not theirs.
namespace {

using namespace etch;
using namespace etch::literals;

template <class T, int M, int K>
struct product {
  static constexpr placeholder<"a", T, M, K> a{};
  static constexpr placeholder<"at", T, K, M> at{};
  static constexpr placeholder<"b", T, K, 1> b{};
  static constexpr placeholder<"bt", T, 1, K> bt{};
  static constexpr placeholder<"wide", T, K, 3> wide{};
  static constexpr auto straight = matmul(a, b);
  static constexpr auto others =
      std::tuple(matmul(transpose(at), b), matmul(a, transpose(bt)), matmul(a, slice(wide, section<>, section<1, 2>)),
                 matmul(flip(a, axis<1>), flip(b, axis<0>)), matmul(a * 1_c, b) + 0_c);
};

/// Integers, so that sums are exact in any order, but for what `special` puts in their place.
template <class T, int M, int K>
void check() {
  using p = product<T, M, K>;
  constexpr auto m = static_cast<std::size_t>(M), k = static_cast<std::size_t>(K);
  const std::string what = std::to_string(M) + " by " + std::to_string(K);
  std::mt19937 generator(static_cast<unsigned>(100 * M + K));
  xt::xtensor<T, 2> a = laws::integers<T, 2>({m, k}, -9, 9, 3), b = laws::integers<T, 2>({k, 1}, -9, 9, 4);
  session s(p::straight, p::others);
  constexpr T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  for (const T special : {T(1), T(-0.0), infinity, nan}) {
    if (a.size() > 0) a.data()[generator() % a.size()] = special;
    // What lies between its elements is not read into the sums.
    xt::xtensor<T, 2> wide = xt::ones<T>({k, std::size_t{3}}) * nan;
    for (std::size_t i = 0; i < k; ++i) wide(i, 1) = b(i, 0);
    const xt::xtensor<T, 2> wanted = laws::plain_product(a, b), at = xt::transpose(a), bt = xt::transpose(b);
    const xt::xtensor<T, 2> alone = s.run(p::straight, p::a = a, p::b = b);
    laws::check_equal(std::tuple(alone), std::tuple(wanted), what);
    laws::check_equal(s.run(p::others, p::a = a, p::at = at, p::b = b, p::bt = bt, p::wide = wide),
                      std::tuple(wanted, wanted, wanted, wanted, wanted), what + ", other operands");
    laws::check_equal(std::tuple(reference::run(p::straight, p::a = a, p::b = b)), std::tuple(wanted), what + ", the reference");
  }
}

/// Fractions, whose sums depend on their order: alone, as one of many steps, and the same operands transposed.
template <class T, int K>
void check_bits() {
  using p = product<T, 2, K>;
  constexpr auto k = static_cast<std::size_t>(K);
  std::mt19937 generator(K);
  const auto a = laws::random_array<T>(generator, 2, K);
  const auto b = laws::random_array<T>(generator, K, 1);
  const xt::xtensor<T, 2> at = xt::transpose(a), bt = xt::transpose(b);
  xt::xtensor<T, 2> wide = xt::zeros<T>({k, std::size_t{3}});
  for (std::size_t i = 0; i < k; ++i) wide(i, 1) = b(i, 0);
  constexpr placeholder<"x", T, 2000> x;
  constexpr auto loss = sum(square(x) + etch::exp(x));
  session s(p::straight, p::others, loss);
  const xt::xtensor<T, 1> zeros = xt::zeros<T>({2000});
  const xt::xtensor<T, 2> alone = s.run(p::straight, p::a = a, p::b = b);
  const auto beside = s.run(p::straight, loss, p::a = a, p::b = b, x = zeros);
  const auto [left, right, between, turned, computed] =
      s.run(p::others, p::a = a, p::at = at, p::b = b, p::bt = bt, p::wide = wide);
  CHECK(std::get<0>(beside) == alone);
  CHECK(left == alone);
  CHECK(right == alone);
  CHECK(between == alone);
  CHECK(computed == alone);
  double exact = 0, size = 0;
  for (std::size_t i = 0; i < k; ++i) {
    exact += static_cast<double>(a(0, i)) * static_cast<double>(b(i, 0));
    size += std::abs(static_cast<double>(a(0, i)) * static_cast<double>(b(i, 0)));
  }
  const double bound = static_cast<double>(std::numeric_limits<T>::epsilon()) * K * size;
  CHECK(std::abs(static_cast<double>(alone(0, 0)) - exact) <= bound);
  CHECK(std::abs(static_cast<double>(turned(0, 0)) - exact) <= bound);
}

}  // namespace

TEST_CASE_TEMPLATE("law: products of one column are sums of products, wherever operands lie, with the same bits", T, float,
                   double) {
  check<T, 1, 3>();
  check<T, 1, 8>();
  check<T, 3, 9>();
  check<T, 1, 33>();
  check<T, 40, 100>();
  check<T, 1, 0>();
  check<T, 0, 9>();
  check<T, 1, 4096>();
  check_bits<T, 5>();
  check_bits<T, 7>();
  check_bits<T, 16>();
  check_bits<T, 31>();
  check_bits<T, 100>();
}
