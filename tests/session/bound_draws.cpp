// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/etch.hpp>

// Where the random draws of a session stand is the same for its runs and for steps that it has bound before.

using namespace etch::literals;

namespace {

constexpr auto draw = etch::random_uniform<"draw">(etch::shape<5>{});
constexpr auto weights = etch::variable<"weights">(etch::random_normal<"weights">(etch::shape<5>{}));
constexpr auto moved = etch::assign_add(weights, draw);

/// Of a loop, whose steps have plans of their own.
constexpr etch::placeholder<"rows", float, 3, 5> rows;
const auto walked = etch::scan([](auto state, auto row) { return etch::dropout<"dropped">(state + row, 0.5_c); },
                               etch::zeros(etch::shape<5>{}), rows);

}  // namespace

TEST_SUITE("bound draws") {
  TEST_CASE("RND-05: initialize reaches a step that was bound before") {
    etch::session s(draw, moved), other(draw, moved);
    s.initialize(1);
    auto step = s.bind(draw);
    auto move = s.bind(moved);
    const xt::xtensor<float, 1> before = step();
    s.initialize(7);
    other.initialize(7);
    const xt::xtensor<float, 1> first = step();
    CHECK(first != before);
    CHECK(first == other.run(draw));
    move();
    other.run(moved);
    CHECK(s.get(weights) == other.get(weights));
    s.initialize(1);
    CHECK(step() == before);
  }

  TEST_CASE("RND-05: a random state that is set reaches a step that was bound before") {
    etch::session s(draw);
    auto step = s.bind(draw);
    for (const std::uint64_t seed : {7u, 8u}) {
      s.set_random_state({seed, 5});
      const auto expected = s.run(draw);
      s.set_random_state({seed, 5});
      CHECK(step() == expected);
      CHECK(s.random_state() == etch::random_state{seed, 6});
    }
  }

  TEST_CASE("RND-05: draws in the body of a loop") {
    const xt::xtensor<float, 2> values = {{1, 2, 3, 4, 5}, {1, 1, 1, 1, 1}, {3, 1, 4, 1, 5}};
    etch::session s(walked);
    auto step = s.bind(walked, rows = values);
    const xt::xtensor<float, 1> unseeded = step();
    s.initialize(7);
    const auto expected = s.run(walked, rows = values);
    CHECK(expected != unseeded);
    s.initialize(7);
    CHECK(step() == expected);
  }
}
