// SPDX-License-Identifier: MIT
#include <laws/windows.hpp>

#include <etch/tape.hpp>

/// Eager convolutions and pools, and their gradients on a tape, are what plain loops over their windows give.
namespace {

using namespace etch;
using laws::check_equal;
using laws::geometry;
using laws::image;

template <const geometry& G>
void check_convolution() {
  std::mt19937 generator(7);
  const image<float> vx = laws::integers<float>(generator, {G.batch, G.extents[0], G.extents[1], G.channels});
  const image<float> vw = laws::integers<float>(generator, {G.window[0], G.window[1], G.channels / G.groups, G.filters});
  const image<float> vdy = laws::integers<float>(generator, {G.batch, G.windows(0), G.windows(1), G.filters});
  const tensor<float, 4> x = vx, w = vw, dy = vdy;
  tape recorded;
  recorded.watch(x, w);
  const tensor<float, 4> y = laws::convolution_of<G>(x, w);
  const auto [dx, dw] = recorded.gradient(sum(y * dy), x, w);
  check_equal(std::tuple(laws::copied(y), laws::copied(dx), laws::copied(dw)),
              std::tuple(laws::convolved(G, vx, vw), laws::image_adjoint(G, vdy, vw), laws::kernel_adjoint(G, vx, vdy)),
              "convolution");
}

template <const geometry& G>
void check_pools() {
  std::mt19937 generator(11);
  const image<double> vx = laws::multiples_of_72<double>(generator, {G.batch, G.extents[0], G.extents[1], G.channels});
  const image<double> vdy = laws::multiples_of_72<double>(generator, {G.batch, G.windows(0), G.windows(1), G.channels});
  const laws::pooled<double> expected = laws::pool(G, vx, vdy);
  const tensor<double, 4> x = vx, dy = vdy;
  tape first, second;
  first.watch(x);
  second.watch(x);
  const tensor<double, 4> y = laws::pool_of<G>(laws::largest, x), m = laws::pool_of<G>(laws::mean_of, x);
  const tensor<double, 4> dx = first.gradient(sum(y * dy), x), dm = second.gradient(sum(m * dy), x);
  check_equal(std::tuple(laws::copied(y), laws::copied(m), laws::copied(dx), laws::copied(dm)),
              std::tuple(expected.largest, expected.mean, expected.largest_adjoint, expected.mean_adjoint), "pools");
}

constexpr geometry plain{.batch = 2, .extents = {5, 6}, .channels = 3, .filters = 4, .window = {3, 2}};
constexpr geometry with_strides{
    .batch = 2, .extents = {8, 9}, .channels = 2, .filters = 5, .window = {3, 5}, .stride = {2, 3}, .is_same = true};
constexpr geometry apart{
    .batch = 1, .extents = {9, 11}, .channels = 1, .filters = 1, .window = {1, 2}, .stride = {3, 4}, .is_same = true};
constexpr geometry all_of_it{.batch = 2,
                             .extents = {10, 9},
                             .channels = 4,
                             .filters = 6,
                             .window = {3, 2},
                             .stride = {2, 3},
                             .dilation = {3, 2},
                             .before = {1, 4},
                             .after = {5, 0},
                             .groups = 2};
constexpr geometry padded_far{
    .batch = 1, .extents = {3, 2}, .channels = 2, .filters = 3, .window = {2, 3}, .before = {4, 3}, .after = {5, 4}};
constexpr geometry depthwise{
    .batch = 2, .extents = {6, 5}, .channels = 6, .filters = 6, .window = {3, 3}, .groups = 6, .is_same = true};
constexpr geometry one_by_one{.batch = 2, .extents = {5, 5}, .channels = 9, .filters = 9, .window = {1, 1}, .stride = {2, 2}};
constexpr geometry no_images{.batch = 0, .extents = {4, 5}, .channels = 3, .filters = 2, .window = {2, 2}, .is_same = true};
constexpr geometry side_by_side{.batch = 2, .extents = {6, 8}, .channels = 5, .window = {2, 2}, .stride = {2, 2}};
constexpr geometry shared{.batch = 1, .extents = {6, 7}, .channels = 17, .window = {3, 3}};
constexpr geometry padded{.batch = 2,
                          .extents = {5, 6},
                          .channels = 16,
                          .window = {3, 2},
                          .stride = {2, 3},
                          .dilation = {2, 1},
                          .before = {2, 1},
                          .after = {1, 0}};

}  // namespace

TEST_CASE("tape: eager convolutions and their gradients are sums over windows") {
  check_convolution<plain>();
  check_convolution<with_strides>();
  check_convolution<apart>();
  check_convolution<all_of_it>();
  check_convolution<padded_far>();
  check_convolution<depthwise>();
  check_convolution<one_by_one>();
  check_convolution<no_images>();
}
TEST_CASE("tape: eager pools and their gradients are those of windows") {
  check_pools<side_by_side>();
  check_pools<shared>();
  check_pools<padded>();
}
TEST_CASE("tape: channels of eager images may come first, and a transposed convolution is the adjoint") {
  constexpr geometry g{
      .batch = 2, .extents = {8, 9}, .channels = 3, .filters = 5, .window = {3, 5}, .stride = {2, 3}, .is_same = true};
  std::mt19937 generator(5);
  const image<float> last = laws::integers<float>(generator, {2, 8, 9, 3}), vw = laws::integers<float>(generator, {3, 5, 3, 5});
  const image<float> vx = xt::transpose(last, {0, 3, 1, 2}), vb = laws::integers<float>(generator, {2, 4, 3, 5});
  const tensor<float, 4> x = vx, w = vw, b = vb;
  const tensor<float, 4> y = conv2d(x, w, channels_first, same_padding, strides<2, 3>),
                         t = conv2d_transpose(b, w, same_padding, strides<2, 3>);
  const image<float> expected = xt::transpose(laws::convolved(g, last, vw), {0, 3, 1, 2});
  check_equal(std::tuple(laws::copied(y), laws::copied(t)), std::tuple(expected, laws::image_adjoint(g, vb, vw)), "on values");
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
