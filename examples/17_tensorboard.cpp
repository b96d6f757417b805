// SPDX-License-Identifier: MIT
// Watches a training: scalars of each batch, histograms and the graph for TensorBoard, and a picture of the loss for those who have none.
//     17_tensorboard logs && tensorboard --logdir logs
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include <etch/data.hpp>
#include <etch/etch.hpp>
#include <etch/summary.hpp>

using namespace etch::literals;

namespace {

constexpr etch::placeholder<"x", float, etch::any<"batch">, 2> x;
constexpr etch::placeholder<"y", std::int32_t, etch::any<"batch">> y;
constexpr auto logits = etch::nn::dense<"logits", 2>(etch::relu(etch::nn::dense<"hidden", 16>(x)));
constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(logits, y));
constexpr auto train = etch::optimizers::adam(1e-2_c).minimize(loss);
constexpr auto kernel = etch::find_variable<"hidden/kernel">(loss);

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : std::filesystem::temp_directory_path() / "etch_tensorboard";
  xt::xtensor<float, 2> points = xt::zeros<float>({400, 2});
  xt::xtensor<std::int32_t, 1> sides = xt::zeros<std::int32_t>({400});
  for (std::size_t i = 0; i < 400; ++i) {
    points(i, 0) = static_cast<float>(std::sin(1.7 * static_cast<double>(i)));
    points(i, 1) = static_cast<float>(std::cos(2.3 * static_cast<double>(i)));
    sides(i) = points(i, 0) * points(i, 1) > 0 ? 1 : 0;
  }
  etch::session session(loss, train);
  session.initialize(/*seed*/ 1);

  etch::summary::file_writer writer(folder);
  writer.graph(session);
  std::vector<double> losses;
  for (auto [some, sides_of_some] : etch::data::slices(points, sides).shuffle(400).batch(20).repeat(30)) {
    const auto step = static_cast<std::int64_t>(losses.size());
    losses.push_back(static_cast<double>(session.run(loss, train, x = some, y = sides_of_some)));
    writer.scalar("loss", losses.back(), step);
    if (step % 100 == 0) writer.histogram("hidden/kernel", session.get(kernel), step);
  }
  writer.flush();
  etch::summary::svg(folder / "loss.svg", {{"loss", losses}}, {.title = "Training", .x = "batch", .y = "loss"});
  std::printf("%zu steps, the loss from %.3f to %.3f; in %s: %s and loss.svg\n", losses.size(), losses.front(), losses.back(),
              folder.c_str(), std::filesystem::path(writer.path()).filename().c_str());
  return losses.back() < losses.front() / 2 ? 0 : 1;
}
