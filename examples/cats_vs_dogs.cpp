// SPDX-License-Identifier: MIT
// Learns which of two kinds a photo shows, from a folder of JPEG files: read, decoded, resized, shuffled and batched by a dataset.
//     cats_vs_dogs [FOLDER [EPOCHS]]     FOLDER/train and FOLDER/test have a folder of files for each kind: cats, dogs
// Without a folder it draws a few pictures of its own. `picture_folder FOLDER` writes one of Fashion-MNIST's pictures.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>

#include <etch/data.hpp>
#include <etch/data/files.hpp>
#include <etch/image.hpp>
#include <etch/layers/convolution.hpp>
#include <etch/model.hpp>

#include "data/drawn_pictures.hpp"

using namespace etch::literals;

namespace {

constexpr auto net = etch::sequential(etch::layers::conv2d<32, 3>(etch::layers::relu), etch::layers::max_pool2d<2>,
                                      etch::layers::conv2d<32, 5>(etch::layers::relu), etch::layers::max_pool2d<2>,
                                      etch::layers::flatten, etch::layers::dense<64>(etch::layers::relu), etch::layers::dense<2>);

/// Elements: (float [64, 64, 3] from 0 to 1, int32), cats 0, dogs 1.
auto pictures(const std::filesystem::path& folder) {
  return etch::data::labelled_files(folder, {".jpg", ".jpeg"}).map([](const std::string& path, std::int32_t label) {
    const auto photo = etch::image::read(path, {.channels = 3});
    return std::tuple(etch::image::resize<64, 64>(photo) * (1 / 255.f), label);
  });
}

double train_and_test(const std::filesystem::path& folder, int epochs) {
  etch::model model(etch::input<float, 64, 64, 3>, net, etch::optimizers::adam(1e-3_c), etch::losses::sparse_softmax_cross_entropy,
                    etch::metrics::accuracy);
  model.initialize(/*seed*/ 1);
  std::cout << model.summary();
  const auto classes = etch::data::class_names(folder / "train");
  std::printf("0 is %s, 1 is %s\n", classes.at(0).c_str(), classes.at(1).c_str());

  auto train = pictures(folder / "train").shuffle(23'000, /*seed*/ 1).batch(32).prefetch();
  auto test = pictures(folder / "test").batch(32);
  model.fit(train, {.epochs = epochs}, test, [](const auto&, const etch::history& history) {
    std::printf("epoch %zu: loss %.4f, accuracy %.3f, of the test's pictures %.3f\n", history.epochs(), history["loss"].back(),
                history["accuracy"].back(), history["val_accuracy"].back());
    return false;
  });
  const auto [loss, accuracy] = model.evaluate(test);
  return accuracy;
}

}  // namespace

int main(int argc, char** argv) try {
  const int epochs = argc > 2 ? std::atoi(argv[2]) : argc > 1 ? 10 : 5;
  if (argc > 1) {
    train_and_test(argv[1], epochs);
    return 0;
  }
  const data::drawn_pictures drawn(/*train*/ 160, /*test*/ 40);
  const double accuracy = train_and_test(drawn.folder(), epochs);
  std::printf("test accuracy: %.3f\n", accuracy);
  return accuracy > 0.9 ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "cats_vs_dogs: %s\n", e.what());
  return 1;
}
