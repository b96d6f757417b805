// SPDX-License-Identifier: MIT
/// The data loader of the examples. Link with zlib.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>
#include <zlib.h>

#include "../../examples/data/fashion_mnist.hpp"

namespace {

namespace fs = std::filesystem;
using bytes = std::vector<std::uint8_t>;

struct temporary_directory {
  fs::path path;
  temporary_directory() {
    std::string name = (fs::temp_directory_path() / "etch-data-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  temporary_directory(const temporary_directory&) = delete;
  temporary_directory& operator=(const temporary_directory&) = delete;
  ~temporary_directory() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

/// The bytes of an idx file of unsigned bytes.
bytes idx_bytes(const std::vector<std::uint32_t>& shape, const bytes& values) {
  bytes out{0, 0, 8, static_cast<std::uint8_t>(shape.size())};
  for (const std::uint32_t extent : shape)
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(extent >> shift));
  out.insert(out.end(), values.begin(), values.end());
  return out;
}

void write_plain(const fs::path& path, const bytes& content) {
  std::ofstream file(path, std::ios::binary);
  for (const std::uint8_t value : content) file.put(static_cast<char>(value));
  REQUIRE(file.good());
}

void write_gzip(const fs::path& path, const bytes& content) {
  gzFile file = gzopen(path.string().c_str(), "wb");
  REQUIRE(file != nullptr);
  REQUIRE(gzwrite(file, content.data(), static_cast<unsigned>(content.size())) == static_cast<int>(content.size()));
  REQUIRE(gzclose(file) == Z_OK);
}

/// Values that deflate cannot shrink.
bytes noise(std::size_t count) {
  std::mt19937 random(1);
  bytes out(count);
  for (auto& value : out) value = static_cast<std::uint8_t>(random());
  return out;
}

/// What `call` throws as etch::error, with the name of the temporary directory taken out.
template <class F>
std::string sentence(const temporary_directory& directory, F call) {
  std::string text = "(nothing was thrown)";
  try {
    call();
  } catch (const etch::error& e) {
    text = e.what();
  }
  const std::string prefix = directory.path.string() + '/';
  for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) text.erase(at, prefix.size());
  return text;
}

/// Writes a small pair of files in the form of Fashion-MNIST.
void write_set(const fs::path& directory, const std::string& prefix, std::vector<std::uint32_t> shape, bytes labels) {
  std::uint32_t total = 1;
  for (const std::uint32_t extent : shape) total *= extent;
  write_gzip(directory / (prefix + "-images-idx3-ubyte.gz"), idx_bytes(shape, noise(total)));
  const auto count = static_cast<std::uint32_t>(labels.size());
  write_gzip(directory / (prefix + "-labels-idx1-ubyte.gz"), idx_bytes({count}, labels));
}

}  // namespace

TEST_CASE("fashion_mnist: small files, and what is wrong with them") {
  temporary_directory directory;
  const auto load = [&] { return data::load_fashion_mnist(directory.path / "set"); };
  const auto load_sentence = [&] { return sentence(directory, load); };
  CHECK(load_sentence() ==
        "set: it is no folder: install Debian's package dataset-fashion-mnist or name the folder of the files of Fashion-MNIST");
  fs::create_directory(directory.path / "set");
  const fs::path set = directory.path / "set";
  CHECK(load_sentence() == "set/train-images-idx3-ubyte.gz: No such file or directory");

  write_set(set, "train", {3, 28, 28}, {0, 9, 5});
  write_set(set, "t10k", {2, 28, 28}, {1, 2});
  {
    const auto [train, test] = load();
    CHECK(train.size() == 3);
    CHECK(test.size() == 2);
    const bytes values = noise(3 * 784);
    CHECK(std::equal(values.begin(), values.end(), train.images.data()));
    for (std::size_t i = 0; i < values.size(); ++i) REQUIRE(train.pixels.data()[i] == static_cast<float>(values[i]) / 255.0f);
    CHECK(train.labels == xt::xtensor<std::int32_t, 1>{0, 9, 5});
    CHECK(test.labels == xt::xtensor<std::int32_t, 1>{1, 2});
  }
  {  // the decompressed files do as well
    write_plain(set / "t10k-labels-idx1-ubyte", idx_bytes({2}, {3, 4}));
    fs::remove(set / "t10k-labels-idx1-ubyte.gz");
    CHECK(load().test.labels == xt::xtensor<std::int32_t, 1>{3, 4});
  }
  write_set(set, "t10k", {2, 28, 27}, {1, 2});
  CHECK(load_sentence() == "set/t10k-images-idx3-ubyte.gz: its images are [2, 28, 27], expected are some of 28 x 28");
  write_set(set, "t10k", {2, 28, 28}, {1, 2, 3});
  CHECK(load_sentence() == "set/t10k-labels-idx1-ubyte.gz: it has 3 labels, set/t10k-images-idx3-ubyte.gz has 2 images");
  write_set(set, "t10k", {2, 28, 28}, {1, 10});
  CHECK(load_sentence() == "set/t10k-labels-idx1-ubyte.gz: label 1 is 10, labels are 0 to 9");
  write_set(set, "t10k", {0, 28, 28}, {});
  CHECK(load_sentence() == "set/t10k-images-idx3-ubyte.gz: its images are [0, 28, 28], expected are some of 28 x 28");
}

TEST_CASE("fashion_mnist: Debian's package") {
  if (!fs::is_directory(data::fashion_mnist_directory)) {
    MESSAGE("skipped: dataset-fashion-mnist is not installed");
    return;
  }
  const auto [train, test] = data::load_fashion_mnist();
  CHECK(train.pixels.shape() == std::array<std::size_t, 2>{60000, 784});
  CHECK(test.pixels.shape() == std::array<std::size_t, 2>{10000, 784});
  for (const auto* set : {&train, &test}) {
    std::array<std::size_t, 10> counts{};
    for (const std::int32_t label : set->labels) ++counts.at(static_cast<std::size_t>(label));
    for (const std::size_t count : counts) CHECK(count == set->size() / 10);
    const auto [least, most] = std::ranges::minmax_element(set->pixels.storage());
    CHECK(*least == 0.0f);
    CHECK(*most == 1.0f);
  }
  CHECK(test.labels(0) == 9);
  const double sum = std::accumulate(train.pixels.storage().begin(), train.pixels.storage().end(), 0.0);
  CHECK(sum / static_cast<double>(train.pixels.size()) == doctest::Approx(0.2860).epsilon(0.0005));
}
