// SPDX-License-Identifier: MIT
#include "compare.hpp"

using namespace etch::literals;
using gpu_tests::numbers;

namespace {

constexpr etch::placeholder<"x", float, etch::any<"n">, 3> input;
constexpr auto weights = etch::variable<"weights">(etch::broadcast_to(2.0_c, etch::shape<3>{}));

using vector = xt::xtensor<float, 1>;
using matrix = xt::xtensor<float, 2>;

}  // namespace

TEST_CASE("gpu: variables keep their values between runs, in the device's memory") {
  constexpr auto step = etch::assign_sub(weights, 0.5_c * weights);
  etch::gpu::session session(step, input * weights);
  CHECK_THROWS_AS(session.run(step), etch::error);
  session.initialize();
  CHECK(session.get(weights) == vector{2, 2, 2});
  CHECK(session.run(step) == vector{1, 1, 1});
  session.set(weights, vector{4, 8, 12});
  session.run(etch::group(step));
  CHECK(session.get(weights) == vector{2, 4, 6});
  CHECK(session.run(input * weights, input = matrix{{1, 1, 1}, {1, 2, 3}}) == matrix{{2, 4, 6}, {2, 8, 18}});
}

TEST_CASE("gpu: a stencil writes a part of the variable that it reads") {
  constexpr auto u = etch::variable<"u">(etch::zeros(etch::shape<6, 8>{}), etch::not_trainable);
  constexpr auto part = etch::slice(u, etch::section<1, -1>, etch::section<1, -1>);
  constexpr auto step = etch::group(etch::assign(
      part, etch::slice(u, etch::section<0, -2>, etch::section<1, -1>) + etch::slice(u, etch::section<2>, etch::section<0, -2>)));
  etch::gpu::session session(step, u);
  session.initialize();
  matrix x(std::array<std::size_t, 2>{6, 8});
  float k = 0;
  for (float& e : x) e = k * k, k += 1;
  session.set(u, x);
  session.run(step);
  matrix expected = x;
  for (std::size_t i = 1; i < 5; ++i)
    for (std::size_t j = 1; j < 7; ++j) expected(i, j) = x(i - 1, j) + x(i + 1, j - 1);
  CHECK(session.get(u) == expected);
}

TEST_CASE("gpu: two sessions share nothing") {
  etch::gpu::session first(weights), second(weights);
  first.initialize();
  second.initialize();
  first.set(weights, vector{7, 7, 7});
  CHECK(first.get(weights) == vector{7, 7, 7});
  CHECK(second.get(weights) == vector{2, 2, 2});
  first.close();
  CHECK_THROWS_AS(first.get(weights), etch::error);
  CHECK(second.run(weights + 1_c) == vector{3, 3, 3});
}

TEST_CASE("gpu: one session runs batches of different extents") {
  constexpr auto means = etch::mean(input, etch::axis<0>);
  etch::gpu::session session(means);
  CHECK(session.run(means, input = matrix{{1, 2, 3}, {3, 4, 5}}) == vector{2, 3, 4});
  CHECK(session.run(means, input = matrix{{1, 2, 3}}) == vector{1, 2, 3});
  CHECK(session.run(means, input = matrix{{0, 0, 0}, {3, 3, 3}, {3, 6, 9}, {2, 3, 4}}) == vector{2, 3, 4});
}

TEST_CASE("gpu: a bound step reads its feeds anew in every call, and outlives the session's close") {
  constexpr auto result = input * weights;
  matrix x{{1, 2, 3}};
  etch::gpu::session session(result);
  session.initialize();
  auto step = session.bind(result, input = x);
  CHECK(step() == matrix{{2, 4, 6}});
  x(0, 1) = 10;
  CHECK(step() == matrix{{2, 20, 6}});
  session.close();
  CHECK(step() == matrix{{2, 20, 6}});
}

TEST_CASE("gpu: pointers that a step is called with are what its next runs copy") {
  constexpr auto result = input * weights;
  const matrix x{{1, 2, 3}}, y{{10, 20, 30}};
  etch::gpu::session session(result);
  session.initialize();
  auto bound = session.bind(result, input = x);
  CHECK(bound(y.data()) == matrix{{20, 40, 60}});
  CHECK(bound() == matrix{{20, 40, 60}});
  etch::step<const matrix&(const float*)> step = std::move(bound);
  CHECK(step(x.data()) == matrix{{2, 4, 6}});
}

TEST_CASE("gpu: what is empty has an address, to which accesses that begin elsewhere may add") {
  etch::gpu::device_block block;
  block.reserve(0);
  CHECK(block.data() != nullptr);
  constexpr etch::placeholder<"row", float, etch::any<"n">> row;
  constexpr auto turned = etch::flip(row, etch::axis<0>) * 2_c;
  etch::gpu::session session(turned);
  CHECK(session.run(turned, row = vector{}).size() == 0);
  CHECK(session.run(turned, row = vector{1, 2}) == vector{4, 2});
}

// The sanitizers' own malloc ends the program where it is asked for so much.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ETCH_MALLOC_IS_THE_SANITIZERS
#endif
#endif
#if !defined(ETCH_MALLOC_IS_THE_SANITIZERS) && !defined(__SANITIZE_ADDRESS__)
TEST_CASE("gpu: memory that the device does not have is an error, and what asked for it can be used") {
  etch::gpu::device_block block;
  block.reserve(8);
  CHECK_THROWS_AS(block.reserve(std::int64_t{1} << 60), etch::error);
  CHECK(block.bytes() == 0);
  block.reserve(8);
  CHECK(block.data() != nullptr);
  constexpr auto huge = etch::variable<"huge">(etch::zeros(etch::shape<(std::int64_t{1} << 45)>{}), etch::not_trainable);
  CHECK_THROWS_AS(etch::gpu::session(etch::sum(huge)), etch::error);
}
#endif

TEST_CASE("gpu: gradient descent goes where it goes by hand") {
  constexpr auto loss = etch::mean(etch::square(etch::sum(input * weights, etch::axis<1>) - 1_c));
  constexpr auto train = etch::optimizers::sgd(0.05_c).minimize(loss);
  const auto x = numbers<float>(32, 3);
  etch::gpu::session session(loss, train);
  session.initialize();
  for (int i = 0; i < 20; ++i) session.run(train, input = x);

  double w[3] = {2, 2, 2};
  for (int i = 0; i < 20; ++i) {
    double gradient[3] = {};
    for (std::size_t r = 0; r < 32; ++r) {
      double error = -1;
      for (std::size_t k = 0; k < 3; ++k) error += double{x(r, k)} * w[k];
      for (std::size_t k = 0; k < 3; ++k) gradient[k] += 2 * error * double{x(r, k)} / 32;
    }
    for (int k = 0; k < 3; ++k) w[k] -= 0.05 * gradient[k];
  }
  // 20 steps, each a sum of 32 rows: rounding errors of 1e-7 grow to less than 1e-5.
  const auto got = session.get(weights);
  for (std::size_t k = 0; k < 3; ++k) CHECK(std::fabs(double{got(k)} - w[k]) < 1e-5);
}
