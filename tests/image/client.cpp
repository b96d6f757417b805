// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

#include <format/client.hpp>
#include <format/files.hpp>
#include <image/pictures.hpp>

#include "base/larger.hpp"

/// Files that TensorFlow has written, and what it makes of them.
namespace {

using namespace etch;

template <class... How>
void check_resized(const image::pixels& x, const std::filesystem::path& file, How... how) {
  const std::string theirs = files::read(file);
  const auto y = image::convert_image_dtype<float>(image::resize<24, 32>(x, how...)) *
                 (std::is_same_v<typename decltype(image::resize<24, 32>(x, how...))::value_type, float> ? 1.f : 255.f);
  REQUIRE(theirs.size() == static_cast<std::size_t>(y.size()) * sizeof(float));
  float most = 0;
  for (std::int64_t i = 0; i < y.size(); ++i) {
    float expected = 0;
    std::memcpy(&expected, theirs.data() + i * 4, 4);
    most = larger_or_nan(most, std::abs(y.data()[i] - expected));
  }
  // Of 255.
  CHECK_MESSAGE(most <= 3e-4f, file.string());
}

}  // namespace

TEST_CASE("IMG-01: TensorFlow's files have TensorFlow's pixels, to the last bit, and resized ones") {
  if (!client::is_there("tensorflow")) return;
  const files::folder folder("image_client");
  REQUIRE(client::run("image_client.py", {"write", folder.path().string()}));
  std::istringstream list(files::read(folder / "list"));
  std::string name;
  int cases = 0;
  for (image::decode_options o; list >> name >> o.channels >> o.ratio; ++cases) {
    std::array<std::int64_t, 3> shape{};
    for (std::int64_t& extent : shape) list >> extent;
    CAPTURE(name);
    CAPTURE(o.channels);
    CAPTURE(o.ratio);
    const image::pixels x = image::read(folder / name, o);
    CHECK(x.shape() == shape);
    const std::string to = name + "." + std::to_string(o.channels) + "." + std::to_string(o.ratio);
    CHECK(std::string(reinterpret_cast<const char*>(x.data()), static_cast<std::size_t>(x.size())) ==
          files::read(folder / (to + ".pixels")));
    check_resized(x, folder / (to + ".0"));
    check_resized(x, folder / (to + ".1"), bilinear, antialias);
    check_resized(x, folder / (to + ".2"), bicubic);
    check_resized(x, folder / (to + ".3"), bicubic, antialias);
    check_resized(x, folder / (to + ".4"), area);
    check_resized(x, folder / (to + ".5"), nearest);
  }
  CHECK(cases == 6 * 12 + 8 * 4 + 2 * 5);
}

TEST_CASE("image: TensorFlow reads what etch has written") {
  if (!client::is_there("tensorflow")) return;
  const files::folder folder("image_client");
  const auto write = [&](const std::string& name, const image::pixels& x) {
    image::write(folder / name, x);
    files::write(folder / (name + ".pixels"), {reinterpret_cast<const char*>(x.data()), static_cast<std::size_t>(x.size())});
  };
  for (int channels = 1; channels <= 4; ++channels)
    write(std::string(1, static_cast<char>('a' + channels - 1)) + ".png", pictures::noise(13, 17, channels));
  write("e.jpg", pictures::slopes(41, 57, 3));
  CHECK(client::run("image_client.py", {"read", folder.path().string()}));
}
