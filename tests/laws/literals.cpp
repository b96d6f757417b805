// SPDX-License-Identifier: MIT
#include "elementwise.hpp"

/// "An op on literals is the op on fed doubles, int64s and bools", for every elementwise op: a literal has no dtype that could
/// round it before it meets one.
namespace {

using namespace etch;
using laws::fitting;

/// Op on literals by the compiler, and on the same numbers fed.
template <class T, class... L, class... Op>
void check(laws::ops<Op...> list, L... literals) {
  constexpr placeholder<"x", T> x;
  constexpr placeholder<"y", T> y;
  const auto evaluated = [&] {
    if constexpr (sizeof...(L) == 1)
      return laws::as_tuple(reference::run(Op{}(x)..., x = T(L::value)...));
    else
      return [&](T a, T b) { return laws::as_tuple(reference::run(Op{}(x, y)..., x = a, y = b)); }(T(L::value)...);
  }();
  const auto folded = std::tuple(decltype(Op{}(literals...))::value...);
  laws::check_agreement(folded, evaluated, list.names, list.bounds, "literals");
}

}  // namespace

TEST_CASE("law: ops on literals of floats are those of doubles") {
  constexpr auto unary = fitting<double, 1>(elementwise_ops{});
  constexpr auto binary = fitting<double, 2>(elementwise_ops{});
  check<double>(unary, 0.3_c);
  check<double>(unary, 2.6_c);
  check<double>(unary, -0.7_c);
  check<double>(unary, -2.5_c);
  check<double>(unary, 0.0_c);
  check<double>(unary, 1.0_c / 0.0_c);
  check<double>(binary, 0.1_c, 0.3_c);
  check<double>(binary, -17.3_c, 2.1_c);
  check<double>(binary, 2.5_c, -2.5_c);
  check<double>(binary, 0.1_c, 0.0_c);
  check<double>(binary, -1.0_c / 0.0_c, 2.0_c);
  // One of them an integer: it is a double beside the other.
  check<double>(binary, 3_c, 0.7_c);
  check<double>(binary, 0.7_c, -3_c);
}

TEST_CASE("law: ops on literals of integers are those of int64") {
  constexpr auto unary = fitting<std::int64_t, 1>(elementwise_ops{});
  constexpr auto binary = fitting<std::int64_t, 2>(elementwise_ops{});
  check<std::int64_t>(unary, 7_c);
  check<std::int64_t>(unary, -9007199254740993_c);
  check<std::int64_t>(binary, 12_c, 5_c);
  check<std::int64_t>(binary, -2000001_c, 3_c);
  check<std::int64_t>(binary, 7_c, -2_c);
  check<std::int64_t>(binary, -7_c, 0_c);
}

TEST_CASE("law: ops on literals of bools are those of bools") {
  constexpr auto unary = fitting<bool, 1>(elementwise_ops{});
  constexpr auto binary = fitting<bool, 2>(elementwise_ops{});
  check<bool>(unary, literal<true>);
  check<bool>(unary, literal<false>);
  check<bool>(binary, literal<true>, literal<false>);
  check<bool>(binary, literal<true>, literal<true>);
  check<bool>(binary, literal<false>, literal<false>);
}

TEST_CASE("law: what literals give meets a tensor without having been rounded") {
  constexpr placeholder<"x", double, 2> x;
  constexpr auto third = (1.0_c / 3.0_c) * x;
  constexpr auto tenth = astype<double>(0.1_c);
  constexpr auto large = astype<std::int64_t>(3'000'000_c * 3'000'000_c);
  constexpr auto rest = x * (1_c - 0.9_c);
  session s(third, tenth, large, rest);
  const auto [a, b, c, d] = s.run(third, tenth, large, rest, x = {1.0, 3.0});
  CHECK(a(0) == 1.0 / 3.0);
  CHECK(b == 0.1);
  CHECK(c == 9'000'000'000'000);
  CHECK(d(0) == 1 - 0.9);
  // Where an expression ends without one, its dtype is the default.
  constexpr auto half = 1.0_c / 2_c;
  constexpr auto seven = 3_c + 4_c;
  constexpr auto yes = 3_c < 4_c;
  session alone(half, seven, yes);
  const auto [e, f, g] = alone.run(half, seven, yes);
  static_assert(std::is_same_v<decltype(e), const float> && std::is_same_v<decltype(f), const std::int32_t> &&
                std::is_same_v<decltype(g), const bool>);
  CHECK(e == 0.5f);
  CHECK(f == 7);
  CHECK(g);
}

TEST_CASE("law: a reduction of a literal is that of a scalar of the dtype that the literal takes where it meets none") {
  constexpr auto a = mean(0.5_c * 1.5_c);
  constexpr auto b = sum(3_c);
  constexpr auto c = max(2_c - 5_c);
  constexpr auto d = sum(2_c > 1_c);
  constexpr auto e = reduce_all(literal<false>);
  session s(a, b, c, d, e);
  const auto [f, g, h, i, j] = s.run(a, b, c, d, e);
  static_assert(std::is_same_v<decltype(f), const float> && std::is_same_v<decltype(g), const std::int32_t> &&
                std::is_same_v<decltype(h), const std::int32_t> && std::is_same_v<decltype(i), const std::int64_t> &&
                std::is_same_v<decltype(j), const bool>);
  CHECK(f == 0.75f);
  CHECK(g == 3);
  CHECK(h == -3);
  CHECK(i == 1);
  CHECK_FALSE(j);
}
