// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <tuple>
#include <vector>

#include <etch/debug.hpp>
#include <etch/etch.hpp>
#include <etch/print.hpp>

#include "host/caught.hpp"
#include "message_of.hpp"

/// What a debug_run that throws says, and leaves.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, any<"n">, 3> x;
constexpr placeholder<"z", float, 3> z;
constexpr auto nothing = [](const probed_node&) {};

}  // namespace

TEST_CASE("debug_run: feeds that do not fit are refused as by run, before anything is printed") {
  static constexpr placeholder<"y", float, any<"n">> y;
  constexpr auto part = slice(x, section<0, 100, 3>) * 2_c;
  constexpr auto total = sum(x) + sum(z) + sum(y);
  constexpr auto said = print<"said {}">(z);
  session s(part, total, said);
  caught out;
  const auto is_same = [](auto run, auto debug) {
    const std::string expected = message_of(run);
    CHECK(expected != "nothing was thrown");
    CHECK(message_of(debug) == expected);
  };
  const xt::xtensor<float, 2> six = xt::ones<float>({6, 3}), wide = xt::ones<float>({6, 4});
  const xt::xtensor<float, 1> ones = xt::ones<float>({6}), few = xt::ones<float>({5});
  is_same([&] { s.run(part, x = six); }, [&] { debug_run(s, nothing, part, x = six); });
  is_same([&] { s.run(said, total, x = wide, z = {1, 2, 3}, y = ones); },
          [&] { debug_run(s, nothing, said, total, x = wide, z = {1, 2, 3}, y = ones); });
  is_same([&] { s.run(said, total, x = six, z = {1, 2, 3}, y = few); },
          [&] { debug_run(s, nothing, said, total, x = six, z = {1, 2, 3}, y = few); });
  const std::vector<float> flat(17);
  is_same([&] { s.run(said, total, x = flat, z = {1, 2, 3}, y = ones); },
          [&] { debug_run(s, nothing, said, total, x = flat, z = {1, 2, 3}, y = ones); });
  CHECK(out.text() == "");
  CHECK(debug_run(s, nothing, said, total, x = six, z = {1, 2, 3}, y = ones) == std::tuple{xt::xtensor<float, 1>{1, 2, 3}, 30.f});
  CHECK(out.text() == "said [1 2 3]\n");
}

TEST_CASE("debug_run: one that has thrown draws the same numbers when it is repeated") {
  constexpr auto noise = random_normal<"noise">(shape<3>{});
  constexpr auto logarithms = etch::log(z) + noise;
  session s(logarithms, noise);
  s.initialize(4);
  const auto state = s.random_state();
  CHECK_THROWS_AS(debug_run(s, trap_nan{}, logarithms, z = {1, -1, 1}), error);
  CHECK(s.random_state() == state);
  const auto first = debug_run(s, nothing, noise);
  CHECK(s.random_state().runs == state.runs + 1);
  s.initialize(4);
  CHECK(s.run(noise) == first);
}
