// SPDX-License-Identifier: MIT
// Training that is killed within an epoch and goes on with the very sample that would have come: the same losses, to the last bit, as if it had not
// been. Checkpoints are TensorFlow's: tf.train.load_checkpoint reads them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include <etch/checkpoint.hpp>
#include <etch/data.hpp>
#include <etch/etch.hpp>

using namespace etch::literals;

namespace {

constexpr etch::placeholder<"x", float, etch::any<"batch">, 2> x;
constexpr etch::placeholder<"y", std::int32_t, etch::any<"batch">> y;
constexpr auto hidden = etch::dropout<"drop">(etch::relu(etch::nn::dense<"hidden", 16>(x)), 0.1_c);
constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(etch::nn::dense<"logits", 2>(hidden), y));
constexpr auto train = etch::optimizers::adam(1e-2_c).minimize(loss);

struct samples {
  xt::xtensor<float, 2> points = xt::zeros<float>({200, 2});
  xt::xtensor<std::int32_t, 1> sides = xt::zeros<std::int32_t>({200});
  samples() {
    for (std::size_t i = 0; i < 200; ++i) {
      points(i, 0) = static_cast<float>(std::sin(1.7 * static_cast<double>(i)));
      points(i, 1) = static_cast<float>(std::cos(2.3 * static_cast<double>(i)));
      sides(i) = points(i, 0) * points(i, 1) > 0 ? 1 : 0;
    }
  }
};

/// One program, which ends behind step `last` as if it had been killed there.
std::vector<float> run(const std::filesystem::path& folder, std::int64_t last) {
  const samples data;
  etch::session session(loss, train);
  session.initialize(/*seed*/ 7);
  auto batches = etch::data::slices(data.points, data.sides).shuffle(200, /*seed*/ 1).batch(16);
  std::int64_t step = 0;

  etch::checkpoint checkpoint;
  checkpoint.track("", session).track("batches", batches).track("step", step);
  etch::checkpoint_manager manager(checkpoint, folder, {.max_to_keep = 3});
  if (const auto restored = manager.restore_latest()) std::printf("goes on from %s\n", restored->filename().c_str());

  std::vector<float> losses;
  while (step < last)
    for (auto [points, sides] : batches) {
      losses.push_back(session.run(loss, train, x = points, y = sides));
      if (++step % 5 == 0) manager.save(step);
      if (step == last) break;
    }
  return losses;
}

}  // namespace

int main() {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "etch_checkpointed_training";
  std::filesystem::remove_all(folder);
  const std::vector<float> whole = run(folder / "whole", 40);
  run(folder / "killed", 23);  // its last checkpoint is that of step 20, within the second epoch
  const std::vector<float> rest = run(folder / "killed", 40);
  const bool same = rest.size() == 20 && std::equal(rest.begin(), rest.end(), whole.begin() + 20);
  std::printf("loss %.6f, %.6f without the interruption: %s\n", static_cast<double>(rest.back()), static_cast<double>(whole.back()),
              same ? "all losses have the same bits" : "losses differ");
  for (const auto& file : std::filesystem::directory_iterator(folder / "killed"))
    std::printf("  %s\n", file.path().filename().c_str());
  std::filesystem::remove_all(folder);
  return same ? 0 : 1;
}
