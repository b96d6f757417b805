// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <format/damage.hpp>
#include <image/pictures.hpp>

/// Damaged and cut files: an image, or one error that names the file and the byte.
namespace {

using namespace etch;

/// `cut`: bytes at the end that nothing needs: the padding of BMP's last row.
void try_all(const std::string& file, std::size_t cut = 0) {
  std::uint64_t sum = 0;
  const auto is_read = [&](const std::string& damaged) {
    // Memory of exactly that size, so that a sanitizer sees what reads beyond.
    const std::vector<char> exact(damaged.begin(), damaged.end());
    const auto bytes = std::as_bytes(std::span(exact));
    const std::string error = files::error_of([&] {
      const image::pixels x = image::decode(bytes, {}, "x");
      for (std::int64_t i = 0; i < x.size(); ++i) sum += x.data()[i];
    });
    CHECK_MESSAGE((error.empty() || (error.starts_with("x: at byte ") && error.find('\n') == error.npos)), error);
    // Rows that are not needed hide no damage.
    const std::string other = files::error_of([&] { image::decode_resized<2, 3>(bytes, {}, "x"); });
    CHECK_MESSAGE(other.empty() == error.empty(), error, " ", other);
    return error.empty();
  };
  CHECK(is_read(file));
  for (std::size_t size = 0; size + cut < file.size(); ++size) CHECK_MESSAGE(!is_read(file.substr(0, size)), size);
  std::mt19937 random(35);
  for (int i = 0, all = files::mutations(); i < all; ++i) {
    std::string changed = file;
    for (auto n = random() % 4 + 1; n > 0; --n) {
      const std::size_t at = random() % changed.size(), count = 1 + random() % 8;
      const auto byte = static_cast<char>(random());
      switch (random() % 8) {
        case 0: changed.erase(at, count); break;
        case 1: changed.insert(at, count, byte); break;
        default: changed[at] = byte;
      }
      if (changed.empty()) changed = "x";
    }
    is_read(changed);
  }
  CHECK(sum > 0);
}

}  // namespace

TEST_CASE("image: damaged PNG files") {
  try_all(image::encode_png(pictures::noise(13, 11, 3)));
  try_all(pictures::png(2, 2, 8, 0, std::string("\0\1\0\2\0\3\4", 7), "", true));
  try_all(pictures::png(1, 2, 8, 3, std::string("\0\1\0", 3), pictures::chunk("PLTE", "abcdef") + pictures::chunk("tRNS", "x")));
}

TEST_CASE("image: damaged JPEG files") {
  try_all(image::encode_jpeg(pictures::slopes(37, 29, 3), {.quality = 70}));
  try_all(image::encode_jpeg(pictures::noise(17, 16, 3), {.quality = 60, .progressive = true}));
  try_all(image::encode_jpeg(pictures::noise(17, 16, 1)));
}

TEST_CASE("image: damaged BMP files") {
  try_all(pictures::bmp(2, 3, 24, 0, 0, "abcdefghijklmnopqrstuvwx"), 3);
  try_all(pictures::bmp(2, 3, 8, 0, 2, std::string("aaa bbb \0\1\1 \1\1\0", 15), 62));
}

TEST_CASE("image: bytes that nobody needs in front of a JPEG's end are no damage, cut scans are") {
  std::string file = image::encode_jpeg(pictures::slopes(16, 16, 3));
  const image::pixels whole = pictures::decoded(file);
  file.insert(file.size() - 2, 228, '\1');
  CHECK(pictures::are_equal(pictures::decoded(file), whole));
  // The same file with its end where pixels are missing.
  std::string noise = image::encode_jpeg(pictures::noise(32, 32, 3));
  noise.erase(noise.size() - 200, 198);
  const std::string error = files::error_of([&] { pictures::decoded(noise); });
  CHECK_MESSAGE(error.starts_with("x: at byte "), error);
  CHECK_MESSAGE(error.find("premature end of data segment") != error.npos, error);
}
