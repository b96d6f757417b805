// SPDX-License-Identifier: MIT
#include <vector>

#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/tape.hpp>

#include <eager/contents.hpp>

// Gradients of eager code through bfloat16: casts pass them, rounded; what moves its elements says that it does not.

using namespace etch::literals;

namespace {
using contents::floats;
using etch::bfloat16;
}  // namespace

TEST_CASE("casts to and from bfloat16 pass the gradient, in the dtype of what is asked") {
  const etch::tensor<float, 1> w = {1, 2, 3};
  etch::tape tape(etch::persistent);
  const auto stored = etch::astype<bfloat16>(w);
  const auto read = etch::astype<float>(stored);
  const auto loss = etch::sum(read * read * 1.01_c) + etch::sum(etch::astype<float>(stored));
  CHECK(floats(tape.gradient(loss, read)) == std::vector<float>{2.02f, 4.04f, 6.06f});
  // Each part is rounded, then their sum.
  std::vector<float> expected;
  for (const float v : {2.02f, 4.04f, 6.06f}) expected.push_back(bfloat16(float(bfloat16(v)) + 1));
  const auto by_stored = tape.gradient(loss, stored);
  static_assert(std::is_same_v<decltype(by_stored)::value_type, bfloat16>);
  CHECK(floats(by_stored) == expected);
  CHECK(floats(tape.gradient(loss, w)) == expected);
}

TEST_CASE("the gradient with respect to a variable of bfloat16, and of a result of it") {
  const etch::eager::variable v(etch::tensor<bfloat16, 1>{1, 2, 3});
  etch::tape tape;
  const auto y = etch::astype<bfloat16>(etch::astype<float>(v) * 3_c);
  CHECK(floats(tape.gradient(y, v)) == std::vector<float>{3, 3, 3});
}

TEST_CASE("a gradient through what moves bfloat16 throws") {
  const etch::tensor<bfloat16, 2> x = {{1, 2, 3}, {4, 5, 6}};
  etch::tape tape;
  const auto y = etch::sum(etch::astype<float>(etch::transpose(x)));
  CHECK_THROWS_WITH_AS(tape.gradient(y, x),
                       "tape: there is no gradient through transpose of bfloat16; call it on float32, and cast its result",
                       etch::error);
}
