// SPDX-License-Identifier: MIT
#include <array>

#include "elementwise.hpp"

/// "Folding is evaluating": what the compiler makes of an op on constants is what the op makes of the same numbers when
/// they are fed.
namespace {

using namespace etch;
using laws::fitting;

/// The huge ones last: only of these may the compiler leave a result to the run.
template <class T>
constexpr auto constants() {
  if constexpr (std::is_same_v<T, bool>)
    return std::array<T, 2>{false, true};
  else if constexpr (std::is_floating_point_v<T>)
    return std::array<T, 10>{T(0),
                             T(-0.0),
                             T(1),
                             T(-0.5),
                             T(3),
                             T(-7.25),
                             T(17.75),
                             std::numeric_limits<T>::infinity(),
                             std::numeric_limits<T>::quiet_NaN(),
                             std::numeric_limits<T>::max()};
  else if constexpr (std::is_signed_v<T>)
    return std::array<T, 6>{0, 1, 3, -1, -7, std::numeric_limits<T>::max()};
  else
    return std::array<T, 5>{0, 1, 2, 7, std::numeric_limits<T>::max()};
}

template <class T>
inline constexpr auto values = constants<T>();
template <class T>
inline constexpr int count = static_cast<int>(values<T>.size());

/// The compiler rounds 1 / sqrt(x) once more precisely than two instructions do.
template <class Op>
constexpr std::int64_t folding_bound() {
  return std::is_same_v<Op, struct etch::rsqrt> ? 1 : laws::bound<Op>();
}

/// Op on each constant, or on each pair, by the function that the pass calls; evaluated by the compiler.
template <class Op, class T>
constexpr auto folded() {
  constexpr int n = Op::arity == 1 ? count<T> : count<T> * count<T>;
  std::array<scalar, static_cast<std::size_t>(n)> results{};
  for (int i = 0; i < n; ++i) {
    const scalar in[] = {scalar::of(values<T>[static_cast<std::size_t>(i % count<T>)]),
                         scalar::of(values<T>[static_cast<std::size_t>(i / count<T>)])};
    results[static_cast<std::size_t>(i)] = info_of<Op>.fold(in, dtype_of<T>);
  }
  return results;
}

template <class R>
void compare(const scalar* got, const xt::xtensor<R, 1>& expected, const char* name, std::int64_t bound, auto must_be_known) {
  auto numbers = xt::xtensor<R, 1>::from_shape({expected.size()});
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool known = got[i].type != dtype::none;
    if (!known && must_be_known(i)) laws::check_that(false, name + (" is not folded: " + std::to_string(i)));
    numbers(i) = known ? got[i].as<R>() : expected(i);
  }
  std::string where;
  const bool agrees = laws::agree(numbers, expected, bound, where);
  laws::check_that(agrees, name + (": " + where));
}

/// All ops of one number of operands, on each constant or each pair.
template <class T, class... Op>
void check_folding(laws::ops<Op...>) {
  constexpr placeholder<"x", T, any<"n">> x;
  constexpr placeholder<"y", T, any<"n">> y;
  constexpr bool unary = ((Op::arity == 1) && ...);
  const std::size_t numbers = values<T>.size(), n = unary ? numbers : numbers * numbers;
  auto a = xt::xtensor<T, 1>::from_shape({n}), b = a;
  for (std::size_t i = 0; i < n; ++i) {
    a(i) = values<T>[i % numbers];
    b(i) = values<T>[i / numbers % numbers];
  }
  const auto evaluated = [&] {
    if constexpr (unary)
      return laws::as_tuple(reference::run(Op{}(x)..., x = a));
    else
      return laws::as_tuple(reference::run(Op{}(x, y)..., x = a, y = b));
  }();
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (
        [&] {
          static constexpr auto at_compile_time = folded<Op, T>();
          compare(at_compile_time.data(), std::get<I>(evaluated), Op::name, folding_bound<Op>(), [&](std::size_t i) {
            return std::is_same_v<T, bool> ||
                   (std::is_signed_v<T> && a(i) != values<T>.back() && (unary || b(i) != values<T>.back()));
          });
        }(),
        ...);
  }(std::index_sequence_for<Op...>{});
}

template <class Op>
constexpr auto foldable() {
  if constexpr (Op::foldable)
    return laws::ops<Op>{};
  else
    return laws::ops<>{};
}
template <class... Op>
constexpr auto foldable(laws::ops<Op...>) {
  return (laws::ops<>{} + ... + foldable<Op>());
}

}  // namespace

TEST_CASE_TEMPLATE("law: ops on constants are folded to what they give when these are fed", T, bool, std::int8_t, std::uint8_t,
                   std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double) {
  check_folding<T>(foldable(fitting<T, 1>(elementwise_ops{})));
  check_folding<T>(foldable(fitting<T, 2>(elementwise_ops{})));
}

TEST_CASE("law: expressions of literals are what they are of fed numbers") {
  constexpr placeholder<"a", float> a;
  constexpr placeholder<"b", float> b;
  constexpr placeholder<"n", std::int32_t> n;
  const auto of = [](auto p, auto q) {
    return std::tuple(-(p + q) * p, p / q, p % q, p < q, where(p < q, p, q), etch::round(p), broadcast_to(p, shape<3>{}),
                      sum(broadcast_to(q, shape<4, 2>{})), astype<int>(p));
  };
  const auto literals = of(-1.75_c, 0.5_c);
  const auto slots = of(a, b);
  std::apply(
      [&](auto... l) {
        std::apply(
            [&](auto... s) {
              session folds(l...);
              session evaluates(s...);
              laws::check_equal(folds.run(l...), evaluates.run(s..., a = -1.75f, b = 0.5f), "literals");
            },
            slots);
      },
      literals);
  const auto integers = [](auto p) { return std::tuple((p + 7_c) * p, floor_divide(p, 2_c), etch::pow(p, 3_c)); };
  std::apply(
      [&](auto... l) {
        std::apply(
            [&](auto... s) {
              session folds(l...);
              session evaluates(s...);
              laws::check_equal(folds.run(l...), evaluates.run(s..., n = -5), "integer literals");
            },
            integers(n));
      },
      integers(-5_c));
}

TEST_CASE("law: a constant divided by zero is what a number is") {
  const auto [infinite, undefined, zero] = [] {
    constexpr auto by_zero = 1.0_c / 0_c;
    constexpr auto nothing = 0.0_c / 0_c;
    constexpr auto neither = floor_divide(5_c, 0_c);
    session s(by_zero, nothing, neither);
    return s.run(by_zero, nothing, neither);
  }();
  CHECK(infinite == std::numeric_limits<float>::infinity());
  CHECK(undefined != undefined);
  CHECK(zero == 0);
}
