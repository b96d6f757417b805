// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <filesystem>
#include <string>

#include <unistd.h>

#include <etch/image.hpp>

namespace data {

/// A folder of drawn JPEG files, which goes with the object: train and test, each with cats and dogs. Cats have stripes from left to
/// right, dogs from top to bottom, of any width, brightness and colour, in pictures of any extents.
class drawn_pictures {
 public:
  drawn_pictures(int train, int test)
      : folder_(std::filesystem::temp_directory_path() / ("drawn_pictures_" + std::to_string(::getpid()))) {
    for (int i = 0; i < train + test; ++i) {
      const bool is_dog = i % 2 == 1;
      const std::filesystem::path folder = folder_ / (i < train ? "train" : "test") / (is_dog ? "dogs" : "cats");
      std::filesystem::create_directories(folder);
      etch::image::write(folder / (std::to_string(i) + ".jpg"), draw(i, is_dog));
    }
  }
  drawn_pictures(const drawn_pictures&) = delete;
  ~drawn_pictures() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  const std::filesystem::path& folder() const { return folder_; }

 private:
  static etch::image::pixels draw(int number, bool is_dog) {
    const auto some = [&](int what) { return 0.5 + 0.5 * std::sin(12.9898 * number + 78.233 * what); };
    const auto height = static_cast<std::size_t>(60 + 60 * some(1)), width = static_cast<std::size_t>(60 + 60 * some(2));
    xt::xtensor<std::uint8_t, 3> x = xt::zeros<std::uint8_t>({height, width, std::size_t{3}});
    for (std::size_t i = 0; i < height; ++i)
      for (std::size_t j = 0; j < width; ++j) {
        const double across = static_cast<double>(is_dog ? j : i), along = static_cast<double>(is_dog ? i : j);
        const double stripe = std::sin(across * (0.3 + 0.4 * some(3)) + along * 0.1 * some(4) + 7 * some(5));
        for (std::size_t c = 0; c < 3; ++c)
          x(i, j, c) = static_cast<std::uint8_t>(128 + 100 * stripe * (0.7 + 0.3 * some(6 + static_cast<int>(c))));
      }
    return x;
  }

  std::filesystem::path folder_;
};

}  // namespace data
