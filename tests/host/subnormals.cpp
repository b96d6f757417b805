// SPDX-License-Identifier: MIT
#include <limits>
#include <tuple>
#include <utility>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include <doctest/doctest.h>

#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/host_call.hpp>
#include <etch/print.hpp>

#include "host/caught.hpp"

/// Subnormal numbers in runs that print, or call the host.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float> x;
constexpr auto half = x * 0.5_c;
constexpr float smallest = std::numeric_limits<float>::min();

/// A half of the smallest normal number by a session that keeps subnormal numbers, by eager code and by C++, one digit each; a
/// negative number is thrown back.
float ways_that_keep(float a) {
  session keeps(half);
  keeps.keep_denormals();
  const volatile float own = smallest;
  const float by_session = keeps.run(half, x = smallest), by_eager = (tensor<float, 0>(smallest) * 0.5_c).item(),
              by_self = own * 0.5f;
  if (a < 0) throw error("negative");
  return (by_session > 0 ? 100.f : 0.f) + (by_eager > 0 ? 10.f : 0.f) + (by_self > 0 ? 1.f : 0.f);
}
constexpr auto asked = host_call<"ways that keep", float>([](float a) { return ways_that_keep(a); }, x);

}  // namespace

TEST_CASE("PRN-01, EAG-14: a run that prints or calls the host keeps subnormal numbers where it else would") {
  const caught out;
  constexpr auto printed = print(half);
  constexpr auto noted = after(half, host_call<"note">([](float) {}, x));
  constexpr auto count = variable<"count">(0.0_c);
  constexpr auto counted = assign_add(count, printed);
  session s(half, printed, noted, counted);
  s.initialize();
  CHECK(s.run(half, x = smallest) == smallest / 2);
  CHECK(s.run(printed, x = smallest) == smallest / 2);
  CHECK(s.run(noted, x = smallest) == smallest / 2);
  auto step = s.bind(printed, x = smallest);
  CHECK(step() == smallest / 2);
  // One that assigns a variable of the program does not.
  CHECK(s.run(counted, printed, x = smallest) == std::tuple{0.f, 0.f});
}

TEST_CASE("EAG-14: a function computes as its thread did before the run, which goes on as it was") {
  constexpr auto count = variable<"count">(host_call<"first ways that keep", float>([] { return ways_that_keep(1); }));
  constexpr auto assigned = assign_add(count, asked);
  session s(assigned, half, asked);
  s.initialize();
  CHECK(s.get(count) == 111);  // initial values flush
  CHECK(s.run(assigned, x = 1) == 222);
  s.keep_denormals(false);
  auto step = s.bind(std::pair(asked, half), x = smallest);
  const auto [ways, halved] = step();
  CHECK(ways == 111);
  CHECK(halved == 0);
  CHECK_THROWS_AS(s.run(asked, x = -1), error);
  const volatile float own = smallest;
  CHECK(own * 0.5f > 0);
}

#if defined(__SSE2__)
TEST_CASE("SES: a session that keeps subnormal numbers does so where the thread does not") {
  constexpr placeholder<"v", float, any<"n">> v;
  session s(half, v * 0.5_c);
  auto step = s.bind(half, x = smallest);
  s.keep_denormals();
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);
  const float once = s.run(half, x = smallest), bound = step();
  const xt::xtensor<float, 1> many = s.run(v * 0.5_c, v = {smallest});
  const unsigned between = _mm_getcsr();
  _mm_setcsr(before);
  CHECK(once == smallest / 2);
  CHECK(bound == smallest / 2);
  CHECK(many(0) == smallest / 2);
  CHECK((between & 0x8040) == 0x8040);
}
#endif
