// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/eager.hpp>
#include <etch/etch.hpp>

/// A function that names its parts is one for both modes.
namespace etch {
namespace {

using namespace etch::literals;

constexpr auto model = [](auto in, auto x) { return named<in / "double">(x * 2_c) + x; };

TEST_CASE("names and scopes of eager tensors are the tensors") {
  const tensor<float, 1> x = {1, 2, 3};
  const tensor<float, 1> y = scope<"model">(model, x);
  CHECK(y(1) == 6);
  constexpr placeholder<"x", float, 3> symbol;
  constexpr auto z = scope<"model">(model, symbol);
  session s(z);
  CHECK(s.run(z, symbol = {1, 2, 3})(1) == y(1));
}

}  // namespace
}  // namespace etch
