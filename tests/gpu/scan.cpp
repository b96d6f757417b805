// SPDX-License-Identifier: MIT
#include "compare.hpp"

using namespace etch::literals;
using gpu_tests::error_of;
using gpu_tests::numbers;

namespace {

constexpr etch::placeholder<"cube", double, etch::any<"n">, 6, 5> cube;
constexpr etch::placeholder<"row", float, etch::any<"rows">> row;
constexpr etch::placeholder<"integers", std::int32_t, 4, 9> integers;
constexpr etch::placeholder<"bytes", std::uint8_t, etch::any<"rows">, 33> bytes;

}  // namespace

// Scans add in the order of the elements on each backend; the reference adds in long double.
TEST_CASE("gpu: running sums, products and recurrences along each axis, both ways, with and without the element") {
  for (int n : {0, 1, 17}) {
    const auto x = numbers<double>(n, 6, 5);
    CHECK(error_of(etch::cumsum(cube, etch::axis<0>), cube = x) < 1e-11);
    CHECK(error_of(etch::cumsum(cube, etch::axis<1>, etch::reverse), cube = x) < 1e-11);
    CHECK(error_of(etch::cumprod(cube, etch::axis<2>, etch::exclusive), cube = x) < 1e-11);
    CHECK(error_of(etch::cumsum(etch::transpose(cube), etch::axis<0>, etch::exclusive, etch::reverse), cube = x) < 1e-11);
    CHECK(error_of(etch::logcumsumexp(cube, etch::axis<1>), cube = x) < 1e-11);
    CHECK(error_of(etch::linear_recurrence(cube * 0.5_c, cube, etch::axis<0>), cube = x) < 1e-11);
    CHECK(error_of(etch::linear_recurrence(cube * 0.5_c, cube, etch::axis<2>, etch::reverse), cube = x) < 1e-11);
  }
  CHECK(error_of(etch::cumprod(integers, etch::axis<1>), integers = numbers<std::int32_t>(4, 9)) == 0);
  CHECK(error_of(etch::cumsum(bytes, etch::axis<0>), bytes = numbers<std::uint8_t>(40, 33)) == 0);
  CHECK(error_of(etch::cumsum(bytes > 2_c, etch::axis<1>), bytes = numbers<std::uint8_t>(40, 33)) == 0);
}

TEST_CASE("gpu: scans with maps on both sides, two of them in one kernel, and beside a reduction") {
  const auto x = numbers<double>(17, 6, 5);
  CHECK(error_of(etch::tanh(etch::cumsum(cube * 2_c, etch::axis<1>)) + cube, cube = x) < 1e-11);
  CHECK(error_of(etch::cumsum(cube, etch::axis<1>) * etch::cumprod(cube * 0.5_c, etch::axis<1>), cube = x) < 1e-11);
  CHECK(error_of(etch::cumsum(cube, etch::axis<1>) * etch::cumsum(cube, etch::axis<1>, etch::reverse), cube = x) < 1e-11);
  CHECK(error_of(etch::cumsum(cube, etch::axis<1>) - etch::mean(cube, etch::axis<1>, etch::keep_dims), cube = x) < 1e-11);
  const auto many = numbers<float>(70000);
  CHECK(error_of(etch::cumsum(row, etch::axis<0>), row = many) == 0);
  CHECK(error_of(etch::gradient(etch::sum(etch::square(etch::cumprod(cube * 0.5_c, etch::axis<1>))), cube), cube = x) < 1e-11);
}
