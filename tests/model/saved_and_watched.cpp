// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/model.hpp>
#include <etch/model/model_checkpoint.hpp>
#include <etch/model/tensor_board.hpp>
#include <format/files.hpp>

#include "../summary/readers.hpp"
#include <model/line.hpp>
#include <model/line_model.hpp>

/// Callbacks that write files.
namespace {

using namespace etch;
using namespace etch::literals;

}  // namespace

TEST_CASE("model_checkpoint: the best and the last, from which a run goes on to the last bit") {
  const line data;
  for (const bool in_background : {false, true}) {
    const files::folder folder("model_checkpoint");
    auto m = make_line_model();
    auto batches = data::slices(data.x, data.y).batch(4);
    model_checkpoint saved(folder / "saved", {.monitor = "loss", .in_background = in_background});
    std::vector<std::vector<float>> of_epochs;
    const history h = m.fit(batches, {.epochs = 6}, saved, [&](auto& of, const history& so_far) {
      of_epochs.push_back(values_of(of));
      // Disturbed behind the fourth epoch, so that the fifth is worse.
      if (so_far.epochs() == 4) of.variables()[0].set(std::vector<float>{9, 9, 9, 9});
    });
    const auto best = static_cast<std::size_t>(std::ranges::min_element(h["loss"]) - h["loss"].begin());
    REQUIRE(best < 4);
    CHECK(saved.load_best(m));
    CHECK(values_of(m) == of_epochs[best]);
    CHECK(saved.epoch() == static_cast<std::int64_t>(best) + 1);
    CHECK(saved.load_last(m));
    CHECK(values_of(m) == of_epochs[5]);
    m.fit(batches, {.epochs = 2});
    auto other = make_line_model();
    model_checkpoint again(folder / "saved");
    CHECK(again.load_last(other));
    CHECK(again.epoch() == 6);
    auto as_before = data::slices(data.x, data.y).batch(4);
    other.fit(as_before, {.epochs = 2});
    CHECK(values_of(other) == values_of(m));
  }
  const files::folder folder("model_checkpoint");
  auto m = make_line_model();
  model_checkpoint none(folder / "none");
  CHECK(!none.load_best(m));
  files::write(folder / "file", "");
  CHECK_THROWS_WITH_AS(model_checkpoint(folder / "file" / "in_it"),
                       ("model_checkpoint: " + (folder / "file" / "in_it").string() + ": Not a directory").c_str(), error);
}
TEST_CASE("CKPT-02: a model is tracked as its session is, beside a dataset, and goes on to the last bit") {
  const line data;
  const files::folder folder("tracked");
  for (const char* name : {"saved", "saved.safetensors", "saved.npz"}) {
    CAPTURE(name);
    auto m = make_line_model();
    auto batches = data::slices(data.x, data.y).shuffle(40, 3).batch(4);
    m.fit(batches, {.epochs = 2});
    checkpoint().track("model", m).track("data", batches).save(folder / name);
    m.fit(batches, {.epochs = 2});
    auto other = make_line_model();
    auto of_other = data::slices(data.x, data.y).shuffle(40, 3).batch(4);
    checkpoint().track("model", other.session()).track("data", of_other).restore(folder / name);
    other.fit(of_other, {.epochs = 2});
    CHECK(values_of(other) == values_of(m));
  }
  auto m = make_line_model();
  checkpoint().track("", m).save(folder / "alone");
  auto other = make_line_model();
  other.variables()[0].set(std::vector<float>{9, 9, 9, 9});
  checkpoint().track("", other).restore(folder / "alone");
  CHECK(values_of(other) == values_of(m));
}
TEST_CASE("model_checkpoint: one that has been moved saves and loads its own epoch") {
  const line data;
  const files::folder folder("model_checkpoint");
  auto m = make_line_model();
  auto first = std::make_unique<model_checkpoint>(folder / "saved", model_checkpoint::options{.monitor = "loss"});
  m.fit(data.x, data.y, {.epochs = 2}, *first);
  model_checkpoint second = std::move(*first);
  first.reset();
  m.fit(data.x, data.y, {.epochs = 5}, second);
  CHECK(second.epoch() == 7);
  model_checkpoint third(folder / "saved");
  CHECK(third.load_last(m));
  CHECK(third.epoch() == 7);
}
TEST_CASE("model_checkpoint: epochs and the best value go on in another fit and in another run") {
  const line data;
  for (const char* name : {"loss", "no_accuracy"}) {
    const files::folder folder("model_checkpoint");
    // Behind the epoch, so that the next one begins with it.
    const auto disturb = [](auto& m) { m.variables()[0].set(std::vector<float>{90, 90, 90, 90}); };
    auto m = make_line_model();
    model_checkpoint saved(folder / "saved", {.monitor = name});
    // Of accuracies higher is better.
    const auto monitored = [&](history& h) {
      h.add("no_accuracy", 1 / h["loss"].back());
      return h;
    };
    const auto fit = [&](auto& of, auto& callback, int epochs) {
      history all;
      of.fit(data.x, data.y, {.epochs = epochs}, [&](auto& model, const history& so_far) {
        all.add("loss", so_far["loss"].back());
        callback(model, monitored(all));
      });
    };
    fit(m, saved, 3);
    CHECK(saved.load_best(m));
    const std::vector<float> best = values_of(m);
    disturb(m);
    fit(m, saved, 2);
    CHECK(saved.epoch() == 5);
    CHECK(saved.load_best(m));
    CHECK(values_of(m) == best);
    CHECK(saved.epoch() == 3);

    auto other = make_line_model();
    model_checkpoint again(folder / "saved", {.monitor = name});
    CHECK(again.load_last(other));
    CHECK(again.epoch() == 5);
    disturb(other);
    fit(other, again, 1);
    CHECK(again.epoch() == 6);
    CHECK(again.load_best(other));
    CHECK(values_of(other) == best);

    // The best of another series says nothing.
    model_checkpoint of_another(folder / "saved", {.monitor = "loss_squared"});
    CHECK(of_another.load_last(other));
    disturb(other);
    other.fit(data.x, data.y, {.epochs = 1}, [&](auto& model, const history& so_far) {
      history h;
      h.add("loss_squared", so_far["loss"].back() * so_far["loss"].back());
      of_another(model, h);
    });
    CHECK(of_another.load_best(other));
    CHECK(of_another.epoch() == 7);
    CHECK(values_of(other) != best);
  }
}
TEST_CASE("tensor_board: a run of training and one of validation") {
  const line data;
  const files::folder folder("tensor_board");
  auto m = make_line_model();
  auto check = data::slices(data.x, data.y).batch(16);
  history h;
  {
    tensor_board board(folder / "logs", {.histograms_every = 2, .graph = false});
    h = m.fit(data.x, data.y, {.epochs = 3}, check, board);
  }
  const auto lines = [&](const char* name, const char* series) {
    std::vector<std::string> expected;
    for (int i = 0; i < 3; ++i) {
      char line[64];
      std::snprintf(line, sizeof line, "scalar %d %s %.9g", i, name,
                    static_cast<double>(static_cast<float>(h[series][static_cast<std::size_t>(i)])));
      expected.emplace_back(line);
    }
    return expected;
  };
  readers::check_values(folder / "logs" / "validation", lines("epoch_loss", "val_loss"));
  std::vector<std::string> scalars, histograms;
  for (const std::string& line : readers::lines_of("python3 summary/decode_events.py " + (folder / "logs" / "train").string()))
    (line.starts_with("scalar") ? scalars : histograms).push_back(line);
  CHECK(scalars == lines("epoch_loss", "loss"));
  CHECK(histograms.size() == 8);  // four variables, twice
}
TEST_CASE("tensor_board: the graph of the training step, once, beside the scalars") {
  const line data;
  const files::folder folder("tensor_board_graph");
  auto m = make_line_model();
  {
    tensor_board board(folder / "logs");
    m.fit(data.x, data.y, {.epochs = 2}, board);
    m.fit(data.x, data.y, {.epochs = 1}, board);
  }
  CHECK(!std::filesystem::exists(folder / "logs" / "validation"));
  if (!readers::has_python()) {
    MESSAGE("skipped: no python3 reads the event files");
    return;
  }
  std::vector<std::string> nodes;
  int scalars = 0;
  for (const std::string& text : readers::lines_of("python3 -B summary/decode_events.py " + (folder / "logs" / "train").string()))
    if (text.starts_with("node "))
      nodes.push_back(text);
    else
      scalars += text.starts_with("scalar ");
  CHECK(scalars == 3);
  const auto with = [&](const std::string& begin, const std::string& part) {
    return std::ranges::count_if(nodes, [&](const std::string& n) { return n.starts_with(begin) && n.find(part) != n.npos; });
  };
  // The network in evaluation and, with its dropout, in training.
  CHECK(with("node input placeholder () ", "_output_shapes=[[-1, 1]]") == 1);
  CHECK(with("node target placeholder () ", "_output_shapes=[[-1, 1]]") == 1);
  CHECK(with("node dense/matmul matmul (input, dense/kernel) ", "_output_shapes=[[-1, 4]]") == 1);
  CHECK(with("node ", " matmul (dense/add, dense_1/kernel) ") == 1);
  CHECK(with("node ", " matmul (where, dense_1/kernel) ") == 1);
  // The step: of each variable that is learnt a gradient, and what it becomes.
  const std::pair<const char*, const char*> learnt[] = {
      {"dense/kernel", "[1, 4]"}, {"dense/bias", "[4]"}, {"dense_1/kernel", "[4, 1]"}, {"dense_1/bias", "[1]"}};
  for (const auto& [name, shape] : learnt) {
    CAPTURE(name);
    CHECK(with("node " + std::string(name) + " variable () ", "_output_shapes=[" + std::string(shape) + "] trainable=1") == 1);
    CHECK(with("node gradient", ", " + std::string(name) + ") ") == 1);
    CHECK(with("node assign", " assign (" + std::string(name) + ", ") == 1);
  }
  CHECK(with("node ", "[/device:CPU:0]") == static_cast<std::ptrdiff_t>(nodes.size()));
  // Once: each node has a name of its own.
  std::vector<std::string> names;
  for (const std::string& n : nodes) names.push_back(n.substr(5, n.find(' ', 5) - 5));
  std::ranges::sort(names);
  CHECK(std::ranges::adjacent_find(names) == names.end());
}
