// SPDX-License-Identifier: MIT
#include "windows.hpp"

/// Pools and their gradients are what plain loops over their windows give.
namespace {

using namespace etch;
using laws::check_equal;
using laws::geometry;
using laws::image;

template <const geometry& G, class T>
void check() {
  constexpr placeholder<"x", T, G.batch, G.extents[0], G.extents[1], G.channels> x;
  constexpr placeholder<"dy", T, G.batch, G.windows(0), G.windows(1), G.channels> dy;
  std::mt19937 generator(11);
  const image<T> vx = laws::multiples_of_72<T>(generator, {G.batch, G.extents[0], G.extents[1], G.channels});
  const image<T> vdy = laws::multiples_of_72<T>(generator, {G.batch, G.windows(0), G.windows(1), G.channels});
  const laws::pooled<T> expected = laws::pool(G, vx, vdy);
  constexpr auto y = laws::pool_of<G>(laws::largest, x);
  constexpr auto m = laws::pool_of<G>(laws::mean_of, x);
  constexpr auto dx = gradient(sum(y * dy), x);
  constexpr auto dm = gradient(sum(m * dy), x);
  session s(y, m, dx, dm);
  const auto all = std::tuple(expected.largest, expected.mean, expected.largest_adjoint, expected.mean_adjoint);
  check_equal(std::tuple(s.run(y, m, dx, dm, x = vx, dy = vdy)), all, "the CPU");
  check_equal(std::tuple(reference::run(y, m, dx, dm, x = vx, dy = vdy)), all, "the reference");
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
