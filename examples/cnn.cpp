// SPDX-License-Identifier: MIT
// Trains a convolutional network of 3,274,634 parameters on Fashion-MNIST, and says how fast.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include <etch/convolution.hpp>
#include <etch/data.hpp>
#include <etch/data/ready_made.hpp>

#include "../bench/peak.hpp"

using namespace etch::literals;

constexpr etch::placeholder<"images", float, etch::any<"batch">, 28, 28, 1> images;
constexpr etch::placeholder<"labels", std::int32_t, etch::any<"batch">> labels;

namespace {

constexpr std::int64_t batch = 50;

/// Multiplications of a training step: forward, and twice that for the gradients, but for the images', which nobody wants.
constexpr double products_of_image() {
  constexpr double first = 28 * 28 * 25 * 32, second = 14.0 * 14 * 25 * 32 * 64, hidden = 3136.0 * 1024, logits = 1024 * 10;
  return 2 * first + 3 * (second + hidden + logits);
}

void train_and_test(int steps, const std::filesystem::path& directory) {
  constexpr auto first =
      etch::max_pool2d(etch::relu(etch::nn::conv2d<"first", 32, 5>(images, etch::same_padding)), etch::window<2>);
  constexpr auto second =
      etch::max_pool2d(etch::relu(etch::nn::conv2d<"second", 64, 5>(first, etch::same_padding)), etch::window<2>);
  constexpr auto hidden = etch::relu(etch::nn::dense<"hidden", 1024>(etch::nn::flatten(second)));
  constexpr auto logits = etch::nn::dense<"logits", 10>(hidden);
  constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(logits, labels));
  constexpr auto train = etch::optimizers::adam(1e-3_c).minimize(loss);
  constexpr auto right = etch::sum(etch::argmax(logits, etch::axis<1>) == labels);

  etch::session session(loss, train, right);
  session.initialize(/*seed*/ 42);

  const etch::data::labelled_sets sets = etch::data::load_fashion_mnist(directory);
  auto batches = etch::data::slices(sets.train.pixels(), sets.train.labels).shuffle(60'000, /*seed*/ 1).batch(batch);
  std::vector<double> seconds;
  for (auto [x, y] : batches.repeat().take(steps)) {
    const auto start = std::chrono::steady_clock::now();
    const float value = session.run(loss, train, images = x, labels = y);
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (seconds.size() % 100 == 0) std::printf("step %zu: loss %.4f\n", seconds.size(), static_cast<double>(value));
  }
  std::nth_element(seconds.begin(), seconds.begin() + steps / 2, seconds.end());
  const double step = seconds[static_cast<std::size_t>(steps / 2)], images_a_second = static_cast<double>(batch) / step;
  std::printf("%.1f ms a step of %lld images, %.0f images/s, %.0f %% of what multiply-adds alone could do\n", 1000 * step,
              static_cast<long long>(batch), images_a_second, 100 * 2 * products_of_image() * images_a_second / bench::fma_peak());

  std::int64_t found = 0;  // all at once would take a gigabyte for what is between the layers
  for (auto [x, y] : etch::data::slices(sets.test.pixels(), sets.test.labels).batch(500))
    found += static_cast<std::int64_t>(session.run(right, images = x, labels = y));
  std::printf("test accuracy: %.4f\n", static_cast<double>(found) / static_cast<double>(sets.test.size()));
}

constexpr const char* usage =
    "usage: cnn [STEPS [DIRECTORY]]\n"
    "STEPS: of 50 images, 1 to 100000; 1200, which is one epoch, if not given.\n"
    "DIRECTORY: where the four files of Fashion-MNIST lie.\n";

std::optional<int> steps_from(std::string_view text) {
  int steps = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), steps);
  if (failure != std::errc() || end != text.data() + text.size() || steps < 1 || steps > 100'000) return std::nullopt;
  return steps;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<int> steps = argc > 1 ? steps_from(argv[1]) : 1200;
  if (!steps || argc > 3) {
    std::fputs(usage, stderr);
    return 2;
  }
  try {
    train_and_test(*steps, argc > 2 ? argv[2] : etch::data::fashion_mnist_folder);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "cnn: %s\n", e.what());
    return 1;
  }
}
