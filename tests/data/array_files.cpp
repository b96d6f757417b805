// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>

#include <etch/data/idx.hpp>
#include <etch/data/npy.hpp>
#include <etch/data/npz.hpp>
#include <etch/data/safetensors.hpp>
#include <format/damage.hpp>

namespace {

using namespace etch;

const std::array<float, 6> values = {1, 2, 3, 4, 5, 6};
const format::array_view array{dtype::float32, {3, 2}, std::as_bytes(std::span(values))};

template <class Dataset>
void check_rows(Dataset d) {
  CHECK(d.size() == 3);
  float next = 1;
  for (auto row : d)
    for (const float v : row) CHECK(v == next++);
  CHECK(next == 7);
}

}  // namespace

TEST_CASE("slices of arrays in npy and npz files") {
  const files::folder folder("array_files");
  format::write_npy(folder / "x.npy", array);
  format::npz_writer writer(folder / "x.npz");
  writer.add("weights", array);
  writer.commit();
  check_rows(data::npy<float, 2>(folder / "x.npy"));
  check_rows(data::npz<float, 2>(folder / "x.npz", "weights"));
  CHECK(data::npy<float, 2>(folder / "x.npy").position().dataset == "npy(\"x.npy\") float32 [3, 2]");
  CHECK(data::npz<float, 2>(folder / "x.npz", "weights").position().dataset == "npz(\"x.npz\", \"weights\") float32 [3, 2]");
  CHECK_THROWS_WITH_AS((data::npy<float, 1>(folder / "x.npy")),
                       ((folder / "x.npy").string() + ": it has float32 [3, 2], expected is float32 of 1 axes").c_str(), error);
  CHECK_THROWS_WITH_AS((data::npy<std::int32_t, 2>(folder / "x.npy")),
                       ((folder / "x.npy").string() + ": it has float32 [3, 2], expected is int32 of 2 axes").c_str(), error);
}

TEST_CASE("slices of a tensor of a safetensors file") {
  const files::folder folder("array_files");
  const std::string path = (folder / "x.safetensors").string();
  format::write_safetensors(path, {format::numbers("images", array), format::numbers("others", array)});
  check_rows(data::safetensors<float, 2>(path, "images"));
  CHECK(data::safetensors<float, 2>(path, "images").position().dataset ==
        "safetensors(\"x.safetensors\", \"images\") float32 [3, 2]");
  CHECK_THROWS_WITH_AS((data::safetensors<float, 2>(path, "labels")),
                       (path + ": it has no tensor labels, but images, others").c_str(), error);
  CHECK_THROWS_WITH_AS((data::safetensors<std::int32_t, 2>(path, "images")),
                       (path + ": images: it has float32 [3, 2], expected is int32 of 2 axes").c_str(), error);
}

TEST_CASE("images and labels of idx files, side by side") {
  const files::folder folder("array_files");
  files::write(folder / "images", std::string("\0\0\x8\3\0\0\0\2\0\0\0\1\0\0\0\3abcdef", 22));
  files::write(folder / "labels", std::string("\0\0\x8\1\0\0\0\2\5\0", 10));
  auto d = data::zip(data::idx<std::uint8_t, 3>(folder / "images"), data::idx<std::uint8_t, 1>(folder / "labels"));
  CHECK(d.size() == 2);
  std::string text;
  for (auto [image, label] : d) {
    CHECK(image.dimension() == 2);
    text.append(image.begin(), image.end());
    text += std::to_string(label);
  }
  CHECK(text == "abc5def0");
}

TEST_CASE("a npz member that does not lie at a float's place is copied") {
  const files::folder folder("array_files");
  if (!files::run_numpy(folder, "np.savez(folder + 'x.npz', abc=np.arange(1, 7, dtype=np.float32).reshape(3, 2))")) return;
  check_rows(data::npz<float, 2>(folder / "x.npz", "abc"));
}

TEST_CASE("a position of an array of a file is refused where the array has changed") {
  const files::folder folder("array_files");
  format::write_npy(folder / "x.npy", array);
  const data::position p = data::npy<float, 2>(folder / "x.npy").position();
  format::write_npy(folder / "x.npy", {dtype::float32, {2, 2}, array.bytes.first(16)});
  auto d = data::npy<float, 2>(folder / "x.npy");
  CHECK_THROWS_WITH_AS(d.restore(p),
                       "data: a position of \"npy(\"x.npy\") float32 [3, 2]\" is no position of \"npy(\"x.npy\") float32 [2, 2]\"",
                       error);
}
