// SPDX-License-Identifier: MIT
#include "taken.hpp"

/// The same behind ops that move elements and add them up, where the mask goes as the gradient does.
namespace {

using namespace etch::literals;
using etch::axis;
using etch::shape;
using etch::where;
using laws::check_taken;
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// 1 / (2 sqrt x).
double half_root(double x) { return 0.5 / std::sqrt(x); }

}  // namespace

TEST_CASE("law: a condition that is broadcast, and what is broadcast to it") {
  // Rows (1, 2) and (0, -3): one condition for each row. 1 / x where it holds.
  const auto rows = [](auto x) {
    const auto m = etch::reshape(x, shape<2, 2>{});
    return where(etch::sum(m, axis<1>, etch::keep_dims) > 0_c, etch::log(m), 0_c);
  };
  check_taken<4>(rows, {1, 2, 0, -3}, {1, 0.5, 0, 0}, {-1, -0.25, 0, 0}, "a condition for each row");
  // sqrt(x_j) of all pairs (i, j) with x_i < x_j: how often it is larger, times 1 / (2 sqrt x_j). 0 and -1 are never.
  const auto pairs = [](auto x) { return where(etch::reshape(x, shape<4, 1>{}) < x && x > 0_c, etch::sqrt(x), 0_c); };
  check_taken<4>(pairs, {0, -1, 4, 1}, {0, 0, 3 * half_root(4), 2 * half_root(1)}, {0, 0, -3.0 / 32, -2.0 / 4}, "pairs");
}

TEST_CASE("law: reductions behind where: sums, means, products, extremes and logsumexp of rows") {
  // What a row of zeros, or of -inf, gives is not taken.
  check_taken<4>(
      [](auto x) {
        const auto s = etch::sum(etch::reshape(x, shape<2, 2>{}), axis<1>);
        return where(s > 0_c, etch::sqrt(s), 0_c);
      },
      {0, 0, 1, 3}, {0, 0, 0.25, 0.25}, {0, 0, -2.0 / 32, -2.0 / 32}, "sum");
  check_taken<4>(
      [](auto x) {
        const auto p = etch::prod(etch::sqrt(etch::reshape(x, shape<2, 2>{})), axis<1>);
        return where(p > 0_c, p, 0_c);
      },
      {0, 0, 1, 4}, {0, 0, 1, 0.25}, {}, "prod");  // sqrt(a b): b / (2 sqrt(a b)), a / (2 sqrt(a b))
  check_taken<4>(
      [](auto x) {
        const auto m = etch::max(etch::sqrt(etch::reshape(x, shape<2, 2>{})), axis<1>);
        return where(m > 0_c, m, 0_c);
      },
      {0, -1, 1, 4}, {0, 0, 0, 0.25}, {}, "max");
  const double e = std::exp(1.0);
  check_taken<4>(
      [](auto x) {
        const auto l = etch::logsumexp(etch::reshape(x, shape<2, 2>{}), axis<1>);
        return where(etch::isfinite(l), l, 0_c);
      },
      {-inf, not_a_number, 1, 2}, {0, 0, 1 / (1 + e), e / (1 + e)}, {}, "logsumexp");
  check_taken<4>(
      [](auto x) {
        const auto p = etch::softmax(etch::reshape(x, shape<2, 2>{}), axis<1>);
        return where(etch::isfinite(p), p * p, 0_c);
      },
      // p^2 + q^2 with q = 1 - p and p' = p q: 2 (p - q) p q, and its opposite.
      {-inf, not_a_number, 1, 2}, {0, 0, 2 * (1 - e) * e / std::pow(1 + e, 3), -2 * (1 - e) * e / std::pow(1 + e, 3)}, {},
      "softmax");
}

TEST_CASE("law: what moves elements moves the mask") {
  // sqrt of 0, whose slope is infinite, is moved about, and left out where it has come to.
  const std::vector<double> at = {1, 0, 4, 0}, slopes = {half_root(1), 0, half_root(4), 0}, bends = {-0.25, 0, -0.03125, 0};
  check_taken<4>(
      [](auto x) {
        const auto y = etch::flip(etch::sqrt(x), axis<0>);
        return where(y > 0_c, y, 0_c);
      },
      at, slopes, bends, "flip");
  check_taken<4>(
      [](auto x) {
        const auto y = etch::transpose(etch::reshape(etch::sqrt(x), shape<2, 2>{}));
        return where(y > 0_c, y, 0_c);
      },
      at, slopes, bends, "transpose and reshape");
  check_taken<4>(
      [](auto x) {
        const auto y =
            etch::concat(axis<0>, etch::pad(etch::slice(etch::sqrt(x), etch::section<0, 3>), etch::padding<1, 1>), etch::sqrt(x));
        return where(y > 0_c, y, 0_c);
      },
      at, {1, 0, half_root(4) * 2, 0}, {}, "slice, pad and concat");
  check_taken<4>(
      [](auto x) {
        const auto y = etch::gather(etch::sqrt(x), etch::argsort(x));
        return where(y > 0_c, y, 0_c);
      },
      at, slopes, bends, "gather");
  check_taken<4>(
      [](auto x) {
        const auto y = etch::sort(etch::sqrt(x));
        return where(y > 0_c, y, 0_c);
      },
      at, slopes, bends, "sort");
  check_taken<4>(
      [](auto x) {
        const auto y = etch::roll<1>(etch::sqrt(x), axis<0>);
        return where(y > 0_c, y, 0_c);
      },
      at, slopes, bends, "roll");
}

/// y where an element of x is one of the first two, else 0.
constexpr auto first_two = [](auto x, auto y) { return where(etch::cumsum(etch::astype<int>(x > -9_c), axis<0>) < 3_c, y, 0_c); };

TEST_CASE("law: what runs along an axis, of which the first are taken") {
  // Behind the first two there is 0, whose root has an infinite slope, and NaN. sqrt(1) + (sqrt(1) + sqrt(4)).
  check_taken<4>([](auto x) { return first_two(x, etch::cumsum(etch::sqrt(x), axis<0>)); }, {1, 4, 0, -1}, {1, 0.25, 0, 0},
                 {-0.5, -0.03125, 0, 0}, "cumsum");
  // sqrt(a) + sqrt(a b), at 1 and 4: 1/2 + 1 and 1/4.
  check_taken<4>([](auto x) { return first_two(x, etch::cumprod(etch::sqrt(x), axis<0>)); }, {1, 4, 0, -1}, {1.5, 0.25, 0, 0}, {},
                 "cumprod");
  // log(a) + log(a + b) as logarithms of sums of exponentials: 1/a + 1 / (a + b) and 1 / (a + b).
  check_taken<4>([](auto x) { return first_two(x, etch::logcumsumexp(etch::log(x), axis<0>)); }, {1, 4, 0, -1}, {1.2, 0.2, 0, 0},
                 {}, "logcumsumexp");
}

namespace {
constexpr auto updated = [](auto x, auto... mode) {
  const auto root = etch::sqrt(x);
  const auto places = etch::expand_dims(etch::astype<int>(x > 2_c) * 3_c, axis<1>);
  return etch::scatter_nd<1>(root * 0.5_c, places, root, mode...);
};
constexpr auto last = [](auto y) { return where(etch::isfinite(y) && y > 1_c, y, 0_c); };
}  // namespace

TEST_CASE("law: where behind updates by position") {
  // Elements 3, 0 and 0 of zeros: the first is taken, 1 / (2 sqrt x); of updates of one place the larger one.
  check_taken<4>([](auto x) { return last(updated(x)); }, {0, 4, 0, -1}, {0, 0.25, 0, 0}, {}, "replaced");
  check_taken<4>([](auto x) { return last(updated(x, etch::maximum)); }, {0, 4, 0, 1}, {0, 0.25, 0, 0}, {}, "the larger");
}
