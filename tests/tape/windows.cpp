// SPDX-License-Identifier: MIT
#include <laws/geometries.hpp>

#include <etch/tape.hpp>

/// Eager convolutions and pools, and their gradients on a tape, are what plain loops over their windows give.
namespace {

using namespace etch;
using namespace laws;

template <const geometry& G>
void check_convolution() {
  const convolution_values<float> v(G);
  const tensor<float, 4> x = v.x, w = v.w, dy = v.dy;
  tape recorded;
  recorded.watch(x, w);
  const tensor<float, 4> y = convolution_of<G>(x, w);
  const auto [dx, dw] = recorded.gradient(sum(y * dy), x, w);
  check_equal(std::tuple(copied(y), copied(dx), copied(dw)), v.expected(), "convolution");
}

template <const geometry& G>
void check_pools() {
  const pool_values<double> v(G);
  const tensor<double, 4> x = v.x, dy = v.dy;
  tape first, second;
  first.watch(x);
  second.watch(x);
  const tensor<double, 4> y = pool_of<G>(largest, x), m = pool_of<G>(mean_of, x);
  const tensor<double, 4> dx = first.gradient(sum(y * dy), x), dm = second.gradient(sum(m * dy), x);
  check_equal(std::tuple(copied(y), copied(m), copied(dx), copied(dm)), v.expected(), "pools");
}

}  // namespace

TEST_CASE("tape: eager convolutions and their gradients are sums over windows") {
  check_convolution<plain>();
  check_convolution<strided_same>();
  check_convolution<apart>();
  check_convolution<all_of_it>();
  check_convolution<padded_far>();
  check_convolution<depthwise>();
  check_convolution<one_by_one_strided>();
  check_convolution<no_images>();
}
TEST_CASE("tape: eager pools and their gradients are those of windows") {
  check_pools<side_by_side>();
  check_pools<shared>();
  check_pools<padded_pools>();
}
TEST_CASE("tape: channels of eager images may come first, and a transposed convolution is the adjoint") {
  const convolution_values<float> v(three_channels, 5);
  const auto [last, adjoint, unused] = v.expected();
  const image<float> first = xt::transpose(v.x, {0, 3, 1, 2}), expected = xt::transpose(last, {0, 3, 1, 2});
  const tensor<float, 4> x = first, w = v.w, b = v.dy;
  const tensor<float, 4> y = conv2d(x, w, channels_first, same_padding, strides<2, 3>),
                         t = conv2d_transpose(b, w, same_padding, strides<2, 3>);
  check_equal(std::tuple(copied(y), copied(t)), std::tuple(expected, adjoint), "on values");
}
TEST_CASE("tape: windows that eager images have no room for are refused") {
  const tensor<float, 4> x = xt::xtensor<float, 4>(xt::ones<float>({2, 4, 5, 2}));
  const tensor<float, 4> w = xt::xtensor<float, 4>(xt::ones<float>({5, 2, 2, 3})),
                         v = xt::xtensor<float, 4>(xt::ones<float>({3, 2, 3, 3}));
  CHECK_THROWS_WITH(conv2d(x, w),
                    "convolution: a window is larger than the padded operand: float32[2, 4, 5, 2], float32[5, 2, 2, 3]");
  CHECK_THROWS_WITH(conv2d(x, v), "convolution: the channels of the operands differ: float32[2, 4, 5, 2], float32[3, 2, 3, 3]");
  CHECK_THROWS_WITH(max_pool2d(x, window<5>), "max_pool: a window is larger than the padded operand: float32[2, 4, 5, 2]");
}
