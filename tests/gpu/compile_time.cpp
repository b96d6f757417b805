// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/etch.hpp>

// Graphs and plans are constants of nvcc's front ends, too, and the same ones.
namespace {

template <int Depth, class H, class W>
constexpr auto residual(H h, W w) {
  if constexpr (Depth == 0)
    return h;
  else
    return residual<Depth - 1>(h + etch::tanh(etch::matmul(h, w)), w);
}

TEST_CASE("GRA-20: a residual chain of depth 64 and its gradient are planned by any compiler") {
  constexpr etch::placeholder<"h", float, etch::any<"batch">, 16> h;
  constexpr etch::placeholder<"w", float, 16, 16> w;
  constexpr auto deep = residual<64>(h, w);
  constexpr auto plan = etch::plan_of(deep, h, w);
  static_assert(plan.kernel_count == 64);
  static_assert(plan.flops(3) == 3 * plan.flops(1));
  constexpr auto slope = etch::plan_of(etch::gradient(etch::sum(deep), w), h, w);
  MESSAGE("kernels of the gradient: ", slope.kernel_count);
  static_assert(slope.kernel_count > 2 * plan.kernel_count && slope.kernel_count < 5 * plan.kernel_count);
}

template <int H>
constexpr auto split_rows(auto x) {
  constexpr int size = 3;
  return [](auto y) { return etch::reshape(y, etch::shape<etch::any<"batch">, H, size>{}); }(x);
}

TEST_CASE("GRA-06: a named extent is a value to any compiler") {
  constexpr etch::placeholder<"x", float, etch::any<"batch">, 6> x;
  static_assert(decltype(split_rows<2>(x))::rank == 3);
  CHECK(etch::any<"batch"> == etch::any<"batch">);
}

}  // namespace
