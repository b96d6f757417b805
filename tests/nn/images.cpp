// SPDX-License-Identifier: MIT
#include <laws/modes.hpp>

#include <etch/convolution.hpp>
#include <xtensor/xview.hpp>

#include "laws/windows.hpp"

/// Layers of networks that see images: what they compute, which variables they have, and that they learn.
namespace {

using namespace etch;
using laws::check_described;
using laws::described;

template <class... E>
xt::xtensor<double, 4> numbers(E... extents) {
  xt::xtensor<double, 4> a = xt::zeros<double>({static_cast<std::size_t>(extents)...});
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = static_cast<double>(i * i % 23) - 11;
  return a;
}

/// The mean and the variance of what f(n, h, w, c) chooses among the elements of x.
struct moments {
  double mean = 0, variance = 0;
};
template <class F>
moments moments_of(const xt::xtensor<double, 4>& x, const F& f) {
  moments m;
  double count = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (std::size_t n = 0; n < x.shape(0); ++n)
      for (std::size_t h = 0; h < x.shape(1); ++h)
        for (std::size_t w = 0; w < x.shape(2); ++w)
          for (std::size_t c = 0; c < x.shape(3); ++c) {
            if (!f(n, c)) continue;
            if (pass == 0) {
              m.mean += x(n, h, w, c);
              ++count;
            } else {
              m.variance += (x(n, h, w, c) - m.mean / count) * (x(n, h, w, c) - m.mean / count);
            }
          }
  return {m.mean / count, m.variance / count};
}

}  // namespace

TEST_CASE("layers: a convolution has a kernel and a bias, and learns") {
  constexpr placeholder<"x", double, any<"n">, 6, 5, 4> x;
  constexpr auto y = nn::conv2d<"first", 6, 3, 2>(x, same_padding, strides<2>, groups<2>);
  constexpr auto kernel = find_variable<"first/kernel">(y);
  constexpr auto bias = find_variable<"first/bias">(y);
  static_assert(std::is_same_v<decltype(kernel)::shape_type, shape<3, 2, 2, 6>> &&
                std::is_same_v<decltype(bias)::shape_type, shape<6>>);
  constexpr auto loss = mean(square(y - 1_c));
  constexpr auto train = optimizers::sgd(0.001_c).minimize(loss);
  constexpr auto first = nn::conv2d<"last", 2, 3>(x);
  constexpr auto channels = nn::conv2d<"turned", 2, 3>(transpose(x, axis<0, 3, 1, 2>), channels_first);
  session s(y, loss, train, first, channels);
  s.initialize(7);
  const auto at = numbers(3, 6, 5, 4);
  const laws::geometry g{
      .batch = 3, .extents = {6, 5}, .channels = 4, .filters = 6, .window = {3, 2}, .stride = {2, 2}, .groups = 2, .is_same = true};
  s.set(bias, xt::xtensor<double, 1>{1, 2, 3, 4, 5, 6});
  xt::xtensor<double, 4> expected = laws::convolved<double>(g, at, s.get(kernel));
  for (std::size_t i = 0; i < expected.size(); ++i) expected.data()[i] += static_cast<double>(i % 6 + 1);
  check_described(described(s.run(y, x = at)), described(expected), 1e-13, "conv2d");
  s.set(find_variable<"turned/kernel">(channels), xt::xtensor<double, 4>(s.get(find_variable<"last/kernel">(first))));
  const xt::xtensor<double, 4> last = s.run(first, x = at), turned = s.run(channels, x = at);
  check_described(described(turned), described(xt::xtensor<double, 4>(xt::transpose(last, {0, 3, 1, 2}))), 1e-13, "channels first");
  const double before = s.run(loss, x = at);
  for (int i = 0; i < 50; ++i) s.run(train, x = at);
  CHECK(s.run(loss, x = at) < 0.9 * before);
}

TEST_CASE("layers: a batch norm normalises by the batch and remembers, then by what it remembers") {
  constexpr placeholder<"x", double, any<"n">, 2, 3, 2> x;
  constexpr auto trained = nn::batch_norm<"norm">(x, nn::training, 0.75_c);
  constexpr auto used = nn::batch_norm<"norm">(x);
  constexpr auto mean_of = find_variable<"norm/moving_mean">(used);
  constexpr auto variance_of = find_variable<"norm/moving_variance">(used);
  constexpr auto scale = find_variable<"norm/scale">(used);
  constexpr auto slope = gradient(sum(trained * trained * x), x);
  session s(trained, used, slope);
  s.initialize(1);
  s.set(scale, xt::xtensor<double, 1>{2, -1});
  double moving[2][2] = {{0, 1}, {0, 1}};
  const auto at = numbers(4, 2, 3, 2);
  for (int run = 0; run < 3; ++run) {
    xt::xtensor<double, 4> expected = at;
    for (std::size_t c = 0; c < 2; ++c) {
      const moments m = moments_of(at, [&](std::size_t, std::size_t channel) { return channel == c; });
      for (std::size_t i = c; i < at.size(); i += 2)
        expected.data()[i] = (at.data()[i] - m.mean) / std::sqrt(m.variance + 1e-3) * (c == 0 ? 2 : -1);
      moving[c][0] = 0.75 * moving[c][0] + 0.25 * m.mean;
      moving[c][1] = 0.75 * moving[c][1] + 0.25 * m.variance;
    }
    check_described(described(s.run(trained, x = at)), described(expected), 1e-12, "training");
    for (std::size_t c = 0; c < 2; ++c) {
      CHECK(s.get(mean_of)(c) == doctest::Approx(moving[c][0]).epsilon(1e-12));
      CHECK(s.get(variance_of)(c) == doctest::Approx(moving[c][1]).epsilon(1e-12));
    }
  }
  xt::xtensor<double, 4> expected = at;
  for (std::size_t i = 0; i < at.size(); ++i)
    expected.data()[i] = (at.data()[i] - moving[i % 2][0]) / std::sqrt(moving[i % 2][1] + 1e-3) * (i % 2 == 0 ? 2 : -1);
  check_described(described(s.run(used, x = at)), described(expected), 1e-12, "evaluation");
  CHECK(s.get(mean_of)(0) == doctest::Approx(moving[0][0]).epsilon(1e-12));

  // The gradient flows through the batch's mean and variance: against central differences.
  const xt::xtensor<double, 4> got = s.run(slope, x = at);
  const auto value = [&](std::size_t i, double by) {
    xt::xtensor<double, 4> moved = at;
    moved.data()[i] += by;
    const xt::xtensor<double, 4> y = s.run(trained, x = moved);
    double total = 0;
    for (std::size_t k = 0; k < y.size(); ++k) total += y.data()[k] * y.data()[k] * moved.data()[k];
    return total;
  };
  for (std::size_t i = 0; i < at.size(); i += 5)
    CHECK(got.data()[i] == doctest::Approx((value(i, 1e-5) - value(i, -1e-5)) / 2e-5).epsilon(1e-6));
}

TEST_CASE("layers: a batch norm of equal numbers is its offset, and remembers them") {
  constexpr placeholder<"x", float, any<"n">, 2> x;
  constexpr auto trained = nn::batch_norm<"norm">(x, nn::training, 0_c);
  constexpr auto slope = gradient(sum(trained * x), x);
  session s(trained, slope);
  s.initialize(1);
  for (const std::size_t n : {1u, 5u, 7u, 1000u, 5001u}) {
    xt::xtensor<float, 2> at = xt::xtensor<float, 2>::from_shape({n, 2});
    for (std::size_t i = 0; i < n; ++i) at(i, 0) = 16777215, at(i, 1) = -1.f / 3;
    const xt::xtensor<float, 2> y = s.run(trained, x = at);
    for (const float element : y) CHECK(element == 0);
    CHECK(s.get(find_variable<"norm/moving_mean">(trained)) == xt::xtensor<float, 1>{16777215, -1.f / 3});
    CHECK(s.get(find_variable<"norm/moving_variance">(trained)) == xt::xtensor<float, 1>{0, 0});
    for (const float element : xt::xtensor<float, 2>(s.run(slope, x = at))) CHECK(std::isfinite(element));
  }
}

TEST_CASE("layers: a batch norm by what it remembers is part of the convolution before it") {
  constexpr placeholder<"x", float, any<"n">, 6, 5, 4> x;
  constexpr auto plain = nn::conv2d<"plain", 8, 3>(x);
  constexpr auto normalised = relu(nn::batch_norm<"norm">(nn::conv2d<"other", 8, 3>(x)));
  static_assert(plan_of(plain, x).kernel_count == 1 &&
                plan_of(normalised, x).kernel_count == 2);  // one computes the channels' factors
}

TEST_CASE("layers: group and instance norm normalise each image's groups and channels") {
  constexpr placeholder<"x", double, any<"n">, 2, 3, 6> x;
  constexpr auto scale = arange<double>(shape<6>{}) + 1_c;
  constexpr auto offset = arange<double>(shape<6>{}) - 2_c;
  constexpr auto grouped = group_norm<2>(x, scale, offset);
  constexpr auto each = instance_norm(x, scale, offset);
  session s(grouped, each);
  const auto at = numbers(3, 2, 3, 6);
  xt::xtensor<double, 4> by_group = at, by_channel = at;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::size_t image = i / 36, channel = i % 6;
    const moments g = moments_of(at, [&](std::size_t n, std::size_t c) { return n == image && c / 3 == channel / 3; });
    const moments c1 = moments_of(at, [&](std::size_t n, std::size_t c) { return n == image && c == channel; });
    const auto k = static_cast<double>(channel);
    by_group.data()[i] = (at.data()[i] - g.mean) / std::sqrt(g.variance + 1e-5) * (k + 1) + k - 2;
    by_channel.data()[i] = (at.data()[i] - c1.mean) / std::sqrt(c1.variance + 1e-5) * (k + 1) + k - 2;
  }
  check_described(described(s.run(grouped, x = at)), described(by_group), 1e-12, "groups");
  check_described(described(s.run(each, x = at)), described(by_channel), 1e-12, "channels");
}
