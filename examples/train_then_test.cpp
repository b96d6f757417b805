// SPDX-License-Identifier: MIT
// One program in two runs: `train` leaves a checkpoint each 100 batches, `test` restores the last of them. Killed while it trains and started
// again, it goes on with the batch that would have come. On Fashion-MNIST, with its bytes as they are.
#include <charconv>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include <etch/checkpoint.hpp>
#include <etch/data.hpp>
#include <etch/data/ready_made.hpp>
#include <etch/etch.hpp>
#include <etch/layers.hpp>

using namespace etch::literals;

namespace {

constexpr etch::placeholder<"images", std::uint8_t, etch::any<"batch">, 28, 28, 1> images;
constexpr etch::placeholder<"labels", std::int32_t, etch::any<"batch">> labels;
constexpr auto network =
    etch::sequential(etch::layers::flatten, etch::layers::dense<100>(etch::layers::relu), etch::layers::dense<10>);
constexpr auto logits = network(etch::astype<float>(images) / 255.0_c, etch::nn::training);
constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(logits, labels));
constexpr auto train = etch::optimizers::adam(1e-3_c).minimize(loss);
constexpr auto accuracy = etch::mean(etch::argmax(logits, etch::axis<1>) == labels);

/// false: there is nothing to test.
bool run(const std::string& mode, const std::string& folder, const std::string& directory, std::int64_t steps) {
  const etch::data::labelled_sets sets = etch::data::load_fashion_mnist(directory);
  etch::session session(train, accuracy);
  auto batches = etch::data::slices(sets.train.images, sets.train.labels).shuffle(60'000, /*seed*/ 1).batch(50);
  std::int64_t step = 0;
  etch::checkpoint checkpoint;
  checkpoint.track("", session).track("batches", batches).track("step", step);
  etch::checkpoint_manager manager(checkpoint, folder, {.max_to_keep = 3, .in_background = true});
  if (manager.restore_latest()) {
    std::printf("goes on from step %lld\n", static_cast<long long>(step));
  } else {
    if (mode == "test") return false;
    session.initialize(/*seed*/ 42);
  }
  while (mode == "train" && step < steps)
    for (auto [x, y] : batches) {
      session.run(train, images = x, labels = y);
      if (++step % 100 == 0) manager.save(step);
      if (step == steps) break;
    }
  manager.wait();
  std::printf("step %lld: accuracy %.4f\n", static_cast<long long>(step),
              static_cast<double>(session.run(accuracy, images = sets.test.images, labels = sets.test.labels)));
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  const std::string_view count = argc > 4 ? argv[4] : "2400";
  std::int64_t steps = 0;
  const auto [end, failure] = std::from_chars(count.data(), count.data() + count.size(), steps);
  const bool is_count = failure == std::errc() && end == count.data() + count.size() && steps > 0;
  if ((mode != "train" && mode != "test") || argc > 5 || !is_count) {
    std::fputs(
        "usage: train_then_test train|test [FOLDER [DIRECTORY [STEPS]]]\nFOLDER: of checkpoints; saved, if not given.\n"
        "DIRECTORY: where the four files of Fashion-MNIST lie.\nSTEPS: of 50 images; 2400, two rounds, if not given.\n",
        stderr);
    return 2;
  }
  try {
    const std::string folder = argc > 2 ? argv[2] : "saved";
    if (run(mode, folder, argc > 3 ? argv[3] : etch::data::fashion_mnist_folder, steps)) return 0;
    std::fprintf(stderr, "train_then_test: %s has no checkpoint\n", folder.c_str());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "train_then_test: %s\n", e.what());
  }
  return 1;
}
