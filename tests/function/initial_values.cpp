// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/function.hpp>
#include <etch/host_call.hpp>
#include <etch/thread_pool.hpp>

/// Initial values of a function's variables that throw.
namespace {

using namespace etch;
using namespace etch::literals;

int left_to_throw = 0;
constexpr auto start = host_call<"start", float>(
    [](float value) {
      if (left_to_throw-- > 0) throw error("no start");
      return value;
    },
    2.0_c);
constexpr auto v = variable<"v">(start);
constexpr auto noise = variable<"noise">(random_normal<"noise">(shape<4>{}));

}  // namespace

TEST_CASE("FUN-10: a first call whose initial values throw makes no variables, and the next call makes them") {
  thread_pool threads(2);
  function f([](auto x) { return x + v; });
  f.set_executor(&threads);
  left_to_throw = 2;
  CHECK_THROWS_WITH_AS(f(1.f), "no start", error);
  CHECK_FALSE(f.knows_variables());
  CHECK_THROWS_WITH_AS(f.variables(1.f), "no start", error);
  CHECK(f(1.f).item() == 3);
  CHECK(f.variables().at("v").get<float>()[0] == 2);
  CHECK(f.trace_count() == 1);
}

TEST_CASE("FUN-10: the seed of a function counts, however often its initial values have thrown") {
  function f([](auto x) { return x + noise + v; });
  function g([](auto x) { return x + noise; });
  f.initialize(7);
  g.initialize(7);
  left_to_throw = 1;
  CHECK_THROWS_AS(f(1.f), error);
  f(1.f), g(1.f);
  CHECK(f.variables().at("noise").get<float>() == g.variables().at("noise").get<float>());
}
