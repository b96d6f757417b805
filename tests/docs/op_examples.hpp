// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <docs/op_operands.hpp>
#include <etch/print.hpp>

/// What calls of ops give, as text, beside what stands in a file of tests/golden that the reference is made from. With ETCH_UPDATE_GOLDEN=1
/// the file is written anew.
class op_examples {
 public:
  /// Draws begin anew, whatever ran before.
  explicit op_examples(std::string path) : path_(std::move(path)) { etch::eager::seed(0); }
  op_examples(const op_examples&) = delete;
  op_examples& operator=(const op_examples&) = delete;

  template <class V>
  void add(const char* call, const V& value) {
    std::ostringstream text;
    write(text, value);
    text_ += std::string(call) + "\n" + text.str() + "\n\n";
  }
  ~op_examples() {
    if (std::getenv("ETCH_UPDATE_GOLDEN") != nullptr) std::ofstream(path_) << text_;
    std::ifstream file(path_);
    std::stringstream expected;
    expected << file.rdbuf();
    compare(expected.str());
  }

 private:
  static void write(std::ostream& to, const std::string& text) { to << text; }
  template <class... V>
  static void write(std::ostream& to, const std::tuple<V...>& values) {
    std::apply([&](const auto&... v) { ((to << v << "\n"), ...); }, values);
  }
  template <class V>
  static void write(std::ostream& to, const V& value) {
    // An expression of constants is a value where it meets a tensor.
    if constexpr (etch::expression<V>)
      to << etch::tensor<typename V::value_type, V::rank>(value);
    else
      to << value;
  }
  /// Words are equal; numbers but for the last of eight digits, which is another one on other processors.
  void compare(const std::string& expected) const {
    const auto words = [](const std::string& text) {
      std::vector<std::string> all{""};
      for (const char c : text) {
        if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '[' || c == ']')
          all.emplace_back();
        else
          all.back() += c;
      }
      return all;
    };
    const auto a = words(expected), b = words(text_);
    REQUIRE_MESSAGE(a.size() == b.size(), path_, " is not up to date");
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (a[k] == b[k]) continue;
      char* end = nullptr;
      const double x = std::strtod(a[k].c_str(), &end), y = std::strtod(b[k].c_str(), nullptr);
      CHECK_MESSAGE((end != a[k].c_str() && x == doctest::Approx(y).epsilon(1e-6)), path_, ": ", a[k], " is now ", b[k]);
    }
  }

  std::string path_, text_;
};

#define ETCH_EXAMPLE(...) examples.add(#__VA_ARGS__, __VA_ARGS__);
/// Of what has a value in a session only: its graph.
#define ETCH_GRAPH_EXAMPLE(...) examples.add("etch::to_text(" #__VA_ARGS__ ")", etch::to_text(__VA_ARGS__));
