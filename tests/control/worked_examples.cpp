// SPDX-License-Identifier: MIT
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/print.hpp>

#include <eager/contents.hpp>

// The worked examples of control flow, and what graphs of it print.

namespace {
using contents::text;

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", std::int32_t> x;

constexpr auto square_if_positive = [](auto in) { return cond(in > 0_c, [=] { return in * in; }, [] { return 0_c; }); };

/// How often a word stands in a text.
int count_of(const std::string& word, const std::string& in) {
  int count = 0;
  for (std::size_t at = in.find(word); at != std::string::npos; at = in.find(word, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("AT-12, AG-01, AG-02: the square of what is positive") {
  constexpr auto y = square_if_positive(x);
  static_assert(std::is_same_v<decltype(y)::value_type, std::int32_t> && decltype(y)::rank == 0);
  session s(y);
  CHECK(text(tensor<std::int32_t, 0>(s.run(y, x = 1))) + " " + text(tensor<std::int32_t, 0>(s.run(y, x = -1))) ==
        "etch.tensor(1, shape=(), dtype=int32) etch.tensor(0, shape=(), dtype=int32)");
  CHECK(s.run(y, x = 7) == 49);
}

TEST_CASE("AT-12, AG-05: a graph and a plan print a branch with both of what it may run") {
  constexpr auto y = square_if_positive(x);
  CHECK(to_text(y) ==
        "constant = constant 0 : int32[]\n"
        "x = placeholder : int32[]\n"
        "multiply = multiply x x : int32[]\n"
        "greater = greater x constant : bool[]\n"
        "branch = branch (2,1) greater multiply constant : none\n"
        "result = result (0) branch : int32[]\n"
        "fetch result\n");
  CHECK(to_text(plan_of(y, x)) ==
        "0 map [1] greater : x -> %2\n"
        "1 call [] branch : %2 x -> fetch0\n"
        "  0 map [1] multiply : x -> fetch0\n"
        "  --\n"
        "  0 map [1] copy : -> fetch0\n");
}

TEST_CASE("AG-05: a loop prints with its body, one with a condition with that too") {
  constexpr auto powers = for_range<3>([](auto, auto k) { return k * x; }, x);
  constexpr auto halved = while_loop([](auto k) { return k > 1_c; }, [](auto k) { return floor_divide(k, 2_c); }, x);
  CHECK(to_text(plan_of(powers, x)) ==
        "0 map [3] copy : index -> %2\n"
        "1 call [] loop : x %2 -> fetch0\n"
        "  0 map [1] multiply : given0 x -> fetch0\n");
  CHECK(to_text(plan_of(halved, x)) ==
        "0 call [] while : x -> fetch0\n"
        "  0 map [1] floor_divide : given0 -> fetch0\n"
        "  --\n"
        "  0 map [1] greater : given0 -> fetch0\n");
  // A run holds the state besides.
  static_assert(plan_of(powers, x).workspace_bytes >= plan_of(powers, x).arena_bytes + 4);
}

TEST_CASE("AG-04: a loop of C++ is as many copies, one of the graph is one body") {
  const auto step = [](auto k) { return k * 3_c + x; };
  constexpr auto unrolled = step(step(step(step(x))));
  constexpr auto looped = for_range<4>([=](auto, auto k) { return step(k); }, x);
  constexpr auto longer = for_range<4000>([=](auto, auto k) { return step(k); }, x);
  session s(unrolled, looped);
  CHECK(s.run(unrolled, x = 2) == 2 * (81 + 27 + 9 + 3 + 1));
  CHECK(s.run(looped, x = 2) == 2 * (81 + 27 + 9 + 3 + 1));
  CHECK(count_of(" = multiply ", to_text(unrolled)) == 4);
  CHECK(count_of(" = multiply ", to_text(looped)) == 1);
  CHECK(graph_of(longer).value.nodes.size() == graph_of(looped).value.nodes.size());
}

TEST_CASE("RND-04, AG-03: a range is 0, 1, 2 of int32, and a loop over it is one loop of the graph") {
  CHECK(text(tensor(arange<std::int32_t>(shape<3>{}))) == "etch.tensor([0 1 2], shape=(3,), dtype=int32)");
  constexpr auto printed =
      scan([](auto count, auto i) { return after(count + 1_c, print(i)); }, 0_c, arange<std::int32_t>(shape<3>{}));
  session s(printed);
  std::ostringstream out;
  std::ostream* const before = print_to(&out);
  const int once = s.run(printed), again = s.run(printed);
  print_to(before);
  CHECK(once == 3);
  CHECK(again == 3);
  CHECK(out.str() == "0\n1\n2\n0\n1\n2\n");
  CHECK(count_of(" = loop ", to_text(printed)) == 1);
  CHECK(count_of(" = print ", to_text(printed)) == 1);
}

TEST_CASE("AT-26, AG-03: a loop of the graph counts to a thousand") {
  constexpr auto i = while_loop([](auto k) { return k < 1000_c; }, [](auto k) { return k + 1_c; }, 0_c);
  session s(i);
  CHECK(text(tensor<std::int32_t, 0>(s.run(i))) == "etch.tensor(1000, shape=(), dtype=int32)");
}
