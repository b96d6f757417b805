// SPDX-License-Identifier: MIT
#include <vector>

#include <doctest/doctest.h>

#include <etch/function.hpp>
#include <etch/tape.hpp>

#include <eager/contents.hpp>

// Gradients of calls of traced functions whose arguments, or results, are stored as bfloat16.

using namespace etch::literals;

namespace {
using contents::floats;
using etch::bfloat16;
}  // namespace

TEST_CASE("an argument of bfloat16 has a gradient of that dtype") {
  etch::function f([](auto x, auto w) { return etch::astype<float>(x) * w * 2_c; });
  const etch::tensor<bfloat16, 1> x = {1, 2};
  const etch::tensor<float, 1> w = {3, 4};
  etch::tape tape;
  const auto y = f(x, w);
  const auto [dx, dw] = tape.gradient(y, x, w);
  static_assert(std::is_same_v<decltype(dx)::value_type, bfloat16>);
  CHECK(floats(dx) == std::vector<float>{6, 8});
  CHECK(floats(dw) == std::vector<float>{2, 4});
}

TEST_CASE("a result of bfloat16 passes the gradient to what it is made of") {
  etch::function f([](auto w, auto x) { return std::tuple{etch::astype<bfloat16>(w * w), etch::floor(etch::astype<float>(x))}; });
  const etch::tensor<float, 1> w = {1, 2, 3};
  const etch::tensor<bfloat16, 1> x = {1.5f, 2.5f, 3.5f};
  etch::tape tape(etch::persistent);
  const auto [stored, whole] = f(w, x);
  const auto loss = etch::sum(etch::astype<float>(stored) * 3_c + whole);
  CHECK(floats(tape.gradient(loss, w)) == std::vector<float>{6, 12, 18});
  CHECK(floats(tape.gradient(loss, x)) == std::vector<float>{0, 0, 0});
}

TEST_CASE("a result that is an argument of bfloat16") {
  etch::function f([](auto x) { return std::tuple{x, etch::astype<double>(x)}; });
  const etch::tensor<bfloat16, 1> x = {1.5f, 2.5f};
  etch::tape tape;
  const auto [same, wide] = f(x);
  const auto loss = etch::sum(etch::astype<double>(same)) + etch::sum(wide * wide);
  CHECK(floats(tape.gradient(loss, x)) == std::vector<float>{4, 6});
}
