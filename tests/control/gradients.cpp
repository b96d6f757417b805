// SPDX-License-Identifier: MIT
#include <etch/control.hpp>

#include "laws/differences.hpp"

/// Gradients through loops: central differences, and those of the same steps written out.
namespace {

using namespace etch;
using laws::check_gradients;
using laws::numbers_between;
using laws::weighted;

constexpr placeholder<"xs", double, 5, 2, 3> xs;
constexpr placeholder<"h", double, 2, 4> h;
constexpr placeholder<"w", double, 3, 4> w;
constexpr placeholder<"u", double, 4, 4> u;
constexpr placeholder<"b", double, 4> b;
constexpr placeholder<"v", double, any<"n">> v;
constexpr placeholder<"target", double, 3> target;

/// An Elman network: its last state, and all of them.
constexpr auto network(auto... mode) {
  return scan(
      [](auto s, auto x) {
        auto next = etch::tanh(matmul(x, w) + matmul(s, u) + b);
        return std::pair{next, next};
      },
      h, xs, mode...);
}
template <int T>
constexpr auto state_after() {
  if constexpr (T == 0)
    return h;
  else
    return etch::tanh(matmul(reshape(slice(xs, section<T - 1, T>), shape<2, 3>{}), w) + matmul(state_after<T - 1>(), u) + b);
}

const auto in = [] {
  return std::tuple(numbers_between(-1, 1, 1, 5, 2, 3), numbers_between(-1, 1, 2, 2, 4), numbers_between(-1, 1, 3, 3, 4),
                    numbers_between(-1, 1, 4, 4, 4), numbers_between(-1, 1, 5, 4));
};

}  // namespace

TEST_CASE("AG-03: gradients through a scan are central differences") {
  constexpr auto all = network();
  constexpr auto back = network(reverse);
  check_gradients("states and outputs",
                  std::tuple(weighted(std::get<0>(all)), weighted(std::get<1>(all)),
                             weighted(std::get<0>(all)) + weighted(std::get<1>(all)), weighted(std::get<1>(back))),
                  std::tuple(xs, h, w, u, b), in());
}

TEST_CASE("AG-03: they are those of the steps written out, to the last bits, kept or computed again") {
  constexpr auto all = network();
  constexpr auto again = network(recompute);
  constexpr auto loss = weighted(std::get<0>(all)) + sum(std::get<1>(all));
  constexpr auto loss_again = weighted(std::get<0>(again)) + sum(std::get<1>(again));
  constexpr auto written = weighted(state_after<5>()) + sum(state_after<1>()) + sum(state_after<2>()) + sum(state_after<3>()) +
                           sum(state_after<4>()) + sum(state_after<5>());
  session s(loss, loss_again, written);
  const auto [x, h0, w0, u0, b0] = in();
  const auto compare = [&](auto to) {
    const auto of = [&](auto l) { return s.run(gradient(l, to), xs = x, h = h0, w = w0, u = u0, b = b0); };
    const auto kept = of(loss), computed = of(loss_again), expected = of(written);
    REQUIRE(kept.size() == expected.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      CHECK(kept.flat(i) == doctest::Approx(expected.flat(i)).epsilon(1e-12));
      CHECK(computed.flat(i) == doctest::Approx(expected.flat(i)).epsilon(1e-12));
    }
  };
  compare(w);
  compare(u);
  compare(b);
  compare(h);
  compare(xs);
}

TEST_CASE("AG-03: of the second order, through loops in loops, by states that only later steps need") {
  constexpr auto pole = std::get<1>(scan(
      [](auto s, auto x) {
        auto [a, before] = s;
        auto next = etch::sin(a * x) + 0.3_c * before;
        return std::pair{std::tuple{next, a}, next * x};
      },
      std::tuple{mean(v), literal<0.25>}, v));
  constexpr auto nested = scan(
      [](auto s, auto a) { return s + scan([=](auto t, auto c) { return etch::sin(t * c) + a * s; }, a, v); }, literal<0.5>, v);
  constexpr auto shape_of_slope = gradient(weighted(pole), v);
  constexpr auto slope_of_nested = gradient(nested, v);
  check_gradients("poles", std::tuple(weighted(pole), nested, weighted(shape_of_slope), weighted(slope_of_nested)), std::tuple(v),
                  std::tuple(numbers_between(-1, 1, 6, 6)));
}

TEST_CASE("AG-03: a gradient inside of a loop: descent") {
  constexpr auto end = for_range<50>(
      [](auto, auto p) {
        auto loss = sum((p - target) * (p - target)) + sum(p * p);
        return p - 0.1_c * gradient(loss, p);
      },
      astype<double>(zeros(shape<3>{})));
  session s(end);
  const auto got = s.run(end, target = xt::xtensor<double, 1>{1, -2, 4});
  CHECK(got(0) == doctest::Approx(0.5));
  CHECK(got(1) == doctest::Approx(-1));
  CHECK(got(2) == doctest::Approx(2));
}

TEST_CASE("AG-03: branches in a loop, with their gradients") {
  constexpr auto r = std::get<1>(scan(
      [](auto s, auto x) {
        auto next = cond(x > 0_c, [=] { return etch::tanh(s * x); }, [=] { return s * s - x; });
        return std::pair{next, next * x};
      },
      literal<0.4>, v));
  check_gradients("branches", std::tuple(weighted(r)), std::tuple(v), std::tuple(numbers_between(-1, 1, 7, 7)));
}

TEST_CASE("a loop that reads the value of a branch, and a loop's value that only a branch reads") {
  constexpr placeholder<"of_both", double, 4> a;
  constexpr placeholder<"chooses", double> chooser;
  const auto c = cond(chooser > 0.1_c, [=] { return a * chooser; }, [=] { return etch::sin(a); });
  const auto y = sum(scan([=](auto state, auto) { return state * c; }, a, zeros<double>(shape<2>{})));
  const auto da = gradient(y, a);
  const auto dv = gradient(y, chooser);
  // A loop of which one value is needed in any case, the other by a branch alone.
  const auto [first, second] = for_range<3>(
      [=](auto, auto states) {
        const auto [p, q] = states;
        return std::tuple{p * a, q + p};
      },
      std::tuple{a, a});
  const auto z = sum(first) + cond(chooser > 0.1_c, [=] { return sum(second) * chooser; }, [=] { return sum(a); });
  const auto dz = gradient(z, a);
  session s(y, da, dv, z, dz);
  for (const double value : {0.5, 0.05}) {
    const auto [yv, dav, dvv, zv, dzv] = s.run(y, da, dv, z, dz, a = {1, 2, 3, 4}, chooser = value);
    double ye = 0, dve = 0, ze = 0;
    for (int i = 0; i < 4; ++i) {
      const double x = i + 1, sine = std::sin(x), cosine = std::cos(x);
      const bool then = value > 0.1;
      ye += then ? x * x * x * value * value : x * sine * sine;
      dve += then ? 2 * x * x * x * value : 0;
      CHECK(dav.data()[i] == doctest::Approx(then ? 3 * x * x * value * value : sine * sine + 2 * x * sine * cosine));
      // p: x, x^2, x^3, x^4; q: x, x + x, ..., x + x + x^2 + x^3.
      ze += x * x * x * x + (then ? (2 * x + x * x + x * x * x) * value : x);
      CHECK(dzv.data()[i] == doctest::Approx(4 * x * x * x + (then ? (2 + 2 * x + 3 * x * x) * value : 1)));
    }
    CHECK(yv == doctest::Approx(ye));
    CHECK(dvv == doctest::Approx(dve));
    CHECK(zv == doctest::Approx(ze));
  }
}

namespace {
template <int Branches>
constexpr auto chain_of_branches(auto x) {
  if constexpr (Branches == 0)
    return x;
  else
    return chain_of_branches<Branches - 1>(
        cond(sum(x) > 0.5_c, [=] { return etch::tanh(matmul(x, u) + x); }, [=] { return x * 1.5_c; }));
}
/// The plans of a plan's regions, and of theirs.
template <class Plan>
constexpr int plans_in() {
  return []<int... Call>(std::integer_sequence<int, Call...>) {
    [[maybe_unused]] const auto in_call = []<int C, int... Part>(std::integral_constant<int, C>,
                                                                 std::integer_sequence<int, Part...>) {
      return ((1 + plans_in<typename Plan::template part<C, Part>>()) + ... + 0);
    };
    return (in_call(std::integral_constant<int, Call>{}, std::make_integer_sequence<int, Plan::template parts<Call>>{}) + ... + 0);
  }(std::make_integer_sequence<int, Plan::calls>{});
}
}  // namespace

TEST_CASE("the gradient of a chain of branches has a plan for each of them, not one for each way through them") {
  constexpr auto loss = sum(square(chain_of_branches<4>(h)));
  constexpr auto slope = gradient(loss, h);
  using feeds = std::integral_constant<hash_t, list_of<decltype(h)::hash, decltype(u)::hash>>;
  CHECK(plans_in<compiled<cpu::target, list_of<decltype(slope)::hash>, feeds::value>>() == 2 * 2 * 4);
  check_gradients("a chain of branches", std::tuple(loss), std::tuple(h, u),
                  std::tuple(numbers_between(0, 1, 8, 2, 4), numbers_between(-1, 1, 9, 4, 4)));
}
