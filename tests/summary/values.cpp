// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <xtensor/xtensor.hpp>

#include <etch/eager.hpp>
#include <etch/summary.hpp>

#include "../session/message_of.hpp"
#include "readers.hpp"

/// Each kind of value, read by others.
namespace {

using etch::summary::file_writer;
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST_CASE("TB-02: scalars of every kind of number, step and tag") {
  const readers::folder folder("scalars");
  {
    file_writer writer(folder.path / "deep" / "run");
    writer.scalar("loss", 0.5, 0);
    writer.scalar("loss", 1 / 3.0f, 1);
    writer.scalar("loss", 7, 2);
    writer.scalar("loss", etch::bfloat16(2.5f), 3);
    writer.scalar("loss", etch::sum(etch::tensor<float, 2>{{1, 2}, {3, 4}}), 4);
    writer.scalar("extremes", std::nan(""), 1);
    writer.scalar("extremes", infinity, 2);
    writer.scalar("extremes", -infinity, 3);
    writer.scalar("extremes", 1e300, 4);
    writer.scalar("extremes", 1e-45, 5);
    writer.scalar("steps", 1, -5);
    writer.scalar("steps", 2, std::int64_t{1} << 40);
    writer.scalar("steps", 3, std::numeric_limits<std::int64_t>::max());
    writer.scalar("steps", 4, std::numeric_limits<std::int64_t>::min());
    writer.scalar("größe/漢字 🙂 \"q\"", 1, 1);
    writer.scalar("", 1, 1);
  }
  readers::check_values(folder.path / "deep" / "run",
                        {"scalar 0 loss 0.5", "scalar 1 loss 0.333333343", "scalar 2 loss 7", "scalar 3 loss 2.5",
                         "scalar 4 loss 10", "scalar 1 extremes nan", "scalar 2 extremes inf", "scalar 3 extremes -inf",
                         "scalar 4 extremes inf", "scalar 5 extremes 1.40129846e-45", "scalar -5 steps 1",
                         "scalar 1099511627776 steps 2", "scalar 9223372036854775807 steps 3",
                         "scalar -9223372036854775808 steps 4", "scalar 1 größe/漢字 🙂 \"q\" 1", "scalar 1  1"});
}

TEST_CASE("TB-08: histograms have buckets of equal width between the least and the greatest finite value") {
  const readers::folder folder("histograms");
  {
    file_writer writer(folder.path);
    writer.histogram("four", std::vector<int>{0, 1, 1, 2, 3, 8}, 1, 4);
    writer.histogram("array", xt::xtensor<float, 2>{{0, 1}, {2, 4}}, 2, 2);
    writer.histogram("tensor", etch::tensor<double, 2>{{0, 1}, {2, 4}}, 3, 2);
    writer.histogram("same", std::vector<float>(5, -2.5f), 4);
    writer.histogram("empty", std::vector<float>(), 5);
    writer.histogram("not finite", std::vector<double>{infinity, 1, std::nan(""), 3, -infinity}, 6, 2);
    writer.histogram("none finite", std::vector<double>{infinity, std::nan("")}, 7, 2);
    writer.histogram("wide", std::vector<double>{-1.5e308, 0, 1.5e308}, 8, 2);
    writer.histogram("narrow", std::vector<double>{0, 5e-324}, 9, 3);
    writer.histogram("bools", std::vector<bool>{true, false, true}, 10, 2);
    CHECK(message_of([&] { writer.histogram("h", std::vector<int>{1}, 1, 0); }) ==
          writer.path() + ": histogram \"h\" of 0 buckets, of which one at least is needed");
  }
  readers::check_values(
      folder.path, {"histogram 1 four 0 8 6 15 79 | 2 4 6 8 | 3 2 0 1", "histogram 2 array 0 4 4 7 21 | 2 4 | 2 2",
                    "histogram 3 tensor 0 4 4 7 21 | 2 4 | 2 2", "histogram 4 same -2.5 -2.5 5 -12.5 31.25 | -2.5 | 5",
                    "histogram 5 empty 0 0 0 0 0 |  | ", "histogram 6 not finite 1 3 2 4 10 | 2 3 | 1 1",
                    "histogram 7 none finite 0 0 0 0 0 |  | ", "histogram 8 wide -1.5e+308 1.5e+308 3 0 inf | 0 1.5e+308 | 1 2",
                    "histogram 9 narrow 0 4.9406564584124654e-324 2 4.9406564584124654e-324 0 | 4.9406564584124654e-324 | 2",
                    "histogram 10 bools 0 1 3 2 2 | 0.5 1 | 1 2"});
}

TEST_CASE("TB-08: images of one to four channels, of bytes and of floats") {
  const readers::folder folder("images");
  {
    file_writer writer(folder.path);
    writer.image("gray", xt::xtensor<std::uint8_t, 2>{{0, 255}, {1, 128}}, 1);
    writer.image("gray opacity", xt::xtensor<std::uint8_t, 3>{{{0, 255}, {1, 128}}}, 1);
    writer.image("rgb", xt::xtensor<std::uint8_t, 3>{{{1, 2, 3}}, {{4, 5, 6}}}, 2);
    writer.image("rgba", etch::tensor<std::uint8_t, 3>{{{1, 2, 3, 4}, {5, 6, 7, 8}}}, 3);
    writer.image("floats", xt::xtensor<float, 2>{{0, 0.5, 1, 1.5, -1, NAN}}, 4);
    // More than one block of 65,535 bytes; a row that ends at its end.
    writer.image("large", xt::xtensor<std::uint8_t, 3>({200, 333, 3}, 99), 5);
    writer.image("one block", xt::xtensor<std::uint8_t, 2>({255, 256}, 7), 5);
    const auto wrong = [&](const auto& pixels) {
      return message_of([&] { writer.image("i", pixels, 1); }).substr(writer.path().size());
    };
    CHECK(wrong(xt::xtensor<float, 3>({4, 4, 5})) ==
          ": image \"i\" of shape [4, 4, 5], not (height, width) or (height, width, 1 to 4 channels)");
    CHECK(wrong(xt::xtensor<float, 2>({0, 4})) ==
          ": image \"i\" of shape [0, 4], not (height, width) or (height, width, 1 to 4 channels)");
    CHECK(wrong(xt::xtensor<float, 1>{1, 2, 3, 4}) ==
          ": image \"i\" of shape [4], not (height, width) or (height, width, 1 to 4 channels)");
  }
  readers::check_values(
      folder.path, {"image 1 gray 2x2x1 00ff0180", "image 1 gray opacity 1x2x2 00ff0180", "image 2 rgb 2x1x3 010203040506",
                    "image 3 rgba 1x2x4 0102030405060708", "image 4 floats 1x6x1 007fffff0000", "image 5 large 200x333x3 21b2095d",
                    "image 5 one block 255x256x1 5655b977"});
}

TEST_CASE("TB-08: text and hyperparameters") {
  const readers::folder folder("texts");
  {
    file_writer writer(folder.path);
    writer.text("notes", "# Run 1\n- größer 🙂\n", 3);
    writer.text("notes", "", 4);
    writer.hyperparameters({{"rate", 0.1}, {"layers", 3}, {"optimizer", "adam"}, {"nesterov", true}, {"näme", std::string("ü")}});
  }
  readers::check_values(folder.path,
                        {"text 3 notes '# Run 1\\n- größer 🙂\\n'", "text 4 notes ''",
                         "hyperparameters _hparams_/session_start_info layers=3.0 nesterov=True näme='ü' optimizer='adam' "
                         "rate=0.1"});
}

TEST_CASE("what is not UTF-8 is refused, and is in no event") {
  const readers::folder folder("utf8");
  {
    file_writer writer(folder.path);
    writer.scalar("before", 1, 1);
    for (const char* tag : {"\xff", "gr\xf6\xdf", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe6\xbc"})
      CHECK(message_of([&] { writer.scalar(tag, 1, 1); }) == "\"" + std::string(tag) + "\" is not UTF-8");
    CHECK(message_of([&] { writer.text("t", "\x80", 1); }) == "\"\x80\" is not UTF-8");
    CHECK(message_of([&] { writer.hyperparameters({{"h", "\x80"}}); }) == "\"\x80\" is not UTF-8");
    writer.scalar("\x7f \xdf\xbf \xef\xbf\xbf \xf4\x8f\xbf\xbf", 2, 2);
  }
  readers::check_values(folder.path, {"scalar 1 before 1", "scalar 2 \x7f \xdf\xbf \xef\xbf\xbf \xf4\x8f\xbf\xbf 2"});
}

}  // namespace
