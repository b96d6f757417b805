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
  for (const char* begin : {"assign", "group", "after", "optimizers", "nn::dense", "nn::layer_norm", "nn::embedding", "nn::conv",
                            "nn::batch_norm", "arange", "x * random", "dropout"})
    if (call.rfind(begin, 0) == 0) return true;
  return false;
}

}  // namespace

TEST_CASE("EAG-02: every call of alone/calls.txt, which are all of docs/ops.md, is tested in every mode") {
  const std::string tests =
      text_of("every_call/elementwise.inc") + text_of("every_call/structure.inc") + text_of("every_call/functions.inc");
  std::istringstream lines(text_of("alone/calls.txt"));
  std::string line;
  int calls = 0;
  while (std::getline(lines, line)) {
    if (line.empty() || line[0] == '#') continue;
    const std::string kind = line.substr(0, line.find(' '));
    std::string call = line.substr(line.find(' ') + 1);
    if (is_left_out(call)) continue;
    // Of eager tensors one says how many axes the indices have.
    for (const char* name : {"gather_nd(", "scatter_nd("})
      if (call.rfind(name, 0) == 0) call.insert(std::string(name).size() - 1, "<1>");
    CHECK_MESSAGE(tests.find(kind + ", " + call + ")\n") != std::string::npos, call);
    ++calls;
  }
  CHECK(calls > 140);
}
