// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <filesystem>
#include <iostream>
#include <random>
#include <vector>

#include <etch/data.hpp>
#include <etch/etch.hpp>
#include <etch/summary.hpp>
#include <etch/timeline.hpp>
#include <etch/trace.hpp>

// The code of docs/watching.md.

using namespace etch::literals;

namespace {

constexpr etch::placeholder<"x", float, etch::any<"batch">, 30> x;
constexpr etch::placeholder<"labels", std::int32_t, etch::any<"batch">> labels;
constexpr auto logits = etch::nn::dense<"logits", 10>(etch::relu(etch::nn::dense<"hidden", 40>(x)));
constexpr auto loss = etch::named<"loss">(etch::mean(etch::nn::sparse_softmax_cross_entropy(logits, labels)));
constexpr auto train = etch::optimizers::adam(1e-2_c).minimize(loss);

TEST_CASE("TB-01, TB-02, TB-03, TB-05, TB-06, TB-08: docs/watching.md") {
  const auto folder = std::filesystem::temp_directory_path() / "etch_docs_watching", before = std::filesystem::current_path();
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  std::filesystem::current_path(folder);

  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  auto images = xt::xtensor<float, 2>::from_shape({64, 30});
  auto classes = xt::xtensor<std::int32_t, 1>::from_shape({64});
  for (float& v : images) v = normal(generator);
  for (std::int32_t& c : classes) c = static_cast<std::int32_t>(generator() % 10);

  {
    etch::session session(loss, train);
    session.initialize();
    etch::summary::file_writer writer("logs/adam");
    std::vector<float> losses;
    for (int step = 0; step < 60; ++step) {
      losses.push_back(session.run(loss, train, x = images, labels = classes));
      writer.scalar("loss", losses.back(), step);
    }
    writer.histogram("pixels", images, 60);
    writer.image("batch", images, 60);
    writer.text("notes", "Trained on **64** samples.", 60);
    writer.hyperparameters({{"optimizer", "adam"}, {"rate", 0.01}, {"units", 40}});

    etch::run_metadata metadata;
    etch::traced_run(session, metadata, loss, train, x = images, labels = classes);
    writer.graph(etch::plan_of(loss, train, x, labels));
    writer.run_metadata("step 60", metadata, 60);
    metadata.write_chrome_trace("trace.json");
    std::cout << etch::summary::kernel_table(metadata);
    std::ostringstream out;
    out << etch::summary::kernel_table(metadata);
    CHECK(out.str().find("hidden/kernel") != std::string::npos);

    etch::timeline timeline;
    auto batches = etch::data::slices(images, classes).shuffle(64).batch(16).timed(timeline, "batch").prefetch(2);
    for (int step = 0; auto [some_images, some_classes] : batches) {
      auto span = timeline.measure("step", step++);
      etch::traced_run(session, metadata, train, x = some_images, labels = some_classes);
      timeline.add(metadata);
    }
    timeline.write_chrome_trace("program.json");
    writer.profile(timeline);

    etch::summary::svg("loss.svg", {{"training", losses}}, {.title = "64 samples", .x = "step", .y = "loss", .log_y = true});
  }
  CHECK(std::filesystem::file_size("loss.svg") > 1000);
  CHECK(std::filesystem::file_size("program.json") > 1000);
  CHECK(!std::filesystem::is_empty("logs/adam"));
  CHECK(!std::filesystem::is_empty("logs/adam/plugins/profile"));

  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
}

}  // namespace
