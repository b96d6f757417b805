// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <format/files.hpp>
#include <image/pictures.hpp>

#include "base/larger.hpp"

/// Files that are written down byte by byte, and those that etch writes.
namespace {

using namespace etch;
using namespace pictures;
using numbers = std::vector<int>;

std::string bytes(std::initializer_list<int> all) {
  std::string b;
  for (const int v : all) b += static_cast<char>(v);
  return b;
}
std::string refused(const std::string& file, const image::decode_options& options = {}) {
  return files::error_of([&] { decoded(file, options); });
}

}  // namespace

TEST_CASE("image: PNG files of every kind") {
  // Gray of 8 bits; what is asked for is made of it.
  const std::string gray = png(2, 2, 8, 0, bytes({0, 1, 2, 0, 30, 40}));
  CHECK(values(decoded(gray)) == numbers{1, 2, 30, 40});
  CHECK(decoded(gray).shape() == std::array<std::int64_t, 3>{2, 2, 1});
  CHECK(values(decoded(gray, {.channels = 3})) == numbers{1, 1, 1, 2, 2, 2, 30, 30, 30, 40, 40, 40});
  CHECK(values(decoded(gray, {.channels = 2})) == numbers{1, 255, 2, 255, 30, 255, 40, 255});
  CHECK(values(decoded(gray, {.channels = 4})) == numbers{1, 1, 1, 255, 2, 2, 2, 255, 30, 30, 30, 255, 40, 40, 40, 255});
  // Colours, with filters: the second row is the first one and more.
  const std::string rgb = png(2, 1, 8, 2, bytes({0, 10, 20, 30, 2, 1, 2, 3}));
  CHECK(values(decoded(rgb)) == numbers{10, 20, 30, 11, 22, 33});
  CHECK(values(decoded(rgb, {.channels = 1})) == numbers{18, 19});  // 0.299 red + 0.587 green + 0.114 blue, down
  const std::string rgba = png(1, 2, 8, 6, bytes({0, 1, 2, 3, 4, 5, 6, 7, 8}));
  CHECK(values(decoded(rgba)) == numbers{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(values(decoded(rgba, {.channels = 3})) == numbers{1, 2, 3, 5, 6, 7});
  CHECK(values(decoded(png(1, 1, 8, 4, bytes({0, 9, 8})))) == numbers{9, 8});
  // Few bits: 0 and 1, and 4 bits, are 0 to 255; 16 bits lose their lower 8.
  CHECK(values(decoded(png(1, 3, 1, 0, bytes({0, 0xa0})))) == numbers{255, 0, 255});
  CHECK(values(decoded(png(1, 2, 4, 0, bytes({0, 0x1f})))) == numbers{17, 255});
  CHECK(values(decoded(png(1, 2, 16, 0, bytes({0, 7, 200, 255, 0})))) == numbers{7, 255});
  // A palette, and its opacity.
  const std::string palette = chunk("PLTE", bytes({1, 2, 3, 4, 5, 6}));
  CHECK(values(decoded(png(1, 2, 8, 3, bytes({0, 1, 0}), palette))) == numbers{4, 5, 6, 1, 2, 3});
  CHECK(values(decoded(png(1, 2, 8, 3, bytes({0, 1, 0}), palette + chunk("tRNS", bytes({77}))))) ==
        numbers{4, 5, 6, 255, 1, 2, 3, 77});
  // Adam7: pixel (0, 0) is pass 1, (0, 1) pass 6, (1, 0) and (1, 1) pass 7.
  CHECK(values(decoded(png(2, 2, 8, 0, bytes({0, 1, 0, 2, 0, 3, 4}), "", true))) == numbers{1, 2, 3, 4});
}

TEST_CASE("image: BMP files") {
  const std::string rows = bytes({3, 2, 1, 6, 5, 4, 0, 0, 9, 8, 7, 12, 11, 10, 0, 0});
  CHECK(values(decoded(bmp(2, 2, 24, 0, 0, rows))) == numbers{7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6});
  CHECK(values(decoded(bmp(-2, 2, 24, 0, 0, rows))) == numbers{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  CHECK(values(decoded(bmp(1, 1, 32, 0, 0, bytes({3, 2, 1, 200})))) == numbers{1, 2, 3, 200});
  CHECK(values(decoded(bmp(1, 1, 32, 0, 0, bytes({3, 2, 1, 200})), {.channels = 3})) == numbers{1, 2, 3});
  CHECK(values(decoded(bmp(1, 1, 24, 0, 0, bytes({3, 2, 1, 0})), {.channels = 4})) == numbers{1, 2, 3, 255});
  const std::string gray = bytes({0, 0, 0, 0, 9, 9, 9, 0}), colours = bytes({3, 2, 1, 0, 6, 5, 4, 0});
  CHECK(values(decoded(bmp(1, 3, 8, 0, 2, gray + bytes({1, 0, 1, 0}), 62))) == numbers{9, 0, 9});
  CHECK(values(decoded(bmp(1, 2, 8, 0, 2, colours + bytes({1, 0, 0, 0}), 62))) == numbers{4, 5, 6, 1, 2, 3});
  CHECK(values(decoded(bmp(1, 2, 8, 0, 2, gray + bytes({1, 0, 0, 0}), 62), {.channels = 3})) == numbers{9, 9, 9, 0, 0, 0});
}

TEST_CASE("image: what is written is read") {
  for (const int channels : {1, 2, 3, 4}) {
    const auto x = noise(13, 29, channels);
    CHECK(are_equal(decoded(image::encode_png(x)), x));
    CHECK(are_equal(decoded(image::encode_png(x, 0)), x));
  }
  for (const int channels : {1, 3})
    for (const bool progressive : {false, true}) {
      const auto x = slopes(40, 56, channels);
      const auto y = decoded(image::encode_jpeg(x, {.quality = 95, .progressive = progressive, .chroma_downsampling = false}));
      REQUIRE(y.shape() == x.shape());
      int most = 0;
      for (std::int64_t i = 0; i < x.size(); ++i) most = larger_or_nan(most, std::abs(x.data()[i] - y.data()[i]));
      CHECK(most <= 6);
    }
  const std::string jpeg = image::encode_jpeg(slopes(41, 57, 3));
  CHECK(decoded(jpeg, {.channels = 1}).shape() == std::array<std::int64_t, 3>{41, 57, 1});
  CHECK(decoded(jpeg, {.ratio = 2}).shape() == std::array<std::int64_t, 3>{21, 29, 3});
  CHECK(decoded(jpeg, {.ratio = 8}).shape() == std::array<std::int64_t, 3>{6, 8, 3});

  const files::folder folder("images");
  const auto x = noise(5, 7, 3);
  image::write(folder / "x.png", x);
  CHECK(are_equal(image::read(folder / "x.png"), x));
  image::write(folder / "x.jpg", x);
  CHECK(image::read(folder / "x.jpg").shape() == x.shape());
}

TEST_CASE("IMG-01: the bits of TensorFlow's JPEG decoder") {
  // tf.io.encode_jpeg of byte i = (7 i^2 + 13 i) mod 256, (8, 8, 3), quality 40; then tf.io.decode_jpeg of it.
  const std::string file = [] {
    constexpr std::string_view digits =
        "ffd8ffe000104a46494600010101012c012c0000ffdb004300140e0f120f0d14121012171514181e32211e1c1c1e3d2c2e243249404c4b4740464550"
        "5a736250556d5645466488656d777b8182814e608d978c7d96737e817cffdb0043011517171e1a1e3b21213b7c5346537c7c7c7c7c7c7c7c7c7c7c7c"
        "7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7cffc00011080008000803012200021101031101ffc400"
        "1500010100000000000000000000000000000001ffc4001d100001040203000000000000000000000001000203111221316171ffc400150101010000"
        "0000000000000000000000000203ffc4001e110001030403000000000000000000000001000203041112213161b1ffda000c03010002110311003f00"
        "80de11c6f8d8f78c00e2db56456b55d6abc44450a999f062187941c6c75d78bfffd9";
    std::string b;
    for (std::size_t i = 0; i < digits.size(); i += 2)
      b += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
    return b;
  }();
  const numbers expected = {
      0,   23,  0,   152, 178, 153, 154, 112, 122, 134, 95,  116, 56,  88,  99,  189, 248, 255, 168, 207, 246, 49,  81,  130,
      163, 220, 179, 113, 137, 111, 213, 170, 177, 132, 93,  111, 76,  106, 114, 45,  103, 115, 166, 207, 237, 67,  101, 139,
      62,  113, 70,  98,  117, 89,  158, 113, 116, 205, 163, 175, 152, 182, 182, 101, 159, 160, 45,  89,  102, 104, 141, 160,
      108, 153, 110, 151, 166, 137, 188, 138, 141, 91,  45,  56,  137, 164, 159, 37,  94,  85,  0,   42,  39,  75,  115, 115,
      59,  97,  58,  78,  83,  60,  170, 113, 120, 183, 131, 143, 122, 145, 139, 101, 158, 141, 97,  144, 124, 77,  119, 99,
      152, 183, 152, 196, 194, 181, 128, 64,  80,  230, 173, 192, 71,  89,  89,  99,  152, 134, 86,  132, 104, 153, 197, 162,
      36,  58,  45,  138, 129, 130, 162, 91,  123, 177, 113, 148, 203, 217, 228, 42,  94,  82,  141, 187, 158, 167, 212, 171,
      104, 123, 117, 155, 144, 152, 143, 68,  109, 159, 94,  136, 10,  21,  39,  0,   15,  9,   169, 216, 184, 113, 158, 115};
  CHECK(values(decoded(file)) == expected);
}

TEST_CASE("image: what cannot be read or written is a sentence") {
  CHECK(refused("") == "x: at byte 0: it is no PNG, JPEG or BMP file");
  CHECK(refused("GIF89a..") == "x: at byte 0: it is no PNG, JPEG or BMP file");
  const std::string gray = png(2, 2, 8, 0, bytes({0, 1, 2, 0, 30, 40}));
  CHECK(refused(gray.substr(0, 50)) == "x: at byte 41: PNG: the file ends within a chunk");
  std::string changed = gray;
  changed[50] = 'x';
  CHECK(refused(changed).starts_with("x: at byte "));
  CHECK(refused(png(70000, 70000, 8, 6, "")) == "x: at byte 41: PNG: the header says more than 2^29 bytes of pixels");
  CHECK(refused(bmp(1, 1, 16, 0, 0, "abcd")) == "x: at byte 28: BMP: 16 bits a pixel, read are 8, 24 and 32");
  CHECK(refused(bmp(1, 1, 24, 1, 0, "abcd")) == "x: at byte 30: BMP: compression 1 is not read");
  CHECK(refused(bmp(2, 2, 24, 0, 0, "abcd")) == "x: at byte 54: the pixels has 14 bytes, of which 4 are there");
  CHECK(refused(bmp(0, 2, 24, 0, 0, "abcd")) == "x: at byte 18: BMP: 0 x 2 pixels");
  CHECK(refused(bmp(1, 1, 8, 0, 1, bytes({0, 0, 0, 0, 3, 0, 0, 0}), 58)) == "x: at byte 58: BMP: a pixel has colour 3 of 1");
  CHECK(refused(bmp(1, 1, 24, 0, 0, "abcd"), {.channels = 1}) == "x: BMP: of 3 channels no 1 are made");
  const std::string jpeg = image::encode_jpeg(slopes(16, 16, 3));
  CHECK(refused(jpeg.substr(0, jpeg.size() - 1)).starts_with("x: at byte "));
  CHECK(refused(jpeg, {.channels = 4}) == "x: JPEG: it has no opacity, 4 channels are asked for");
  CHECK(refused(jpeg, {.channels = 5}) == "image: decode: 5 channels, there are 0 (as in the file) to 4");
  CHECK(refused(jpeg, {.ratio = 3}) == "image: decode: ratio 3 is none of 1, 2, 4, 8");
  const files::folder folder("images");
  CHECK(files::error_of([&] { image::read(folder.path()); }) == folder.path().string() + ": it is no file");
  files::write(folder / "empty.png", "");
  CHECK(files::error_of([&] { image::read(folder / "empty.png"); }) ==
        (folder / "empty.png").string() + ": at byte 0: it is no PNG, JPEG or BMP file");
  CHECK(files::error_of([] { image::read("/no/such.png"); }) == "/no/such.png: No such file or directory");
  CHECK(files::error_of([] { image::write("x.gif", slopes(2, 2, 3)); }) == "x.gif: images are written to .png, .jpg or .jpeg");
  CHECK(files::error_of([] { image::encode_jpeg(slopes(2, 2, 4)); }) == "image: encode_jpeg: 4 channels, JPEG has 1 or 3");
  CHECK(files::error_of([] { image::encode_png(slopes(2, 2, 5)); }) == "image: an image of 5 channels, there are 1 to 4");
  CHECK(files::error_of([] { image::encode_png(image::pixels()); }) == "image: an image of 0 channels, there are 1 to 4");
}
