// SPDX-License-Identifier: MIT
#include <limits>
#include <tuple>

#include <doctest/doctest.h>

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
