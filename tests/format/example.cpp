// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/data/tfrecord.hpp>
#include <etch/format/example.hpp>
#include <etch/format/tfrecord.hpp>
#include <format/damage.hpp>

namespace {

using namespace etch;
using namespace etch::format;
using texts = std::vector<std::string>;
using floats = std::vector<float>;
using integers = std::vector<std::int64_t>;

/// {a: floats 1.5, b: integers 1, -1}
const std::string message(
    "\x0a\x29"
    "\x0a\x0d\x0a\x01"
    "a\x12\x08\x12\x06\x0a\x04\x00\x00\xc0\x3f"
    "\x0a\x18\x0a\x01"
    "b\x12\x13\x1a\x11\x0a\x0f\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02\x03\x04\x05",
    43);
const example known{{{"a", floats{1.5f}}, {"b", integers{1, -1, 2, 3, 4, 5}}}};

}  // namespace

TEST_CASE("tf.train.Example: bytes that are written down") {
  CHECK(parse_example(message) == known);
  CHECK(serialize_example(known) == message);
  CHECK(parse_example("") == example{});
  // Numbers that are not packed, in two parts, and a field that is unknown.
  CHECK(parse_example(std::string("\x0a\x13\x0a\x11\x0a\x01"
                                  "b\x12\x0c\x1a\x02\x08\x07\x1a\x04\x08\x08\x10\x01\x22\x00",
                                  21)) == example{{{"b", integers{7, 8}}}});
  CHECK(parse_example(std::string("\x0a\x0e\x0a\x0c\x0a\x01"
                                  "f\x12\x07\x12\x05\x0d\x00\x00\x80\x3f",
                                  16)) == example{{{"f", floats{1}}}});
  const example other{{{"x", texts{"one", std::string("\0\xff", 2)}}, {"none", {}}, {"no floats", floats{}}, {"", integers{}}}};
  CHECK(parse_example(serialize_example(other)) == other);
}

TEST_CASE("tf.train.Example: what is there by name and type") {
  CHECK(known.get<float>("a") == floats{1.5f});
  CHECK(known.get_one<float>("a") == 1.5f);
  CHECK(known.contains("b"));
  CHECK_THROWS_WITH_AS(known.get<float>("c"), "tf.train.Example: it has no feature \"c\", but \"a\", \"b\"", error);
  CHECK_THROWS_WITH_AS(known.get<std::string>("b"), "tf.train.Example: the feature \"b\" has integers, expected are bytes", error);
  CHECK_THROWS_WITH_AS(known.get_one<std::int64_t>("b"), "tf.train.Example: the feature \"b\" has 6 values, expected is 1", error);
  CHECK_THROWS_WITH_AS(parse_example("\x0a\x7f", "x"), "x: at byte 2: the features has 127 bytes, of which 0 are there", error);
}

TEST_CASE("a dataset of examples is a map of records") {
  const files::folder folder("example_data");
  tfrecord_writer writer(folder / "x.tfrecord");
  for (int i = 0; i < 3; ++i)
    writer.add(serialize_example({{{"image", floats{static_cast<float>(i), 1, 2}}, {"label", integers{10 * i}}}}));
  writer.add(serialize_example({{{"image", floats{}}}}));
  writer.commit();
  auto d = data::tfrecord({folder / "x.tfrecord"}).map([](const std::string& record) {
    const example parsed = parse_example(record);
    const floats& image = parsed.get<float>("image");
    return std::tuple(xt::xtensor<float, 1>(xt::adapt(image)), parsed.get_one<std::int64_t>("label"));
  });
  std::int64_t total = 0;
  for (auto [images, labels] : d.take(3).batch(3)) {
    CHECK(images.shape()[0] == 3);
    CHECK(images(2, 0) == 2);
    for (const std::int64_t label : labels) total += label;
  }
  CHECK(total == 30);
  CHECK(files::error_of([&] {
          for (auto [image, label] : d.skip(3)) total += label;
        }) == "data: map: element 3: tf.train.Example: it has no feature \"label\", but \"image\"");
}

TEST_CASE("tf.train.Example: damaged messages") {
  // A message of Protocol Buffers has no end and no checksum: what is cut may be one, and what is changed another.
  files::check_damaged(files::bytes_of(message), "x: ", false, [](const files::bytes& b) {
    const example e = parse_example({reinterpret_cast<const char*>(b.data()), b.size()}, "x");
    CHECK(parse_example(serialize_example(e)).features.size() == e.features.size());
  });
}

TEST_CASE("tf.train.Example: TensorFlow reads what is written, and the other way") {
  const files::folder folder("example");
  const example e{{{"image", texts{std::string("\x89PNG\0", 5), ""}},
                   {"label", integers{-7, INT64_MAX, 0}},
                   {"weight", floats{0.1f, -2}},
                   {"empty", floats{}}}};
  tfrecord_writer writer(folder / "ours.tfrecord");
  writer.add(serialize_example(e));
  writer.commit();
  if (!files::run_tensorflow(folder, R"(
record = next(iter(tf.data.TFRecordDataset(folder + 'ours.tfrecord'))).numpy()
e = tf.train.Example.FromString(record)
f = e.features.feature
assert list(f['image'].bytes_list.value) == [b'\x89PNG\0', b''] and list(f['label'].int64_list.value) == [-7, 2**63 - 1, 0]
assert np.array_equal(np.array(f['weight'].float_list.value, np.float32), np.array([0.1, -2], np.float32)) and len(f) == 4
assert f['empty'].WhichOneof('kind') == 'float_list' and e.SerializeToString(deterministic=True) == record
parsed = tf.io.parse_single_example(record, {'label': tf.io.FixedLenFeature([3], tf.int64)})
assert parsed['label'].numpy().tolist() == [-7, 2**63 - 1, 0]
with tf.io.TFRecordWriter(folder + 'theirs.tfrecord') as w: w.write(e.SerializeToString())
)"))
    return;
  const tfrecord_file file(folder / "theirs.tfrecord");
  const auto record = file.record(0);
  CHECK(parse_example({reinterpret_cast<const char*>(record.data()), record.size()}) == e);
}
