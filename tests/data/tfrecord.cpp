// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/data/tfrecord.hpp>
#include <format/files.hpp>

namespace {

using namespace etch;

void write(const std::filesystem::path& path, std::initializer_list<const char*> records) {
  format::tfrecord_writer writer(path);
  for (const char* r : records) writer.add(r);
  writer.commit();
}
template <class Dataset>
std::string joined(Dataset&& d) {
  std::string text;
  for (std::string record : d) text += record + ",";
  return text;
}

}  // namespace

TEST_CASE("records of TFRecord files, one file behind another") {
  const files::folder folder("data_tfrecord");
  write(folder / "a", {"one", "two"});
  write(folder / "b", {});
  write(folder / "c", {"three"});
  auto d = data::tfrecord({folder / "a", folder / "b", folder / "c"});
  CHECK(d.size() == 3);
  CHECK(joined(d) == "one,two,three,");
  CHECK(joined(d.skip(1).repeat(2)) == "two,three,two,three,");
  CHECK(data::tfrecord({}).size() == 0);
  CHECK(files::error_of([] { data::tfrecord({"no.tfrecord", "other.tfrecord"}); }) == "no.tfrecord: No such file or directory");

  // By number, so that a shuffle's position is read without its round.
  const std::string whole = joined(d.shuffle(3, 2));
  CHECK(whole != joined(d));
  std::string seen;
  auto shuffled = d.shuffle(3, 2);
  for (std::string record : shuffled) {
    seen += record + ",";
    auto again = d.shuffle(3, 2);
    again.restore(shuffled.position());
    CHECK(seen + joined(again) == whole);
  }
  CHECK(seen == whole);
}

TEST_CASE("batches of records are arrays of texts") {
  const files::folder folder("data_tfrecord");
  write(folder / "a", {"one", "two", "three"});
  std::string text;
  for (auto b : data::tfrecord({folder / "a"}).batch(2)) {
    for (const std::string& record : b) text += record + ",";
    text += ";";
  }
  CHECK(text == "one,two,;three,;");
}

TEST_CASE("positions of TFRecord files are refused where these have changed") {
  const files::folder folder("data_tfrecord");
  write(folder / "a", {"one", "two"});
  write(folder / "b", {"one"});
  CHECK(data::tfrecord({folder / "a"}).position().dataset == "tfrecord(\"a\", 38 bytes, 2 records)");
  const data::position p = data::tfrecord({folder / "a", folder / "b"}).position();
  CHECK(p.dataset.starts_with("tfrecord(2 files "));
  CHECK(p.dataset.ends_with(", 3 records)"));
  auto same = data::tfrecord({folder / "a", folder / "b"});
  same.restore(p);
  write(folder / "b", {"four"});
  auto other = data::tfrecord({folder / "a", folder / "b"});
  CHECK_THROWS_AS(other.restore(p), error);
  auto turned = data::tfrecord({folder / "b", folder / "a"});
  CHECK_THROWS_AS(turned.restore(p), error);
}

TEST_CASE("a record whose checksum is wrong reaches the loop as an error with its file") {
  const files::folder folder("data_tfrecord");
  write(folder / "a", {"one", "two"});
  std::string bytes = files::read(folder / "a");
  bytes[31] ^= 1;
  files::write(folder / "a", bytes);
  auto d = data::tfrecord({folder / "a"});
  std::string seen;
  const std::string why = files::error_of([&] {
    for (std::string record : d) seen += record;
  });
  CHECK(seen == "one");
  CHECK(why.starts_with((folder / "a").string() + ": at byte 31: record 1 has the checksum "));
}
