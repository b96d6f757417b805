// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <etch/graph/build.hpp>
#include <etch/ops.hpp>

// docs/ops.md is made from the lists in ops.hpp and the comments above the structs. To write it anew, run this test with
// ETCH_UPDATE_GOLDEN=1.

namespace {

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The `///` lines above each `struct NAME` of the op headers, joined.
std::map<std::string, std::string> comments() {
  std::map<std::string, std::string> found;
  for (const auto& folder : {"../include/etch/ops", "../include/etch/core"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      std::istringstream lines(file_text(entry.path()));
      std::string line, comment;
      while (std::getline(lines, line)) {
        const std::size_t start = line.find_first_not_of(' ');
        const std::string code = start == std::string::npos ? "" : line.substr(start);
        if (code.rfind("///", 0) == 0) {
          comment += (comment.empty() ? "" : " ") + (code.size() > 4 ? code.substr(4) : "");
          continue;
        }
        const std::size_t at = code.find("struct ");
        if (at != std::string::npos && (at == 0 || code.rfind("inline constexpr struct", 0) == 0) && !comment.empty()) {
          const std::size_t begin = at + 7;
          const std::size_t end = code.find_first_of(" :{", begin);
          found.emplace(code.substr(begin, end - begin), comment);
        }
        comment.clear();
      }
    }
  }
  return found;
}

const char* dtypes(etch::dtype_set set) {
  switch (set) {
    case etch::dtype_set::any: return "all";
    case etch::dtype_set::numeric: return "numbers";
    case etch::dtype_set::floating: return "floats";
    case etch::dtype_set::integer: return "integers";
    case etch::dtype_set::boolean: return "bool";
  }
  return "";
}

template <class... Ops>
void append_rows(std::string& table, etch::op_list<Ops...>, const std::map<std::string, std::string>& text) {
  const auto row = [&]<class Op>(std::type_identity<Op>) {
    std::string type(etch::type_name<Op>().text, etch::type_name<Op>().size);
    type = type.substr(type.rfind(':') == std::string::npos ? 0 : type.rfind(':') + 1);
    const auto comment = text.find(type);
    CHECK_MESSAGE(comment != text.end(), type, " has no comment");
    std::string what = comment == text.end() ? "" : comment->second;
    for (std::size_t at = 0; (at = what.find('|', at)) != std::string::npos; at += 2) what.insert(at, "\\");
    table += "| `" + std::string(Op::name) + "` | " + (Op::arity < 0 ? "any" : std::to_string(Op::arity)) + " | " +
             dtypes(Op::accepts) + " | " + (Op::differentiable ? "yes" : "no") + " | " + what + " |\n";
  };
  (row(std::type_identity<Ops>{}), ...);
}

}  // namespace

TEST_SUITE("docs") {
  TEST_CASE("docs: ops.md says what the ops say") {
    const auto text = comments();
    const std::string head = "\n| op | operands | dtypes | gradient | what |\n|---|---|---|---|---|\n";
    std::string table =
        "# Ops\n\nMade from the op structs by the test `docs`; do not edit. Composites (`relu`, `gelu`, `silu`, `softplus`, "
        "`softmax`, `log_softmax`, `logsumexp`, `layer_norm`, `mean`, `variance`, `square`, `clip`, `isnan`, `stack`, `flip`, "
        "`one_hot`, `dropout`, the losses in `nn/losses.hpp`) are functions of these and have their gradients.\n\n"
        "## Elementwise\n";
    table += head;
    append_rows(table, etch::elementwise_ops{}, text);
    table += "\n## Reductions\n" + head;
    append_rows(table, etch::reduction_ops{}, text);
    table += "\n## Movement\n" + head;
    append_rows(table, etch::movement_ops{}, text);
    table += "\n## Others\n" + head;
    append_rows(table, etch::other_ops{}, text);
    if (std::getenv("ETCH_UPDATE_GOLDEN") != nullptr) std::ofstream("../docs/ops.md") << table;
    CHECK(file_text("../docs/ops.md") == table);
  }
}
