// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <zlib.h>

#include <etch/data/ready_made.hpp>
#include <format/damage.hpp>

namespace {

namespace fs = std::filesystem;
using bytes = std::vector<std::uint8_t>;

/// The bytes of an idx file of unsigned bytes.
bytes idx_bytes(const std::vector<std::uint32_t>& shape, const bytes& values) {
  bytes out{0, 0, 8, static_cast<std::uint8_t>(shape.size())};
  for (const std::uint32_t extent : shape)
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(extent >> shift));
  out.insert(out.end(), values.begin(), values.end());
  return out;
}

void write_plain(const fs::path& path, const bytes& content) {
  files::write(path, {reinterpret_cast<const char*>(content.data()), content.size()});
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
std::string sentence(const files::folder& directory, F call) {
  std::string text = files::error_of(call);
  const std::string prefix = directory.path().string() + '/';
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

TEST_CASE("DATA-03, DATA-12: ready-made datasets of small files, and what is wrong with them") {
  const files::folder directory("ready_made");
  const auto load = [&] { return etch::data::load_fashion_mnist(directory / "set"); };
  const auto load_sentence = [&] { return sentence(directory, load); };
  CHECK(load_sentence() ==
        "set: it is no folder: install Debian's package dataset-fashion-mnist or name the folder of the files of Fashion-MNIST");
  CHECK(sentence(directory, [&] { etch::data::load_mnist(directory / "set"); }) ==
        "set: it is no folder: name the folder of the files of MNIST");
  fs::create_directory(directory / "set");
  const fs::path set = directory / "set";
  CHECK(load_sentence() == "set/train-images-idx3-ubyte.gz: No such file or directory");

  write_set(set, "train", {3, 28, 28}, {0, 9, 5});
  write_set(set, "t10k", {2, 28, 28}, {1, 2});
  {
    const auto [train, test] = load();
    CHECK(train.size() == 3);
    CHECK(test.size() == 2);
    CHECK(train.images.shape() == std::array<std::size_t, 4>{3, 28, 28, 1});
    const bytes values = noise(3 * 784);
    CHECK(std::equal(values.begin(), values.end(), train.images.data()));
    const xt::xtensor<float, 4> pixels = train.pixels();
    const xt::xtensor<float, 2> rows = train.rows();
    CHECK(pixels.shape() == std::array<std::size_t, 4>{3, 28, 28, 1});
    CHECK(rows.shape() == std::array<std::size_t, 2>{3, 784});
    for (std::size_t i = 0; i < values.size(); ++i) {
      REQUIRE(pixels.data()[i] == static_cast<float>(values[i]) / 255.0f);
      REQUIRE(rows.data()[i] == pixels.data()[i]);
    }
    CHECK(train.labels == xt::xtensor<std::int32_t, 1>{0, 9, 5});
    CHECK(test.labels == xt::xtensor<std::int32_t, 1>{1, 2});
    CHECK(etch::data::load_mnist(set).test.labels == test.labels);
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

TEST_CASE("DATA-12: CIFAR-10's binary version, as NumPy reads it") {
  const files::folder folder("cifar10");
  const bool has_numpy = files::run_numpy(folder, R"(
random = np.random.default_rng(1)
for name, count in [("data_batch_%d" % k, k) for k in range(1, 6)] + [("test_batch", 2)]:
  records = random.integers(0, 256, (count, 3073), np.uint8)
  records[:, 0] %= 10
  records.tofile(folder + name + ".bin")
)");
  if (!has_numpy) return;
  const auto [train, test] = etch::data::load_cifar10(folder.path());
  CHECK(train.images.shape() == std::array<std::size_t, 4>{15, 32, 32, 3});
  CHECK(test.size() == 2);
  files::write(folder / "images", {reinterpret_cast<const char*>(train.images.data()), train.images.size()});
  files::write(folder / "labels", {reinterpret_cast<const char*>(train.labels.data()), 4 * train.labels.size()});
  files::run_numpy(folder, R"(
records = np.concatenate([np.fromfile(folder + "data_batch_%d.bin" % k, np.uint8).reshape(-1, 3073) for k in range(1, 6)])
assert (np.fromfile(folder + "images", np.uint8).reshape(-1, 32, 32, 3) == records[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)).all()
assert (np.fromfile(folder + "labels", np.int32) == records[:, 0]).all()
)");
}

TEST_CASE("DATA-12: CIFAR-10's files with what is wrong with them") {
  const files::folder directory("ready_made");
  const fs::path set = directory / "set";
  const auto load_sentence = [&] { return sentence(directory, [&] { etch::data::load_cifar10(set); }); };
  CHECK(load_sentence() == "set: it is no folder: name the folder of the files of CIFAR-10's binary version");
  fs::create_directory(set);
  CHECK(load_sentence() == "set/data_batch_1.bin: No such file or directory");
  for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin"})
    write_plain(set / name, bytes(3073));
  write_plain(set / "test_batch.bin", bytes(3072));
  CHECK(load_sentence() ==
        "set/test_batch.bin: it has 3072 bytes, expected is a multiple of 3073, of an image of 32 x 32 and its label");
  write_plain(set / "test_batch.bin", {});
  CHECK(load_sentence() ==
        "set/test_batch.bin: it has 0 bytes, expected is a multiple of 3073, of an image of 32 x 32 and its label");
  bytes two(2 * 3073);
  two[3073] = 10;
  write_plain(set / "test_batch.bin", two);
  CHECK(load_sentence() == "set/test_batch.bin: label 1 is 10, labels are 0 to 9");
}

TEST_CASE("DATA-03, DATA-12: Fashion-MNIST of Debian's package") {
  if (!fs::is_directory(etch::data::fashion_mnist_folder)) {
    MESSAGE("skipped: dataset-fashion-mnist is not installed");
    return;
  }
  const auto [train, test] = etch::data::load_fashion_mnist();
  CHECK(train.images.shape() == std::array<std::size_t, 4>{60000, 28, 28, 1});
  CHECK(test.images.shape() == std::array<std::size_t, 4>{10000, 28, 28, 1});
  for (const auto* set : {&train, &test}) {
    std::array<std::size_t, 10> counts{};
    for (const std::int32_t label : set->labels) ++counts.at(static_cast<std::size_t>(label));
    for (const std::size_t count : counts) CHECK(count == set->size() / 10);
    const auto [least, most] = std::ranges::minmax_element(set->images.storage());
    CHECK(*least == 0);
    CHECK(*most == 255);
  }
  CHECK(test.labels(0) == 9);
  const xt::xtensor<float, 2> rows = train.rows();
  const double sum = std::accumulate(rows.storage().begin(), rows.storage().end(), 0.0);
  CHECK(sum / static_cast<double>(rows.size()) == doctest::Approx(0.2860).epsilon(0.0005));
}
