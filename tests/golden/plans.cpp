// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include <etch/etch.hpp>
#include <etch/print.hpp>

// The printed graphs and plans of three models. A change of a golden file is part of a review; to write them anew, run
// this test with ETCH_UPDATE_GOLDEN=1.

using namespace etch::literals;

namespace {

void check_golden(const std::string& name, const std::string& text) {
  const std::string path = "golden/" + name + ".txt";
  if (std::getenv("ETCH_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ifstream file(path);
  REQUIRE_MESSAGE(file.good(), "missing ", path);
  std::stringstream content;
  content << file.rdbuf();
  CHECK(content.str() == text);
}

}  // namespace

TEST_SUITE("golden") {
  TEST_CASE("golden: linear regression with gradient descent") {
    constexpr etch::placeholder<"x", float, etch::any<"n">> x;
    constexpr etch::placeholder<"y", float, etch::any<"n">> y;
    constexpr auto a = etch::variable<"a">(0.0_c);
    constexpr auto b = etch::variable<"b">(0.0_c);
    constexpr auto loss = etch::nn::mean_squared_error(a * x + b, y);
    constexpr auto train = etch::optimizers::sgd(1e-3_c).minimize(loss);
    check_golden("linear_regression", etch::to_text(loss, train) + "\n" + etch::to_text(etch::plan_of(loss, train, x, y)));
  }

  TEST_CASE("golden: a classifier with Adam") {
    constexpr etch::placeholder<"images", float, etch::any<"batch">, 784> images;
    constexpr etch::placeholder<"labels", std::int32_t, etch::any<"batch">> labels;
    constexpr auto logits = etch::nn::dense<"logits", 10>(etch::relu(etch::nn::dense<"hidden", 100>(images)));
    constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(logits, labels));
    constexpr auto train = etch::optimizers::adam(1e-3_c).minimize(loss);
    check_golden("classifier", etch::to_text(loss, train) + "\n" + etch::to_text(etch::plan_of(loss, train, images, labels)));
  }

  TEST_CASE("a plan that is asked for without the placeholders it reads") {
    constexpr etch::placeholder<"x", float, 8> x;
    CHECK(etch::to_text(etch::plan_of(etch::tanh(x))) == "0 map [8] tanh : x -> fetch0\n");
  }

  TEST_CASE("golden: what the drawing of docs/how_it_works.md is made of") {
    constexpr etch::placeholder<"x", float, etch::any<"batch">, 784> x;
    constexpr auto hidden = etch::relu(etch::nn::dense<"hidden", 100>(x));
    constexpr auto y = etch::softmax(etch::nn::dense<"logits", 10>(hidden));
    constexpr auto plan = etch::plan_of(y, x);
    check_golden("drawing", etch::to_text(y) + "\n" + etch::to_text(plan) + "\n" + std::to_string(plan.arena_bytes(50)) +
                                " bytes of arena for a batch of 50\n");
  }

  TEST_CASE("golden: attention with layer norm") {
    constexpr etch::placeholder<"tokens", float, 16, 32> tokens;
    constexpr auto h = etch::layer_norm(tokens);
    constexpr auto query = etch::nn::dense<"query", 8>(h);
    constexpr auto key = etch::nn::dense<"key", 8>(h);
    constexpr auto scores = etch::softmax(etch::matmul(query, etch::transpose(key)) * 0.35355339_c);
    constexpr auto y = tokens + etch::matmul(scores, etch::nn::dense<"value", 32>(h));
    check_golden("attention", etch::to_text(y) + "\n" + etch::to_text(etch::plan_of(y, tokens)));
  }
}
