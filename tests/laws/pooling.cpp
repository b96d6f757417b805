// SPDX-License-Identifier: MIT
#include "convolution.hpp"

#include "compare.hpp"

#include <etch/convolution.hpp>
#include <etch/tape.hpp>

/// Pools and their gradients are what plain loops over their windows give.
namespace {

using namespace etch;
using laws::check_equal;
using laws::geometry;
using laws::image;

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

template <const geometry& G, class Pool, class X>
constexpr auto call(Pool pool, X x) {
  constexpr auto w = window<G.window[0], G.window[1]>;
  constexpr auto s = strides<G.stride[0], G.stride[1]>;
  constexpr auto d = dilations<G.dilation[0], G.dilation[1]>;
  if constexpr (G.is_same)
    return pool(x, w, same_padding, s, d);
  else
    return pool(x, w, padding<G.before[0], G.after[0]>, padding<G.before[1], G.after[1]>, s, d);
}
constexpr auto largest = [](auto... a) { return max_pool2d(a...); };
constexpr auto mean_of = [](auto... a) { return average_pool2d(a...); };

/// Numbers with equal ones among them, whose means are exact where windows have 1, 2, 3, 4, 6, 8, 9 or 12 elements.
template <class T>
image<T> multiples_of_72(std::mt19937& generator, std::array<std::int64_t, 4> extents) {
  image<T> a = laws::random_array<T>(generator, extents[0], extents[1], extents[2], extents[3]);
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = 72 * std::rint(a.data()[i]) + T(0);  // no -0
  return a;
}

template <const geometry& G, class T>
void check() {
  constexpr placeholder<"x", T, G.batch, G.extents[0], G.extents[1], G.channels> x;
  constexpr placeholder<"dy", T, G.batch, G.windows(0), G.windows(1), G.channels> dy;
  std::mt19937 generator(11);
  const image<T> vx = multiples_of_72<T>(generator, {G.batch, G.extents[0], G.extents[1], G.channels});
  const image<T> vdy = multiples_of_72<T>(generator, {G.batch, G.windows(0), G.windows(1), G.channels});
  const pooled<T> expected = pool(G, vx, vdy);
  constexpr auto y = call<G>(largest, x);
  constexpr auto m = call<G>(mean_of, x);
  constexpr auto dx = gradient(sum(y * dy), x);
  constexpr auto dm = gradient(sum(m * dy), x);
  session s(y, m, dx, dm);
  const auto all = std::tuple(expected.largest, expected.mean, expected.largest_adjoint, expected.mean_adjoint);
  check_equal(std::tuple(s.run(y, m, dx, dm, x = vx, dy = vdy)), all, "the CPU");
  check_equal(std::tuple(reference::run(y, m, dx, dm, x = vx, dy = vdy)), all, "the reference");
  const tensor<T, 4> ex = vx, edy = vdy;
  tape first, second;
  first.watch(ex);
  second.watch(ex);
  const tensor<T, 4> ey = call<G>(largest, ex), em = call<G>(mean_of, ex);
  const tensor<T, 4> edx = first.gradient(sum(ey * edy), ex), edm = second.gradient(sum(em * edy), ex);
  check_equal(std::tuple(laws::copied(ey), laws::copied(em), laws::copied(edx), laws::copied(edm)), all, "on values");
}

constexpr geometry side_by_side{.batch = 2, .extents = {6, 8}, .channels = 5, .window = {2, 2}, .stride = {2, 2}};
constexpr geometry some_left{.batch = 2, .extents = {7, 9}, .channels = 35, .window = {2, 4}, .stride = {2, 4}};
constexpr geometry shared{.batch = 1, .extents = {6, 7}, .channels = 17, .window = {3, 3}};
constexpr geometry padded{.batch = 2,
                          .extents = {5, 6},
                          .channels = 16,
                          .window = {3, 2},
                          .stride = {2, 3},
                          .dilation = {2, 1},
                          .before = {2, 1},
                          .after = {1, 0}};
constexpr geometry same_as{.batch = 2, .extents = {5, 7}, .channels = 3, .window = {3, 3}, .stride = {2, 2}, .is_same = true};
constexpr geometry no_images{.batch = 0, .extents = {4, 4}, .channels = 3, .window = {2, 2}, .stride = {2, 2}};

}  // namespace

TEST_CASE_TEMPLATE("law: pools are extremes and means of windows", T, float, double) {
  check<side_by_side, T>();
  check<some_left, T>();
  check<shared, T>();
  check<padded, T>();
  check<same_as, T>();
  check<no_images, T>();
}
