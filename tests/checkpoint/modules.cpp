// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

// In this order: each lists its variables by a concept of its own.
#include <etch/checkpoint.hpp>
#include <etch/data.hpp>
#include <etch/etch.hpp>
#include <etch/function.hpp>
#include <etch/model.hpp>
#include <etch/module.hpp>
#include <format/files.hpp>

#include <xtensor/xview.hpp>

/// Modules in checkpoints: what they have goes on to the last bit, the optimizers of models and all random draws.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr auto net = sequential(layers::dense<6>(layers::tanh), layers::dropout(0.5_c), layers::dense<1>);
auto make_model() { return model(input<float, 2>, net, optimizers::adam(1e-2_c), losses::mean_squared_error); }

constexpr placeholder<"points", float, any<"n">, 2> points;
constexpr auto hidden = dropout<"drop">(etch::tanh(nn::dense<"hidden", 6>(points)), 0.5_c);
constexpr auto loss = mean(square(nn::dense<"last", 1>(hidden) - 1_c));
constexpr auto train = optimizers::adam(1e-2_c).minimize(loss);

struct with_session : module<with_session> {
  decltype(session(loss, train)) steps{loss, train};
  eager::variable<float, 0> factor{2.f};
  ETCH_MEMBERS(steps, factor)
};
struct two_models : module<two_models> {
  decltype(make_model()) generator = make_model(), discriminator = make_model();
  std::vector<with_session> parts = std::vector<with_session>(2);
  ETCH_MEMBERS(generator, discriminator, parts)
};

struct samples {
  xt::xtensor<float, 2> x = xt::zeros<float>({40, 2}), y = xt::zeros<float>({40, 1});
  samples() {
    for (std::size_t i = 0; i < 40; ++i) {
      x(i, 0) = static_cast<float>(i * 7 % 11) / 11;
      x(i, 1) = static_cast<float>(i * 5 % 13) / 13;
      y(i, 0) = x(i, 0) * x(i, 1);
    }
  }
};
std::vector<float> train_on(two_models& m) {
  const samples data;
  auto batches = data::slices(data.x, data.y).batch(8);
  std::vector<float> losses;
  losses.push_back(static_cast<float>(m.generator.fit(batches, {.epochs = 2})["loss"].back()));
  losses.push_back(static_cast<float>(m.discriminator.fit(batches, {.epochs = 3})["loss"].back()));
  for (auto& part : m.parts)
    for (int i = 0; i < 3; ++i) losses.push_back(part.steps.run(loss, train, points = data.x));
  return losses;
}
void initialize(two_models& m, std::uint64_t seed) {
  m.generator.initialize(seed);
  m.discriminator.initialize(seed + 1);
  for (auto& part : m.parts) part.steps.initialize(++seed + 7);
}

}  // namespace

TEST_CASE("CKPT-02: a module with two models, sessions and variables goes on to the last bit") {
  for (const char* name : {"saved", "saved.safetensors", "saved.npz"}) {
    CAPTURE(name);
    const files::folder folder("modules");
    two_models first, second;
    initialize(first, 3);
    initialize(second, 30);
    first.parts[1].factor.assign(tensor(5.f));
    train_on(first);
    checkpoint().track("m", first).save(folder / name);
    const std::vector<float> never_stopped = train_on(first);
    checkpoint().track("m", second).restore(folder / name);
    CHECK(static_cast<float>(second.parts[1].factor.read()) == 5);
    CHECK(train_on(second) == never_stopped);
  }
}
TEST_CASE("CKPT-02: what a checkpoint of a module has, each by its path") {
  const files::folder folder("modules");
  two_models m;
  initialize(m, 1);
  checkpoint().track("m", m).save(folder / "saved.safetensors");
  const format::safetensors_reader reader(folder / "saved.safetensors");
  std::vector<std::string> names;
  for (const auto& t : reader.tensors()) names.emplace_back(t.name);
  const auto has = [&](const std::string& name) { return std::ranges::count(names, name) == 1; };
  for (const char* model : {"generator", "discriminator"}) {
    const std::string path = "m/two_models/" + std::string(model) + "/";
    for (const char* variable :
         {"dense/kernel", "dense_1/bias", "dense/kernel/adam/m", "dense/kernel/adam/step", ".random_state"}) {
      CAPTURE(path + variable);
      CHECK(has(path + variable));
    }
  }
  CHECK(has("m/two_models/parts/1/factor"));
  CHECK(has("m/two_models/parts/0/steps/hidden/kernel"));
  CHECK(has("m/two_models/parts/1/steps/.random_state"));
}
TEST_CASE("a module lists a model's variables whatever is included first") {
  two_models m;
  CHECK(m.generator.variables().size() == 4);
  CHECK(m.variables().size() == 4 + 4 + 2 * (m.parts[0].steps.variables().size() + 1));
}
TEST_CASE("a view of an array is tracked where it lies") {
  const files::folder folder("modules");
  xt::xtensor<float, 2> a = {{1, 2}, {3, 4}, {5, 6}};
  auto column = xt::view(a, xt::all(), 1);
  checkpoint().track("column", column).save(folder / "saved");
  a.fill(0);
  checkpoint().track("column", column).restore(folder / "saved");
  CHECK(a == xt::xtensor<float, 2>{{0, 2}, {0, 4}, {0, 6}});
}
