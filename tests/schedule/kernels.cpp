// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/etch.hpp>

/// Which steps of a plan share a kernel: those that a backend compiles the same code for, and no others.
namespace {

using namespace etch;
using namespace etch::literals;

template <int... E>
constexpr auto x = placeholder<"x" / digits<(0 + ... + E)>, float, E...>{};

/// How many kernels a plan of so many steps has.
template <int Steps, class... E>
constexpr int kernels(E...) {
  constexpr auto plan = plan_of(E{}...);
  using type = typename decltype(plan)::plan_type;
  static_assert(type::size.steps == Steps);
  return type::size.kernels;
}
template <class F, class... X>
constexpr int kernels_of(F f, X... x) {
  return kernels<sizeof...(X)>(f(x)..., x...);
}

TEST_CASE("maps share a kernel unless one has a single element, or tiles") {
  const auto f = [](auto a) { return etch::exp(a); };
  static_assert(kernels_of(f, x<40, 30>, x<64, 70>) == 1);
  static_assert(kernels_of(f, x<1, 1>, x<64, 70>) == 2);
  static_assert(kernels_of(f, x<40, 30>, x<4000, 3000>) == 2);  // non-temporal stores
  const auto turned = [](auto a) { return etch::exp(transpose(a)); };
  static_assert(kernels_of(turned, x<40, 30>, x<64, 70>) == 1);
  static_assert(kernels_of(turned, x<3, 5>, x<64, 70>) == 2);
}

TEST_CASE("sweeps share a kernel unless threads share the blocks of rows") {
  const auto f = [](auto a) { return sum(a, axis<1>); };
  static_assert(kernels_of(f, x<40, 300>, x<20, 70000>, x<3, 33>) == 1);
  static_assert(kernels_of(f, x<40, 300>, x<2, 70000>) == 2);
  static_assert(kernels_of([](auto a) { return argmax(a, axis<1>); }, x<40, 300>, x<20, 70000>, x<3, 33>) == 1);
}

TEST_CASE("kernels of their own are shared by all extents, but not by types") {
  static_assert(kernels_of([](auto a) { return argsort(a, axis<1>); }, x<1, 5>, x<64, 300>) == 1);
  constexpr placeholder<"d", double, 3, 4> d;
  static_assert(kernels_of([](auto a) { return argsort(a, axis<1>); }, x<1, 5>, d) == 2);
}

TEST_CASE("products share a kernel where the same can happen") {
  constexpr auto w = x<512, 300>;
  constexpr auto few = x<512, 3>;
  constexpr auto wt = x<301, 512>;
  static_assert(kernels<3>(matmul(x<7, 512>, w), matmul(x<40, 512>, w), matmul(x<64, 300>, x<300, 700>), x<7, 512>, x<40, 512>, w,
                           x<64, 300>, x<300, 700>) == 1);
  static_assert(kernels<2>(matmul(x<1, 512>, w), matmul(x<40, 512>, w), x<1, 512>, x<40, 512>, w) == 2);
  static_assert(kernels<2>(matmul(x<7, 512>, few), matmul(x<40, 512>, w), x<7, 512>, x<40, 512>, w, few) == 2);
  static_assert(kernels<2>(matmul(x<40, 512>, transpose(wt)), matmul(x<40, 512>, w), x<40, 512>, wt, w) == 2);
  constexpr placeholder<"open", float, any<"n">, 512> open;
  static_assert(kernels<2>(matmul(open, w), matmul(x<40, 512>, w), open, x<40, 512>, w) == 2);
  // Straight-line code is made for extents.
  static_assert(kernels<2>(matmul(x<4, 5>, x<5, 6>), matmul(x<5, 5>, x<5, 6>), x<4, 5>, x<5, 5>, x<5, 6>) == 2);
}

}  // namespace
