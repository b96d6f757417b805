// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <limits>
#include <vector>

#include <etch/convolution.hpp>

#include "compare.hpp"

/// Convolutions and pools as their definitions say them, in plain loops: what etch's are compared with.
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
  constexpr geometry with_channels(std::int64_t in, std::int64_t out, std::int64_t grouped = 1) const {
    geometry g = *this;
    g.channels = in;
    g.filters = out;
    g.groups = grouped;
    return g;
  }
  constexpr std::int64_t windows(int i) const {
    const geometry g = placed();
    return (extents[i] + g.before[i] + g.after[i] - dilation[i] * (window[i] - 1) - 1) / stride[i] + 1;
  }
  /// At most so many multiplications.
  constexpr std::int64_t products() const {
    return batch * windows(0) * windows(1) * filters * window[0] * window[1] * channels / groups;
  }
};

template <class T>
using image = xt::xtensor<T, 4>;

/// Calls f(y, x, w) for each product of the sum: how many elements before those of the result, of the image and of the kernel.
template <class F>
void for_each_product(const geometry& written, const F& f) {
  const geometry g = written.placed();
  const std::int64_t channels = g.channels / g.groups, filters = g.filters / g.groups, high = g.windows(0), wide = g.windows(1);
  for (std::int64_t n = 0; n < g.batch; ++n)
    for (std::int64_t oh = 0; oh < high; ++oh)
      for (std::int64_t ow = 0; ow < wide; ++ow)
        for (std::int64_t kh = 0; kh < g.window[0]; ++kh)
          for (std::int64_t kw = 0; kw < g.window[1]; ++kw) {
            const std::int64_t h = oh * g.stride[0] + kh * g.dilation[0] - g.before[0];
            const std::int64_t w = ow * g.stride[1] + kw * g.dilation[1] - g.before[1];
            if (h < 0 || h >= g.extents[0] || w < 0 || w >= g.extents[1]) continue;
            for (std::int64_t q = 0; q < g.groups; ++q)
              for (std::int64_t c = 0; c < channels; ++c) {
                const std::int64_t in_y = ((n * high + oh) * wide + ow) * g.filters + q * filters;
                const std::int64_t in_x = ((n * g.extents[0] + h) * g.extents[1] + w) * g.channels + q * channels + c;
                const std::int64_t in_w = ((kh * g.window[1] + kw) * channels + c) * g.filters + q * filters;
                for (std::int64_t k = 0; k < filters; ++k) f(in_y + k, in_x, in_w + k);
              }
          }
}

/// The result, and the adjoints of image and kernel for a given adjoint of the result. By pointers: without optimisation elements that
/// xtensor finds by four indices took 95 % of these tests' time.
template <class T>
image<T> convolved(const geometry& g, const image<T>& pixels, const image<T>& kernel) {
  image<T> result = xt::zeros<T>(std::array{g.batch, g.windows(0), g.windows(1), g.filters});
  T* const to = result.data();
  const T *const xs = pixels.data(), *const ws = kernel.data();
  for_each_product(g, [=](auto y, auto x, auto w) { to[y] = static_cast<T>(to[y] + xs[x] * ws[w]); });
  return result;
}
template <class T>
image<T> image_adjoint(const geometry& g, const image<T>& dy, const image<T>& kernel) {
  image<T> result = xt::zeros<T>(std::array{g.batch, g.extents[0], g.extents[1], g.channels});
  T* const to = result.data();
  const T *const dys = dy.data(), *const ws = kernel.data();
  for_each_product(g, [=](auto y, auto x, auto w) { to[x] = static_cast<T>(to[x] + dys[y] * ws[w]); });
  return result;
}
template <class T>
image<T> kernel_adjoint(const geometry& g, const image<T>& pixels, const image<T>& dy) {
  image<T> result = xt::zeros<T>(std::array{g.window[0], g.window[1], g.channels / g.groups, g.filters});
  T* const to = result.data();
  const T *const xs = pixels.data(), *const dys = dy.data();
  for_each_product(g, [=](auto y, auto x, auto w) { to[w] = static_cast<T>(to[w] + xs[x] * dys[y]); });
  return result;
}

/// Small ones, whose sums are exact.
template <class T>
image<T> integers(std::mt19937& generator, std::array<std::int64_t, 4> extents) {
  image<T> a = random_array<T>(generator, extents[0], extents[1], extents[2], extents[3]);
  if constexpr (std::is_floating_point_v<T>)
    for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = std::rint(a.data()[i]);
  return a;
}

/// etch's convolution of that geometry.
template <const geometry& G, class X, class W>
constexpr auto convolution_of(X x, W w) {
  constexpr auto with = [](auto... options) {
    return etch::conv2d(options..., etch::strides<G.stride[0], G.stride[1]>, etch::dilations<G.dilation[0], G.dilation[1]>,
                        etch::groups<G.groups>);
  };
  if constexpr (G.is_same)
    return with(x, w, etch::same_padding);
  else
    return with(x, w, etch::padding<G.before[0], G.after[0]>, etch::padding<G.before[1], G.after[1]>);
}

/// Calls f(window's index, elements' indices) for each window and channel; `filters` of a geometry are its channels.
template <class F>
void for_each_window(const geometry& g, const F& f) {
  const geometry p = g.placed();
  using index = std::array<std::int64_t, 4>;
  for (std::int64_t n = 0; n < g.batch; ++n)
    for (std::int64_t oh = 0; oh < g.windows(0); ++oh)
      for (std::int64_t ow = 0; ow < g.windows(1); ++ow)
        for (std::int64_t c = 0; c < g.channels; ++c) {
          std::vector<index> elements;
          for (std::int64_t kh = 0; kh < g.window[0]; ++kh)
            for (std::int64_t kw = 0; kw < g.window[1]; ++kw) {
              const std::int64_t h = oh * p.stride[0] + kh * p.dilation[0] - p.before[0];
              const std::int64_t w = ow * p.stride[1] + kw * p.dilation[1] - p.before[1];
              if (h >= 0 && h < p.extents[0] && w >= 0 && w < p.extents[1]) elements.push_back({n, h, w, c});
            }
          f(index{n, oh, ow, c}, elements);
        }
}

template <class T>
struct pooled {
  image<T> largest, mean, largest_adjoint, mean_adjoint;
};
template <class T>
pooled<T> pool(const geometry& g, const image<T>& x, const image<T>& dy) {
  pooled<T> r;
  r.largest = r.mean = xt::zeros<T>(std::array{g.batch, g.windows(0), g.windows(1), g.channels});
  r.largest_adjoint = r.mean_adjoint = xt::zeros_like(x);
  for_each_window(g, [&](auto to, const auto& elements) {
    const auto at = [](auto& a, const auto& i) -> auto& { return a(i[0], i[1], i[2], i[3]); };
    T sum = 0, best = -std::numeric_limits<T>::infinity();
    std::array<std::int64_t, 4> place{};
    for (const auto& e : elements) {
      sum += at(x, e);
      if (at(x, e) > best) {
        best = at(x, e);
        place = e;
      }
    }
    at(r.largest, to) = best;
    at(r.mean, to) = sum / static_cast<T>(elements.size());
    at(r.largest_adjoint, place) += at(dy, to);
    for (const auto& e : elements) at(r.mean_adjoint, e) += at(dy, to) / static_cast<T>(elements.size());
  });
  return r;
}

/// etch's pool of that geometry.
template <const geometry& G, class Pool, class X>
constexpr auto pool_of(Pool pool, X x) {
  constexpr auto w = etch::window<G.window[0], G.window[1]>;
  constexpr auto s = etch::strides<G.stride[0], G.stride[1]>;
  constexpr auto d = etch::dilations<G.dilation[0], G.dilation[1]>;
  if constexpr (G.is_same)
    return pool(x, w, etch::same_padding, s, d);
  else
    return pool(x, w, etch::padding<G.before[0], G.after[0]>, etch::padding<G.before[1], G.after[1]>, s, d);
}
constexpr auto largest = [](auto... a) { return etch::max_pool2d(a...); };
constexpr auto mean_of = [](auto... a) { return etch::average_pool2d(a...); };

/// Numbers with equal ones among them, whose means are exact where windows have 1, 2, 3, 4, 6, 8, 9 or 12 elements.
template <class T>
image<T> multiples_of_72(std::mt19937& generator, std::array<std::int64_t, 4> extents) {
  image<T> a = random_array<T>(generator, extents[0], extents[1], extents[2], extents[3]);
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = 72 * std::rint(a.data()[i]) + T(0);  // no -0
  return a;
}

}  // namespace laws
