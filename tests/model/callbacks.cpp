// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <etch/etch.hpp>
#include <etch/model.hpp>

namespace {

using namespace etch;
using namespace etch::literals;

constexpr auto net = sequential(layers::dense<1>);

struct line {
  xt::xtensor<float, 2> x = xt::zeros<float>({16, 1}), y = xt::zeros<float>({16, 1});
  line() {
    for (std::size_t i = 0; i < 16; ++i) {
      x(i, 0) = static_cast<float>(i) / 16;
      y(i, 0) = 2 * x(i, 0) + 1;
    }
  }
};

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
