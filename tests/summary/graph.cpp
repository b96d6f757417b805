// SPDX-License-Identifier: MIT
#include <etch/etch.hpp>
#include <etch/print.hpp>
#include <etch/summary.hpp>

#include "readers.hpp"

/// Graphs as TensorBoard reads them.
namespace {

using namespace etch::literals;
using etch::summary::file_writer;

constexpr etch::placeholder<"x", float, etch::any<"batch">, 3> x;
constexpr auto w = etch::variable<"w">(etch::ones(etch::shape<3, 2>{}));

/// The attribute that says where a node got its name.
std::string place(int line) { return " place=" + std::string(__FILE__) + ":" + std::to_string(line); }

TEST_CASE("TB-05, TB-07: the graph of expressions, with its scopes, shapes and control inputs") {
  const readers::folder folder("graph");
  int first = 0;
  {
    first = __LINE__ + 1;
    const auto y = etch::named<"scope/größe">(etch::matmul(x, w));
    const auto loss = etch::named<"loss">(etch::sum(etch::astype<double>(y)));
    const auto step = etch::named<"step">(etch::group(etch::assign(w, w * 2_c)));
    file_writer writer(folder.path);
    writer.graph(etch::after(loss, step));
  }
  readers::check_values(folder.path,
                        {"node constant Const () [] T=type 1 _output_shapes=[[]] value=2",
                         "node w variable () [] T=type 1 _output_shapes=[[3, 2]] trainable=1",
                         "node multiply multiply (w, constant) [] T=type 1 _output_shapes=[[3, 2]]",
                         "node assign assign (w, multiply) [] T=type 1 _output_shapes=[[3, 2]]",
                         "node step group (^assign) [] _output_shapes=[]" + place(first + 2),
                         "node x placeholder () [] T=type 1 _output_shapes=[[-1, 3]]",
                         "node scope/größe matmul (x, w) [] T=type 1 _output_shapes=[[-1, 2]]" + place(first),
                         "node cast cast (scope/größe) [] T=type 2 _output_shapes=[[-1, 2]] dtype=float64",
                         "node loss sum (cast) [] T=type 2 _output_shapes=[[]] axis=0,1 keep_dims=0" + place(first + 1),
                         "node after after (loss, ^step) [] T=type 2 _output_shapes=[[]]"});
}

TEST_CASE("TB-05: the graphs of a session and of a plan say where they run") {
  const int line = __LINE__ + 1;
  const auto y = etch::named<"y">(etch::astype<std::int8_t>(x) + 1_c);
  const etch::session session(y);
  for (const bool of_plan : {false, true}) {
    const readers::folder folder("device");
    {
      file_writer writer(folder.path);
      if (of_plan)
        writer.graph(etch::plan_of(y, x));
      else
        writer.graph(session);
    }
    readers::check_values(folder.path,
                          {"node x placeholder () [/device:CPU:0] T=type 1 _output_shapes=[[-1, 3]]",
                           "node cast cast (x) [/device:CPU:0] T=type 6 _output_shapes=[[-1, 3]] dtype=int8",
                           "node constant Const () [/device:CPU:0] T=type 6 _output_shapes=[[]] value=1",
                           "node y add (cast, constant) [/device:CPU:0] T=type 6 _output_shapes=[[-1, 3]]" + place(line)});
  }
}

TEST_CASE("TB-05: a training step, whose every input is a node") {
  const readers::folder folder("training");
  {
    const auto loss = etch::named<"loss">(etch::mean(etch::nn::dense<"logits", 2>(etch::relu(etch::nn::dense<"hidden", 4>(x)))));
    file_writer writer(folder.path);
    writer.graph(loss, etch::optimizers::adam(0.01_c).minimize(loss));
  }
  if (!readers::has_python()) {
    MESSAGE("skipped: no python3 reads the event files");
    return;
  }
  std::vector<std::string> names, inputs;
  for (const std::string& line : readers::lines_of("python3 -B summary/decode_events.py " + folder.path.string())) {
    const std::size_t name_end = line.find(' ', 5), open = line.find('('), close = line.find(')');
    names.push_back(line.substr(5, name_end - 5));
    for (std::size_t at = open + 1; at < close;) {
      const std::size_t end = std::min(line.find(", ", at), close);
      inputs.push_back(line.substr(line[at] == '^' ? at + 1 : at, end - (line[at] == '^' ? at + 1 : at)));
      at = end == close ? close : end + 2;
    }
  }
  CHECK(std::find(names.begin(), names.end(), "hidden/kernel") != names.end());
  CHECK(inputs.size() > 20);
  for (const std::string& input : inputs) CHECK(std::find(names.begin(), names.end(), input) != names.end());
}

}  // namespace
