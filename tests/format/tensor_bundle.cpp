// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/format/object_graph.hpp>
#include <etch/format/tensor_bundle_writer.hpp>
#include <format/client.hpp>
#include <format/files.hpp>

namespace {

using namespace etch;
using format::named_tensor;

template <class T>
named_tensor make(const char* name, std::vector<std::int64_t> extents, const std::vector<T>& values) {
  return format::numbers(name, {dtype_of<T>, std::move(extents), std::as_bytes(std::span(values))});
}

/// What the client script has.
struct tensors {
  std::vector<float> kernel = {0, .5f, 1, 1.5f, 2, 2.5f};
  std::vector<double> m = {1.5, -2.5};
  std::vector<std::int64_t> step = {-7};
  std::vector<std::uint8_t> flags = {1, 0, 1}, u8 = {255};
  std::vector<std::uint16_t> empty, half = {0x3fc0, 0xc000};
  std::vector<std::int8_t> i8 = {-128, 1};
  std::vector<std::int16_t> i16 = {-32768, 1};
  std::vector<std::int32_t> i32 = {INT32_MIN, 1};
  std::vector<std::uint32_t> u32 = {UINT32_MAX};
  std::vector<std::uint64_t> u64 = {UINT64_MAX};
  std::vector<named_tensor> all = {
      make("step", {}, step),
      make("dense/kernel", {2, 3}, kernel),
      make("dense/kernel/adam/m", {2}, m),
      make("flags", {3}, flags),
      make("half", {2}, half),
      make("empty", {0, 4}, empty),
      make("i8", {2}, i8),
      make("i16", {2}, i16),
      make("i32", {2}, i32),
      make("u8", {1}, u8),
      make("u32", {1}, u32),
      make("u64", {1}, u64),
      {"texts", {dtype::none, {2, 2}, {}}, "string", {"", "abc", std::string("\0\xff", 2), std::string(300, 'x')}}};

  tensors() {
    all[3] = format::numbers("flags", {dtype::boolean, {3}, all[3].array.bytes});
    all[4] = format::numbers("half", {dtype::bfloat16, {2}, all[4].array.bytes});
  }
  void check(const std::filesystem::path& prefix) const {
    format::tensor_bundle_reader reader(prefix);
    for (const named_tensor& t : all) {
      const auto listed = std::ranges::find(reader.tensors(), t.name, &named_tensor::name);
      REQUIRE(listed != reader.tensors().end());
      const named_tensor found = reader.read(static_cast<std::size_t>(listed - reader.tensors().begin()));
      CHECK(found.type_text() == t.type_text());
      CHECK(found.strings == t.strings);
      CHECK(std::ranges::equal(found.array.bytes, t.array.bytes));
    }
  }
};

void read_all(const std::filesystem::path& prefix) {
  format::tensor_bundle_reader reader(prefix);
  for (std::size_t i = 0; i < reader.tensors().size(); ++i) reader.read(i);
}

/// A file of as many bytes as `hex` has pairs of digits.
std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return bytes;
}

/// An index whose checksums are right, with this entry.
void write_index(const std::filesystem::path& prefix, const std::string& name, const std::string& entry, std::string header = "") {
  format::output_file file(prefix.string() + ".index");
  format::sorted_table_writer table(file);
  if (header.empty()) header = from_hex("08011a020801");
  table.add("", header);
  table.add(name, entry);
  table.finish();
  file.commit();
}

}  // namespace

TEST_CASE("tensor bundles: what TensorFlow 2.21 wrote, byte by byte") {
  const files::folder folder("bundle_bytes");
  // tf.raw_ops.SaveV2(prefix, ["names", "w"], ["", ""], [["a", "bc"], [1.0, 2.0]])
  files::write(folder / "x.index",
               from_hex("00000608011a02080100050f6e616d65730807120412020802280935e9e43685000111770801120412020802200928083559"
                        "3ce535000000000100000000edbf049a000000000100000000c0f2a1b000010278003d000000000100000000793006f44208"
                        "4f0e00000000000000000000000000000000000000000000000000000000000000000000000057fb808b247547db"));
  files::write(folder / "x.data-00000-of-00001", from_hex("0102bfdfdb7a6162630000803f00000040"));
  format::tensor_bundle_reader reader(folder / "x");
  REQUIRE(reader.tensors().size() == 2);
  CHECK(reader.shards() == 1);
  CHECK(reader.read(0).name == "names");
  CHECK(reader.read(0).strings == std::vector<std::string>{"a", "bc"});
  CHECK(reader.read(1).name == "w");
  CHECK(reader.read(1).type_text() == "float32 [2]");
  const std::vector<float> w = {1, 2};
  CHECK(std::ranges::equal(reader.read(1).array.bytes, std::as_bytes(std::span(w))));
}

TEST_CASE("tensor bundles: what is written is read") {
  const files::folder folder("bundle_both");
  const tensors t;
  format::write_tensor_bundle(folder / "x", t.all);
  t.check(folder / "x");
  CHECK(std::filesystem::exists(folder / "x.data-00000-of-00001"));
  // Again: another name of the data file, so that the old one is whole until the index is new. And once more.
  format::write_tensor_bundle(folder / "x", t.all);
  t.check(folder / "x");
  CHECK(std::filesystem::exists(folder / "x.data-00000-of-00002"));
  CHECK(!std::filesystem::exists(folder / "x.data-00000-of-00001"));
  format::write_tensor_bundle(folder / "x", t.all);
  t.check(folder / "x");
  CHECK(!std::filesystem::exists(folder / "x.data-00000-of-00002"));
  format::write_tensor_bundle(folder / "none", {});
  read_all(folder / "none");
}

TEST_CASE("tensor bundles: an index of several blocks") {
  const files::folder folder("bundle_blocks");
  std::vector<named_tensor> many;
  std::vector<std::vector<int>> values(9000);
  for (int i = 0; i < 9000; ++i) {
    values[static_cast<std::size_t>(i)] = {i};
    many.push_back(make(("layer_" + std::to_string(i * 7919 % 9000) + "/" + std::string(40, 'k') + std::to_string(i)).c_str(), {},
                        values[static_cast<std::size_t>(i)]));
  }
  format::write_tensor_bundle(folder / "x", many);
  CHECK(std::filesystem::file_size(folder / "x.index") > 262'144);
  format::tensor_bundle_reader reader(folder / "x");
  CHECK(reader.tensors().size() == 9000);
  std::ranges::sort(many, {}, &named_tensor::name);
  for (std::size_t i = 0; i < many.size(); ++i) {
    const named_tensor found = reader.read(i);
    CHECK(found.name == many[i].name);
    CHECK(std::ranges::equal(found.array.bytes, many[i].array.bytes));
  }
}

TEST_CASE("tensor bundles: what is wrong behind right checksums is an error with the offset") {
  const files::folder folder("bundle_wrong");
  const std::string index = (folder / "x.index").string(), data = (folder / "x.data-00000-of-00001").string();
  files::write(data, std::string("\0\0\0\0\0\0\0\0", 8));
  const auto error = [&](const std::string& entry, const char* header = "") {
    write_index(folder / "x", "a", from_hex(entry), from_hex(header));
    return files::error_of([&] { read_all(folder / "x"); });
  };
  // dtype float32, shape [2], 8 bytes, their checksum.
  const std::string good = "08011204120208022808351dd35f2e";
  CHECK(error(good) == data + ": at byte 0: tensor \"a\" of 8 bytes has another checksum than " + index + " says");
  CHECK(error("0801120412020802"
              "2007"
              "2808") == data + ": at byte 7: tensor \"a\" has bytes 7 to 15, but the file has 8");
  CHECK(error("0801120412020803"
              "2808") == index + ": at byte 13: tensor \"a\" is float32 [3], but has 8 bytes");
  CHECK(error("0863120412020803"
              "2808") == index + ": at byte 13: tensor \"a\" has a dtype of number 99");
  CHECK(error("080112041202080218012808") == index + ": at byte 13: tensor \"a\" is in data file 1 of 1");
  CHECK(error("0801120d120b08ffffffffffffffffff012808") == index + ": at byte 13: tensor \"a\" has an extent of -1");
  CHECK(error("08131204120208042808") == index + ": at byte 13: tensor \"a\" is float16, which etch does not have");
  CHECK(error("080712041202080528083500000000").find("tensor \"a\" is string [5], but has 8 bytes") != std::string::npos);
  CHECK(error("0801120412020802280880") == index + ": at byte 24: a field's number has 1 bytes, of which 0 are there");
  CHECK(error(good, "08011001") == index + ": at byte 3: numbers have their highest byte first");
  CHECK(error(good, "08011a0408011002") == index + ": at byte 3: only readers of version 2 can read it");
  std::filesystem::remove(data);
  CHECK(error(good) == data + ": No such file or directory");
  files::write(index, "short");
  CHECK(files::error_of([&] { read_all(folder / "x"); }) ==
        index + ": at byte 0: a sorted table has at least 48 bytes, this file 5");
}

TEST_CASE("tensor bundles: a small index whose keys have gigabytes is refused") {
  const files::folder folder("bundle_keys");
  {
    format::output_file file((folder / "x.index").string());
    format::sorted_table_writer table(file);
    table.add("", from_hex("08011a020801"));
    std::string key(65'000, 'k');
    key += "00";
    for (char i = 32; i < 127; ++i)
      for (char j = 32; j < 127; ++j) {
        key[65'000] = i;
        key[65'001] = j;
        table.add(key, from_hex("0801280400"));
      }
    table.finish();
    file.commit();
  }
  const std::string error = files::error_of([&] { format::tensor_bundle_reader reader(folder / "x"); });
  CHECK(error.starts_with((folder / "x.index").string() + ": at byte "));
  CHECK(error.ends_with(": the keys have more than 268435456 bytes"));
}

TEST_CASE("tensor bundles: a damaged file is an error with its name") {
  const files::folder folder("bundle_damaged");
  const tensors t;
  format::write_tensor_bundle(folder / "x", t.all);
  // Every byte of the data has a checksum: each change is refused.
  CHECK(files::try_damaged(folder / "x.data-00000-of-00001", [&] { read_all(folder / "x"); }) == files::mutations());
  // Of the index all but the handle of a block that is not read, and what fills the last 48 bytes up.
  CHECK(files::try_damaged(folder / "x.index", [&] { t.check(folder / "x"); }) > files::mutations() / 10 * 9);
}

TEST_CASE("tensor bundles: TensorFlow reads what etch writes, and etch what it writes") {
  if (!client::is_there("tensorflow")) return;
  const files::folder folder("bundle_client");
  const tensors t;
  format::write_tensor_bundle(folder / "ours", t.all);
  CHECK(client::run("bundle_client.py", {"read", (folder / "ours").string()}));
  format::write_tensor_bundle(folder / "ours", t.all);
  CHECK(client::run("bundle_client.py", {"read", (folder / "ours").string()}));
  std::vector<named_tensor> model = t.all;
  for (named_tensor& m : model) m.name = (m.name == "texts" ? "model/dense/" : "model/") + m.name;
  model.push_back(make("save_counter", {}, t.step));  // which every tf.train.Checkpoint has
  format::write_tensor_bundle(folder / "model", format::with_object_graph(model));
  CHECK(client::run("bundle_client.py", {"restore", (folder / "model").string()}));
  REQUIRE(client::run("bundle_client.py", {"write", (folder / "theirs").string()}));
  t.check(folder / "theirs");
  REQUIRE(client::run("bundle_client.py", {"objects", (folder / "objects").string()}));
  format::tensor_bundle_reader reader(folder / "objects");
  std::vector<std::string> names;
  for (const auto& listed : reader.tensors()) names.push_back(format::name_of_stored(listed.name));
  CHECK(names ==
        std::vector<std::string>{"_CHECKPOINTABLE_OBJECT_GRAPH", "a.b", "model/dense/kernel", "model/dense/texts", "model/step"});
}
