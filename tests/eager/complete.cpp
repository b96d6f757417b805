// SPDX-License-Identifier: MIT
#include <fstream>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

namespace {

std::string text_of(const char* file) {
  std::ifstream in(file);
  REQUIRE_MESSAGE(in.good(), file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// What has no eager form: effects and optimizers, and layers that declare variables; and what is tested elsewhere in this folder,
/// since no reference draws the same.
bool is_left_out(const std::string& call) {
  for (const char* begin : {"assign", "group", "after", "optimizers", "nn::dense", "nn::layer_norm", "nn::embedding", "arange",
                            "x * random", "dropout"})
    if (call.rfind(begin, 0) == 0) return true;
  return false;
}

}  // namespace

TEST_CASE("EAG-02: every call of alone/calls.txt, which are all of docs/ops.md, has its eager test") {
  const std::string tests =
      text_of("eager/every_elementwise.cpp") + text_of("eager/every_structure.cpp") + text_of("eager/every_functions.cpp");
  std::istringstream lines(text_of("alone/calls.txt"));
  std::string line;
  int calls = 0;
  while (std::getline(lines, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::string call = line.substr(line.find(' ') + 1);
    if (is_left_out(call)) continue;
    // Of eager tensors one says how many axes the indices have.
    for (const char* name : {"gather_nd(", "scatter_nd("})
      if (call.rfind(name, 0) == 0) call.insert(std::string(name).size() - 1, "<1>");
    CHECK_MESSAGE(tests.find("(" + call + ");") != std::string::npos, call);
    ++calls;
  }
  CHECK(calls > 140);
}
