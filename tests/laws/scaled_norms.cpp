// SPDX-License-Identifier: MIT
#include <etch/layers.hpp>
#include <etch/losses.hpp>
#include <etch/optimizers.hpp>

#include "modes.hpp"

/// Norms of numbers whose squares overflow or vanish, and their gradients, written down. Powers of two times a triple of Pythagoras: exact.
namespace {

using namespace etch;
using namespace etch::literals;
using laws::check_described;
using laws::described;

template <class T>
constexpr placeholder<"x", T, any<"n">, any<"m">> x{};
constexpr float inf = std::numeric_limits<float>::infinity();

/// Of rows (3 s, 4 s), (0, 0): the norm is 5 s, its gradient (0.6, 0.8) and 0.
template <class T>
void check_at(T s, const char* what) {
  constexpr double near = sizeof(T) == 4 ? 1e-6 : 1e-15;
  const xt::xtensor<T, 2> at = {{3 * s, -4 * s}, {0, 0}, {s, 0}};
  const auto relative = [&](const laws::expected& e) {
    laws::expected r = e;
    for (double& v : r.elements) v /= static_cast<double>(s);
    return r;
  };
  constexpr auto rows = norm(x<T>, axis<1>);
  constexpr auto kept = norm(x<T>, axis<1>, keep_dims);
  constexpr auto all = norm(x<T>);
  constexpr auto slope = gradient(sum(rows), x<T>);
  constexpr auto slope_of_all = gradient(all, x<T>);
  session session_of(rows, kept, all, slope, slope_of_all);
  const double root = std::sqrt(26.0);
  const auto check = [&](const auto& r, const std::string& where) {
    check_described(relative(described(std::get<0>(r))), {{3}, {5, 0, 1}}, near, where + ", rows");
    check_described(relative(described(std::get<1>(r))), {{3, 1}, {5, 0, 1}}, near, where + ", with the axis kept");
    check_described(relative(described(std::get<2>(r))), {{}, {root}}, near, where + ", all");
    check_described(described(std::get<3>(r)), {{3, 2}, {0.6, -0.8, 0, 0, 1, 0}}, near, where + ", gradient");
    check_described(described(std::get<4>(r)), {{3, 2}, {3 / root, -4 / root, 0, 0, 1 / root, 0}}, near,
                    where + ", gradient of all");
  };
  check(session_of.run(rows, kept, all, slope, slope_of_all, x<T> = at), what);
  check(reference::run(rows, kept, all, slope, slope_of_all, x<T> = at), what + std::string(" by the reference"));
  check_described(relative(described(norm(tensor<T, 2>(at), axis<1>))), {{3}, {5, 0, 1}}, near, what + std::string(" at once"));
}

/// Two gradients clipped to a norm of `limit`, in a session, by the reference and at once.
void check_clipped(const xt::xtensor<float, 1>& a, const xt::xtensor<float, 1>& b, const std::vector<double>& wanted_a,
                   const std::vector<double>& wanted_b, const char* what) {
  constexpr placeholder<"a", float, any<"n">> first;
  constexpr placeholder<"b", float, any<"m">> second;
  constexpr auto both = optimizers::clip_by_global_norm(std::tuple(first, second), 1_c);
  const auto check = [&](const auto& r, const std::string& where) {
    check_described(described(std::get<0>(r)), {{a.size()}, wanted_a}, 1e-6, where + ", first");
    check_described(described(std::get<1>(r)), {{b.size()}, wanted_b}, 1e-6, where + ", second");
  };
  const auto [clipped_a, clipped_b] = both;
  session s(clipped_a, clipped_b);
  check(s.run(clipped_a, clipped_b, first = a, second = b), what);
  check(reference::run(clipped_a, clipped_b, first = a, second = b), what + std::string(" by the reference"));
  check(optimizers::clip_by_global_norm(std::tuple(tensor<float, 1>(a), tensor<float, 1>(b)), 1_c), what + std::string(" at once"));
}

}  // namespace

TEST_CASE("law: norms of numbers whose squares overflow or vanish") {
  check_at<float>(1, "1");
  check_at<float>(0x1p64f, "2^64");
  check_at<float>(0x1p120f, "2^120");
  check_at<float>(0x1p-70f, "2^-70");
  check_at<float>(0x1p-120f, "2^-120");
  check_at<double>(0x1p600, "2^600");
  check_at<double>(0x1p1000, "2^1000");
  check_at<double>(0x1p-600, "2^-600");
  check_at<double>(0x1p-1000, "2^-1000");
}

TEST_CASE("law: nothing is rounded by the scale of a norm") {
  constexpr placeholder<"v", float, 1000> v;
  constexpr auto scaled = norm(v);
  constexpr auto plain = etch::sqrt(sum(square(v)));
  std::mt19937 generator(3);
  const auto at = laws::random_array<float>(generator, 1000);
  session s(scaled, plain);
  const auto [a, b] = s.run(scaled, plain, v = at);
  CHECK(a == b);
}

TEST_CASE("law: clip_by_global_norm of gradients whose squares overflow or vanish, and of infinite ones") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  check_clipped({3e20f, 0}, {4e20f}, {0.6, 0}, {0.8}, "3e20 and 4e20");
  check_clipped({3e38f, 0}, {-3e38f}, {std::sqrt(0.5), 0}, {-std::sqrt(0.5)}, "a norm above the largest number");
  check_clipped({3, 0}, {4}, {0.6, 0}, {0.8}, "3 and 4");
  check_clipped({0.3f, 0}, {0.4f}, {0.3f, 0}, {0.4f}, "below the limit");
  check_clipped({3e-30f, 0}, {0}, {3e-30f, 0}, {0}, "squares that vanish");
  check_clipped({0, 0}, {0}, {0, 0}, {0}, "0");
  check_clipped({inf, 0}, {4}, {nan, nan}, {nan}, "inf");
  check_clipped({1, 0}, {nan}, {nan, nan}, {nan}, "NaN");
}

TEST_CASE("law: what divides by a norm does so where squares overflow or vanish") {
  constexpr placeholder<"y", float, 4, 2> y;
  constexpr placeholder<"t", float, 4, 2> t;
  constexpr auto unit = layers::unit_norm(y);
  constexpr auto slope = gradient(sum(unit * t), y);
  constexpr auto similarity = losses::cosine_similarity(y, t);
  constexpr auto w = variable<"w">(zeros<float>(shape<2>{}));
  constexpr auto train =
      optimizers::lamb(0.5_c).apply_gradients(std::tuple{reshape(slice(t, section<1, 2>, section<>), shape<2>{})}, w);
  const xt::xtensor<float, 2> at = {{3e20f, -4e20f}, {3e-4f, 4e-4f}, {0, 0}, {3e-13f, 4e-13f}};
  const xt::xtensor<float, 2> of = {{3e25f, -4e25f}, {4, 3}, {1, 0}, {3e20f, 4e20f}};
  const auto check = [&](const auto& r, const std::string& how) {
    check_described(described(std::get<0>(r)), {{4, 2}, {0.6, -0.8, 0.6, 0.8, 0, 0, 0.3, 0.4}}, 1e-6, "unit_norm" + how);
    check_described(described(std::get<1>(r)), {{4}, {-1, -0.96, 0, -5e-6}}, 1e-6, "cosine_similarity" + how);
  };
  session s(unit, similarity, slope, train);
  const auto got = s.run(unit, similarity, slope, y = at, t = of);
  check(got, "");
  check(reference::run(unit, similarity, y = at, t = of), " by the reference");
  // Of a vector of 5e20 along t, which lies along it: nothing. Below the least norm: t over that.
  const auto& slopes = std::get<2>(got);
  for (int j : {0, 1}) CHECK(std::abs(slopes(0, j)) <= 1e-6 * 5e25 / 5e20);
  CHECK(slopes(2, 0) == doctest::Approx(1e12));
  // The first change is the sign of the gradient, made as long as the weights: half of that is taken away.
  s.initialize();
  s.set(w, xt::xtensor<float, 1>{3e20f, 4e20f});
  s.run(train, y = at, t = of);
  const float part = 0.5f * 5e20f / std::sqrt(2.0f);
  CHECK(s.get(w)(0) == doctest::Approx(3e20f - part).epsilon(1e-5));
  CHECK(s.get(w)(1) == doctest::Approx(4e20f - part).epsilon(1e-5));
}
