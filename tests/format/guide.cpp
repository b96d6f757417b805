// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <filesystem>
#include <iostream>

#include <etch/data.hpp>
#include <etch/data/csv.hpp>
#include <etch/data/idx.hpp>
#include <etch/data/tfrecord.hpp>
#include <etch/etch.hpp>
#include <etch/format/example.hpp>
#include <etch/format/inflate.hpp>

// The code of docs/data_formats.md.

namespace {

using namespace etch::literals;

void train_on_files() {
  constexpr etch::placeholder<"x", std::uint8_t, etch::any<"batch">, 28, 28> x;
  constexpr etch::placeholder<"y", std::uint8_t, etch::any<"batch">> y;
  constexpr auto step = etch::sum(etch::astype<float>(x)) + etch::sum(etch::astype<float>(y));
  etch::session session(step);

  auto train = etch::data::zip(etch::data::idx<std::uint8_t, 3>("train-images-idx3-ubyte.gz", etch::format::inflate),
                               etch::data::idx<std::uint8_t, 1>("train-labels-idx1-ubyte.gz", etch::format::inflate));
  for (auto [images, labels] : train.shuffle(60'000).batch(50)) session.run(step, x = images, y = labels);
}

void list_irises() {
  auto iris = etch::data::csv<float, float, std::string>("iris.csv", {.columns = {"width", "length", "species"}});
  for (auto [width, length, species] : iris) std::cout << species << ": " << width << " x " << length << "\n";
}

std::int64_t sum_of_labels() {
  auto samples = etch::data::tfrecord({"a.tfrecord", "b.tfrecord"}).map([](const std::string& record) {
    const auto e = etch::format::parse_example(record);
    return std::tuple(xt::xtensor<float, 1>(xt::adapt(e.get<float>("image"))), e.get_one<std::int64_t>("label"));
  });
  std::int64_t sum = 0;
  for (auto [image, label] : samples) sum += label;
  return sum;
}

}  // namespace

TEST_CASE("docs/data_formats.md: a file that is missing is an error that names it") {
  // Either of the two: compilers evaluate arguments in their own order.
  CHECK_THROWS_WITH_AS(train_on_files(), doctest::Contains("-ubyte.gz: No such file or directory"), etch::error);
  CHECK_THROWS_WITH_AS(list_irises(), doctest::Contains("iris.csv"), etch::error);
  CHECK_THROWS_WITH_AS(sum_of_labels(), doctest::Contains("a.tfrecord"), etch::error);
}
