// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <etch/convolution.hpp>

#include "../session/executors.hpp"
#include "plain_product.hpp"

/// Depthwise convolutions to which something is added and whose results are limited, as MobileNet's layers do: tiles do that before they store, and
/// what fills no register goes another way. Results are those of plain loops over the definition; the numbers are small integers, so that sums
/// are exact in any order.
namespace {

using namespace etch;
using namespace etch::literals;

template <class T>
using array = xt::xtensor<T, 4>;

template <class T>
void make_special(array<T>& x, std::size_t step) {
  constexpr T special[] = {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(),
                           -std::numeric_limits<T>::infinity()};
  for (std::size_t i = 0; i < x.size(); i += step) x.data()[i] = special[i / step % 3];
}
template <class T>
T larger(T x, T low) {
  return x > low || std::isnan(x) ? x : low;
}
template <class T>
T smaller(T x, T high) {
  return x < high || std::isnan(x) ? x : high;
}

/// Windows of 3 x 3 whose middle is each `Stride`-th place, outside of the image 0.
template <int Stride, class T>
array<T> plain(const array<T>& x, const array<T>& kernel) {
  const auto height = static_cast<int>(x.shape()[1]), width = static_cast<int>(x.shape()[2]);
  const std::size_t channels = x.shape()[3];
  const auto padding = [](int size) { return std::max((size - 1) / Stride * Stride + 3 - size, 0) / 2; };
  array<T> y =
      xt::zeros<T>({x.shape()[0], std::size_t((height - 1) / Stride + 1), std::size_t((width - 1) / Stride + 1), channels});
  for (std::size_t n = 0; n < x.shape()[0]; ++n)
    for (int i = 0; i < static_cast<int>(y.shape()[1]); ++i)
      for (int j = 0; j < static_cast<int>(y.shape()[2]); ++j)
        for (int p = 0; p < 3; ++p)
          for (int q = 0; q < 3; ++q) {
            const int at = i * Stride + p - padding(height), along = j * Stride + q - padding(width);
            if (at < 0 || at >= height || along < 0 || along >= width) continue;
            for (std::size_t c = 0; c < channels; ++c)
              y(n, std::size_t(i), std::size_t(j), c) +=
                  x(n, std::size_t(at), std::size_t(along), c) * kernel(std::size_t(p), std::size_t(q), 0, c);
          }
  return y;
}

template <class T, class F>
array<T> each(const array<T>& x, const F& f) {
  array<T> y = x;
  for (std::size_t i = 0; i < y.size(); ++i) y.data()[i] = f(x.data()[i], i);
  return y;
}
template <class T>
bool same(const array<T>& a, const array<T>& b) {
  if (a.shape() != b.shape()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a.data()[i] != b.data()[i] && !(std::isnan(a.data()[i]) && std::isnan(b.data()[i]))) return false;
  return true;
}

template <class T, int Height, int Width, int Channels, int Stride>
void check() {
  constexpr placeholder<"x", T, 2, Height, Width, Channels> x;
  constexpr placeholder<"kernel", T, 3, 3, 1, Channels> kernel;
  constexpr placeholder<"bias", T, Channels> bias;
  constexpr placeholder<"before", T, 2, (Height - 1) / Stride + 1, (Width - 1) / Stride + 1, Channels> before;
  constexpr auto y = conv2d(x, kernel, groups<Channels>, strides<Stride>, same_padding);
  constexpr auto limited = clip(y + bias, 0_c, 6_c);
  constexpr auto alone = clip(y, 0_c, 6_c);
  constexpr auto cut = relu(y + bias);
  constexpr auto residual = clip(before + y, 0_c, 6_c);
  constexpr auto other_order = maximum(minimum(y + bias, 6_c), 0_c);
  constexpr auto from_one = clip(y, 1_c, 6_c);
  constexpr auto above = minimum(y, 6_c);
  constexpr auto twice = minimum(clip(y, 0_c, 9_c), 6_c);
  session s(limited, alone, cut, residual, other_order, from_one, above, twice);
  const auto channels = static_cast<std::size_t>(Channels);
  array<T> vx = laws::integers<T, 4>({2, std::size_t{Height}, std::size_t{Width}, channels}, -3, 3, 1),
           vk = laws::integers<T, 4>({3, 3, 1, channels}, -2, 2, 2);
  const auto vb = laws::integers<T, 1>({channels}, -4, 4, 3);
  for (const std::size_t step : {std::size_t{0}, std::size_t{97}}) {
    if (step != 0) make_special(vx, step);
    const array<T> sums = plain<Stride>(vx, vk), vbefore = laws::integers<T, 4>(sums.shape(), -4, 4, 4);
    const auto biased = each(sums, [&](T v, std::size_t i) { return v + vb.data()[i % channels]; });
    const auto in = [&](T low, T top) { return [=](T v, std::size_t) { return smaller(larger(v, low), top); }; };
    constexpr T most = std::numeric_limits<T>::infinity(), six = T(6);
    const auto check_with = [&](const char* how) {
      INFO(how, ": ", Height, " x ", Width, ", ", Channels, " channels, stride ", Stride);
      CHECK(same<T>(s.run(limited, x = vx, kernel = vk, bias = vb), each(biased, in(0, six))));
      CHECK(same<T>(s.run(alone, x = vx, kernel = vk), each(sums, in(0, six))));
      CHECK(same<T>(s.run(cut, x = vx, kernel = vk, bias = vb), each(biased, in(0, most))));
      CHECK(same<T>(s.run(residual, x = vx, kernel = vk, before = vbefore),
                    each(sums, [&](T v, std::size_t i) { return in(0, six)(v + vbefore.data()[i], i); })));
      CHECK(same<T>(s.run(other_order, x = vx, kernel = vk, bias = vb), each(biased, in(0, six))));
      CHECK(same<T>(s.run(from_one, x = vx, kernel = vk), each(sums, in(1, six))));
      CHECK(same<T>(s.run(above, x = vx, kernel = vk), each(sums, in(-most, six))));
      CHECK(same<T>(s.run(twice, x = vx, kernel = vk), each(sums, in(0, six))));
    };
    check_with("one thread");
    executors::backwards threads(3);
    s.set_executor(&threads);
    check_with("three workers");
    CHECK(threads.shared > 0);
    s.set_executor(nullptr);
  }
}

}  // namespace

TEST_CASE("law: limited depthwise convolutions are plain loops, whatever fills a register") {
  check<float, 5, 9, 3, 1>();
  check<float, 7, 6, 37, 2>();
  check<float, 4, 13, 150, 1>();
  check<double, 6, 7, 11, 2>();
}
