// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <filesystem>

#include <etch/checkpoint.hpp>
#include <etch/data.hpp>
#include <etch/etch.hpp>
#include <etch/function.hpp>
#include <etch/summary.hpp>
#include <etch/tape.hpp>
#include <docs/in_empty_folder.hpp>

// The code of docs/side_by_side.md, section "TensorFlow 2: eager code, tapes, functions, data".

// A page's lambda may call its parameter as the argument is called.
#pragma GCC diagnostic ignored "-Wshadow"

using namespace etch::literals;

TEST_CASE("side by side: 19. A gradient of what was computed") {
  const etch::tensor<float, 1> x = {3};
  etch::tape tape;
  const auto y = etch::sum(x * x);
  const auto slope = tape.gradient(y, x);  // [6.]
  CHECK(slope(0) == 6);
}

TEST_CASE("side by side: 20. A second derivative") {
  const etch::tensor<float, 0> x = 3;
  etch::tape outer, inner;
  const auto y = x * x * x;
  const auto slope = inner.gradient(y, x);
  const auto curvature = outer.gradient(slope, x);
  CHECK((slope.item() == 27 && curvature.item() == 18));
}

TEST_CASE("side by side: 21. A variable") {
  etch::eager::variable w(etch::tensor<float, 1>{1, 2});
  w.assign_add(etch::tensor<float, 1>{1, 1});
  CHECK(w.read()(1) == 3);
}

TEST_CASE("side by side: 22. A function that is a graph") {
  const etch::tensor<float, 2> x = {{1, 2}}, w = {{0.5f}, {0.25f}};
  etch::function step([](auto x, auto w) { return etch::tanh(etch::matmul(x, w)); });
  const etch::tensor<float, 2> y = step(x, w);
  CHECK(y(0, 0) == doctest::Approx(std::tanh(1.0)));
}

TEST_CASE("side by side: 23. Random numbers that come again") {
  etch::eager::seed(42);
  const etch::tensor<float, 2> noise = etch::random_normal<"noise">(etch::shape<2, 3>{});
  etch::eager::seed(42);
  const etch::tensor<float, 2> again = etch::random_normal<"noise">(etch::shape<2, 3>{});
  CHECK(etch::reduce_all(noise == again).item());
}

TEST_CASE("side by side: 24. A pipeline of data") {
  const xt::xtensor<float, 2> images = 255.0f * xt::ones<float>({6, 3});
  const xt::xtensor<std::int32_t, 1> labels{0, 1, 2, 3, 4, 5};
  auto samples = etch::data::slices(images, labels)
                     .map([](auto x, auto y) { return std::tuple(x / 255.0f, y); })
                     .shuffle(6, /*seed*/ 1)
                     .batch(4);
  for (auto [x, y] : samples) std::printf("(%zu, %zu)\n", x.shape()[0], x.shape()[1]);
  int rounds = 0, sum = 0;
  for (auto [x, y] : samples) {
    ++rounds;
    CHECK(x(0, 0) == 1);
    for (const std::int32_t label : y) sum += label;
  }
  CHECK((rounds == 2 && sum == 15));
}

TEST_CASE("side by side: 25. A checkpoint") {
  constexpr auto w = etch::variable<"w">(1.0_c);
  constexpr auto y = w * 2_c;
  etch::session session(y);
  std::int64_t step = 7;
  const in_empty_folder folder;
  etch::checkpoint checkpoint;
  checkpoint.track("model", session).track("step", step);
  etch::checkpoint_manager manager(checkpoint, "saved", {.max_to_keep = 3});
  if (!manager.restore_latest()) session.initialize();
  manager.save(step);
  session.set(w, 5.0f);
  step = 0;
  CHECK(manager.restore_latest().has_value());
  CHECK((session.get(w) == 1 && step == 7));
}

TEST_CASE("side by side: 26. Curves for TensorBoard") {
  const in_empty_folder folder;
  etch::summary::file_writer writer("logs");
  writer.scalar("loss", 0.25, 1);
  CHECK(!std::filesystem::is_empty("logs"));
}
