// SPDX-License-Identifier: MIT
#include <etch/eager.hpp>
#include <etch/eager/xtensor.hpp>

#include "elementwise.hpp"

using laws::fitting;

TEST_CASE_TEMPLATE("law: elementwise ops of integers are those of the reference", T, std::uint8_t, std::int32_t, std::int64_t) {
  laws::check_unary_ops<T>(fitting<T, 1>(etch::elementwise_ops{}));
  laws::check_binary_ops<T>(fitting<T, 2>(etch::elementwise_ops{}));
}

TEST_CASE("law: elementwise ops of bools are those of the reference") {
  laws::check_unary_ops<bool>(fitting<bool, 1>(etch::elementwise_ops{}));
  laws::check_binary_ops<bool>(fitting<bool, 2>(etch::elementwise_ops{}));
}

TEST_CASE_TEMPLATE("law: integers are read the same from memory of any layout", T, std::uint8_t, std::int32_t, std::int64_t) {
  laws::check_layouts<T>();
}

TEST_CASE("law: casts of integers and bools are those of the reference") {
  laws::check_casts<std::uint8_t, std::int32_t, std::int64_t, float, double>();
  laws::check_casts<std::int32_t, std::uint8_t, std::int64_t, float, double>();
  laws::check_casts<std::int64_t, std::uint8_t, std::int32_t, float, double>();
}

TEST_CASE("law: casts of bools are those of the reference") {
  using namespace etch;
  constexpr placeholder<"x", bool, any<"n">> x;
  constexpr auto byte = astype<std::uint8_t>(x);
  constexpr auto word = astype<std::int32_t>(x);
  constexpr auto real = astype<double>(x);
  session s(byte, word, real);
  std::mt19937 generator(11);
  for (const int n : {0, 1, 7, 16, 17, 33, 100}) {
    const auto a = laws::random_array<bool>(generator, n);
    laws::check_equal(s.run(byte, word, real, x = a), reference::run(byte, word, real, x = a), "casts of bools");
  }
}

TEST_CASE_TEMPLATE("law: bools that stand in vectors beside numbers are those of the reference", T, std::int32_t, std::int64_t,
                   float, double) {
  using namespace etch;
  using namespace etch::literals;
  constexpr placeholder<"x", T, any<"n">> x;
  constexpr placeholder<"y", T, any<"n">> y;
  constexpr placeholder<"chosen", bool, any<"n">> chosen;
  constexpr auto p = x > 0_c;
  constexpr auto q = y > 0_c;
  constexpr auto same = (p == q) != chosen;
  constexpr auto both = (p && q) || !(chosen == p);
  constexpr auto picked = where((p != q) == chosen, x, y);
  constexpr auto bits = ((p & q) | ~(p ^ chosen)) ^ logical_xor(q, chosen);
  constexpr auto finite = isfinite(p) == isinf(x);
  constexpr auto taken = where(q, chosen, where(chosen, p, x == y));
  session s(same, both, picked, bits, finite, taken);
  std::mt19937 generator(12);
  for (const int n : {0, 1, 7, 16, 17, 33, 100}) {
    const auto a = laws::random_array<T>(generator, n), b = laws::random_array<T>(generator, n);
    const auto c = laws::random_array<bool>(generator, n);
    laws::check_equal(s.run(same, both, picked, bits, finite, taken, x = a, y = b, chosen = c),
                      reference::run(same, both, picked, bits, finite, taken, x = a, y = b, chosen = c), "bools beside numbers");
    const tensor<bool, 1> here(c);
    const auto now = where(tensor<T, 1>(b) > 0_c, here, where(here, tensor<T, 1>(a) > 0_c, tensor<T, 1>(a) == tensor<T, 1>(b)));
    laws::check_equal(std::tuple(laws::copied(now)), std::tuple(s.run(taken, x = a, y = b, chosen = c)),
                      "a choice between bools at once");
  }
}
