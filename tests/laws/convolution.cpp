// SPDX-License-Identifier: MIT
#include <xtensor/xview.hpp>

#include "geometries.hpp"

/// Convolutions and their gradients are what plain loops over their definition give. The numbers are small integers, so that sums are
/// exact.
namespace {

using namespace etch;
using namespace laws;

template <const geometry& G, class T>
void check() {
  constexpr placeholder<"x", T, G.batch, G.extents[0], G.extents[1], G.channels> x;
  constexpr placeholder<"w", T, G.window[0], G.window[1], G.channels / G.groups, G.filters> w;
  constexpr placeholder<"dy", T, G.batch, G.windows(0), G.windows(1), G.filters> dy;
  constexpr auto y = convolution_of<G>(x, w);
  const convolution_values<T> v(G);
  if constexpr (std::is_floating_point_v<T>) {
    constexpr auto g = gradients(sum(y * dy), x, w);
    constexpr auto dx = std::get<0>(g);
    constexpr auto dw = std::get<1>(g);
    session s(y, dx, dw);
    const auto expected = v.expected();
    check_equal(std::tuple(s.run(y, dx, dw, x = v.x, w = v.w, dy = v.dy)), expected, "the CPU");
    // Of the others it takes seconds without optimisation.
    if constexpr (G.products() < 4'000'000)
      check_equal(std::tuple(reference::run(y, dx, dw, x = v.x, w = v.w, dy = v.dy)), expected, "the reference");
  } else {
    session s(y);
    check_equal(std::tuple(s.run(y, x = v.x, w = v.w)), std::tuple(convolved(G, v.x, v.w)), "the CPU");
  }
}

}  // namespace

TEST_CASE_TEMPLATE("law: convolutions are sums over windows", T, float, double) {
  check<plain, T>();
  check<same_odd, T>();
  check<same_even, T>();
  check<with_strides, T>();
  check<strided_same, T>();
  check<apart, T>();
  check<common_steps, T>();
  check<many_phases, T>();
  check<strided_less, T>();
  check<dilated, T>();
  check<all_of_it, T>();
  check<padded_far, T>();
  check<depthwise, T>();
  check<whole, T>();
  check<one_by_one, T>();
  check<one_by_one_strided, T>();
  check<no_images, T>();
  check<large, T>();
}
TEST_CASE_TEMPLATE("law: convolutions of each channel alone are sums over windows", T, float, double) {
  check<channelwise, T>();
  check<channelwise_inside, T>();
  check<channelwise_same, T>();
  check<channelwise_strided, T>();
  check<channelwise_large, T>();
  check<channelwise_far, T>();
  check<channelwise_less, T>();
  check<no_images_channelwise, T>();
  check<two_filters_each, T>();
}
TEST_CASE_TEMPLATE("law: convolutions that leave out what lies outside are sums over windows", T, float, double) {
  check<left_out, T>();
  check<left_out_apart, T>();
  check<left_out_far, T>();
  check<left_out_less, T>();
  if constexpr (std::is_same_v<T, float>) {
    check<left_out_of_many, T>();
    check<left_out_deep, T>();
  }
  check<left_out_everywhere, T>();
  check<none_left_out, T>();
}
TEST_CASE_TEMPLATE("law: convolutions of integers wrap around, as their sums do", T, std::int32_t, std::uint8_t) {
  check<plain, T>();
  check<all_of_it, T>();
  check<channelwise, T>();
}

namespace {

/// Of images of any extents.
template <const geometry& G>
void check_named() {
  constexpr placeholder<"x", float, any<"n">, any<"h">, any<"w">, G.channels> x;
  constexpr placeholder<"w", float, G.window[0], G.window[1], G.channels / G.groups, G.filters> w;
  constexpr auto y = convolution_of<G>(x, w);
  constexpr auto g = gradients(sum(y * y), x, w);
  constexpr auto dx = std::get<0>(g);
  constexpr auto dw = std::get<1>(g);
  session s(y, dx, dw);
  std::mt19937 generator(3);
  for (const auto& size :
       std::vector<std::array<std::int64_t, 3>>{{2, 7, 5}, {1, 5, 9}, {0, 6, 6}, {2, 0, 5}, {1, 3, 0}, {2, 0, 0}}) {
    // Where no zeros lie around there is no window.
    if (!G.is_same && size[1] * size[2] == 0) continue;
    geometry now = G;
    now.batch = size[0];
    now.extents[0] = size[1];
    now.extents[1] = size[2];
    const image<float> vx = integers<float>(generator, {size[0], size[1], size[2], G.channels});
    const image<float> vw = integers<float>(generator, {G.window[0], G.window[1], G.channels / G.groups, G.filters});
    const image<float> vy = convolved(now, vx, vw), dy = 2 * vy;
    const auto expected = std::tuple(vy, image_adjoint(now, dy, vw), kernel_adjoint(now, vx, dy));
    check_equal(std::tuple(s.run(y, dx, dw, x = vx, w = vw)), expected, "the CPU");
    check_equal(std::tuple(reference::run(y, dx, dw, x = vx, w = vw)), expected, "the reference");
  }
}
constexpr geometry named_same{.batch = 0, .extents = {0, 0}, .channels = 3, .filters = 4, .window = {3, 2}, .is_same = true};
constexpr geometry named_dilated{.batch = 0, .extents = {0, 0}, .channels = 2, .filters = 5, .window = {3, 2}, .dilation = {2, 1}};
constexpr geometry named_channelwise{.batch = 0,
                                     .extents = {0, 0},
                                     .channels = 19,
                                     .filters = 19,
                                     .window = {3, 2},
                                     .dilation = {1, 2},
                                     .groups = 19,
                                     .is_same = true};

constexpr geometry named_left_out{
    .batch = 0, .extents = {0, 0}, .channels = 32, .filters = 35, .window = {3, 2}, .dilation = {1, 2}, .is_same = true};

/// Of any number of images, with strides.
template <const geometry& G>
void check_named_batch() {
  constexpr placeholder<"x", float, any<"n">, G.extents[0], G.extents[1], G.channels> x;
  constexpr placeholder<"w", float, G.window[0], G.window[1], G.channels / G.groups, G.filters> w;
  constexpr placeholder<"dy", float, any<"n">, G.windows(0), G.windows(1), G.filters> dy;
  constexpr auto y = convolution_of<G>(x, w);
  constexpr auto g = gradients(sum(y * dy), x, w);
  constexpr auto dx = std::get<0>(g);
  constexpr auto dw = std::get<1>(g);
  session s(y, dx, dw);
  for (const std::int64_t n : {3, 1, 0}) {
    geometry now = G;
    now.batch = n;
    const convolution_values<float> v(now);
    check_equal(std::tuple(s.run(y, dx, dw, x = v.x, w = v.w, dy = v.dy)), v.expected(), "the CPU");
  }
}

}  // namespace

TEST_CASE("law: convolutions along named extents") {
  check_named<named_same>();
  check_named<named_dilated>();
  check_named<named_channelwise>();
  check_named<named_left_out>();
  check_named_batch<strided_same>();
  check_named_batch<channelwise_strided>();
}
TEST_CASE("law: windows over the padding of an axis without elements are there, whether it has a name or a number") {
  constexpr placeholder<"k", float, 3, 1, 1> k;
  const xt::xtensor<float, 3> nothing = xt::zeros<float>({1, 0, 1}), ones = xt::ones<float>({3, 1, 1});
  const auto check = [&](auto x) {
    constexpr decltype(x) slot;
    constexpr auto convolved = conv1d(slot, k, padding<2>);
    constexpr auto pooled = max_pool1d(slot, window<3>, strides<1>, padding<2>);
    session s(convolved, pooled);
    CHECK(s.run(convolved, slot = nothing, k = ones) == xt::zeros<float>({1, 2, 1}));
    CHECK(s.run(pooled, slot = nothing) == xt::zeros<float>({1, 2, 1}) - std::numeric_limits<float>::infinity());
  };
  check(placeholder<"x", float, 1, 0, 1>{});
  check(placeholder<"x", float, 1, any<"n">, 1>{});
}
TEST_CASE("law: the gradient of a kernel whose named channels are one has a workspace for what is contiguous then") {
  constexpr placeholder<"x", float, any<"n">, any<"h">, any<"w">, any<"c">> x;
  constexpr placeholder<"w", float, 3, 3, any<"c">, 10> w;
  constexpr placeholder<"dy", float, any<"n">, any<"h">, any<"w">, 10> dy;
  constexpr auto dw = std::get<0>(gradients(sum(conv2d(x, w, same_padding) * dy), w));
  session s(dw);
  for (const std::size_t channels : {std::size_t{1}, std::size_t{2}}) {
    const image<float> vx = xt::ones<float>({std::size_t{20}, std::size_t{28}, std::size_t{28}, channels}),
                       vw = xt::ones<float>({std::size_t{3}, std::size_t{3}, channels, std::size_t{10}}),
                       vy = xt::ones<float>({20, 28, 28, 10});
    const auto r = s.run(dw, x = vx, w = vw, dy = vy);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) CHECK(r(i, j, 0, 9) == 20.f * (i == 1 ? 28 : 27) * (j == 1 ? 28 : 27));
  }
}
TEST_CASE("law: what follows a convolution of each channel alone is computed with it") {
  constexpr const geometry& g = channelwise_strided;
  constexpr placeholder<"x", float, g.batch, g.extents[0], g.extents[1], g.channels> x;
  constexpr placeholder<"w", float, g.window[0], g.window[1], 1, g.filters> w;
  constexpr placeholder<"bias", float, g.filters> bias;
  constexpr auto y = relu(convolution_of<g>(x, w) + bias);
  constexpr auto plan = plan_of(y, x, w, bias);
  static_assert(plan.kernel_count == 1);
  const convolution_values<float> v(g);
  const xt::xtensor<float, 1> b = xt::arange<float>(-16, 17);
  session s(y);
  const image<float> expected = xt::maximum(convolved(g, v.x, v.w) + b, 0.f);
  check_equal(std::tuple(s.run(y, x = v.x, w = v.w, bias = b)), std::tuple(expected), "the CPU");
}
namespace {

/// At places in the corners and inside.
template <const geometry& G>
void check_special_values() {
  constexpr placeholder<"x", float, G.batch, G.extents[0], G.extents[1], G.channels> x;
  constexpr placeholder<"w", float, G.window[0], G.window[1], G.channels / G.groups, G.filters> w;
  constexpr placeholder<"dy", float, G.batch, G.windows(0), G.windows(1), G.filters> dy;
  constexpr auto y = convolution_of<G>(x, w);
  constexpr auto gradient_of = gradients(sum(y * dy), x, w);
  constexpr auto dx = std::get<0>(gradient_of);
  constexpr auto dw = std::get<1>(gradient_of);
  static_assert(plan_of(y, x, w).kernel_count == 1);  // the image is not padded before
  convolution_values<float> v(G);
  v.x(0, 0, 0, 3) = v.x(2, G.extents[0] - 1, G.extents[1] - 1, G.channels - 1) = std::numeric_limits<float>::infinity();
  v.x(1, 7, G.extents[1] - 1, 20) = std::numeric_limits<float>::quiet_NaN();
  v.dy(0, 0, 5, G.filters / 2) = -std::numeric_limits<float>::infinity();
  v.dy(2, G.windows(0) - 1, 0, G.filters - 1) = std::numeric_limits<float>::quiet_NaN();
  session s(y, dx, dw);
  check_equal(std::tuple(s.run(y, dx, dw, x = v.x, w = v.w, dy = v.dy)), v.expected(), "the CPU");
}

}  // namespace

TEST_CASE("law: NaN and infinities in images meet no zeros around them, and no other channel's windows") {
  check_special_values<channelwise_same>();
  check_special_values<left_out>();
}
TEST_CASE("law: channels of a convolution of each alone may lie apart in memory") {
  constexpr const geometry& g = channelwise_strided;
  constexpr placeholder<"x", float, g.batch, g.channels, g.extents[0], g.extents[1]> first;
  constexpr placeholder<"both", float, g.batch, g.extents[0], g.extents[1], 2 * g.channels> both;
  constexpr placeholder<"w", float, g.window[0], g.window[1], 1, g.filters> w;
  constexpr auto padded = conv2d(first, w, channels_first, same_padding, strides<2>, groups<g.groups>);
  constexpr auto bare = conv2d(first, w, channels_first, groups<g.groups>);
  constexpr auto second = slice(both, section<>, section<>, section<>, section<1, to_end, 2>);
  constexpr auto sliced = convolution_of<g>(second, w);
  constexpr auto dw = gradient(sum(square(padded)), w);
  const convolution_values<float> v(g);
  const image<float> vx = xt::transpose(v.x, {0, 3, 1, 2}), y = convolved(g, v.x, v.w);
  image<float> interleaved = xt::ones<float>({g.batch, g.extents[0], g.extents[1], 2 * g.channels});
  xt::view(interleaved, xt::all(), xt::all(), xt::all(), xt::range(1, 2 * g.channels, 2)) = v.x;
  geometry inside = g;
  inside.is_same = false;
  inside.stride[0] = inside.stride[1] = 1;
  session s(padded, bare, sliced, dw);
  check_equal(std::tuple(s.run(padded, bare, sliced, dw, first = vx, both = interleaved, w = v.w)),
              std::tuple(image<float>(xt::transpose(y, {0, 3, 1, 2})),
                         image<float>(xt::transpose(convolved(inside, v.x, v.w), {0, 3, 1, 2})), y,
                         kernel_adjoint(g, v.x, image<float>(2 * y))),
              "the CPU");
}
TEST_CASE("law: windows that named extents have no room for are refused before anything runs") {
  constexpr placeholder<"x", float, any<"n">, any<"h">, any<"w">, 2> x;
  constexpr placeholder<"w", float, 3, 2, 2, 5> w;
  constexpr auto y = convolution_of<named_dilated>(x, w);
  constexpr auto maxima = max_pool2d(x, window<3>, strides<1>);
  session s(y, maxima);
  const image<float> low = xt::ones<float>({2, 4, 5, 2}), narrow = xt::ones<float>({2, 4, 2, 2}),
                     vw = xt::ones<float>({3, 2, 2, 5});
  CHECK_THROWS_WITH(s.run(y, x = low, w = vw), "convolution: axis 1 (\"h\"): expected an extent of at least 5, got 4");
  CHECK_THROWS_WITH(s.run(maxima, x = narrow), "max_pool: axis 2 (\"w\"): expected an extent of at least 3, got 2");
}

TEST_CASE("law: channels may come first, and a transposed convolution is the adjoint") {
  constexpr placeholder<"x", float, 2, 3, 8, 9> x;
  constexpr placeholder<"w", float, 3, 5, 3, 5> w;
  constexpr placeholder<"b", float, 2, 4, 3, 5> b;
  constexpr auto y = conv2d(x, w, channels_first, same_padding, strides<2, 3>);
  constexpr auto t = conv2d_transpose(b, w, same_padding, strides<2, 3>);
  session s(y, t);
  const convolution_values<float> v(three_channels, 5);
  const auto [last, adjoint, unused] = v.expected();
  const image<float> vx = xt::transpose(v.x, {0, 3, 1, 2}), expected = xt::transpose(last, {0, 3, 1, 2});
  check_equal(std::tuple(s.run(y, t, x = vx, w = v.w, b = v.dy)), std::tuple(expected, adjoint), "the CPU");
}
