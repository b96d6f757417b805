// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include <etch/control.hpp>
#include <etch/debug.hpp>
#include <etch/etch.hpp>
#include <etch/print.hpp>
#include <etch/strings.hpp>

#include "message_of.hpp"

// Runs whose nodes are seen one by one.
namespace {

using namespace etch::literals;

constexpr etch::placeholder<"x", float, 2, 3> x;
constexpr auto w = etch::variable<"w">(etch::ones(etch::shape<3>{}));
constexpr auto y = etch::named<"y">(etch::tanh(x * w) + 1_c);
constexpr auto loss = etch::sum(y);

/// What a probe sees, a line for each node.
struct listing {
  std::string* to;
  void operator()(const etch::probed_node& n) const {
    *to += n.name() + " = " + n.op();
    for (const std::string& o : n.operands()) *to += " " + o;
    *to += " : " + n.type_text() + "\n";
  }
};

TEST_CASE("debug_run: every node of the graph as it is written is a step of its own") {
  etch::session session(loss);
  session.initialize();
  std::string seen;
  CHECK(etch::debug_run(session, listing{&seen}, loss, x = {{0, 0, 0}, {0, 0, 0}}) == 6.0f);
  CHECK(seen ==
        "constant = constant : float32[]\n"
        "w = variable : float32[3]\n"
        "x = placeholder : float32[2, 3]\n"
        "multiply = multiply x w : float32[2, 3]\n"
        "tanh = tanh multiply : float32[2, 3]\n"
        "y = add tanh constant : float32[2, 3]\n"
        "sum = sum y : float32[]\n");
  static_assert(etch::plan_of(loss, x).kernel_count == 1);
}

TEST_CASE("debug_run: strings are fed and fetched as by run") {
  constexpr etch::placeholder<"title", std::string> title;
  constexpr etch::placeholder<"names", std::string, etch::any<"n">> names;
  constexpr auto both = etch::strings::join(title, ": "_c, names);
  etch::session session(both, title);
  const auto [all, one] = etch::debug_run(session, etch::trap_nan{}, both, title, title = "cats", names = {"Tom", "Kit"});
  CHECK(one == "cats");
  CHECK(all(1) == "cats: Kit");
}

TEST_CASE("debug_run: graphs that print do so") {
  std::ostringstream lines;
  std::ostream* const before = etch::print_to(&lines);
  constexpr etch::placeholder<"one", float> one;
  constexpr auto printed = etch::print<"one = {}">(one);
  etch::session session(printed);
  CHECK(etch::debug_run(session, etch::trap_nan{}, printed, one = 2.f) == 2);
  etch::print_to(before);
  CHECK(lines.str() == "one = 2\n");
}

TEST_CASE("debug_run: a probe sees values, and may be a lambda with a state") {
  etch::session session(loss);
  session.initialize();
  session.set(w, {1, 2, 3});
  std::vector<float> product;
  int nodes = 0;
  etch::debug_run(
      session,
      [&, calls = 0](const etch::probed_node& n) mutable {
        nodes = ++calls;
        if (n.name() != "multiply") return;
        CHECK(n.type() == etch::dtype::float32);
        CHECK(n.shape().size() == 2);
        CHECK(n.shape()[1] == 3);
        const auto values = n.values<float>();
        product.assign(values.begin(), values.end());
        CHECK(message_of([&] { n.values<int>(); }) == "probe: the elements of \"multiply\" are float32, not int32");
      },
      loss, x = {{1, 1, 1}, {2, 2, 2}});
  CHECK(product == std::vector<float>{1, 2, 3, 2, 4, 6});
  CHECK(nodes == 7);
}

TEST_CASE("debug_run: a training step leaves what a run leaves, and its gradients are seen") {
  constexpr auto train = etch::optimizers::adam(0.1_c).minimize(loss);
  etch::session debugged(loss, train);
  etch::session plain(loss, train);
  debugged.initialize();
  plain.initialize();
  bool sees_gradient = false;
  for (int i = 0; i < 3; ++i) {
    const auto probe = [&](const etch::probed_node& n) { sees_gradient = sees_gradient || n.op() == std::string("sqrt"); };
    const float expected = plain.run(loss, train, x = {{1, -2, 3}, {2, 0, 1}});
    CHECK(etch::debug_run(debugged, probe, loss, train, x = {{1, -2, 3}, {2, 0, 1}}) == doctest::Approx(expected).epsilon(1e-6));
  }
  CHECK(sees_gradient);
  for (const auto v : plain.variables()) {
    CAPTURE(v.name());
    if (v.type() != etch::dtype::float32) continue;
    const auto expected = v.get<float>(), got = debugged.variables().at(v.name()).get<float>();
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(got[i] == doctest::Approx(expected[i]).epsilon(1e-5));
  }
}

TEST_CASE("debug_run: a structure gives a structure; draws are those of a run") {
  constexpr auto noise = etch::random_normal<"noise">(etch::shape<4>{});
  etch::session debugged(loss, noise);
  etch::session plain(loss, noise);
  debugged.initialize(7);
  plain.initialize(7);
  const auto nothing = [](const etch::probed_node&) {};
  for (int i = 0; i < 2; ++i) {
    const auto [value, draw] = etch::debug_run(debugged, nothing, std::pair{loss, noise}, x = {{0, 0, 0}, {0, 0, 0}});
    CHECK(value == 6.0f);
    const auto expected = plain.run(noise);
    for (std::size_t k = 0; k < 4; ++k) CHECK(draw(k) == doctest::Approx(expected(k)).epsilon(1e-5));
  }
  CHECK(debugged.random_state() == plain.random_state());
}

TEST_CASE("trap_nan: the first node that is not finite, its operands, and where the program names it") {
  const auto h = etch::named<"h">(etch::log(x * w));
  const std::string place = __FILE__ + std::string(":") + std::to_string(__LINE__ - 1);
  const auto total = etch::sum(h);
  etch::session session(total);
  session.initialize();
  CHECK(etch::debug_run(session, etch::trap_nan{}, total, x = {{1, 1, 1}, {1, 1, 1}}) == 0.0f);
  CHECK(message_of([&] { etch::debug_run(session, etch::trap_nan{}, total, x = {{1, 1, 1}, {1, -1, 1}}); }) ==
        "trap_nan: element 4 of \"h\" is nan: log float32[2, 3] of \"multiply\", in \"h\" (" + place + ")");
  CHECK(message_of([&] { etch::debug_run(session, etch::trap_nan{}, total, x = {{1, 1, 0}, {1, 1, 1}}); }) ==
        "trap_nan: element 2 of \"h\" is -inf: log float32[2, 3] of \"multiply\", in \"h\" (" + place + ")");
  CHECK(etch::debug_run(session, etch::trap_nan{.infinities = false}, total, x = {{1, 1, 0}, {1, 1, 1}}) ==
        -std::numeric_limits<float>::infinity());
  CHECK(message_of([&] {
          etch::debug_run(session, etch::trap_nan{.infinities = false}, total, x = {{1, 1, -1}, {1, 1, 1}});
        }).substr(0, 35) == "trap_nan: element 2 of \"h\" is nan: ");
  // What comes from outside is named as that.
  CHECK(message_of([&] { etch::debug_run(session, etch::trap_nan{}, total, x = {{1, std::nanf(""), 1}, {1, 1, 1}}); }) ==
        "trap_nan: element 1 of \"x\" is nan: placeholder float32[2, 3], in \"h\" (" + place + ")");
  session.set(w, {1, std::numeric_limits<float>::infinity(), 1});
  CHECK(message_of([&] { etch::debug_run(session, etch::trap_nan{}, total, x = {{1, 1, 1}, {1, 1, 1}}); }) ==
        "trap_nan: element 1 of \"w\" is inf: variable float32[3], in \"h\" (" + place + ")");
}

TEST_CASE("trap_nan: of gradients; a run that it ends changes no variable") {
  // The gradient of a square root at 0: what is divided by is 0.
  constexpr auto root = etch::sum(etch::sqrt(w));
  constexpr auto train = etch::optimizers::sgd(0.5_c).minimize(root);
  etch::session session(root, train);
  session.initialize();
  session.set(w, {4, 0, 1});
  const std::string told = message_of([&] { etch::debug_run(session, etch::trap_nan{}, root, train); });
  CHECK(told == "trap_nan: element 1 of \"divide\" is inf: divide float32[3] of \"multiply\", \"sqrt\"");
  CHECK(session.get(w) == xt::xtensor<float, 1>{4, 0, 1});
  CHECK(session.run(root) == 3.0f);
}

TEST_CASE("trap_nan: what the program writes as a constant is let pass, what is made of it is not") {
  constexpr auto masked = etch::where(x > 0_c, x, etch::literal<-std::numeric_limits<float>::infinity()>);
  etch::session session(masked, etch::softmax(masked, etch::axis<1>));
  CHECK(message_of([&] { etch::debug_run(session, etch::trap_nan{}, masked, x = {{1, 1, 1}, {1, 1, 1}}); }) ==
        "nothing was thrown");
  CHECK(message_of([&] { etch::debug_run(session, etch::trap_nan{}, masked, x = {{1, 0, 1}, {1, 1, 1}}); }) ==
        "trap_nan: element 1 of \"where\" is -inf: where float32[2, 3] of \"greater\", \"x\", \"constant\"");
  CHECK(message_of([&] {
          etch::debug_run(session, etch::trap_nan{.infinities = false}, etch::softmax(masked, etch::axis<1>),
                          x = {{1, 0, 1}, {1, 1, 1}});
        }) == "nothing was thrown");
}

constexpr etch::placeholder<"xs", float, 4> xs;

TEST_CASE("debug_run: a loop's nodes are seen in each step, a branch's where it is taken") {
  constexpr auto last = etch::scan([](auto s, auto e) { return etch::named<"next">(s + etch::log(e)); }, 0_c, xs);
  etch::session session(last);
  session.initialize();
  std::vector<float> states;
  const auto probe = [&](const etch::probed_node& n) {
    if (n.name() == "next") states.push_back(n.values<float>()[0]);
  };
  CHECK(etch::debug_run(session, probe, last, xs = {1, 1, 1, 1}) == 0.0f);
  CHECK(states == std::vector<float>{0, 0, 0, 0});
  CHECK(message_of([&] { etch::debug_run(session, etch::trap_nan{}, last, xs = {1, 1, -1, 1}); }).substr(0, 46) ==
        "trap_nan: element 0 of \"log\" is nan: log float");

  constexpr etch::placeholder<"go", bool> go;
  constexpr auto chosen = etch::cond(go, [] { return etch::tanh(xs); }, [] { return etch::exp(xs); });
  etch::session branches(chosen);
  std::string ops;
  const auto listed = [&](const etch::probed_node& n) { ops += std::string(n.op()) + " "; };
  etch::debug_run(branches, listed, chosen, go = true, xs = {1, 2, 3, 4});
  CHECK(ops.find("tanh") != std::string::npos);
  CHECK(ops.find("exp") == std::string::npos);
}

TEST_CASE("debug_run: named extents, fed nodes, and what a run throws") {
  constexpr etch::placeholder<"rows", float, etch::any<"n">, 2> rows;
  constexpr auto h = etch::named<"h">(etch::square(rows));
  constexpr auto s = etch::sum(h);
  etch::session session(s, loss);
  std::string seen;
  CHECK(etch::debug_run(session, listing{&seen}, s, rows = {{1, 2}, {3, 4}, {5, 6}}) == 91.0f);
  CHECK(seen ==
        "rows = placeholder : float32[3, 2]\n"
        "h = multiply rows rows : float32[3, 2]\n"
        "sum = sum h : float32[]\n");
  seen.clear();
  CHECK(etch::debug_run(session, listing{&seen}, s, h = {{1, 2}}) == 3.0f);
  CHECK(seen ==
        "h = placeholder : float32[1, 2]\n"
        "sum = sum h : float32[]\n");
  const auto nothing = [](const etch::probed_node&) {};
  CHECK(message_of([&] { etch::debug_run(session, nothing, loss, x = {{0, 0, 0}, {0, 0, 0}}); }) ==
        "run: variable \"w\" has no value; call initialize() or set() first");
  session.close();
  CHECK(message_of([&] { etch::debug_run(session, nothing, s, h = {{1, 2}}); }) == "session: it is closed");
}

TEST_CASE("debug_run: what is wrong with feeds it says in the words of run") {
  constexpr etch::placeholder<"rows", float, etch::any<"n">, 3> rows;
  constexpr etch::placeholder<"b", float, etch::any<"n">> b;
  constexpr etch::placeholder<"wide", float, etch::any<"n">, etch::any<"k">> wide;
  constexpr auto biased = etch::sum(rows, etch::axis<1>) + b;
  constexpr auto part = etch::slice(b, etch::section<2, 6>);
  constexpr auto rest = etch::slice(b, etch::section<5>);
  constexpr auto all = etch::sum(wide);
  constexpr auto flat = etch::sum(rows);
  etch::session session(biased, part, rest, all, flat, loss);
  const auto nothing = [](const etch::probed_node&) {};
  const auto check = [&](const char* expected, const auto&... arguments) {
    CHECK(message_of([&] { session.run(arguments...); }) == expected);
    CHECK(message_of([&] { etch::debug_run(session, nothing, arguments...); }) == expected);
  };
  const xt::xtensor<float, 2> two_three = xt::ones<float>({2, 3}), two_four = xt::ones<float>({2, 4});
  const std::vector<float> two(2), three(3), four(4);
  check("feed \"b\": axis 0 (\"n\"): expected extent 2, which feed \"rows\" has given it, got 3", biased, rows = two_three,
        b = three);
  check("feed \"rows\": axis 1: expected extent 3, got 4", biased, rows = two_four, b = two);
  check("slice: axis 0 (\"n\"): expected an extent of at least 6, got 4", part, b = four);
  check("slice: axis 0 (\"n\"): expected an extent of at least 5, got 4", rest, b = four);
  check("feed \"rows\": expected a multiple of 3 elements, got 4", flat, rows = four);
  check("feed \"wide\": a flat range cannot tell several named extents; feed an array of 2 axes", all, wide = four);
  // Before it looks at variables, which have no value here.
  check("feed \"x\": expected 6 elements, got 4", loss, x = four);
}

TEST_CASE("the functions of a step have its ops in their names, for whoever reads a stack") {
  constexpr etch::placeholder<"v", float, 3, 2> v;
  constexpr auto fused = etch::plan_of(etch::sort(etch::tanh(etch::matmul(x, v) * 0.5_c), etch::axis<0>), x, v);
  using plan = decltype(fused)::plan_type;
  static_assert(
      std::is_same_v<etch::ops_of_step<plan, 0>, etch::step_of<struct etch::matmul, struct etch::multiply, struct etch::tanh>>);
  static_assert(std::is_same_v<etch::ops_of_step<plan, 1>, etch::step_of<struct etch::sort>>);
  constexpr auto row = etch::plan_of(etch::softmax(x, etch::axis<1>), x);
  static_assert(std::is_same_v<etch::ops_of_step<decltype(row)::plan_type, 0>,
                               etch::step_of<struct etch::max, struct etch::subtract, struct etch::exp, struct etch::sum,
                                             struct etch::divide, struct etch::multiply>>);
}

}  // namespace
