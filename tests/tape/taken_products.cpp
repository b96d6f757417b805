// SPDX-License-Identifier: MIT
#include <etch/convolution.hpp>

#include "taken.hpp"

/// The same behind products of matrices, convolutions and pools.
namespace {

using namespace etch::literals;
using etch::shape;
using etch::where;
using laws::check_taken;
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("law: products of matrices of which rows or columns are taken") {
  // m = (a b; NaN inf), w = (c; d): the first row is a c + b d, with the slopes c, d, a and b.
  const std::vector<double> at = {1, 2, not_a_number, inf, 3, 5};
  check_taken<6>(
      [](auto x) {
        const auto m = etch::reshape(etch::slice(x, etch::section<0, 4>), shape<2, 2>{});
        const auto y = etch::matmul(m, etch::reshape(etch::slice(x, etch::section<4, 6>), shape<2, 1>{}));
        return where(etch::isfinite(y), y, 0_c);
      },
      at, {3, 5, 0, 0, 1, 2}, {1, 1, 0, 0, 1, 1}, "rows");
  check_taken<6>(
      [](auto x) {
        const auto m = etch::reshape(etch::slice(x, etch::section<0, 4>), shape<2, 2>{});
        const auto y = etch::matmul(m, etch::slice(x, etch::section<4, 6>));
        return where(etch::isfinite(y), y, 0_c);
      },
      at, {3, 5, 0, 0, 1, 2}, {}, "rows, of a vector");
  check_taken<6>(
      [](auto x) {
        const auto m = etch::transpose(etch::reshape(etch::slice(x, etch::section<0, 4>), shape<2, 2>{}));
        const auto y = etch::matmul(etch::reshape(etch::slice(x, etch::section<4, 6>), shape<1, 2>{}), m);
        return where(etch::isfinite(y), y, 0_c);
      },
      at, {3, 5, 0, 0, 1, 2}, {}, "columns");
  check_taken<6>(
      [](auto x) {
        const auto m = etch::reshape(etch::slice(x, etch::section<0, 4>), shape<2, 1, 2>{});
        const auto y = etch::einsum<"nij,j->ni">(m, etch::slice(x, etch::section<4, 6>));
        return where(etch::isfinite(y), etch::exp(y) * 0_c + y, 0_c);
      },
      at, {3, 5, 0, 0, 1, 2}, {}, "einsum");
}

TEST_CASE("law: convolutions and pools of which some images are taken") {
  // Two images of two elements, a kernel of two: a c + b d as above.
  check_taken<6>(
      [](auto x) {
        const auto images = etch::reshape(etch::slice(x, etch::section<0, 4>), shape<2, 2, 1>{});
        const auto y = etch::conv1d(images, etch::reshape(etch::slice(x, etch::section<4, 6>), shape<2, 1, 1>{}));
        return where(etch::isfinite(y), y, 0_c);
      },
      {1, 2, not_a_number, inf, 3, 5}, {3, 5, 0, 0, 1, 2}, {}, "convolution");
  check_taken<4>(
      [](auto x) {
        const auto y = etch::max_pool1d(etch::reshape(etch::sqrt(x), shape<1, 4, 1>{}), etch::window<2>);
        return where(y > 0_c, y, 0_c);
      },
      {1, 4, 0, 0}, {0, 0.25, 0, 0}, {}, "max_pool");
  check_taken<4>(
      [](auto x) {
        const auto y = etch::average_pool1d(etch::reshape(etch::sqrt(x), shape<1, 4, 1>{}), etch::window<2>);
        return where(y > 0_c, y, 0_c);
      },
      {1, 4, 0, 0}, {0.25, 0.125, 0, 0}, {}, "average_pool");
}
