// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstring>

#include <etch/format/safetensors.hpp>
#include <format/client.hpp>
#include <format/files.hpp>

namespace {

using namespace etch;
using format::named_tensor;

template <class T>
named_tensor make(const char* name, std::vector<std::int64_t> extents, const std::vector<T>& values) {
  return format::numbers(name, {dtype_of<T>, std::move(extents), std::as_bytes(std::span(values))});
}

/// A file of this header, filled up to 8 bytes, and of as many bytes of data.
std::string file_of(const std::string& header, std::size_t data) {
  std::string text(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(text.data(), &length, 8);
  return text + header + std::string(data, '\1');
}

/// What the client script has.
struct arrays {
  std::vector<float> kernel = {0, .5f, 1, 1.5f, 2, 2.5f};
  std::vector<std::int64_t> step = {-7};
  std::vector<double> wide = {1.5, -2.5};
  std::vector<std::uint8_t> flags = {1, 0, 1}, bytes = {0, 255};
  std::vector<std::uint16_t> empty;
  std::vector<std::int8_t> i8 = {-128, 1};
  std::vector<std::int16_t> i16 = {-32768, 1};
  std::vector<std::int32_t> i32 = {INT32_MIN, 1};
  std::vector<std::uint32_t> u32 = {UINT32_MAX};
  std::vector<std::uint64_t> u64 = {UINT64_MAX};
  std::vector<named_tensor> tensors = {make("dense/kernel", {2, 3}, kernel),
                                       make("step", {}, step),
                                       make("wide", {2}, wide),
                                       make("flags", {3}, flags),
                                       make("empty", {0, 4}, empty),
                                       make("bytes", {2}, bytes),
                                       make("i8", {2}, i8),
                                       make("i16", {2}, i16),
                                       make("i32", {2}, i32),
                                       make("u32", {1}, u32),
                                       make("u64", {1}, u64)};
  std::map<std::string, std::string> metadata = {{"note", "a \"quote\"\n\t\1\\ and \u00e9"}};

  arrays() { tensors[3].array.type = dtype::boolean; }
  void check(const std::filesystem::path& path) const {
    const format::safetensors_reader reader(path);
    CHECK(reader.metadata() == metadata);
    REQUIRE(reader.tensors().size() == tensors.size());
    for (const named_tensor& t : tensors) {
      const auto found = std::ranges::find(reader.tensors(), t.name, &named_tensor::name);
      REQUIRE(found != reader.tensors().end());
      CHECK(found->array.type == t.array.type);
      CHECK(found->array.extents == t.array.extents);
      CHECK(std::ranges::equal(found->array.bytes, t.array.bytes));
    }
  }
};

}  // namespace

TEST_CASE("safetensors: bytes as they are written down") {
  const files::folder folder("safetensors_bytes");
  const std::vector<float> x = {1, 2};
  const std::vector<std::int8_t> b = {5};
  format::write_safetensors(folder / "a", {make("b", {1, 1}, b), make("x", {2}, x)}, {{"k", "v"}});
  const std::string header =
      R"({"__metadata__":{"k":"v"},"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"I8","shape":[1,1],"data_offsets":[8,9]}})";
  CHECK(header.size() == 133);
  CHECK(files::read(folder / "a") ==
        std::string("\x88\0\0\0\0\0\0\0", 8) + header + "   " + std::string("\0\0\x80\x3f\0\0\0\x40\5", 9));
  format::write_safetensors(folder / "none", {});
  CHECK(files::read(folder / "none") == std::string("\x08\0\0\0\0\0\0\0{}      ", 16));
  CHECK(format::safetensors_reader(folder / "none").tensors().empty());
}

TEST_CASE("safetensors: what is written is read") {
  const files::folder folder("safetensors_both");
  const arrays a;
  format::write_safetensors(folder / "a", a.tensors, a.metadata);
  a.check(folder / "a");
  CHECK(!std::filesystem::exists(folder / "a.unfinished"));
}

TEST_CASE("safetensors: each rule of the format, with the offset") {
  const files::folder folder("safetensors_rules");
  const std::string name = (folder / "x").string();
  const auto error = [&](const std::string& header, std::size_t data) {
    files::write(folder / "x", file_of(header, data));
    std::string text = files::error_of([&] { format::safetensors_reader reader(folder / "x"); });
    return text.starts_with(name) ? text.substr(name.size()) : text;
  };
  const std::string a = R"("a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]})";
  CHECK(error("{" + a + "}", 2) == "");
  CHECK(error("{" + a + "}   ", 2) == "");
  CHECK(error(" {" + a + "}", 2) == ": at byte 8: the header begins with '{'");
  CHECK(error("{" + a + "} x", 2) == ": at byte 62: the JSON text ends before it");
  CHECK(error("{" + a + "}", 3) == ": at byte 63: 1 bytes belong to no tensor");
  CHECK(error("{" + a + "}", 1) == ": at byte 13: tensor \"a\" has bytes 0 to 2, of which 1 are there");
  CHECK(error("{" + a + "," + a + "}", 2).find("there are two tensors \"a\"") != std::string::npos);
  const auto two = [&](const std::string& begin, const std::string& end) {
    return "{" + a + R"(,"b":{"dtype":"U8","shape":[2],"data_offsets":[)" + begin + "," + end + "]}}";
  };
  CHECK(error(two("2", "4"), 4) == "");
  CHECK(error(two("3", "5"), 5) == ": at byte 65: tensor \"b\" has bytes 3 to 5, must begin at 2");
  CHECK(error(two("1", "3"), 4) == ": at byte 65: tensor \"b\" has bytes 1 to 3, must begin at 2");
  CHECK(error(two("2", "5"), 5) == ": at byte 65: tensor \"b\" has bytes 2 to 5, but uint8 [2] has 2");
  CHECK(error(two("2", "1"), 5) == ": at byte 65: tensor \"b\" has bytes 2 to 1, but uint8 [2] has 2");
  const auto one = [](const std::string& type, const std::string& shape, const std::string& offsets) {
    return R"({"a":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
  };
  CHECK(error(one("F32", "[4294967296,4294967296]", "[0,0]"), 0) ==
        ": at byte 13: tensor \"a\" has more elements than memory: [4294967296, 4294967296]");
  CHECK(error(one("F32", "[4294967296,4294967296,0]", "[0,0]"), 0) == "");
  CHECK(error(one("F33", "[1]", "[0,4]"), 4) == ": at byte 27: tensor \"a\" has the dtype \"F33\", which the format does not have");
  CHECK(error(one("F4", "[1]", "[0,1]"), 1) == ": at byte 13: tensor \"a\" does not end with a byte: F4 [1]");
  CHECK(error(one("F4", "[2]", "[0,1]"), 1) == "");
  CHECK(error(one("F32", "[1.0]", "[0,4]"), 4) == ": at byte 37: an extent is an integer that is not negative");
  CHECK(error(one("F32", "[-1]", "[0,4]"), 4) == ": at byte 37: an extent is an integer that is not negative");
  CHECK(error(one("F32", "[9223372036854775808]", "[0,4]"), 4).ends_with("an extent is larger than 2^63 - 1"));
  CHECK(error(one("F32", "[1]", "[0,4,8]"), 4) == ": at byte 13: tensor \"a\" has not a dtype, a shape and two offsets");
  CHECK(error(R"({"a":{"shape":[1],"shape":[1]}})", 4) == ": at byte 34: tensor \"a\" has its shape twice");
  CHECK(error(R"({"a":{"more":)" + std::string(70, '[') + std::string(70, ']') + "}}", 0)
            .ends_with("more than 64 values lie in one another"));
  CHECK(error(R"({"a":{"more":[1.5e3,null,{"x":true}],"dtype":"BOOL","shape":[],"data_offsets":[0,1]}})", 1) == "");
  CHECK(error("{\"\xff\":1}", 0) == ": at byte 10: a key has a byte 0xff, which no string has");
  CHECK(error(R"({"__metadata__":{"a":1}})", 0) == ": at byte 29: a value of the metadata is a string in quotes");
  CHECK(error(R"({"__metadata__":{"a":"\ud83d\ude00\u0041"}})", 0) == "");
  CHECK(error(R"({"__metadata__":{"a":"\ud83d"}})", 0).ends_with("half of a surrogate pair is missing"));
  std::string too_long = file_of("{}", 0);
  too_long[7] = '\1';
  files::write(folder / "x", too_long);
  CHECK(files::error_of([&] { format::safetensors_reader reader(folder / "x"); }) ==
        name + ": at byte 0: the header has 72057594037927938 bytes, more than 100000000");
  const std::vector<std::uint8_t> flag = {2};
  auto t = make("flag", {1}, flag);
  t.array.type = dtype::boolean;
  format::write_safetensors(folder / "x", {t});
  CHECK(files::error_of([&] {
          format::safetensors_reader reader(folder / "x");
        }).ends_with("tensor \"flag\" has a bool that is neither 0 nor 1"));
}

TEST_CASE("safetensors: what cannot be written") {
  const files::folder folder("safetensors_refused");
  const std::vector<float> x = {1};
  const std::string name = (folder / "x").string();
  const auto error = [&](const std::vector<named_tensor>& tensors) {
    return files::error_of([&] { format::write_safetensors(folder / "x", tensors); }).substr(name.size());
  };
  CHECK(error({make("a", {1}, x), make("a", {}, x)}) == ": safetensors: there are two tensors \"a\"");
  CHECK(error({make("\xc0", {1}, x)}) == ": safetensors: a text is no UTF-8 at byte 0");
  CHECK(error({format::text("note", "yes")}) == ": safetensors: tensor \"note\" is string []");
  CHECK(!std::filesystem::exists(folder / "x"));
}

TEST_CASE("safetensors: a damaged file is an error with its name, or a whole one") {
  const files::folder folder("safetensors_damaged");
  const arrays a;
  format::write_safetensors(folder / "a", a.tensors, a.metadata);
  std::size_t byte_sum = 0;
  const int refused = files::try_damaged(folder / "a", [&] {
    const format::safetensors_reader reader(folder / "a");
    for (const auto& t : reader.tensors())
      for (const std::byte b : t.array.bytes) byte_sum += std::to_integer<std::size_t>(b);
  });
  CHECK(refused > files::mutations() / 2);
  CHECK(byte_sum > 0);
}

TEST_CASE("safetensors: the format's own library reads what etch writes, and etch what it writes") {
  if (!client::is_there("safetensors")) return;
  const files::folder folder("safetensors_client");
  const arrays a;
  format::write_safetensors(folder / "ours", a.tensors, a.metadata);
  CHECK(client::run("safetensors_client.py", {"read", (folder / "ours").string()}));
  REQUIRE(client::run("safetensors_client.py", {"write", (folder / "theirs").string()}));
  a.check(folder / "theirs");
}
