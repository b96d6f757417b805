// SPDX-License-Identifier: MIT
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/print.hpp>

/// What nodes are called: once each, as the program says, else by their ops; the same after all passes.
namespace etch {
namespace {

using namespace etch::literals;

constexpr placeholder<"x", float, 3> x;
constexpr placeholder<"y", float, 3> y;

template <int Value>
constexpr auto number = astype<float>(literal<Value>);

TEST_CASE("GRA-07: every node has a name of its own: c, c_1, outer/c, outer/inner/c, outer/c_1, outer/inner_1/c") {
  // The program of TensorFlow's guide to graphs. Its second and third constant are both 2, which would be one node here.
  const auto c_0 = named<"c">(number<0>);
  const auto c_1 = named<"c">(number<1>);
  const auto inner = [](auto in, auto value) { return named<in / "c">(value + value); };
  const auto [c_2, c_3, c_4, c_5] = scope<"outer">([&](auto outer) {
    return std::tuple{named<outer / "c">(number<2>), scope<outer / "inner">(inner, number<3>), named<outer / "c">(number<4>),
                      scope<outer / "inner">(inner, number<5>)};
  });
  const named_graph g = graph_of(c_0, c_1, c_2, c_3, c_4, c_5);
  std::vector<std::string> names;
  for (int i = 0; i < g.value.fetches.size(); ++i) names.push_back(g.names[static_cast<std::size_t>(g.value.fetches[i])]);
  CHECK(names == std::vector<std::string>{"c", "c_1", "outer/c", "outer/inner/c", "outer/c_1", "outer/inner_1/c"});
}

TEST_CASE("GRA-07: what is not named is called by its op, and a given name is not taken by another node") {
  const auto sum_of = x + y;
  const auto product = sum_of * x;
  CHECK(to_text(sum_of + product, named<"add">(exp(sum_of)), tanh(exp(x))) ==
        "x = placeholder : float32[3]\n"
        "y = placeholder : float32[3]\n"
        "add_1 = add x y : float32[3]\n"
        "multiply = multiply add_1 x : float32[3]\n"
        "add_2 = add add_1 multiply : float32[3]\n"
        "add = exp add_1 : float32[3]\n"
        "exp = exp x : float32[3]\n"
        "tanh = tanh exp : float32[3]\n"
        "fetch add_2 add tanh\n");
}

TEST_CASE("GRA-08: the tensor that a node gives is name:0") {
  CHECK(tensor_name(x) == "x:0");
  CHECK(tensor_name(x + y) == "add:0");
  CHECK(tensor_name(named<"answer">(x + y)) == "answer:0");
  CHECK(tensor_name(nn::dense<"hidden", 4>(reshape(x, shape<1, 3>{}))) == "hidden/add:0");
  CHECK(tensor_name(variable<"demo/v">(zeros(shape<2>{}))) == "demo/v:0");
}

TEST_CASE("of two names of a node the first is the node's, the other an alias") {
  const auto total = named<"total">(x + y);
  CHECK(to_text(total * total, named<"all">(x + y), named<"sum">(total)) ==
        "y = placeholder : float32[3]\n"
        "x = placeholder : float32[3]\n"
        "total = add x y : float32[3]\n"
        "multiply = multiply total total : float32[3]\n"
        "alias all total\n"
        "alias sum total\n"
        "fetch multiply total total\n");
}

TEST_CASE("a name is found in whatever spelling of a node it stands") {
  const auto plain = exp(x + y) * x;
  const auto spelt = exp(named<"inside">(x + y)) * x;
  CHECK(to_text(plain, spelt) == to_text(spelt, spelt));
  CHECK(to_text(plain, spelt).find("inside = add x y") != std::string::npos);
}

TEST_CASE("SCO-03: what a scope makes is named under its path, its arguments are not") {
  const auto argument = exp(x);
  const auto f = [](auto in, auto a) { return scope<in / "inner">([](auto, auto b) { return b * b; }, a + a) - a; };
  CHECK(to_text(scope<"outer">(f, argument)) ==
        "x = placeholder : float32[3]\n"
        "exp = exp x : float32[3]\n"
        "outer/add = add exp exp : float32[3]\n"
        "outer/inner/multiply = multiply outer/add outer/add : float32[3]\n"
        "outer/subtract = subtract outer/inner/multiply exp : float32[3]\n"
        "fetch outer/subtract\n");
}

TEST_CASE("SCO-01: a scope that is called again has another path, and what it names in full moves with it") {
  const auto f = [](auto in, auto a) { return named<in / "square">(a * a) + nn::dense<in / "h", 3>(reshape(a, shape<1, 3>{})); };
  const auto names = to_text(scope<"s">(f, x), scope<"s">(f, y));
  CHECK(names.find("\ns/square = multiply x x") != std::string::npos);
  CHECK(names.find("\ns/h/add = add s/h/matmul s/h/bias") != std::string::npos);
  CHECK(names.find("\ns_1/square = multiply y y") != std::string::npos);
  CHECK(names.find("\ns_1/h/add = add s_1/h/matmul s/h/bias") != std::string::npos);
}

TEST_CASE("SCO-01: scopes are numbered in the order of their calls, whatever they share") {
  const auto twice = [](auto in, auto a) { return named<in / "q">(a * 2_c); };
  const auto first = scope<"s">(twice, x);
  CHECK(to_text(scope<"s">(twice, first)).find("\ns/q = multiply x ") != std::string::npos);
  const auto by_root = [](auto in, auto a) { return named<in / "q">(a / sqrt(y)); };
  const auto third = scope<"s">(by_root, scope<"s">(by_root, scope<"s">(by_root, x)));
  const std::string text = to_text(third);
  CHECK(text.find("\ns/q = divide x ") != std::string::npos);
  CHECK(text.find("\ns_1/q = divide s/q ") != std::string::npos);
  CHECK(text.find("\ns_2/q = divide s_1/q ") != std::string::npos);
  const auto outer = [=](auto in, auto a) { return scope<in / "inner">(twice, scope<in / "inner">(twice, a)); };
  const std::string nested = to_text(scope<"o">(outer, scope<"o">(outer, x)));
  CHECK(nested.find("\no/inner/q = multiply x ") != std::string::npos);
  CHECK(nested.find("\no/inner_1/q = multiply o/inner/q ") != std::string::npos);
  CHECK(nested.find("\no_1/inner/q = multiply o/inner_1/q ") != std::string::npos);
  CHECK(nested.find("\no_1/inner_1/q = multiply o_1/inner/q ") != std::string::npos);
}

TEST_CASE("names that the program gives are those of the graph after all passes, and of its plan") {
  const auto h = named<"half">(exp(x * 1_c) * 0.5_c);
  const auto loss = named<"loss">(sum(h * h));
  const auto plan = plan_of(loss, gradient(loss, x), x);
  const std::string text = to_text(graph_of(plan));
  CHECK(text.find("\nexp = exp x : float32[3]\n") != std::string::npos);
  CHECK(text.find("\nhalf = multiply ") != std::string::npos);
  CHECK(text.find("\nloss = sum axis=0 ") != std::string::npos);
  CHECK(to_text(plan).find(" fetch0(loss)") != std::string::npos);
}

TEST_CASE("where a name is given is known unless it is given in a constant") {
  constexpr auto once = named<"once">(x + y);
  const auto product = named<"product">(once * once);
  const int line = __LINE__ - 1;
  const std::vector<node_row> rows = node_table(product);
  CHECK(rows[2].name == "once");
  CHECK(rows[2].place == "");
  CHECK(rows[3].place == std::string(__FILE__) + ":" + std::to_string(line));
}

}  // namespace
}  // namespace etch
