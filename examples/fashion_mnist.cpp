// SPDX-License-Identifier: MIT
// Trains a 784-100-10 network on Fashion-MNIST and tests it.
#include <charconv>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string_view>

#include <etch/data.hpp>
#include <etch/data/ready_made.hpp>
#include <etch/etch.hpp>
#include <etch/model/progress_bar.hpp>

using namespace etch::literals;

constexpr etch::placeholder<"images", float, etch::any<"batch">, 784> images;
constexpr etch::placeholder<"labels", std::int32_t, etch::any<"batch">> labels;

namespace {

void train_and_test(int epochs, const std::filesystem::path& directory) {
  // The model: empty objects whose types the compiler checks, differentiates, fuses and schedules.
  constexpr auto hidden = etch::relu(etch::nn::dense<"hidden", 100>(images));
  constexpr auto logits = etch::nn::dense<"logits", 10>(hidden);
  constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(logits, labels));
  constexpr auto train = etch::optimizers::adam(1e-3_c).minimize(loss);
  constexpr auto accuracy = etch::mean(etch::argmax(logits, etch::axis<1>) == labels);

  etch::session session(loss, train, accuracy);
  session.initialize(/*seed*/ 42);

  constexpr auto plan = etch::plan_of(loss, train, images, labels);
  constexpr int batch = 50;
  std::printf("graph: %d nodes, %d after all passes, in %d kernels\n", plan.nodes_before, plan.nodes_after, plan.kernel_count);
  std::printf("arena: %lld bytes for a batch of %d, of %lld bytes of intermediate values\n",
              static_cast<long long>(plan.arena_bytes(batch)), batch, static_cast<long long>(plan.intermediate_bytes(batch)));

  const etch::data::labelled_sets sets = etch::data::load_fashion_mnist(directory);
  auto batches = etch::data::slices(sets.train.rows(), sets.train.labels).shuffle(60'000, /*seed*/ 1).batch(batch);
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    etch::progress_bar bar(sets.train.size(), static_cast<std::size_t>(epoch), static_cast<std::size_t>(epochs));
    std::size_t done = 0;
    for (auto [x, y] : batches) {
      const float value = session.run(loss, train, images = x, labels = y);
      bar.update(done += y.size(), static_cast<double>(value));
    }
    bar.finish();
  }
  const float share = session.run(accuracy, images = sets.test.rows(), labels = sets.test.labels);
  std::printf("test accuracy: %.4f\n", static_cast<double>(share));
}

constexpr const char* usage =
    "usage: fashion_mnist [EPOCHS [DIRECTORY]]\n"
    "EPOCHS: how often all images are learnt from, 1 to 10000; 10 if not given.\n"
    "DIRECTORY: where the four files of Fashion-MNIST lie.\n";

std::optional<int> epochs_from(std::string_view text) {
  int epochs = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), epochs);
  if (failure != std::errc() || end != text.data() + text.size() || epochs < 1 || epochs > 10'000) return std::nullopt;
  return epochs;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<int> epochs = argc > 1 ? epochs_from(argv[1]) : 10;
  if (!epochs || argc > 3) {
    std::fputs(usage, stderr);
    return 2;
  }
  try {
    train_and_test(*epochs, argc > 2 ? argv[2] : etch::data::fashion_mnist_folder);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "fashion_mnist: %s\n", e.what());
    return 1;
  }
}
