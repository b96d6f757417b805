// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/eager.hpp>
#include <etch/etch.hpp>

// Draws in expressions that eager code evaluates: one evaluation draws as one run of a session does.

namespace {

using namespace etch;
using namespace etch::literals;
using numbers = tensor<float, 1>;

constexpr auto draw = random_uniform<"draw">(shape<4>{});
constexpr auto other = random_normal<"other">(shape<4>{});

bool are_equal(const numbers& a, const numbers& b) { return reduce_all(a == b).item(); }

}  // namespace

TEST_SUITE("eager draws") {
  TEST_CASE("EAG-02: a draw that an expression uses twice is one draw") {
    const numbers nothing = draw - draw;
    CHECK(are_equal(nothing, numbers{0, 0, 0, 0}));
    const numbers ones = numbers{1, 1, 1, 1} + (square(draw) - square(draw));
    CHECK(are_equal(ones, numbers{1, 1, 1, 1}));
  }

  TEST_CASE("EAG-02: an expression of several draws is what it is in a session's run of that number") {
    constexpr auto mixed = draw * other + draw;
    session s(mixed, draw);
    s.initialize(3);
    const numbers first = s.run(mixed), second = s.run(mixed), third = s.run(draw);
    eager::seed(3);
    const numbers now = mixed;
    CHECK(are_equal(now, first));
    CHECK(are_equal(numbers(zeros(shape<4>{})), numbers{0, 0, 0, 0}));  // draws nothing
    CHECK(are_equal(mixed + numbers{0, 0, 0, 0}, second));
    CHECK(are_equal(numbers(draw), third));
  }

  TEST_CASE("EAG-02: a function draws wherever a draw meets a tensor in it, and once where it is given one of the draw") {
    static constexpr placeholder<"t", float, 4> t;
    constexpr auto loss = nn::sigmoid_cross_entropy(other, t);
    session s(loss, other);
    s.initialize(5);
    const numbers labels = {0, 1, 1, 0};
    const numbers once = s.run(loss, t = labels);
    eager::seed(5);
    const numbers drawn = other;
    const auto is_once = [&](const numbers& x) { return reduce_all(etch::abs(x - once) < 1e-5_c).item(); };
    CHECK(is_once(nn::sigmoid_cross_entropy(drawn, labels)));
    eager::seed(5);
    CHECK_FALSE(is_once(nn::sigmoid_cross_entropy(other, labels)));
  }

  TEST_CASE("VAR-03: a change of a variable or a tensor by an expression evaluates that once") {
    eager::seed(1);
    const numbers first = draw, second = draw, third = draw;
    eager::seed(1);
    eager::variable w(numbers{0, 0, 0, 0});
    w.assign_add(draw);
    CHECK(are_equal(w.read(), first));
    w.assign(numbers{0, 0, 0, 0});
    w.assign_sub(draw);
    CHECK(are_equal(w.read() * -1_c, second));
    numbers t = {0, 0, 0, 0};
    t += draw;
    CHECK(are_equal(t, third));
  }

  TEST_CASE("VAR-03: a change that does not fit changes nothing") {
    eager::variable w(numbers{1, 2, 3, 4});
    CHECK_THROWS_WITH_AS(w.assign_add(numbers{1, 2}), "assign: a variable of float32[4] is given float32[2]", etch::error);
    CHECK(are_equal(w.read(), numbers{1, 2, 3, 4}));
  }
}
