// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <thread>

#include <etch/data.hpp>
#include <etch/data/files.hpp>
#include <format/files.hpp>
#include <image/pictures.hpp>

#include "base/larger.hpp"

/// A folder of images as a dataset, and images on several threads.
namespace {

using namespace etch;

/// Cats are dark, dogs are bright; each of its own extents.
void write_pictures(const files::folder& folder, int count) {
  for (const char* name : {"cats", "dogs"}) std::filesystem::create_directories(folder / name);
  for (int i = 0; i < count; ++i) {
    const tensor<std::uint8_t, 3> flat(xt::xtensor<std::uint8_t, 3>(xt::ones<std::uint8_t>({20 + i, 30 + 2 * i, 3}) *
                                                                    static_cast<std::uint8_t>(i % 2 == 0 ? 40 : 200)));
    image::write(folder / ((i % 2 == 0 ? "cats/" : "dogs/") + std::to_string(i) + ".jpg"), flat);
  }
}

}  // namespace

TEST_CASE("IMG-01, IMG-03: a folder of JPEG files, decoded, resized, shuffled and batched") {
  const files::folder folder("images");
  write_pictures(folder, 20);
  auto batches = data::labelled_files(folder.path(), {".jpg"})
                     .map([](const std::string& path, std::int32_t label) {
                       return std::tuple(image::resize<64, 64>(image::read(path)) * (1 / 255.f), label);
                     })
                     .shuffle(20, /*seed*/ 3)
                     .batch(8);
  int seen = 0;
  for (auto [x, y] : batches) {
    REQUIRE(x.shape() == std::array<std::size_t, 4>{y.size(), 64, 64, 3});
    for (std::size_t i = 0; i < y.size(); ++i) {
      ++seen;
      // The first pixel and the last one, within what JPEG loses.
      for (const std::size_t at : {std::size_t{0}, std::size_t{63}})
        CHECK(x(i, at, at, 1) == doctest::Approx(y(i) == 0 ? 40 / 255. : 200 / 255.).epsilon(0.03));
    }
  }
  CHECK(seen == 20);

  // A file that is damaged stops the loop with its name and the element's number.
  const std::string path = (folder / "cats/12.jpg").string(), whole = files::read(path);
  files::write(path, whole.substr(0, whole.size() / 2));
  const std::string error = files::error_of([&] {
    for (auto batch : batches) (void)batch;
  });
  CHECK_MESSAGE(error.starts_with("data: map: element "), error);
  CHECK_MESSAGE(error.find(path + ": at byte ") != error.npos, error);
}

TEST_CASE("image: threads decode, resize and draw what one does") {
  const std::string jpeg = image::encode_jpeg(pictures::noise(45, 67, 3)), png = image::encode_png(pictures::noise(33, 21, 3));
  const auto work = [&](int i) {
    const auto x = pictures::decoded(i % 2 == 0 ? jpeg : png);
    const auto y = image::stateless_random_hue(image::stateless_random_flip_left_right(x, {7, i}), 0.4f, {8, i});
    return image::resize(y, 10 + i % 5, 12, bicubic, antialias);
  };
  constexpr int count = 40;
  std::vector<tensor<float, 3>> alone(count), together(count);
  for (int i = 0; i < count; ++i) alone[static_cast<std::size_t>(i)] = work(i);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      // Each begins elsewhere, and damaged files between them throw in their own thread.
      for (int k = 0; k < count; ++k) {
        const int i = (k * 7 + 10 * t) % count;
        CHECK_THROWS_AS(pictures::decoded(jpeg.substr(0, 400)), error);
        const auto y = work(i);
        if (i % 4 == t) together[static_cast<std::size_t>(i)] = y;
      }
    });
  for (std::thread& t : threads) t.join();
  for (std::size_t i = 0; i < alone.size(); ++i) {
    REQUIRE(alone[i].shape() == together[i].shape());
    CHECK(std::equal(alone[i].data(), alone[i].data() + alone[i].size(), together[i].data()));
  }
}

TEST_CASE("image: what is decoded to be resized is what is decoded and resized") {
  const auto check_file = [](const std::string& file, const image::decode_options& options) {
    const auto bytes = std::as_bytes(std::span(file));
    const auto check_extents = [&]<int H, int W>(shape<H, W>) {
      const auto y = image::decode_resized<H, W>(bytes, options), expected = image::resize<H, W>(image::decode(bytes, options));
      REQUIRE(y.shape() == expected.shape());
      float most = 0;
      for (std::int64_t i = 0; i < y.size(); ++i) most = larger_or_nan(most, std::abs(y.data()[i] - expected.data()[i]));
      // Products and sums are fused in one loop and not in the other, where a compiler likes.
      CHECK(most <= 1e-4f);
    };
    check_extents(shape<7, 5>{});
    check_extents(shape<1, 64>{});
    check_extents(shape<300, 20>{});
  };
  for (const bool progressive : {false, true})
    for (const bool downsampling : {false, true})
      for (const int channels : {1, 3})
        for (const int ratio : {1, 2}) {
          const image::jpeg_options how{.quality = 90, .progressive = progressive, .chroma_downsampling = downsampling};
          check_file(image::encode_jpeg(pictures::noise(117, 93, channels), how), {.channels = 4 - channels, .ratio = ratio});
          check_file(image::encode_jpeg(pictures::noise(16, 8, channels), how), {.ratio = ratio});
        }
  check_file(image::encode_png(pictures::noise(33, 44, 3)), {});
  // Whichever rows count, also within those that share samples of a colour.
  for (int height = 1; height < 70; ++height)
    for (const int ratio : {1, 2, 4})
      for (const int channels : {1, 3})
        check_file(image::encode_jpeg(pictures::noise(height, 20, 3)), {.channels = channels, .ratio = ratio});
  // Also where the rows that count are in front, a cut is found out.
  const std::string file = image::encode_jpeg(pictures::noise(117, 93, 3));
  for (std::size_t size = 0; size < file.size(); size += 97)
    CHECK_THROWS_AS((image::decode_resized<1, 1>(std::as_bytes(std::span(file)).first(size))), error);
}
