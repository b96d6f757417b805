// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include <base/decimal_comma.hpp>
#include <etch/etch.hpp>
#include <etch/model.hpp>
#include <model/line.hpp>

namespace {

using namespace etch;
using namespace etch::literals;

constexpr auto net = sequential(layers::dense<1>);

auto make_model() {
  model m(input<float, 1>, net, optimizers::sgd(0.1_c), losses::mean_squared_error);
  m.initialize(1);
  return m;
}

}  // namespace

TEST_CASE("callbacks: any function of the model and the history, called after each epoch; true stops") {
  const line data;
  auto m = make_model();
  std::vector<std::size_t> called;
  const history h = m.fit(
      data.x, data.y, {.epochs = 10}, [&](auto&, const history& so_far) { called.push_back(so_far.epochs()); },
      [](auto&, const history& so_far) { return so_far.epochs() == 4; },
      [&](auto& of, const history&) { called.push_back(of.variables().size()); });
  CHECK(h.epochs() == 4);
  CHECK(called == std::vector<std::size_t>{1, 2, 2, 2, 3, 2, 4, 2});
}
TEST_CASE("early_stopping: the variables of the best epoch are back") {
  const line data;
  auto m = make_model();
  // From the fifth epoch on the model is disturbed, so that its loss grows.
  early_stopping stopping({.monitor = "val_loss", .patience = 3});
  auto check = etch::data::slices(data.x, data.y).batch(16);
  std::vector<float> best;
  const history h = m.fit(
      data.x, data.y, {.epochs = 50}, check,
      [&](auto& of, const history& so_far) {
        if (so_far.epochs() == 4) best = of.variables()[0].template get<float>();
      },
      stopping,
      [&](auto& of, const history& so_far) {
        if (so_far.epochs() >= 4 && so_far.epochs() < 7)
          of.variables()[1].set(std::vector<float>{100.0f * static_cast<float>(so_far.epochs())});
      });
  CHECK(h.epochs() == 7);
  CHECK(stopping.best_epoch() == 4);
  CHECK(m.variables()[0].get<float>() == best);
  CHECK(m.evaluate(check)[0] == doctest::Approx(h["val_loss"][3]).epsilon(1e-6));
}
TEST_CASE("early_stopping: the variables of the best epoch are back where the epochs run out") {
  const line data;
  auto m = make_model();
  early_stopping stopping({.monitor = "loss", .patience = 10});
  std::vector<float> best;
  m.fit(data.x, data.y, {.epochs = 4}, stopping, [&](auto& of, const history& so_far) {
    if (so_far.epochs() == 2) best = of.variables()[0].template get<float>();
    if (so_far.epochs() >= 2) of.variables()[1].set(std::vector<float>{100});
  });
  CHECK(stopping.best_epoch() == 2);
  CHECK(m.variables()[0].get<float>() == best);
  m.variables()[1].set(std::vector<float>{7});
  m.fit(data.x, data.y, {.epochs = 0}, stopping);
  CHECK(m.variables()[1].get<float>()[0] == 7);
}
TEST_CASE("early_stopping: the next training begins anew, also of another model and where nothing is ever better") {
  auto small = make_model();
  model larger(input<float, 1>, sequential(layers::dense<1>, layers::dense<1>), optimizers::adam(0.1_c),
               losses::mean_squared_error);
  early_stopping stopping({.patience = 3});
  history first, second;
  for (int epoch = 0; epoch < 20; ++epoch) {
    first.add("val_loss", 20 - epoch);
    CHECK_FALSE(stopping(small, first));
  }
  larger.variables()[1].set(std::vector<float>{5});
  for (int epoch = 1; epoch <= 3; ++epoch) {
    second.add("val_loss", NAN);
    CHECK(stopping(larger, second) == (epoch == 3));
  }
  stopping.after_training(larger, second);
  CHECK(stopping.best_epoch() == 0);
  CHECK(larger.variables()[1].get<float>()[0] == 5);
}
TEST_CASE("csv_logger, terminate_on_nan") {
  const line data;
  auto m = make_model();
  const std::filesystem::path path = std::filesystem::temp_directory_path() / ("etch_csv_" + std::to_string(std::rand()));
  {
    csv_logger log(path);
    const history h = m.fit(data.x, data.y, {.epochs = 5}, log, terminate_on_nan(), [](auto& of, const history& so_far) {
      if (so_far.epochs() == 2) of.variables()[1].set(std::vector<float>{NAN});
    });
    CHECK(h.epochs() == 3);
    CHECK(std::isnan(h["loss"].back()));
  }
  std::ifstream file(path);
  std::string first, second;
  std::getline(file, first);
  std::getline(file, second);
  CHECK(first == "epoch,loss");
  CHECK(second.substr(0, 2) == "1,");
  std::filesystem::remove(path);
  CHECK_THROWS_WITH_AS(csv_logger("/no/such/folder/log.csv"), "csv_logger: /no/such/folder/log.csv: it cannot be written", error);
}
TEST_CASE("csv_logger, print_epochs: numbers have points where the program's language has a comma") {
  const decimal_comma comma;
  if (!comma) return;
  auto m = make_model();
  history h;
  h.add("loss", 0.5);
  h.add("accuracy", 1.0 / 3);
  const std::filesystem::path path = std::filesystem::temp_directory_path() / ("etch_comma_" + std::to_string(std::rand()));
  csv_logger log(path);
  log(m, h);
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  CHECK(text.str() == "epoch,loss,accuracy\n1,0.5,0.333333333\n");
  std::filesystem::remove(path);

  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> printed(std::tmpfile(), std::fclose);
  REQUIRE(printed != nullptr);
  print_epochs{printed.get()}(m, h);
  std::rewind(printed.get());
  char line[100] = {};
  REQUIRE(std::fgets(line, sizeof line, printed.get()) != nullptr);
  CHECK(std::string(line) == "epoch 1  loss 0.5000  accuracy 0.3333\n");
}
TEST_CASE("reduce_rate_on_plateau: the rates of Keras's callback on the same losses (clients/plateau.py)") {
  constexpr auto rate = variable<"rate">(full(shape<>{}, 0.5_c), not_trainable);
  model m(input<float, 1>, net, optimizers::sgd(rate), losses::mean_squared_error);
  const double losses_of[] = {1, 0.9, 0.9, 0.9, 0.89, 0.895, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8};
  const float plain[] = {0.5f,   0.5f,   0.5f,    0.25f,   0.25f,    0.25f,    0.25f,     0.25f,
                         0.125f, 0.125f, 0.0625f, 0.0625f, 0.03125f, 0.03125f, 0.015625f, 0.015625f};
  const float cooling[] = {0.5f, 0.5f, 0.5f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f};
  const auto check = [&](auto callback, const float* expected, const char* name, double direction) {
    for (int round = 0; round < 2; ++round) {
      m.session().set(rate, 0.5f);
      history h;
      for (std::size_t epoch = 0; epoch < 16; ++epoch) {
        CAPTURE(epoch);
        h.add(name, direction * losses_of[epoch]);
        callback(m, h);
        CHECK(m.session().get(rate) == expected[epoch]);
      }
    }
  };
  check(reduce_rate_on_plateau(rate, {.factor = 0.5, .patience = 2}), plain, "val_loss", 1);
  check(reduce_rate_on_plateau(rate, {.factor = 0.5, .patience = 2, .min_delta = 0.02, .cooldown = 3, .min_rate = 0.2}), cooling,
        "val_loss", 1);
  check(reduce_rate_on_plateau(rate, {.monitor = "val_auc", .factor = 0.5, .patience = 2}), plain, "val_auc", -1);
}
TEST_CASE("early_stopping: of metrics that are the better the higher they are") {
  auto m = make_model();
  for (const std::string name : {"val_accuracy", "binary_accuracy", "val_auc", "precision", "val_recall", "macro_f1", "val_r2"}) {
    CAPTURE(name);
    early_stopping stopping({.monitor = name, .patience = 2});
    history h;
    for (const double value : {0.5, 0.6, 0.7}) {
      h.add(name, value);
      CHECK_FALSE(stopping(m, h));
    }
    h.add(name, 0.6);
    CHECK_FALSE(stopping(m, h));
    h.add(name, 0.65);
    CHECK(stopping(m, h));
    CHECK(stopping.best_epoch() == 3);
  }
}
