// SPDX-License-Identifier: MIT
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/print.hpp>

#include "control/counted.hpp"

/// Graphs are what expressions are made of: nothing is computed before a run, and nothing else of the program is in them.
namespace etch {
namespace {

using namespace etch::literals;

constexpr placeholder<"x", float> x;
constexpr placeholder<"y", float> y;

TEST_CASE("GRA-02: nothing is computed before a session runs it") {
  runs_of_counted = 0;
  const auto z = counted(x) * 2_c;
  const auto slope = gradient(z * z, x);
  session s(z, slope);
  auto step = s.bind(z, x = 3);
  CHECK(!to_text(z, slope).empty());
  CHECK(plan_of(z, x).kernel_count > 0);
  CHECK(runs_of_counted == 0);
  CHECK(step() == 6);
  CHECK(runs_of_counted == 1);
  CHECK(s.run(z, slope, x = 5) == std::tuple(10.f, 40.f));
  CHECK(runs_of_counted == 2);
}

TEST_CASE("GRA-09: the graph of an expression is what it is made of, and nothing else that the program has made") {
  const auto sum_of = x + y;
  [[maybe_unused]] const auto unused = exp(sum_of) * 7_c;
  [[maybe_unused]] const auto w = variable<"w">(zeros(shape<3>{}));
  CHECK(to_text(sum_of) ==
        "y = placeholder : float32[]\n"
        "x = placeholder : float32[]\n"
        "add = add x y : float32[]\n"
        "fetch add\n");
  session s(sum_of);
  CHECK(s.variables().size() == 0);
}

TEST_CASE("GRA-10: two graphs made in turns, in no block of their own, have nothing of each other") {
  const auto sum_of = x + 1_c;
  const auto product = y * 2_c;
  const auto first = exp(sum_of);
  const auto second = tanh(product);
  CHECK(to_text(first) ==
        "constant = constant 1 : float32[]\n"
        "x = placeholder : float32[]\n"
        "add = add x constant : float32[]\n"
        "exp = exp add : float32[]\n"
        "fetch exp\n");
  CHECK(to_text(second) ==
        "constant = constant 2 : float32[]\n"
        "y = placeholder : float32[]\n"
        "multiply = multiply y constant : float32[]\n"
        "tanh = tanh multiply : float32[]\n"
        "fetch tanh\n");
}

TEST_CASE("GRA-11: several graphs in one program, each with its session, one graph in two sessions, two graphs in one expression") {
  constexpr auto count = variable<"count">(literal<0.f>);
  constexpr auto first = assign_add(count, x);
  constexpr auto second = variable<"other">(literal<5.f>) * y;
  session one(first), two(first);
  session other(second);
  one.initialize();
  two.initialize();
  other.initialize();
  one.run(first, x = 1);
  one.run(first, x = 1);
  two.run(first, x = 10);
  CHECK(one.get(count) == 2);
  CHECK(two.get(count) == 10);
  CHECK(other.run(second, y = 2) == 10);
  CHECK(other.variables().size() == 1);
  session both(first + second);
  both.initialize();
  CHECK(both.run(first + second, x = 1, y = 2) == 11);
}

TEST_CASE("VAR-07: a session's variables print with name, value, shape and dtype") {
  constexpr auto scalar = variable<"module/count">(literal<6.f>);
  constexpr auto matrix = variable<"matrix">(reshape(arange<std::int32_t>(shape<4>{}) + 1_c, shape<2, 2>{}));
  constexpr auto flags = variable<"flags">(astype<bool>(arange<std::uint8_t>(shape<2>{})));
  constexpr auto none = variable<"none">(zeros<double>(shape<0>{}));
  session s(scalar, matrix, flags, none);
  const auto printed = [&](const char* name) {
    std::ostringstream out;
    out << s.variables().at(name);
    return out.str();
  };
  CHECK(printed("module/count") == "etch.variable(\"module/count\", no value, shape=(), dtype=float32)");
  s.initialize();
  CHECK(printed("module/count") == "etch.variable(\"module/count\", 6.0, shape=(), dtype=float32)");
  CHECK(printed("matrix") == "etch.variable(\"matrix\",\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)");
  CHECK(printed("flags") == "etch.variable(\"flags\", [False  True], shape=(2,), dtype=bool)");
  CHECK(printed("none") == "etch.variable(\"none\", [], shape=(0,), dtype=float64)");
}

}  // namespace
}  // namespace etch
