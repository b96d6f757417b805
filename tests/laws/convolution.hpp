// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <vector>

#include <xtensor/xtensor.hpp>

/// Convolution as its definition says it, in plain loops: what etch's is compared with.
namespace laws {

struct geometry {
  std::int64_t batch = 0, extents[2] = {0, 0}, channels = 0, filters = 0, window[2] = {1, 1};
  std::int64_t stride[2] = {1, 1}, dilation[2] = {1, 1};
  std::int64_t before[2] = {0, 0}, after[2] = {0, 0}, groups = 1;
  bool is_same = false;

  /// With paddings as numbers, whether they were written or follow from "same".
  constexpr geometry placed() const {
    geometry g = *this;
    for (int i = 0; is_same && i < 2; ++i) {
      const std::int64_t windows = (extents[i] + stride[i] - 1) / stride[i];
      std::int64_t missing = (windows - 1) * stride[i] + dilation[i] * (window[i] - 1) + 1 - extents[i];
      if (missing < 0) missing = 0;
      g.before[i] = missing / 2;
      g.after[i] = missing - g.before[i];
    }
    return g;
  }
  constexpr std::int64_t windows(int i) const {
    const geometry g = placed();
    return (extents[i] + g.before[i] + g.after[i] - dilation[i] * (window[i] - 1) - 1) / stride[i] + 1;
  }
};

template <class T>
using image = xt::xtensor<T, 4>;

/// Calls f(n, oh, ow, h, w, kh, kw, c, cg, f) for each product of the sum; c: of the image, cg: of the kernel.
template <class F>
void for_each_product(const geometry& written, const F& f) {
  const geometry g = written.placed();
  const std::int64_t channels = g.channels / g.groups, filters = g.filters / g.groups;
  for (std::int64_t n = 0; n < g.batch; ++n)
    for (std::int64_t oh = 0; oh < g.windows(0); ++oh)
      for (std::int64_t ow = 0; ow < g.windows(1); ++ow)
        for (std::int64_t kh = 0; kh < g.window[0]; ++kh)
          for (std::int64_t kw = 0; kw < g.window[1]; ++kw) {
            const std::int64_t h = oh * g.stride[0] + kh * g.dilation[0] - g.before[0];
            const std::int64_t w = ow * g.stride[1] + kw * g.dilation[1] - g.before[1];
            if (h < 0 || h >= g.extents[0] || w < 0 || w >= g.extents[1]) continue;
            for (std::int64_t q = 0; q < g.groups; ++q)
              for (std::int64_t c = 0; c < channels; ++c)
                for (std::int64_t k = 0; k < filters; ++k) f(n, oh, ow, h, w, kh, kw, q * channels + c, c, q * filters + k);
          }
}

/// The result, and the adjoints of image and kernel for a given adjoint of the result.
template <class T>
image<T> convolved(const geometry& g, const image<T>& x, const image<T>& w) {
  image<T> y = xt::zeros<T>(std::array{g.batch, g.windows(0), g.windows(1), g.filters});
  for_each_product(g, [&](auto n, auto oh, auto ow, auto h, auto wide, auto kh, auto kw, auto c, auto cg, auto f) {
    y(n, oh, ow, f) = static_cast<T>(y(n, oh, ow, f) + x(n, h, wide, c) * w(kh, kw, cg, f));
  });
  return y;
}
template <class T>
image<T> image_adjoint(const geometry& g, const image<T>& dy, const image<T>& w) {
  image<T> x = xt::zeros<T>(std::array{g.batch, g.extents[0], g.extents[1], g.channels});
  for_each_product(g, [&](auto n, auto oh, auto ow, auto h, auto wide, auto kh, auto kw, auto c, auto cg, auto f) {
    x(n, h, wide, c) = static_cast<T>(x(n, h, wide, c) + dy(n, oh, ow, f) * w(kh, kw, cg, f));
  });
  return x;
}
template <class T>
image<T> kernel_adjoint(const geometry& g, const image<T>& x, const image<T>& dy) {
  image<T> w = xt::zeros<T>(std::array{g.window[0], g.window[1], g.channels / g.groups, g.filters});
  for_each_product(g, [&](auto n, auto oh, auto ow, auto h, auto wide, auto kh, auto kw, auto c, auto cg, auto f) {
    w(kh, kw, cg, f) = static_cast<T>(w(kh, kw, cg, f) + x(n, h, wide, c) * dy(n, oh, ow, f));
  });
  return w;
}

}  // namespace laws
