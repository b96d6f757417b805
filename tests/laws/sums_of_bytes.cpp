// SPDX-License-Identifier: MIT
#include "compare.hpp"

#include <etch/eager.hpp>

/// "Sums and products of bools and bytes are int64", in a session, by the reference, and at once, also where they are made of
/// something else, or of constants.
namespace {

using namespace etch;
using counts = xt::xtensor<std::int64_t, 1>;

constexpr placeholder<"bytes", std::uint8_t, any<"n">, 40> bytes;
constexpr placeholder<"flags", bool, any<"n">, 40> flags;

template <class Slot, class Value>
void check(auto f, Slot slot, const Value& at, const auto& expected, const char* what) {
  constexpr decltype(f) function{};
  constexpr auto y = function(Slot{});
  static_assert(std::is_same_v<typename decltype(y)::value_type, std::int64_t>);
  session s(y);
  std::string where;
  const auto same = [&](const auto& got) { return laws::agree(got, expected, 0, where); };
  laws::check_that(same(s.run(y, slot = at)), what + (": " + where));
  laws::check_that(same(reference::run(y, slot = at)), what + (" by the reference: " + where));
  const auto now = function(tensor<typename Slot::value_type, 2>(at));
  if constexpr (std::is_arithmetic_v<std::decay_t<decltype(expected)>>)
    laws::check_that(now.item() == expected, std::string(what) + " at once");
  else
    laws::check_that(same(laws::copied(now)), what + (" at once: " + where));
}

/// 40 columns, so that vectors are filled, of 3 rows: 200 + i, 255, i.
xt::xtensor<std::uint8_t, 2> rows_of_bytes() {
  auto v = xt::xtensor<std::uint8_t, 2>::from_shape({3, 40});
  for (std::size_t i = 0; i < 40; ++i) {
    v(0, i) = static_cast<std::uint8_t>(200 + i);
    v(1, i) = 255;
    v(2, i) = static_cast<std::uint8_t>(i);
  }
  return v;
}
/// Row 0 all true, row 1 every third, row 2 none.
xt::xtensor<bool, 2> rows_of_flags() {
  auto v = xt::xtensor<bool, 2>::from_shape({3, 40});
  for (std::size_t i = 0; i < 40; ++i) {
    v(0, i) = true;
    v(1, i) = i % 3 == 0;
    v(2, i) = false;
  }
  return v;
}

}  // namespace

TEST_CASE("law: sums and products of bytes are int64") {
  const auto v = rows_of_bytes();
  counts of_columns = counts::from_shape({40}), products = of_columns;
  for (std::size_t i = 0; i < 40; ++i) {
    of_columns(i) = 455 + 2 * static_cast<std::int64_t>(i);
    products(i) = 255 * static_cast<std::int64_t>(i) * (200 + static_cast<std::int64_t>(i));
  }
  check([](auto x) { return sum(x, axis<1>); }, bytes, v, counts{8780, 10200, 780}, "sums of rows");
  check([](auto x) { return sum(x, axis<0>); }, bytes, v, of_columns, "sums of columns");
  check([](auto x) { return sum(x); }, bytes, v, std::int64_t{19760}, "the sum");
  check([](auto x) { return sum(x, axis<-1>, keep_dims); }, bytes, v, xt::xtensor<std::int64_t, 2>{{8780}, {10200}, {780}}, "kept");
  check([](auto x) { return sum(sum(x, axis<1>), axis<0>); }, bytes, v, std::int64_t{19760}, "a sum of sums");
  check([](auto x) { return sum(maximum(x, 255_c), axis<1>); }, bytes, v, counts{10200, 10200, 10200}, "made of bytes");
  check([](auto x) { return prod(x, axis<0>); }, bytes, v, products, "products of columns");
  check([](auto x) { return prod(slice(x, section<1>, section<0, 4>), axis<1>); }, bytes, v, counts{4228250625, 0}, "of rows");
  check([](auto x) { return slice(cumsum(x, axis<1>), section<>, section<30, 32>); }, bytes, v,
        xt::xtensor<std::int64_t, 2>{{6665, 6896}, {7905, 8160}, {465, 496}}, "running sums");
  check([](auto x) { return slice(cumprod(x, axis<0>), section<>, section<1, 3>); }, bytes, v,
        xt::xtensor<std::int64_t, 2>{{201, 202}, {51255, 51510}, {51255, 103020}}, "running products");
}

TEST_CASE("law: sums and products of bools are counts") {
  const auto v = rows_of_flags();
  check([](auto x) { return sum(x, axis<1>); }, flags, v, counts{40, 14, 0}, "counts");
  check([](auto x) { return sum(x); }, flags, v, std::int64_t{54}, "count");
  check([](auto x) { return prod(x, axis<1>); }, flags, v, counts{1, 0, 0}, "products");
  check([](auto x) { return slice(cumsum(x, axis<1>, reverse), section<>, section<-4>); }, flags, v,
        xt::xtensor<std::int64_t, 2>{{4, 3, 2, 1}, {2, 1, 1, 1}, {0, 0, 0, 0}}, "running counts");
  check([](auto x) { return sum(x > 220_c, axis<1>); }, bytes, rows_of_bytes(), counts{19, 40, 0}, "of a comparison");
  const auto none = xt::xtensor<bool, 2>::from_shape({0, 40});
  check([](auto x) { return sum(x, axis<0>); }, flags, none, counts(xt::zeros<std::int64_t>({40})), "counts of nothing");
  check([](auto x) { return prod(x); }, flags, none, std::int64_t{1}, "the product of nothing");
}

TEST_CASE("law: sums of bytes that are constants are int64") {
  constexpr auto three = sum(broadcast_to(astype<std::uint8_t>(200_c), shape<3>{}));
  constexpr auto one = sum(astype<std::uint8_t>(200_c));
  constexpr auto counted = sum(broadcast_to(astype<bool>(7_c), shape<2, 300>{}), axis<1>);
  session s(three, one, counted);
  const auto [a, b, c] = s.run(three, one, counted);
  static_assert(std::is_same_v<decltype(a), const std::int64_t> && std::is_same_v<decltype(b), const std::int64_t>);
  CHECK(a == 600);
  CHECK(b == 200);
  CHECK(c == counts{300, 300});
}

TEST_CASE("law: sums, products and extremes of other dtypes have the operand's") {
  constexpr placeholder<"i", std::int32_t, 3> i;
  constexpr placeholder<"f", float, 3> f;
  static_assert(std::is_same_v<decltype(sum(i))::value_type, std::int32_t>);
  static_assert(std::is_same_v<decltype(prod(f))::value_type, float>);
  static_assert(std::is_same_v<decltype(cumsum(f, axis<0>))::value_type, float>);
  static_assert(std::is_same_v<decltype(max(bytes))::value_type, std::uint8_t>);
  static_assert(std::is_same_v<decltype(mean(flags))::value_type, float>);
  CHECK(sum(i).type == dtype::int32);
}
