// SPDX-License-Identifier: MIT
// A folder of JPEG files as batches of 32 images of 64 x 64, and what its steps cost: processor time an image, of all threads.
//     images FOLDER [COUNT [HEIGHT WIDTH]]     writes COUNT photos (2000 of 375 x 500) to FOLDER where there is none
// bench/images_peers.py measures tf.data and PyTorch's DataLoader on the same folder.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

#include <etch/data.hpp>
#include <etch/data/files.hpp>
#include <etch/image.hpp>
#include <etch/thread_pool.hpp>

namespace {

namespace image = etch::image;

/// Coarse colours, finer shades, some noise: about as many bytes a pixel as photos have.
image::pixels photo(int number, std::size_t height, std::size_t width) {
  std::uint32_t g = static_cast<std::uint32_t>(number) * 747796405u + 1;
  const auto random = [&] {
    return static_cast<float>((g = g * 1664525u + 1013904223u) >> 8) / static_cast<float>(1 << 24) - 0.5f;
  };
  const auto smooth = [&](std::size_t part, std::size_t channels, float size) {
    xt::xtensor<float, 3> coarse = xt::zeros<float>({height / part + 2, width / part + 2, channels});
    for (float& e : coarse) e = size * random();
    return image::resize(etch::tensor<float, 3>(coarse), static_cast<std::int64_t>(height), static_cast<std::int64_t>(width),
                         etch::bicubic);
  };
  const auto colours = smooth(45, 3, 300), shades = smooth(4, 1, 50);
  xt::xtensor<std::uint8_t, 3> x = xt::zeros<std::uint8_t>({height, width, std::size_t{3}});
  for (std::size_t i = 0; i < height * width; ++i) {
    const float shade = 128 + shades.data()[i] + 9 * random();
    for (std::size_t c = 0; c < 3; ++c)
      x.data()[3 * i + c] = static_cast<std::uint8_t>(std::clamp(colours.data()[3 * i + c] + shade, 0.f, 255.f));
  }
  return x;
}

void write_photos(const std::filesystem::path& folder, int count, std::size_t height, std::size_t width) {
  for (const char* kind : {"a", "b"}) std::filesystem::create_directories(folder / kind);
  for (int i = 0; i < count; ++i) {
    const bool is_upright = i % 3 == 0;
    const auto x = photo(i, is_upright ? width : height, is_upright ? height : width);
    std::ofstream(folder / (i % 2 == 0 ? "a" : "b") / (std::to_string(i) + ".jpg"), std::ios::binary)
        << image::encode_jpeg(x, {.quality = 90});
  }
}

double now(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
/// The least of three rounds.
template <class Run>
void measure(const std::string& name, std::int64_t images, const Run& run) {
  double processor = 1e9, clock = 1e9;
  for (int round = 0; round < 3; ++round) {
    const double processor_begin = now(CLOCK_PROCESS_CPUTIME_ID), begin = now(CLOCK_MONOTONIC);
    run();
    processor = std::min(processor, now(CLOCK_PROCESS_CPUTIME_ID) - processor_begin);
    clock = std::min(clock, now(CLOCK_MONOTONIC) - begin);
  }
  const auto n = static_cast<double>(images);
  std::printf("%-44s %7.0f us of a processor an image, %6.0f images/s\n", name.c_str(), 1e6 * processor / n, n / clock);
}

/// Batches of all files by `read`, on the threads of a pool.
template <class Files, class Read>
void read_batches(const Files& files, const Read& read, etch::executor& pool) {
  for ([[maybe_unused]] auto batch :
       files.map([&](const std::string& path, std::int32_t label) { return std::tuple(read(path), label); }, pool)
           .shuffle(1000, /*seed*/ 1)
           .batch(32)
           .prefetch())
    continue;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2 || argv[1][0] == '-') {
    std::fprintf(stderr, "usage: images FOLDER [COUNT [HEIGHT WIDTH]]\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  if (!std::filesystem::exists(folder))
    write_photos(folder, argc > 2 ? std::atoi(argv[2]) : 2000, argc > 4 ? std::strtoul(argv[3], nullptr, 10) : 375,
                 argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 500);
  const auto files = etch::data::labelled_files(folder);
  const std::int64_t n = files.size();
  const image::decode_options colours{.channels = 3};
  const auto read = [&](const std::string& path) { return image::read(path, colours); };
  const auto resized = [&](const std::string& path) { return image::resize<64, 64>(image::read(path, colours)); };
  const auto smoothed = [&](const std::string& path) {
    return image::resize<64, 64>(image::read(path, colours), etch::bilinear, etch::antialias);
  };
  const auto at_once = [&](const std::string& path) { return image::read_resized<64, 64>(path, colours); };
  const auto each = [&](const auto& f) {
    return [&] {
      for (auto [path, label] : etch::data::labelled_files(folder)) f(path);
    };
  };
  measure("read", n, each(read));
  measure("read, resize", n, each(resized));
  measure("read, resize with antialias", n, each(smoothed));
  measure("read_resized", n, each(at_once));
  for (const int threads : {1, 2}) {
    etch::thread_pool pool(threads);
    const std::string with = threads == 1 ? ", one thread" : ", two threads";
    measure("read, resize, shuffle, batch" + with, n, [&] { read_batches(files, resized, pool); });
    measure("read_resized, shuffle, batch" + with, n, [&] { read_batches(files, at_once, pool); });
    measure("antialias, shuffle, batch" + with, n, [&] { read_batches(files, smoothed, pool); });
  }
} catch (const std::exception& e) {
  std::fprintf(stderr, "images: %s\n", e.what());
  return 1;
}
