// SPDX-License-Identifier: MIT
// Writes a folder of JPEG files of Fashion-MNIST's pictures, for cats_vs_dogs: FOLDER/train and FOLDER/test, with pullovers as "cats" and
// dresses as "dogs", 56 x 56 pixels.
//     picture_folder FOLDER [COUNT [DIRECTORY]]     COUNT: of pictures to train on, 6000; a sixth as many to test with
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>

#include <etch/data/ready_made.hpp>
#include <etch/image.hpp>

namespace {

void write_set(const etch::data::labelled_images& set, const std::filesystem::path& folder, int count) {
  int written = 0;
  for (std::size_t i = 0; i < set.size() && written < count; ++i) {
    const int kind = set.labels(i) == 2 ? 0 : set.labels(i) == 3 ? 1 : -1;
    if (kind < 0) continue;
    xt::xtensor<std::uint8_t, 3> gray = xt::zeros<std::uint8_t>({28, 28, 1});
    std::copy_n(set.images.data() + i * 784, 784, gray.data());
    const auto larger = etch::image::resize<56, 56>(etch::tensor<std::uint8_t, 3>(gray));
    const std::filesystem::path inner = folder / (kind == 0 ? "cats" : "dogs");
    std::filesystem::create_directories(inner);
    // Not `image::write`, which waits for the disk after each file.
    std::ofstream(inner / (std::to_string(i) + ".jpg"), std::ios::binary) << etch::image::encode_jpeg(
        etch::image::grayscale_to_rgb(etch::image::convert_image_dtype<std::uint8_t>(larger * (1 / 255.f))));
    ++written;
  }
  std::printf("%s: %d pictures\n", folder.c_str(), written);
}

constexpr const char* usage = "usage: picture_folder FOLDER [COUNT [DIRECTORY]]\n";

}  // namespace

int main(int argc, char** argv) try {
  const int count = argc > 2 ? std::atoi(argv[2]) : 6000;
  if (argc < 2 || argc > 4 || argv[1][0] == '-' || count < 1) {
    std::fputs(usage, stderr);
    return 2;
  }
  const etch::data::labelled_sets sets = etch::data::load_fashion_mnist(argc > 3 ? argv[3] : etch::data::fashion_mnist_folder);
  write_set(sets.train, std::filesystem::path(argv[1]) / "train", count);
  write_set(sets.test, std::filesystem::path(argv[1]) / "test", count / 6);
} catch (const std::exception& e) {
  std::fprintf(stderr, "picture_folder: %s\n", e.what());
  return 1;
}
