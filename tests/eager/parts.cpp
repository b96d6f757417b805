// SPDX-License-Identifier: MIT
#include <cstddef>
#include <tuple>

#include <doctest/doctest.h>

#include <etch/convolution.hpp>
#include <etch/eager.hpp>
#include <etch/etch.hpp>

/// Ops that divide an axis into parts, of eager tensors: any number of parts.
using namespace etch;

namespace {

/// x[i, j] = i * 10000 + j.
xt::xtensor<float, 2> numbers(std::size_t rows, std::size_t columns) {
  auto x = xt::xtensor<float, 2>::from_shape({rows, columns});
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) x(i, j) = static_cast<float>(i * 10000 + j);
  return x;
}

template <int Count>
void check_split() {
  CAPTURE(Count);
  const auto x = numbers(3, 2 * static_cast<std::size_t>(Count));
  const auto parts = split<Count>(tensor<float, 2>(x), axis<1>);
  static_assert(std::tuple_size_v<decltype(parts)> == Count);
  const tensor<float, 2> last = std::get<Count - 1>(parts);
  REQUIRE(last.shape()[0] == 3);
  REQUIRE(last.shape()[1] == 2);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 2; ++j) CHECK(last(i, j) == x(i, 2 * Count - 2 + j));
}

TEST_CASE("eager: an axis is split into any number of parts") {
  check_split<1>();
  check_split<2>();
  check_split<17>();
  check_split<32>();
  check_split<61>();
}

template <int Groups>
void check_groups() {
  CAPTURE(Groups);
  constexpr std::size_t groups = Groups;
  // Each group has two channels, of 1 and 3 plus its number: less its mean over its deviation these are -1 and 1.
  auto x = xt::xtensor<double, 3>::from_shape({2, 1, 2 * groups});
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t c = 0; c < 2 * groups; ++c) x(b, 0, c) = static_cast<double>(c / 2 + 2 * (c % 2) + 1);
  const xt::xtensor<double, 1> ones = xt::ones<double>({2 * groups});
  const tensor<double, 3> even = group_norm<Groups>(tensor<double, 3>(x), tensor<double, 1>(ones), tensor<double, 1>(ones));
  REQUIRE(even.shape()[2] == 2 * groups);
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t c = 0; c < 2 * groups; ++c) CHECK(even(b, 0, c) == doctest::Approx(c % 2 == 0 ? 0 : 2).epsilon(1e-4));
  // A kernel of one element that adds up the two channels of a group.
  const xt::xtensor<double, 3> kernel = xt::ones<double>({std::size_t{1}, std::size_t{2}, groups});
  const tensor<double, 3> sums = conv1d(tensor<double, 3>(x), tensor<double, 3>(kernel), etch::groups<Groups>);
  REQUIRE(sums.shape()[2] == groups);
  for (std::size_t g = 0; g < groups; ++g) CHECK(sums(1, 0, g) == static_cast<double>(2 * g + 4));
}

TEST_CASE("eager: channels fall into any number of groups") {
  check_groups<1>();
  check_groups<2>();
  check_groups<17>();
  check_groups<32>();
}

}  // namespace
