// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "geometries.hpp"

/// Pools and their gradients are what plain loops over their windows give.
namespace {

using namespace etch;
using namespace laws;

template <const geometry& G, class T>
void check() {
  constexpr placeholder<"x", T, G.batch, G.extents[0], G.extents[1], G.channels> x;
  constexpr placeholder<"dy", T, G.batch, G.windows(0), G.windows(1), G.channels> dy;
  const pool_values<T> v(G);
  constexpr auto y = pool_of<G>(largest, x);
  constexpr auto m = pool_of<G>(mean_of, x);
  constexpr auto dx = gradient(sum(y * dy), x);
  constexpr auto dm = gradient(sum(m * dy), x);
  session s(y, m, dx, dm);
  check_equal(std::tuple(s.run(y, m, dx, dm, x = v.x, dy = v.dy)), v.expected(), "the CPU");
  check_equal(std::tuple(reference::run(y, m, dx, dm, x = v.x, dy = v.dy)), v.expected(), "the reference");
}

}  // namespace

TEST_CASE_TEMPLATE("law: pools are extremes and means of windows", T, float, double) {
  check<side_by_side, T>();
  check<some_left, T>();
  check<shared, T>();
  check<padded_pools, T>();
  check<same_as, T>();
  check<many_channels, T>();
  check<many_channels_shared, T>();
  check<no_images_to_pool, T>();
}

TEST_CASE("means of windows over more than 65,536 elements count subnormal numbers as 0, however few they are") {
  const auto sizes = [](auto height) {
    constexpr int H = decltype(height)::value;
    constexpr placeholder<"x", float, 1, H, 256, 1> x;
    const xt::xtensor<float, 4> tiny = xt::ones<float>({1, H, 256, 1}) * 1e-39f;
    constexpr auto means = average_pool2d(x, window<8>, strides<8>);
    session s(means);
    const xt::xtensor<float, 4> got = s.run(means, x = tiny);
    return std::pair(got.size(), std::count_if(got.begin(), got.end(), [](float m) { return m != 0; }));
  };
  CHECK(sizes(std::integral_constant<int, 248>{}) == std::pair(std::size_t{992}, std::ptrdiff_t{992}));  // 63,488 and 992
  CHECK(sizes(std::integral_constant<int, 256>{}) == std::pair(std::size_t{1024}, std::ptrdiff_t{0}));
}
