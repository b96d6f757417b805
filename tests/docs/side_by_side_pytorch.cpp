// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include <etch/checkpoint.hpp>
#include <etch/control.hpp>
#include <etch/data.hpp>
#include <etch/etch.hpp>
#include <etch/print.hpp>
#include <docs/in_empty_folder.hpp>

// The code of docs/side_by_side.md, section "PyTorch: modules, steps, memory".

using namespace etch::literals;

TEST_CASE("side by side: 35. A module") {
  constexpr auto classifier = [](auto x) {
    const auto hidden = etch::relu(etch::nn::dense<"hidden", 8>(x));
    return etch::nn::dense<"logits", 3>(hidden);
  };
  constexpr etch::placeholder<"x", float, etch::any<"batch">, 4> x;
  etch::session session(classifier(x));
  session.initialize(1);
  CHECK(session.get<"hidden/kernel">().shape()[0] == 4);
  CHECK(session.run(classifier(x), x = {{1, 2, 3, 4}}).shape()[1] == 3);
}

TEST_CASE("side by side: 36. A training step") {
  constexpr etch::placeholder<"points", float, etch::any<"batch">, 2> points;
  constexpr etch::placeholder<"labels", std::int32_t, etch::any<"batch">> labels;
  constexpr auto logits = etch::nn::dense<"logits", 2>(points);
  const xt::xtensor<float, 2> all{{1, 0}, {0, 1}, {1, 0}, {0, 1}};
  const xt::xtensor<std::int32_t, 1> sides{0, 1, 0, 1};
  auto loader = etch::data::slices(all, sides).shuffle(4).batch(2).repeat(200);
  float last = 1;
  constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(logits, labels));
  constexpr auto train = etch::optimizers::adamw(1e-2_c).minimize(loss);
  etch::session session(loss, train);
  session.initialize(/*seed*/ 1);
  for (auto [x, y] : loader) last = session.run(loss, train, points = x, labels = y);
  CHECK(last < 0.1f);
}

TEST_CASE("side by side: 37. A value through which no gradient goes") {
  constexpr etch::placeholder<"x", float> x;
  constexpr auto y = x * etch::stop_gradient(x);
  constexpr auto slope = etch::gradient(y, x);
  etch::session session(slope);
  CHECK(session.run(slope, x = 3.0f) == 3);
}

TEST_CASE("side by side: 38. Gradients that are clipped") {
  constexpr auto w = etch::variable<"w">(0.0_c);
  constexpr auto b = etch::variable<"b">(0.0_c);
  constexpr auto loss = 30_c * w + 40_c * b;
  constexpr auto clipped = etch::optimizers::clip_by_global_norm(etch::gradients(loss, w, b), 1_c);
  constexpr auto train = etch::optimizers::sgd(1_c).apply_gradients(clipped, w, b);
  etch::session session(train);
  session.initialize();
  session.run(train);
  CHECK((session.get(w) == doctest::Approx(-0.6) && session.get(b) == doctest::Approx(-0.8)));
}

TEST_CASE("side by side: 39. Saving the weights") {
  constexpr auto w = etch::variable<"w">(1.0_c);
  constexpr auto y = w * 2_c;
  etch::session session(y);
  session.initialize();
  const in_empty_folder folder;
  etch::checkpoint checkpoint;
  checkpoint.track("", session);
  checkpoint.save("model.safetensors");
  checkpoint.restore("model.safetensors");
  session.set(w, 5.0f);
  checkpoint.restore("model.safetensors");
  CHECK(session.get(w) == 1);
}

TEST_CASE("side by side: 40. How many kernels, how much memory") {
  constexpr etch::placeholder<"x", float, etch::any<"n">> x;
  constexpr auto y = etch::tanh(x * 2_c + 1_c);
  constexpr auto plan = etch::plan_of(y, x);
  static_assert(plan.kernel_count == 1 && plan.arena_bytes(100) == 0);
  std::cout << etch::to_text(plan);
  CHECK(etch::to_text(plan).find("tanh") != std::string::npos);
}
