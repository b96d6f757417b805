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

/// NAME of a line `ETCH_DEFINE(NAME, ...)`, else "".
std::string defined_by_macro(const std::string& line) {
  const std::size_t begin = line.find('(');
  if (line.rfind("ETCH_", 0) != 0 || begin == std::string::npos) return "";
  return line.substr(begin + 1, line.find_first_of(",)", begin) - begin - 1);
}

/// The `///` lines above each `struct NAME` of the op headers, or the macro that defines it, joined.
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
        } else if (const std::string name = defined_by_macro(line); !name.empty() && !comment.empty()) {
          found.emplace(name, comment);
        }
        comment.clear();
      }
    }
  }
  return found;
}

/// The `///` lines above each function template `constexpr auto NAME(` of these headers, or the macro that defines it, joined; by its
/// name. What stands in `nn/` is found by the name with `nn::` as well, which tells two of one name apart.
std::map<std::string, std::string> function_comments() {
  std::map<std::string, std::string> found;
  for (const std::string folder : {"../include/etch/ops", "../include/etch/nn"}) {
    const bool layers = folder.back() == 'n';
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      std::istringstream lines(file_text(entry.path()));
      std::string line, comment;
      const std::string declaration = "constexpr auto ";
      while (std::getline(lines, line)) {
        if (line.rfind("///", 0) == 0) {
          comment += (comment.empty() ? "" : " ") + (line.size() > 4 ? line.substr(4) : "");
        } else if (line.rfind(declaration, 0) == 0) {
          const std::string name = line.substr(declaration.size(), line.find('(') - declaration.size());
          if (!comment.empty()) found.emplace(name, comment);
          if (!comment.empty() && layers) found.emplace("nn::" + name, comment);
          comment.clear();
        } else if (const std::string name = defined_by_macro(line); !name.empty() && !comment.empty()) {
          found.emplace(name, comment);
          comment.clear();
        } else if (line.rfind("template", 0) != 0 && line.rfind("  requires", 0) != 0 && line.rfind("     ", 0) != 0) {
          comment.clear();
        }
      }
    }
  }
  return found;
}

/// A bar would end the cell of a table.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

/// A comment as the cell of a table. Of more than 120 characters it is the first sentences, else what is in front of the last semicolon or
/// colon that fits, and a star; what follows is a line of `notes`.
std::string cell_of(const std::string& name, const std::string& comment, std::string& notes) {
  if (comment.size() <= 120) return cell(comment);
  for (const char* end : {". ", "; ", ": "}) {
    const std::size_t at = comment.rfind(end, 117);
    if (at == std::string::npos) continue;
    notes += "- `" + name + "`: " + comment.substr(at + 2) + "\n";
    return cell(comment.substr(0, at)) + ". *";
  }
  FAIL_CHECK(name << ": the comment's first sentence has more than 118 characters");
  return cell(comment);
}

/// Functions of other ops, as they are called.
constexpr const char* composites[] = {"relu(x)",
                                      "gelu(x)",
                                      "silu(x)",
                                      "softplus(x)",
                                      "square(x)",
                                      "clip(x, low, high)",
                                      "isnan(x)",
                                      "mean(x, axis<1>, keep_dims)",
                                      "variance(x, axis<1>, keep_dims)",
                                      "standard_deviation(x, axis<1>, keep_dims)",
                                      "norm<1>(x, axis<1>, keep_dims)",
                                      "softmax(x, axis<-1>)",
                                      "log_softmax(x, axis<-1>)",
                                      "logsumexp(x, axis<-1>, keep_dims)",
                                      "layer_norm(x, scale, offset)",
                                      "batch_norm(x, mean, variance, scale, offset)",
                                      "group_norm<32>(x, scale, offset)",
                                      "instance_norm(x, scale, offset)",
                                      "dropout<\"name\">(x, 0.5_c)",
                                      "attention(q, k, v, causal)",
                                      "stack(axis<0>, a, b)",
                                      "split<2>(x, axis<0>)",
                                      "tile<2, 3>(x)",
                                      "repeat<2>(x, axis<0>)",
                                      "roll<2>(x, axis<0>)",
                                      "tril<1>(x)",
                                      "triu<1>(x)",
                                      "flip(x, axis<0>)",
                                      "expand_dims(x, axis<0>)",
                                      "squeeze(x, axis<0>)",
                                      "arange<int>(shape<10>{})",
                                      "one_hot<10>(indices)",
                                      "einsum<\"ij,jk->ik\">(a, b)",
                                      "conv1d(x, kernel, same_padding)",
                                      "conv2d(x, kernel, strides<2>, padding<1, 1>)",
                                      "conv3d(x, kernel, dilations<2>)",
                                      "conv2d_transpose(x, kernel, strides<2>, same_padding)",
                                      "max_pool2d(x, window<2>)",
                                      "average_pool2d(x, window<3>, strides<1>, same_padding)",
                                      "resize(x, shape<64, 48>{}, bilinear)",
                                      "top_k<5>(x, axis<1>)",
                                      "gather_nd(x, indices)",
                                      "scatter_nd(x, indices, updates, add)",
                                      "zeros(shape<2, 3>{})",
                                      "ones(shape<2, 3>{})",
                                      "full(shape<2, 3>{}, 0.5_c)",
                                      "zeros_like(x)",
                                      "ones_like(x)",
                                      "full_like(x, 0.5_c)",
                                      "assign_add(variable, value)",
                                      "assign_sub(variable, value)",
                                      "nn::dense<\"name\", 100>(x)",
                                      "nn::conv2d<\"name\", 32, 5>(x, same_padding)",
                                      "nn::conv1d<\"name\", 32, 3>(x)",
                                      "nn::flatten(x)",
                                      "nn::batch_norm<\"name\">(x, nn::training)",
                                      "nn::layer_norm<\"name\">(x)",
                                      "nn::embedding<\"name\", 1000, 64>(ids)",
                                      "nn::mean_squared_error(prediction, target)",
                                      "nn::huber(prediction, target, delta)",
                                      "nn::kl_divergence(p, q)",
                                      "nn::sigmoid_cross_entropy(logits, labels)",
                                      "nn::softmax_cross_entropy(logits, labels)",
                                      "nn::sparse_softmax_cross_entropy(logits, labels)",
                                      "nn::weighted_softmax_cross_entropy(logits, labels, weights)",
                                      "nn::weighted_sparse_softmax_cross_entropy(logits, labels, weights)",
                                      "nn::smoothed_softmax_cross_entropy(logits, labels, 0.1_c)",
                                      "nn::smoothed_sparse_softmax_cross_entropy(logits, labels, 0.1_c)"};

const char* dtypes(etch::dtype_set set) {
  switch (set) {
    case etch::dtype_set::any: return "all";
    case etch::dtype_set::computed: return "numbers, bool";
    case etch::dtype_set::numeric: return "numbers";
    case etch::dtype_set::floating: return "floats";
    case etch::dtype_set::integer: return "integers";
    case etch::dtype_set::discrete: return "integers, bool";
    case etch::dtype_set::boolean: return "bool";
  }
  return "";
}

void append_notes(std::string& table, const std::string& notes) {
  if (!notes.empty()) table += "\nMore of those with a star:\n\n" + notes;
}

template <class... Ops>
void append_rows(std::string& table, etch::op_list<Ops...>, const std::map<std::string, std::string>& text) {
  std::string notes;
  const auto row = [&]<class Op>(std::type_identity<Op>) {
    std::string type(etch::type_name<Op>().text, etch::type_name<Op>().size);
    type = type.substr(type.rfind(':') == std::string::npos ? 0 : type.rfind(':') + 1);
    const auto comment = text.find(type);
    CHECK_MESSAGE(comment != text.end(), type, " has no comment");
    const std::string what = comment == text.end() ? "" : cell_of(Op::name, comment->second, notes);
    table += "| `" + std::string(Op::name) + "` | " + (Op::arity < 0 ? "any" : std::to_string(Op::arity)) + " | " +
             dtypes(Op::accepts) + " | " + (Op::differentiable ? "yes" : "no") + " | " + what + " |\n";
  };
  (row(std::type_identity<Ops>{}), ...);
  append_notes(table, notes);
}

}  // namespace

TEST_SUITE("docs") {
  TEST_CASE("docs: ops.md says what the ops say") {
    const auto text = comments();
    const std::string head = "\n| op | operands | dtypes | gradient | what |\n|---|---|---|---|---|\n";
    std::string table =
        "# Ops\n\nMade from the comments in `ops/` and `nn/` by the test `docs`; do not edit. Axes, shapes and attributes are "
        "part of the type: `axis<0, -1>`, `shape<2, 3>{}`, `keep_dims`. In which ways two operands of different dtypes meet: "
        "[concepts.md](concepts.md). What a cell with a star has no room for is in the list below its table.\n\n"
        "## Elementwise\n";
    table += head;
    append_rows(table, etch::elementwise_ops{}, text);
    table += "\n## Reductions\n" + head;
    append_rows(table, etch::reduction_ops{}, text);
    table += "\n## Movement\n" + head;
    append_rows(table, etch::movement_ops{}, text);
    table += "\n## Others\n" + head;
    append_rows(table, etch::other_ops{}, text);
    table +=
        "\n## Composites\n\nFunctions of these, with their gradients. What sees images is in `<etch/convolution.hpp>`: "
        "convolutions, pools, "
        "`resize`, `nn::conv1d`, `nn::conv2d`, `nn::batch_norm`.\n\n| call | what |\n|---|---|\n";
    const auto functions = function_comments();
    std::string notes;
    for (const std::string call : composites) {
      const std::string name = call.substr(0, call.find_first_of("<("));
      const auto comment = functions.find(name);
      CHECK_MESSAGE(comment != functions.end(), call, " has no comment");
      if (comment != functions.end()) table += "| `" + call + "` | " + cell_of(name, comment->second, notes) + " |\n";
    }
    append_notes(table, notes);
    if (std::getenv("ETCH_UPDATE_GOLDEN") != nullptr) std::ofstream("../docs/ops.md") << table;
    CHECK(file_text("../docs/ops.md") == table);
  }
}
