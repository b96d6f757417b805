// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/data/csv.hpp>
#include <etch/data/npy.hpp>
#include <etch/format/npz.hpp>
#include <etch/format/tfrecord.hpp>
#include <format/damage.hpp>

/// The errors in docs/data_formats.md are those that are thrown.
TEST_CASE("what damaged files say is what the page says") {
  using namespace etch;
  const files::folder folder("documented_errors");
  const std::string page = files::read("../docs/data_formats.md");
  REQUIRE(page.find("## Bad input") != page.npos);
  const auto is_documented = [&](const std::string& name, std::string bytes, auto read) {
    files::write(folder / name, bytes);
    const std::string error = files::error_of([&] { read(folder / name); });
    const std::size_t at = error.rfind(name + ": ");
    REQUIRE_MESSAGE(at != error.npos, error);
    const std::string row = "`" + error.substr(at) + "`";
    CHECK_MESSAGE(page.find(row) != page.npos, row);
  };
  const std::vector<double> values = {1, 2, 3, 4, 5, 6};
  const auto bytes = std::as_bytes(std::span(values));
  format::write_npy(folder / "x.npy", {dtype::float32, {3}, bytes.first(12)});
  const std::string three = files::read(folder / "x.npy");
  is_documented("x.npy", three.substr(0, three.size() - 4), [](const auto& path) { data::npy<float, 1>(path); });
  format::write_npy(folder / "x.npy", {dtype::float64, {3, 2}, bytes});
  is_documented("x.npy", files::read(folder / "x.npy"), [](const auto& path) { data::npy<float, 2>(path); });

  format::npz_writer npz(folder / "x.npz");
  npz.add("w", {dtype::float64, {3, 2}, bytes});
  npz.commit();
  std::string flipped = files::read(folder / "x.npz");
  flipped[200] ^= 1;
  is_documented("x.npz", flipped, [](const auto& path) { format::npz_file(path).read("w"); });

  format::tfrecord_writer records(folder / "x.tfrecord");
  records.add("abc");
  records.add("");
  records.commit();
  is_documented("x.tfrecord", files::read(folder / "x.tfrecord").substr(0, 24),
                [](const auto& path) { static_cast<void>(format::tfrecord_file(path)); });
  is_documented("x.csv", "a,b\n1,\n", [](const auto& path) { data::csv<int, float>(path); });
}
