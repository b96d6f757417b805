// SPDX-License-Identifier: MIT
#include "compare.hpp"

using namespace etch::literals;
using gpu_tests::error_of;
using gpu_tests::numbers;

namespace {

constexpr etch::placeholder<"cube", double, etch::any<"n">, 6, 5> cube;
constexpr etch::placeholder<"matrix", float, etch::any<"rows">, 33> matrix;
constexpr etch::placeholder<"row", float, etch::any<"rows">> row;
constexpr etch::placeholder<"integers", std::int32_t, 4, 9> integers;
constexpr etch::placeholder<"bytes", std::uint8_t, etch::any<"rows">, 33> bytes;

}  // namespace

// Backends add in different orders. A sum of n numbers of at most 2 is off by at most n * epsilon * 2 n, of what is here
// in double by less than 1e-11.
TEST_CASE("gpu: sums over each axis, and over several") {
  for (int n : {1, 2, 17}) {
    const auto x = numbers<double>(n, 6, 5);
    CHECK(error_of(etch::sum(cube, etch::axis<0>), cube = x) < 1e-11);
    CHECK(error_of(etch::sum(cube, etch::axis<1>), cube = x) < 1e-11);
    CHECK(error_of(etch::sum(cube, etch::axis<2>, etch::keep_dims), cube = x) < 1e-11);
    CHECK(error_of(etch::sum(cube * cube, etch::axis<0, 2>), cube = x) < 1e-11);
    CHECK(error_of(etch::sum(cube, etch::axis<0, 1>) + 1_c, cube = x) < 1e-11);
    CHECK(error_of(etch::sum(cube), cube = x) < 1e-11);
  }
}

TEST_CASE("gpu: extremes, products and logic") {
  const auto x = numbers<std::int32_t>(4, 9);
  CHECK(error_of(etch::max(integers, etch::axis<0>), integers = x) == 0);
  CHECK(error_of(etch::min(integers), integers = x) == 0);
  CHECK(error_of(etch::prod(integers, etch::axis<1>), integers = x) == 0);
  CHECK(error_of(etch::reduce_any(integers > 7_c, etch::axis<1>), integers = x) == 0);
  CHECK(error_of(etch::reduce_all(integers > -9_c), integers = x) == 0);
}

TEST_CASE("gpu: sums and products of bytes and of bools are int64") {
  const auto x = numbers<std::uint8_t>(40, 33);
  CHECK(error_of(etch::sum(bytes, etch::axis<0>), bytes = x) == 0);
  CHECK(error_of(etch::sum(bytes), bytes = x) == 0);
  CHECK(error_of(etch::prod(bytes, etch::axis<1>), bytes = x) == 0);
  CHECK(error_of(etch::sum(bytes > 2_c, etch::axis<1>), bytes = x) == 0);
  etch::gpu::session session(etch::sum(bytes));
  CHECK(session.run(etch::sum(bytes), bytes = xt::xtensor<std::uint8_t, 2>(std::array<std::size_t, 2>{10, 33}, 255)) == 84150);
}

TEST_CASE("gpu: where extremes are, of each axis, of all elements, of what is computed") {
  for (int n : {1, 2, 17}) {
    const auto x = numbers<double>(n, 6, 5);
    CHECK(error_of(etch::argmax(cube, etch::axis<0>), cube = x) == 0);
    CHECK(error_of(etch::argmin(cube, etch::axis<1>), cube = x) == 0);
    CHECK(error_of(etch::argmax(cube * cube, etch::axis<2>), cube = x) == 0);
    CHECK(error_of(etch::argmin(etch::transpose(cube), etch::axis<1>) * 2_c, cube = x) == 0);
    CHECK(error_of(etch::argmax(cube), cube = x) == 0);
  }
  CHECK(error_of(etch::argmax(integers, etch::axis<1>), integers = numbers<std::int32_t>(4, 9)) == 0);
  CHECK(error_of(etch::argmin(bytes), bytes = numbers<std::uint8_t>(40, 33)) == 0);
  const auto many = numbers<float>(70000);
  CHECK(error_of(etch::argmax(row, etch::axis<0>), row = many) == 0);
  etch::gpu::session both(etch::argmax(row, etch::axis<0>), etch::max(row));
  const auto [place, most] = both.run(etch::argmax(row, etch::axis<0>), etch::max(row), row = many);
  CHECK(many(static_cast<std::size_t>(place)) == most);
}

TEST_CASE("gpu: the first NaN, the first of equal extremes, 0 of what is all the lowest value, and of nothing") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  etch::gpu::session session(etch::argmax(row, etch::axis<0>), etch::argmin(row, etch::axis<0>));
  const auto places = [&](const xt::xtensor<float, 1>& x) {
    return session.run(etch::argmax(row, etch::axis<0>), etch::argmin(row, etch::axis<0>), row = x);
  };
  CHECK(places({1, 3, nan, 7, nan}) == std::tuple(2, 2));
  CHECK(places({0.0f, -0.0f, 0.0f}) == std::tuple(0, 0));
  CHECK(places({1, 3, -1, 3, -1}) == std::tuple(1, 2));
  CHECK(places({-inf, -inf, -inf}) == std::tuple(0, 0));
  CHECK(places(numbers<float>(0)) == std::tuple(0, 0));
}

TEST_CASE("gpu: a maximum with NaN among the elements is NaN") {
  auto x = numbers<float>(40);
  x(21) = std::numeric_limits<float>::quiet_NaN();
  etch::gpu::session session(etch::max(row));
  CHECK(std::isnan(session.run(etch::max(row), row = x)));
}

TEST_CASE("gpu: reductions of nothing give their identities") {
  etch::gpu::session session(etch::sum(row), etch::prod(row), etch::max(row), etch::sum(matrix, etch::axis<0>));
  const auto nothing = numbers<float>(0);
  CHECK(session.run(etch::sum(row), row = nothing) == 0);
  CHECK(session.run(etch::prod(row), row = nothing) == 1);
  CHECK(session.run(etch::max(row), row = nothing) == -std::numeric_limits<float>::infinity());
  CHECK(session.run(etch::sum(matrix, etch::axis<0>), matrix = numbers<float>(0, 33)) ==
        xt::xtensor<float, 1>(std::array<std::size_t, 1>{33}, 0.0f));
}

// Of 33 or 1000 floats with values of at most 2, after exp and division: below 1e-6 for rows, 1e-5 for all.
TEST_CASE("gpu: softmax and layer norm along rows") {
  constexpr auto softmax = etch::softmax(matrix, etch::axis<1>);
  constexpr auto across = etch::softmax(matrix, etch::axis<0>);
  constexpr auto norm = etch::layer_norm(matrix, 1.5_c, 0.5_c);
  for (int rows : {1, 9}) {
    CHECK(error_of(softmax, matrix = numbers<float>(rows, 33)) < 1e-6);
    CHECK(error_of(across, matrix = numbers<float>(rows, 33)) < 1e-6);
    CHECK(error_of(norm, matrix = numbers<float>(rows, 33)) < 1e-5);
  }
}

// One row only: each sweep is a reduction of its own, and what follows from it is computed again where it is needed.
TEST_CASE("gpu: several sweeps of one row") {
  const auto x = numbers<float>(1000);
  CHECK(error_of(etch::mean(row), row = x) < 1e-6);
  CHECK(error_of(etch::variance(row), row = x) < 1e-5);
  CHECK(error_of(etch::softmax(row, etch::axis<0>), row = x) < 1e-6);
  CHECK(error_of(etch::layer_norm(row, 1.5_c, row), row = x) < 1e-5);
}

TEST_CASE("gpu: a variable is assigned what a reduction gives, and later sweeps take what it was and what it is") {
  constexpr auto total = etch::variable<"total">(etch::zeros(etch::shape<>{}), etch::not_trainable);
  constexpr auto most = etch::variable<"most">(etch::zeros(etch::shape<>{}), etch::not_trainable);
  constexpr auto next = etch::assign(total, total + etch::sum(row));
  constexpr auto scaled = row * next;
  constexpr auto rest = scaled - etch::assign(most, most * 0.5_c + etch::max(scaled)) + next;
  const auto run = [&](auto fetch, const xt::xtensor<float, 1>& first, const xt::xtensor<float, 1>& second) {
    etch::gpu::session session(fetch);
    session.initialize();
    CHECK(session.run(fetch, row = {1, 2, 3}) == first);
    CHECK(session.run(fetch, row = {-4, 2}) == second);
    CHECK(session.get(total) == 4);
  };
  run(scaled, {6, 12, 18}, {-16, 8});
  run(rest, {-6, 0, 6}, {-29, -5});
}
