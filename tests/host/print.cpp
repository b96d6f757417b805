// SPDX-License-Identifier: MIT
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <tuple>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/print.hpp>

#include "host/caught.hpp"

/// What graphs print: once for each run that computes it, in order, in loops in each step, in branches where they are taken.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float> x;
constexpr placeholder<"xs", float, any<"n">> xs;
constexpr placeholder<"table", std::int32_t, any<"n">, any<"m">> table;
constexpr placeholder<"p", bool> p;

}  // namespace

TEST_CASE("PRN-01: a print is a node: it prints in each run that computes it, and is what it prints") {
  caught out;
  constexpr auto y = print<"x is {}, its square {}">(x, x * x) + 1_c;
  session s(y);
  CHECK(s.run(y, x = 3) == 4);
  CHECK(out.text() == "x is 3, its square 9\n");
  auto step = s.bind(y, x = 0.5f);
  CHECK(out.text() == "");
  CHECK(step() == 1.5f);
  CHECK(step() == 1.5f);
  CHECK(out.text() == "x is 0.5, its square 0.25\nx is 0.5, its square 0.25\n");
}

TEST_CASE("PRN-01: a text is printed whole, zeros in it and at its ends too") {
  caught out;
  constexpr auto y = print<"a\0b {}\0{}{\0">(x, p);
  session s(y);
  CHECK(s.run(y, x = 3, p = true) == 3);
  CHECK(out.text() == std::string("a\0b 3\0001{\0\n", 10));
  print<"\0{}">(tensor<float, 0>(2.f));
  CHECK(out.text() == std::string("\0002\n", 3));
}

TEST_CASE("PRN-04: what nothing asks for is not printed; what two ask for is printed once") {
  caught out;
  constexpr auto printed = print<"here {}">(x);
  constexpr auto y = printed * printed + printed;
  session s(y, x * 2_c);
  CHECK(s.run(x * 2_c, x = 3) == 6);
  CHECK(out.text() == "");
  CHECK(s.run(y, x = 3) == 12);
  CHECK(out.text() == "here 3\n");
  // Named by `after`, without a use of its value.
  constexpr auto z = after(x + 1_c, print<"before">(), printed);
  CHECK(s.run(z, x = 1) == 2);
  CHECK(out.text() == "before\nhere 1\n");
}

TEST_CASE("PRN-01: prints come in the order of the operands, of the fetches, and of `after`") {
  caught out;
  constexpr auto a = print<"a {}">(x);
  constexpr auto b = print<"b {}">(x * 2_c);
  constexpr auto c = print<"c {}">(a * b);
  session s(a, b, c);
  CHECK(s.run(a + b, x = 1) == 3);
  CHECK(out.text() == "a 1\nb 2\n");
  CHECK(s.run(b + a, x = 1) == 3);
  CHECK(out.text() == "b 2\na 1\n");
  s.run(c, b, a, x = 1);
  CHECK(out.text() == "a 1\nb 2\nc 2\n");
  s.run(after(a, b), x = 1);
  CHECK(out.text() == "b 2\na 1\n");
}

TEST_CASE("PRN-01: in a loop it prints in each step, in a branch where that is taken") {
  caught out;
  constexpr auto counted = for_range<3>([](auto i, auto k) { return k + print(i); }, astype<std::int64_t>(0_c));
  constexpr auto ticking = for_range<2>([](auto, auto k) { return after(k + 1_c, print<"tick">()); }, 0_c);
  constexpr auto chosen = cond(p, [] { return print<"then {}">(x); }, [] { return print<"else {}">(-x); });
  session s(counted, ticking, chosen);
  CHECK(s.run(counted) == 3);
  CHECK(out.text() == "0\n1\n2\n");
  CHECK(s.run(ticking) == 2);
  CHECK(out.text() == "tick\ntick\n");
  CHECK(s.run(chosen, p = true, x = 2) == 2);
  CHECK(s.run(chosen, p = false, x = 2) == -2);
  CHECK(out.text() == "then 2\nelse -2\n");
  constexpr auto nested = for_range<2>(
      [](auto i, auto k) { return for_range<2>([=](auto j, auto t) { return after(t + 1_c, print<"{}.{}">(i, j)); }, k); }, 0_c);
  session s2(nested);
  CHECK(s2.run(nested) == 4);
  CHECK(out.text() == "0.0\n0.1\n1.0\n1.1\n");
}

TEST_CASE("PRN-01, GRA-15: prints and assignments in program order, and gradients pass") {
  caught out;
  constexpr auto w = variable<"w">(literal<1.f>, not_trainable);
  constexpr auto step = after(print<"after {}">(w), assign(w, print<"before {}">(w) + 1_c));
  constexpr auto y = print<"y {}">(x * x);
  constexpr auto d = gradient(y, x);
  session s(step, d, y);
  s.initialize();
  CHECK(s.run(step) == 2);
  CHECK(out.text() == "before 1\nafter 2\n");
  CHECK(s.run(d, x = 3) == 6);
  out.text();
  // What orders prints is no variable of the program's.
  int variables = 0;
  for (auto v : s.variables()) variables += std::string(v.name()) == "w" ? 1 : 10;
  CHECK(variables == 1);
  // A session that only prints needs no initialize().
  session fresh(y);
  CHECK(fresh.run(y, x = 2) == 4);
  CHECK(out.text() == "y 4\n");
}

TEST_CASE("PRN-02: numbers as short as they can be read back, large arrays by their first and last three") {
  caught out;
  session s(print(x), print(xs), print(table), print(p));
  const auto of = [&](auto e, auto... feeds) {
    s.run(e, feeds...);
    return out.text();
  };
  CHECK(of(print(x), x = 4) == "4\n");
  CHECK(of(print(x), x = 0.1f) == "0.1\n");
  CHECK(of(print(x), x = -1e-20f) == "-1e-20\n");
  CHECK(of(print(x), x = std::numeric_limits<float>::infinity()) == "inf\n");
  CHECK(of(print(x), x = -std::numeric_limits<float>::infinity()) == "-inf\n");
  CHECK(of(print(x), x = std::numeric_limits<float>::quiet_NaN()) == "nan\n");
  CHECK(of(print(p), p = true) == "1\n");
  s.run(print(xs), xs = xt::xtensor<float, 1>::from_shape({0}));
  CHECK(out.text() == "[]\n");
  s.run(print(xs), xs = {1, 2.5f, 3});
  CHECK(out.text() == "[1 2.5 3]\n");
  s.run(print(xs), xs = {0, 1, 2, 3, 4, 5});
  CHECK(out.text() == "[0 1 2 3 4 5]\n");
  s.run(print(xs), xs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(out.text() == "[0 1 2 ... 7 8 9]\n");
  s.run(print(table), table = {{1, 2}, {3, 4}});
  CHECK(out.text() == "[[1 2]\n [3 4]]\n");
  s.run(print(transpose(table)), table = {{1, 2}, {3, 4}});
  CHECK(out.text() == "[[1 3]\n [2 4]]\n");
}

TEST_CASE("PRN-02, EAG-11: of eager tensors a print prints at once, as graphs do") {
  std::ostringstream out;
  std::ostream* const before = print_to(&out);
  print(tensor(4.f));
  print<"x {} y {}">(tensor<float, 1>{0.1f, 2}, tensor(3));
  const eager::variable w(tensor(2.5));
  print(w);
  const auto twice = [](auto t) { return print(t * 2_c); };
  const auto kept = twice(tensor<int, 2>{{1, 2}, {3, 4}});
  CHECK(kept(1, 1) == 8);
  const tensor<float> of_any_rank = tensor<float, 1>{1, 2, 3, 4, 5, 6, 7};
  print(of_any_rank, tensor(true));
  print_to(before);
  CHECK(out.str() == "4\nx [0.1 2] y 3\n2.5\n[[2 4]\n [6 8]]\n[1 2 3 ... 5 6 7] 1\n");
}

namespace {
/// e + 1 + 2 + ... + Steps, in an op and a literal each.
template <int Steps, class E>
constexpr auto sum_to(E e) {
  if constexpr (Steps == 0)
    return e;
  else
    return sum_to<Steps - 1>(e) + literal<Steps>;
}
}  // namespace

TEST_CASE("PRN-01: a print in a graph of more nodes than sessions make room for at first") {
  caught out;
  constexpr auto w = variable<"w">(literal<0.f>);
  constexpr auto y = print<"{}">(sum_to<200>(x + w));
  session s(y, w);
  s.initialize();
  CHECK(s.run(y, x = 3) == 3 + 200 * 201 / 2);
  CHECK(out.text() == "20103\n");
}
