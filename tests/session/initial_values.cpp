// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include <etch/etch.hpp>
#include <etch/host_call.hpp>

#include "message_of.hpp"

/// Initial values that throw.
namespace {

using namespace etch;
using namespace etch::literals;

bool throws = false;
constexpr auto a = variable<"a">(host_call<"half-way", float, 2>([](strided<float> y) {
  y(0) = 5;
  if (throws) throw error("half-way");
  y(1) = 6;
}));
constexpr auto b = variable<"b">(random_normal<"b">(shape<2>{}));

}  // namespace

TEST_CASE("VAR-01, EAG-14: an initialize that throws leaves no variable with a value, neither an old one nor half a new one") {
  session s(a, b);
  s.initialize(3);
  const auto first = s.get(b);
  s.set(a, {1, 2});
  throws = true;
  CHECK_THROWS_WITH_AS(s.initialize(4), "half-way", error);
  for (const auto v : s.variables()) CHECK_FALSE(v.is_initialised());
  const std::string sentence = "run: variable \"a\" has no value; call initialize() or set() first";
  CHECK(message_of([&] { s.get(a); }) == sentence);
  CHECK(message_of([&] { s.run(a * 2_c); }) == sentence);
  s.set(a, {1, 2});
  CHECK(s.get(a) == xt::xtensor<float, 1>{1, 2});
  throws = false;
  s.initialize(3);
  CHECK(s.get(a) == xt::xtensor<float, 1>{5, 6});
  CHECK(s.get(b) == first);
}
