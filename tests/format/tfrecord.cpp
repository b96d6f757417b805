// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/format/inflate.hpp>
#include <etch/format/tfrecord.hpp>
#include <format/damage.hpp>

namespace {

using namespace etch;
using namespace etch::format;

/// The records "abc" and "", with checksums that were computed bit by bit.
const std::string two(
    "\x03\x00\x00\x00\x00\x00\x00\x00\xb0\x99\x49\x0e"
    "abc"
    "\x6e\x57\xf1\x21\x00\x00\x00\x00\x00\x00\x00\x00\x29\x03\x98\x07\xd8\xea\x82\xa2",
    35);

tfrecord_file in_memory(const files::bytes& b) { return tfrecord_file(b, "x.tfrecord", nullptr, format::inflate); }
std::string text(std::span<const std::byte> b) { return {reinterpret_cast<const char*>(b.data()), b.size()}; }

}  // namespace

TEST_CASE("TFRecord: bytes that are written down") {
  const files::bytes b = files::bytes_of(two);
  const tfrecord_file file = in_memory(b);
  CHECK(file.size() == 2);
  CHECK(text(file.record(0)) == "abc");
  CHECK(text(file.record(1)) == "");
  CHECK(file.record(0).data() == b.data() + 12);
  CHECK(in_memory({}).size() == 0);
  const files::folder folder("tfrecord");
  tfrecord_writer writer(folder / "x.tfrecord");
  writer.add("abc");
  writer.add(std::span<const std::byte>());
  writer.commit();
  CHECK(files::read(folder / "x.tfrecord") == two);
}

TEST_CASE("TFRecord: what is no such file, or damaged") {
  const auto refuses = [](const std::string& file, const char* why) {
    const files::bytes b = files::bytes_of(file);
    CHECK_THROWS_WITH_AS(in_memory(b), why, error);
  };
  refuses("\x89PNG........", "x.tfrecord: at byte 0: here is no record number 0: the checksum of its size is another");
  refuses(two.substr(0, 34),
          "x.tfrecord: at byte 19: record 1 is cut off: it has 0 bytes and a checksum of 4, of which 3 are there");
  refuses(two.substr(0, 24), "x.tfrecord: at byte 19: record 1 is cut off: 5 bytes are there");
  files::bytes b = files::bytes_of(two);
  b[13] = std::byte{'x'};
  const tfrecord_file file = in_memory(b);
  CHECK(text(file.record(1)) == "");
  CHECK_THROWS_WITH_AS(file.record(0), "x.tfrecord: at byte 12: record 0 has the checksum 1d445296, expected is 21f1576e", error);

  // A cut between two records is a shorter file.
  files::check_damaged(files::bytes_of(two), "x.tfrecord: ", false, [](const files::bytes& damaged) {
    const tfrecord_file f = in_memory(damaged);
    std::string all;
    for (int k = 0; k < f.size(); ++k) all += text(f.record(k)) + ",";
    CHECK(std::string_view("abc,,").starts_with(all));
    CHECK(f.size() <= 2);
  });
}

TEST_CASE("TFRecord: TensorFlow reads what is written, and the other way, compressed or not") {
  const files::folder folder("tfrecord");
  const auto record = [](int i) { return std::string(static_cast<std::size_t>(i * i * 7), static_cast<char>('a' + i)); };
  tfrecord_writer writer(folder / "ours.tfrecord");
  for (int i = 0; i < 20; ++i) writer.add(record(i));
  writer.commit();
  if (!files::run_tensorflow(folder, R"(
expected = [bytes([97 + i]) * (i * i * 7) for i in range(20)]
assert [r.numpy() for r in tf.data.TFRecordDataset(folder + 'ours.tfrecord')] == expected
for name, how in ('plain', ''), ('gzip', 'GZIP'):
  with tf.io.TFRecordWriter(folder + name + '.tfrecord', how) as w:
    for r in expected: w.write(r)
)"))
    return;
  CHECK(files::read(folder / "plain.tfrecord") == files::read(folder / "ours.tfrecord"));
  for (const char* name : {"plain.tfrecord", "gzip.tfrecord"}) {
    const tfrecord_file file(folder / name, format::inflate);
    REQUIRE(file.size() == 20);
    for (int i = 0; i < 20; ++i) CHECK(text(file.record(i)) == record(i));
  }
  const std::string path = (folder / "gzip.tfrecord").string();
  CHECK_THROWS_WITH_AS(tfrecord_file{path},
                       (path + ": it is compressed: give format::inflate of <etch/format/inflate.hpp>").c_str(), error);
  files::check_damaged(files::bytes_at(path), "x.tfrecord", false, [&](const files::bytes& damaged) {
    const tfrecord_file f = in_memory(damaged);
    std::vector<std::string> all;
    for (int i = 0; i < f.size(); ++i) all.push_back(text(f.record(i)));
    // Of no bytes there are no records.
    CHECK(all.size() == (damaged.empty() ? 0 : 20));
    for (int i = 0; i < f.size(); ++i) CHECK(all[static_cast<std::size_t>(i)] == record(i));
  });
}
