// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdio>
#include <memory>

#include <etch/etch.hpp>
#include <etch/model.hpp>
#include <etch/model/nan_trap.hpp>
#include <etch/model/progress_bar.hpp>
#include <model/line.hpp>

/// Callbacks at all places of `fit`.
namespace {

using namespace etch;
using namespace etch::literals;

template <class Net>
auto make_model(Net net) {
  model m(input<float, 1>, net, optimizers::sgd(0.1_c), losses::mean_squared_error);
  m.initialize(1);
  return m;
}

/// Has all places at once.
struct recorder {
  std::string text;
  void before_training(auto&) { text += "begin"; }
  void after_training(auto&, const history& h) { text += " end" + std::to_string(h.epochs()); }
  void before_epoch(auto&, const history& h) { text += " epoch" + std::to_string(h.epochs()); }
  void before_batch(auto&, const fit_batch& b, const auto& x, const auto&) {
    text += " <" + std::to_string(b.number) + ":" + std::to_string(x.shape()[0]);
  }
  void after_batch(auto&, const fit_batch& b, const auto&, const auto& target) {
    text += ":" + std::to_string(b.samples) + "/" + std::to_string(b.total) + ":" + std::to_string(target.shape()[0]) + ">";
  }
  void operator()(auto&, const history&) { text += " done"; }
};

}  // namespace

TEST_CASE("callbacks at the beginning and the end of trainings, epochs and batches") {
  const line data(10);
  auto m = make_model(sequential(layers::dense<1>));
  recorder all;
  std::string text;
  auto batches = data::slices(data.x, data.y).batch(4);
  m.fit(
      batches, {.epochs = 2}, all, on_train_begin([&](auto&) { text += "begin"; }),
      on_epoch_begin([&](auto&, const history& h) { text += " epoch" + std::to_string(h.epochs()); }),
      on_batch_begin([&](auto&, const fit_batch& b, const auto& x, const auto&) {
        text += " <" + std::to_string(b.number) + ":" + std::to_string(x.shape()[0]);
      }),
      on_batch_end([&](auto&, const fit_batch& b) {
        text += ":" + std::to_string(b.samples) + "/" + std::to_string(b.total) + ":" + std::to_string(b.rows) + ">";
      }),
      [&](auto&, const history&) { text += " done"; },
      on_train_end([&](auto&, const history& h) { text += " end" + std::to_string(h.epochs()); }));
  CHECK(all.text ==
        "begin epoch0 <0:4:4/0:4> <1:4:8/0:4> <2:2:10/0:2> done epoch1 <0:4:4/10:4> <1:4:8/10:4> <2:2:10/10:2> done end2");
  CHECK(text == all.text);
}
TEST_CASE("a callback behind a batch stops at once, with what was measured so far") {
  const line data(10);
  auto m = make_model(sequential(layers::dense<1>));
  auto batches = data::slices(data.x, data.y).batch(4);
  double so_far = 0;
  int seen = 0;
  const history h = m.fit(batches, {.epochs = 5}, on_batch_end([&](auto& of, const fit_batch& b) {
                            so_far = of.results()[0];
                            ++seen;
                            return b.epoch == 2 && b.number == 1;
                          }));
  CHECK(h.epochs() == 2);
  CHECK(seen == 5);
  CHECK(h["loss"][1] == so_far);
}
TEST_CASE("train_on_batch and test_on_batch: what fit and evaluate do, batch for batch") {
  const line data(10);
  auto m = make_model(sequential(layers::dense<1>)), other = make_model(sequential(layers::dense<1>));
  const history h = m.fit(data::slices(data.x, data.y).batch(10), {.epochs = 2});
  for (std::size_t epoch = 0; epoch < 2; ++epoch) CHECK(other.train_on_batch(data.x, data.y)[0] == h["loss"][epoch]);
  CHECK(other.variables()[0].get<float>() == m.variables()[0].get<float>());
  CHECK(other.test_on_batch(data.x, data.y) == m.evaluate(data.x, data.y, 10));
}
TEST_CASE("nan_trap: the epoch, the batch and the first op that made a NaN; the variables from before") {
  const line data(10);
  constexpr auto net = sequential(layers::dense<1>, [](auto x) { return etch::sqrt(x); });
  auto m = make_model(net);
  m.variables()[0].set(std::vector<float>{1});
  m.variables()[1].set(std::vector<float>{1});
  auto batches = data::slices(data.x, data.y).batch(5);
  std::vector<float> kernel;
  const auto fit = [&] {
    m.fit(batches, {.epochs = 3}, on_batch_begin([&](auto& of, const fit_batch& b, const auto&, const auto&) {
            if (b.epoch == 2 && b.number == 1) of.variables()[1].set(std::vector<float>{-10});
          }),
          nan_trap(), on_batch_end([&](auto& of, const fit_batch& b) {
            if (b.epoch == 2 && b.number == 0) kernel = of.variables()[0].template get<float>();
          }));
  };
  std::string message;
  try {
    fit();
  } catch (const error& e) {
    message = e.what();
  }
  CHECK(message.starts_with("fit: epoch 2, batch 1: trap_nan: element 0 of "));
  CHECK(message.find(": sqrt float32[") != std::string::npos);
  CHECK(m.variables()[0].get<float>() == kernel);
}
TEST_CASE("show_progress: a line for each epoch where there is no terminal") {
  const line data(10);
  auto m = make_model(sequential(layers::dense<1>));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  REQUIRE(file != nullptr);
  auto batches = data::slices(data.x, data.y).batch(4);
  const history h = m.fit(batches, {.epochs = 2}, show_progress(file.get()));
  std::rewind(file.get());
  for (int epoch = 0; epoch < 2; ++epoch) {
    char line[200];
    REQUIRE(std::fgets(line, sizeof line, file.get()) != nullptr);
    char expected[100];
    std::snprintf(expected, sizeof expected, "epoch %d/2 10%s  loss %.4f  ", epoch + 1, epoch == 0 ? "" : "/10",
                  h["loss"][static_cast<std::size_t>(epoch)]);
    CHECK(std::string(line).starts_with(expected));
  }
  char rest[10];
  CHECK(std::fgets(rest, sizeof rest, file.get()) == nullptr);
}
