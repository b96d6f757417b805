// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <xtensor/xarray.hpp>
#include <xtensor/xbuilder.hpp>

#include <base/decimal_comma.hpp>
#include <etch/etch.hpp>

#include "message_of.hpp"

// Numbers that do not fit where they are fed, and extents whose products do not fit into 64 bits or into any memory.

using namespace etch::literals;

TEST_SUITE("limits") {
  TEST_CASE("FEED-06: a fed number that is no value of the slot's dtype is refused by name and value") {
    constexpr etch::placeholder<"i", std::int32_t> i;
    constexpr etch::placeholder<"b", std::uint8_t> b;
    constexpr etch::placeholder<"l", std::int64_t> l;
    constexpr etch::placeholder<"f", float> f;
    constexpr etch::placeholder<"v", std::uint8_t, etch::any<"n">> v;
    constexpr etch::placeholder<"m", float, 1, 2> m;
    etch::session s(i, b, l, f, v, m);
    CHECK(message_of([&] { s.run(i, i = 5000000000); }) == "feed \"i\": 5000000000 is no value of int32");
    CHECK(message_of([&] { s.run(i, i = -2147483649); }) == "feed \"i\": -2147483649 is no value of int32");
    CHECK(message_of([&] { s.run(b, b = 300); }) == "feed \"b\": 300 is no value of uint8");
    CHECK(message_of([&] { s.run(b, b = -1); }) == "feed \"b\": -1 is no value of uint8");
    CHECK(message_of([&] { s.run(l, l = std::uint64_t{1} << 63); }) == "feed \"l\": 9.2233720368547758e+18 is no value of int64");
    CHECK(message_of([&] { s.run(f, f = 1e300); }) == "feed \"f\": 1.0000000000000001e+300 is no value of float32");
    CHECK(message_of([&] { s.run(f, f = -3.5e38); }) == "feed \"f\": -3.5e+38 is no value of float32");
    if (const decimal_comma comma; comma)
      CHECK(message_of([&] { s.run(f, f = -3.5e38); }) == "feed \"f\": -3.5e+38 is no value of float32");
    CHECK(message_of([&] { s.run(m, m = {{1, 2}}); }) == "nothing was thrown");
    CHECK(message_of([&] { s.bind(b, b = 300); }) == "feed \"b\": 300 is no value of uint8");
    CHECK(s.run(i, i = 2147483647) == 2147483647);
    CHECK(s.run(i, i = std::int64_t{-2147483648}) == -2147483647 - 1);
    CHECK(s.run(b, b = 255) == 255);
    CHECK(s.run(f, f = 3.4028234663852886e38) == std::numeric_limits<float>::max());
    CHECK(s.run(f, f = 0.1) == 0.1f);
    CHECK(s.run(f, f = 1e-300) == 0);
    CHECK(s.run(f, f = -INFINITY) == -INFINITY);
    CHECK(std::isnan(s.run(f, f = double(NAN))));
  }

  TEST_CASE("FEED-06: narrow and unsigned slots take what they hold, and nothing else") {
    constexpr etch::placeholder<"a", std::int8_t> a;
    constexpr etch::placeholder<"b", std::int16_t> b;
    constexpr etch::placeholder<"c", std::uint16_t> c;
    constexpr etch::placeholder<"d", std::uint32_t> d;
    constexpr etch::placeholder<"e", std::uint64_t> e;
    etch::session s(a, b, c, d, e);
    CHECK(s.run(a, a = -128) == -128);
    CHECK(message_of([&] { s.run(a, a = 128); }) == "feed \"a\": 128 is no value of int8");
    CHECK(s.run(b, b = -32768) == -32768);
    CHECK(message_of([&] { s.run(b, b = 32768); }) == "feed \"b\": 32768 is no value of int16");
    CHECK(message_of([&] { s.run(c, c = -1); }) == "feed \"c\": -1 is no value of uint16");
    CHECK(s.run(c, c = 65535) == 65535);
    CHECK(s.run(d, d = 4294967295) == 4294967295u);
    CHECK(message_of([&] { s.run(d, d = 4294967296); }) == "feed \"d\": 4294967296 is no value of uint32");
    CHECK(s.run(e, e = 18446744073709551615u) == 18446744073709551615u);
    CHECK(message_of([&] { s.run(e, e = -1); }) == "feed \"e\": -1 is no value of uint64");
    const auto w = etch::variable<"w">(etch::full<std::uint16_t>(etch::shape<2>{}, 65535_c));
    etch::session t(w, etch::assign_add(w, 2_c));
    t.initialize(1);
    t.run(etch::assign_add(w, 2_c));
    CHECK(t.get(w) == xt::xtensor<std::uint16_t, 1>{1, 1});
  }

  TEST_CASE("VAR: a number that is no value of a variable's dtype is refused") {
    const auto scalar = etch::variable<"scalar">(etch::zeros<std::uint8_t>(etch::shape<>{}));
    etch::session t(scalar);
    CHECK(message_of([&] { t.set(scalar, 256); }) == "feed \"scalar\": 256 is no value of uint8");
  }

  TEST_CASE("LIM-03: an array of nine axes is refused, one of eight is not") {
    constexpr etch::placeholder<"x", float, 1, 1, 1, 1, 1, 1, 1, 2> x;
    etch::session s(x);
    const xt::xarray<float> eight = xt::ones<float>({1, 1, 1, 1, 1, 1, 1, 2}), nine = xt::ones<float>({1, 1, 1, 1, 1, 1, 1, 1, 2});
    CHECK(s.run(x, x = eight)(0, 0, 0, 0, 0, 0, 0, 1) == 1);
    CHECK(message_of([&] { s.run(x, x = nine); }) == "feed \"x\": it has more than 8 axes");
  }

  TEST_CASE("GRA-06: extents whose product no memory has room for are refused before anything is computed with them") {
    constexpr etch::placeholder<"x", float, etch::any<"n">> x;
    constexpr auto along = [](auto of, auto shape) { return etch::reshape(of, shape); };
    constexpr auto cube = along(x, etch::shape<etch::any<"n">, 1, 1>{}) * along(x, etch::shape<1, etch::any<"n">, 1>{}) *
                          along(x, etch::shape<1, 1, etch::any<"n">>{});
    constexpr auto y = etch::sum(cube, etch::axis<0>) + etch::transpose(etch::tanh(etch::sum(cube, etch::axis<2>)));
    // 1664511^3 elements of 4 bytes are 1.84e19 bytes, 2^64 + 6.2e13; 2^21 cubed wraps to 0.
    CHECK(message_of([&] { return etch::plan_of(etch::cumsum(cube, etch::axis<0>), x).arena_bytes(1664511); }) ==
          "plan: with these extents a value would need 1.84e+19 bytes");
    etch::session s(cube, y);
    const std::vector<float> many(std::size_t{1} << 21, 1.f);
    CHECK(message_of([&] { s.run(cube, x = many); }) ==
          "feed \"x\": with extent 2097152 of axis 0 a value of the run would need 3.69e+19 bytes");
    CHECK(message_of([&] { s.bind(cube, x = many); }) ==
          "feed \"x\": with extent 2097152 of axis 0 a value of the run would need 3.69e+19 bytes");
    CHECK(s.run(etch::sum(cube), x = {1, 2, 3}) == 216);  // the session stays usable
    CHECK(s.run(y, x = {1, 2})(1, 1) > 12);
  }
}
