// SPDX-License-Identifier: MIT
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/print.hpp>

/// Graphs as tables and as pictures.
namespace etch {
namespace {

using namespace etch::literals;

constexpr placeholder<"x", float, any<"n">, 3> x;
constexpr placeholder<"y", float, any<"n">, 3> y;
constexpr auto w = variable<"w">(ones(shape<3, 2>{}));

/// A table as text: name, op, inputs, control inputs, attributes, type.
std::string text_of(const std::vector<node_row>& rows) {
  std::string text;
  for (const node_row& row : rows) {
    text += row.name + " " + row.op;
    for (const std::string& input : row.inputs) text += " " + input;
    for (const std::string& input : row.control_inputs) text += " " + input;
    for (const node_attribute& a : row.attributes) text += " {" + a.name + ": " + a.value + "}";
    text += " -> " + row.type + "\n";
  }
  return text;
}

TEST_CASE("GRA-12: a graph as a table of name, op, inputs, device and attributes") {
  const std::vector<node_row> rows = node_table(named<"answer">(x + y));
  REQUIRE(rows.size() == 3);
  CHECK(text_of(rows) ==
        "y placeholder -> float32[n, 3]\n"
        "x placeholder -> float32[n, 3]\n"
        "answer add x:0 y:0 -> float32[n, 3]\n");
  for (const node_row& row : rows) CHECK(row.device.empty());
}

TEST_CASE("GRA-12: attributes have the names that their ops give them") {
  const auto z = sum(slice(transpose(x), section<0, -1>, section<2>), axis<1>, keep_dims);
  CHECK(text_of(node_table(astype<double>(z) * astype<double>(0.5_c), gather(z, cumsum(arange<int>(shape<2>{}), axis<0>)))) ==
        "constant constant {value: 0.5} -> float64[]\n"
        "x placeholder -> float32[n, 3]\n"
        "transpose transpose x:0 {axis: [1, 0]} -> float32[3, n]\n"
        "slice slice transpose:0 {begin: [0, 2]} {end: [-1, end]} {step: [1, 1]} -> float32[2, n-2]\n"
        "sum sum slice:0 {axis: 1} {keep_dims: 1} -> float32[2, 1]\n"
        "cast cast sum:0 {dtype: float64} -> float64[2, 1]\n"
        "multiply multiply cast:0 constant:0 -> float64[2, 1]\n"
        "iota iota {axis: 0} -> int32[2]\n"
        "cumsum cumsum iota:0 {axis: 0} {options: 0} -> int32[2]\n"
        "gather gather sum:0 cumsum:0 {axis: 0} -> float32[2, 1]\n");
}

TEST_CASE("GRA-01, GRA-14: operands are data edges, what is only waited for are control edges") {
  constexpr auto v = variable<"v">(ones(shape<3>{}));
  const auto step = named<"step">(group(assign(v, v * 2_c)));
  CHECK(text_of(node_table(after(sum(v), step))) ==
        "constant constant {value: 2} -> float32[]\n"
        "v variable {trainable: 1} -> float32[3]\n"
        "multiply multiply v:0 constant:0 -> float32[3]\n"
        "assign assign v:0 multiply:0 -> float32[3]\n"
        "step group ^assign -> none\n"
        "sum sum v:0 {axis: 0} {keep_dims: 0} -> float32[]\n"
        "after after sum:0 ^step -> float32[]\n");
}

TEST_CASE("GRA-13: the graph of a training step has what it computes, the loss, its gradients and what it assigns") {
  const auto loss = named<"loss">(mean(square(matmul(x, w))));
  const auto train = optimizers::sgd(0.1_c).minimize(loss);
  const std::string written = text_of(node_table(loss, train));
  CHECK(written.find("matmul matmul x:0 w:0") != std::string::npos);
  CHECK(written.find("loss divide ") != std::string::npos);
  CHECK(written.find("gradient gradient loss:0 w:0 -> float32[3, 2]\n") != std::string::npos);
  CHECK(written.find("assign assign w:0 subtract:0 -> float32[3, 2]\n") != std::string::npos);
  CHECK(written.find("group group ^assign -> none\n") != std::string::npos);

  const std::string run = text_of(node_table(graph_of(plan_of(loss, train, x))));
  CHECK(run.find("gradient") == std::string::npos);
  CHECK(run.find("transpose transpose x:0 {axis: [1, 0]} -> float32[3, n]\n") != std::string::npos);
  CHECK(run.find("assign assign w:0 subtract:0 -> float32[3, 2]\n") != std::string::npos);
}

TEST_CASE("a part of a variable that a run assigns is an attribute of the assignment") {
  constexpr auto v = variable<"v">(ones(shape<4>{}));
  const auto plan = plan_of(group(assign(slice(v, section<1, 3>), 0_c)));
  const std::vector<node_row> rows = node_table(graph_of(plan));
  CHECK(rows.back().op == "assign");
  CHECK(rows.back().attributes == std::vector<node_attribute>{{"begin", "[1]"}, {"end", "[3]"}, {"step", "[1]"}});
}

TEST_CASE("GRA-17: dtype and shape are constants of an expression") {
  constexpr auto z = named<"z">(matmul(x, w));
  static_assert(decltype(z)::rank == 2);
  static_assert(decltype(z)::type == dtype::float32);
  static_assert(extent_along<1>(decltype(z)::shape_type{}) == 2);
  static_assert(std::is_same_v<decltype(z)::value_type, float>);
}

TEST_CASE("GRA-26: a picture has every node and edge, dashed where it only orders") {
  constexpr auto v = variable<"v">(ones(shape<>{}));
  const auto step = named<"add \"one\"">(assign_add(v, 1_c));
  CHECK(to_dot(after(named<"scope/double">(v * 2_c), step)) ==
        "digraph graph_of_etch {\n"
        "  node [shape=box];\n"
        "  \"constant\" [label=\"constant\\nconstant : float32[]\", shape=ellipse];\n"
        "  \"v\" [label=\"v\\nvariable : float32[]\", shape=ellipse];\n"
        "  \"add\" [label=\"add\\nadd : float32[]\"];\n"
        "  \"add \\\"one\\\"\" [label=\"add \\\"one\\\"\\nassign : float32[]\"];\n"
        "  \"constant_1\" [label=\"constant_1\\nconstant : float32[]\", shape=ellipse];\n"
        "  \"scope/double\" [label=\"scope/double\\nmultiply : float32[]\"];\n"
        "  \"after\" [label=\"after\\nafter : float32[]\", peripheries=2];\n"
        "  \"v\" -> \"add\";\n"
        "  \"constant\" -> \"add\";\n"
        "  \"v\" -> \"add \\\"one\\\"\";\n"
        "  \"add\" -> \"add \\\"one\\\"\";\n"
        "  \"v\" -> \"scope/double\";\n"
        "  \"constant_1\" -> \"scope/double\";\n"
        "  \"scope/double\" -> \"after\";\n"
        "  \"add \\\"one\\\"\" -> \"after\" [style=dashed];\n"
        "}\n");
}

TEST_CASE("AT-23, GRA-20, GRA-21: an expression that is made in a loop is one node, and its plan one plan") {
  constexpr placeholder<"a", int> a;
  constexpr placeholder<"b", int> b;
  session s(a + b);
  std::set<std::string> names;
  for (int i = 0; i < 10; ++i) {
    const auto sum_of = add(a, b);
    static_assert(std::is_same_v<decltype(sum_of), const decltype(a + b)>);
    CHECK(s.run(sum_of, a = 10, b = 20) == 30);
    for (const node_row& row : node_table(sum_of))
      if (row.op == "add") names.insert(row.name);
  }
  CHECK(names == std::set<std::string>{"add"});
  CHECK(node_table(a + b, add(a, b), a + b).size() == 3);
}

}  // namespace
}  // namespace etch
