// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <random>

#include <xtensor/xmanipulation.hpp>

#include <etch/etch.hpp>
#include <etch/thread_pool.hpp>

#include "plain_product.hpp"

/// Products whose result goes into the update of large variables: what plain loops give. All numbers are multiples of 1/4 below 2^22, so
/// that sums are exact in any order.
namespace {

using namespace etch::literals;

template <int M, int K, int N>
struct update {
  static constexpr auto w = etch::variable<"w">(etch::ones(etch::shape<M, N>{}));
  static constexpr auto m = etch::variable<"m">(etch::ones(etch::shape<M, N>{}));
  static constexpr auto v = etch::variable<"v">(etch::ones(etch::shape<M, N>{}));

  /// Two steps, by an expression of the product; on threads where there are some.
  template <class Product, class... Feeds>
  static void check(const Product& g, const xt::xtensor<float, 2>& of_product, etch::executor* threads, const Feeds&... feeds) {
    const auto moment = etch::assign(m, m * 0.5_c + g);
    const auto other = etch::assign(v, v * 0.5_c + g * 2_c);
    const auto step = etch::group(etch::assign(w, w - moment + etch::maximum(other, 0_c)), moment, other);
    etch::session s(step);
    s.set_executor(threads);
    s.initialize();
    for (int i = 0; i < 2; ++i) s.run(step, feeds...);
    const auto got = s.get(w), first = s.get(m), second = s.get(v);
    int wrong = 0;
    const float* const expected = of_product.data();
    for (std::size_t i = 0; i < of_product.size(); ++i) {
      const float once = 0.5f + expected[i], twice = 0.5f * once + expected[i];
      const float other_once = 0.5f + 2 * expected[i], other_twice = 0.5f * other_once + 2 * expected[i];
      const float result = 1 - once + std::max(other_once, 0.0f) - twice + std::max(other_twice, 0.0f);
      wrong += got.data()[i] != result || first.data()[i] != twice || second.data()[i] != other_twice;
    }
    CHECK_MESSAGE(wrong == 0, M << " x " << K << " x " << N);
  }
};

template <int M, int K, int N>
void check() {
  static constexpr etch::placeholder<"x", float, M, K> x;
  static constexpr etch::placeholder<"xt", float, K, M> xt;
  static constexpr etch::placeholder<"y", float, K, N> y;
  static constexpr etch::placeholder<"yt", float, N, K> yt;
  std::mt19937 generator(5);
  const auto number = [&] { return static_cast<float>(static_cast<int>(generator() % 7) - 3); };
  xt::xtensor<float, 2> vx = xt::zeros<float>({M, K}), vy = xt::zeros<float>({K, N});
  for (float& x_element : vx) x_element = number();
  for (float& y_element : vy) y_element = number();
  const xt::xtensor<float, 2> vxt = xt::transpose(vx), vyt = xt::transpose(vy), expected = laws::plain_product(vx, vy);
  etch::thread_pool three(3);
  for (etch::executor* threads : {static_cast<etch::executor*>(nullptr), static_cast<etch::executor*>(&three)}) {
    update<M, K, N>::check(etch::matmul(x, y), expected, threads, x = vx, y = vy);
    if (threads != nullptr && K > 2048) continue;  // seconds each, unless optimised; the other layouts are shared as this one
    update<M, K, N>::check(etch::matmul(etch::transpose(xt), y), expected, threads, xt = vxt, y = vy);
    update<M, K, N>::check(etch::matmul(x, etch::transpose(yt)), expected, threads, x = vx, yt = vyt);
  }
}

}  // namespace

TEST_CASE("law: a product that updates large variables is a sum of products") {
  check<600, 20, 523>();   // more than a block of rows and of columns, and parts of registers
  check<512, 33, 1024>();  // whole blocks
  check<2100, 5, 131>();
  check<530, 2060, 517>();  // sums in two parts
  check<90, 40, 3000>();    // fewer rows than a block
}
TEST_CASE("law: so is one of the least size for which rows wait, and of one less") {
  check<512, 17, 512>();
  check<511, 17, 512>();
}
