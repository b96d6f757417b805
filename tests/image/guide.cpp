// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <docs/in_empty_folder.hpp>
#include <etch/data/files.hpp>
#include <etch/etch.hpp>
#include <etch/image.hpp>
#include <etch/thread_pool.hpp>

// The code of docs/images.md.

using namespace etch::literals;

TEST_CASE("docs/images.md: photos of two folders as batches, made by one thread or by several") {
  const in_empty_folder here;
  for (const char* kind : {"cats", "dogs"}) {
    std::filesystem::create_directories(std::filesystem::path("pets/train") / kind);
    for (int i = 0; i < 20; ++i)
      etch::image::write(std::filesystem::path("pets/train") / kind / (std::to_string(i) + ".jpg"),
                         xt::xtensor<std::uint8_t, 3>(xt::ones<std::uint8_t>({40, 30, 3}) * (10 * i)));
  }
  auto photos = etch::data::labelled_files("pets/train", {".jpg"})  // cats 0, dogs 1: the folders, sorted
                    .map([](const std::string& path, std::int32_t label) {
                      return std::tuple(etch::image::resize<64, 64>(etch::image::read(path, {.channels = 3})) * (1 / 255.f), label);
                    })
                    .shuffle(23'000, /*seed*/ 1)
                    .batch(32)
                    .prefetch();
  etch::thread_pool pool(3);
  const auto pixels = [](const std::string& path, std::int32_t label) {
    return std::tuple(etch::image::resize<64, 64>(etch::image::read(path, {.channels = 3})) * (1 / 255.f), label);
  };
  auto by_threads = etch::data::labelled_files("pets/train", {".jpg"}).map(pixels, pool).shuffle(23'000, 1).batch(32);
  auto other = by_threads.begin();
  std::size_t count = 0;
  for (auto [x, labels] : photos) {
    const auto [same, same_labels] = *other;
    CHECK(x.shape() == std::array<std::size_t, 4>{labels.size(), 64, 64, 3});
    CHECK(same == x);
    CHECK(same_labels == labels);
    count += labels.size();
    ++other;
  }
  CHECK(count == 40);
  CHECK(other == by_threads.end());
}

TEST_CASE("docs/images.md: images that a graph makes brighter by chance") {
  constexpr etch::placeholder<"x", float, 4, 4, 3> x;
  constexpr auto brighter = etch::image::adjust_brightness(x, etch::random_uniform<"light">(etch::shape<>{}) * 0.4_c - 0.2_c);
  etch::session session(brighter);
  session.initialize(1);
  const xt::xtensor<float, 3> half = xt::ones<float>({4, 4, 3}) * 0.5f;
  const xt::xtensor<float, 3> y = session.run(brighter, x = half);
  CHECK(std::abs(y(0, 0, 0) - 0.5f) <= 0.2f);
  CHECK(y == xt::xtensor<float, 3>(xt::ones<float>({4, 4, 3}) * y(0, 0, 0)));
}
