// SPDX-License-Identifier: MIT
#include "taken.hpp"

/// Programs whose gradients are NaN where 0 is multiplied with the slope of what `where` has not taken: behind it elementwise ops and
/// sums. The derivations stand beside the numbers.
namespace {

using namespace etch::literals;
using etch::where;
using laws::check_taken;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

}  // namespace

/// An op of a user's, whose rule knows nothing of masks.
inline constexpr struct root_of_a_user : etch::elementwise<struct root_of_a_user, 1> {
  static constexpr const char* name = "root_of_a_user";
  static constexpr etch::dtype_set accepts = etch::dtype_set::floating;
  template <class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const V& x) {
    return etch::math::sqrt(x);
  }
  template <class V>
  static constexpr void vjp(const etch::gradient_rule<V>& r) {
    r.dx[0] = etch::divide(r.dy, 2_c * r.y);
  }
} root_of_a_user;

TEST_CASE("law: a NaN or infinity on the other side of where does not reach its value") {
  constexpr etch::placeholder<"x", double, 4> x;
  const auto at = laws::vector_of({-1, 0, 4, not_a_number});
  laws::check_modes([](auto v) { return where(v > 0_c, etch::sqrt(v), 0_c); }, x, at, {{4}, {0, 0, 2, 0}}, "sqrt");
  laws::check_modes([](auto v) { return etch::sum(where(v > 0_c, 1_c / v, where(v < 0_c, v + 1_c, 0_c))); }, x, at, {{}, {0.25}},
                    "in a sum");
}

TEST_CASE("law: where beside a root: 1 for x < 1, else 1 / (2 sqrt x)") {
  // sqrt'(0) = inf and sqrt(-1) is NaN. Twice: 0, else -1 / (4 x sqrt x).
  check_taken<4>([](auto x) { return where(x < 1_c, x, etch::sqrt(x)); }, {0, -1, 0.25, 4}, {1, 1, 1, 0.25}, {0, 0, 0, -0.03125},
                 "sqrt");
}

TEST_CASE("law: where beside a quotient: sin(x) / x, which is 1 at 0") {
  // (x cos x - sin x) / x^2, and at 0 that of a constant. Twice: -sin x / x - 2 cos x / x^2 + 2 sin x / x^3; at 2, s = sin 2, c = cos 2:
  const double s = std::sin(2.0), c = std::cos(2.0);
  check_taken<2>([](auto x) { return where(x == 0_c, 1_c, etch::sin(x) / x); }, {0, 2}, {0, (2 * c - s) / 4},
                 {0, -s / 2 - c / 2 + s / 4}, "sin(x) / x");
}

TEST_CASE("law: where beside a quotient whose divisor is a sum of all") {
  // f = T / S, T the sum of the logarithms of positive elements, S of all. df/dx_k = [x_k > 0] / (x_k S) - T / S^2, with S = 3, T = log 2.
  // The sum of these is H / S - 3 T / S^2, H the sum of 1 / x for positive ones; by x_k: -[x_k > 0] / (x_k^2 S) - H / S^2
  // - 3 [x_k > 0] / (x_k S^2) + 6 T / S^3, with H = 3/2.
  const double t = std::log(2.0), rest = -1.5 / 9 + 6 * t / 27;
  check_taken<3>([](auto x) { return where(x > 0_c, etch::log(x) / etch::sum(x), 0_c); }, {0, 1, 2},
                 {-t / 9, 1.0 / 3 - t / 9, 1.0 / 6 - t / 9}, {rest, -1.0 / 3 - 1.0 / 3 + rest, -1.0 / 12 - 1.0 / 6 + rest},
                 "log(x) / sum(x)");
}

TEST_CASE("law: where beside the direction of a vector, which nothing has that is 0") {
  // One condition for all elements; the root's slope is infinite and the quotient is 0 / 0.
  const auto direction = [](auto x) {
    const auto length = etch::sqrt(etch::sum(x * x));
    return where(length > 0_c, x / length, 0_c);
  };
  check_taken<3>(direction, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, "x / |x| at 0");
  // The sum of x / r has the slopes 1 / r - x_k (sum x) / r^3: r = 5 and sum 7: 1/5 - 21/125, 1/5 - 28/125.
  check_taken<2>(direction, {3, 4}, {0.2 - 21.0 / 125, 0.2 - 28.0 / 125}, {}, "x / |x|");
}

TEST_CASE("law: where inside where") {
  // log(x - 1) for x > 1: 1 / (x - 1); else sqrt(x) for x > 0: 1 / (2 sqrt x); else 0.
  check_taken<4>([](auto x) { return where(x > 0_c, where(x > 1_c, etch::log(x - 1_c), etch::sqrt(x)), 0_c); }, {-1, 0, 1, 4},
                 {0, 0, 0.5, 1.0 / 3}, {0, 0, -0.25, -1.0 / 9}, "where in where");
  // In what chooses, and in what is chosen: a piece each for x <= 0, up to 1, up to 2 and beyond: x^2, sqrt, 1 / (x - 1), log(x - 2).
  check_taken<4>(
      [](auto x) {
        return where(x <= 0_c, x * x, where(x <= 1_c, etch::sqrt(x), where(x <= 2_c, 1_c / (x - 1_c), etch::log(x - 2_c))));
      },
      {0, 1, 2, 3}, {0, 0.5, -1, 1}, {2, -0.25, 2, -1}, "four pieces");
}

TEST_CASE("law: where behind an elementwise chain, and more than one use of what it masks") {
  // u = where(x > 0, log x, 0); u^2 + u: (2 u + 1) / x. At 1: 1, twice (2 - 2 u - 1) / x^2 = 1.
  check_taken<3>(
      [](auto x) {
        const auto u = where(x > 0_c, etch::log(x), 0_c);
        return u * u + u;
      },
      {0, 1, -2}, {0, 1, 0}, {0, 1, 0}, "log, squared");
  // What is masked on one way and not on the other: x + where(x > 0, sqrt(x), 0) x.
  // For x > 0: 1 + 3/2 sqrt x, and twice 3 / (4 sqrt x).
  check_taken<2>([](auto x) { return x + where(x > 0_c, etch::sqrt(x), 0_c) * x; }, {0, 4}, {1, 4}, {0, 0.375}, "sqrt(x) x + x");
}

TEST_CASE("law: powers, roots, inverse functions and a user's op beside where") {
  // Slopes at 0 or beyond the domain are inf or NaN: x^-1.5, acos, rsqrt, exp. At 0.25 they are -1.5 x^-2.5 = -48, -1 / sqrt(1 - x^2),
  // -x^-1.5 / 2 = -4.
  const double q = 0.25, of_acos = -1 / std::sqrt(1 - q * q);
  check_taken<3>([](auto x) { return where(x > 0_c, etch::pow(x, -1.5_c), x); }, {0, -1, q}, {1, 1, -48}, {}, "pow");
  check_taken<3>([](auto x) { return where(etch::abs(x) < 1_c, etch::acos(x), 0_c); }, {1, 2, q}, {0, 0, of_acos}, {}, "acos");
  check_taken<3>([](auto x) { return where(x > 0_c, etch::rsqrt(x), 0_c); }, {0, -1, q}, {0, 0, -4}, {}, "rsqrt");
  check_taken<2>([](auto x) { return where(x < 700_c, etch::exp(x), x); }, {1000, 0}, {1, 1}, {0, 1}, "exp");
  check_taken<3>([](auto x) { return where(x > 0_c, root_of_a_user(x), 0_c); }, {0, -1, q}, {0, 0, 1}, {}, "an op of a user's");
}

TEST_CASE("law: what chooses as where does, beside where") {
  // clip, which is maximum and minimum, and abs of sqrt(x) - 1, whose slope is 1 / (2 sqrt x) where it is chosen, -1 / (2 sqrt x) below 1 for abs.
  check_taken<3>([](auto x) { return where(x > 0_c, etch::clip(etch::sqrt(x) - 1_c, 0_c, 9_c), 0_c); }, {0, 0.25, 4}, {0, 0, 0.25},
                 {}, "clip");
  check_taken<3>([](auto x) { return where(x > 0_c, etch::abs(etch::sqrt(x) - 1_c), 0_c); }, {0, 0.25, 4}, {0, -1, 0.25}, {},
                 "abs");
}

TEST_CASE("law: a NaN that where has taken stays, and so does 0 times an infinite slope that it has taken") {
  check_taken<3>([](auto x) { return where(x > 0_c, etch::sqrt(x - 2_c), 0_c); }, {-1, 1, 3}, {0, not_a_number, 0.5}, {},
                 "taken NaN");
  // d/dx sqrt(x)^2 by the chain rule is 2 sqrt(x) / (2 sqrt(x)), at 0 0 times inf.
  check_taken<2>([](auto x) { return etch::square(where(x >= 0_c, etch::sqrt(x), 0_c)); }, {0, 4}, {not_a_number, 1}, {},
                 "taken 0 / 0");
  check_taken<2>([](auto x) { return where(x >= 0_c, etch::sqrt(x), 0_c); }, {0, -1}, {inf, 0}, {}, "taken infinity");
}

TEST_CASE("law: an adjoint that is 0 at a minimum is taken, and has its second derivative") {
  // sin(x)^2: 2 sin x cos x and 2 cos 2x: 0 and 2 at 0. Were every adjoint of 0 cut off, the second would be 0.
  check_taken<2>([](auto x) { return etch::square(where(x >= 0_c, etch::sin(x), etch::log(x))); }, {0, 0}, {0, 0}, {2, 2},
                 "sin(x)^2");
}
